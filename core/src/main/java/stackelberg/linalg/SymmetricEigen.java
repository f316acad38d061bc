package stackelberg.linalg;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The eigendecomposition A = Q diag(values) Q' of a symmetric matrix.
 *
 * @param values the eigenvalues, ascending
 * @param vectors Q, one eigenvector per column
 */
public record SymmetricEigen(double[] values, DenseMatrix vectors) {
    /** Decomposes the symmetric matrix a, of which the lower triangle is read; a is not changed. */
    public static SymmetricEigen of(DenseMatrix a, Workers workers) {
        return isDiagonal(a) ? ofDiagonal(a) : overwriting(Provider.forEigen(a.rows()), a.copy(), workers);
    }

    /** Whether the lower triangle has zeros below the diagonal. */
    private static boolean isDiagonal(DenseMatrix a) {
        for (int i = 0; i < a.rows(); i++) {
            for (int j = 0; j < i; j++) {
                if (a.get(i, j) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The decomposition of a diagonal matrix: its entries in order, and unit vectors. */
    private static SymmetricEigen ofDiagonal(DenseMatrix a) {
        int n = a.rows();
        int[] order = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> a.get(i, i)))
                .mapToInt(i -> i)
                .toArray();
        double[] values = new double[n];
        DenseMatrix vectors = DenseMatrix.zeros(n, n);
        for (int k = 0; k < n; k++) {
            values[k] = a.get(order[k], order[k]);
            vectors.set(order[k], k, 1);
        }
        return new SymmetricEigen(values, vectors);
    }

    /**
     * Decomposes like {@link #of}, but stores Q in the memory of a: for matrices so large that memory holds only one.
     */
    public static SymmetricEigen overwriting(DenseMatrix a, Workers workers) {
        return overwriting(Provider.forEigen(a.rows()), a, workers);
    }

    static SymmetricEigen overwriting(Kernels kernels, DenseMatrix a, Workers workers) {
        double[] values = decompose(kernels, true, a, workers);
        transpose(a, workers);
        return new SymmetricEigen(values, a);
    }

    /** The eigenvalues alone, ascending; a is not changed. */
    public static double[] valuesOf(DenseMatrix a, Workers workers) {
        return decompose(Provider.forEigen(a.rows()), false, a.copy(), workers);
    }

    /** Computes the eigenvalues, and the eigenvectors as rows of a if {@code vectors} is true; overwrites a. */
    static double[] decompose(Kernels kernels, boolean vectors, DenseMatrix a, Workers workers) {
        int n = a.rows();
        DenseProducts.requireSize("a symmetric matrix", a, n, n);
        DenseProducts.requireContiguous("a matrix to be decomposed", a);
        DenseProducts.requireWritable(a);
        double[] values = new double[n];
        if (n > 0 && !kernels.syev(vectors, n, a.at(0), a.stride(), values, workers.threads())) {
            throw new ArithmeticException("The symmetric eigenvalue iteration did not converge for order " + n
                    + ".\nMaybe the matrix has entries that are not finite.");
        }
        return values;
    }

    /**
     * Transposes in place by squares of 64 x 64, which stay in cache. Exchanging two squares touches no others, so
     * threads share the work.
     */
    private static void transpose(DenseMatrix a, Workers workers) {
        int tile = 64;
        int n = a.rows();
        workers.run((n + tile - 1) / tile, task -> {
            int i = task * tile;
            for (int j = 0; j <= i; j += tile) {
                for (int row = i; row < Math.min(i + tile, n); row++) {
                    for (int col = j; col < Math.min(j + tile, row); col++) {
                        double value = a.get(row, col);
                        a.set(row, col, a.get(col, row));
                        a.set(col, row, value);
                    }
                }
            }
        });
    }
}
