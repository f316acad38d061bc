package stackelberg.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.RandomGame;
import stackelberg.linalg.Vectors;

/** The lowest point of the circle through r and a direction, against a walk round that circle. */
class ImprovementTest {
    @Test
    void bestPointOfTheCircleIsFound() {
        Random random = new Random(83_001);
        for (int trial = 0; trial < 40; trial++) {
            StatedProblem problem = random(random, 3);
            double[] r = RandomGame.unit(random, 3);
            double[] direction = RandomGame.unit(random, 3);
            double[] u = orthogonal(direction, r);
            double[] better = Improvement.along(problem, r, problem.evaluate(r), direction)
                    .orElse(r);
            assertThat(Vectors.norm(better)).isCloseTo(1, within(1e-15));
            // in the plane of r and u
            double cos = Vectors.dot(better, r);
            double sin = Vectors.dot(better, u);
            assertThat(cos * cos + sin * sin).isCloseTo(1, within(1e-12));
            double lowest = Double.POSITIVE_INFINITY;
            for (int k = 0; k < 1000; k++) {
                double angle = 2 * Math.PI * k / 1000;
                double[] x = {0, 0, 0};
                Vectors.axpy(Math.cos(angle), r, x);
                Vectors.axpy(Math.sin(angle), u, x);
                lowest = Math.min(lowest, problem.objective(x));
            }
            // its own angles are 0.0015 apart, and f has a curvature of at most some 20
            assertThat(problem.objective(better)).isLessThanOrEqualTo(lowest + 1e-5);
        }
    }

    @Test
    void pointThatIsTheBestOfItsCircleIsNotImproved() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {-1, 2}, new double[] {-1, 0}, 0);
        double[] r = {1, 0};
        assertThat(Improvement.along(problem, r, problem.evaluate(r), new double[] {0, 1}))
                .isEmpty();
    }

    @Test
    void ofTwoEquallyLowPointsTheOneTowardsTheDirectionIsFound() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {0, -1, 5}, new double[3], 0);
        double[] r = {1, 0, 0};
        for (int sign : new int[] {1, -1}) {
            double[] direction = {0.6, 0.8 * sign, 0};
            double[] better = Improvement.along(problem, r, problem.evaluate(r), direction)
                    .orElseThrow();
            // of the two that are equally good, the one that the direction points at
            assertThat(better).containsExactly(new double[] {0, sign, 0}, within(1e-15));
        }
    }

    @Test
    void aDirectionEqualToThePointGivesOnlyItsOpposite() {
        StatedProblem problem = StatedProblem.diagonal(new double[] {-1, 2}, new double[] {1, 0}, 0);
        double[] r = {1, 0};
        for (double[] direction : new double[][] {{1, 0}, {-1, 1e-9}}) {
            assertThat(Improvement.along(problem, r, problem.evaluate(r), direction))
                    .hasValueSatisfying(x -> assertThat(x).containsExactly(-1, -0.0));
        }
        assertThat(r).containsExactly(1, 0);
    }

    private static double[] orthogonal(double[] direction, double[] r) {
        double[] u = direction.clone();
        Vectors.axpy(-Vectors.dot(u, r), r, u);
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }

    static StatedProblem random(Random random, int d) {
        double[][] h = new double[d][d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                h[i][j] = random.nextGaussian();
                h[j][i] = h[i][j];
            }
        }
        return StatedProblem.full(h, RandomGame.normal(random, d), 0);
    }
}
