package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** A game that makes no sense is refused where it is stated, with the value and the rule. */
class PredictionGameTest {
    private final PredictionGame game = RandomGame.plain(new Random(1), 3, 2, 1);

    @Test
    void invalidGamesAreRefused() {
        assertThatThrownBy(() -> game.withGamma(0)).hasMessageContaining("gamma is 0.0; it must be positive");
        assertThatThrownBy(() -> game.withGamma(Double.NaN)).hasMessageContaining("gamma is NaN");
        assertThatThrownBy(() -> game.withCosts(new double[] {1, -2}))
                .hasMessageContaining("The cost of feature 2 is -2.0");
        assertThatThrownBy(() -> game.withCosts(new double[] {1}))
                .hasMessageContaining("costs has 1 values; the game needs 2");
        assertThatThrownBy(() -> game.withWeights(new double[] {1, 1, Double.NaN}))
                .hasMessageContaining("The weight of row 3 is NaN");
        assertThatThrownBy(() -> game.withWeights(new double[3])).hasMessageContaining("All weights are 0");
        assertThatThrownBy(() -> game.withWishNoise(-1)).hasMessageContaining("The wish noise of row 1 is -1.0");
        assertThatThrownBy(() -> game.withImmutable(new double[] {1, Double.POSITIVE_INFINITY, 0}))
                .hasMessageContaining("Immutable column 1, row 2: Infinity is not finite");
        assertThatThrownBy(() -> PredictionGame.of(game.x(), new double[2], new double[3], 1))
                .hasMessageContaining("y has 2 values; the game needs 3");
        assertThatThrownBy(() -> PredictionGame.of(game.x(), new double[3], new double[] {0, Double.NaN, 0}, 1))
                .hasMessageContaining("z, row 2: NaN is not finite");
    }

    @Test
    void aRuleWithAnotherNumberOfFeaturesIsRefused() {
        LinearRule rule = new LinearRule(new double[2], new double[1], 0);
        assertThatThrownBy(() -> game.predict(rule, Workers.of(1)))
                .hasMessageContaining("The rule has 1 immutable coefficients, the game 0");
        LinearRule longer = new LinearRule(new double[3], new double[0], 0);
        assertThatThrownBy(() -> game.predict(longer, Workers.of(1)))
                .hasMessageContaining("The rule has 3 coefficients, the game 2 features");
    }

    @Test
    void aCommonWeightOrNoiseEqualsTheSameValueForEachRow() {
        Random random = new Random(8);
        PredictionGame plain = RandomGame.plain(random, 9, 3, 0.4).withRidge(3);
        double[] ones = new double[9];
        Arrays.fill(ones, 1);
        double[] noise = new double[9];
        Arrays.fill(noise, 0.3);
        PredictionGame all = plain.withWishNoise(0.3);
        PredictionGame each = plain.withWeights(ones).withWishNoise(noise);
        LinearRule rule = new LinearRule(new double[] {1, -0.5, 2}, new double[0], 0);
        int[] some = {7, 1, 1, 4};

        assertThat(all.weights()).isEqualTo(ones);
        assertThat(all.wishNoise()).isEqualTo(noise);
        assertThat(all.isUnweighted()).isTrue();
        assertThat(each.isUnweighted()).isTrue();
        assertThat(all.totalWeight()).isEqualTo(each.totalWeight());
        assertThat(all.rowsWithWeight()).isEqualTo(each.rowsWithWeight());
        for (PredictionGame[] both : new PredictionGame[][] {{all, each}, {all.subset(some), each.subset(some)}}) {
            assertThat(both[0].leaderLoss(rule, Workers.of(1))).isEqualTo(both[1].leaderLoss(rule, Workers.of(1)));
            assertThat(both[0].wishNoiseVariance()).isEqualTo(both[1].wishNoiseVariance());
            assertThat(both[0].ridge()).isEqualTo(both[1].ridge());
            assertThat(both[0].weights()).isEqualTo(both[1].weights());
        }
    }

    /** An array of length 1 stands for all rows for weights only, not for targets. */
    @Test
    void aSubsetMayContainARowTwice() {
        PredictionGame one = PredictionGame.of(
                        DenseMatrix.of(new double[][] {{1, 2}}), new double[] {3}, new double[] {5}, 0.4)
                .withWishNoise(0.3);
        LinearRule rule = new LinearRule(new double[] {1, -0.5}, new double[0], 0);
        PredictionGame twice = one.subset(new int[] {0, 0});

        assertThat(twice.y()).containsExactly(3, 3);
        assertThat(twice.leaderLoss(rule, Workers.of(1)))
                .isCloseTo(2 * one.leaderLoss(rule, Workers.of(1)), within(1e-12));
    }
}
