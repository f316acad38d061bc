package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Of the penalties that are tried the one is taken under which people lose least who were not learned from. */
class PenalisedRegressionTest {
    private static final int M = 90;
    private static final double[] LAMBDAS = {1e-4, 1e-2, 0.1, 1, 10};

    private final DenseMatrix x = DenseMatrix.zeros(M, 12);
    private final double[] y = new double[M];
    private final double[] weights = new double[M];

    private LinearEstimator estimator(Loss loss) {
        SplittableRandom random = new SplittableRandom(4);
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < 12; j++) {
                x.set(i, j, (1 + j) * (random.nextDouble() + random.nextDouble() - 1));
            }
            y[i] = random.nextDouble() < Loss.LOGISTIC.prediction(2 * x.get(i, 0)) ? 1 : 0;
            weights[i] = 1 + i % 2;
        }
        return new LinearEstimator(x, y, true, loss, Workers.of(1));
    }

    private double score(LinearEstimator.Fit rule, int i) {
        return rule.constant()
                + IntStream.range(0, 12)
                        .mapToDouble(j -> rule.w()[j] * x.get(i, j))
                        .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.3"})
    void thePenaltyHasTheSmallestHeldOutLoss(String words) {
        Loss loss = Loss.of(words);
        LinearEstimator estimator = estimator(loss);
        int[][] parts = IntStream.range(0, 3)
                .mapToObj(f -> IntStream.range(0, M).filter(i -> i % 3 == f).toArray())
                .toArray(int[][]::new);
        double[] lost = new double[LAMBDAS.length];
        for (int k = 0; k < LAMBDAS.length; k++) {
            for (int[] part : parts) {
                double[] others = weights.clone();
                Arrays.stream(part).forEach(i -> others[i] = 0);
                LinearEstimator.Fit rule = estimator.ridge(others, LAMBDAS[k]).get(0);
                for (int i : part) {
                    lost[k] += weights[i] * loss.value(score(rule, i), y[i]);
                }
            }
        }
        int best = IntStream.range(0, LAMBDAS.length)
                .reduce((a, b) -> lost[b] < lost[a] ? b : a)
                .orElseThrow();

        assertThat(estimator.bestRidge(weights, parts, LAMBDAS)).isEqualTo(LAMBDAS[best]);
        assertThat(best).as("neither end, or this shows little").isBetween(1, LAMBDAS.length - 2);
        assertThat(estimator.ridge(weights, LAMBDAS[best]).get(0).source()).startsWith("ridge ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"logistic", "huber:0.3"})
    void theGradientOfThePenalisedLossVanishes(String words) {
        Loss loss = Loss.of(words);
        LinearEstimator.Fit rule = estimator(loss).ridge(weights, 0.2).get(0);
        double total = Arrays.stream(weights).sum();
        for (int j = 0; j < 12; j++) {
            int column = j;
            double mean = IntStream.range(0, M)
                    .mapToDouble(i -> x.get(i, column))
                    .average()
                    .orElseThrow();
            double square = IntStream.range(0, M)
                    .mapToDouble(i -> Math.pow(x.get(i, column) - mean, 2))
                    .sum();
            double gradient = IntStream.range(0, M)
                    .mapToDouble(i -> weights[i] * loss.slope(score(rule, i), y[i]) * x.get(i, column))
                    .sum();
            double penalty = 0.2 * total * rule.w()[j] * square / M;
            assertThat(gradient + penalty).isCloseTo(0, within(1e-5));
        }
    }
}
