package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

class NewtonRegressionTest {
    private static final Workers ONE = Workers.of(1);

    private static DenseMatrix normal(int m, int n, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DenseMatrix x = DenseMatrix.zeros(m, n);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x.set(i, j, 3 * j + (1 + j) * (random.nextDouble() + random.nextDouble() - 1));
            }
        }
        return x;
    }

    private static double[] ones(int m) {
        double[] ones = new double[m];
        Arrays.fill(ones, 1);
        return ones;
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.3"})
    void theGradientVanishes(String words) {
        Loss loss = Loss.of(words);
        DenseMatrix x = normal(300, 4, 1);
        SplittableRandom random = new SplittableRandom(2);
        double[] y = new double[300];
        Arrays.setAll(y, i -> random.nextDouble() < Loss.LOGISTIC.prediction(x.get(i, 1) - 3) ? 1 : 0);
        double[] weights = ones(300);
        Arrays.setAll(weights, i -> i % 7 == 0 ? 0 : 1 + i % 3);
        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, loss, ONE).fit(weights);
        double[] gradient = new double[5];
        for (int i = 0; i < 300; i++) {
            double score = rule.constant();
            for (int j = 0; j < 4; j++) {
                score += rule.w()[j] * x.get(i, j);
            }
            double slope = weights[i] * loss.slope(score, y[i]);
            gradient[4] += slope;
            for (int j = 0; j < 4; j++) {
                gradient[j] += slope * x.get(i, j);
            }
        }
        for (double g : gradient) {
            assertThat(g).isCloseTo(0, within(1e-6));
        }
        assertThat(rule.source()).doesNotContain("ridge");
    }

    @Test
    void separableAnswersGetARidge() {
        DenseMatrix x = normal(60, 2, 3);
        double[] y = new double[60];
        Arrays.setAll(y, i -> x.get(i, 0) > 0 ? 1 : 0);
        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, Loss.LOGISTIC, ONE).fit(ones(60));
        assertThat(rule.source()).contains("logistic regression with ridge");
        assertThat(rule.w()[0]).isPositive().isFinite();
    }

    @Test
    void moreColumnsThanRowsGetARidge() {
        DenseMatrix x = normal(40, 60, 4);
        double[] y = new double[40];
        Arrays.setAll(y, i -> i % 2);
        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, Loss.LOGISTIC, ONE).fit(ones(40));
        assertThat(rule.source()).contains("ridge");
        assertThat(rule.w()).doesNotContain(Double.NaN);
    }

    @Test
    void manyColumnsAreLearnedInPasses() {
        DenseMatrix wide = normal(50, 2100, 5);
        double[] y = new double[50];
        Arrays.setAll(y, i -> i % 3 == 0 ? 1 : 0);
        LinearEstimator.Fit rule = new LinearEstimator(wide, y, true, Loss.LOGISTIC, ONE).fit(ones(50));
        assertThat(rule.source()).contains("ridge");
        assertThat(Arrays.stream(rule.w()).allMatch(Double::isFinite)).isTrue();
    }

    @Test
    void aHugeDeltaIsLeastSquares() {
        DenseMatrix x = normal(200, 3, 6);
        double[] y = new double[200];
        SplittableRandom random = new SplittableRandom(7);
        Arrays.setAll(y, i -> x.get(i, 0) - 2 * x.get(i, 2) + random.nextDouble());
        LinearEstimator.Fit huber = new LinearEstimator(x, y, true, Loss.huber(1e6), ONE).fit(ones(200));
        LinearEstimator.Fit squares = new LinearEstimator(x, y, true, Loss.SQUARED, ONE).fit(ones(200));
        for (int j = 0; j < 3; j++) {
            assertThat(huber.w()[j]).isCloseTo(squares.w()[j], within(1e-9));
        }
        assertThat(huber.constant()).isCloseTo(squares.constant(), within(1e-8));
    }

    /** All errors of the first score, 0, are beyond delta, where a Huber has no curvature. */
    @Test
    void errorsAllBeyondDeltaNeedNoRidge() {
        DenseMatrix x = normal(200, 3, 6);
        double[] y = new double[200];
        SplittableRandom random = new SplittableRandom(7);
        Arrays.setAll(y, i -> 50 + x.get(i, 0) - 2 * x.get(i, 2) + random.nextDouble());
        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, Loss.huber(0.1), ONE).fit(ones(200));
        assertThat(rule.source()).doesNotContain("ridge");
        assertThat(rule.w()[0]).isCloseTo(1, within(0.3));
        double slopes = 0;
        for (int i = 0; i < 200; i++) {
            double score = rule.constant();
            for (int j = 0; j < 3; j++) {
                score += rule.w()[j] * x.get(i, j);
            }
            slopes += Loss.huber(0.1).slope(score, y[i]);
        }
        assertThat(slopes).isCloseTo(0, within(1e-6));
    }

    @Test
    void constantAndDependentColumnsAreHandled() {
        DenseMatrix x = normal(100, 4, 8);
        for (int i = 0; i < 100; i++) {
            x.set(i, 1, 5);
            x.set(i, 3, 2 * x.get(i, 0));
        }
        double[] y = new double[100];
        SplittableRandom random = new SplittableRandom(9);
        Arrays.setAll(y, i -> random.nextBoolean() ? 1 : 0);
        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, Loss.LOGISTIC, ONE).fit(ones(100));
        assertThat(Arrays.stream(rule.w()).allMatch(Double::isFinite)).isTrue();
        assertThat(rule.w()[1]).isZero();
    }
}
