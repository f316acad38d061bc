package stackelberg.solver;

/** argmin sum_i s_i (a_i'c - b_i)^2 for a handful of columns, by elimination: slow, simple and independent of what it checks. */
final class NormalEquations {
    private NormalEquations() {}

    static double[] solve(double[][] a, double[] b, double[] weights) {
        int n = a.length == 0 ? 0 : a[0].length;
        double[][] t = new double[n][n + 1];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < n; j++) {
                for (int k = 0; k < n; k++) {
                    t[j][k] += weights[i] * a[i][j] * a[i][k];
                }
                t[j][n] += weights[i] * a[i][j] * b[i];
            }
        }
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                if (k != j) {
                    double factor = t[k][j] / t[j][j];
                    for (int l = j; l <= n; l++) {
                        t[k][l] -= factor * t[j][l];
                    }
                }
            }
        }
        double[] c = new double[n];
        for (int j = 0; j < n; j++) {
            c[j] = t[j][n] / t[j][j];
        }
        return c;
    }
}
