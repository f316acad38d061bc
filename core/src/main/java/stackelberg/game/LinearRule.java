package stackelberg.game;

/**
 * A published rule: prediction = w'x + q'v + intercept, with x the features people can change and v those they cannot.
 *
 * @param w coefficients of the manipulable features
 * @param q coefficients of the immutable features
 * @param intercept the constant nobody can change
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

    /** ||C^{-1/2} w||^2 = w'C^{-1}w: how much a unit of follower's effort moves the prediction. */
    public double omega(double[] costs) {
        double omega = 0;
        for (int j = 0; j < w.length; j++) {
            omega += w[j] * w[j] / costs[j];
        }
        return omega;
    }

    /** beta'C^{-1}w: what a unit of follower's effort does to the truth, where a move by one of each feature changes it by effects. */
    public double earned(double[] costs, double[] effects) {
        double earned = 0;
        for (int j = 0; j < w.length; j++) {
            earned += effects[j] * w[j] / costs[j];
        }
        return earned;
    }
}
