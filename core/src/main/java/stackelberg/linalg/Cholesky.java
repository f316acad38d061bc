package stackelberg.linalg;

import java.util.Optional;

/** A + shift I = L L' for a symmetric positive definite matrix, of which the lower triangle is read. */
public final class Cholesky {
    private final Kernels kernels;
    private final DenseMatrix factor;
    private final int threads;

    private Cholesky(Kernels kernels, DenseMatrix factor, int threads) {
        this.kernels = kernels;
        this.factor = factor;
        this.threads = threads;
    }

    /** The factorisation, or nothing if A + shift I is not positive definite; a is not changed. */
    public static Optional<Cholesky> of(DenseMatrix a, double shift, Workers workers) {
        return of(Provider.forCholesky(a.rows()), a, shift, workers);
    }

    static Optional<Cholesky> of(Kernels kernels, DenseMatrix a, double shift, Workers workers) {
        DenseMatrix copy = DenseMatrix.zeros(a.rows(), a.cols());
        copy.setAll(a);
        return overwriting(kernels, copy, shift, workers);
    }

    /** As {@link #of}, with L in place of a, which must not be used again: for matrices that fit into memory only once. */
    public static Optional<Cholesky> overwriting(DenseMatrix a, double shift, Workers workers) {
        return overwriting(Provider.forCholesky(a.rows()), a, shift, workers);
    }

    private static Optional<Cholesky> overwriting(Kernels kernels, DenseMatrix a, double shift, Workers workers) {
        int n = a.rows();
        DenseProducts.requireSize("a symmetric matrix", a, n, n);
        DenseProducts.requireContiguous("a matrix to be factored", a);
        DenseProducts.requireWritable(a);
        for (int i = 0; i < n; i++) {
            a.set(i, i, a.get(i, i) + shift);
        }
        boolean positiveDefinite = n == 0 || kernels.potrf(n, a.at(0), a.stride(), workers.threads());
        return positiveDefinite ? Optional.of(new Cholesky(kernels, a, workers.threads())) : Optional.empty();
    }

    /** Solves (A + shift I) x = b in place of b. */
    public void solve(double[] b) {
        int n = factor.rows();
        if (b.length != n) {
            throw new IllegalArgumentException("The right side has " + b.length + " values instead of " + n + ".");
        }
        if (n > 0) {
            kernels.trsv(false, n, factor.at(0), factor.stride(), b);
            kernels.trsv(true, n, factor.at(0), factor.stride(), b);
        }
    }

    /** (A + shift I)^{-1}, both triangles. */
    public DenseMatrix inverse() {
        int n = factor.rows();
        DenseMatrix inverse = DenseMatrix.zeros(n, n);
        inverse.setAll(factor);
        if (n > 0) {
            kernels.potri(n, inverse.at(0), n, threads);
        }
        Gram.symmetrize(inverse);
        return inverse;
    }

    /** L, lower triangular: what is above the diagonal of the result is zero. */
    public DenseMatrix lower() {
        int n = factor.rows();
        DenseMatrix lower = DenseMatrix.zeros(n, n);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                lower.set(i, j, factor.get(i, j));
            }
        }
        return lower;
    }
}
