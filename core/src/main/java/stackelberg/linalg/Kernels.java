package stackelberg.linalg;

import java.nio.DoubleBuffer;

/**
 * The dense operations, implemented twice: in OpenBLAS and in plain Java. {@link Provider} chooses between them.
 *
 * <p>Matrices are stored by rows. Each starts at its buffer's position, and {@code ld...} is the distance from one row to the next. No operation moves a
 * position, so threads may share buffers. Symmetric matrices and Cholesky factors use the lower triangle; the part above the diagonal is not read, and gemm,
 * syrk and potrf do not write it. The names are those of BLAS and LAPACK.
 */
interface Kernels {
    /** C (m x n) = alpha op(A) op(B) + beta C, where op(A) is m x k; on the calling thread alone. C is not read if beta is 0. */
    void gemm(
            boolean transA,
            boolean transB,
            int m,
            int n,
            int k,
            double alpha,
            DoubleBuffer a,
            int lda,
            DoubleBuffer b,
            int ldb,
            double beta,
            DoubleBuffer c,
            int ldc);

    /** squares[from + i] = the squared norm of row i of A (m x n). */
    void rowSquares(int m, int n, DoubleBuffer a, int lda, double[] squares, int from);

    /** Lower triangle of C (n x n) += alpha A'A with A k x n (transA), or alpha AA' with A n x k; on the calling thread alone. */
    void syrk(boolean transA, int n, int k, double alpha, DoubleBuffer a, int lda, DoubleBuffer c, int ldc);

    /** B (m x n) = B L^{-T}, so every row b of B becomes L^{-1} b; on the calling thread alone. */
    void trsm(int m, int n, DoubleBuffer l, int ldl, DoubleBuffer b, int ldb);

    /** Factors A = LL' in place, on the calling thread alone; returns false if A is not positive definite, and the content of a is undefined then. */
    boolean potrf(int n, DoubleBuffer a, int lda);

    /** Replaces the lower triangle of L by that of A^{-1}, where A = LL'. */
    void potri(int n, DoubleBuffer l, int ldl, int threads);

    /** b = L^{-1} b, or L^{-T} b (transposed), in place; b may be an array. */
    void trsv(boolean transposed, int n, DoubleBuffer l, int ldl, DoubleBuffer b);

    /**
     * Computes the eigenvalues of A, ascending; returns false if the iteration did not converge.
     *
     * @param vectors whether the rows of a receive the eigenvectors (row i belongs to values[i]); otherwise the content of a is undefined afterwards
     */
    boolean syev(boolean vectors, int n, DoubleBuffer a, int lda, double[] values, int threads);
}
