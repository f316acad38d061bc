package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

class BoundedResponseTest {
    private static final int PEOPLE = 100_000;

    /** A person, a rule and a box, drawn at random: some outside their box, some at its edge, some columns without bounds. */
    private static final class Drawn {
        private final double[] w;
        private final double[] costs;
        private final double[] low;
        private final double[] high;
        private final double[] x;
        private final double fixed;
        private final double wish;
        private final double gamma;

        Drawn(Random random) {
            int n = 1 + random.nextInt(6);
            w = new double[n];
            costs = new double[n];
            low = new double[n];
            high = new double[n];
            x = new double[n];
            for (int j = 0; j < n; j++) {
                w[j] = random.nextInt(8) == 0 ? 0 : random.nextGaussian();
                costs[j] = Math.exp(random.nextGaussian());
                x[j] = random.nextGaussian();
                double a = random.nextGaussian();
                low[j] = random.nextInt(4) == 0 ? Double.NEGATIVE_INFINITY : random.nextInt(6) == 0 ? x[j] : a;
                high[j] = random.nextInt(4) == 0
                        ? Double.POSITIVE_INFINITY
                        : Math.max(a, Double.isInfinite(low[j]) ? a : low[j]) + random.nextDouble();
                if (random.nextInt(8) == 0) {
                    low[j] = Double.POSITIVE_INFINITY;
                }
                if (random.nextInt(8) == 0) {
                    high[j] = Double.NEGATIVE_INFINITY;
                }
            }
            fixed = random.nextGaussian();
            wish = 3 * random.nextGaussian();
            gamma = Math.exp(2 * random.nextGaussian());
        }

        double prediction() {
            double p = fixed;
            for (int j = 0; j < w.length; j++) {
                p += w[j] * x[j];
            }
            return p;
        }

        double least(int j) {
            return Math.min(low[j], x[j]);
        }

        double most(int j) {
            return Math.max(high[j], x[j]);
        }

        double omega() {
            double omega = 0;
            for (int j = 0; j < w.length; j++) {
                omega += w[j] * w[j] / costs[j];
            }
            return omega;
        }

        Response.Bounded answer(GameSpec.Side side) {
            var bounded = new Response.Bounded(w, omega(), costs, new Response.Bounds(low, high, side), null);
            System.arraycopy(x, 0, bounded.features(), 0, x.length);
            return bounded.answer(prediction(), wish, gamma);
        }

        /** The optimum of the person's quadratic program by trying which features are at which end: the one that satisfies the optimality conditions. */
        double[] byEveryActiveSet() {
            int n = w.length;
            int patterns = (int) Math.pow(3, n);
            double[] best = null;
            double bestValue = Double.POSITIVE_INFINITY;
            for (int pattern = 0; pattern < patterns; pattern++) {
                double[] at = new double[n];
                double score = fixed;
                double free = 0;
                boolean sensible = true;
                for (int j = 0, rest = pattern; j < n; j++, rest /= 3) {
                    at[j] = rest % 3 == 0 ? Double.NaN : rest % 3 == 1 ? least(j) : most(j);
                    sensible &= !Double.isInfinite(at[j]);
                    boolean moving = Double.isNaN(at[j]);
                    score += w[j] * (moving ? x[j] : at[j]);
                    free += moving ? w[j] * w[j] / (gamma * costs[j]) : 0;
                }
                if (!sensible) {
                    continue;
                }
                // of the free ones x_j - s w_j/(gamma c_j), s the residual that is left
                double s = (score - wish) / (1 + free);
                boolean inside = true;
                for (int j = 0; j < n; j++) {
                    if (Double.isNaN(at[j])) {
                        at[j] = x[j] - s * w[j] / (gamma * costs[j]);
                        inside &= at[j] >= least(j) - 1e-12 && at[j] <= most(j) + 1e-12;
                    }
                }
                double value = inside ? value(at) : Double.POSITIVE_INFINITY;
                if (value < bestValue) {
                    bestValue = value;
                    best = at;
                }
            }
            return best;
        }

        double value(double[] at) {
            double score = fixed - wish;
            double cost = 0;
            for (int j = 0; j < w.length; j++) {
                score += w[j] * at[j];
                cost += costs[j] * (at[j] - x[j]) * (at[j] - x[j]);
            }
            return score * score + gamma * cost;
        }
    }

    @Test
    void theResponseIsTheOptimumOfTheBoundedQuadraticProgram() {
        Random random = new Random(1);
        int stopped = 0;
        for (int i = 0; i < PEOPLE; i++) {
            Drawn drawn = new Drawn(random);
            Response.Bounded person = drawn.answer(null);
            double[] best = drawn.byEveryActiveSet();
            double score = drawn.fixed;
            double cost = 0;
            for (int j = 0; j < best.length; j++) {
                double after = drawn.x[j] + person.move(j);
                double scale = 1 + Math.abs(best[j]);
                assertThat(after).isCloseTo(best[j], within(1e-10 * scale));
                assertThat(after).isBetween(drawn.least(j) - 1e-15 * scale, drawn.most(j) + 1e-15 * scale);
                score += drawn.w[j] * best[j];
                cost += drawn.gamma * drawn.costs[j] * (best[j] - drawn.x[j]) * (best[j] - drawn.x[j]);
            }
            assertThat(person.after()).isCloseTo(score, within(1e-10 * (1 + Math.abs(score))));
            assertThat(person.cost()).isCloseTo(cost, within(1e-10 * (1 + cost)));
            stopped += person.isStopped() ? 1 : 0;
        }
        assertThat(stopped).isBetween(PEOPLE / 4, PEOPLE);
    }

    @Test
    void limitsThatStopNoRowLeaveTheClosedFormToTheLastBit() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            Drawn drawn = new Drawn(random);
            Arrays.fill(drawn.low, -1e9);
            Arrays.fill(drawn.high, 1e9);
            Response.Bounded person = drawn.answer(null);
            Response free = Response.of(drawn.omega(), drawn.gamma);

            assertThat(person.isStopped()).isFalse();
            assertThat(person.after()).isEqualTo(free.after(drawn.prediction(), drawn.wish));
            assertThat(person.cost()).isEqualTo(free.cost(drawn.prediction(), drawn.wish));
            assertThat(person.loss(drawn.prediction(), drawn.wish, drawn.gamma, 0.3, 0.7))
                    .isEqualTo(free.loss(drawn.prediction(), drawn.wish, 0.3, 0.7));
        }
    }

    @Test
    void withSideUpNoFollowerLowersItsScore() {
        Random random = new Random(3);
        for (int i = 0; i < 1_000; i++) {
            Drawn drawn = new Drawn(random);
            Response.Bounded person = drawn.answer(GameSpec.Side.UP);
            boolean enough = drawn.prediction() >= drawn.wish;

            assertThat(person.after())
                    .isEqualTo(enough ? drawn.prediction() : drawn.answer(null).after());
            assertThat(person.isStuck())
                    .isEqualTo(enough && drawn.omega() > 0
                            || drawn.omega() > 0 && drawn.answer(null).cost() == 0);
        }
    }

    @Test
    void wishNoiseIsIntegratedAsANormalDistribution() {
        Random random = new Random(4);
        double exactly = 0;
        double byNodes = 0;
        for (int i = 0; i < 500; i++) {
            Drawn drawn = new Drawn(random);
            Response.Bounded person = drawn.answer(null);
            double by = person.loss(drawn.prediction(), drawn.wish, drawn.gamma, 0.3, 0.7);
            // a fine midpoint sum over 10 standard deviations
            double sum = 0;
            double total = 0;
            for (int k = 0; k < 2_000; k++) {
                double u = -8 + 16 * (k + 0.5) / 2_000;
                double density = Math.exp(-u * u / 2);
                double residual = person.answer(drawn.prediction(), drawn.wish + 0.7 * u, drawn.gamma)
                                .after()
                        - 0.3;
                sum += density * residual * residual;
                total += density;
            }
            // a kink between two nodes costs one person some percent, and many people nearly nothing
            assertThat(by).isCloseTo(sum / total, within(0.02 * (sum / total + 0.7 * 0.7)));
            byNodes += by;
            exactly += sum / total;
        }
        assertThat(byNodes).isCloseTo(exactly, within(3e-4 * exactly));
    }

    @Test
    void theLeadersLossIsTheSumOverRowsForAnyNumberOfThreads() {
        Random random = new Random(5);
        int rows = 3_000;
        DenseMatrix x = DenseMatrix.zeros(rows, 40);
        double[] y = random.doubles(rows).toArray();
        double[] z = random.doubles(rows, 0, 3).toArray();
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < 40; j++) {
                x.set(i, j, random.nextGaussian());
            }
        }
        double[] w = random.doubles(40, -0.3, 0.3).toArray();
        LinearRule rule = new LinearRule(w, new double[0], 0);
        double[] low = new double[40];
        double[] high = new double[40];
        Arrays.fill(high, 0.1);
        PredictionGame game = PredictionGame.of(x, y, z, 0.5).withBounds(new Response.Bounds(low, high, null));
        PredictionGame free = game.withBounds(null);
        PredictionGame wide = game.withBounds(Response.Bounds.none(40, null));

        assertThat(game.leaderLoss(rule, Workers.of(1))).isEqualTo(game.leaderLoss(rule, Workers.of(3)));
        assertThat(game.leaderLoss(rule, Workers.of(1)))
                .isNotCloseTo(free.leaderLoss(rule, Workers.of(1)), within(1.0));
        assertThat(wide.predictAfterResponse(rule, Workers.of(1)))
                .isEqualTo(free.predictAfterResponse(rule, Workers.of(1)));
    }

    @Test
    void limitsAreParsedAndPrintedInTheSameWords() {
        GameSpec spec = GameSpec.builder()
                .limit("citric acid>=0")
                .limit("savings <= 1e6")
                .limit("schooling up")
                .limit("debt down")
                .limit("debt>=0")
                .limit("data")
                .oneSided(GameSpec.Side.UP)
                .build();

        assertThat(spec.limits().inWords())
                .containsExactly("citric acid>=0", "schooling up", "debt>=0", "savings<=1000000", "debt down", "data");
        GameSpec.Limits again = GameSpec.Limits.NONE;
        for (String words : spec.limits().inWords()) {
            again = again.and(words);
        }
        assertThat(again.floors()).isEqualTo(spec.limits().floors());
        assertThat(again.ceilings()).isEqualTo(spec.limits().ceilings());
        GameSpec.Limits followUp = GameSpec.Limits.NONE.and("follow up>=0");
        assertThat(followUp.floors()).containsOnlyKeys("follow up");
        assertThat(GameSpec.Limits.NONE.and(followUp.inWords().get(0))).isEqualTo(followUp);
        assertThatThrownBy(() -> GameSpec.Limits.NONE.and("debt>0")).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> GameSpec.Limits.NONE.and("debt>=0,savings<=2")).hasMessageContaining("more than one");
        assertThatThrownBy(() -> GameSpec.Limits.NONE.and("debt up down")).hasMessageContaining("more than one");
        assertThatThrownBy(() -> GameSpec.Limits.NONE.and("debt>=much")).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> GameSpec.Limits.NONE.and("a>=2").and("a<=1")).hasMessageContaining("leave no value");
    }
}
