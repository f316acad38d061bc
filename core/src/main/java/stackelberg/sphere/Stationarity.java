package stackelberg.sphere;

import stackelberg.linalg.Vectors;

/**
 * How far a unit vector r is from stationary: lambda = -r'(H r + g), e = (H + lambda I) r + g; and what that says about f(r) - f*.
 *
 * @param objective f(r)
 * @param multiplier lambda
 * @param e as above; not copied
 * @param residual ||e||
 */
public record Stationarity(double objective, double multiplier, double[] e, double residual) {
    /** How many roundings of the size of a problem its half gradient may be off, where nothing better is known. */
    static final double ROUNDINGS = 4 * 0x1p-52;

    /** At a point that has been evaluated. */
    public static Stationarity of(double[] r, Evaluation at) {
        double lambda = -Vectors.dot(r, at.halfGradient());
        return of(r, at.objective(), lambda, at.halfGradient().clone());
    }

    /** At a point that the problem evaluates. */
    public static Stationarity of(SphereProblem problem, double[] r) {
        return of(r, problem.evaluate(r));
    }

    /**
     * With a multiplier from elsewhere.
     *
     * @param halfGradient H r + g, which becomes e
     */
    public static Stationarity of(double[] r, double objective, double lambda, double[] halfGradient) {
        Vectors.axpy(lambda, r, halfGradient);
        return new Stationarity(objective, lambda, halfGradient, Vectors.norm(halfGradient));
    }

    /**
     * A bound of f(r) - f*: ||e||^2/kappa where H + lambda I >= kappa I > 0, else 4||e|| + 4 delta with delta = -kappa.
     *
     * @param residual ||e||
     * @param curvature kappa
     */
    public static double gap(double residual, double curvature) {
        double gap = 4 * residual + 4 * Math.max(0, -curvature);
        return curvature > 0 ? Math.min(gap, residual * residual / curvature) : gap;
    }

    /**
     * The same with ||e|| raised by what rounding may hide, as the certificate does; it decides when to stop, and proves nothing.
     *
     * @param roundingScale the size of the problem
     */
    public static double gap(double residual, double curvature, double roundingScale) {
        return gap(residual + ROUNDINGS * roundingScale, curvature);
    }

    /**
     * max(|f|, 1e-9 p0): what gaps are relative to.
     *
     * @param ungameable p0
     */
    public static double scale(double objective, double ungameable) {
        return Math.max(Math.abs(objective), 1e-9 * ungameable);
    }
}
