package stackelberg.solver.published.ltrsr;

import stackelberg.solver.SolverOptions;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The stopping rule: a gap bound from a residual e and a curvature kappa must be at most half of tolerance * max(|f|, 1e-9 p0).
 *
 * <p>The bounds are those of the certificate, ||e||^2/kappa, 4||e|| + 4 max(0, -kappa) and, for a Gram matrix, f itself, but with the solver's estimate of kappa.
 * Half of the tolerance, because the certificate computes the residual from the data and may find a larger one.
 */
final class GapTarget {
    private final double tolerance;
    private final double zeroRuleLoss;
    private final boolean gram;
    private final double rounding;

    GapTarget(SphereProblem problem, SolverOptions options) {
        this.tolerance = options.tolerance() / 2;
        this.zeroRuleLoss = problem.zeroRuleLoss();
        this.gram = problem.isGram();
        this.rounding = 0x1p-52 * problem.roundingScale();
    }

    /** Returns the gap to reach at a point with objective f. */
    double allowed(double f) {
        return tolerance * Stationarity.scale(f, zeroRuleLoss);
    }

    /** Returns whether a point with objective f and residual ||e|| meets the rule if kappa is the smallest eigenvalue of H + lambda I. */
    boolean reached(double f, double residual, double kappa) {
        return gap(f, residual, kappa) <= allowed(f);
    }

    /** Returns the gap bound, for the same parameters. */
    double gap(double f, double residual, double kappa) {
        double gap = Stationarity.gap(residual, kappa);
        return gram ? Math.min(gap, Math.abs(f)) : gap;
    }

    /** Returns whether a residual or an eigenvalue is at most the rounding of the problem, so that further steps cannot improve it. */
    boolean isRounding(double value) {
        return Math.abs(value) <= rounding;
    }
}
