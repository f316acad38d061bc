package stackelberg.linalg;

import java.lang.System.Logger.Level;

/**
 * Chooses the kernels by the size of the work alone, so that a result never depends on what happened to be loaded before.
 *
 * <p>Small work runs in plain Java, because loading OpenBLAS takes 0.2 s (0.9 s the first time on a machine): a command that fits a few
 * thousand rows should not pay it. The rest runs in OpenBLAS. Where that does not load, or where the system property {@code
 * stackelberg.blas} is {@code java}, everything runs in plain Java and one log line says why.
 */
final class Provider {
    /** About 2 ms of plain Java; a solver repeats it up to a hundred times, which is then as long as loading takes. */
    private static final long PRODUCT_WORK = 1L << 21;

    /** About 10 ms of plain Java, done once or a few times per problem. */
    private static final long GRAM_WORK = 1L << 23;

    private static final int GRAM_ORDER = 256;

    /** Measured in plain Java: 40 ms at this order, 5 times as long as in OpenBLAS. */
    private static final int EIGEN_ORDER = 256;

    /** Measured in plain Java: 30 ms at this order, 5 times as long as in OpenBLAS. */
    private static final int CHOLESKY_ORDER = 768;

    /** As many flops as a dense one of that order takes. */
    private static final double SPARSE_CHOLESKY_FLOPS = 1.5e8;

    private Provider() {}

    /** Kernels for products of an m x k with a k x n matrix, or for a sequence of blocks of one. */
    static Kernels forProduct(long m, long n, long k) {
        return choose(m * n * k >= PRODUCT_WORK);
    }

    /** Kernels for adding a product of rank k to a symmetric matrix of order n. */
    static Kernels forGram(long n, long k) {
        return choose(n >= GRAM_ORDER || n * n * k >= GRAM_WORK);
    }

    static Kernels forEigen(int n) {
        return choose(n >= EIGEN_ORDER);
    }

    static Kernels forCholesky(int n) {
        return choose(n >= CHOLESKY_ORDER);
    }

    static Kernels forSparseCholesky(double flops) {
        return choose(flops >= SPARSE_CHOLESKY_FLOPS);
    }

    /** Loads what large work will need. */
    static void expectLarge() {
        choose(true);
    }

    private static Kernels choose(boolean large) {
        return large ? ForLarge.KERNELS : JavaKernels.INSTANCE;
    }

    /** Initialised, and OpenBLAS loaded, at the first large piece of work. */
    private static final class ForLarge {
        static final Kernels KERNELS = load();

        private static Kernels load() {
            System.Logger log = System.getLogger(Provider.class.getName());
            if ("java".equals(System.getProperty("stackelberg.blas"))) {
                log.log(Level.INFO, "Linear algebra runs in plain Java, because stackelberg.blas=java asks for it.");
                return JavaKernels.INSTANCE;
            }
            try {
                return new OpenBlasKernels();
            } catch (LinkageError | RuntimeException e) {
                log.log(
                        Level.WARNING,
                        "Linear algebra runs in plain Java, many times slower, because OpenBLAS does not load: " + e);
                return JavaKernels.INSTANCE;
            }
        }
    }
}
