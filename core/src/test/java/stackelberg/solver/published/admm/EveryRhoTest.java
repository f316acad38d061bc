package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The theorem of docs/theory.md (ADMM): over the ball, with a proven shift, ADMM ends at the global minimum for every rho and from every start. */
class EveryRhoTest {
    private static final Workers ONE = Workers.of(1);
    private static final int LIMIT = 1_000_000;
    private static final AdmmSolver.Options BARE =
            AdmmSolver.Options.DEFAULT.withMemory(0).withLanczosSteps(0);

    private static final Pattern RANGE =
            Pattern.compile("^rho is (\\S+); on this problem it should lie between (\\S+) and (\\S+)\\. ");

    /** Where the published algorithm stops above the minimum, or never. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 1, 10, 100})
    void theCounterexampleIsSolvedForEveryRho(double rho) {
        SphereProblem problem = PlainAdmmTest.counterexample();
        double[] start = {Math.sqrt(0.5), Math.sqrt(0.5)};
        AdmmSolver.Options options =
                BARE.withPenalty(AdmmSolver.Penalty.fixed(rho)).withStart(start).withDualStart(new double[2]);
        var result = AdmmSolver.cholesky(options, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);

        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
        Certificate proof = Certificate.of(problem, result.r());
        assertThat(proof.certified(1e-9)).as(proof.toString()).isTrue();
        assertThat(proof.objective()).isCloseTo(0.164688594760854, within(1e-9));
        assertThat(result.note()).contains("H shifted by -1.2215");
    }

    @Test
    void aSecondSolveStartsFromTheGivenPointAgain() {
        SphereProblem problem = PlainAdmmTest.counterexample();
        AdmmSolver.Options options = BARE.withPenalty(AdmmSolver.Penalty.fixed(10))
                .withStart(new double[] {Math.sqrt(0.5), Math.sqrt(0.5)})
                .withDualStart(new double[] {3, -5});
        AdmmSolver solver = AdmmSolver.cholesky(options, ONE);

        SphereResult first = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        SphereResult second = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);

        assertThat(second.effort().iterations()).isEqualTo(first.effort().iterations());
        assertThat(second.r()).isEqualTo(first.r());
        assertThat(options.start().orElseThrow()).containsExactly(Math.sqrt(0.5), Math.sqrt(0.5));
    }

    /** rho over six decades around twice the multiplier or the mean eigenvalue, s0 and v0 anywhere: none ends above the minimum. -Dstackelberg.long=N plays N games. */
    @Test
    void randomGamesWithANegativeMultiplierFromAnyStart() {
        run(Integer.getInteger("stackelberg.long", 400), 51_001);
    }

    static void run(int count, long seed) {
        Random random = new Random(seed);
        int[] iterations = new int[count];
        for (int trial = 0; trial < count; ) {
            SphereProblem problem = problem(random, trial);
            Certificate optimum = optimum(problem);
            // a multiplier of 0 but for rounding is none
            if (!(optimum.multiplier() < -1e-9 * problem.hessianNorm())
                    || optimum.proof() != Certificate.Proof.PROVEN
                    || optimum.relativeGap() > 1e-9) {
                continue;
            }
            double scale = trial % 2 == 0 ? -2 * optimum.multiplier() : problem.hessianNorm() / problem.dimension();
            double rho = scale * Math.pow(10, 6 * random.nextDouble() - 3);
            double[] v0 = unit(random, problem.dimension());
            Vectors.scale(Math.pow(10, 4 * random.nextDouble() - 2), v0);
            AdmmSolver.Options options = AdmmSolver.Options.DEFAULT
                    .withPenalty(AdmmSolver.Penalty.fixed(rho))
                    .withStart(unit(random, problem.dimension()))
                    .withDualStart(v0)
                    .withLanczosSteps(trial % 3 == 0 ? 8 : 0);
            var result = AdmmSolver.cholesky(options, ONE)
                    .solve(problem, SolverOptions.DEFAULT.withMaxIterations(LIMIT), ProgressListener.NONE);
            Certificate proof = Certificate.of(problem, result.r());
            String what = "trial " + trial + ", rho " + rho / scale + " times the scale: " + result.status() + " after "
                    + result.effort() + " " + result.note() + ", " + proof + ", minimum " + optimum.objective();
            assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(proof.proof()).as(what).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.relativeGap()).as(what).isLessThanOrEqualTo(1e-9);
            assertThat(proof.objective()).as(what).isLessThanOrEqualTo(optimum.objective() * (1 + 2e-9));
            // one, and another where only a limit inside the ball showed that the shift is needed
            assertThat(result.effort().factorisations()).as(what).isLessThanOrEqualTo(2);
            iterations[trial++] = result.effort().iterations();
        }
        Arrays.sort(iterations);
        String counts = "median " + iterations[count / 2] + ", 95% " + iterations[count * 95 / 100] + ", most "
                + iterations[count - 1];
        if (count > 400) {
            System.out.println(count + " games, iterations: " + counts);
        }
        assertThat(iterations[count / 2]).as(counts).isLessThanOrEqualTo(30);
        assertThat(iterations[count * 95 / 100]).as(counts).isLessThanOrEqualTo(150);
    }

    private static Certificate optimum(SphereProblem problem) {
        return Certificate.of(
                problem,
                new DirectSolver(ONE)
                        .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                        .r());
    }

    /** The published iteration on the same kind of games: there the test above would fail about every other time. */
    @Test
    void thePublishedIterationFailsOnManyGamesWithANegativeMultiplier() {
        Random random = new Random(51_002);
        int failed = 0;
        int played = 0;
        for (int trial = 0; played < 100; trial++) {
            SphereProblem problem = problem(random, trial);
            Certificate optimum = optimum(problem);
            if (!(optimum.multiplier() < -1e-9 * problem.hessianNorm())) {
                continue;
            }
            played++;
            double rho = -2 * optimum.multiplier() * Math.pow(10, 2 * random.nextDouble() - 1);
            AdmmSolver.Options options = AdmmSolver.Options.plain(rho).withStart(unit(random, problem.dimension()));
            var result = AdmmSolver.cholesky(options, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            failed += Certificate.of(problem, result.r()).certified(1e-9) ? 0 : 1;
        }
        assertThat(failed).isBetween(25, 90);
    }

    /** The plain map over the ball, which the theorem is about: the residual ||r - s|| never grows. */
    @Test
    void residualsOfThePlainMapNeverGrow() {
        Random random = new Random(51_003);
        for (int trial = 0; trial < 100; trial++) {
            SphereProblem problem = problem(random, trial);
            int d = problem.dimension();
            Factors factors = new Factors(Systems.of(problem, false, ONE), 0);
            Shift shift = Shift.of(problem, factors, 0);
            AdmmState state = new AdmmState(problem.g(), problem.p(), unit(random, d), new double[d], true);
            double sigma = problem.hessianNorm() * Math.pow(10, 6 * random.nextDouble() - 4);
            factors.useExactly(state, sigma, shift.mu());
            double[] start = unit(random, d);
            Vectors.scale(Math.pow(10, 2 * random.nextDouble() - 1), start);
            state.restart(start);
            double last = Double.POSITIVE_INFINITY;
            for (int step = 0; step < 50; step++) {
                double[] before = state.x().clone();
                state.updateR();
                double[] after = state.x().clone();
                state.project();
                state.updateDual();
                Vectors.axpy(-1, before, after);
                double residual = Vectors.norm(after);
                assertThat(residual).isLessThanOrEqualTo(last * (1 + 1e-9) + 1e-12);
                last = residual;
            }
        }
    }

    /** diag(1e-6, 1), g = -(2e-6, 0.3): iterates inside the ball prove nothing, the multiplier is positive. */
    @Test
    void aMultiplierThatIsPositiveIsFoundWithoutAShiftThoughIteratesAreInside() {
        double[][] h = {{1e-6, 0}, {0, 1}};
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.of(h), new double[] {-2e-6, -0.3}, 1);
        for (double rho : new double[] {1e-6, 1e-3, 1}) {
            AdmmSolver.Options options = AdmmSolver.Options.DEFAULT.withPenalty(AdmmSolver.Penalty.fixed(rho));
            var result = AdmmSolver.cholesky(options, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
            assertThat(result.note()).isEqualTo("stopped by the certificate");
            assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isTrue();
        }
    }

    /** As far from the scale of the problem as this x does not feel a step: it went on to the limit, or stalled and did not say why. */
    @ParameterizedTest
    @ValueSource(ints = {-300, -30, -18, 16, 20, 30, 300})
    void aRhoBeyondDoublePrecisionIsRefusedWithTheSuitableRange(int decades) {
        Random random = new Random(51_005);
        int refused = 0;
        for (int trial = 0; trial < 40; trial++) {
            SphereProblem problem = problem(random, trial);
            double rho = (problem.hessianNorm() + Vectors.norm(problem.g())) * Math.pow(10, decades);
            AdmmSolver.Options options = AdmmSolver.Options.DEFAULT.withPenalty(AdmmSolver.Penalty.fixed(rho));
            String what = "trial " + trial + ", rho " + rho;
            try {
                var result = solve(problem, options, 100);
                // a multiplier next to the pole wants a tiny rho
                assertThat(result.status()).as(what + ": " + result.note()).isEqualTo(SphereResult.Status.CONVERGED);
                assertThat(decades).as(what).isNegative();
            } catch (IllegalArgumentException refusal) {
                refused++;
                Matcher range = RANGE.matcher(refusal.getMessage());
                assertThat(range.find()).as(refusal.getMessage()).isTrue();
                assertThat(Double.parseDouble(range.group(1))).as(what).isEqualTo(rho);
                double least = Double.parseDouble(range.group(2));
                double most = Double.parseDouble(range.group(3));
                assertThat(rho < least || rho > most).as(refusal.getMessage()).isTrue();
                assertThat(least).as(what).isLessThan(1e-3 * most);
                // and what is named arrives
                for (double named : new double[] {Math.max(4 * least, 1e-12 * most), most / 4}) {
                    var result = solve(problem, options.withPenalty(AdmmSolver.Penalty.fixed(named)), 10_000);
                    assertThat(result.status())
                            .as(what + ", " + named + " instead: " + result.note())
                            .isEqualTo(SphereResult.Status.CONVERGED);
                }
            }
        }
        assertThat(refused).isGreaterThan(20);
    }

    private static SphereResult solve(SphereProblem problem, AdmmSolver.Options options, int iterations) {
        return AdmmSolver.cholesky(options, ONE)
                .solve(problem, SolverOptions.DEFAULT.withMaxIterations(iterations), ProgressListener.NONE);
    }

    /** (1, 1)'(1, 1) + sigma I has no Cholesky factorisation below rounding; the multiplier is positive, or 0 in the hard case, where 4 roundings of H are the least. */
    @ParameterizedTest
    @ValueSource(doubles = {-3, -1e-3})
    void aRhoBelowTheRoundingOfASingularHIsRefusedWithTheSuitableRange(double slope) {
        double[][] h = {{1, 1}, {1, 1}};
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.of(h), new double[] {slope, slope}, 40);
        AdmmSolver.Options options = AdmmSolver.Options.DEFAULT;
        Throwable refusal =
                catchThrowable(() -> solve(problem, options.withPenalty(AdmmSolver.Penalty.fixed(1e-30)), 10));
        assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
        Matcher range = RANGE.matcher(refusal.getMessage());
        assertThat(range.find()).as(refusal.getMessage()).isTrue();
        double least = Double.parseDouble(range.group(2));
        assertThat(least).isGreaterThanOrEqualTo(3.9 * problem.hessianRounding());
        var result = solve(problem, options.withPenalty(AdmmSolver.Penalty.fixed(1.1 * least)), 1_000);
        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
    }

    /** H, g and p are 0: no size to be far from. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1, 1e300})
    void anyRhoIsAcceptedWhereEveryPointIsOptimal(double rho) {
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.zeros(3, 3), new double[3], 0);
        var result = solve(problem, AdmmSolver.Options.DEFAULT.withPenalty(AdmmSolver.Penalty.fixed(rho)), 10);
        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
    }

    /** Far from the optimum f allows more than at it; a rho between the two is tried, and who ends at the limit is told which would do. */
    @Test
    void aRhoFoundUnsuitableAtTheEndIsNamedInTheNote() {
        double[] optimum = {0.6, -0.8};
        // f = ||D (r - optimum)||^2 + 1e-6, D = diag(1, 2), on the sphere and in the plane
        double[][] h = {{1, 0}, {0, 4}};
        double[] g = {-optimum[0], -4 * optimum[1]};
        double p = optimum[0] * optimum[0] + 4 * optimum[1] * optimum[1] + 1e-6;
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.of(h), g, p);
        AdmmSolver.Options options = BARE.withStart(new double[] {-0.6, 0.8})
                .withDualStart(new double[2])
                .withPenalty(AdmmSolver.Penalty.fixed(1e10));
        var result = solve(problem, options, 50);
        assertThat(result.status()).isEqualTo(SphereResult.Status.ITERATION_LIMIT);
        assertThat(result.note()).containsPattern("; rho is 1.0E10, and rounding wants it between \\S+ and \\S+$");
    }

    /** The hard case: the limit is inside the ball and is completed with the lowest eigenvector. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-3, 0.1, 10, 1e3})
    void theHardCaseEndsInsideAndIsCompleted(double rho) {
        double[][] h = {{1, 0, 0}, {0, 3, 0}, {0, 0, 7}};
        SphereProblem problem = SphereProblem.ofGram(DenseMatrix.of(h), new double[] {0, 0.5, -1}, 2);
        var result = AdmmSolver.cholesky(
                        BARE.withPenalty(AdmmSolver.Penalty.fixed(rho)).withStart(new double[] {0, 0.6, 0.8}), ONE)
                .solve(problem, SolverOptions.DEFAULT.withMaxIterations(LIMIT), ProgressListener.NONE);
        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
        Certificate proof = Certificate.of(problem, result.r());
        assertThat(proof.certified(1e-9)).as(proof.toString()).isTrue();
        assertThat(proof.objective()).isCloseTo(3 - 0.25 / 2 - 1.0 / 6, within(1e-8));
        assertThat(proof.multiplier()).isCloseTo(-1, within(1e-4));
    }

    /** Beyond the order at which the spectrum is computed a factorisation proves the shift, and it is close. */
    @Test
    void theShiftOfALargerProblemIsProvenByAFactorisation() {
        Random random = new Random(51_004);
        int d = 420;
        double[][] l = new double[600][];
        Arrays.setAll(l, i -> IntStream.range(0, d)
                .mapToDouble(j -> random.nextGaussian())
                .toArray());
        DenseMatrix h = DenseMatrix.zeros(d, d);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (double[] row : l) {
                    sum += row[i] * row[j];
                }
                h.set(i, j, sum);
                h.set(j, i, sum);
            }
        }
        SphereProblem problem = SphereProblem.ofGram(h, unit(random, d), 1);
        Shift shift = Shift.of(problem, new Factors(Systems.of(problem, false, ONE), 0), 1e-9);
        double smallest = SymmetricEigen.of(h, ONE).values()[0];
        assertThat(shift.mu()).isBetween(smallest - 1e-6, smallest);
        var result = AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT, ONE)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        assertThat(Certificate.of(problem, result.r()).multiplier()).isNegative();
        assertThat(result.status()).as(result.note()).isEqualTo(SphereResult.Status.CONVERGED);
    }

    private static SphereProblem problem(Random random, int trial) {
        int n = 1 + random.nextInt(6);
        int m = n + 1 + random.nextInt(12);
        double[] w = random.doubles(n).map(u -> 2 * u - 1).toArray();
        double signal = Math.pow(10, 3 * random.nextDouble() - 2);
        double[][] x = new double[m][n];
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                y[i] += signal * w[j] * x[i][j];
            }
            y[i] += random.nextGaussian();
            z[i] = random.nextBoolean() ? random.nextGaussian() : y[i] + 2 * random.nextGaussian();
        }
        double gamma = Math.pow(10, 4 * random.nextDouble() - 1);
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
        game = trial % 5 == 1 ? game.withIntercept() : game;
        SphereFamily family = Reduction.of(game, ONE).family();
        // a sphere with another centre, a tilted one, and both
        family = trial % 5 == 2 || trial % 5 == 4
                ? family.withEffects(random.doubles(n).map(u -> u - 0.5).toArray())
                : family;
        family = trial % 5 >= 3 ? family.withRidge(0.2 * random.nextDouble()) : family;
        return family.at(gamma);
    }

    private static double[] unit(Random random, int d) {
        double[] v =
                IntStream.range(0, d).mapToDouble(i -> random.nextGaussian()).toArray();
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }
}
