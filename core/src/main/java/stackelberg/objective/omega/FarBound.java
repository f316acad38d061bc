package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.game.Response;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * A lower bound of the loss of all rules with a large omega, from the rows that never move: their loss is at least that
 * of their own least-squares rule, and grows with omega unless some coefficients change none of their scores. It also
 * has the loss in the limit omega -> infinity.
 */
final class FarBound {
    private final MixedReduction reduction;
    private final MixedRows rows;
    /** The residuals of the least-squares rule of the rows that never move, for every row; 0 if there are none. */
    private double[] residuals;
    /** A lower bound of the least-squares loss of the rows that never move. */
    private double loss;
    /** The norm of the coefficients of their least-squares rule. */
    private double norm;
    /** A lower bound of the smallest eigenvalue of X'PX over these rows. */
    private double curvature;

    FarBound(MixedReduction reduction) {
        this.reduction = reduction;
        this.rows = reduction.rows();
        this.residuals = new double[rows.count()];
        double[] weights = rows.weight().clone();
        for (int i = 0; i < weights.length; i++) {
            weights[i] *= Double.isInfinite(rows.gamma()[i]) ? 1 : rows.share();
        }
        if (Arrays.stream(weights).anyMatch(weight -> weight > 0)) {
            fit(reduction.reduce(rows.y(), weights));
        }
    }

    private void fit(Reduction still) {
        SphereFamily family = still.family();
        SymmetricEigen eigen = SymmetricEigen.of(family.gram(), family.workers());
        int n = family.features();
        double rounding = (Math.sqrt(n) + 10) * 0x1p-52 * family.squaredNorm();
        double[] values = eigen.values();
        double[] xy = family.xy();
        double[] w = new double[n];
        for (int k = 0; k < n; k++) {
            if (values[k] > n * rounding) {
                double[] vector = eigen.vectors().column(k);
                Vectors.axpy(Vectors.dot(vector, xy) / values[k], vector, w);
            }
        }
        // at gamma = 4 the family's X is not scaled
        double[][] point = {Arrays.copyOf(w, n + 1)};
        double least = family.evaluate(new double[] {4}, point)[0].objective();
        loss = Math.max(0, least - 1e-12 * least - 64 * 0x1p-52 * family.roundingGrowth() * family.yy());
        norm = Vectors.norm(w);
        curvature = Math.max(0, values[0] - rounding);
        residuals = still.residuals(w).orElseThrow();
    }

    /** Returns a lower bound of the loss of every rule with at least this omega. */
    double atLeast(double omega) {
        double beyond = Math.max(0, Math.sqrt(omega) - norm);
        // the penalty increases with omega
        double penalty = reduction.penalty().at(omega) * (1 - 0x1p-50);
        return Math.max(loss + curvature * beyond * beyond, ofBothCopies(omega)) + penalty;
    }

    /**
     * Returns a bound from both copies of every row together. A row's truthful residual is e + d, with e that of the
     * least-squares rule; its moving residual is gap + a (e + d - gap), where a = 1 - t. The sum is convex in d, and
     * the terms in a d cost at most their square divided by the curvature of the truthful copy.
     */
    private double ofBothCopies(double omega) {
        double share = rows.share();
        if (share == 0) {
            return 0;
        }
        double constant = 0;
        double linear = 0;
        double tilts = 0;
        for (int i = 0; i < rows.count(); i++) {
            double weight = rows.weight()[i];
            double moving = Double.isInfinite(rows.gamma()[i]) ? 0 : 1 - share;
            double e = residuals[i];
            double gap = rows.gap()[i];
            double square = gap * gap + rows.noise()[i] * rows.noise()[i];
            double a = moving == 0 ? 0 : Response.remainder(omega, rows.gamma()[i]);
            constant += weight * ((1 - moving) * e * e + moving * square);
            // 1 - t decreases from a to 0 towards infinity
            linear += Math.max(0, 2 * weight * moving * a * (square - gap * e));
            tilts += weight * moving * moving / share * a * a * gap * gap;
        }
        return constant - linear - tilts - 64 * 0x1p-52 * (constant + linear);
    }

    /** Returns the loss in the limit; infinite if rows that never move prevent the limit, or if it is unknown. */
    double limitPointLoss() {
        double penalty = reduction.penalty().at(Double.POSITIVE_INFINITY);
        if (rows.allMove()) {
            return reduction.limitPointLoss() + penalty;
        }
        // only coefficients that change no truthful row's score can grow without bound
        return rows.share() > 0 && curvature == 0 ? ofBothCopies(Double.MAX_VALUE) + penalty : Double.POSITIVE_INFINITY;
    }
}
