package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** The way from the game to the sphere and back: the maps to the last digits, and the loss of the rule equal to f of the point. */
class ReductionTest {
    private static final Workers ONE = Workers.of(1);
    private static final MathContext DIGITS = new MathContext(80);

    /** alpha from 1e-24 (alphaTilde = -1) over 1 (alphaTilde = 0) to 1e24 (alphaTilde = 1): the true map in 80 digits, rounded once. */
    @Test
    void backwardMapLosesNoDigitsAnywhere() {
        Random random = new Random(61_001);
        for (int exponent = -24; exponent <= 24; exponent++) {
            double gamma = Math.pow(10, -6 + 12 * random.nextDouble());
            double size = Math.sqrt(gamma * Math.pow(10, exponent));
            double[] w = RandomGame.unit(random, 4);
            for (int j = 0; j < w.length; j++) {
                w[j] *= size;
            }
            double[] r = exactPointOf(w, gamma);
            double[] back = SphereGeometry.coefficients(r, gamma);
            double[] forward = SphereGeometry.pointOf(w, gamma);
            for (int j = 0; j < w.length; j++) {
                assertThat(back[j]).as("alpha 1e" + exponent).isCloseTo(w[j], within(2e-15 * Math.abs(w[j])));
                assertThat(forward[j]).isCloseTo(r[j], within(2e-15 * Math.abs(r[j])));
            }
            assertThat(forward[4]).isCloseTo(r[4], within(1e-15));
        }
    }

    @Test
    void backwardMapReachesRulesWhoseSquareOverflows() {
        double[] w = SphereGeometry.coefficients(new double[] {3e-170, -4e-170, 1}, 1);
        assertThat(w[0]).isCloseTo(2 * 0.6 / 5e-170, within(1e156));
        assertThat(w[1]).isCloseTo(-2 * 0.8 / 5e-170, within(1e156));
    }

    /** So that a certificate factors H on as many threads as its caller asked for. */
    @Test
    void problemsKnowTheThreadsTheReductionWasGiven() {
        Workers given = Workers.of(3);
        PredictionGame game = RandomGame.plain(new Random(61_009), 12, 4, 1);
        assertThat(Reduction.of(game, given).family().at(0.5).workers()).isSameAs(given);
    }

    private static double[] exactPointOf(double[] w, double gamma) {
        BigDecimal square = BigDecimal.ZERO;
        for (double value : w) {
            square = square.add(new BigDecimal(value).pow(2));
        }
        BigDecimal g = new BigDecimal(gamma);
        BigDecimal alpha = square.divide(g, DIGITS);
        BigDecimal onePlus = alpha.add(BigDecimal.ONE);
        double[] r = new double[w.length + 1];
        for (int j = 0; j < w.length; j++) {
            r[j] = new BigDecimal(w[j])
                    .multiply(BigDecimal.valueOf(2))
                    .divide(g.sqrt(DIGITS).multiply(onePlus), DIGITS)
                    .doubleValue();
        }
        r[w.length] = alpha.subtract(BigDecimal.ONE).divide(onePlus, DIGITS).doubleValue();
        return r;
    }

    /** The invariant, at random points and at points with t next to 0 and next to 1. */
    @Test
    void lossOfTheRecoveredRuleIsTheObjectiveOfThePoint() {
        Random random = new Random(61_002);
        for (int trial = 0; trial < 200; trial++) {
            int n = 1 + random.nextInt(6);
            int m = 1 + random.nextInt(12);
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, m, n, random.nextInt(3), gamma);
            Reduction reduction = Reduction.of(game, ONE);
            double[] r = RandomGame.unit(random, n + 1);
            if (trial % 2 == 0) {
                double size = Math.pow(10, -10 * random.nextDouble());
                double rest = Math.sqrt(1 - r[n] * r[n]);
                for (int j = 0; j < n; j++) {
                    r[j] *= size / rest;
                }
                r[n] = Math.copySign(Math.sqrt((1 - size) * (1 + size)), r[n]);
            }
            double f = reduction.family().at(gamma).evaluate(r).objective();
            LinearRule rule = reduction.recover(r, gamma);

            String what = "trial " + trial + ", n " + n + ", m " + m + ", alphaTilde " + r[n];
            double scale = reduction.family().p() + f;
            assertThat(game.leaderLoss(rule, ONE)).as(what).isCloseTo(f, within(1e-11 * scale));
            assertThat(game.pullThrough(rule)).as(what).isCloseTo((1 + r[n]) / 2, within(1e-14));
        }
    }

    /** q minimises: no other immutable coefficients have a smaller loss with the same w. */
    @Test
    void recoveredImmutableCoefficientsAreTheBestForTheRule() {
        Random random = new Random(61_003);
        PredictionGame game = RandomGame.general(random, 12, 3, 2, 0.3);
        Reduction reduction = Reduction.of(game, ONE);
        for (int trial = 0; trial < 50; trial++) {
            LinearRule rule = reduction.recover(RandomGame.unit(random, 4), 0.3);
            double loss = game.leaderLoss(rule, ONE);
            double[] q = rule.q();
            q[trial % 2] += 1e-3 * random.nextGaussian();
            LinearRule other = new LinearRule(rule.w(), q, rule.intercept() + 1e-3 * random.nextGaussian());
            assertThat(game.leaderLoss(other, ONE)).isGreaterThan(loss);
        }
    }

    @Test
    void collinearImmutableColumnsChangeNothing() {
        Random random = new Random(61_004);
        PredictionGame game = RandomGame.plain(random, 12, 3, 0.3).withIntercept();
        double[] v = RandomGame.normal(random, 12);
        double[] twice = Arrays.stream(v).map(a -> 3 * a - 2).toArray();
        double[] constant = new double[12];
        Arrays.fill(constant, 7);
        Reduction once = Reduction.of(game.withImmutable(v), ONE);
        PredictionGame redundant = game.withImmutable(v, twice, constant, new double[12]);
        Reduction again = Reduction.of(redundant, ONE);
        for (int trial = 0; trial < 20; trial++) {
            double[] r = RandomGame.unit(random, 4);
            double f = once.family().at(0.3).evaluate(r).objective();
            assertThat(again.family().at(0.3).evaluate(r).objective()).isCloseTo(f, within(1e-12 * f));
            assertThat(redundant.leaderLoss(again.recover(r, 0.3), ONE)).isCloseTo(f, within(1e-12 * f));
        }
    }

    /** The units of an immutable column are no property of the game, even where its squares leave the range of doubles. */
    @Test
    void unitsOfAnImmutableColumnChangeNothing() {
        Random random = new Random(61_005);
        PredictionGame game = RandomGame.plain(random, 12, 3, 0.3).withIntercept();
        double[] v = RandomGame.normal(random, 12);
        double[] r = RandomGame.unit(random, 4);
        double f = Reduction.of(game.withImmutable(v), ONE)
                .family()
                .at(0.3)
                .evaluate(r)
                .objective();
        for (double unit : new double[] {1e-300, 1e-170, 1e-8, 1e8, 1e170, 1e300}) {
            PredictionGame scaled =
                    game.withImmutable(Arrays.stream(v).map(a -> unit * a).toArray());
            double objective =
                    Reduction.of(scaled, ONE).family().at(0.3).evaluate(r).objective();
            assertThat(objective).as("unit " + unit).isCloseTo(f, within(1e-10 * f));
        }
    }

    /** Without manipulable features alphaTilde = 1 is no limit of rules: the sphere would promise what no rule attains. */
    @Test
    void gameWithoutManipulableFeaturesIsRefused() {
        PredictionGame game =
                PredictionGame.of(DenseMatrix.zeros(3, 0), new double[] {1, 2, 3}, new double[] {1, 2, 4}, 1);
        assertThatThrownBy(() -> Reduction.of(game.withIntercept(), ONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no manipulable feature")
                .hasMessageContaining("Maybe");
    }
}
