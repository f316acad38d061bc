package stackelberg.objective.limited;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.LongRun;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;

class LimitedSearchTest {
    private static final Workers ONE = Workers.of(1);

    private static LimitedSearch.Found search(LimitedGame drawn, LinearRule... others) {
        PredictionGame alike = drawn.game().withGamma(drawn.game().gamma()).withBounds(null);
        Reduction ordinary =
                Reduction.of(alike.withPopulation(alike.population().withTruthfulShare(0)), ONE);
        return LimitedSearch.of(
                new LimitedSearch.Problem(drawn.game(), ordinary, null, List.of(others)),
                1,
                ProgressListener.NONE,
                ONE);
    }

    /** The least loss on a grid that is laid ever finer around its best places: no derivative, no start, no sphere. */
    private static double byGrid(LimitedLoss loss) {
        int size = loss.size();
        int points = size == 1 ? 4_001 : size == 2 ? 121 : 25;
        double[] centre = new double[size];
        double reach = 6;
        double least = Double.POSITIVE_INFINITY;
        double[] theta = new double[size];
        double[][] best = new double[8][];
        double[] losses = new double[best.length];
        Arrays.fill(losses, Double.POSITIVE_INFINITY);
        int total = (int) Math.round(Math.pow(points, size));
        for (int k = 0; k < total; k++) {
            for (int j = 0, rest = k; j < size; j++, rest /= points) {
                theta[j] = centre[j] + reach * (2.0 * (rest % points) / (points - 1) - 1);
            }
            double value = loss.at(theta);
            int worst = 0;
            for (int b = 1; b < best.length; b++) {
                worst = losses[b] > losses[worst] ? b : worst;
            }
            if (value < losses[worst]) {
                losses[worst] = value;
                best[worst] = theta.clone();
            }
        }
        for (double[] place : best) {
            least = Math.min(least, closer(loss, place.clone(), 2 * reach / (points - 1)));
        }
        return least;
    }

    private static double closer(LimitedLoss loss, double[] at, double reach) {
        int size = at.length;
        int points = 5;
        double least = loss.at(at);
        double[] theta = new double[size];
        double width = reach;
        while (width > 1e-7) {
            double[] next = at.clone();
            for (int k = 0; k < Math.pow(points, size); k++) {
                for (int j = 0, rest = k; j < size; j++, rest /= points) {
                    theta[j] = at[j] + width * (rest % points - 2) / 2.0;
                }
                double value = loss.at(theta);
                if (value < least) {
                    least = value;
                    next = theta.clone();
                }
            }
            at = next;
            width *= 0.7;
        }
        return least;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void withOneOrTwoFeaturesTheSearchFindsTheBestOfAFineGrid(int seed) {
        Random random = new Random(seed);
        for (int k = 0; k < LongRun.tries(10, 50); k++) {
            int features = 1 + random.nextInt(2);
            LimitedGame drawn = LimitedGame.plain(random, 6 + random.nextInt(10), features, 0);
            if (random.nextBoolean()) {
                drawn = new LimitedGame(drawn.game().withIntercept());
            }
            LimitedSearch.Found found = search(drawn);
            double grid = byGrid(new LimitedLoss(drawn.game(), ONE));
            double lost = drawn.game().leaderLoss(found.rule(), ONE);

            assertThat(found.objective()).as("game %d of seed %d", k, seed).isLessThanOrEqualTo(grid * (1 + 1e-6));
            assertThat(found.objective()).isCloseTo(lost, within(1e-7 * lost));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12})
    void withEffectsTheSearchFindsTheBestOfAFineGridToo(int seed) {
        Random random = new Random(seed);
        for (int k = 0; k < LongRun.tries(10, 50); k++) {
            int features = 1 + random.nextInt(2);
            PredictionGame game = LimitedGame.plain(random, 6 + random.nextInt(10), features, 0)
                    .game()
                    .withEffects(random.doubles(features, -1, 1).toArray());
            game = random.nextBoolean() ? game.withIntercept() : game;
            game = random.nextInt(3) == 0 ? game.withRidge(1) : game;
            LimitedSearch.Found found = search(new LimitedGame(game));
            double grid = byGrid(new LimitedLoss(game, ONE));
            double lost = game.leaderLoss(found.rule(), ONE) + game.penalty(found.rule());

            assertThat(found.objective()).as("game %d of seed %d", k, seed).isLessThanOrEqualTo(grid * (1 + 1e-6));
            assertThat(found.objective()).isCloseTo(lost, within(1e-7 * lost));
        }
    }

    @Test
    void theSearchIsNeverWorseThanItsStartingRules() {
        Random random = new Random(5);
        for (int k = 0; k < 20; k++) {
            LimitedGame drawn = LimitedGame.any(random, 60, 3 + random.nextInt(5), random.nextInt(3));
            LimitedLoss loss = new LimitedLoss(drawn.game(), ONE);
            LinearRule one = loss.ruleOf(random.doubles(loss.size(), -0.5, 0.5).toArray());
            LinearRule other =
                    loss.ruleOf(random.doubles(loss.size(), -0.5, 0.5).toArray());
            LimitedSearch.Found found = search(drawn, one, other);

            assertThat(found.objective())
                    .isLessThan(loss.at(loss.thetaOf(one)))
                    .isLessThan(loss.at(loss.thetaOf(other)));
            assertThat(found.objective()).isEqualTo(loss.at(loss.thetaOf(found.rule())));
        }
    }

    @Test
    @Tag("slow")
    void theRuleFoundIsALocalMinimum() {
        Random random = new Random(6);
        for (int k = 0; k < 10; k++) {
            LimitedGame drawn = LimitedGame.any(random, 300, 4, 1);
            LimitedLoss loss = new LimitedLoss(drawn.game(), ONE);
            LimitedSearch.Found found = search(drawn);
            double[] theta = loss.thetaOf(found.rule());
            for (int trial = 0; trial < 200; trial++) {
                double[] beside = theta.clone();
                double width = Math.pow(10, -1 - 4 * random.nextDouble());
                for (int j = 0; j < beside.length; j++) {
                    beside[j] += width * random.nextGaussian();
                }
                assertThat(loss.at(beside)).isGreaterThan(found.objective() * (1 - 1e-7));
            }
        }
    }

    @Test
    void theListenerReceivesEveryStepAndMayStop() {
        LimitedGame drawn = LimitedGame.plain(new Random(7), 200, 5, 1);
        Reduction ordinary = Reduction.of(drawn.game().withBounds(null), ONE);
        LimitedSearch.Found found = LimitedSearch.of(
                new LimitedSearch.Problem(drawn.game(), ordinary, null, List.of()),
                1,
                progress ->
                        progress.iteration() < 3 ? ProgressListener.Decision.CONTINUE : ProgressListener.Decision.STOP,
                ONE);

        assertThat(found.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(found.effort().iterations()).isEqualTo(3);
    }
}
