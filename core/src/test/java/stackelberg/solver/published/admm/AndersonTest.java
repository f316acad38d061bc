package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.linalg.Vectors;

/** On an affine map Anderson acceleration is a Krylov method: d + 1 steps for d distinct contraction rates, however slow these are. */
class AndersonTest {
    @Test
    void solvesAnAffineMapInAsManyStepsAsItHasRates() {
        double[] rates = {0.9, 0.99, 0.5, -0.8};
        double[] fixed = {1, -2, 3, 0.5};
        Anderson anderson = new Anderson(5);
        double[] x = new double[4];
        for (int step = 0; step < 6; step++) {
            double[] image = new double[4];
            for (int i = 0; i < 4; i++) {
                image[i] = fixed[i] + rates[i] * (x[i] - fixed[i]);
            }
            anderson.accelerate(x, image, false);
            x = image;
        }
        Vectors.axpy(-1, fixed, x);
        assertThat(Vectors.norm(x)).isLessThan(1e-9);
    }

    @Test
    void takesThePlainStepWhenTheResidualGrows() {
        Anderson anderson = new Anderson(5);
        double[] first = {1, 1};
        anderson.accelerate(new double[] {0, 0}, first, false);
        double[] second = {10, -7};
        anderson.accelerate(first, second, false);
        assertThat(second).containsExactly(10, -7);
    }

    @Test
    void takesBackAnExtrapolationThatMadeTheResidualGrow() {
        Anderson anderson = new Anderson(5);
        double[] first = {1, 1};
        anderson.accelerate(new double[] {0, 0}, first, false);
        double[] image = {1.5, 1.4};
        double[] second = image.clone();
        anderson.accelerate(first, second, false);
        assertThat(second).isNotEqualTo(image);
        double[] third = {100, 100};
        anderson.accelerate(second, third, false);
        assertThat(third).containsExactly(image);
    }

    /** Residuals that stay as they are: 12 tries, back to T of the last point of the chain, 1, 2, 4, 8 and always 8 plain steps, and again. */
    @Test
    void failedExtrapolationsReturnToTheChainAndPlainSteps() {
        Random random = new Random(33_002);
        Anderson anderson = new Anderson(5);
        double[] x = new double[8];
        double[] chain = null;
        for (int plain : new int[] {1, 1, 2, 4, 8, 8, 8}) {
            // the first of these points is in the chain, and so is the image of each but the last
            for (int step = 0; step < plain; step++) {
                double[] image = plus(x, unit(random, 8));
                chain = image.clone();
                anderson.accelerate(x, image, false);
                if (step < plain - 1) {
                    assertThat(image).as("plain step " + step + " of " + plain).containsExactly(chain);
                }
                x = image;
            }
            for (int tried = 1; tried <= 12; tried++) {
                double[] image = plus(x, unit(random, 8));
                anderson.accelerate(x, image, false);
                assertThat(image).as("try " + tried).isNotEqualTo(chain);
                x = image;
            }
            double[] image = plus(x, unit(random, 8));
            anderson.accelerate(x, image, false);
            assertThat(image).as("after 12 tries").containsExactly(chain);
            x = image;
        }
    }

    /** What enters the chain on the way, by 0.9 times the residual or by a lower f, is where it returns to; by 0.91 times it does not enter. */
    @ParameterizedTest
    @CsvSource({"0.9, false, true", "0.91, false, false", "1, true, true", "1, false, false"})
    void aPointEntersTheChainByItsResidualOrByALowerValue(double share, boolean lower, boolean enters) {
        Random random = new Random(33_003);
        Anderson anderson = new Anderson(5);
        double[] x = new double[8];
        double[] chain = null;
        int last = enters ? 5 + 13 : 13;
        for (int step = 0; step <= last; step++) {
            double[] way = unit(random, 8);
            Vectors.scale(step == 5 ? share * (1 - 1e-12) : step > 5 ? share : 1, way);
            double[] image = plus(x, way);
            if (step == 0 || step == 5 && enters) {
                chain = image.clone();
            }
            anderson.accelerate(x, image, lower && step == 5);
            assertThat(Arrays.equals(image, chain)).as("step " + step).isEqualTo(step == 0 || step == last);
            x = image;
        }
    }

    /** Halfway to three reflections at convex sets that meet: nonexpansive, and with the chain the residual vanishes though T bends. */
    @Test
    void onNonexpansiveMapsThatBendTheResidualVanishes() {
        Random random = new Random(33_004);
        for (int trial = 0; trial < 50; trial++) {
            double[] a = unit(random, 6);
            double[] b = unit(random, 6);
            double turn = 0.2 + random.nextDouble();
            Anderson anderson = new Anderson(5);
            double[] x = unit(random, 6);
            Vectors.scale(20, x);
            double least = Double.POSITIVE_INFINITY;
            for (int step = 0; step < 20_000 && least > 1e-10; step++) {
                double[] image = bent(x, a, b, turn);
                least = Math.min(least, Vectors.norm(minus(image, x)));
                anderson.accelerate(x, image, false);
                x = image;
            }
            assertThat(least).as("trial " + trial).isLessThanOrEqualTo(1e-10);
        }
    }

    /** (x + R x)/2, R the reflections at {a'x >= turn}, then {b'x >= 0}, then the ball of radius 1.5. */
    private static double[] bent(double[] x, double[] a, double[] b, double turn) {
        double[] y = reflected(reflected(x, a, turn), b, 0);
        double norm = Vectors.norm(y);
        double[] image = y.clone();
        Vectors.scale(norm > 1.5 ? 2 * 1.5 / norm - 1 : 1, image);
        Vectors.axpy(1, x, image);
        Vectors.scale(0.5, image);
        return image;
    }

    private static double[] reflected(double[] x, double[] normal, double offset) {
        double[] y = x.clone();
        Vectors.axpy(2 * Math.max(0, offset - Vectors.dot(normal, x)), normal, y);
        return y;
    }

    private static double[] unit(Random random, int d) {
        double[] v = random.doubles(d).map(u -> u - 0.5).toArray();
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }

    private static double[] plus(double[] x, double[] way) {
        double[] sum = x.clone();
        Vectors.axpy(1, way, sum);
        return sum;
    }

    private static double[] minus(double[] x, double[] y) {
        double[] difference = x.clone();
        Vectors.axpy(-1, y, difference);
        return difference;
    }

    @Test
    void leastSquaresIgnoresDependentColumns() {
        Random random = new Random(33_001);
        double[] a = random.doubles(6).toArray();
        double[] b = Arrays.stream(a).map(v -> 2 * v).toArray();
        double[] right = Arrays.stream(a).map(v -> 3 * v).toArray();
        double[] c = LeastSquares.solve(new double[][] {a, b}, right, 1e-10);
        double[] rest = right.clone();
        Vectors.axpy(-c[0], a, rest);
        Vectors.axpy(-c[1], b, rest);
        assertThat(Vectors.norm(rest)).isLessThan(1e-14);
        assertThat(c[0]).isZero();
    }
}
