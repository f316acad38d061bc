package stackelberg.cli.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.game.PublishedRule;
import stackelberg.game.Response;
import stackelberg.game.Sample;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Sums over people for many rules, computed in shared passes over the data. The loss of each rule at every world gamma follows from them. */
final class PathSums {
    private final double @Nullable [] y;
    private final double[] z;
    private final double[] weights;
    private final int[] sample;
    private final int[] kept;
    private final Loss loss;
    private final double[] worlds;
    /** The mean loss of each rule at every world gamma, unless these losses follow from the sums. */
    private final double[][] moved;

    private final double[] a;
    private final double[] e;
    private final double[] gap;
    private final double[] signed;
    private final double[][] sampled;
    private final double[][] keptPredictions;
    private final double weight;

    private PathSums(Sample people, int rules, int[] sample, int[] kept, double[] worlds) {
        this.y = people.y();
        this.z = people.z();
        this.weights = people.weights();
        this.sample = sample;
        this.kept = kept.clone();
        this.loss = people.spec().loss();
        this.worlds = worlds;
        this.moved = new double[rules][];
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
     * Computes the sums for these rules.
     *
     * @param sample the people whose predictions are kept for every rule, ascending
     * @param kept the rules whose predictions are kept for all people, -1 for none
     * @param worlds the gammas at which losses are computed that do not follow from sums: those that are not squared
     */
    static PathSums of(
            Sample people, List<PublishedRule> rules, int[] sample, int[] kept, double[] worlds, Workers workers) {
        PathSums sums = new PathSums(people, rules.size(), sample, kept, worlds);
        people.predictions(rules, workers, (first, p) -> {
            sums.add(first, p);
            if (!sums.loss.isSquared()) {
                workers.run(
                        p.cols(),
                        k -> sums.moved[first + k] =
                                sums.moved(people.world().omega(rules.get(first + k)), p.column(k)));
            }
        });
        return sums;
    }

    /** The mean of l((1 - t) p_i + t z_i, y_i) at every world gamma, where t is the pull-through there. */
    private double[] moved(double omega, double[] p) {
        double[] means = new double[worlds.length];
        for (int k = 0; k < means.length; k++) {
            Response response = Response.of(omega, 0, worlds[k]);
            double sum = y == null ? Double.NaN : 0;
            for (int i = 0; y != null && i < p.length; i++) {
                sum += weights[i] == 0 ? 0 : weights[i] * loss.value(response.after(p[i], z[i]), y[i]);
            }
            means[k] = sum / weight;
        }
        return means;
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
        a[rule] += y == null ? Double.NaN : s == 0 ? 0 : s * loss.value(p, y[person]);
        e[rule] += y == null || !loss.isSquared() ? Double.NaN : s * (p - y[person]) * (z[person] - y[person]);
    }

    /** sum_i s_i. */
    double weight() {
        return weight;
    }

    /** The sums of a rule. */
    ReportData.Losses losses(int rule, double stretch, double earned) {
        return new ReportData.Losses(stretch, earned, a[rule], e[rule], moved[rule]);
    }

    /** sum_i s_i l(p_i, y_i). */
    double honest(int rule) {
        return a[rule];
    }

    /** D = sum_i s_i (l(z_i, y_i) + sigma^2). */
    double wishLoss(double wishNoise) {
        double sum = y == null ? Double.NaN : wishNoise * wishNoise * weight;
        for (int i = 0; y != null && i < y.length; i++) {
            sum += weights[i] == 0 ? 0 : weights[i] * loss.value(z[i], y[i]);
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

    /** The predictions for all people by the k-th of the kept rules. */
    double[] kept(int which) {
        return keptPredictions[which];
    }
}
