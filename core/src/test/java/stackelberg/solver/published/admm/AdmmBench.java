package stackelberg.solver.published.admm;

import static org.bytedeco.openblas.global.openblas.LAPACKE_dpotrf;
import static org.bytedeco.openblas.global.openblas.LAPACK_COL_MAJOR;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasLower;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasNonUnit;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas_nolapack.CblasTrans;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dsyrk;
import static org.bytedeco.openblas.global.openblas_nolapack.cblas_dtrsv;
import static org.bytedeco.openblas.presets.openblas_nolapack.blas_set_num_threads;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import stackelberg.RealFamilies;
import stackelberg.RealGame;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/**
 * What CD-ADMM costs beside the bare kernels it consists of, and sparse games beside dense ones: ratios of one run, best of three. Not a test.
 *
 * <p>Run with: dense, sparse, or both; on a quiet machine. Run with: counts; on any, for iterations and factorisations on the real games.
 */
public final class AdmmBench {
    private static final int REPEATS = 3;
    private static final Workers ALL = Workers.available();

    private AdmmBench() {}

    public static void main(String[] arguments) {
        var wanted = Arrays.asList(arguments);
        if (wanted.isEmpty() || wanted.contains("dense")) {
            dense(8000, 4000);
        }
        if (wanted.isEmpty() || wanted.contains("sparse")) {
            sparse(15_000, 30_000, 1e-4);
            sparse(30_000, 30_000, 1e-4);
        }
        if (wanted.contains("counts")) {
            counts();
        }
        System.exit(0);
    }

    /** Iterations/factorisations at gamma 1e-3 to 10, from the Lanczos point, from the published start, and without Lanczos. */
    private static void counts() {
        for (RealGame game : RealGame.all()) {
            StringBuilder line = new StringBuilder(String.format("%-16s", game.name()));
            for (int way = 0; way < 3; way++) {
                for (double gamma : new double[] {1e-3, 1e-2, 0.1, 1, 10}) {
                    SphereProblem problem = RealFamilies.named(game.name()).at(gamma);
                    double[] s0 = new double[problem.dimension()];
                    Arrays.fill(s0, 1 / Math.sqrt(problem.dimension()));
                    AdmmSolver.Options options = AdmmSolver.Options.DEFAULT;
                    options = way == 0 ? options : way == 1 ? options.withStart(s0) : options.withLanczosSteps(0);
                    var result = AdmmSolver.cholesky(options, ALL)
                            .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
                    boolean certified = Certificate.of(problem, result.r()).certified(1e-9);
                    line.append(String.format(
                            " %d/%d%s",
                            result.effort().iterations(), result.effort().factorisations(), certified ? "" : "!"));
                }
                line.append(way < 2 ? "  |" : "");
            }
            System.out.println(line);
        }
    }

    private static void dense(int m, int n) {
        Random random = new Random(1);
        DoubleBuffer raw = direct(m * n);
        DenseMatrix x = DenseMatrix.zeros(m, n);
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            double[] row = random.doubles(n).map(u -> u - 0.5).toArray();
            x.setRow(i, row);
            raw.put(i * n, row);
            y[i] = row[0] + random.nextGaussian();
            z[i] = Math.max(y[i], -0.5);
        }
        SphereProblem problem = problem(PredictionGame.of(x, y, z, 1));
        int d = n + 1;

        DoubleBuffer gram = direct(n * n);
        double[] syrk = new double[REPEATS];
        double[] potrf = new double[REPEATS];
        double[] setUp = new double[REPEATS];
        double[] trsv = new double[REPEATS];
        double[] iteration = new double[REPEATS];
        for (int k = 0; k < REPEATS; k++) {
            blas_set_num_threads(ALL.threads());
            syrk[k] = seconds(() -> cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, n, m, 1, raw, n, 0, gram, n));
            for (int i = 0; i < n; i++) {
                gram.put(i * n + i, gram.get(i * n + i) + 1);
            }
            potrf[k] = seconds(() -> LAPACKE_dpotrf(LAPACK_COL_MAJOR, (byte) 'U', n, gram, n));
            blas_set_num_threads(1);

            ShiftedSolve[] solve = new ShiftedSolve[1];
            setUp[k] = seconds(
                    () -> solve[0] = Systems.of(problem, false, ALL).factor(1).orElseThrow());

            DoubleBuffer right = direct(n);
            double[] s0 = new double[d];
            Arrays.fill(s0, 1 / Math.sqrt(d));
            AdmmState state = new AdmmState(problem.g(), problem.p(), s0, new double[d], false);
            state.use(1, 0, solve[0]);
            PaperPolicy policy = new PaperPolicy(1e-12);
            trsv[k] = seconds(() -> {
                        for (int t = 0; t < 20; t++) {
                            cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, n, gram, n, right, 1);
                            cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, n, gram, n, right, 1);
                        }
                    })
                    / 20;
            iteration[k] = seconds(() -> {
                        for (int t = 0; t < 20; t++) {
                            state.updateR();
                            policy.extrapolate(state);
                            state.project();
                            state.updateDual();
                            policy.review(state, state.measure());
                        }
                    })
                    / 20;
        }
        System.out.printf(
                "dense n = %d, m = %d: DSYRK %.3f s + DPOTRF %.3f s, set-up %.3f s: ratio %.2f%n",
                n, m, best(syrk), best(potrf), best(setUp), best(setUp) / (best(syrk) + best(potrf)));
        System.out.printf(
                "  two DTRSV %.2f ms, an iteration %.2f ms: ratio %.2f%n",
                1e3 * best(trsv), 1e3 * best(iteration), best(iteration) / best(trsv));
        solve(problem);
    }

    /** The paper's sparse synthetic game: y = Xw + 0.5 noise, z = max(y, first quartile), a column of ones that people can move. */
    private static void sparse(int m, int n, double density) {
        Random random = new Random(2);
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] w = random.doubles(n).map(u -> random.nextGaussian()).toArray();
        double[] y = new double[m];
        for (int i = 0; i < m; i++) {
            int row = i;
            int count = poisson(random, density * n);
            random.ints(count, 0, n).sorted().distinct().forEach(j -> {
                double value = random.nextGaussian();
                y[row] += value * w[j];
                builder.put(j, value);
            });
            builder.endRow();
            y[i] += 0.5 * random.nextGaussian();
        }
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        double quartile = sorted[m / 4];
        double[] z = Arrays.stream(y).map(v -> Math.max(v, quartile)).toArray();
        Matrix x = new AffineMatrix(builder.build(n), null, null, true);
        SphereProblem problem = problem(PredictionGame.of(x, y, z, 0.1));

        double[] analysis = new double[REPEATS];
        double[] factor = new double[REPEATS];
        double[] iteration = new double[REPEATS];
        for (int k = 0; k < REPEATS; k++) {
            ShiftedSystem[] system = new ShiftedSystem[1];
            ShiftedSolve[] solve = new ShiftedSolve[1];
            analysis[k] = seconds(() -> system[0] = Systems.of(problem, false, ALL));
            factor[k] = seconds(() -> solve[0] = system[0].factor(1).orElseThrow());
            iteration[k] = seconds(() -> solve[0].solve(problem.g()));
        }
        System.out.printf(
                "sparse n = %d, m = %d, density %.0e: analysis %.3f s, factorisation %.3f s, a solve %.1f ms%n",
                n, m, density, best(analysis), best(factor), 1e3 * best(iteration));
        solve(problem);
        int order = Math.min(Math.min(m, n), 16_000);
        DenseMatrix identity = DenseMatrix.zeros(order, order);
        double dense = seconds(() -> Cholesky.overwriting(identity, 1, ALL));
        double scaled = dense * Math.pow(Math.min(m, n) / (double) order, 3);
        System.out.printf(
                "  dense DPOTRF of order %d: %.2f s (measured at order %d, scaled by the cube): %.1f times the sparse one%n",
                Math.min(m, n), scaled, order, scaled / (best(analysis) + best(factor)));
    }

    private static void solve(SphereProblem problem) {
        long start = System.nanoTime();
        var result = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT, ALL)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        double seconds = (System.nanoTime() - start) * 1e-9;
        Certificate proof = Certificate.of(problem, result.r());
        System.out.printf(
                "  default mode: %.2f s, %d iterations, %d factorisations, relative gap %.1e, %s%n",
                seconds,
                result.effort().iterations(),
                result.effort().factorisations(),
                proof.relativeGap(),
                result.note());
    }

    private static SphereProblem problem(PredictionGame game) {
        return Reduction.of(game, ALL).family().at(game.gamma());
    }

    private static int poisson(Random random, double mean) {
        double limit = Math.exp(-mean);
        double product = random.nextDouble();
        int count = 0;
        while (product > limit) {
            count++;
            product *= random.nextDouble();
        }
        return count;
    }

    private static DoubleBuffer direct(int doubles) {
        return ByteBuffer.allocateDirect(8 * doubles)
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
    }

    private static double seconds(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) * 1e-9;
    }

    private static double best(double[] times) {
        return Arrays.stream(times).min().orElseThrow();
    }
}
