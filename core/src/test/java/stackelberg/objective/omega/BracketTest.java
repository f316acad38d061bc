package stackelberg.objective.omega;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** The zero of functions that are hard for regula falsi: flat, steep, over many powers of ten, with a jump, at the last number. */
class BracketTest {
    /** The steps until no number is left between the ends, or the function is 0. */
    private static int steps(DoubleUnaryOperator f, double low, double high, double zero) {
        Bracket<Double> bracket = new Bracket<>(low, low, f.applyAsDouble(low), high, high, f.applyAsDouble(high));
        double nearest = low;
        for (int k = 0; k < 10_000; k++) {
            double x = bracket.next();
            if (Double.isNaN(x)) {
                assertThat(bracket.low()).isLessThanOrEqualTo(zero);
                assertThat(bracket.high()).isGreaterThanOrEqualTo(zero);
                return k;
            }
            assertThat(x).isStrictlyBetween(bracket.low(), bracket.high());
            double value = f.applyAsDouble(x);
            nearest = Math.abs(value) <= Math.abs(f.applyAsDouble(nearest)) ? x : nearest;
            if (value == 0) {
                assertThat(Math.abs(x - zero)).isLessThanOrEqualTo(1e-12 * Math.max(1, Math.abs(zero)));
                return k;
            }
            bracket.take(x, x, value);
        }
        return Integer.MAX_VALUE;
    }

    @Test
    void aLineTakesOneStep() {
        assertThat(steps(x -> 3 * x - 1.5, 0, 2, 0.5)).isLessThanOrEqualTo(1);
    }

    @Test
    void smoothFunctionsTakeFewSteps() {
        assertThat(steps(x -> Math.exp(x) - 2, 0, 3, Math.log(2))).isLessThan(40);
        assertThat(steps(Math::cos, 0, 3, Math.PI / 2)).isLessThan(40);
    }

    @Test
    void flatSteepAndJumpingFunctionsEndToo() {
        Map<String, DoubleUnaryOperator> hard = Map.of(
                "flat at the zero", x -> Math.pow(x - 1, 9),
                "steep at one end", x -> x <= 0 ? -1e300 : 1 - 1 / x,
                "flat at one end", x -> x < 0.99 ? -1e-300 : x - 1 + 1e-18,
                "a jump", x -> x < 1 ? -1 : 1e12);
        hard.forEach((what, f) -> assertThat(steps(f, 0, 50, 1)).as(what).isLessThan(700));
    }

    @Test
    void aZeroAtAnyScaleIsFound() {
        for (double zero : new double[] {1e-12, 1e-3, 1, 1e9}) {
            assertThat(steps(x -> Math.log(x / zero), 1e-20, 1e20, zero))
                    .as("zero " + zero)
                    .isLessThan(400);
        }
    }

    @Test
    void nothingLiesBetweenNeighbours() {
        Bracket<String> bracket = new Bracket<>("low", 1, -1, "high", Math.nextUp(1.0), 1);

        assertThat(bracket.next()).isNaN();
    }
}
