package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;

/** Small games on which ADMM threw, gave up or wandered to its limit while the default solver answered at once. */
class NastyGamesTest {
    private static final Workers ONE = Workers.of(1);

    private static Solution solve(PredictionGame game, String solver) {
        return new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                .run(Reduction.of(game, ONE), game.gamma())
                .solutions()
                .get(0);
    }

    private static boolean isProven(Solution solution) {
        Certificate proof = solution.certificate();
        return proof.proof() == Certificate.Proof.PROVEN && proof.relativeGap() <= 1e-9;
    }

    /** A constant feature and a constant wish: P leaves nothing of them, and H = 0. */
    @ParameterizedTest
    @ValueSource(strings = {"cd-admm", "admm"})
    void featuresThatAreAllZeroCauseNoInternalError(String solver) {
        double[][] x = {{0}, {0}, {0}};
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), new double[] {2, 3, 4}, new double[] {5, 5, 5}, 1)
                .withIntercept();
        assertThat(solve(game, solver).certificate().certified(1e-9)).isTrue();
    }

    /** Three people, five features of any scale, one immutable column and no intercept. */
    @Test
    void slowConvergenceIsDetectedWithinFewIterations() {
        Random random = new Random(16_061);
        for (int trial = 0; trial < 300; trial++) {
            double[][] x = new double[3][5];
            for (int j = 0; j < 5; j++) {
                double scale = random.nextInt(3) == 0 ? Math.pow(10, 12 * random.nextDouble() - 6) : 1;
                boolean copied = j > 0 && random.nextInt(6) == 0;
                for (double[] row : x) {
                    row[j] = copied ? 2 * row[j - 1] : scale * random.nextGaussian();
                }
            }
            double[] y = random.doubles(3).toArray();
            double[] z = random.nextBoolean()
                    ? Arrays.stream(y).map(value -> value + 1).toArray()
                    : random.doubles(3).toArray();
            double gamma = Math.pow(10, 16 * random.nextDouble() - 8);
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, gamma)
                    .withImmutable(random.doubles(3).toArray());
            Solution admm = solve(game, "cd-admm");
            String what = "trial " + trial + ": " + admm.result().note() + " " + admm.certificate();
            assertThat(admm.result().effort().iterations()).as(what).isLessThan(1000);
            assertThat(isProven(admm) || !isProven(solve(game, "auto")))
                    .as(what)
                    .isTrue();
        }
    }
}
