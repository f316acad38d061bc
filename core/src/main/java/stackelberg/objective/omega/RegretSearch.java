package stackelberg.objective.omega;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Finds the largest regret F - f* of one rule over an interval of gammas, where f* is the least loss at each gamma, by
 * dividing the interval.
 *
 * <p>F is convex in t, so no value inside an interval exceeds both ends. For every multiplier kappa, f* is at least the
 * minimum of a quadratic in t that is linear in gamma; as a minimum of linear functions this bound is concave, so no
 * value inside is below both ends.
 */
final class RegretSearch {
    /** The largest number of parts of the interval. */
    private static final int MOST_PARTS = 2000;

    private final RangeSearch search;
    private final Condensed.Few few;
    private final RangeSearch.Ends ends;
    private final RangeSearch.Sums sums;
    private final double omega;
    /** The smallest and the largest multiplier that is tried, plus the smallest eigenvalue, in logarithms. */
    private final double[] multipliers;

    private final double least;

    /**
     * @param sums the sums of the rule
     */
    RegretSearch(RangeSearch search, Condensed.Few few, RangeSearch.Ends ends, RangeSearch.Sums sums, double omega) {
        this.search = search;
        this.few = few;
        this.ends = ends;
        this.sums = sums;
        this.omega = omega;
        this.least = Arrays.stream(few.squares()).min().orElse(0);
        double most = Arrays.stream(few.squares()).max().orElse(0);
        double from = Math.log(1e-12 * Math.max(most, Double.MIN_NORMAL));
        this.multipliers = new double[] {from, from + Math.log(1e40)};
    }

    /** A gamma with the rule's loss and the multiplier that bounds f* best there. */
    private record At(double gamma, double loss, double kappa) {}

    /**
     * A part of the interval.
     *
     * @param most an upper bound of the regrets in it
     */
    private record Part(At from, At to, double most) {}

    /**
     * Searches until the largest regret is known up to the slack.
     *
     * @param low an upper bound of the regret at the smallest gamma
     * @param high an upper bound of the regret at the largest gamma
     */
    RangeSolution.Regret largest(double low, double high, double slack) {
        double met = Math.max(low, high);
        // of two equally large regrets, that at the gamma at which moves are larger
        double where = high > low + slack ? ends.high() : ends.low();
        PriorityQueue<Part> open = new PriorityQueue<>(Comparator.comparingDouble(part -> -part.most));
        open.add(part(at(ends.low()), at(ends.high())));
        for (int k = 0; k < MOST_PARTS && open.element().most > met + slack; k++) {
            Part part = open.remove();
            double gamma = Math.sqrt(part.from.gamma) * Math.sqrt(part.to.gamma);
            if (!(gamma > part.from.gamma && gamma < part.to.gamma)) {
                open.add(part);
                break;
            }
            At middle = at(gamma);
            double regret = middle.loss - leastLoss(gamma, middle.kappa);
            if (regret > met) {
                met = regret;
                where = gamma;
            }
            open.add(part(part.from, middle));
            open.add(part(middle, part.to));
        }
        return new RangeSolution.Regret(where, met, Math.max(met, open.element().most));
    }

    private At at(double gamma) {
        return new At(gamma, sums.loss(omega, gamma, ends.ridge()), bestMultiplier(gamma));
    }

    private Part part(At from, At to) {
        double bound = Math.max(
                Math.min(leastLoss(from.gamma, from.kappa), leastLoss(to.gamma, from.kappa)),
                Math.min(leastLoss(from.gamma, to.kappa), leastLoss(to.gamma, to.kappa)));
        return new Part(from, to, Math.max(from.loss, to.loss) - bound);
    }

    private double leastLoss(double gamma, double kappa) {
        return quadratic(gamma, kappa)[0];
    }

    /**
     * Returns a lower bound of the loss of every rule at this gamma, and the t at which it is attained: the minimum
     * over t of (1 - t)^2 v0 - 2 t (1 - t) v1 + t^2 (T - c) + gamma t (mu - kappa (1 - t)).
     */
    private double[] quadratic(double gamma, double kappa) {
        RangeBound.Face face = search.relaxed(kappa);
        double linear = -2 * face.a0() + face.b0() + gamma * (ends.ridge() - kappa);
        double square = face.a0() - face.b0() + face.d() - face.c() + gamma * kappa;
        double t = square > 0 ? Math.min(1, Math.max(0, -linear / (2 * square))) : linear + square < 0 ? 1 : 0;
        return new double[] {face.a0() + t * (linear + t * square), t};
    }

    /**
     * Returns the kappa with the largest lower bound at a gamma; the bound is concave in kappa, with the derivative
     * ||(1 - t) w||^2 - gamma t (1 - t).
     */
    private double bestMultiplier(double gamma) {
        double from = multipliers[0];
        double to = multipliers[1];
        for (int k = 0; k < 100; k++) {
            double middle = (from + to) / 2;
            double kappa = Math.exp(middle) - least;
            double t = quadratic(gamma, kappa)[1];
            double norm = 0;
            for (int i = 0; i < few.y().length - 3; i++) {
                double h = few.squares()[i];
                double w = Math.sqrt(h) * ((1 - t) * few.y()[i] - t * few.gap()[i]) / (h + kappa);
                norm += w * w;
            }
            if (norm > gamma * t * (1 - t)) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return Math.exp(from) - least;
    }
}
