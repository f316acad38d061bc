package stackelberg.bench;

import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotrf;
import static org.bytedeco.openblas.global.openblas.LAPACK_COL_MAJOR;
import static org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Locale;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.SparseCholesky;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * What CD-ADMM's set-up of a sparse synthetic game takes beside a bare DPOTRF with as many flops on as many threads, in turns. Not a test.
 *
 * <p>Beside a clock's ratio stands that of processor seconds, which others on the machine change less; with one thread it is as good, with more
 * DPOTRF's threads count while they wait.
 *
 * <p>Arguments: m, n, density, threads, repeats; without any, 75000 25000 1e-4 2 3. Where the matrix is factored as a dense one (density 1e-2),
 * give 0 repeats: the game is then solved once and certified, and nothing is compared.
 */
public final class SetUpBench {
    /** The largest order whose square is one buffer. */
    private static final int LARGEST = 16_383;

    private SetUpBench() {}

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT);
        String[] given = arguments.length > 0 ? arguments : "75000 25000 1e-4 2 3".split(" ");
        int m = Integer.parseInt(given[0]);
        int n = Integer.parseInt(given[1]);
        double density = Double.parseDouble(given[2]);
        Workers workers = Workers.of(Integer.parseInt(given[3]));
        int repeats = Integer.parseInt(given[4]);
        PredictionGame game = SyntheticGame.sparse(m, n, density, 0.1, 1);
        SphereProblem problem = Reduction.of(game, workers).family().at(game.gamma());
        if (repeats > 0) {
            compare(problem, workers, repeats);
        }
        solve(problem, workers);
        System.exit(0);
    }

    private static void compare(SphereProblem problem, Workers workers, int repeats) {
        SphereFamily.Sparse sparse = problem.family().sparse().orElseThrow();
        var core = sparse.core();
        var gram = (core.rows() < core.cols() ? core.transpose() : core).gram();
        SparseCholesky.Symbolic symbolic = SparseCholesky.Symbolic.of(gram);
        int order = (int) Math.min(LARGEST, Math.cbrt(3 * symbolic.flops()));
        System.out.printf(
                "order %d, %d nonzeros; factor %.1f million entries, largest panel %d columns, %.4g flops; DPOTRF of order %d%n",
                gram.rows(), gram.nonzeros(), symbolic.bytes() / 8e6, symbolic.denseOrder(), symbolic.flops(), order);
        // where a DPOTRF of so many flops is not in one buffer, a smaller one is taken as many times as long
        double more = 3 * symbolic.flops() / Math.pow(order, 3);
        symbolic = null;
        DoubleBuffer square = ByteBuffer.allocateDirect(Math.toIntExact(8L * order * order))
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
        double[] ratios = new double[repeats];
        for (int k = 0; k < repeats; k++) {
            double[] cpu = new double[3];
            fill(square, order);
            cpu[0] = processorSeconds();
            double bare = more * potrf(square, order, workers.threads());
            cpu[1] = processorSeconds();
            SphereResult one = AdmmSolver.cholesky(AdmmSolver.Options.plain(1), workers)
                    .solve(problem, SolverOptions.DEFAULT.withMaxIterations(1), ProgressListener.NONE);
            cpu[2] = processorSeconds();
            double setUp = one.effort().factorSeconds();
            ratios[k] = setUp / bare;
            System.out.printf(
                    "set-up %.2f s, DPOTRF %.2f s, ratio %.2f; processor %.2f s and %.2f s, ratio %.2f%n",
                    setUp, bare, ratios[k], cpu[2] - cpu[1], cpu[1] - cpu[0], (cpu[2] - cpu[1]) / (cpu[1] - cpu[0]));
        }
        Arrays.sort(ratios);
        System.out.printf(
                "median ratio %.2f, from %.2f to %.2f%n", ratios[repeats / 2], ratios[0], ratios[repeats - 1]);
    }

    private static double processorSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() * 1e-9;
    }

    private static void fill(DoubleBuffer square, int order) {
        double[] row = new double[order];
        for (int i = 0; i < order; i++) {
            for (int j = 0; j <= i; j++) {
                row[j] = 1.0 / (1 + (i - j) % 1000);
            }
            row[i] = order;
            square.put(i * order, row, 0, i + 1);
        }
    }

    /** Seconds that DPOTRF of this order takes. */
    private static double potrf(DoubleBuffer square, int order, int threads) {
        blas_set_num_threads(threads);
        long start = System.nanoTime();
        int info = LAPACKE_dpotrf(LAPACK_COL_MAJOR, (byte) 'U', order, square, order);
        double seconds = (System.nanoTime() - start) * 1e-9;
        blas_set_num_threads(1);
        if (info != 0) {
            throw new ArithmeticException("DPOTRF says " + info);
        }
        return seconds;
    }

    private static void solve(SphereProblem problem, Workers workers) {
        long start = System.nanoTime();
        SphereResult result = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT, workers)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        double seconds = (System.nanoTime() - start) * 1e-9;
        Certificate proof = Certificate.of(problem, result.r());
        System.out.printf(
                "cd-admm: %.1f s, %d iterations, %d factorisations in %.1f s, relative gap %.1e, %s%n",
                seconds,
                result.effort().iterations(),
                result.effort().factorisations(),
                result.effort().factorSeconds(),
                proof.relativeGap(),
                proof.proof());
    }
}
