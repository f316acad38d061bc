package stackelberg.game;

import java.util.Arrays;

/**
 * A linear rule in encoded units: score = w'x + q'v + intercept, with x the manipulable and v the immutable features.
 *
 * @param w coefficients of the manipulable features
 * @param q coefficients of the immutable features
 * @param intercept the constant term, which no move changes
 */
public record LinearRule(double[] w, double[] q, double intercept) {
    public LinearRule {
        w = w.clone();
        q = q.clone();
    }

    @Override
    public double[] w() {
        return w.clone();
    }

    @Override
    public double[] q() {
        return q.clone();
    }

    /** Whether all coefficients are finite; at the limit point of the sphere they are not. */
    public boolean isFinite() {
        return Arrays.stream(w).allMatch(Double::isFinite)
                && Arrays.stream(q).allMatch(Double::isFinite)
                && Double.isFinite(intercept);
    }

    /**
     * omega = w'C^{-1}w, from which the pull-through is omega/(gamma + omega): how strongly the rule rewards a unit of effort.
     *
     * @param costs c_j, the diagonal of C; infinite for a feature that cannot be moved
     */
    public double omega(double[] costs) {
        double omega = 0;
        for (int j = 0; j < w.length; j++) {
            omega += w[j] * w[j] / costs[j];
        }
        return omega;
    }

    /**
     * beta'C^{-1}w: by how much a move along C^{-1}w really changes the target.
     *
     * @param costs c_j, the diagonal of C
     * @param effects beta_j, the change of the target for a move of feature j by one unit
     */
    public double earned(double[] costs, double[] effects) {
        double earned = 0;
        for (int j = 0; j < w.length; j++) {
            earned += effects[j] * w[j] / costs[j];
        }
        return earned;
    }
}
