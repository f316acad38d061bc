package stackelberg.linalg;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;

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
        ForLarge.isLoaded();
    }

    private static Kernels choose(boolean large) {
        if (!large) {
            return JavaKernels.INSTANCE;
        }
        ForLarge.tell();
        return ForLarge.KERNELS;
    }

    /** Initialised, and OpenBLAS loaded, at the first large piece of work, or before by who expects it. */
    private static final class ForLarge {
        /** Why there is no OpenBLAS, and how bad that is: told once, by the work that would need it. */
        private static final AtomicReference<Told> UNTOLD = new AtomicReference<>();

        static final Kernels KERNELS = load();

        private record Told(Level level, String text) {}

        private static Kernels load() {
            if ("java".equals(System.getProperty("stackelberg.blas"))) {
                UNTOLD.set(new Told(
                        Level.INFO, "Linear algebra runs in plain Java, because stackelberg.blas=java asks for it."));
                return JavaKernels.INSTANCE;
            }
            try {
                return new OpenBlasKernels();
            } catch (LinkageError | RuntimeException e) {
                UNTOLD.set(new Told(
                        Level.WARNING,
                        "Linear algebra runs in plain Java, many times slower, because OpenBLAS does not load: " + e));
                return JavaKernels.INSTANCE;
            }
        }

        static boolean isLoaded() {
            return KERNELS != JavaKernels.INSTANCE;
        }

        static void tell() {
            // a plain read first: this is asked for every product
            Told told = UNTOLD.get() == null ? null : UNTOLD.getAndSet(null);
            if (told != null) {
                System.getLogger(Provider.class.getName()).log(told.level, told.text);
            }
        }
    }
}
