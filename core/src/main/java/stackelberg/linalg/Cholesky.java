package stackelberg.linalg;

import java.util.Optional;

/** A + shift I = LL'. */
public final class Cholesky {
    private final double[][] l;

    private Cholesky(double[][] l) {
        this.l = l;
    }

    /** Empty if A + shift I is not positive definite; a is not changed. */
    public static Optional<Cholesky> of(DenseMatrix a, double shift) {
        int n = a.rows();
        double[][] l = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = a.get(i, j) + (i == j ? shift : 0);
                for (int k = 0; k < j; k++) {
                    sum -= l[i][k] * l[j][k];
                }
                if (i == j) {
                    if (!(sum > 0)) {
                        return Optional.empty();
                    }
                    l[i][i] = Math.sqrt(sum);
                } else {
                    l[i][j] = sum / l[j][j];
                }
            }
        }
        return Optional.of(new Cholesky(l));
    }
}
