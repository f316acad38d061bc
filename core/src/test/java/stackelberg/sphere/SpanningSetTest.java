package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem.Evaluation;

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
        SphereFamily family = Reduction.of(
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
        int count = 3 * SpanningSet.MIN_POINTS;
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

    /** One row x = (0, 1), y = z/2: all of the half gradient at alphaTilde = 0 comes from what the spanning set leaves out. */
    @Test
    void theNeglectedPartBoundsTheErrorOfTheLastCoordinateToo() {
        double z = 1000;
        SphereFamily family = Reduction.of(
                        PredictionGame.of(
                                DenseMatrix.of(new double[][] {{0, 1}}), new double[] {z / 2}, new double[] {z}, 1),
                        Workers.of(1))
                .family();
        double left = 0x1p-48;
        double[] gammas = new double[SpanningSet.MIN_POINTS];
        double[][] r = new double[gammas.length][];
        for (int k = 0; k < gammas.length; k++) {
            gammas[k] = 1;
            r[k] = new double[] {1, k == 0 ? 0 : left, 0};
        }

        assertThat(SpanningSet.of(r, 2).size()).isEqualTo(1);
        Evaluation[] together = family.evaluate(gammas, r);
        for (int k = 1; k < gammas.length; k++) {
            // z'(X v)/2 with v = wTilde/2
            double error = Math.abs(together[k].halfGradient()[2] - z * left / 4);
            assertThat(together[k].neglected()).isGreaterThanOrEqualTo(error);
        }
    }

    /** Neighbours on a smooth curve in four dimensions, as the answers at forty gammas are: one after the other they seem to need more. */
    @Test
    void nearlyParallelPointsNeedNoMoreDirectionsThanTheirSpaceHas() {
        Random random = new Random(7);
        int n = 500;
        double[][] axes = new double[4][];
        for (int d = 0; d < axes.length; d++) {
            axes[d] = random.doubles(n, -1, 1).toArray();
        }
        double[][] r = new double[41][n + 1];
        for (int k = 0; k < 40; k++) {
            double t = k / 39.0;
            double[] c = {1, 0.3 * t, 0.05 * t * t, 0.01 * t * t * t};
            for (int j = 0; j < n; j++) {
                for (int d = 0; d < axes.length; d++) {
                    r[k][j] += c[d] * axes[d][j];
                }
            }
        }
        // a point that is all border
        r[40][n] = 1;

        SpanningSet span = SpanningSet.of(r, n);

        assertThat(span.size()).isEqualTo(4);
        assertThat(span.coefficients(40)).containsOnly(0);
        for (int k = 0; k < 40; k++) {
            double[] rest = Arrays.copyOf(r[k], n);
            for (int d = 0; d < 4; d++) {
                Vectors.axpy(-span.coefficients(k)[d], span.basis().column(d), rest);
            }
            assertThat(Vectors.norm(rest)).isLessThan(1e-14 * Vectors.norm(r[k]));
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
