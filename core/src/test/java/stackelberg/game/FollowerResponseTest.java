package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.Workers;

/** What a follower does, against minimising its cost (w'x + q'v - z)^2 + gamma sum_j c_j (x_j - x_ij)^2 without knowing the formula. */
class FollowerResponseTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void moveIsTheBruteForceMinimiserOfTheFollowersCost() {
        Random random = new Random(31_001);
        for (int trial = 0; trial < 40; trial++) {
            int n = 1 + random.nextInt(3);
            double gamma = Math.pow(10, -1 + 2 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, 4, n, 2, gamma);
            LinearRule rule = randomRule(random, n);
            double[] p = game.predict(rule, ONE);
            double[][] x = RandomGame.rows(game);
            int i = random.nextInt(4);
            double[] move = game.move(rule, p[i], game.z()[i]);
            double fixedPart = p[i] - dot(rule.w(), x[i]);

            double[] answer = new double[n];
            for (int j = 0; j < n; j++) {
                answer[j] = x[i][j] + move[j];
            }
            double[] found =
                    NelderMead.minimise(at -> followersCost(game, rule, fixedPart, x, i, at), x[i].clone(), 0.5);

            double cost = followersCost(game, rule, fixedPart, x, i, answer);
            assertThat(cost).isLessThanOrEqualTo(followersCost(game, rule, fixedPart, x, i, found) * (1 + 1e-12));
            assertThat(answer).containsExactly(found, within(1e-5 * (1 + Math.abs(game.z()[i] - p[i]))));
        }
    }

    @Test
    void everyFollowerClosesTheSameShareAndPaysTheClosedFormCost() {
        Random random = new Random(31_002);
        for (int trial = 0; trial < 100; trial++) {
            int n = 1 + random.nextInt(5);
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, 6, n, 2, gamma);
            LinearRule rule = randomRule(random, n);
            double t = game.pullThrough(rule);
            double[] p = game.predict(rule, ONE);
            double[] after = game.predictAfterResponse(rule, ONE);
            for (int i = 0; i < p.length; i++) {
                double gap = game.z()[i] - p[i];
                double[] move = game.move(rule, p[i], game.z()[i]);
                double movementCost = 0;
                for (int j = 0; j < n; j++) {
                    movementCost += gamma * game.costs()[j] * move[j] * move[j];
                }
                assertThat(p[i] + dot(rule.w(), move)).isCloseTo(after[i], within(1e-12 * (1 + Math.abs(gap))));
                assertThat(after[i] - p[i]).isCloseTo(t * gap, within(1e-12 * (1 + Math.abs(p[i]))));
                assertThat(movementCost).isCloseTo(t * (1 - t) * gap * gap, within(1e-12 * gap * gap));
            }
        }
    }

    @Test
    void leadersLossIsTheWeightedLossOfTheMovedFeaturesPlusWhatTheNoiseAdds() {
        Random random = new Random(31_003);
        PredictionGame game = RandomGame.general(random, 7, 3, 1, 0.7);
        LinearRule rule = randomRule(random, 3, 1);
        double[] p = game.predict(rule, ONE);
        // noise of two values -sd, +sd has the variance sd^2 and can be averaged exactly
        double sd = 0.8;
        PredictionGame noisy = game.withWishNoise(sd);
        double expected = 0;
        for (int i = 0; i < p.length; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] move = noisy.move(rule, p[i], game.z()[i] + sign * sd);
                double residual = p[i] + dot(rule.w(), move) - game.y()[i];
                expected += game.weights()[i] * residual * residual / 2;
            }
        }
        assertThat(noisy.leaderLoss(rule, ONE)).isCloseTo(expected, within(1e-12 * expected));
    }

    /** 1 - t = 1/(1 + alpha) must not be computed from t: near t = 1 it multiplies predictions as large as sqrt(alpha). */
    @Test
    void predictionAfterResponseDoesNotCancelUnderAHugeRule() {
        PredictionGame game = RandomGame.plain(new Random(31_004), 5, 1, 1.0);
        for (double w : new double[] {1e4, 1e6, 1e8, 1e12}) {
            LinearRule rule = new LinearRule(new double[] {w}, new double[0], 0);
            double[] after = game.predictAfterResponse(rule, ONE);
            double[][] x = RandomGame.rows(game);
            for (int i = 0; i < after.length; i++) {
                // z + (w x - z)/(1 + w^2), whose second term is what is left of the truth
                double left = (w * x[i][0] - game.z()[i]) / (1 + w * w);
                assertThat(after[i]).isCloseTo(game.z()[i] + left, within(1e-15 * (1 + Math.abs(game.z()[i]))));
            }
        }
    }

    private static LinearRule randomRule(Random random, int n) {
        return randomRule(random, n, 2);
    }

    private static LinearRule randomRule(Random random, int n, int immutables) {
        return new LinearRule(
                RandomGame.normal(random, n), RandomGame.normal(random, immutables), random.nextGaussian());
    }

    private static double followersCost(
            PredictionGame game, LinearRule rule, double fixedPart, double[][] x, int i, double[] at) {
        double gap = dot(rule.w(), at) + fixedPart - game.z()[i];
        double cost = gap * gap;
        for (int j = 0; j < at.length; j++) {
            double step = at[j] - x[i][j];
            cost += game.gamma() * game.costs()[j] * step * step;
        }
        return cost;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < a.length; j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }
}
