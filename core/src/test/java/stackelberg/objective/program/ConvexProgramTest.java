package stackelberg.objective.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/** Hedged and balanced rules by other losses: against local searches in (w, q), and the squared loss against its own program. */
class ConvexProgramTest {
    private static final Workers ONE = Workers.of(1);

    static Program program(PredictionGame game) {
        ConvexSearch.Found pure = ConvexSearch.of(game, null, SolverOptions.DEFAULT, ProgressListener.NONE, ONE);
        return Program.convex(game, pure, SolverOptions.DEFAULT, ONE, ProgressListener.NONE);
    }

    /** All rows of a rare immutable indicator can be where Huber's loss is a line: then the dual point cannot be moved to balance it. */
    @ParameterizedTest
    @ValueSource(ints = {32, 37, 38, 187})
    void noBoundIsAboveALossWhereAnImmutableColumnHasNoCurvature(int seed) {
        Random random = new Random(seed);
        int rows = 60 + random.nextInt(60);
        int rare = 2 + random.nextInt(3);
        double[][] x = new double[rows][2];
        double[] indicator = new double[rows];
        double[] y = new double[rows];
        double[] z = new double[rows];
        for (int i = 0; i < rows; i++) {
            x[i][0] = random.nextGaussian();
            x[i][1] = random.nextGaussian();
            indicator[i] = i >= rows - rare ? 1 : 0;
            double mean = x[i][0] - 0.5 * x[i][1] + indicator[i];
            y[i] = mean + 0.5 * random.nextGaussian() / Math.max(0.01, Math.abs(random.nextGaussian()));
            z[i] = Math.max(mean, 1) + 0.3 * random.nextGaussian();
        }
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 2)
                .withLoss(Loss.huber(0.2))
                .withIntercept()
                .withImmutable(new double[][] {indicator});
        Program.Losses losses = program(game).hedged(0.05).losses();

        assertThat(losses.honest()).isLessThanOrEqualTo(losses.bound() * (1 + 1e-12));
        assertThat(losses.lower()).isLessThanOrEqualTo(losses.moved() * (1 + 1e-12));
    }

    @Test
    void theSquaredLossGivesWhatItsOwnProgramGives() {
        int same = 0;
        for (int k = 0; k < 30; k++) {
            PredictionGame game = ProgramGame.of(new Random(39_000 + k), Loss.SQUARED, true);
            if (game.effects().isPresent() || game.wishNoiseVariance() > 0) {
                continue;
            }
            Program.Hedged own = SquaredProgramTest.program(game).hedged(0.03);
            Program.Hedged found = program(game).within(own.losses().bound());
            if (own.gap() <= 1e-9 * own.losses().moved()
                    && found.gap() <= 1e-9 * found.losses().moved()) {
                assertThat(found.losses().moved())
                        .as("game " + k)
                        .isCloseTo(
                                own.losses().moved(), within(1e-8 * own.losses().moved()));
                same++;
            }
        }
        assertThat(same).isGreaterThan(5);
    }
}
