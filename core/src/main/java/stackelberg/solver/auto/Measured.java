package stackelberg.solver.auto;

import java.util.List;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * What the data says about a solver's point.
 *
 * @param objective f(r)
 * @param residual ||e||
 * @param relativeGap an estimate of (f(r) - f*) / max(f(r), 1e-9 p0): a bound where H is a Gram matrix and the multiplier positive, else as if H + lambda I
 *     had no negative eigenvalue
 * @param atRounding whether no other point is known to be nearer: H + lambda I is positive definite, and the residual no larger than what rounding may hide
 */
record Measured(double objective, double residual, double relativeGap, boolean atRounding) {
    /** All problems in one pass. */
    static Measured[] of(List<SphereProblem> problems, List<SphereResult> results) {
        double[][] r = results.stream().map(SphereResult::r).toArray(double[][]::new);
        SphereFamily family = problems.get(0).family();
        Evaluation[] evaluations = family.evaluate(problems, r);
        Measured[] measured = new Measured[r.length];
        for (int i = 0; i < r.length; i++) {
            Stationarity at = Stationarity.of(r[i], evaluations[i]);
            SphereProblem problem = problems.get(i);
            double curvature = family.isGram() ? Math.max(0, at.multiplier()) : 0;
            double rounding = problem.gradientRounding(r[i]);
            double gap = Stationarity.gap(at.residual() + rounding, curvature);
            if (family.isGram()) {
                gap = Math.min(at.objective() + problem.objectiveRounding(r[i], at.objective()), gap);
            }
            double relative = gap == 0 ? 0 : gap / Stationarity.scale(at.objective(), family.ungameableLoss());
            boolean atRounding = curvature > 0 && at.residual() <= rounding;
            measured[i] = new Measured(at.objective(), at.residual(), relative, atRounding);
        }
        return measured;
    }

    /** A lower f, or the same to rounding and a smaller residual. */
    boolean isBetterThan(Measured other) {
        double same = 1e-12 * Math.max(Math.abs(objective), Math.abs(other.objective));
        return Math.abs(objective - other.objective) > same ? objective < other.objective : residual < other.residual;
    }
}
