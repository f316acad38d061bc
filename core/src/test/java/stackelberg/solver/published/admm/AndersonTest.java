package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
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
