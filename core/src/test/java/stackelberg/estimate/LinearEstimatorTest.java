package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Least squares by its normal equations, ridge by its own, from formed products and from passes alike. */
class LinearEstimatorTest {
    private static final Workers ONE = Workers.of(1);

    private final Random random = new Random(20);

    private DenseMatrix features(int m, int n) {
        DenseMatrix x = DenseMatrix.zeros(m, n);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x.set(i, j, 5 + (1 + j) * random.nextGaussian());
            }
        }
        return x;
    }

    private double[] truth(DenseMatrix x) {
        double[] y = new double[x.rows()];
        Arrays.setAll(y, i -> 3 + x.get(i, 0) - x.get(i, 1) + random.nextGaussian());
        return y;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void residualsOfLeastSquaresAreOrthogonalToEveryColumn(boolean intercept) {
        DenseMatrix x = features(100, 6);
        double[] y = truth(x);
        double[] weights = random.doubles(100, 0, 2).toArray();
        weights[7] = 0;
        LinearEstimator fit = new LinearEstimator(x, y, intercept, Loss.SQUARED, ONE);
        LinearEstimator.Fit rule = fit.fit(weights);
        double[] p = fit.scores(rule);

        assertThat(rule.source()).isEqualTo("least squares");
        for (int j = 0; j < 6; j++) {
            double product = 0;
            for (int i = 0; i < 100; i++) {
                product += weights[i] * (y[i] - p[i]) * x.get(i, j);
            }
            assertThat(product).isCloseTo(0, within(1e-9));
        }
        assertThat(rule.constant() != 0).isEqualTo(intercept);
    }

    /** More columns than are formed: what passes find solves the same equations of ridge, with the lambda that they name. */
    @Test
    void passesSolveTheEquationsOfRidge() {
        int m = 60;
        int n = 2100;
        DenseMatrix x = features(m, n);
        double[] y = truth(x);
        double[] weights = random.doubles(m, 0.5, 2).toArray();
        LinearEstimator fit = new LinearEstimator(x, y, true, Loss.SQUARED, ONE);
        LinearEstimator.Fit rule = fit.fit(weights);
        double[] p = fit.scores(rule);
        double lambda = Double.parseDouble(rule.source().split(" ")[1]);
        double total = Arrays.stream(weights).sum();

        double residuals = 0;
        for (int i = 0; i < m; i++) {
            residuals += weights[i] * (y[i] - p[i]);
        }
        assertThat(residuals).isCloseTo(0, within(1e-8));
        for (int j = 0; j < n; j += 97) {
            int column = j;
            double mean = x.column(j).length == 0
                    ? 0
                    : Arrays.stream(x.column(j)).average().orElseThrow();
            double variance = Arrays.stream(x.column(column))
                    .map(v -> (v - mean) * (v - mean))
                    .average()
                    .orElseThrow();
            double product = 0;
            for (int i = 0; i < m; i++) {
                product += weights[i] * (y[i] - p[i]) * x.get(i, j) / total;
            }
            // the source names lambda in three digits
            assertThat(product).isCloseTo(lambda * variance * rule.w()[j], within(0.01 * Math.abs(product) + 1e-9));
        }
    }

    /** With and without an intercept, where some count nothing, columns lie far from 0, and passes end before the space does. */
    @ParameterizedTest
    @CsvSource({"60, true, 0", "60, false, 0", "60, true, 1e6", "700, true, 0", "700, true, 1e5", "700, false, 3"})
    void withFewerRowsThanColumnsTheEquationsOfRidgeAreSolved(int m, boolean intercept, double far) {
        int n = 2100;
        DenseMatrix x = DenseMatrix.zeros(m, n);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x.set(i, j, far + random.nextGaussian());
            }
        }
        double[] y = new double[m];
        Arrays.setAll(y, i -> 3 + 5 * (x.get(i, 0) - x.get(i, 1)) + random.nextGaussian());
        double[] weights = random.doubles(m, 0.5, 2).toArray();
        Arrays.fill(weights, 0, 5, 0);
        LinearEstimator fit = new LinearEstimator(x, y, intercept, Loss.SQUARED, ONE);
        LinearEstimator.Fit rule = fit.fit(weights);
        double[] p = fit.scores(rule);
        double lambda = Double.parseDouble(rule.source().split(" ")[1]);
        double total = Arrays.stream(weights).sum();

        for (int j = 0; j < n; j += 97) {
            double mean = Arrays.stream(x.column(j)).average().orElseThrow();
            double variance = Arrays.stream(x.column(j))
                    .map(v -> (v - mean) * (v - mean))
                    .average()
                    .orElseThrow();
            double product = 0;
            for (int i = 0; i < m; i++) {
                product += weights[i] * (y[i] - p[i]) * (x.get(i, j) - (intercept ? mean : 0)) / total;
            }
            // the source names lambda in three digits
            assertThat(product).isCloseTo(lambda * variance * rule.w()[j], within(0.01 * Math.abs(product) + 1e-7));
        }
    }

    /** Some sparse rows are fewer than columns, some more, and some rules need more steps than others. */
    @ParameterizedTest
    @CsvSource({"300, 2100", "5000, 2100"})
    void rulesLearnedTogetherEqualRulesLearnedSeparately(int m, int n) {
        CsrMatrix.Builder rows = new CsrMatrix.Builder();
        double[] y = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = random.nextInt(40); j < n; j += 1 + random.nextInt(60)) {
                double value = random.nextGaussian();
                rows.put(j, value);
                y[i] += j < 100 ? value : 0;
            }
            rows.endRow();
            y[i] += random.nextGaussian();
        }
        CsrMatrix x = rows.build(n);
        double[] ones = new double[m];
        Arrays.fill(ones, 1);
        double[] half = new double[m];
        Arrays.setAll(half, i -> i % 2);
        List<double[]> weights = List.of(random.doubles(m, 0.5, 2).toArray(), half, ones);
        LinearEstimator fit = new LinearEstimator(x, y, true, Loss.SQUARED, ONE);
        List<LinearEstimator.Fit> together = fit.fit(weights);

        for (int k = 0; k < weights.size(); k++) {
            LinearEstimator.Fit alone = fit.fit(weights.get(k));
            assertThat(together.get(k).source()).isEqualTo(alone.source());
            assertThat(together.get(k).w()).containsExactly(alone.w(), within(1e-12));
            assertThat(together.get(k).constant()).isCloseTo(alone.constant(), within(1e-12));
        }
        assertThat(together.get(0).w()).isNotEqualTo(together.get(1).w());
    }

    /** Which rules share their passes, and so their last digits, must not depend on how many threads there are. */
    @ParameterizedTest
    @CsvSource({"300, 2100", "3000, 20"})
    void noDigitDependsOnTheNumberOfThreads(int m, int n) {
        DenseMatrix x = features(m, n);
        double[] y = truth(x);
        List<double[]> weights = IntStream.range(0, 5)
                .mapToObj(k -> random.doubles(m, 0.5, 2).toArray())
                .toList();
        List<LinearEstimator.Fit> one = new LinearEstimator(x, y, true, Loss.SQUARED, ONE).fit(weights);
        List<LinearEstimator.Fit> four = new LinearEstimator(x, y, true, Loss.SQUARED, Workers.of(4)).fit(weights);

        for (int k = 0; k < 5; k++) {
            assertThat(four.get(k).w()).containsExactly(one.get(k).w());
            assertThat(four.get(k).constant()).isEqualTo(one.get(k).constant());
            assertThat(four.get(k).source()).isEqualTo(one.get(k).source());
        }
    }

    /** Wide data, and a truth that has nothing to do with them: what interpolates explains nothing of others, and rounding must not choose it. */
    @ParameterizedTest
    @ValueSource(ints = {300, 2500})
    void manyColumnsOfNoiseAreNotMemorised(int n) {
        int m = 60;
        DenseMatrix x = features(m, n);
        double[] y = random.doubles(m, -1, 1).toArray();
        double[] ones = new double[m];
        Arrays.fill(ones, 1);
        LinearEstimator fit = new LinearEstimator(x, y, true, Loss.SQUARED, ONE);
        double[] p = fit.scores(fit.fit(ones));

        double left = 0;
        double spread = 0;
        double mean = Arrays.stream(y).average().orElseThrow();
        for (int i = 0; i < m; i++) {
            left += (y[i] - p[i]) * (y[i] - p[i]);
            spread += (y[i] - mean) * (y[i] - mean);
        }
        assertThat(left).isGreaterThan(0.01 * spread);
    }

    /** Constant truth: nothing to learn, and nothing that breaks. */
    @Test
    void aConstantTargetGivesAConstantRule() {
        DenseMatrix x = features(20, 3);
        double[] y = new double[20];
        Arrays.fill(y, 4);
        double[] ones = new double[20];
        Arrays.fill(ones, 1);

        LinearEstimator.Fit rule = new LinearEstimator(x, y, true, Loss.SQUARED, ONE).fit(ones);

        assertThat(rule.constant()).isCloseTo(4, within(1e-12));
        assertThat(rule.w()).containsExactly(new double[3], within(1e-12));
    }

    /** Ridge by generalised cross-validation predicts better than interpolation, where columns are as many as people. */
    @Test
    void ridgePredictsNewRowsBetterThanInterpolation() {
        DenseMatrix x = features(200, 90);
        double[] y = truth(x);
        double[] weights = new double[200];
        Arrays.fill(weights, 0, 100, 1);
        LinearEstimator fit = new LinearEstimator(x, y, true, Loss.SQUARED, ONE);
        LinearEstimator.Fit rule = fit.fit(weights);
        double[] p = fit.scores(rule);

        double error = 0;
        double spread = 0;
        for (int i = 100; i < 200; i++) {
            error += (y[i] - p[i]) * (y[i] - p[i]) / 100;
            spread += (y[i] - 3) * (y[i] - 3) / 100;
        }
        assertThat(rule.source()).startsWith("ridge ");
        assertThat(error).isLessThan(0.8 * spread);
    }
}
