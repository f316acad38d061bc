package stackelberg.objective.omega;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;

/**
 * Finds the best rule for a mixed population by branch and bound over omega = w'C^{-1}w, with a sphere problem at every
 * omega.
 *
 * <p><b>Problem.</b> Minimise phi(omega) over omega >= 0, where phi is the least loss of all rules with that omega; phi
 * is not convex.
 *
 * <p><b>Method.</b> {@link OmegaBranch}. Each interval is bounded from its two ends ({@link SliceAnchor}), up to second
 * order in its width. The search ends when no interval's bound is below the best loss by more than the tolerance; the
 * rule is then proven to be globally optimal.
 *
 * <p><b>Cost per iteration.</b> One sphere problem: O(m n^2 + n^3), or O(m n + n^3) if all gammas are equal.
 *
 * <p><b>When it fails.</b> If two distant omegas are equally good up to the tolerance, or phi is flat, the iterations
 * may run out; the gap is then proven but large.
 */
final class OmegaSearch extends OmegaBranch<SliceAnchor> {
    private final MixedReduction reduction;
    private final SphereSolver solver;
    private final double scale;
    private final double typical;
    private final double[] references;
    private final FarBound far;

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
        this.far = new FarBound(reduction);
    }

    /**
     * The result of the search.
     *
     * @param w the best rule's coefficients on cost-scaled features
     * @param objective its loss
     * @param lowerBound a lower bound of the loss of every rule
     * @param slice the certificate of w among the rules with the same omega
     * @param finiteness whether a finite rule attains the infimum
     * @param evaluations the number of sphere problems solved
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
     * @param scale p0, the loss of the best rule with w = 0, which replaces a loss near 0 in relative gaps
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
            @Nullable SliceAnchor lo,
            @Nullable SliceAnchor hi,
            double from,
            double to,
            int side,
            @Nullable Interval<SliceAnchor> parent) {
        double bound = parent == null ? 0 : parent.bound();
        if (lo != null) {
            bound = Math.max(bound, lo.lowerBound(from, to));
        }
        bound = Math.max(bound, hi == null ? far.atLeast(from) : hi.lowerBound(from, to));
        return new Interval<>(lo, hi, from, to, side, null, bound);
    }

    private Result run() {
        Found<SliceAnchor> found = search(typical, 0);
        SliceAnchor best = found.best();
        double[] none = new double[reduction.features()];
        double withoutMoves = reduction.at(0).copies(none).squares();
        boolean zeroIsBest = withoutMoves <= best.objective();
        double[] w = zeroIsBest ? none : best.w();
        double objective = zeroIsBest ? withoutMoves : best.objective();
        double bound = Math.min(found.bound(), objective);
        boolean still = best.omega() == found.last() && found.status() == SphereResult.Status.STALLED;
        double limit = Math.min(far.limitPointLoss(), still ? objective : Double.POSITIVE_INFINITY);
        double pullThrough = Response.pullThrough(Vectors.dot(w, w), typical);
        return new Result(
                w,
                objective,
                bound,
                best.certificate(),
                finiteness(limit, objective, objective - bound, size(objective), pullThrough),
                evaluations(),
                found.status());
    }

    @Override
    double wanted() {
        return options().tolerance() * size(best().objective());
    }

    private double size(double objective) {
        return Math.max(objective, 1e-9 * scale);
    }

    @Override
    SliceAnchor slice(double omega, int side) {
        return new SliceAnchor(reduction, omega, references, solver, options());
    }
}
