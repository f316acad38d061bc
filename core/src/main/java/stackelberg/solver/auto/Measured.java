package stackelberg.solver.auto;

import java.util.List;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * An evaluation of a solver's point on the data, by which {@link AutoSolver} compares points.
 *
 * @param objective f(r)
 * @param residual ||e||
 * @param relativeGap an estimate of (f(r) - f*)/max(f(r), 1e-9 p0): a bound if H is a Gram matrix and the multiplier positive, otherwise computed as if H + lambda
 *     I had no negative eigenvalue
 * @param atRounding whether no solver can be expected to do better: H + lambda I is positive definite and the residual no larger than its rounding allowance
 */
record Measured(double objective, double residual, double relativeGap, boolean atRounding) {
    /** Evaluates the points of all problems, which share their data, in one pass. */
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
            double relative = gap == 0 ? 0 : gap / Stationarity.scale(at.objective(), family.zeroRuleLoss());
            boolean atRounding = curvature > 0 && at.residual() <= rounding;
            measured[i] = new Measured(at.objective(), at.residual(), relative, atRounding);
        }
        return measured;
    }

    /** Returns whether this point has a lower f, or the same f to 1e-12 and a smaller residual. */
    boolean isBetterThan(Measured other) {
        double same = 1e-12 * Math.max(Math.abs(objective), Math.abs(other.objective));
        return Math.abs(objective - other.objective) > same ? objective < other.objective : residual < other.residual;
    }
}
