package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.estimate.Loss;

/**
 * Measures of how well scores (log-odds of yes) separate yes from no: by their order, by the probabilities, and by a
 * cut-off. All means are weighted.
 *
 * <p>The scores are sorted once, so that each bootstrap resample takes one pass and no further sorting.
 */
public final class YesOrNo {
    /** The default cut-off. */
    public static final double CUTOFF = 0.5;

    private static final int GROUPS = 10;

    private final double cutoff;
    /** The row at position k in the order of the scores. */
    private final int[] people;

    private final double[] scores;
    private final double[] probabilities;
    private final double[] losses;
    private final boolean[] yes;
    private final double[] weights;

    /** Checks the cut-off and sorts the scores. */
    private YesOrNo(double[] scores, double[] truths, double[] weights, double cutoff) {
        if (!(cutoff > 0 && cutoff < 1)) {
            throw new IllegalArgumentException("The cut-off is " + cutoff
                    + "; it is a probability and must lie between 0 and 1, both excluded.\nMaybe write 0.5.");
        }
        int n = scores.length;
        this.cutoff = cutoff;
        this.people = IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        this.scores = new double[n];
        this.probabilities = new double[n];
        this.losses = new double[n];
        this.yes = new boolean[n];
        this.weights = new double[n];
        for (int k = 0; k < n; k++) {
            int i = people[k];
            // + 0.0 turns -0 into 0, so that both are the same score
            this.scores[k] = scores[i] + 0.0;
            this.probabilities[k] = Loss.LOGISTIC.prediction(scores[i]);
            this.losses[k] = Loss.LOGISTIC.value(scores[i], truths[i]);
            this.yes[k] = truths[i] == 1;
            this.weights[k] = weights[i];
        }
    }

    /**
     * Returns the measures of rows with known log-odds.
     *
     * @param truths 1 for yes, 0 for no
     * @param cutoff the smallest probability that is predicted as yes
     */
    public static YesOrNo of(double[] scores, double[] truths, double[] weights, double cutoff) {
        return new YesOrNo(scores, truths, weights, cutoff);
    }

    /**
     * Returns whether a score is predicted as yes: its probability is at least the cut-off.
     */
    public static boolean isYes(double score, double cutoff) {
        return Loss.LOGISTIC.prediction(score) >= cutoff;
    }

    /**
     * The sums of one pass over the rows.
     *
     * @param weight the sum of the weights
     * @param yes the weight of rows that are yes
     * @param lost the sum of the log losses
     * @param right the weight of rows that the cut-off predicts correctly
     * @param pairs the weight of pairs of a yes and a no in which the yes has the larger score; equal scores count half
     * @param apart the largest difference between the distribution functions of the scores of no and of yes
     */
    private record Counted(double weight, double yes, double lost, double right, double pairs, double apart) {
        double auc() {
            return pairs / (yes * (weight - yes));
        }
    }

    /**
     * @param counts how often each row was drawn; null for once each
     */
    private Counted counted(int[] counts) {
        double weight = 0;
        double all = 0;
        for (int k = 0; k < scores.length; k++) {
            double s = weight(k, counts);
            weight += s;
            all += yes[k] ? s : 0;
        }
        double no = 0;
        double below = 0;
        double lost = 0;
        double right = 0;
        double pairs = 0;
        double apart = 0;
        for (int k = 0; k < scores.length; ) {
            double tiedYes = 0;
            double tiedNo = 0;
            double score = scores[k];
            for (; k < scores.length && isSame(scores[k], score); k++) {
                double s = weight(k, counts);
                tiedYes += yes[k] ? s : 0;
                tiedNo += yes[k] ? 0 : s;
                lost += s == 0 ? 0 : s * losses[k];
                right += yes[k] == probabilities[k] >= cutoff ? s : 0;
            }
            pairs += tiedYes * (no + tiedNo / 2);
            no += tiedNo;
            below += tiedYes;
            apart = Math.max(apart, Math.abs(no / (weight - all) - below / all));
        }
        return new Counted(weight, all, lost, right, pairs, all == 0 || all == weight ? Double.NaN : apart);
    }

    /** Returns whether two scores are equal; NaN equals itself. */
    private static boolean isSame(double one, double other) {
        return Double.compare(one + 0.0, other + 0.0) == 0;
    }

    private double weight(int k, int[] counts) {
        return counts == null ? weights[k] : counts[people[k]] * weights[k];
    }

    private double mean(double[] values) {
        double sum = 0;
        double total = 0;
        for (int k = 0; k < values.length; k++) {
            sum += weights[k] == 0 ? 0 : weights[k] * values[k];
            total += weights[k];
        }
        return sum / total;
    }

    /**
     * Returns the measures that have intervals (log loss, area under the curve, accuracy) on a resample, given by how
     * often each row was drawn.
     */
    double[] drawn(int[] counts) {
        Counted counted = counted(counts);
        return new double[] {counted.lost / counted.weight, counted.auc(), counted.right / counted.weight};
    }

    /** Returns the smallest probability that is predicted as yes. */
    public double cutoff() {
        return cutoff;
    }

    /** Returns mean log(1 + e^S) - y S. */
    public double logLoss() {
        return mean(losses);
    }

    /** Returns mean (P - y)^2, with the probability P. */
    public double brier() {
        double[] squares = new double[probabilities.length];
        for (int k = 0; k < squares.length; k++) {
            double off = probabilities[k] - (yes[k] ? 1 : 0);
            squares[k] = off * off;
        }
        return mean(squares);
    }

    /**
     * Returns the area under the ROC curve: the probability that a yes has a larger score than a no, equal scores
     * counting half; NaN if all rows are yes or all are no.
     */
    public double auc() {
        return counted(null).auc();
    }

    /** Returns 2 AUC - 1. */
    public double gini() {
        return 2 * auc() - 1;
    }

    /**
     * Returns the Kolmogorov-Smirnov distance between the score distributions of yes and of no; NaN if all rows are yes
     * or all are no.
     */
    public double ks() {
        return counted(null).apart;
    }

    /** Returns the share of rows that the cut-off predicts correctly. */
    public double accuracy() {
        Counted counted = counted(null);
        return counted.right / counted.weight;
    }

    /** Returns the share of rows whose probability is at least the cut-off. */
    public double predictedYes() {
        double[] ones = new double[probabilities.length];
        for (int k = 0; k < ones.length; k++) {
            ones[k] = probabilities[k] >= cutoff ? 1 : 0;
        }
        return mean(ones);
    }

    /** Returns the mean predicted probability. */
    public double meanProbability() {
        return mean(probabilities);
    }

    /** Returns the share of yes. */
    public double shareOfYes() {
        Counted counted = counted(null);
        return counted.yes / counted.weight;
    }

    /**
     * Rows with similar predicted probabilities.
     *
     * @param meanProbability their mean predicted probability
     * @param shareOfYes the share of yes among them
     */
    public record Group(int people, double meanProbability, double shareOfYes) {}

    /**
     * Returns tenths of the rows, by weight, in the order of their probabilities; for a calibrated rule both figures
     * agree in each. Equal scores stay together, in the tenth that their middle belongs to, so there may be fewer than
     * ten groups.
     */
    public List<Group> calibration() {
        double total = 0;
        for (double s : weights) {
            total += s;
        }
        int[] people = new int[GROUPS];
        double[] sums = new double[GROUPS];
        double[] said = new double[GROUPS];
        double[] is = new double[GROUPS];
        double before = 0;
        for (int k = 0; k < scores.length; ) {
            int next = k;
            double tied = 0;
            for (; next < scores.length && isSame(scores[next], scores[k]); next++) {
                tied += weights[next];
            }
            int g = (int) Math.min(GROUPS - 1, Math.floor(GROUPS * (before + tied / 2) / total));
            before += tied;
            for (; k < next; k++) {
                people[g] += weights[k] > 0 ? 1 : 0;
                sums[g] += weights[k];
                said[g] += weights[k] * probabilities[k];
                is[g] += yes[k] ? weights[k] : 0;
            }
        }
        List<Group> groups = new ArrayList<>();
        for (int g = 0; g < GROUPS; g++) {
            if (people[g] > 0) {
                groups.add(new Group(people[g], said[g] / sums[g], is[g] / sums[g]));
            }
        }
        return groups;
    }
}
