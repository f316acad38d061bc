package stackelberg.objective.omega;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;

/**
 * Branch and bound over omega = w'C^{-1}w: the interval with the smallest bound is split, and where a split finds a better rule the zero of the derivative next to it is found, until no interval
 * reaches below the best loss by more than is wanted.
 *
 * @param <S> what is known of the rules of one omega
 */
abstract class OmegaBranch<S extends OmegaBranch.Slice> {
    /** How much farther an interval that ends in 0 or infinity is cut: four powers of two. */
    private static final double STRIDE = 16;

    /** Beyond this ratio to gamma, omega is as good as 0 or infinite. */
    static final double EXTREME = 1e40;

    /** The part of what is wanted that the zero of the derivative may leave. */
    private static final double LEFT = 1e-3;

    /** Steps to a zero. */
    private static final int MOST_STEPS = 200;

    /** The best rule of one omega. */
    interface Slice {
        double omega();

        /** The part of the rules it belongs to, where they are searched apart: the sign of the only coefficient; 0 where there are more. */
        int side();

        /** The least loss. */
        double objective();

        /** Its derivative by omega. */
        double derivative();

        /** The multiplier, which a listener hears. */
        double lambda();
    }

    /**
     * A part of the axis.
     *
     * @param lo what is known at its lower end; null at 0
     * @param hi what is known at its upper end; null at infinity
     * @param by the slice that bounds it; null where another bound is better
     * @param bound no rule with such an omega loses less
     */
    record Interval<S>(S lo, S hi, double from, double to, int side, S by, double bound) {
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
    private S best;
    private int evaluations;
    private boolean stopped;

    /** @param most slices */
    OmegaBranch(SolverOptions options, int most, ProgressListener listener) {
        this.options = options;
        this.most = Math.min(most, options.maxIterations());
        this.listener = listener;
    }

    /** The best rule at one omega. */
    abstract S slice(double omega, int side);

    /**
     * A bounded interval.
     *
     * @param parent that it is a part of; null for none
     */
    abstract Interval<S> bounded(S lo, S hi, double from, double to, int side, Interval<S> parent);

    /** The gap at which the search ends. */
    abstract double wanted();

    /**
     * What was found.
     *
     * @param intervals the whole axis, bounded
     */
    record Found<S>(S best, List<Interval<S>> intervals, SphereResult.Status status) {
        /** No rule loses less. */
        double bound() {
            return intervals.stream().mapToDouble(Interval::bound).min().orElse(Double.POSITIVE_INFINITY);
        }

        /** The largest omega that an interval was cut at. */
        double last() {
            return intervals.stream().mapToDouble(Interval::from).max().orElse(0);
        }
    }

    /** @param typical the omega that is looked at first, on every side */
    final Found<S> search(double typical, int... sides) {
        PriorityQueue<Interval<S>> open = new PriorityQueue<>(Comparator.comparingDouble(Interval::bound));
        for (int side : sides) {
            S first = evaluate(typical, side);
            open.add(bounded(null, first, 0, typical, side, null));
            open.add(bounded(first, null, typical, Double.POSITIVE_INFINITY, side, null));
        }
        SphereResult.Status status = SphereResult.Status.CONVERGED;
        List<Interval<S>> closed = new ArrayList<>();
        while (!open.isEmpty() && open.peek().bound < best.objective() - wanted()) {
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
            S from = interval.lo;
            double start = interval.from;
            for (S to : split(interval, middle)) {
                open.add(bounded(from, to, start, to.omega(), interval.side, interval));
                from = to;
                start = to.omega();
            }
            open.add(bounded(from, interval.hi, start, interval.to, interval.side, interval));
        }
        closed.addAll(open);
        return new Found<>(best, closed, status);
    }

    /** The new slices inside an interval, ascending. */
    private List<S> split(Interval<S> interval, double middle) {
        S before = best;
        S at = evaluate(middle, interval.side);
        List<S> slices = new ArrayList<>(List.of(at));
        if (best == at && before != at) {
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

    /** By the logarithm of omega, until what is left to gain between the ends is next to nothing; the best slice met. */
    private S zeroOfDerivative(S left, S right) {
        S found = left.objective() <= right.objective() ? left : right;
        double low = left.derivative() * left.omega();
        double high = right.derivative() * right.omega();
        var bracket = new Bracket<>(left, Math.log(left.omega()), low, right, Math.log(right.omega()), high);
        for (int k = 0; k < MOST_STEPS && low < 0 && high > 0 && !isOver(); k++) {
            double x = bracket.next();
            if (Double.isNaN(x)) {
                break;
            }
            S at = evaluate(Math.exp(x), left.side());
            double slope = at.derivative() * at.omega();
            found = at.objective() <= found.objective() ? at : found;
            if (Math.abs(slope) * bracket.width() <= LEFT * wanted() || bracket.width() < 1e-14 * Math.abs(x)) {
                break;
            }
            bracket.take(at, x, slope);
        }
        return found;
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

    /** Takes a slice if it is better. */
    final void offer(S slice) {
        if (best == null || slice.objective() < best.objective()) {
            best = slice;
        }
    }

    final S best() {
        return best;
    }

    final int evaluations() {
        return evaluations;
    }

    final SolverOptions options() {
        return options;
    }
}
