package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * Takes over when ADMM converges slowly: Newton's method for the secular equation 1/||r(lambda)|| = 1, r(lambda) = -(H + lambda I)^{-1} g, for lambda >
 * -lambda_min(H), where its only root belongs to the global minimum.
 *
 * <p>It is the r-step of ADMM with rho = 2 lambda and v = -s, which does not depend on s, and a new rho in every iteration: few iterations, each with a
 * factorisation. The bracket and the hard case follow Moré and Sorensen, Computing a trust region step (1983).
 */
final class SecularNewton {
    /** The largest number of steps; ten are usual. */
    private static final int MAX_STEPS = 60;
    /** The largest | ||r|| - 1 | that counts as 0. */
    private static final double ON_SPHERE = 1e-14;
    /** The width of the bracket, relative to its ends and to ||H||, at which it is closed; the case is then hard. */
    private static final double CLOSED = 1e-15;
    /** Where in the bracket the iteration continues if Newton's step leaves it, as a share of its width from the lower end. */
    private static final double CAUTION = 1e-2;

    private final SphereProblem problem;
    private final Factors factors;
    private final double[] g;
    private final Shift shift;
    private final double tolerance;
    /** The width of the bracket at which a completed r is good enough in the hard case. */
    private double enough;

    private double lower;
    private double upper;
    /** An approximate eigenvector of the smallest eigenvalue. */
    private double[] lowest;

    /**
     * Prepares a run.
     *
     * @param shift the bound on the smallest eigenvalue, and its eigenvector if known
     * @param tolerance the relative gap to reach
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
     * The end of the iteration.
     *
     * @param unit the point
     * @param solve the factorisation of H + lambda I at its multiplier, or close to it
     */
    record Root(double[] unit, ShiftedSolve solve) {}

    /** Solves, starting from the multiplier of a unit vector; empty only if no lambda in the bracket has a factorisation. */
    Optional<Root> solve(double[] near) {
        Stationarity here = Stationarity.of(problem, near);
        factors.read(1);
        double gap = tolerance * Stationarity.scale(here.objective(), problem.zeroRuleLoss()) / 8;
        // the smallest eigenvalue is not known more accurately than this
        enough = Math.max(gap, 8 * problem.hessianRounding());
        double lambda = here.multiplier();
        // the root is at least -lambda_min, and -lambda_min >= -near'H near = lambda + near'g
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
            // Newton's step leaves the bracket only from the right, where ||r|| < 1: the root is close to the pole
            // -lambda_min, or the case is hard
            lambda = next > lower && next < upper ? next : outside();
        }
        return last;
    }

    /** Returns the next lambda after Newton's step has left the bracket: the pole if it is known, else a point near the lower end. */
    private double outside() {
        boolean known = shift.lowest() != null && -shift.mu() > lower && -shift.mu() < upper;
        return known ? -shift.mu() : lower + CAUTION * (upper - lower);
    }

    /** Returns whether r is inside the ball and u'Hu + lambda, which bounds the loss of completing r along u, is small enough. */
    private boolean isHard(double norm) {
        return norm < 1 && upper - lower <= enough;
    }

    /**
     * Returns a lower bound on the root from a factorisation of H + sigma I: the result of Newton's step if sigma is left of the root, since 1/||r|| is
     * concave; 0 otherwise.
     */
    static double lowerBound(ShiftedSolve solve, double[] g, double sigma) {
        double[] r = g.clone();
        solve.solve(r);
        double norm = Vectors.norm(r);
        return norm > 1 ? sigma + newtonStep(solve, r, norm) : 0;
    }

    /** Returns Newton's step for 1/||r|| = 1. */
    private static double newtonStep(ShiftedSolve solve, double[] r, double norm) {
        double[] mr = r.clone();
        solve.solve(mr);
        return (norm - 1) * norm * norm / Vectors.dot(r, mr);
    }

    private boolean isClosed() {
        double ends = Math.max(Math.abs(lower), Math.abs(upper));
        return upper - lower <= CLOSED * Math.max(ends, problem.hessianNorm());
    }

    /** Does one inverse iteration for the lowest eigenvector; returns its Rayleigh quotient of H + lambda I, an upper bound on the smallest eigenvalue. */
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
