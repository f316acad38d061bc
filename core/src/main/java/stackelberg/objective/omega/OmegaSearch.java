package stackelberg.objective.omega;

import java.util.Arrays;
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
 * <p><b>Method.</b> {@link OmegaBranch}, an interval being bounded from its two ends ({@link SliceAnchor}), to second order in its width. Ends when no interval reaches below the best loss by more than
 * the tolerance: then the rule is globally optimal, and that is a proof.
 *
 * <p><b>Cost per iteration.</b> One sphere problem: O(m n^2 + n^3), or O(m n + n^3) where all gammas are equal.
 *
 * <p><b>When it fails.</b> Where two far omegas are equally good to the tolerance, or where phi is flat, the iterations may run out; the gap is then
 * proven but large.
 */
final class OmegaSearch extends OmegaBranch<SliceAnchor> {
    /** The relative gap between two losses that counts as none. */
    private static final double NEGLIGIBLE = 1e-9;

    /** A larger pull-through is hardly that of a rule. */
    private static final double NEARLY_ALL = 0.99;

    private final MixedReduction reduction;
    private final SphereSolver solver;
    private final double scale;
    private final double typical;
    private final double[] references;
    private final ZeroAnchor zero;
    private final InfinityAnchor infinity;

    private OmegaSearch(
            MixedReduction reduction,
            double scale,
            SphereSolver solver,
            SolverOptions options,
            ProgressListener listener) {
        super(options, Integer.MAX_VALUE, listener);
        this.reduction = reduction;
        this.scale = scale;
        this.solver = solver;
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
        this.zero = new ZeroAnchor(reduction, references);
        this.infinity = new InfinityAnchor(reduction, typical);
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

    @Override
    Interval<SliceAnchor> bounded(
            SliceAnchor lo, SliceAnchor hi, double from, double to, int side, Interval<SliceAnchor> parent) {
        Anchor lower = lo == null ? zero : lo;
        Anchor upper = hi == null ? infinity : hi;
        double bound = Math.max(lower.lowerBound(from, to), upper.lowerBound(from, to));
        return new Interval<>(lo, hi, from, to, side, null, Math.max(parent == null ? 0 : parent.bound(), bound));
    }

    private Result run() {
        Found<SliceAnchor> found = search(typical, 0);
        SliceAnchor best = found.best();
        boolean zeroIsBest = zero.objective() <= best.objective();
        double[] w = zeroIsBest ? new double[reduction.features()] : best.w();
        double objective = zeroIsBest ? zero.objective() : best.objective();
        double bound = Math.min(found.bound(), objective);
        boolean still = best.omega() == found.last() && found.status() == SphereResult.Status.STALLED;
        double limit = Math.min(infinity.limitPointLoss(), still ? objective : Double.POSITIVE_INFINITY);
        return new Result(
                w,
                objective,
                bound,
                best.certificate(),
                finiteness(limit, objective, bound, Vectors.dot(w, w)),
                evaluations(),
                found.status());
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

    @Override
    double wanted() {
        return options().tolerance() * Math.max(best().objective(), 1e-9 * scale);
    }

    @Override
    SliceAnchor slice(double omega, int side) {
        MixedSlice slice = reduction.at(omega);
        double[] unit =
                solver.solve(slice.problem(), options(), ProgressListener.NONE).r();
        double[] w = unit.clone();
        Vectors.scale(Math.sqrt(omega), w);
        Copies copies = Copies.at(slice, reduction.rows(), w);
        return new SliceAnchor(
                slice, unit, Certificate.of(slice.problem(), unit), copies, reduction.penalty(), references);
    }
}
