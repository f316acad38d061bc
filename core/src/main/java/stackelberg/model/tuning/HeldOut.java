package stackelberg.model.tuning;

import stackelberg.game.Response;

/**
 * What the people held out in one fold say about one rule, whatever it costs them to move: their loss is a quadratic in the world's
 * pull-through, three sums.
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
 */
record HeldOut(double gamma, double alphaTilde, double below, double uu, double ud, double dd) {
    /** 1 - alphaTilde for a point of the sphere, without cancellation. */
    static double below(double[] r) {
        double alphaTilde = r[r.length - 1];
        if (alphaTilde <= 0) {
            return 1 - alphaTilde;
        }
        double square = 0;
        for (int j = 0; j < r.length - 1; j++) {
            square += r[j] * r[j];
        }
        return square / (1 + alphaTilde);
    }

    /** omega = gamma alpha; infinite where the rule is. */
    double omega() {
        return gamma * (1 + alphaTilde) / below;
    }

    /** The fraction of the gap to their wish that people close in a world where moving costs worldGamma. */
    double pullThrough(double worldGamma) {
        return Response.pullThrough(omega(), worldGamma);
    }

    /** The summed loss of these people in a world where moving costs worldGamma. */
    double loss(double worldGamma) {
        double keep = Response.scaledRemainder(worldGamma, gamma, (1 + alphaTilde) / 2, below / 2);
        return Response.loss(keep, pullThrough(worldGamma), uu, ud, dd);
    }
}
