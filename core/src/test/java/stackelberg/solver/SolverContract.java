package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** What every solver promises; one small subclass per solver runs all of it. */
public abstract class SolverContract {
    private static final Workers ONE = Workers.of(1);

    /** The solver with its default options. */
    protected abstract SphereSolver solver(Workers workers);

    /** How close the objective must come to the minimum, relative. */
    protected double objectiveTolerance() {
        return 1e-8;
    }

    /** The certificate's gap, in roundings of the size of the problem, that a point may keep where f* itself is no larger. */
    protected double roundings() {
        return 1000;
    }

    /** How far the objectives with one and with two threads may differ, relative. */
    protected double threadTolerance() {
        return 1e-12;
    }

    @ParameterizedTest
    @EnumSource
    void plantedGameOfEveryKind(PlantedGame.Case kind) {
        for (int seed = 0; seed < 5; seed++) {
            PlantedGame planted = PlantedGame.of(new Random(31 + seed), 30, 12, 100, 0.5, kind, 0.4);
            SphereProblem problem = problemOf(planted.game());
            assertOptimal(problem, planted.objective(), kind + " " + seed);
        }
    }

    @Test
    void wideGameWithTheLeastSquaresSolutionOutside() {
        // y far away: the minimum-norm solution leaves the ball, lambda > 0
        SphereProblem problem = problemOf(randomGame(5, 6, 15, 50, 1));
        assertOptimal(problem, reference(problem), "wide");
    }

    @Test
    void wideGameWithTheLeastSquaresSolutionInside() {
        // f* = 0 for m < n + 1, at every point r0 + tau u of norm 1
        SphereProblem problem = problemOf(randomGame(6, 6, 15, 1e-2, 1));
        assertOptimal(problem, 0, "wide and hard");
    }

    @Test
    void rankDeficientGame() {
        PredictionGame game = randomGame(7, 25, 6, 1, 0.3);
        DenseMatrix twice = DenseMatrix.zeros(25, 12);
        for (int i = 0; i < 25; i++) {
            double[] row = Arrays.copyOf(rowOf(game, i), 12);
            System.arraycopy(row, 0, row, 6, 6);
            twice.setRow(i, row);
        }
        SphereProblem problem = problemOf(PredictionGame.of(twice, game.y(), game.z(), 0.3));
        assertOptimal(problem, reference(problem), "rank deficient");
    }

    @Test
    void wishOfTwiceTheTargetMakesGZero() {
        // z = 2y makes b = 0, so g = 0 and f* is the smallest eigenvalue of H
        PredictionGame game = randomGame(8, 20, 5, 1, 0.7);
        double[] z = Arrays.stream(game.y()).map(value -> 2 * value).toArray();
        SphereProblem problem = problemOf(PredictionGame.of(game.x(), game.y(), z, 0.7));
        assertThat(Vectors.norm(problem.g())).isLessThan(1e-12 * problem.hessianNorm());
        assertOptimal(problem, reference(problem), "g = 0");
    }

    @Test
    void repeatedSmallestEigenvalue() {
        double[][] h = new double[6][6];
        for (int i = 0; i < 6; i++) {
            h[i][i] = i < 3 ? 1 : 2 + i;
        }
        // the easy case (g on the eigenspace) and the hard one (g outside): lambda = -1, r = r0 + tau u
        double[] easy = {0.3, -0.2, 0.1, 1, 1, 1};
        double[] hard = {0, 0, 0, 1, -1, 1};
        SphereProblem easyProblem = SphereProblem.ofGram(DenseMatrix.of(h), easy, 10);
        assertOptimal(easyProblem, reference(easyProblem), "repeated, easy");
        SphereProblem hardProblem = SphereProblem.ofGram(DenseMatrix.of(h), hard, 10);
        assertOptimal(hardProblem, 11 - (1 / 4.0 + 1 / 5.0 + 1 / 6.0), "repeated, hard");
    }

    @Test
    void oneFeature() {
        // the two rows of the project's counterexample to plain ADMM
        SphereProblem problem = problemOf(PredictionGame.of(
                DenseMatrix.of(new double[][] {{-1}, {3}}), new double[] {0, 2}, new double[] {2, 1}, 4));
        assertOptimal(problem, 0.164688594760854, "n = 1");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-8, 1e-4, 1e4, 1e8})
    void badlyScaledGamma(double gamma) {
        SphereProblem problem = problemOf(randomGame(9, 30, 8, 1, gamma));
        assertOptimal(problem, reference(problem), "gamma " + gamma);
    }

    @Test
    void inputsAreNotChanged() {
        PredictionGame game = randomGame(10, 20, 5, 1, 0.5);
        SphereProblem problem = problemOf(game);
        double[][] x = new double[20][];
        Arrays.setAll(x, i -> rowOf(game, i));
        double[] y = game.y();
        double[] z = game.z();
        double[] g = problem.g();
        SphereResult result = solve(problem, SolverOptions.DEFAULT);
        result.r()[0] = 7;

        assertThat(game.y()).containsExactly(y);
        assertThat(game.z()).containsExactly(z);
        assertThat(problem.g()).containsExactly(g);
        assertThat(result.r()[0]).isNotEqualTo(7);
        for (int i = 0; i < 20; i++) {
            assertThat(rowOf(game, i)).containsExactly(x[i]);
        }
    }

    @Test
    void oneSolverServesEightThreads() throws Exception {
        SphereSolver shared = solver(ONE);
        List<SphereProblem> problems = new ArrayList<>();
        for (int seed = 0; seed < 16; seed++) {
            problems.add(problemOf(randomGame(40 + seed, 25, 4 + seed % 5, 1, 0.5)));
        }
        List<double[]> alone = new ArrayList<>();
        for (SphereProblem problem : problems) {
            alone.add(shared.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r());
        }
        var pool = Executors.newFixedThreadPool(8);
        try {
            List<Callable<double[]>> tasks = new ArrayList<>();
            for (SphereProblem problem : problems) {
                tasks.add(() -> shared.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                        .r());
            }
            List<Future<double[]>> together = pool.invokeAll(tasks);
            for (int i = 0; i < problems.size(); i++) {
                assertThat(together.get(i).get()).containsExactly(alone.get(i));
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void listenerStopsAtTheFirstIteration() {
        AtomicInteger calls = new AtomicInteger();
        SphereResult result = solver(ONE).solve(needsWork(), SolverOptions.DEFAULT, progress -> {
            calls.incrementAndGet();
            assertThat(progress.iteration()).isEqualTo(1);
            return ProgressListener.Decision.STOP;
        });

        assertThat(calls.get()).isEqualTo(1);
        assertThat(result.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(Vectors.norm(result.r())).isCloseTo(1, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void iterationLimitIsRespected(int limit) {
        AtomicInteger calls = new AtomicInteger();
        SphereResult result = solver(ONE)
                .solve(needsWork(), SolverOptions.DEFAULT.withTolerance(1e-12).withMaxIterations(limit), progress -> {
                    calls.incrementAndGet();
                    return ProgressListener.Decision.CONTINUE;
                });

        assertThat(calls.get()).isLessThanOrEqualTo(limit);
        assertThat(result.effort().iterations()).isLessThanOrEqualTo(limit);
        assertThat(result.status()).isIn(SphereResult.Status.ITERATION_LIMIT, SphereResult.Status.CONVERGED);
        assertThat(Vectors.norm(result.r())).isCloseTo(1, within(1e-12));
    }

    @Test
    void iterationsAreCountedFromOneWithoutAGap() {
        List<Integer> seen = new ArrayList<>();
        SphereResult result = solver(ONE).solve(needsWork(), SolverOptions.DEFAULT, progress -> {
            seen.add(progress.iteration());
            return ProgressListener.Decision.CONTINUE;
        });

        assertThat(seen).hasSize(result.effort().iterations());
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    void oneAndTwoThreadsAgree() {
        PredictionGame game = randomGame(11, 400, 210, 1, 0.5);
        double[] objectives = new double[2];
        for (int threads = 1; threads <= 2; threads++) {
            Workers workers = Workers.of(threads);
            SphereProblem problem = Reduction.of(game, workers).family().at(0.5);
            double[] r = solver(workers)
                    .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                    .r();
            objectives[threads - 1] = problem.evaluate(r).objective();
        }
        assertThat(objectives[1]).isCloseTo(objectives[0], within(threadTolerance() * objectives[0]));
    }

    private SphereResult solve(SphereProblem problem, SolverOptions options) {
        return solver(ONE).solve(problem, options, ProgressListener.NONE);
    }

    private void assertOptimal(SphereProblem problem, double minimum, String what) {
        SphereResult result = solve(problem, SolverOptions.DEFAULT);
        Certificate proof = Certificate.of(problem, result.r());
        String state = what + ": " + result.status() + " after " + result.effort() + " " + result.note() + ", " + proof;
        double rounding = roundings() * Math.ulp(problem.roundingScale() + problem.p());
        double allowed = objectiveTolerance() * Math.abs(minimum) + rounding;
        assertThat(proof.objective()).as(state).isCloseTo(minimum, within(allowed));
        assertThat(proof.proof()).as(state).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(proof.gapBound()).as(state).isLessThan(allowed);
    }

    private static double reference(SphereProblem problem) {
        double[] r = new DirectSolver(ONE)
                .solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
        return problem.evaluate(r).objective();
    }

    /** A game that no iterative method finishes in three iterations. */
    private static SphereProblem needsWork() {
        return problemOf(PlantedGame.of(new Random(3), 60, 30, 1e4, 0.5, PlantedGame.Case.NEGATIVE, 0.5)
                .game());
    }

    private static SphereProblem problemOf(PredictionGame game) {
        return Reduction.of(game, ONE).family().at(game.gamma());
    }

    /** Normal features, a linear target of the given size and wishes above it. */
    private static PredictionGame randomGame(long seed, int m, int n, double size, double gamma) {
        Random random = new Random(seed);
        double[][] x = new double[m][n];
        double[] y = new double[m];
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                y[i] += size * x[i][j] / (j + 1);
            }
            y[i] += 0.3 * size * random.nextGaussian();
            z[i] = y[i] + size * Math.abs(random.nextGaussian());
        }
        return PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
    }

    private static double[] rowOf(PredictionGame game, int i) {
        return ((DenseMatrix) game.x()).row(i);
    }
}
