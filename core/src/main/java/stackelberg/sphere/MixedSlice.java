package stackelberg.sphere;

import stackelberg.linalg.Vectors;

/**
 * A mixed game at one omega: row by row S (p - y)^2 + (1 - S)(a p + t z - y)^2 = W (p - target)^2 + rest, with a = gamma/(gamma + omega), t = 1 -
 * a, W = S + (1 - S) a^2. What depends on the rule is a sphere problem.
 */
public final class MixedSlice {
    private final MixedRows rows;
    private final double omega;
    private final double[] a;
    private final double[] t;
    private final double[] w;
    private final double[] target;
    private final RowProjection fixed;
    private final DataFamily family;
    private final FixedNormProblem problem;
    private final MixedSphereReduction reduction;

    MixedSlice(MixedSphereReduction reduction, double omega) {
        this.reduction = reduction;
        this.rows = reduction.rows();
        this.omega = omega;
        int m = rows.count();
        double share = rows.share();
        this.a = reduction.remainders(omega);
        this.t = reduction.pullThroughs(omega);
        this.w = new double[m];
        this.target = new double[m];
        double[] weights = new double[m];
        for (int i = 0; i < m; i++) {
            w[i] = share + (1 - share) * a[i] * a[i];
            // y + (1 - S) a t (y - z) / W: the rule that would be right for the truthful and the moved alike
            target[i] = rows.y()[i] - (1 - share) * a[i] * t[i] / w[i] * rows.gap()[i];
            weights[i] = rows.weight()[i] * w[i];
        }
        this.fixed = RowProjection.of(reduction.columns(), weights);
        double[] coordinates = fixed.coordinates(target);
        this.family = new DataFamily(
                reduction.x(),
                weights,
                fixed,
                fixed.remove(target, coordinates),
                new double[m],
                Vectors.norm(coordinates),
                0,
                reduction.workers());
        this.problem = omega == 0 ? null : new FixedNormProblem(family, omega, reduction.gramOf(family, w));
    }

    public double omega() {
        return omega;
    }

    /** The part that depends on the rule, in w/sqrt(omega); only for omega > 0. */
    public SphereProblem problem() {
        return problem;
    }

    /** ||X'P target||, how steeply the loss falls from w = 0. */
    public double slope() {
        return Vectors.norm(family.xy());
    }

    /** p_i - target_i of the rule with these coefficients on cost-scaled features and the best immutable part. */
    public double[] residuals(double[] w) {
        double[] rest = reduction.times(w);
        for (int i = 0; i < rest.length; i++) {
            rest[i] -= target[i];
        }
        return fixed.remove(rest, fixed.coordinates(rest));
    }

    /** What row i's prediction is off for somebody truthful: p_i - y_i, from p_i - target_i. */
    public double truthfulResidual(int i, double residual) {
        return residual - (1 - rows.share()) * a[i] * t[i] / w[i] * rows.gap()[i];
    }

    /** What row i's prediction is off for somebody who moves: a_i p_i + t_i z_i - y_i, from p_i - target_i. */
    public double movedResidual(int i, double residual) {
        return a[i] * residual + rows.share() * t[i] / w[i] * rows.gap()[i];
    }

    /** t_i sigma_i. */
    public double noiseResidual(int i) {
        return t[i] * rows.noise()[i];
    }

    /** Coefficients of the best immutable part on the orthonormalised columns, given w: in the original columns. */
    double[] immutableCoefficients(double[] w) {
        double[] rest = reduction.times(w);
        for (int i = 0; i < rest.length; i++) {
            rest[i] = target[i] - rest[i];
        }
        return fixed.coefficients(fixed.coordinates(rest));
    }
}
