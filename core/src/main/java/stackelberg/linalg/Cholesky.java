package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Optional;

/**
 * The Cholesky factorisation A + shift I = L L' of a symmetric positive definite matrix, of which the lower triangle is
 * read.
 */
public final class Cholesky {
    /**
     * Up to this order a triangular solve is one call on one thread: L, 32 MB at most, is read faster than threads are
     * woken up.
     */
    private static final int WHOLE = 2048;

    private final Kernels kernels;
    private final DenseMatrix factor;
    private final TiledCholesky tiles;
    private final Workers workers;

    private Cholesky(Kernels kernels, TiledCholesky tiles, Workers workers) {
        this.kernels = kernels;
        this.factor = tiles.matrix();
        this.tiles = tiles;
        this.workers = workers;
    }

    /** The factorisation; empty if A + shift I is not positive definite. The matrix a is not changed. */
    public static Optional<Cholesky> of(DenseMatrix a, double shift, Workers workers) {
        return of(Provider.forCholesky(a.rows()), a, shift, workers);
    }

    static Optional<Cholesky> of(Kernels kernels, DenseMatrix a, double shift, Workers workers) {
        return overwriting(kernels, a.copy(), shift, workers);
    }

    /**
     * Factorises like {@link #of}, but stores L in the memory of a, which must not be used afterwards: for matrices so
     * large that memory holds only one.
     */
    public static Optional<Cholesky> overwriting(DenseMatrix a, double shift, Workers workers) {
        return overwriting(Provider.forCholesky(a.rows()), a, shift, workers);
    }

    private static Optional<Cholesky> overwriting(Kernels kernels, DenseMatrix a, double shift, Workers workers) {
        int n = a.rows();
        DenseProducts.requireSize("a symmetric matrix", a, n, n);
        DenseProducts.requireWritable(a);
        for (int i = 0; i < n; i++) {
            a.set(i, i, a.get(i, i) + shift);
        }
        return factored(kernels, a, workers);
    }

    private static Optional<Cholesky> factored(Kernels kernels, DenseMatrix a, Workers workers) {
        TiledCholesky tiles = new TiledCholesky(kernels, a, workers);
        return tiles.factor() ? Optional.of(new Cholesky(kernels, tiles, workers)) : Optional.empty();
    }

    /** Solves (A + shift I) x = b; x replaces b. */
    public void solve(double[] b) {
        int n = factor.rows();
        if (b.length != n) {
            throw new IllegalArgumentException("The right side has " + b.length + " values instead of " + n + ".");
        }
        if (n == 0) {
            return;
        }
        if (n <= WHOLE && factor.isContiguous()) {
            DoubleBuffer x = DoubleBuffer.wrap(b);
            kernels.trsv(false, n, factor.at(0), factor.stride(), x);
            kernels.trsv(true, n, factor.at(0), factor.stride(), x);
            return;
        }
        DoubleBuffer x = workers.scratch().take(n);
        x.put(0, b);
        tiles.lower(x, null);
        tiles.upper(x, null);
        x.get(0, b);
        workers.scratch().give(x);
    }

    /** (A + shift I)^{-1}, both triangles. */
    public DenseMatrix inverse() {
        int n = factor.rows();
        DenseProducts.requireContiguous("a matrix to be inverted", factor);
        DenseMatrix inverse = factor.copy();
        if (n > 0) {
            kernels.potri(n, inverse.at(0), n, workers.threads());
        }
        Gram.symmetrize(inverse);
        return inverse;
    }

    /** A copy of L, with zeros above the diagonal. */
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

    /**
     * Factors A + shift I = L L' for one shift after another in the memory of A alone: A is kept above the diagonal,
     * and L is stored below it. Each factorisation overwrites the one before.
     */
    public static final class InPlace {
        private final Kernels kernels;
        private final DenseMatrix square;
        /** The diagonal of A, which the factor overwrites. */
        private final double[] diagonal;

        private final Workers workers;

        InPlace(Kernels kernels, DenseMatrix a, Workers workers) {
            DenseProducts.requireSize("a symmetric matrix", a, a.rows(), a.rows());
            DenseProducts.requireWritable(a);
            this.kernels = kernels;
            this.square = a;
            this.diagonal = new double[a.rows()];
            this.workers = workers;
            for (int i = 0; i < diagonal.length; i++) {
                diagonal[i] = a.get(i, i);
            }
        }

        /** Uses the memory of a, both triangles of which must be given; a must not be used afterwards. */
        public static InPlace of(DenseMatrix a, Workers workers) {
            return new InPlace(Provider.forCholesky(a.rows()), a, workers);
        }

        /** The factorisation, valid until the next call; empty if A + shift I is not positive definite. */
        public Optional<Cholesky> factor(double shift) {
            Gram.mirror(square, workers);
            for (int i = 0; i < diagonal.length; i++) {
                square.set(i, i, diagonal[i] + shift);
            }
            return factored(kernels, square, workers);
        }
    }
}
