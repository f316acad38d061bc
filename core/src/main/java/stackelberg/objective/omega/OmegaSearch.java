package stackelberg.objective.omega;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import stackelberg.certificate.Certificate;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;

/**
 * The best rule for a mixed population: branch and bound over omega = w'C^{-1}w, with a sphere problem at every omega.
 *
 * <p><b>Problem.</b> minimise phi(omega) over omega >= 0, phi the least loss of all rules with that omega; not convex in omega.
 *
 * <p><b>Method.</b> An interval is bounded below from its two ends ({@link SliceAnchor}), to second order in its width; the interval with the
 * lowest bound is split, and where a split finds a better rule the zero of phi' next to it is found. Ends when no interval reaches below the best
 * loss by more than the tolerance: then the rule is globally optimal, and that is a proof.
 *
 * <p><b>Cost per iteration.</b> One sphere problem: O(m n^2 + n^3), or O(m n + n^3) where all gammas are equal.
 *
 * <p><b>When it fails.</b> Where two far omegas are equally good to the tolerance, or where phi is flat, the iterations may run out; the gap is then
 * proven but large.
 */
final class OmegaSearch {
    /** How much farther an interval that ends in 0 or infinity is cut: four powers of two. */
    private static final double STRIDE = 16;

    /** Beyond this ratio to gamma, omega is as good as 0 or infinite. */
    private static final double EXTREME = 1e40;

    /** The relative gap between two losses that counts as none. */
    private static final double NEGLIGIBLE = 1e-9;

    /** A larger pull-through is hardly that of a rule. */
    private static final double NEARLY_ALL = 0.99;

    private final MixedReduction reduction;
    private final SphereSolver solver;
    private final SolverOptions options;
    private final ProgressListener listener;
    private final double scale;
    private final double typical;
    private final double[] references;
    private SliceAnchor best;
    private int evaluations;
    private boolean stopped;

    private OmegaSearch(
            MixedReduction reduction,
            double scale,
            SphereSolver solver,
            SolverOptions options,
            ProgressListener listener) {
        this.reduction = reduction;
        this.scale = scale;
        this.solver = solver;
        this.options = options;
        this.listener = listener;
        double[] finite = Arrays.stream(reduction.rows().gamma())
                .filter(gamma -> gamma < Double.POSITIVE_INFINITY)
                .sorted()
                .toArray();
        this.typical = finite.length == 0 ? 1 : finite[finite.length / 2];
        this.references = finite.length == 0
                ? new double[] {1, 1e6}
                : Arrays.stream(new double[] {
                            finite[0], typical, finite[finite.length - 1], 1e6 * finite[finite.length - 1]
                        })
                        .distinct()
                        .toArray();
    }

    /**
     * What the search found.
     *
     * @param w the best rule's coefficients on cost-scaled features
     * @param objective its loss
     * @param lowerBound no rule has a lower loss
     * @param slice the certificate of w among the rules with the same omega
     * @param finiteness whether only ever larger rules are as good
     * @param evaluations sphere problems solved
     */
    record Result(
            double[] w,
            double objective,
            double lowerBound,
            Certificate slice,
            Certificate.Finiteness finiteness,
            int evaluations,
            SphereResult.Status status) {}

    /**
     * Searches until the gap is within the tolerance.
     *
     * @param scale p0, the loss of the best rule with w = 0, that relative gaps fall back on
     */
    static Result of(
            MixedReduction reduction,
            double scale,
            SphereSolver solver,
            SolverOptions options,
            ProgressListener listener) {
        return new OmegaSearch(reduction, scale, solver, options, listener).run();
    }

    /** A part of the axis whose ends are anchors, and what is proven of it. */
    private record Interval(Anchor lo, Anchor hi, double bound) {
        static Interval between(Anchor lo, Anchor hi, double known) {
            double bound = Math.max(lo.lowerBound(lo.omega(), hi.omega()), hi.lowerBound(lo.omega(), hi.omega()));
            return new Interval(lo, hi, Math.max(known, bound));
        }

        double middle() {
            if (Double.isInfinite(hi.omega())) {
                return STRIDE * lo.omega();
            }
            return lo.omega() == 0 ? hi.omega() / STRIDE : Math.sqrt(lo.omega()) * Math.sqrt(hi.omega());
        }
    }

    private Result run() {
        ZeroAnchor zero = new ZeroAnchor(reduction, references);
        InfinityAnchor infinity = new InfinityAnchor(reduction, typical);
        PriorityQueue<Interval> open = new PriorityQueue<>(Comparator.comparingDouble(Interval::bound));
        double last = typical;
        SliceAnchor first = evaluate(typical);
        open.add(Interval.between(zero, first, 0));
        open.add(Interval.between(first, infinity, 0));
        SphereResult.Status status = SphereResult.Status.CONVERGED;
        double closed = Double.POSITIVE_INFINITY;
        while (open.peek().bound() < best.objective() - slack()) {
            if (stopped || evaluations >= options.maxIterations()) {
                status = stopped ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.ITERATION_LIMIT;
                break;
            }
            Interval interval = open.poll();
            double middle = interval.middle();
            boolean extreme = middle > EXTREME * typical || middle < typical / EXTREME;
            if (extreme
                    || !(middle > interval.lo().omega()
                            && middle < interval.hi().omega())) {
                closed = Math.min(closed, interval.bound());
                status = SphereResult.Status.STALLED;
                if (open.isEmpty()) {
                    break;
                }
                continue;
            }
            last = Math.max(last, middle);
            Anchor from = interval.lo();
            for (Anchor to : split(interval, middle)) {
                open.add(Interval.between(from, to, interval.bound()));
                from = to;
            }
        }
        double bound = Math.min(
                closed, open.isEmpty() ? Double.POSITIVE_INFINITY : open.peek().bound());
        boolean zeroIsBest = zero.objective() <= best.objective();
        double[] w = zeroIsBest ? new double[reduction.features()] : best.w();
        double objective = zeroIsBest ? zero.objective() : best.objective();
        double limit = Math.min(
                infinity.limitPointLoss(),
                best.omega() == last && status == SphereResult.Status.STALLED ? objective : Double.POSITIVE_INFINITY);
        return new Result(
                w,
                objective,
                Math.min(bound, objective),
                best.certificate(),
                finiteness(limit, objective, Math.min(bound, objective), Vectors.dot(w, w)),
                evaluations,
                status);
    }

    /** As on one sphere ({@link Certificate.Finiteness}): proven by the lower bound, and a rule that is as good wins. */
    private Certificate.Finiteness finiteness(double limit, double objective, double lowerBound, double omega) {
        double negligible = NEGLIGIBLE * Math.max(objective, 1e-9 * scale);
        if (limit - objective > negligible) {
            return Certificate.Finiteness.FINITE;
        }
        if (!(limit - lowerBound <= 2 * negligible)) {
            return Certificate.Finiteness.UNKNOWN;
        }
        boolean rule = Response.pullThrough(omega, typical) <= NEARLY_ALL && objective - lowerBound <= negligible;
        return rule ? Certificate.Finiteness.FINITE : Certificate.Finiteness.NONE;
    }

    private double slack() {
        return options.tolerance() * Math.max(best.objective(), 1e-9 * scale);
    }

    /** The new anchors inside an interval, and its end. */
    private List<Anchor> split(Interval interval, double middle) {
        SliceAnchor before = best;
        SliceAnchor at = evaluate(middle);
        List<Anchor> anchors = new ArrayList<>(List.of(at));
        if (best == at && before != at) {
            boolean falling = at.derivative() < 0;
            Anchor neighbour = falling ? interval.hi() : interval.lo();
            SliceAnchor polished = neighbour instanceof SliceAnchor other ? zeroOfDerivative(at, other) : at;
            if (polished != at && polished != neighbour) {
                anchors.add(falling ? 1 : 0, polished);
            }
        }
        anchors.add(interval.hi());
        return anchors;
    }

    /** Regula falsi on phi' in log omega, halving the weight of an end that stays (Illinois); the best point met. */
    private SliceAnchor zeroOfDerivative(SliceAnchor a, SliceAnchor b) {
        SliceAnchor left = a.omega() < b.omega() ? a : b;
        SliceAnchor right = left == a ? b : a;
        double x = Math.log(left.omega());
        double z = Math.log(right.omega());
        double fx = left.derivative() * left.omega();
        double fz = right.derivative() * right.omega();
        SliceAnchor found = a.objective() <= b.objective() ? a : b;
        while (fx < 0 && fz > 0 && !stopped && evaluations < options.maxIterations()) {
            double y = (x * fz - z * fx) / (fz - fx);
            if (!(y > x && y < z)) {
                break;
            }
            SliceAnchor at = evaluate(Math.exp(y));
            double f = at.derivative() * at.omega();
            if (at.objective() <= found.objective()) {
                found = at;
            }
            // what is left to gain between the ends
            if (Math.abs(f) * (z - x) <= 1e-3 * slack() || z - x < 1e-14 * Math.abs(z)) {
                break;
            }
            if (f < 0) {
                x = y;
                fx = f;
                fz /= 2;
            } else {
                z = y;
                fz = f;
                fx /= 2;
            }
        }
        return found;
    }

    private SliceAnchor evaluate(double omega) {
        MixedSlice slice = reduction.at(omega);
        double[] unit =
                solver.solve(slice.problem(), options, ProgressListener.NONE).r();
        Certificate certificate = Certificate.of(slice.problem(), unit);
        double[] w = unit.clone();
        for (int j = 0; j < w.length; j++) {
            w[j] *= Math.sqrt(omega);
        }
        Copies copies = Copies.at(slice, reduction.rows(), w);
        SliceAnchor anchor = new SliceAnchor(slice, unit, certificate, copies, reduction.penalty(), references);
        evaluations++;
        if (best == null || anchor.objective() < best.objective()) {
            best = anchor;
        }
        var progress = new ProgressListener.Progress(
                evaluations, anchor.objective(), Double.NaN, Double.NaN, certificate.multiplier());
        stopped |= listener.onIteration(progress) == ProgressListener.Decision.STOP;
        return anchor;
    }
}
