package stackelberg.linalg;

import java.nio.DoubleBuffer;

/**
 * The dense operations that come in two kinds, OpenBLAS and plain Java: row-major storage, every buffer from its position, {@code ld...} the
 * distance between rows. Nothing moves a position, so that threads may share buffers. Symmetric matrices and Cholesky factors use the lower
 * triangle; the rest of the square is neither read nor, by gemm, syrk and potrf, written.
 */
interface Kernels {
    /** C (m x n) = alpha op(A) op(B) + beta C, op(A) being m x k; on the calling thread alone. C is not read where beta is 0. */
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

    /** squares[from + i] = squared norm of row i of A (m x n). */
    void rowSquares(int m, int n, DoubleBuffer a, int lda, double[] squares, int from);

    /** Lower triangle of C (n x n) += alpha A'A with A k x n (transA), or alpha AA' with A n x k; on the calling thread alone. */
    void syrk(boolean transA, int n, int k, double alpha, DoubleBuffer a, int lda, DoubleBuffer c, int ldc);

    /** B (m x n) = B L^{-T}: every row b of B becomes L^{-1} b; on the calling thread alone. */
    void trsm(int m, int n, DoubleBuffer l, int ldl, DoubleBuffer b, int ldb);

    /** A = LL' in place; false if A is not positive definite, the content of a then being undefined; on the calling thread alone. */
    boolean potrf(int n, DoubleBuffer a, int lda);

    /** The lower triangle of A^{-1} in place of that of L. */
    void potri(int n, DoubleBuffer l, int ldl, int threads);

    /** b = L^{-1} b, or L^{-T} b (transposed), in place; b may be an array. */
    void trsv(boolean transposed, int n, DoubleBuffer l, int ldl, DoubleBuffer b);

    /**
     * The eigenvalues of A, ascending; false if the iteration did not converge.
     *
     * @param vectors whether the rows of a receive the eigenvectors (row i belongs to values[i]); a is destroyed otherwise
     */
    boolean syev(boolean vectors, int n, DoubleBuffer a, int lda, double[] values, int threads);
}
