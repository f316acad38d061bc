package stackelberg.model.response;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import stackelberg.estimate.Loss;

/**
 * How well scores, log-odds of a yes, tell a yes from a no: by the order of people, by the probabilities, and at a cut-off. All means are by weight.
 *
 * <p>Scores are in order from the start, so that whoever counts people otherwise reads them once and does not sort again.
 */
public final class YesOrNo {
    /** The cut-off where nobody says another. */
    public static final double CUTOFF = 0.5;

    private static final int GROUPS = 10;

    private final double cutoff;
    /** Of person k in the order of the scores. */
    private final int[] people;

    private final double[] scores;
    private final double[] probabilities;
    private final double[] losses;
    private final boolean[] yes;
    private final double[] weights;

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
            // + 0, so that 0 and -0 are one score
            this.scores[k] = scores[i] + 0.0;
            this.probabilities[k] = Loss.LOGISTIC.prediction(scores[i]);
            this.losses[k] = Loss.LOGISTIC.value(scores[i], truths[i]);
            this.yes[k] = truths[i] == 1;
            this.weights[k] = weights[i];
        }
    }

    /**
     * Of people whose log-odds are known.
     *
     * @param truths 1 for a yes, 0 for a no
     * @param cutoff the least probability that is taken for a yes
     */
    public static YesOrNo of(double[] scores, double[] truths, double[] weights, double cutoff) {
        return new YesOrNo(scores, truths, weights, cutoff);
    }

    /** Whether a score is taken for a yes: its probability, as people read it, is at least the cut-off. */
    public static boolean isYes(double score, double cutoff) {
        return Loss.LOGISTIC.prediction(score) >= cutoff;
    }

    /**
     * What is counted in one reading.
     *
     * @param weight of everybody
     * @param yes the weight of those who are a yes
     * @param lost the log loss, summed
     * @param right the weight of those whom the cut-off judges rightly
     * @param pairs the weight of pairs of a yes and a no of which the yes has the larger score, ties half
     * @param apart the largest distance between the distributions of the scores of a no and of a yes
     */
    private record Counted(double weight, double yes, double lost, double right, double pairs, double apart) {
        double auc() {
            return pairs / (yes * (weight - yes));
        }
    }

    /** @param counts how often each of the people counts; null for once */
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

    /** So that a score that is no number is itself. */
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

    /** The measures that are told with intervals: log loss, area under the curve and accuracy, of people counted several times or not at all. */
    double[] drawn(int[] counts) {
        Counted counted = counted(counts);
        return new double[] {counted.lost / counted.weight, counted.auc(), counted.right / counted.weight};
    }

    /** The least probability that is taken for a yes. */
    public double cutoff() {
        return cutoff;
    }

    /** mean log(1 + e^S) - y S. */
    public double logLoss() {
        return mean(losses);
    }

    /** mean (P - y)^2, P the probability. */
    public double brier() {
        double[] squares = new double[probabilities.length];
        for (int k = 0; k < squares.length; k++) {
            double off = probabilities[k] - (yes[k] ? 1 : 0);
            squares[k] = off * off;
        }
        return mean(squares);
    }

    /** The area under the receiver's curve: how probable it is that a yes has a larger score than a no, ties half; not a number where there is but one of them. */
    public double auc() {
        return counted(null).auc();
    }

    /** 2 AUC - 1. */
    public double gini() {
        return 2 * auc() - 1;
    }

    /** Kolmogorov and Smirnov's distance between the distributions of the scores of a yes and of a no; not a number where there is but one of them. */
    public double ks() {
        return counted(null).apart;
    }

    /** The share of people whom the cut-off judges rightly. */
    public double accuracy() {
        Counted counted = counted(null);
        return counted.right / counted.weight;
    }

    /** The share of people whose probability is at least the cut-off. */
    public double predictedYes() {
        double[] ones = new double[probabilities.length];
        for (int k = 0; k < ones.length; k++) {
            ones[k] = probabilities[k] >= cutoff ? 1 : 0;
        }
        return mean(ones);
    }

    /** What the scores say on average. */
    public double meanProbability() {
        return mean(probabilities);
    }

    /** What is true on average. */
    public double shareOfYes() {
        Counted counted = counted(null);
        return counted.yes / counted.weight;
    }

    /**
     * People of about the same probability.
     *
     * @param meanProbability what the scores say of them on average
     * @param shareOfYes what is true of them
     */
    public record Group(int people, double meanProbability, double shareOfYes) {}

    /**
     * Tenths of the people, by weight, in the order of their probabilities: of a calibrated rule both figures are alike in each. Equal scores stay together, in the
     * tenth of their middle, so that there may be fewer.
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
