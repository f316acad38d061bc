package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;

/** Units from 1e-150 to 1e150 in X, y and gamma: the answer is right, or the failure is clear; no false certificate, no NaN. */
class ExtremeScalesTest {
    private static final double[] UNITS = {1e-150, 1e-100, 1e-30, 1e-8, 1, 1e8, 1e30, 1e100, 1e150};

    @Test
    void noChoiceOfUnitsGivesAFalseCertificate() {
        Random random = new Random(95_001);
        PredictionGame plain = RandomGame.plain(random, 9, 2, 1);
        int certified = 0;
        for (double xUnit : UNITS) {
            for (double yUnit : UNITS) {
                for (double gamma : UNITS) {
                    PredictionGame game = inUnits(plain, xUnit, yUnit, gamma);
                    String what = "X " + xUnit + ", y " + yUnit + ", gamma " + gamma;
                    Equilibrium answer;
                    try {
                        answer = Equilibrium.of(game);
                    } catch (IllegalArgumentException e) {
                        assertThat(e.getMessage()).as(what).contains("Maybe");
                        continue;
                    }
                    what += ": " + answer.proof();
                    assertThat(answer.proof().gapBound()).as(what).isNotNaN();
                    assertThat(answer.proof().objective()).as(what).isNotNaN();
                    if (answer.certified()) {
                        certified++;
                        // the same game in friendly units: X/c, gamma c^2 and y/d, gamma/d^2
                        double friendlyGamma = gamma * xUnit / yUnit * xUnit / yUnit;
                        if (friendlyGamma > 1e-12 && friendlyGamma < 1e12) {
                            var friendly = Equilibrium.of(inUnits(plain, 1, 1, friendlyGamma));
                            assertThat(answer.proof().objective() / yUnit / yUnit)
                                    .as(what)
                                    .isCloseTo(
                                            friendly.proof().objective(),
                                            within(1e-8 * friendly.proof().objective()));
                        }
                        assertThat(answer.rule().w()).as(what).doesNotContain(Double.NaN);
                    }
                }
            }
        }
        assertThat(certified).isGreaterThan(40);
    }

    @Test
    void unitsThatOverflowOrUnderflowAreRefusedByName() {
        PredictionGame plain = RandomGame.plain(new Random(95_002), 9, 2, 1);
        for (double unit : new double[] {1e-200, 1e-170, 1e170, 1e200}) {
            assertThatThrownBy(() -> Equilibrium.of(inUnits(plain, 1, unit, 1)))
                    .as("y in units of " + unit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Maybe");
            assertThatThrownBy(() -> Equilibrium.of(inUnits(plain, unit, 1, 1)))
                    .as("X in units of " + unit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("(?s).*(other units|too large to square).*");
        }
    }

    @Test
    void featureThatIsNotANumberIsRefusedByName() {
        PredictionGame plain = RandomGame.plain(new Random(95_003), 9, 2, 1);
        double[][] x = RandomGame.rows(plain);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            x[4][1] = bad;
            assertThatThrownBy(() -> Equilibrium.of(PredictionGame.of(DenseMatrix.of(x), plain.y(), plain.z(), 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not finite");
        }
    }

    private static PredictionGame inUnits(PredictionGame game, double xUnit, double yUnit, double gamma) {
        double[][] x = Arrays.stream(RandomGame.rows(game))
                .map(row -> times(row, xUnit))
                .toArray(double[][]::new);
        return PredictionGame.of(DenseMatrix.of(x), times(game.y(), yUnit), times(game.z(), yUnit), gamma)
                .withIntercept();
    }

    private static double[] times(double[] v, double c) {
        return Arrays.stream(v).map(value -> value * c).toArray();
    }
}
