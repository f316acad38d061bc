package stackelberg.sphere;

import stackelberg.linalg.Vectors;

/**
 * How far a unit vector r is from stationary: lambda = -r'(H r + g), e = (H + lambda I) r + g.
 *
 * @param objective f(r)
 * @param multiplier lambda
 * @param e as above; not copied
 * @param residual ||e||
 */
public record Stationarity(double objective, double multiplier, double[] e, double residual) {
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
}
