package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.People;
import stackelberg.model.TextLike;

/** Ridge with a given lambda minimises what it says, and the lambda that is chosen is the best for held-out rows, from sums and from passes alike. */
class RidgeRegressionTest {
    private static final Workers ONE = Workers.of(1);
    private static final int FOLDS = 5;
    private static final double[] LAMBDAS = IntStream.rangeClosed(0, 32)
            .mapToDouble(k -> Math.pow(10, -6 + k / 4.0))
            .toArray();

    private final Table table = People.table(150, 6);

    private static LinearEstimator estimator(Matrix x, double[] y, boolean intercept) {
        return new LinearEstimator(x, y, intercept, Loss.SQUARED, ONE);
    }

    private Encoding encoding() {
        return People.regression()
                .immutable(Set.of("region"))
                .build()
                .fit(table)
                .encoding();
    }

    private static double[] score(Table table) {
        return table.numeric("score").values();
    }

    private static double[] weight(Table table) {
        return table.numeric("weight").values();
    }

    private static int[][] parts(double[] weights, long seed) {
        Folds folds = Resampling.of(weights, seed).foldsAtMost(FOLDS);
        return IntStream.range(0, folds.count()).mapToObj(folds::heldOut).toArray(int[][]::new);
    }

    private static double variance(double[] values, double[] weights) {
        double total = Arrays.stream(weights).sum();
        double mean = 0;
        for (int i = 0; i < values.length; i++) {
            mean += weights[i] * values[i] / total;
        }
        double variance = 0;
        for (int i = 0; i < values.length; i++) {
            variance += weights[i] * (values[i] - mean) * (values[i] - mean) / total;
        }
        return variance;
    }

    @Test
    void ridgeMinimisesThePenalisedLoss() {
        DenseMatrix x = encoding().apply(table);
        double[] y = score(table);
        double[] weights = weight(table);
        double total = Arrays.stream(weights).sum();
        LinearEstimator estimator = estimator(x, y, true);
        for (double lambda : new double[] {0, 1e-3, 0.1, 10}) {
            LinearEstimator.Fit rule = estimator.ridge(weights, lambda).get(0);
            double[] p = estimator.scores(rule);
            double balance = 0;
            for (int i = 0; i < y.length; i++) {
                balance += weights[i] * (p[i] - y[i]);
            }
            assertThat(balance / total).isCloseTo(0, within(1e-10));
            for (int j = 0; j < x.cols(); j++) {
                double gradient = lambda * total * variance(x.column(j), weights) * rule.w()[j];
                for (int i = 0; i < y.length; i++) {
                    gradient += weights[i] * (p[i] - y[i]) * x.get(i, j);
                }
                assertThat(gradient / total).isCloseTo(0, within(1e-9));
            }
        }
    }

    @Test
    void theChosenLambdaHasTheSmallestHeldOutLoss() {
        // so few that some shrinking helps
        Table few = People.table(30, 6);
        DenseMatrix x = encoding().apply(few);
        int[][] parts = parts(weight(few), 9);
        double chosen = estimator(x, score(few), true).bestRidge(weight(few), parts, LAMBDAS);

        assertThat(chosen).isBetween(1e-4, 10.0);
        double best = heldOutError(x, score(few), weight(few), chosen, parts);
        for (double factor : new double[] {1e-2, Math.pow(10, -0.25), Math.pow(10, 0.25), 1e2}) {
            assertThat(heldOutError(x, score(few), weight(few), factor * chosen, parts))
                    .isGreaterThan(best);
        }
    }

    /** Sums less those of a fold that holds nearly all of the weight are the rounding of that weight. */
    @Test
    void oneRowOfWeight1e15DoesNotBlurTheOtherFolds() {
        Table few = People.table(30, 6);
        DenseMatrix x = encoding().apply(few);
        for (int heavy = 0; heavy < 8; heavy++) {
            double[] weights = weight(few);
            weights[heavy] = 1e15;
            int[][] parts = parts(weights, 9);
            double chosen = estimator(x, score(few), true).bestRidge(weights, parts, LAMBDAS);

            double best = heldOutError(x, score(few), weights, chosen, parts);
            for (double lambda : LAMBDAS) {
                assertThat(heldOutError(x, score(few), weights, lambda, parts))
                        .as("person %d, lambda %s against %s", heavy, lambda, chosen)
                        .isGreaterThanOrEqualTo(best * (1 - 1e-9));
            }
        }
    }

    private static double heldOutError(DenseMatrix x, double[] y, double[] weights, double lambda, int[][] parts) {
        double error = 0;
        for (int[] part : parts) {
            boolean[] held = new boolean[y.length];
            Arrays.stream(part).forEach(i -> held[i] = true);
            int[] others = IntStream.range(0, y.length).filter(i -> !held[i]).toArray();
            DenseMatrix training = DenseMatrix.zeros(others.length, x.cols());
            for (int k = 0; k < others.length; k++) {
                training.setRow(k, x.row(others[k]));
            }
            double[] theirs = Arrays.stream(others).mapToDouble(i -> y[i]).toArray();
            double[] counted =
                    Arrays.stream(others).mapToDouble(i -> weights[i]).toArray();
            LinearEstimator.Fit rule =
                    estimator(training, theirs, true).ridge(counted, lambda).get(0);
            double[] p = estimator(x, y, true).scores(rule);
            for (int i : part) {
                error += weights[i] * (p[i] - y[i]) * (p[i] - y[i]);
            }
        }
        return error;
    }

    /** The same rules as from sums of products, dense and sparse, with and without an intercept. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ridgeByPassesEqualsRidgeBySums(boolean intercept) {
        Table words = TextLike.table(90, 40, 15, 0.5, 3);
        double[] ones = new double[90];
        Arrays.fill(ones, 1);
        Matrix sparse = words.block().orElseThrow().matrix();
        double[] truth = words.numeric("y").values();
        assertSameRidge(sparse, truth, ones, intercept);
        double[] shift = new Random(3).doubles(sparse.cols(), -1, 1).toArray();
        double[] scale = new Random(4).doubles(sparse.cols(), 1, 2).toArray();
        assertSameRidge(new AffineMatrix(sparse, shift, scale, false), truth, ones, intercept);
        assertSameRidge(encoding().apply(table), score(table), weight(table), intercept);
    }

    private static void assertSameRidge(Matrix x, double[] y, double[] weights, boolean intercept) {
        LinearEstimator sums = estimator(x, y, intercept);
        KrylovFit passes = sums.weighted(weights);
        double[] lambdas = {0, 1e-3, 0.1, 10};
        List<LinearEstimator.Fit> together = passes.ridge(weights, lambdas);
        for (int k = 0; k < lambdas.length; k++) {
            LinearEstimator.Fit rule = sums.ridge(weights, lambdas[k]).get(0);
            double[] expected = sums.scores(rule);
            double[] actual = sums.scores(together.get(k));
            assertThat(together.get(k).source()).isEqualTo(rule.source());
            for (int i = 0; i < expected.length; i++) {
                assertThat(actual[i]).as("lambda %s", lambdas[k]).isCloseTo(expected[i], within(k == 0 ? 1e-4 : 1e-6));
            }
        }
        int[][] parts = parts(weights, 4);
        double[] errors = passes.heldOutErrors(weights, parts, LAMBDAS);
        double chosen = LAMBDAS[LinearEstimator.best(errors)];
        double[] byThree = new LinearEstimator(x, y, intercept, Loss.SQUARED, Workers.of(3))
                .weighted(weights)
                .heldOutErrors(weights, parts, LAMBDAS);
        assertThat(LAMBDAS[LinearEstimator.best(byThree)]).isEqualTo(chosen);
        double bySums = sums.bestRidge(weights, parts, LAMBDAS);
        assertThat(chosen).isBetween(bySums / 2, 2 * bySums);
    }

    @Test
    void rowsWithZeroWeightDoNotChangeTheRidge() {
        Encoding encoding = encoding();
        double[] weights = weight(table);
        for (int i = 0; i < weights.length; i += 3) {
            weights[i] = 0;
        }
        int[] counted =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        double[] theirs = Arrays.stream(counted).mapToDouble(i -> weights[i]).toArray();
        Table rest = table.select(counted);
        LinearEstimator all = estimator(encoding.apply(table), score(table), true);
        LinearEstimator alone = estimator(encoding.apply(rest), score(rest), true);

        for (long seed = 1; seed <= 5; seed++) {
            int[][] parts = parts(weights, seed);
            int[][] own = parts(theirs, seed);
            double chosen = all.bestRidge(weights, parts, LAMBDAS);
            assertThat(alone.bestRidge(theirs, own, LAMBDAS)).isEqualTo(chosen);
            assertThat(all.ridge(weights, chosen).get(0).w())
                    .containsExactly(alone.ridge(theirs, chosen).get(0).w(), within(1e-9));
            double[] errors = all.weighted(weights).heldOutErrors(weights, parts, LAMBDAS);
            double[] ofThose = alone.weighted(theirs).heldOutErrors(theirs, own, LAMBDAS);
            assertThat(LinearEstimator.best(errors)).isEqualTo(LinearEstimator.best(ofThose));
        }
    }

    /** Many rows near 0 are summed as they are, others standardised first; both by fold in one pass. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 3, 1000})
    void theLambdaForManyRowsIsThatOfFoldsSummedApart(double far) {
        int m = 150_000;
        Random random = new Random(8);
        DenseMatrix x = DenseMatrix.zeros(m, 20);
        double[] y = new double[m];
        double[] weights = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < 20; j++) {
                x.set(i, j, far + random.nextGaussian());
            }
            y[i] = far + 0.003 * x.get(i, 0) + random.nextGaussian();
            weights[i] = i % 7 == 0 ? 0 : 1 + i % 2;
        }
        int[][] parts = parts(weights, 2);
        LinearEstimator estimator = estimator(x, y, true);
        double[] lambdas = {1e-3, 0.1, 1, 10, 1000};
        double[] errors = new double[lambdas.length];
        for (int[] part : parts) {
            double[] others = weights.clone();
            Arrays.stream(part).forEach(i -> others[i] = 0);
            List<LinearEstimator.Fit> rules = estimator.ridge(others, lambdas);
            for (int k = 0; k < lambdas.length; k++) {
                double[] p = estimator.scores(rules.get(k));
                for (int i : part) {
                    errors[k] += weights[i] * (p[i] - y[i]) * (p[i] - y[i]);
                }
            }
        }
        assertThat(estimator.bestRidge(weights, parts, lambdas)).isEqualTo(lambdas[LinearEstimator.best(errors)]);
    }
}
