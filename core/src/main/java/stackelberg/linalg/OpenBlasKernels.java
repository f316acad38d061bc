package stackelberg.linalg;

import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotrf;
import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotri;
import static org.bytedeco.openblas.global.openblas.LAPACKE_dsyevd;
import static org.bytedeco.openblas.global.openblas.LAPACK_COL_MAJOR;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasLower;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dgemm;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dgemv;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dsyrk;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dtrsv;
import static org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads;

import java.nio.DoubleBuffer;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas;

/**
 * The kernels in OpenBLAS, on direct buffers, without a copy.
 *
 * <p>What to know about this build of OpenBLAS:
 *
 * <ul>
 *   <li>Its number of threads is one number for the whole process. It is 1 here, so that calls from several Java threads run side by side and
 *       give the same bits whatever else runs. LAPACK wants all threads: such a call waits until no other call is in flight, keeps others
 *       out, sets the number and puts it back.
 *   <li>A heap buffer is copied at every call, and back. Only short vectors are handed over that way.
 *   <li>LAPACKE transposes row-major matrices into a copy. A symmetric matrix needs none: its lower triangle by rows is the upper triangle
 *       by columns, and L by rows is U = L' by columns.
 *   <li>JavaCPP counts the physical memory of the process, mapped files included, and refuses to work beyond a limit: run with {@code
 *       -Dorg.bytedeco.javacpp.maxBytes=0 -Dorg.bytedeco.javacpp.maxPhysicalBytes=0}; JDK 24 and later also print a warning without {@code
 *       --enable-native-access=ALL-UNNAMED}.
 * </ul>
 */
final class OpenBlasKernels implements Kernels {
    private static final byte UPPER = 'U';

    /** Info of LAPACKE when it cannot allocate; -1011 also. Other negative numbers are an argument, namely the matrix, that has NaN in it. */
    private static final int LAPACKE_NO_MEMORY = -1010;

    /** Shared by calls that run on one thread, held alone while the number of threads is another. */
    private final ReentrantReadWriteLock threadCount = new ReentrantReadWriteLock();

    /** Loads the native library; throws a LinkageError where there is none. */
    OpenBlasKernels() {
        Loader.load(openblas.class);
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
        int opA = transA ? CblasTrans : CblasNoTrans;
        int opB = transB ? CblasTrans : CblasNoTrans;
        threadCount.readLock().lock();
        try {
            if (n == 1) {
                int step = transB ? 1 : ldb;
                cblas_dgemv(CblasRowMajor, opA, transA ? k : m, transA ? m : k, alpha, a, lda, b, step, beta, c, ldc);
            } else {
                cblas_dgemm(CblasRowMajor, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
            }
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public void syrk(boolean transA, int n, int k, DoubleBuffer a, int lda, DoubleBuffer c, int ldc) {
        threadCount.readLock().lock();
        try {
            cblas_dsyrk(CblasRowMajor, CblasLower, transA ? CblasTrans : CblasNoTrans, n, k, 1, a, lda, 1, c, ldc);
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public boolean potrf(int n, DoubleBuffer a, int lda, int threads) {
        return withThreads(threads, "DPOTRF", () -> LAPACKE_dpotrf(LAPACK_COL_MAJOR, UPPER, n, a, lda)) == 0;
    }

    @Override
    public void potri(int n, DoubleBuffer l, int ldl, int threads) {
        withThreads(threads, "DPOTRI", () -> LAPACKE_dpotri(LAPACK_COL_MAJOR, UPPER, n, l, ldl));
    }

    @Override
    public void trsv(boolean transposed, int n, DoubleBuffer l, int ldl, double[] b) {
        threadCount.readLock().lock();
        try {
            int op = transposed ? CblasTrans : CblasNoTrans;
            cblas_dtrsv(CblasRowMajor, CblasLower, op, CblasNonUnit, n, l, ldl, DoubleBuffer.wrap(b), 1);
        } finally {
            threadCount.readLock().unlock();
        }
    }

    @Override
    public boolean syev(boolean vectors, int n, DoubleBuffer a, int lda, double[] values, int threads) {
        byte job = (byte) (vectors ? 'V' : 'N');
        DoubleBuffer w = DoubleBuffer.wrap(values);
        return withThreads(threads, "DSYEVD", () -> LAPACKE_dsyevd(LAPACK_COL_MAJOR, job, UPPER, n, a, lda, w)) == 0;
    }

    /** Runs a LAPACK routine on so many threads, alone, and returns its info. */
    private int withThreads(int threads, String routine, IntSupplier call) {
        threadCount.writeLock().lock();
        try {
            blas_set_num_threads(threads);
            int info = call.getAsInt();
            if (info <= LAPACKE_NO_MEMORY) {
                throw new OutOfMemoryError(
                        routine
                                + " found no memory for its workspace.\nMaybe the Java heap is set so large that nothing is left for it.");
            }
            return info;
        } finally {
            blas_set_num_threads(1);
            threadCount.writeLock().unlock();
        }
    }
}
