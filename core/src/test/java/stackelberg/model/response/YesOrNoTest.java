package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.estimate.Loss;

/** Every measure is what its definition says, person by person and pair by pair. */
class YesOrNoTest {
    private static final int N = 120;
    private static final double CUTOFF = 0.4;

    /** Scores in steps, so that many are equal; some people count nothing. */
    private record Drawn(double[] scores, double[] truths, double[] weights) {
        static Drawn of(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            Drawn drawn = new Drawn(new double[N], new double[N], new double[N]);
            for (int i = 0; i < N; i++) {
                drawn.scores[i] = (random.nextInt(41) - 20) / 5.0;
                drawn.truths[i] = random.nextDouble() < Loss.LOGISTIC.prediction(drawn.scores[i]) ? 1 : 0;
                drawn.weights[i] = random.nextInt(4);
            }
            return drawn;
        }

        YesOrNo measured() {
            return YesOrNo.of(scores, truths, weights, CUTOFF);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theAreaUnderTheCurveIsTheShareOfOrderedPairsWithTiesCountingHalf(long seed) {
        Drawn people = Drawn.of(seed);
        double right = 0;
        double all = 0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                if (people.truths[i] == 1 && people.truths[j] == 0) {
                    double s = people.weights[i] * people.weights[j];
                    all += s;
                    right += people.scores[i] > people.scores[j] ? s : people.scores[i] == people.scores[j] ? s / 2 : 0;
                }
            }
        }

        assertThat(people.measured().auc()).isCloseTo(right / all, within(1e-12));
        assertThat(people.measured().gini()).isCloseTo(2 * right / all - 1, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void theKolmogorovSmirnovDistanceIsTheLargestOverAllThresholds(long seed) {
        Drawn people = Drawn.of(seed);
        double largest = 0;
        for (double threshold : people.scores) {
            double[] below = new double[2];
            double[] all = new double[2];
            for (int i = 0; i < N; i++) {
                int is = (int) people.truths[i];
                all[is] += people.weights[i];
                below[is] += people.scores[i] <= threshold ? people.weights[i] : 0;
            }
            largest = Math.max(largest, Math.abs(below[0] / all[0] - below[1] / all[1]));
        }

        assertThat(people.measured().ks()).isCloseTo(largest, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void meansAreThoseOfTheirDefinitions(long seed) {
        Drawn people = Drawn.of(seed);
        double total = 0;
        double log = 0;
        double squares = 0;
        double right = 0;
        double predictedYes = 0;
        double said = 0;
        double is = 0;
        for (int i = 0; i < N; i++) {
            double s = people.weights[i];
            double p = 1 / (1 + Math.exp(-people.scores[i]));
            total += s;
            log -= s * Math.log(people.truths[i] == 1 ? p : 1 - p);
            squares += s * (p - people.truths[i]) * (p - people.truths[i]);
            right += (p >= CUTOFF) == (people.truths[i] == 1) ? s : 0;
            predictedYes += p >= CUTOFF ? s : 0;
            said += s * p;
            is += s * people.truths[i];
        }

        YesOrNo measured = people.measured();
        assertThat(measured.logLoss()).isCloseTo(log / total, within(1e-12));
        assertThat(measured.brier()).isCloseTo(squares / total, within(1e-12));
        assertThat(measured.accuracy()).isCloseTo(right / total, within(1e-12));
        assertThat(measured.predictedYes()).isCloseTo(predictedYes / total, within(1e-12));
        assertThat(measured.meanProbability()).isCloseTo(said / total, within(1e-12));
        assertThat(measured.shareOfYes()).isCloseTo(is / total, within(1e-12));
    }

    @Test
    void resampledRowsAreMeasuredLikeRepeatedRows() {
        Drawn people = Drawn.of(7);
        SplittableRandom random = new SplittableRandom(8);
        int[] counts = random.ints(N, 0, 4).toArray();
        double[] counted = new double[N];
        Arrays.setAll(counted, i -> counts[i] * people.weights[i]);
        YesOrNo again = YesOrNo.of(people.scores, people.truths, counted, CUTOFF);

        double[] drawn = people.measured().drawn(counts);
        assertThat(drawn[0]).isCloseTo(again.logLoss(), within(1e-12));
        assertThat(drawn[1]).isCloseTo(again.auc(), within(1e-12));
        assertThat(drawn[2]).isCloseTo(again.accuracy(), within(1e-12));
    }

    @Test
    void tenthsOfDistinctScoresFollowTheirOrder() {
        double[] scores = new double[200];
        double[] truths = new double[200];
        double[] weights = new double[200];
        for (int i = 0; i < 200; i++) {
            // not in order
            int place = (i * 77) % 200;
            scores[i] = (place - 100) / 40.0;
            truths[i] = place % 3 == 0 ? 1 : 0;
            weights[i] = 1;
        }
        var groups = YesOrNo.of(scores, truths, weights, 0.5).calibration();

        assertThat(groups).hasSize(10).allMatch(group -> group.people() == 20);
        for (int g = 0; g < 10; g++) {
            double said = 0;
            double is = 0;
            for (int place = 20 * g; place < 20 * g + 20; place++) {
                said += Loss.LOGISTIC.prediction((place - 100) / 40.0) / 20;
                is += place % 3 == 0 ? 1 / 20.0 : 0;
            }
            assertThat(groups.get(g).meanProbability()).isCloseTo(said, within(1e-12));
            assertThat(groups.get(g).shareOfYes()).isCloseTo(is, within(1e-12));
        }
    }

    @Test
    void calibrationGroupsCoverAllRowsAndKeepEqualScoresTogether() {
        Drawn people = Drawn.of(9);
        Arrays.fill(people.weights, 1);
        YesOrNo measured = people.measured();
        double said = 0;
        double is = 0;
        int count = 0;
        for (YesOrNo.Group group : measured.calibration()) {
            said += group.people() * group.meanProbability();
            is += group.people() * group.shareOfYes();
            count += group.people();
        }
        assertThat(count).isEqualTo(N);
        assertThat(said / N).isCloseTo(measured.meanProbability(), within(1e-12));
        assertThat(is / N).isCloseTo(measured.shareOfYes(), within(1e-12));

        double[] equal = new double[N];
        assertThat(YesOrNo.of(equal, people.truths, people.weights, 0.5).calibration())
                .hasSize(1)
                .allMatch(group -> group.people() == N && group.meanProbability() == 0.5);
    }

    @Test
    void withOnlyYesTheSeparationMeasuresAreUndefined() {
        double[] ones = {1, 1, 1};
        YesOrNo measured = YesOrNo.of(new double[] {-1, 0, 2}, ones, ones, 0.5);

        assertThat(measured.auc()).isNaN();
        assertThat(measured.ks()).isNaN();
        assertThat(measured.accuracy()).isCloseTo(2 / 3.0, within(1e-15));
    }

    @Test
    void extremeScoresHaveAFiniteLoss() {
        YesOrNo measured = YesOrNo.of(new double[] {800, -800}, new double[] {0, 0}, new double[] {1, 1}, 0.5);

        assertThat(measured.logLoss()).isEqualTo(400);
    }

    @Test
    void aCutOffIsAProbability() {
        for (double cutoff : new double[] {0, 1, -0.2, Double.NaN}) {
            assertThatThrownBy(() -> YesOrNo.of(new double[1], new double[1], new double[] {1}, cutoff))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cut-off is " + cutoff);
        }
    }
}
