package stackelberg.model.tuning;

import stackelberg.estimate.Loss;
import stackelberg.game.Response;

/**
 * What the people held out in one fold say about one rule, whatever it costs them to move: their squared loss is a quadratic in the world's
 * pull-through, three sums; for other losses everybody's prediction is kept.
 *
 * <p>With u = (p - y)/(1 + alpha), alpha the model's own omega/gamma, and d = z - y, the residual in a world where moving costs G is (1 - t)(p - y)
 * + t (z - y) = keep u + t d with keep = (1 - t)(1 + alpha). Dividing by 1 + alpha keeps everything finite when the rule is not ("believe
 * everybody"): then t = 1, and keep is G/gamma.
 *
 * @param gamma the model's gamma
 * @param alphaTilde (alpha - 1)/(alpha + 1), from the sphere
 * @param below 1 - alphaTilde, which near 1 cannot be had from alphaTilde
 * @param uu sum_i s_i u_i^2
 * @param ud sum_i s_i u_i d_i
 * @param dd sum_i s_i (d_i^2 + sigma^2), the noise of the wishes included
 * @param real what a rule does where moves really change the target; null where they do not
 * @param people who they are, where the loss is not squared; otherwise null
 */
record HeldOut(
        double gamma, double alphaTilde, double below, double uu, double ud, double dd, Real real, People people) {
    /**
     * Their score in a world where moving costs G is (1 - t) p + t z = keep p/(1 + alpha) + t z, and l is their loss by it.
     *
     * @param scaled p/(1 + alpha)
     */
    record People(Loss loss, double[] scaled, double[] y, double[] z, double[] weights) {
        double lost(double keep, double t) {
            double sum = 0;
            for (int i = 0; i < scaled.length; i++) {
                sum += weights[i] == 0 ? 0 : weights[i] * loss.value(keep * scaled[i] + t * z[i], y[i]);
            }
            return sum;
        }
    }

    /**
     * Where moves really change the target u is (1 - tau)(p - y), tau the model's own, and tau of the world stands for t.
     *
     * @param omega of the rule
     * @param earned beta'C^{-1}w of the rule
     * @param kept 1 - tau
     */
    record Real(double omega, double earned, double kept) {}

    /** omega = gamma alpha; infinite where the rule is. */
    double omega() {
        return real != null ? real.omega : gamma * (1 + alphaTilde) / below;
    }

    /** The fraction of the gap to their wish that people close in a world where moving costs worldGamma. */
    double pullThrough(double worldGamma) {
        return Response.pullThrough(omega(), worldGamma);
    }

    /** The summed loss of these people in a world where moving costs worldGamma, and everybody stays as they are with probability truthfulShare. */
    double loss(double worldGamma, double truthfulShare) {
        return truthfulShare == 0
                ? moved(worldGamma)
                : truthfulShare * honest() + (1 - truthfulShare) * moved(worldGamma);
    }

    /** If nobody moves: sum_i s_i (p_i - y_i)^2 = (1 + alpha)^2 uu. */
    private double honest() {
        return uu == 0 ? 0 : 4 * uu / (below * below);
    }

    private double moved(double worldGamma) {
        if (real != null) {
            Response there = Response.of(real.omega, real.earned, worldGamma);
            return Response.loss(there.remainingError() / real.kept, there.gamed(), uu, ud, dd);
        }
        double keep = Response.scaledRemainder(worldGamma, gamma, (1 + alphaTilde) / 2, below / 2);
        double t = pullThrough(worldGamma);
        return people != null ? people.lost(keep, t) : Response.loss(keep, t, uu, ud, dd);
    }
}
