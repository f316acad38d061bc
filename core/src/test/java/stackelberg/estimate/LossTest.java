package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LossTest {
    static Stream<Loss> losses() {
        return Stream.of(Loss.SQUARED, Loss.LOGISTIC, Loss.huber(0.7));
    }

    private static final double[] SCORES = {-40, -3, -0.9, -0.2, 0, 0.1, 0.65, 1.4, 5, 40};

    @ParameterizedTest
    @MethodSource("losses")
    void slopesAndCurvaturesAreDerivatives(Loss loss) {
        for (double y : new double[] {0, 1}) {
            for (double s : SCORES) {
                double h = 1e-5;
                double slope = (loss.value(s + h, y) - loss.value(s - h, y)) / (2 * h);
                assertThat(loss.slope(s, y)).isCloseTo(slope, within(1e-7 * (1 + Math.abs(slope))));
                double curvature = (loss.slope(s + h, y) - loss.slope(s - h, y)) / (2 * h);
                assertThat(loss.curvature(s, y)).isCloseTo(curvature, within(1e-7));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("losses")
    void conjugatesAreLowerBoundsThatAreAttainedAtTheSlope(Loss loss) {
        for (double y : new double[] {0, 1}) {
            for (double s : SCORES) {
                double a = loss.slope(s, y);
                assertThat(a).isBetween(loss.lowest(y), loss.highest(y));
                assertThat(a * s - loss.conjugate(a, y))
                        .isCloseTo(loss.value(s, y), within(1e-9 * (1 + loss.value(s, y))));
                for (double other : SCORES) {
                    assertThat(a * other - loss.conjugate(a, y)).isLessThanOrEqualTo(loss.value(other, y) + 1e-9);
                }
            }
        }
    }

    @Test
    void conjugatesAreInfiniteOutsideTheirDomain() {
        assertThat(Loss.LOGISTIC.conjugate(0.1, 1)).isInfinite();
        assertThat(Loss.LOGISTIC.conjugate(-1.1, 1)).isInfinite();
        assertThat(Loss.LOGISTIC.conjugate(0, 1)).isZero();
        assertThat(Loss.huber(1).conjugate(2.1, 0)).isInfinite();
    }

    @Test
    void logisticLossKeepsItsDigitsFarOut() {
        assertThat(Loss.LOGISTIC.value(800, 0)).isEqualTo(800);
        assertThat(Loss.LOGISTIC.value(-800, 1)).isEqualTo(800);
        assertThat(Loss.LOGISTIC.value(40, 1)).isCloseTo(Math.exp(-40), within(1e-30));
        assertThat(Loss.LOGISTIC.slope(40, 1)).isCloseTo(-Math.exp(-40), within(1e-30));
        assertThat(Loss.LOGISTIC.score(Loss.LOGISTIC.prediction(1.25))).isCloseTo(1.25, within(1e-14));
    }

    @ParameterizedTest
    @MethodSource("losses")
    void aLossIsParsedFromItsOwnText(Loss loss) {
        assertThat(Loss.of(loss.inWords())).isEqualTo(loss);
    }

    @Test
    void unknownLossesAreRefused() {
        for (String words :
                new String[] {"", "hinge", "huber", "huber:", "huber:x", "huber:-1", "huber:0", "huber:NaN"}) {
            assertThatThrownBy(() -> Loss.of(words))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Maybe");
        }
    }
}
