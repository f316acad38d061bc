package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The way out when ADMM wanders: Newton's method on the secular equation 1/||r(lambda)|| = 1, r(lambda) = -(H + lambda I)^{-1} g, for lambda >
 * -lambda_min(H), where the only root is the global minimum.
 *
 * <p>It is the r-update of ADMM with rho = 2 lambda and v = -s, where the step no longer depends on s, and with a new rho in every iteration:
 * few iterations, but each a factorisation. The bracket and the hard case follow Moré and Sorensen, Computing a trust region step (1983).
 */
final class SecularNewton {
    private static final int MAX_STEPS = 60;

    /** ||r|| counts as 1 within this. */
    private static final double ON_SPHERE = 1e-14;

    /** The bracket counts as closed, so that the case is hard, when it is this narrow relative to its ends and to H. */
    private static final double CLOSED = 1e-15;

    /** Where in the bracket to go on when Newton leaves it. */
    private static final double CAUTION = 1e-2;

    private final SphereProblem problem;
    private final Factors factors;
    private final double[] g;
    private final Shift shift;
    private final double tolerance;
    private double enough;
    private double lower;
    private double upper;
    private double[] lowest;

    /**
     * @param shift what is known of the smallest eigenvalue, and of its eigenvector
     * @param tolerance the relative gap that is wanted
     */
    SecularNewton(SphereProblem problem, Factors factors, Shift shift, double tolerance) {
        this.problem = problem;
        this.factors = factors;
        this.g = problem.g();
        this.shift = shift;
        this.tolerance = tolerance;
        this.lowest = shift.lowest() == null
                ? Shift.anywhere(g.length)
                : shift.lowest().clone();
    }

    /**
     * Where it ends.
     *
     * @param unit the point
     * @param solve the factorisation of H + lambda I at its multiplier, or close to it
     */
    record Root(double[] unit, ShiftedSolve solve) {}

    /** Solves from a unit vector near by; empty only where no shift in reach has a factorisation. */
    Optional<Root> solve(double[] near) {
        Stationarity here = Stationarity.of(problem, near);
        factors.read(1);
        double gap = tolerance * Stationarity.scale(here.objective(), problem.ungameableLoss()) / 8;
        // the shift itself is not proven any closer
        enough = Math.max(gap, 8 * problem.hessianRounding());
        double lambda = here.multiplier();
        // near'H near >= lambda_min
        lower = lambda + Vectors.dot(near, g);
        // (H - mu I + nu I)r = -g with H - mu I >= 0, so nu <= ||g||
        upper = Vectors.norm(g) - shift.mu();
        if (!(lambda > lower && lambda < upper)) {
            lambda = lower + (upper - lower) / 2;
        }
        Optional<Root> last = Optional.empty();
        for (int step = 0; step < MAX_STEPS && !isClosed(); step++) {
            Optional<ShiftedSolve> solve = factors.at(lambda);
            if (solve.isEmpty()) {
                lower = Math.max(lower, lambda);
                lambda = lower + (upper - lower) / 2;
                continue;
            }
            double[] r = g.clone();
            solve.get().solve(r);
            Vectors.scale(-1, r);
            double norm = Vectors.norm(r);
            lower = Math.max(lower, lambda - towardsLowest(solve.get()));
            if (norm < 1) {
                upper = Math.min(upper, lambda);
            } else {
                lower = Math.max(lower, lambda);
            }
            double next = lambda + newtonStep(solve.get(), r, norm);
            boolean onSphere = Math.abs(norm - 1) <= ON_SPHERE || Math.abs(next - lambda) <= Math.ulp(lambda);
            last = Optional.of(
                    new Root(norm < 1 && !onSphere ? Shift.completed(r, lowest) : scaled(r, norm), solve.get()));
            if (onSphere || isHard(norm)) {
                break;
            }
            // Newton leaves the bracket only from the right, where ||r|| < 1: the root is close to the pole, or the
            // case is hard
            lambda = next > lower && next < upper ? next : outside();
        }
        return last;
    }

    /** Where to go on when Newton has left the bracket: where the pole is known to be, and from its right by and by if that is unknown. */
    private double outside() {
        boolean known = shift.lowest() != null && -shift.mu() > lower && -shift.mu() < upper;
        return known ? -shift.mu() : lower + CAUTION * (upper - lower);
    }

    /** Whether u'Hu + lambda, by which a completed r may be above the minimum, is small enough. */
    private boolean isHard(double norm) {
        return norm < 1 && upper - lower <= enough;
    }

    /** A lower bound of the root from M = H + sigma I, in the same terms: Newton's step from the left of it, because 1/||r|| is concave; 0 from the right. */
    static double lowerBound(ShiftedSolve solve, double[] g, double sigma) {
        double[] r = g.clone();
        solve.solve(r);
        double norm = Vectors.norm(r);
        return norm > 1 ? sigma + newtonStep(solve, r, norm) : 0;
    }

    /** How much further 1/||r|| = 1 is along the tangent. */
    private static double newtonStep(ShiftedSolve solve, double[] r, double norm) {
        double[] mr = r.clone();
        solve.solve(mr);
        return (norm - 1) * norm * norm / Vectors.dot(r, mr);
    }

    private boolean isClosed() {
        double ends = Math.max(Math.abs(lower), Math.abs(upper));
        return upper - lower <= CLOSED * Math.max(ends, problem.hessianNorm());
    }

    /** One inverse iteration on the lowest eigenvector; returns its Rayleigh quotient of H + lambda I. */
    private double towardsLowest(ShiftedSolve solve) {
        Vectors.scale(1 / Vectors.norm(lowest), lowest);
        double[] next = lowest.clone();
        solve.solve(next);
        double norm = Vectors.norm(next);
        double quotient = Vectors.dot(lowest, next) / (norm * norm);
        Vectors.scale(1 / norm, next);
        lowest = next;
        return quotient;
    }

    private static double[] scaled(double[] r, double norm) {
        double[] unit = r.clone();
        Vectors.scale(1 / norm, unit);
        return unit;
    }
}
