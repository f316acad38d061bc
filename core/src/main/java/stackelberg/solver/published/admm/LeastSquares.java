package stackelberg.solver.published.admm;

import stackelberg.linalg.Vectors;

/** Minimises ||b - A c|| for an A of few columns, by modified Gram-Schmidt; columns that depend on others get coefficient 0. */
final class LeastSquares {
    private LeastSquares() {}

    /**
     * Returns the coefficients c.
     *
     * @param columns the columns of A; of dependent ones the later is kept
     * @param dependent a column is dropped if the norm of its part outside the later ones is at most this share of its norm
     */
    static double[] solve(double[][] columns, double[] b, double dependent) {
        int k = columns.length;
        double[][] q = new double[k][];
        double[][] r = new double[k][k];
        double[] rest = b.clone();
        double[] y = new double[k];
        for (int i = k - 1; i >= 0; i--) {
            q[i] = columns[i].clone();
            double before = Vectors.norm(q[i]);
            for (int l = k - 1; l > i; l--) {
                if (q[l] != null) {
                    r[l][i] = Vectors.dot(q[l], q[i]);
                    Vectors.axpy(-r[l][i], q[l], q[i]);
                }
            }
            r[i][i] = Vectors.norm(q[i]);
            if (!(r[i][i] > dependent * before)) {
                q[i] = null;
                continue;
            }
            Vectors.scale(1 / r[i][i], q[i]);
            y[i] = Vectors.dot(q[i], rest);
            Vectors.axpy(-y[i], q[i], rest);
        }
        double[] c = new double[k];
        for (int i = 0; i < k; i++) {
            if (q[i] != null) {
                double sum = y[i];
                for (int l = 0; l < i; l++) {
                    sum -= r[i][l] * c[l];
                }
                c[i] = sum / r[i][i];
            }
        }
        return c;
    }
}
