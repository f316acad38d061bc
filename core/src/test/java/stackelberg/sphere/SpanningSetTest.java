package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** Many points in few directions are evaluated together as they would be one by one. */
class SpanningSetTest {
    @Test
    void pointsInAPlaneAreEvaluatedThroughItsBasis() {
        Random random = new Random(5);
        int m = 40;
        int n = 15;
        double[][] x = new double[m][];
        double[][] sides = new double[4][];
        for (int i = 0; i < m; i++) {
            x[i] = random.doubles(n, -1, 1).toArray();
        }
        for (int k = 0; k < sides.length; k++) {
            sides[k] = random.doubles(m, 0.5, 2).toArray();
        }
        SphereFamily family = SphereReduction.of(
                        PredictionGame.of(DenseMatrix.of(x), sides[0], sides[1], 1)
                                .withIntercept()
                                .withImmutable(sides[2])
                                .withWeights(sides[3])
                                .withWishNoise(0.3),
                        Workers.of(2))
                .family();
        double[][] plane = {
            random.doubles(n, -1, 1).toArray(), random.doubles(n, -1, 1).toArray()
        };
        int count = 3 * SpanningSet.WORTHWHILE;
        double[] gammas = new double[count];
        double[][] r = new double[count][n + 1];
        for (int k = 0; k < count; k++) {
            gammas[k] = Math.pow(10, -3 + 0.3 * k);
            r[k][n] = random.nextGaussian();
            for (double[] direction : plane) {
                double c = random.nextGaussian();
                for (int j = 0; j < n; j++) {
                    r[k][j] += c * direction[j];
                }
            }
            Vectors.scale(1 / Vectors.norm(r[k]), r[k]);
        }

        assertThat(SpanningSet.of(r, n).size()).isEqualTo(2);
        Evaluation[] together = family.evaluate(gammas, r);
        for (int k = 0; k < count; k++) {
            Evaluation alone = family.evaluate(new double[] {gammas[k]}, new double[][] {r[k]})[0];
            double scale = family.at(gammas[k]).roundingScale();
            assertThat(together[k].objective()).isCloseTo(alone.objective(), within(1e-13 * alone.objective()));
            assertThat(together[k].neglected()).isLessThan(1e-14 * scale);
            for (int j = 0; j <= n; j++) {
                assertThat(together[k].halfGradient()[j]).isCloseTo(alone.halfGradient()[j], within(1e-14 * scale));
            }
        }
    }

    @Test
    void pointsInGeneralPositionHaveNoSmallSpanningSet() {
        Random random = new Random(6);
        double[][] r = new double[10][];
        for (int k = 0; k < r.length; k++) {
            r[k] = random.doubles(31, -1, 1).toArray();
        }

        assertThat(SpanningSet.of(r, 30)).isNull();
    }
}
