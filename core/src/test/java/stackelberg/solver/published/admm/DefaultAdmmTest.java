package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.LongRun;
import stackelberg.RealFamilies;
import stackelberg.RealGame;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.KnownProblem;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** Default mode: every answer is proven by the certificate, or the result says that it is not. */
class DefaultAdmmTest {
    private static final Workers ONE = Workers.of(1);
    private static final AdmmSolver SOLVER = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT, ONE);

    static List<RealGame> realGames() {
        return RealGame.all();
    }

    static List<KnownProblem> knownProblems() {
        return KnownProblem.all();
    }

    @Test
    void findsTheGlobalMinimumOfTheCounterexampleFromAnyStart() {
        SphereProblem problem = PlainAdmmTest.counterexample();
        for (int k = 0; k < 64; k++) {
            double angle = 2 * Math.PI * k / 64;
            double[] start = {Math.cos(angle), Math.sin(angle)};
            var result = solve(problem, AdmmSolver.Options.DEFAULT.withStart(start));
            Certificate proof = Certificate.of(problem, result.r());
            assertThat(proof.certified(1e-9)).as("start " + k + ": " + proof).isTrue();
            assertThat(proof.objective()).isCloseTo(0.164688594760854, within(1e-9));
            assertThat(result.r()[0]).isCloseTo(0.62231463, within(1e-4));
            assertThat(result.r()[1]).isCloseTo(-0.78276721, within(1e-4));
        }
    }

    @ParameterizedTest
    @MethodSource("realGames")
    @Tag("slow")
    void certifiesTheRealGamesInFewIterationsAndFactorisations(RealGame game) {
        SphereFamily family = RealFamilies.named(game.name());
        for (double gamma : new double[] {1e-3, 1e-2, 0.1, 1, 10}) {
            SphereProblem problem = family.at(gamma);
            var result = solve(problem, AdmmSolver.Options.DEFAULT);
            Certificate proof = Certificate.of(problem, result.r());
            String what = game + " at gamma " + gamma + ": " + result.effort() + ", " + proof;
            assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.relativeGap()).as(what).isLessThan(1e-9);
            assertThat(result.effort().iterations()).as(what).isLessThanOrEqualTo(60);
            assertThat(result.effort().factorisations()).as(what).isLessThanOrEqualTo(4);
        }
    }

    /** The eight Lanczos steps nearly solve the small ones among them, so the iteration also has to do it from the paper's start. */
    @ParameterizedTest
    @MethodSource("realGames")
    void certifiesTheRealGamesFromThePublishedStart(RealGame game) {
        SphereFamily family = RealFamilies.named(game.name());
        for (double gamma : new double[] {1e-3, 0.1, 10}) {
            SphereProblem problem = family.at(gamma);
            var result = solve(problem, AdmmSolver.Options.DEFAULT.withStart(ones(problem.dimension())));
            Certificate proof = Certificate.of(problem, result.r());
            String what = game + " at gamma " + gamma + ": " + result.effort() + ", " + proof;
            assertThat(proof.relativeGap()).as(what).isLessThan(1e-9);
            assertThat(result.effort().iterations()).as(what).isBetween(10, 60);
            assertThat(result.effort().factorisations()).as(what).isLessThanOrEqualTo(4);
        }
    }

    /** 10,000 in a long run, -Dstackelberg.long=10000. */
    @Test
    void certifiesThousandsOfSmallGames() {
        certifySmallGames((int) LongRun.tries(3_000), AdmmSolver.Options.DEFAULT);
    }

    /** Without the Lanczos start, which solves games of this size nearly alone: the paper's start, a rho from nothing, and many escapes. */
    @Test
    void certifiesSmallGamesFromThePublishedStartToo() {
        certifySmallGames((int) LongRun.tries(2_000), AdmmSolver.Options.DEFAULT.withLanczosSteps(0));
    }

    private static void certifySmallGames(int count, AdmmSolver.Options options) {
        Random random = new Random(32_001);
        int negative = 0;
        int wide = 0;
        for (int trial = 0; trial < count; trial++) {
            PredictionGame game = smallGame(random, trial);
            SphereProblem problem = Reduction.of(game, ONE).family().at(game.gamma());
            var result = solve(problem, options);
            Certificate proof = Certificate.of(problem, result.r());
            String what = "trial " + trial + ": " + problem + ", " + result.note() + ", " + proof;
            assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.relativeGap()).as(what).isLessThanOrEqualTo(1e-9);
            negative += proof.multiplier() < 0 ? 1 : 0;
            wide += game.x().rows() < game.x().cols() + 1 ? 1 : 0;
        }
        assertThat(negative).isBetween(count / 6, count / 2);
        assertThat(wide).isGreaterThan(count / 20);
    }

    /** d = 2..8; features and labels over four and six orders of magnitude, gamma over twenty, wishes near the labels or anywhere. */
    private static PredictionGame smallGame(Random random, int trial) {
        int n = 1 + random.nextInt(7);
        int m = (random.nextBoolean() ? n + 1 : 2) + random.nextInt(20);
        double featureScale = Math.pow(10, -2 + 4 * random.nextDouble());
        double labelScale = Math.pow(10, -3 + 6 * random.nextDouble());
        double gamma = Math.pow(labelScale / featureScale * Math.pow(10, -2 + 4 * random.nextDouble()), 2);
        double signal = Math.pow(10, -2 + 4 * random.nextDouble());
        double[] w = gaussian(random, n);
        double[][] x = new double[m][];
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            x[i] = gaussian(random, n);
            for (int j = 0; j < n; j++) {
                y[i] += labelScale * signal * w[j] * x[i][j];
                x[i][j] *= featureScale;
            }
            y[i] += labelScale * random.nextGaussian();
            z[i] = trial % 3 == 0
                    ? labelScale * signal * random.nextGaussian()
                    : y[i] + labelScale * Math.abs(random.nextGaussian());
        }
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
        return trial % 2 == 0 ? game.withIntercept() : game;
    }

    @ParameterizedTest
    @MethodSource("knownProblems")
    void findsTheKnownMinimum(KnownProblem known) {
        SphereProblem problem = known.problem();
        Certificate proof = Certificate.of(
                problem, solve(problem, AdmmSolver.Options.DEFAULT).r());
        double scale = Math.abs(known.minimum());
        assertThat(proof.proof()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.gapBound()).isLessThan(1.01e-9 * scale);
        assertThat(proof.objective()).isCloseTo(known.minimum(), within(1.1e-9 * scale));
    }

    @ParameterizedTest
    @EnumSource
    void certifiesPlantedGames(PlantedGame.Case kind) {
        Random random = new Random(32_002 + kind.ordinal());
        double[] conditions = {1, 1e2, 1e4, 1e6};
        for (int trial = 0; trial < 60; trial++) {
            int n = 1 + random.nextInt(30);
            int m = n + 2 + random.nextInt(30);
            double gamma = Math.pow(10, -4 + 8 * random.nextDouble());
            PlantedGame planted =
                    PlantedGame.of(random, m, n, conditions[trial % 4], gamma, kind, 0.1 + random.nextDouble());
            SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(gamma);
            Certificate proof = Certificate.of(
                    problem, solve(problem, AdmmSolver.Options.DEFAULT).r());
            String what = kind + " trial " + trial + ", condition " + conditions[trial % 4] + ": " + proof;
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.relativeGap()).as(what).isLessThanOrEqualTo(1e-9);
            assertThat(proof.objective()).as(what).isCloseTo(planted.objective(), within(2e-9 * planted.objective()));
        }
    }

    /** Sparse and wide games of a few hundred features, where the direct solver is the referee. */
    @Test
    void agreesWithTheDirectSolverOnSparseAndWideGames() {
        Random random = new Random(32_010);
        for (int trial = 0; trial < 24; trial++) {
            int n = 200;
            int m = trial % 2 == 0 ? 120 : 400;
            Matrix x = trial % 4 < 2 ? sparse(random, m, n) : dense(random, m, n);
            double[] y = gaussian(random, m);
            double[] z =
                    IntStream.range(0, m).mapToDouble(i -> Math.max(y[i], -0.5)).toArray();
            double gamma = Math.pow(10, -2 + 4 * random.nextDouble());
            PredictionGame game = PredictionGame.of(x, y, z, gamma);
            game = trial % 3 == 0 ? game.withIntercept() : game;
            SphereProblem problem = Reduction.of(game, ONE).family().at(gamma);
            var result = solve(problem, AdmmSolver.Options.DEFAULT);
            Certificate proof = Certificate.of(problem, result.r());
            double[] referee = new DirectSolver(ONE)
                    .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            String what = "trial " + trial + ", gamma " + gamma + ", " + result.effort() + ": " + proof;
            double best = problem.evaluate(referee).objective();
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.relativeGap()).as(what).isLessThanOrEqualTo(1e-9);
            assertThat(proof.objective()).as(what).isCloseTo(best, within(1e-9 * best + 1e-18 * problem.p()));
        }
    }

    @Test
    void bothAlgorithmsAgree() {
        SphereProblem problem = RealFamilies.named("building modest").at(10);
        var inverse = AdmmSolver.explicitInverse(AdmmSolver.Options.DEFAULT, ONE)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        double f = problem.evaluate(inverse.r()).objective();
        assertThat(f)
                .isCloseTo(
                        problem.evaluate(solve(problem, AdmmSolver.Options.DEFAULT)
                                        .r())
                                .objective(),
                        within(1e-9 * f));
    }

    @Test
    void reportsWhenNothingIsCertifiedWithinTheIterationLimit() {
        SphereProblem problem = RealFamilies.named("building modest").at(10);
        var result = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT.withStart(ones(problem.dimension())), ONE)
                .solve(problem, SolverOptions.DEFAULT.withMaxIterations(3), ProgressListener.NONE);
        assertThat(result.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        assertThat(result.note()).contains("not certified");
        assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isFalse();
    }

    /** It used to say that no point was close enough to ask, and nothing about the one that was returned. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 6})
    void anInterruptedRunReportsTheGapOfItsPoint(int iterations) {
        SphereProblem problem = RealFamilies.named("building modest").at(10);
        AdmmSolver solver = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT.withStart(ones(problem.dimension())), ONE);
        var limited = solver.solve(problem, SolverOptions.DEFAULT.withMaxIterations(iterations), ProgressListener.NONE);
        var stopped = solver.solve(
                problem,
                SolverOptions.DEFAULT,
                progress -> progress.iteration() < iterations
                        ? ProgressListener.Decision.CONTINUE
                        : ProgressListener.Decision.STOP);

        assertThat(limited.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        assertThat(stopped.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(stopped.r()).isEqualTo(limited.r());
        Certificate proof = Certificate.of(problem, limited.r());
        for (SphereResult result : List.of(limited, stopped)) {
            assertThat(result.note()).isEqualTo("not certified: the relative gap bound is " + proof.relativeGap());
        }
    }

    /** The Lanczos steps solve wine nearly alone, and the iteration is told to start elsewhere. */
    @Test
    void anInterruptedRunThatHasFoundTheOptimumIsCertified() {
        SphereProblem problem = RealFamilies.named("wine modest").at(0.1);
        AdmmSolver.Options options = AdmmSolver.Options.DEFAULT
                .withLanczosSteps(13)
                .withStart(ones(problem.dimension()))
                .withDualStart(new double[problem.dimension()]);
        var result = AdmmSolver.cholesky(options, ONE)
                .solve(problem, SolverOptions.DEFAULT, progress -> ProgressListener.Decision.STOP);
        assertThat(result.effort().iterations()).isEqualTo(1);
        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isTrue();
    }

    /** The hard case cut off: r alone is inside the ball, and r/||r|| far above what its completion reaches. */
    @Test
    void anInterruptedRunInsideTheBallIsCompleted() {
        double[][] h = {{1, 0, 0}, {0, 3, 0}, {0, 0, 7}};
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.of(h), new double[] {0, 0.5, -1}, 2);
        AdmmSolver.Options options = AdmmSolver.Options.DEFAULT
                .withPenalty(AdmmSolver.Penalty.fixed(10))
                .withMemory(0)
                .withLanczosSteps(0)
                .withStart(new double[] {0, 0.6, 0.8});
        var result = AdmmSolver.cholesky(options, ONE)
                .solve(problem, SolverOptions.DEFAULT.withMaxIterations(12), ProgressListener.NONE);
        assertThat(result.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        double minimum = 3 - 0.25 / 2 - 1.0 / 6;
        assertThat(problem.evaluate(result.r()).objective()).isCloseTo(minimum, within(0.01));
    }

    /** Newton's method searched for the pole by halving, 16 to 37 factorisations, where the shift says where it is. */
    @ParameterizedTest
    @EnumSource(names = {"NEGATIVE", "NEARLY_HARD", "HARD"})
    @Tag("slow")
    void aHardCaseTakesFewFactorisations(PlantedGame.Case kind) {
        for (double condition : new double[] {1e4, 1e6}) {
            for (int n : new int[] {20, 450}) {
                PlantedGame planted = PlantedGame.of(new Random(5), n + 20, n, condition, 1, kind, 0.3);
                SphereProblem problem =
                        Reduction.of(planted.game(), ONE).family().at(1);
                var result = solve(problem, AdmmSolver.Options.DEFAULT.withLanczosSteps(0));
                String what =
                        kind + ", condition " + condition + ", n " + n + ": " + result.effort() + " " + result.note();
                assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
                assertThat(result.effort().factorisations()).as(what).isLessThanOrEqualTo(13);
            }
        }
    }

    /** The problem itself counts: every product with H but those of forming the matrix and of the certificate. */
    @Test
    void passesForTheShiftAreCounted() {
        PlantedGame planted = PlantedGame.of(new Random(5), 470, 450, 1e2, 1, PlantedGame.Case.NEGATIVE, 0.3);
        SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(1);
        int[] count = new int[1];
        SphereProblem counting = (SphereProblem) Proxy.newProxyInstance(
                SphereProblem.class.getClassLoader(),
                new Class<?>[] {SphereProblem.class},
                (proxy, method, arguments) -> {
                    boolean reads = List.of("hessianTimes", "evaluate").contains(method.getName());
                    count[0] += reads && !isOfTheCertificate() ? 1 : 0;
                    return method.invoke(problem, arguments);
                });
        var result = solve(counting, AdmmSolver.Options.DEFAULT);
        assertThat(result.note()).contains("H shifted");
        assertThat(count[0]).isGreaterThan(20);
        assertThat(result.effort().passes()).isEqualTo(count[0]);
    }

    private static boolean isOfTheCertificate() {
        String certificates = Certificate.class.getPackageName();
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(certificates)));
    }

    private static SphereResult solve(SphereProblem problem, AdmmSolver.Options options) {
        return (options == AdmmSolver.Options.DEFAULT ? SOLVER : AdmmSolver.cholesky(options, ONE))
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    private static double[] ones(int d) {
        double[] s = new double[d];
        Arrays.fill(s, 1 / Math.sqrt(d));
        return s;
    }

    private static Matrix sparse(Random random, int m, int n) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < m; i++) {
            random.ints(3, 0, n).sorted().distinct().forEach(j -> builder.put(j, random.nextGaussian()));
            builder.endRow();
        }
        return builder.build(n);
    }

    private static Matrix dense(Random random, int m, int n) {
        return DenseMatrix.of(
                IntStream.range(0, m).mapToObj(i -> gaussian(random, n)).toArray(double[][]::new));
    }

    private static double[] gaussian(Random random, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> random.nextGaussian())
                .toArray();
    }
}
