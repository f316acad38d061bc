package stackelberg.solver.published.conic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The second-order cone program is called ground truth: it is right on tiny games and indefinite problems, hard cases included. -Dstackelberg.long=10000 tries 10,000 of
 * each.
 */
class SocpTruthTest {
    private static final Workers ONE = Workers.of(1);
    private static final long BY_DEFAULT = 100;
    private static final long IN_THE_SUITE = 500;

    @Test
    void theMultiplierOfAGameOfThreeRowsDoesNotDiverge() {
        double[][] x = {{-3, -5}, {1, 1}, {2, -1}};
        SphereProblem problem =
                problem(PredictionGame.of(DenseMatrix.of(x), new double[] {3, 2, -4}, new double[] {6, 3, -7}, 0.7));

        ConicSolver.Solution solution = solve(problem);

        Certificate proof = Certificate.of(problem, solution.result().r());
        assertThat(solution.result().status()).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(proof.objective()).isCloseTo(0.14896, within(1e-5));
        assertThat(proof.certified(1e-9)).isTrue();
        assertThat(solution.report().lambda()).isCloseTo(proof.multiplier(), within(1e-6));
    }

    @Test
    void tinyGamesAreSolvedToTheTrueOptimum() {
        long tries = LongRun.tries(BY_DEFAULT, IN_THE_SUITE);
        assertThat(LongRun.failures(tries, 60, k -> wrong(tiny(new Random(91_000_000 + k)))))
                .isEmpty();
        LongRun.print("socp: " + tries + " tiny games, all right");
    }

    @Test
    void indefiniteProblemsAreSolvedToTheTrueOptimum() {
        long tries = LongRun.tries(BY_DEFAULT, IN_THE_SUITE);
        assertThat(LongRun.failures(tries, 60, k -> wrong(indefinite(new Random(92_000_000 + k)))))
                .isEmpty();
        LongRun.print("socp: " + tries + " indefinite problems, all right");
    }

    private static Optional<String> wrong(SphereProblem problem) {
        ConicSolver.Solution solution = solve(problem);
        SphereResult direct = new DirectSolver(ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
        double[] r = solution.result().r();
        double found = problem.evaluate(r).objective();
        double least = problem.evaluate(direct.r()).objective();
        double allowed =
                1e-9 * Stationarity.scale(least, problem.isGram() ? problem.zeroRuleLoss() : Math.abs(problem.p()))
                        + problem.objectiveRounding(r, found);
        boolean right = Math.abs(found - least) <= allowed;
        boolean ended = solution.result().status() == SphereResult.Status.CONVERGED;
        return right && ended
                ? Optional.empty()
                : Optional.of(
                        found + " instead of " + least + ", " + solution.result() + ", order " + problem.dimension());
    }

    private static ConicSolver.Solution solve(SphereProblem problem) {
        return new SocpSolver(ONE).solveWithReport(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    private static SphereProblem problem(PredictionGame game) {
        return Reduction.of(game, ONE).family().at(game.gamma());
    }

    /** Few small whole numbers, so that ties, dependent columns, perfect fits and hard cases are common. */
    private static SphereProblem tiny(Random random) {
        int m = 1 + random.nextInt(6);
        int n = 1 + random.nextInt(4);
        int largest = 1 + random.nextInt(9);
        double[][] x = new double[m][];
        for (int i = 0; i < m; i++) {
            x[i] = whole(random, n, largest);
        }
        double[] y = whole(random, m, largest);
        // no constant y, which w = 0 and an intercept would explain
        y[0] = m == 1 ? largest : y[m - 1] + 1;
        double[] z = random.nextInt(4) == 0 ? y.clone() : whole(random, m, largest);
        double gamma = Math.pow(10, -2 + 4 * random.nextDouble());
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
        return problem(random.nextInt(3) == 0 && m > 1 ? game.withIntercept() : game);
    }

    /** Orders 1 to 8 over twelve decades; whole numbers, diagonal matrices and a g that is 0 or partly 0 are hard cases or next to them. */
    private static SphereProblem indefinite(Random random) {
        int d = 1 + random.nextInt(8);
        boolean whole = random.nextBoolean();
        boolean diagonal = random.nextInt(4) == 0;
        double size = Math.pow(10, -6 + 12 * random.nextDouble());
        double[][] h = new double[d][d];
        double[] g = new double[d];
        double linear = Math.pow(10, -8 + 10 * random.nextDouble());
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double entry = whole ? random.nextInt(7) - 3 : random.nextGaussian();
                h[i][j] = diagonal && i != j ? 0 : size * entry;
                h[j][i] = h[i][j];
            }
            g[i] = random.nextInt(3) == 0 ? 0 : size * (whole ? random.nextInt(5) - 2 : linear * random.nextGaussian());
        }
        return SphereProblem.of(DenseMatrix.of(h), g, random.nextBoolean() ? 0 : size * random.nextGaussian());
    }

    private static double[] whole(Random random, int length, int largest) {
        return random.ints(length, -largest, largest + 1).asDoubleStream().toArray();
    }
}
