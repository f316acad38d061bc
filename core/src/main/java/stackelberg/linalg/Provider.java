package stackelberg.linalg;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Chooses between plain Java and OpenBLAS by the size of the work alone, so that a result never depends on what was
 * loaded before.
 *
 * <p>Small work runs in plain Java, because loading OpenBLAS takes 0.2 s (0.9 s the first time on a machine), which a
 * command that fits a few thousand rows should not pay. Larger work runs in OpenBLAS. If OpenBLAS cannot be loaded, or
 * the system property {@code stackelberg.blas} is {@code java}, all work runs in plain Java, and one line in the log
 * says why.
 */
final class Provider {
    /**
     * The multiplications from which a product runs in OpenBLAS: 2 ms in plain Java, up to a hundred times per solve,
     * is what loading takes.
     */
    private static final long PRODUCT_WORK = 1L << 21;

    /**
     * The multiplications from which a Gram matrix is formed in OpenBLAS: 10 ms in plain Java, once or a few times per
     * problem.
     */
    private static final long GRAM_WORK = 1L << 23;

    /** The order from which a Gram matrix is formed in OpenBLAS, however few rows are added. */
    private static final int GRAM_ORDER = 256;

    /**
     * The order from which eigenvalues are computed in OpenBLAS: plain Java takes 40 ms there, 5 times as long
     * (measured).
     */
    private static final int EIGEN_ORDER = 256;

    /**
     * The order from which a matrix is factored in OpenBLAS: plain Java takes 30 ms there, 5 times as long (measured).
     */
    private static final int CHOLESKY_ORDER = 768;

    /**
     * The size from which a sparse matrix is factored in OpenBLAS, in floating-point operations: n^3/3 for a dense
     * matrix of the order above.
     */
    private static final double SPARSE_CHOLESKY_FLOPS = 1.5e8;

    private Provider() {}

    /** Kernels for products of an m x k with a k x n matrix, or for a sequence of blocks of such a product. */
    static Kernels forProduct(long m, long n, long k) {
        return choose(m * n * k >= PRODUCT_WORK);
    }

    /** Kernels for adding a product of rank k to a symmetric matrix of order n. */
    static Kernels forGram(long n, long k) {
        return choose(n >= GRAM_ORDER || n * n * k >= GRAM_WORK);
    }

    /** Kernels for the eigenvalues of a matrix of order n. */
    static Kernels forEigen(int n) {
        return choose(n >= EIGEN_ORDER);
    }

    /** Kernels for a Cholesky factorisation of order n. */
    static Kernels forCholesky(int n) {
        return choose(n >= CHOLESKY_ORDER);
    }

    /** Kernels for a sparse Cholesky factorisation with this number of floating-point operations. */
    static Kernels forSparseCholesky(double flops) {
        return choose(flops >= SPARSE_CHOLESKY_FLOPS);
    }

    /** Loads OpenBLAS now, before the first large piece of work needs it. */
    static void expectLarge() {
        ForLarge.isLoaded();
    }

    private static Kernels choose(boolean large) {
        if (!large) {
            return JavaKernels.INSTANCE;
        }
        ForLarge.logOnce();
        return ForLarge.KERNELS;
    }

    /** Holds the kernels for large work. Java initialises this class, and so loads OpenBLAS, when it is first used. */
    private static final class ForLarge {
        /**
         * The reason why OpenBLAS is not used, until the first work that would need it has logged it; absent if OpenBLAS
         * is used.
         */
        private static final AtomicReference<@Nullable Notice> NOTICE = new AtomicReference<>();

        static final Kernels KERNELS = load();

        private record Notice(Level level, String text) {}

        private static Kernels load() {
            if ("java".equals(System.getProperty("stackelberg.blas"))) {
                NOTICE.set(new Notice(
                        Level.INFO, "Linear algebra runs in plain Java, because stackelberg.blas=java asks for it."));
                return JavaKernels.INSTANCE;
            }
            try {
                return new OpenBlasKernels();
            } catch (LinkageError | RuntimeException e) {
                NOTICE.set(new Notice(
                        Level.WARNING,
                        "Linear algebra runs in plain Java, many times slower, because OpenBLAS does not load: " + e));
                return JavaKernels.INSTANCE;
            }
        }

        static boolean isLoaded() {
            return KERNELS != JavaKernels.INSTANCE;
        }

        static void logOnce() {
            // A plain read first, because this is called for every product.
            Notice notice = NOTICE.get() == null ? null : NOTICE.getAndSet(null);
            if (notice != null) {
                System.getLogger(Provider.class.getName()).log(notice.level, notice.text);
            }
        }
    }
}
