package stackelberg.linalg;

/**
 * A = Q diag(values) Q', values ascending.
 *
 * @param values the eigenvalues
 * @param vectors Q, one eigenvector per column
 */
public record SymmetricEigen(double[] values, DenseMatrix vectors) {
    /** Decomposes the symmetric matrix a, of which the lower triangle is read; a is not changed. */
    public static SymmetricEigen of(DenseMatrix a, Workers workers) {
        return overwriting(Provider.forEigen(a.rows()), copy(a), workers);
    }

    /** As {@link #of}, with Q in place of a: for matrices that fit into memory only once. */
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
        return decompose(Provider.forEigen(a.rows()), false, copy(a), workers);
    }

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

    private static DenseMatrix copy(DenseMatrix a) {
        DenseMatrix copy = DenseMatrix.zeros(a.rows(), a.cols());
        copy.setAll(a);
        return copy;
    }

    /** By squares that stay in cache: an exchange of two squares touches no others, so that all workers may help. */
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
