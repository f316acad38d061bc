package stackelberg.solver.published.ltrsr;

import stackelberg.solver.SolverOptions;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * When a point is good enough: the gap bound of a residual e and a curvature kappa against half of tolerance * max(|f|, 1e-9 p0).
 *
 * <p>The bounds are those of the certificate, ||e||^2/kappa, 4||e|| + 4 max(0, -kappa) and, for a Gram matrix, f itself; here with what the
 * solver believes about kappa. Half, because the certificate computes its own residual.
 */
final class GapTarget {
    private final double tolerance;
    private final double ungameable;
    private final boolean gram;
    private final double rounding;

    GapTarget(SphereProblem problem, SolverOptions options) {
        this.tolerance = options.tolerance() / 2;
        this.ungameable = problem.ungameableLoss();
        this.gram = problem.isGram();
        this.rounding = 0x1p-52 * problem.roundingScale();
    }

    /** The gap to reach at a point with objective f. */
    double allowed(double f) {
        return tolerance * Stationarity.scale(f, ungameable);
    }

    /** Whether a point with objective f, residual ||e|| and smallest eigenvalue kappa of H + lambda I is good enough. */
    boolean reached(double f, double residual, double kappa) {
        return gap(f, residual, kappa) <= allowed(f);
    }

    /** The gap bound. */
    double gap(double f, double residual, double kappa) {
        double gap = Stationarity.gap(residual, kappa);
        return gram ? Math.min(gap, Math.abs(f)) : gap;
    }

    /** Whether a residual or an eigenvalue is no larger than the rounding of the whole problem, so that nothing is left to gain. */
    boolean isRounding(double value) {
        return Math.abs(value) <= rounding;
    }
}
