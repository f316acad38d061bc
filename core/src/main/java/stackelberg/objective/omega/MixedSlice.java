package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * A mixed game at one omega: row by row S (p - y)^2 + (1 - S)(a p + t z - y)^2 = W (p - target)^2 + rest, with a = gamma/(gamma + omega), t = 1 -
 * a, W = S + (1 - S) a^2. What depends on the rule is a sphere problem.
 */
final class MixedSlice {
    private final MixedRows rows;
    private final double omega;
    private final double[] a;
    private final double[] t;
    private final double[] w;
    private final Reduction reduction;
    private final FixedNormProblem problem;

    MixedSlice(MixedReduction mixed, double omega) {
        this.rows = mixed.rows();
        this.omega = omega;
        int m = rows.count();
        double share = rows.share();
        this.a = Arrays.stream(rows.gamma())
                .map(gamma -> Response.remainder(omega, gamma))
                .toArray();
        this.t = Arrays.stream(rows.gamma())
                .map(gamma -> Response.pullThrough(omega, gamma))
                .toArray();
        this.w = new double[m];
        double[] target = new double[m];
        double[] weights = new double[m];
        for (int i = 0; i < m; i++) {
            w[i] = share + (1 - share) * a[i] * a[i];
            // y + (1 - S) a t (y - z) / W: the rule that would be right for the truthful and the moved alike
            target[i] = rows.y()[i] - (1 - share) * a[i] * t[i] / w[i] * rows.gap()[i];
            weights[i] = rows.weight()[i] * w[i];
        }
        this.reduction = mixed.reduce(target, weights);
        SphereFamily family = reduction.family();
        this.problem = omega == 0 ? null : new FixedNormProblem(family, omega, mixed.gramOf(family, w));
    }

    double omega() {
        return omega;
    }

    /** The part that depends on the rule, in w/sqrt(omega); only for omega > 0. */
    SphereProblem problem() {
        return problem;
    }

    /** ||X'P target||, how steeply the loss falls from w = 0. */
    double slope() {
        return Vectors.norm(reduction.family().xy());
    }

    /** p_i - target_i of the rule with these coefficients on cost-scaled features and the best immutable part. */
    double[] residuals(double[] w) {
        return reduction.residuals(w).orElseThrow();
    }

    /** What row i's prediction is off for somebody truthful: p_i - y_i, from p_i - target_i. */
    double truthfulResidual(int i, double residual) {
        return residual - (1 - rows.share()) * a[i] * t[i] / w[i] * rows.gap()[i];
    }

    /** What row i's prediction is off for somebody who moves: a_i p_i + t_i z_i - y_i, from p_i - target_i. */
    double movedResidual(int i, double residual) {
        return a[i] * residual + rows.share() * t[i] / w[i] * rows.gap()[i];
    }

    /** t_i sigma_i. */
    double noiseResidual(int i) {
        return t[i] * rows.noise()[i];
    }

    /** The rule with coefficients w on cost-scaled features and the best immutable part. */
    LinearRule bestRule(double[] w) {
        return reduction.naiveRule(w);
    }
}
