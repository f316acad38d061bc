package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.Response;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * A mixed game at one omega: row by row S (p - y)^2 + (1 - S)(a p + t z - y)^2 = W (p - target)^2 + rest, with a =
 * gamma/(gamma + omega), t = 1 - a, W = S + (1 - S) a^2. The first term, which depends on the rule, is a sphere
 * problem.
 */
final class MixedSlice {
    private final MixedReduction mixed;
    private final double omega;
    private final double[] a;
    private final double[] t;
    private final double[] w;
    private final Reduction reduction;

    MixedSlice(MixedReduction mixed, double omega) {
        MixedRows rows = mixed.rows();
        this.mixed = mixed;
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
            // y + (1 - S) a t (y - z) / W: the prediction that is best for the truthful and the moving copy together
            target[i] = rows.y()[i] - (1 - share) * a[i] * t[i] / w[i] * rows.gap()[i];
            weights[i] = rows.weight()[i] * w[i];
        }
        this.reduction = mixed.reduce(target, weights);
    }

    /** Returns the part that depends on the rule, as a problem in w/sqrt(omega); only for omega > 0. */
    SphereProblem problem() {
        SphereFamily family = reduction.family();
        return new FixedNormProblem(family, omega, mixed.gramOf(family, w));
    }

    /** Returns the copies of all rows under the rule with these coefficients and the best immutable part. */
    Copies copies(double[] coefficients) {
        // p_i - target_i
        double[] residuals = reduction.residuals(coefficients).orElseThrow();
        MixedRows rows = mixed.rows();
        double[] truthful = new double[residuals.length];
        double[] moved = new double[residuals.length];
        double[] noise = new double[residuals.length];
        for (int i = 0; i < residuals.length; i++) {
            double pulled = t[i] / w[i] * rows.gap()[i];
            truthful[i] = residuals[i] - (1 - rows.share()) * a[i] * pulled;
            moved[i] = a[i] * residuals[i] + rows.share() * pulled;
            noise[i] = t[i] * rows.noise()[i];
        }
        return new Copies(rows, truthful, moved, noise);
    }

    /** Returns the rule with these coefficients on cost-scaled features and the best immutable part. */
    LinearRule bestRule(double[] coefficients) {
        return reduction.naiveRule(coefficients);
    }
}
