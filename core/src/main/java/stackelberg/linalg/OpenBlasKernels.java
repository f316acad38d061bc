package stackelberg.linalg;

import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotrf;
import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotri;
import static org.bytedeco.openblas.global.openblas.LAPACKE_dsyevd;
import static org.bytedeco.openblas.global.openblas.LAPACK_COL_MAJOR;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasLower;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRight;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_ddot;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dgemm;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dgemv;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dsyrk;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dtrsm;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dtrsv;
import static org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads;

import java.nio.DoubleBuffer;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

/**
 * The dense operations in OpenBLAS, on direct buffers, without copies.
 *
 * <p>Properties of this build of OpenBLAS on which the code relies:
 *
 * <ul>
 *   <li>It has one number of threads for the whole process. It is 1 here, so that calls from several Java threads run side by side and give the same bits
 *       whatever else runs. A LAPACK call on several threads waits until no other call is running, keeps others out, sets the number, and resets it.
 *   <li>Its threads wait for each other by spinning: with more threads than processors, or beside other busy processes, the thousands of
 *       short steps of DSYEVD can take a hundred times as long. So it never gets more threads than there are processors.
 *   <li>DGEMM copies ("packs") its operands if the product takes more than a million multiplications. With few vectors that is 3 times slower than
 *       working on them in place, so such products are divided into pieces below that limit.
 *   <li>A heap buffer is copied at every call, and back. Only short vectors are passed that way.
 *   <li>LAPACKE transposes row-major matrices into a copy. A symmetric matrix does not need that: its lower triangle by rows is the upper triangle
 *       by columns, and L by rows is U = L' by columns.
 *   <li>JavaCPP counts the physical memory of the process, mapped files included, and refuses to work beyond a limit: run with {@code
 *       -Dorg.bytedeco.javacpp.maxBytes=0 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0}; JDK 24 and later also print a warning without {@code
 *       --enable-native-access=ALL-UNNAMED}.
 * </ul>
 */
final class OpenBlasKernels implements Kernels {
    private static final byte UPPER = 'U';

    /** The order below which a second thread slows LAPACK down; changing the number of threads takes 0.3 ms. */
    private static final int PARALLEL_ORDER = 600;

    /** The multiplications up to which DGEMM works on its operands in place; beyond, it packs both. */
    private static final double SMALL_GEMM_WORK = 1e6;

    /** The most columns of B for which products are divided into pieces; with more columns packing A pays. */
    private static final int MAX_SPLIT_WIDTH = 40;

    /** What LAPACKE returns when it cannot allocate memory (-1010 or -1011). Other negative numbers mean that an argument, the matrix, contains NaN. */
    private static final int LAPACKE_NO_MEMORY = -1010;

    /** The read lock is held by calls on one thread; the write lock is held while the number of threads differs from 1. */
    private final ReentrantReadWriteLock threadCount = new ReentrantReadWriteLock();

    /** Loads the native library; throws a LinkageError if there is none. */
    OpenBlasKernels() {
        OpenBlasFiles.load();
        blas_set_num_threads(1);
    }

    @Override
    public void gemm(
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
            int ldc) {
        threadCount.readLock().lock();
        try {
            if (n == 1) {
                int rows = transA ? k : m;
                int cols = transA ? m : k;
                cblas_dgemv(CblasRowMajor, op(transA), rows, cols, alpha, a, lda, b, transB ? 1 : ldb, beta, c, ldc);
            } else if (n <= MAX_SPLIT_WIDTH && !transB) {
                gemmByPieces(transA, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
            } else {
                cblas_dgemm(CblasRowMajor, op(transA), op(transB), m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
            }
        } finally {
            threadCount.readLock().unlock();
        }
    }

    /** A product in pieces of columns of A, each small enough for DGEMM to work in place. */
    private static void gemmByPieces(
            boolean transA,
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
            int ldc) {
        int cols = transA ? m : k;
        int pieces = (int) ((double) m * n * k / SMALL_GEMM_WORK) + 1;
        int width = Math.max(1, (cols + pieces - 1) / pieces);
        DoubleBuffer left = a.duplicate();
        DoubleBuffer other = (transA ? c : b).duplicate();
        int start = other.position();
        for (int j = 0; j == 0 || j < cols; j += width) {
            int w = Math.min(width, cols - j);
            left.position(a.position() + j);
            other.position(start + j * (transA ? ldc : ldb));
            if (transA) {
                cblas_dgemm(
                        CblasRowMajor, CblasTrans, CblasNoTrans, w, n, k, alpha, left, lda, b, ldb, beta, other, ldc);
            } else {
                double keep = j == 0 ? beta : 1;
                cblas_dgemm(
                        CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, w, alpha, left, lda, other, ldb, keep, c, ldc);
            }
        }
    }

    private static int op(boolean trans) {
        return trans ? CblasTrans : CblasNoTrans;
    }

    @Override
    public void rowSquares(int m, int n, DoubleBuffer a, int lda, double[] squares, int from) {
        DoubleBuffer row = a.duplicate();
        threadCount.readLock().lock();
        try {
            for (int i = 0; i < m; i++) {
                row.position(a.position() + i * lda);
                squares[from + i] = cblas_ddot(n, row, 1, row, 1);
            }
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public void syrk(boolean transA, int n, int k, double alpha, DoubleBuffer a, int lda, DoubleBuffer c, int ldc) {
        threadCount.readLock().lock();
        try {
            cblas_dsyrk(CblasRowMajor, CblasLower, op(transA), n, k, alpha, a, lda, 1, c, ldc);
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public void trsm(int m, int n, DoubleBuffer l, int ldl, DoubleBuffer b, int ldb) {
        threadCount.readLock().lock();
        try {
            cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, m, n, 1, l, ldl, b, ldb);
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public boolean potrf(int n, DoubleBuffer a, int lda) {
        return withThreads(1, n, "DPOTRF", () -> LAPACKE_dpotrf(LAPACK_COL_MAJOR, UPPER, n, a, lda)) == 0;
    }

    @Override
    public void potri(int n, DoubleBuffer l, int ldl, int threads) {
        withThreads(threads, n, "DPOTRI", () -> LAPACKE_dpotri(LAPACK_COL_MAJOR, UPPER, n, l, ldl));
    }

    @Override
    public void trsv(boolean transposed, int n, DoubleBuffer l, int ldl, DoubleBuffer b) {
        threadCount.readLock().lock();
        try {
            cblas_dtrsv(CblasRowMajor, CblasLower, op(transposed), CblasNonUnit, n, l, ldl, b, 1);
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public boolean syev(boolean vectors, int n, DoubleBuffer a, int lda, double[] values, int threads) {
        byte job = (byte) (vectors ? 'V' : 'N');
        DoubleBuffer w = DoubleBuffer.wrap(values);
        return withThreads(threads, n, "DSYEVD", () -> LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, UPPER, n, a, lda, w)) == 0;
    }

    /** Runs a LAPACK routine of order n, on several threads only if no other call runs, and returns its info. */
    private int withThreads(int threads, int n, String routine, IntSupplier call) {
        int useful = Math.min(threads, Runtime.getRuntime().availableProcessors());
        boolean several = useful > 1 && n >= PARALLEL_ORDER;
        Lock lock = several ? threadCount.writeLock() : threadCount.readLock();
        lock.lock();
        try {
            if (several) {
                blas_set_num_threads(useful);
            }
            int info = call.getAsInt();
            if (info <= LAPACKE_NO_MEMORY) {
                throw new OutOfMemoryError(
                        routine
                                + " could not allocate its workspace.\nMaybe the Java heap is so large that it leaves no memory for native code.");
            }
            return info;
        } finally {
            if (several) {
                blas_set_num_threads(1);
            }
            lock.unlock();
        }
    }
}
