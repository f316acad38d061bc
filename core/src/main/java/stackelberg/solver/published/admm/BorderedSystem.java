package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * A core matrix C + sigma I that is easy to factorise, bordered by a few dense rows and columns: [[C + sigma I, B], [B', T + sigma J]].
 *
 * <p>The first border rows belong to variables of the problem (z, a manipulable intercept); J is 1 there. The others are auxiliary, with right
 * side 0 and J = 0: eliminating them subtracts B T^{-1} B' from C, so that low-rank terms need not be added to C and fill it.
 *
 * @param core C + sigma I, of order n
 * @param n its order
 * @param b the columns of B
 * @param t T
 * @param variables how many of the border rows are variables of the problem
 */
record BorderedSystem(ShiftedSystem core, int n, double[][] b, double[][] t, int variables) implements ShiftedSystem {
    private static final Workers ONE = Workers.of(1);

    @Override
    public Optional<ShiftedSolve> factor(double sigma) {
        return core.factor(sigma).flatMap(inner -> border(inner, sigma));
    }

    /** Factorises the Schur complement of the border. */
    private Optional<ShiftedSolve> border(ShiftedSolve inner, double sigma) {
        int k = b.length;
        double[][] solved = new double[k][];
        double[][] schur = new double[k][k];
        for (int c = 0; c < k; c++) {
            solved[c] = b[c].clone();
            inner.solve(solved[c]);
        }
        for (int i = 0; i < k; i++) {
            for (int j = 0; j <= i; j++) {
                double value = t[i][j] - Vectors.dot(b[i], solved[j]);
                schur[i][j] = value + (i == j && i < variables ? sigma : 0);
                schur[j][i] = schur[i][j];
            }
        }
        Indefinite small = Indefinite.of(schur);
        // by Sylvester's law of inertia the matrix without the auxiliary rows is positive definite exactly if the Schur
        // complement has as many negative eigenvalues as the auxiliary part of T
        if (small.negative() != Indefinite.of(auxiliary()).negative()) {
            return Optional.empty();
        }
        double[] x = new double[n];
        double[] right = new double[k];
        return Optional.of(q -> {
            System.arraycopy(q, 0, x, 0, n);
            inner.solve(x);
            for (int i = 0; i < k; i++) {
                right[i] = (i < variables ? q[n + i] : 0) - Vectors.dot(b[i], x);
            }
            double[] y = small.solve(right);
            for (int i = 0; i < k; i++) {
                Vectors.axpy(-y[i], solved[i], x);
            }
            System.arraycopy(x, 0, q, 0, n);
            System.arraycopy(y, 0, q, n, variables);
        });
    }

    /** Returns the part of T that belongs to auxiliary rows. */
    private double[][] auxiliary() {
        double[][] rest = new double[b.length - variables][];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = Arrays.copyOfRange(t[variables + i], variables, b.length);
        }
        return rest;
    }

    /** The eigendecomposition of a small symmetric matrix, scaled to a diagonal of +-1 where it is not 0. */
    private record Indefinite(double[] scale, SymmetricEigen eigen) {
        static Indefinite of(double[][] a) {
            int k = a.length;
            double[] scale = new double[k];
            DenseMatrix scaled = DenseMatrix.zeros(k, k);
            for (int i = 0; i < k; i++) {
                scale[i] = a[i][i] == 0 ? 1 : 1 / Math.sqrt(Math.abs(a[i][i]));
            }
            for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                    scaled.set(i, j, scale[i] * a[i][j] * scale[j]);
                }
            }
            return new Indefinite(scale, SymmetricEigen.of(scaled, ONE));
        }

        long negative() {
            return Arrays.stream(eigen.values()).filter(value -> value <= 0).count();
        }

        double[] solve(double[] right) {
            int k = scale.length;
            double[] x = new double[k];
            for (int e = 0; e < k; e++) {
                double[] q = eigen.vectors().column(e);
                double sum = 0;
                for (int i = 0; i < k; i++) {
                    sum += q[i] * scale[i] * right[i];
                }
                Vectors.axpy(sum / eigen.values()[e], q, x);
            }
            for (int i = 0; i < k; i++) {
                x[i] *= scale[i];
            }
            return x;
        }
    }
}
