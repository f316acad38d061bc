package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The response at any scale and at both ends: infinite gamma, and the limit point (pull-through 1). */
class ResponseTest {
    private static final double INFINITE = Double.POSITIVE_INFINITY;

    @Test
    void pullThroughIsBetween0And1AtAnyScale() {
        assertThat(Response.pullThrough(0, 1)).isZero();
        assertThat(Response.pullThrough(INFINITE, 1)).isEqualTo(1);
        assertThat(Response.pullThrough(1, 1)).isEqualTo(0.5);
        assertThat(Response.pullThrough(1e308, 1e308)).isEqualTo(0.5);
        assertThat(Response.pullThrough(3e-320, 1e-320)).isCloseTo(0.75, within(1e-3));
        assertThat(Response.pullThrough(1e-20, 1)).isCloseTo(1e-20, within(1e-35));
    }

    @Test
    void oneMinusPullThroughKeepsItsDigitsNear0() {
        assertThat(Response.remainder(1e20, 1)).isCloseTo(1e-20, within(1e-35));
        assertThat(Response.remainder(INFINITE, 1)).isZero();
        assertThat(Response.remainder(0, 1)).isEqualTo(1);
    }

    @Test
    void aFollowerWithInfiniteGammaNeverMoves() {
        for (double omega : new double[] {0, 2, INFINITE}) {
            Response stays = Response.of(omega, INFINITE);
            assertThat(stays.pullThrough()).isZero();
            assertThat(stays.remainder()).isEqualTo(1);
            assertThat(stays.step(1, 3)).isZero();
            assertThat(stays.after(1, 3)).isEqualTo(1);
            assertThat(stays.cost(1, 3)).isZero();
            assertThat(stays.loss(1, 3, 2, 5)).isEqualTo(1);
        }
    }

    @Test
    void atTheLimitPointThePredictionIsTheWishAndTheMoveCostsNothing() {
        Response believed = Response.of(INFINITE, 2);
        assertThat(believed.after(1, 3)).isEqualTo(3);
        assertThat(believed.cost(1, 3)).isZero();
        assertThat(believed.loss(1, 3, 2, 5)).isEqualTo(1 + 25);
    }

    @Test
    void gammaIsTheInverseOfThePullThrough() {
        for (double gamma : new double[] {1e-6, 0.3, 1, 40, 1e6}) {
            double t = Response.pullThrough(2.5, gamma);
            assertThat(Response.gamma(2.5, t)).isCloseTo(gamma, within(1e-9 * gamma));
        }
        assertThat(Response.gamma(2.5, 0)).isEqualTo(INFINITE);
        assertThat(Response.gamma(2.5, -0.1)).isEqualTo(INFINITE);
        assertThat(Response.gamma(2.5, 1)).isZero();
        assertThat(Response.gamma(2.5, Double.NaN)).isNaN();
    }

    /** From sums, from scaled sums, and person by person: one loss. */
    @Test
    void theLossFromSumsIsTheSumOfTheRowsLosses() {
        Random random = new Random(31_005);
        for (double omega : new double[] {0, 1e-3, 0.7, 30, 1e9}) {
            double modelGamma = 0.4;
            double gamma = 2.5;
            double scale = Response.remainder(omega, modelGamma);
            Response response = Response.of(omega, gamma);
            double sum = 0;
            double[] sums = new double[5];
            for (int i = 0; i < 50; i++) {
                double[] v = RandomGame.normal(random, 3);
                double weight = random.nextDouble();
                double u = v[0] - v[2];
                double d = v[1] - v[2];
                sum += weight * response.loss(v[0], v[1], v[2], 0.3);
                sums[0] += weight * u * u;
                sums[1] += weight * u * d;
                sums[2] += weight * (d * d + 0.3 * 0.3);
                sums[3] += weight * scale * u * scale * u;
                sums[4] += weight * scale * u * d;
            }
            double t = response.pullThrough();
            double left = Response.scaledRemainder(gamma, modelGamma, Response.pullThrough(omega, modelGamma), scale);
            assertThat(Response.loss(response.remainder(), t, sums[0], sums[1], sums[2]))
                    .isCloseTo(sum, within(1e-12 * sum));
            assertThat(Response.loss(left, t, sums[3], sums[4], sums[2])).isCloseTo(sum, within(1e-12 * sum));
        }
        assertThat(Response.scaledRemainder(2.5, 0.4, 1, 0)).isEqualTo(2.5 / 0.4);
    }
}
