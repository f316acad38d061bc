package stackelberg.objective.omega;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;

/**
 * Branch and bound over omega = w'C^{-1}w. The interval with the smallest lower bound is divided; if that finds a
 * better rule, the zero of the derivative next to it is computed. The search ends when no interval's bound is below the
 * best loss by more than the tolerance.
 *
 * @param <S> what is known of the rules with one omega
 */
abstract class OmegaBranch<S extends OmegaBranch.Slice> {
    /** The ratio at which an interval that ends at 0 or infinity is divided: four powers of two. */
    private static final double STRIDE = 16;

    /** Beyond this ratio to gamma, omega is treated as 0 or infinite. */
    static final double EXTREME = 1e40;

    /** The fraction of the tolerance that the zero of the derivative may leave. */
    private static final double LEFT = 1e-3;

    /** The largest number of steps to a zero. */
    private static final int MOST_STEPS = 200;

    /**
     * The number of steps after the loss has settled. Near its minimum the loss hardly depends on omega, but the rule
     * does, so its digits need them.
     */
    private static final int FINAL_STEPS = 2;

    /** The relative difference between two losses that is rounding. */
    private static final double ROUNDING = 4 * 0x1p-52;

    /** The relative difference between two losses that counts as zero. */
    private static final double NEGLIGIBLE = 1e-9;

    /** A rule with a larger pull-through is hardly a useful rule. */
    private static final double NEARLY_ALL = 0.99;

    /** The best rule with one omega. */
    interface Slice {
        double omega();

        /**
         * Returns the part of the rules it belongs to if these are searched separately: the sign of the only
         * coefficient; 0 if there are several.
         */
        int side();

        /** Returns the least loss. */
        double objective();

        /** Returns the derivative of the least loss by omega. */
        double derivative();

        /** Returns the multiplier, which is reported to the listener. */
        double lambda();
    }

    /**
     * A part of the axis with a lower bound.
     *
     * @param lo the slice at its lower end; null at 0
     * @param hi the slice at its upper end; null at infinity
     * @param by the slice that bounds it; null if that is not known
     * @param bound a lower bound of the loss of every rule with such an omega
     */
    record Interval<S>(
            @Nullable S lo,
            @Nullable S hi,
            double from,
            double to,
            int side,
            @Nullable S by,
            double bound) {
        private double middle() {
            if (Double.isInfinite(to)) {
                return STRIDE * from;
            }
            return from == 0 ? to / STRIDE : Math.sqrt(from) * Math.sqrt(to);
        }
    }

    private final SolverOptions options;
    private final int most;
    private final ProgressListener listener;
    private @Nullable S best;
    private int evaluations;
    private boolean stopped;

    /**
     * @param most the largest number of slices
     */
    OmegaBranch(SolverOptions options, int most, ProgressListener listener) {
        this.options = options;
        this.most = Math.min(most, options.maxIterations());
        this.listener = listener;
    }

    /** Returns the best rule at one omega. */
    abstract S slice(double omega, int side);

    /**
     * Returns an interval with its bound.
     *
     * @param parent the interval of which it is a part; null for none
     */
    abstract Interval<S> bounded(
            @Nullable S lo, @Nullable S hi, double from, double to, int side, @Nullable Interval<S> parent);

    /** Returns the gap at which the search ends. */
    abstract double wanted();

    /**
     * The result of the search.
     *
     * @param intervals intervals with bounds that cover the whole axis
     */
    record Found<S>(S best, List<Interval<S>> intervals, SphereResult.Status status) {
        /** Returns a lower bound of the loss of every rule. */
        double bound() {
            return intervals.stream().mapToDouble(Interval::bound).min().orElse(Double.POSITIVE_INFINITY);
        }

        /** Returns the largest omega at which an interval was divided. */
        double last() {
            return intervals.stream().mapToDouble(Interval::from).max().orElse(0);
        }
    }

    /**
     * @param typical the omega that is evaluated first, on every side
     */
    final Found<S> search(double typical, int... sides) {
        PriorityQueue<Interval<S>> open = new PriorityQueue<>(Comparator.comparingDouble(Interval::bound));
        for (int side : sides) {
            S first = evaluate(typical, side);
            open.add(bounded(null, first, 0, typical, side, null));
            open.add(bounded(first, null, typical, Double.POSITIVE_INFINITY, side, null));
        }
        SphereResult.Status status = SphereResult.Status.CONVERGED;
        List<Interval<S>> closed = new ArrayList<>();
        while (!open.isEmpty() && open.peek().bound < best().objective() - wanted()) {
            if (isOver()) {
                status = stopped ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.ITERATION_LIMIT;
                break;
            }
            Interval<S> interval = open.poll();
            double middle = interval.middle();
            if (!(middle > interval.from && middle < interval.to)
                    || middle > EXTREME * typical
                    || middle < typical / EXTREME) {
                closed.add(interval);
                status = SphereResult.Status.STALLED;
                continue;
            }
            @Nullable S from = interval.lo;
            double start = interval.from;
            for (S to : split(interval, middle)) {
                open.add(bounded(from, to, start, to.omega(), interval.side, interval));
                from = to;
                start = to.omega();
            }
            open.add(bounded(from, interval.hi, start, interval.to, interval.side, interval));
        }
        closed.addAll(open);
        return new Found<>(best(), closed, status);
    }

    /**
     * Returns the finiteness as on one sphere ({@link Certificate.Finiteness}): it is decided by the lower bound, and
     * of equally good solutions a finite rule is preferred.
     *
     * @param limit the loss in the limit omega -> infinity
     * @param loss the loss of the rule found
     * @param gap how much smaller the loss of another rule can be
     * @param size the loss by which relative differences are measured
     */
    static Certificate.Finiteness finiteness(double limit, double loss, double gap, double size, double pullThrough) {
        double negligible = NEGLIGIBLE * size;
        if (limit - loss > negligible) {
            return Certificate.Finiteness.FINITE;
        }
        if (!(limit - loss + gap <= 2 * negligible)) {
            return Certificate.Finiteness.UNKNOWN;
        }
        boolean rule = pullThrough <= NEARLY_ALL && gap <= negligible;
        return rule ? Certificate.Finiteness.FINITE : Certificate.Finiteness.NONE;
    }

    /** Returns the new slices inside an interval, ascending. */
    private List<S> split(Interval<S> interval, double middle) {
        S before = best();
        S at = evaluate(middle, interval.side);
        List<S> slices = new ArrayList<>(List.of(at));
        if (best() == at && before != at) {
            boolean falling = at.derivative() < 0;
            S neighbour = falling ? interval.hi : interval.lo;
            if (neighbour != null && neighbour.derivative() * at.derivative() < 0) {
                S polished = falling ? zeroOfDerivative(at, neighbour) : zeroOfDerivative(neighbour, at);
                if (polished != at && polished != neighbour) {
                    slices.add(falling ? 1 : 0, polished);
                }
            }
        }
        return slices;
    }

    /**
     * Finds a zero of the derivative as a function of log omega, until what can be gained between the ends is
     * negligible and a few steps longer; returns the best slice visited, and of equally good ones the last.
     */
    private S zeroOfDerivative(S left, S right) {
        S found = left.objective() <= right.objective() ? left : right;
        double low = left.derivative() * left.omega();
        double high = right.derivative() * right.omega();
        var bracket = new Bracket<>(left, Math.log(left.omega()), low, right, Math.log(right.omega()), high);
        int settled = 0;
        for (int k = 0; k < MOST_STEPS && low < 0 && high > 0 && !isOver(); k++) {
            double x = bracket.next();
            if (Double.isNaN(x)) {
                break;
            }
            S at = evaluate(Math.exp(x), left.side());
            double slope = at.derivative() * at.omega();
            found = isAsGood(at, found) ? at : found;
            settled += Math.abs(slope) * bracket.width() <= LEFT * wanted() ? 1 : 0;
            if (settled > FINAL_STEPS || slope == 0 || bracket.width() < 1e-14 * Math.abs(x)) {
                break;
            }
            bracket.take(at, x, slope);
        }
        best = isAsGood(found, best()) ? found : best;
        return found;
    }

    /** Returns whether a slice's loss is at most that of another, up to rounding. */
    private boolean isAsGood(S slice, S other) {
        return slice.objective() <= other.objective() + ROUNDING * Math.abs(other.objective());
    }

    private boolean isOver() {
        return stopped || evaluations >= most;
    }

    private S evaluate(double omega, int side) {
        evaluations++;
        S slice = slice(omega, side);
        offer(slice);
        var progress =
                new ProgressListener.Progress(evaluations, slice.objective(), Double.NaN, Double.NaN, slice.lambda());
        stopped |= listener.onIteration(progress) == ProgressListener.Decision.STOP;
        return slice;
    }

    /** Replaces the best slice if the given one is better. */
    final void offer(S slice) {
        if (best == null || slice.objective() < best.objective()) {
            best = slice;
        }
    }

    final S best() {
        return Objects.requireNonNull(best, "no slice has been evaluated");
    }

    final int evaluations() {
        return evaluations;
    }

    final SolverOptions options() {
        return options;
    }
}
