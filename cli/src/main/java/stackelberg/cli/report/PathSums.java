package stackelberg.cli.report;

import java.util.List;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** What many rules make of the same people, from shared passes over the data: the sums that losses in every world follow from. */
final class PathSums {
    private final double[] y;
    private final double[] z;
    private final double[] weights;
    private final int[] sample;
    private final int[] kept;

    private final double[] a;
    private final double[] e;
    private final double[] gap;
    private final double[] signed;
    private final double[][] sampled;
    private final double[][] keptPredictions;
    private final double weight;

    private PathSums(Sample people, int rules, int[] sample, int[] kept) {
        this.y = people.y();
        this.z = people.z();
        this.weights = people.weights();
        this.sample = sample;
        this.kept = kept.clone();
        this.a = new double[rules];
        this.e = new double[rules];
        this.gap = new double[rules];
        this.signed = new double[rules];
        this.sampled = new double[rules][sample.length];
        this.keptPredictions = new double[kept.length][people.size()];
        double sum = 0;
        for (double value : weights) {
            sum += value;
        }
        this.weight = sum;
    }

    /**
     * Of these rules.
     *
     * @param sample the people whose predictions are kept for every rule, ascending
     * @param kept the rules whose predictions are kept for everybody, -1 for none
     */
    static PathSums of(Sample people, List<PublishedRule> rules, int[] sample, int[] kept, Workers workers) {
        PathSums sums = new PathSums(people, rules.size(), sample, kept);
        people.predictions(rules, workers, sums::add);
        return sums;
    }

    private void add(int firstRule, DenseMatrix p) {
        int next = 0;
        for (int i = 0; i < p.rows(); i++) {
            boolean inSample = next < sample.length && sample[next] == i;
            for (int k = 0; k < p.cols(); k++) {
                double prediction = p.get(i, k);
                add(firstRule + k, i, prediction);
                if (inSample) {
                    sampled[firstRule + k][next] = prediction;
                }
                for (int which = 0; which < kept.length; which++) {
                    if (firstRule + k == kept[which]) {
                        keptPredictions[which][i] = prediction;
                    }
                }
            }
            next += inSample ? 1 : 0;
        }
    }

    private void add(int rule, int person, double p) {
        double s = weights[person];
        gap[rule] += s * Math.abs(z[person] - p);
        signed[rule] += s * (z[person] - p);
        double residual = y == null ? Double.NaN : p - y[person];
        a[rule] += s * residual * residual;
        e[rule] += y == null ? Double.NaN : s * residual * (z[person] - y[person]);
    }

    /** sum_i s_i. */
    double weight() {
        return weight;
    }

    /** The sums of a rule. */
    ReportData.Losses losses(int rule, double stretch, double earned) {
        return new ReportData.Losses(stretch, earned, a[rule], e[rule]);
    }

    /** sum_i s_i (p_i - y_i)^2. */
    double honest(int rule) {
        return a[rule];
    }

    /** D = sum_i s_i ((z_i - y_i)^2 + sigma^2). */
    double wishLoss(double wishNoise) {
        double sum = y == null ? Double.NaN : wishNoise * wishNoise * weight;
        for (int i = 0; y != null && i < y.length; i++) {
            sum += weights[i] * (z[i] - y[i]) * (z[i] - y[i]);
        }
        return sum;
    }

    /** Weighted mean of |z_i - p_i|. */
    double meanWish(int rule) {
        return gap[rule] / weight;
    }

    /** Weighted mean of z_i - p_i. */
    double meanGap(int rule) {
        return signed[rule] / weight;
    }

    double[] sampled(int rule) {
        return sampled[rule];
    }

    /** Everybody's prediction by the so-manieth rule that was to be kept. */
    double[] kept(int which) {
        return keptPredictions[which];
    }
}
