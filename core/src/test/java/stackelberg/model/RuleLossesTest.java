package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Losses that share a product with the data are the losses of each rule alone. */
class RuleLossesTest {
    private static final Workers WORKERS = Workers.of(2);

    @Test
    void everyLossIsThatOfTheGame() {
        Random random = new Random(5);
        int m = 50;
        DenseMatrix x = DenseMatrix.zeros(m, 3);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < 3; j++) {
                x.set(i, j, random.nextGaussian());
            }
        }
        double[] fixed = gaussian(random, m);
        PredictionGame game = PredictionGame.of(x, gaussian(random, m), gaussian(random, m), 1)
                .withImmutable(fixed)
                .withIntercept()
                .withCosts(new double[] {1, 2, 0.5});
        List<LinearRule> rules = IntStream.range(0, 4)
                .mapToObj(k -> new LinearRule(gaussian(random, 3), gaussian(random, 1), k))
                .toList();
        LinearRule naive = new LinearRule(gaussian(random, 3), gaussian(random, 1), -1);

        var rival = new RuleLosses.Naive(game.predict(naive, WORKERS), naive.omega(game.costs()), naive.w());
        RuleLosses losses = new RuleLosses(game, rules, rival, WORKERS);
        RuleLosses alone = new RuleLosses(game, rules, null, WORKERS);

        for (int k = 0; k < rules.size(); k++) {
            double gamma = 0.3 + k;
            var lost = losses.of(k, game.withGamma(gamma), 7);
            assertThat(lost.anticipated()).isEqualTo(7);
            assertThat(lost.honest()).isCloseTo(game.honestLoss(rules.get(k), WORKERS), within(1e-10));
            assertThat(lost.naive()).isCloseTo(game.honestLoss(naive, WORKERS), within(1e-10));
            assertThat(lost.naiveAttacked()).isCloseTo(game.withGamma(gamma).leaderLoss(naive, WORKERS), within(1e-10));
            assertThat(alone.of(k, game.withGamma(gamma), 7).naive()).isNull();
            assertThat(alone.of(k, game.withGamma(gamma), 7).naiveAttacked()).isNull();
        }
    }

    private static double[] gaussian(Random random, int length) {
        return random.doubles(length, -1, 1).toArray();
    }
}
