package stackelberg.game;

/**
 * What a move does: who is predicted p and wishes for z moves by (z - p)/(gamma + omega) along C^{-1}w, which closes t = omega/(gamma + omega) of
 * the gap and costs t (1 - t)(z - p)^2; omega = w'C^{-1}w is the rule's, gamma the person's.
 *
 * <p>An infinite gamma is a person who never moves, whatever the rule; an infinite omega is the rule that believes everybody else. t and 1 - t
 * are computed apart, because 1 - t multiplies predictions that are as large as it is small.
 */
public final class Response {
    private final double omega;
    private final double gamma;
    private final double pullThrough;
    private final double remainder;

    private Response(double omega, double gamma) {
        this.omega = omega;
        this.gamma = gamma;
        this.pullThrough = pullThrough(omega, gamma);
        this.remainder = remainder(omega, gamma);
    }

    /**
     * The response to a rule.
     *
     * @param omega how far one unit of effort moves the prediction, squared; infinite for "believe everybody"
     * @param gamma what moving costs; infinite for a person who never moves
     */
    public static Response of(double omega, double gamma) {
        return new Response(omega, gamma);
    }

    /** t = omega/(gamma + omega), the pull-through: the share of the gap between prediction and wish that is closed. */
    public static double pullThrough(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 0 : 1 / (1 + gamma / omega);
    }

    /** 1 - t = gamma/(gamma + omega), what is left of the rule's own prediction: not from t, which near 1 has lost it to rounding. */
    public static double remainder(double omega, double gamma) {
        return Double.isInfinite(gamma) ? 1 : 1 / (1 + omega / gamma);
    }

    /**
     * (1 - t)(1 + alpha) with alpha = omega/modelGamma, in a world where moving costs gamma: what is left of a prediction that was divided by 1 +
     * alpha, finite for every omega; gamma/modelGamma where it is infinite.
     *
     * @param modelPullThrough omega/(modelGamma + omega)
     * @param modelRemainder modelGamma/(modelGamma + omega)
     */
    public static double scaledRemainder(
            double gamma, double modelGamma, double modelPullThrough, double modelRemainder) {
        return gamma / (gamma * modelRemainder + modelGamma * modelPullThrough);
    }

    /** The gamma at which people close the share t: omega (1 - t)/t; infinite if they close nothing, 0 if all. */
    public static double gamma(double omega, double pullThrough) {
        return pullThrough <= 0
                ? Double.POSITIVE_INFINITY
                : pullThrough >= 1 ? 0 : omega * (1 - pullThrough) / pullThrough;
    }

    /** (1 - t) p + t z for a share that is known by itself, as an average over people is. */
    public static double after(double pullThrough, double prediction, double wish) {
        return (1 - pullThrough) * prediction + pullThrough * wish;
    }

    /**
     * sum_i s_i (k u_i + t d_i)^2 from sums over people.
     *
     * @param remainder k, what is left of u: 1 - t, or the scaled remainder of a scaled u
     * @param uu sum_i s_i u_i^2 with u = p - y, scaled like the remainder
     * @param ud sum_i s_i u_i d_i with d = z - y
     * @param dd sum_i s_i (d_i^2 + sigma_i^2), the noise of the wishes included
     */
    public static double loss(double remainder, double pullThrough, double uu, double ud, double dd) {
        return remainder * remainder * uu + 2 * remainder * pullThrough * ud + pullThrough * pullThrough * dd;
    }

    /** t. */
    public double pullThrough() {
        return pullThrough;
    }

    /** 1 - t. */
    public double remainder() {
        return remainder;
    }

    /** gamma + omega: a person moves by the gap divided by it along C^{-1}w. */
    public double resistance() {
        return gamma + omega;
    }

    /** (z - p)/(gamma + omega): how far the person moves along C^{-1}w. */
    public double step(double prediction, double wish) {
        return (wish - prediction) / resistance();
    }

    /** (1 - t) p + t z, the prediction after the move. */
    public double after(double prediction, double wish) {
        return remainder * prediction + pullThrough * wish;
    }

    /** t (1 - t)(z - p)^2 = gamma sum_j c_j delta_j^2: what the move costs. */
    public double cost(double prediction, double wish) {
        double gap = wish - prediction;
        return pullThrough * remainder * gap * gap;
    }

    /** ((1 - t) p + t z - y)^2 + t^2 sigma^2, the expected squared error after the move if the wish is known up to sigma. */
    public double loss(double prediction, double wish, double truth, double wishNoise) {
        double residual = after(prediction, wish) - truth;
        double unknown = pullThrough * wishNoise;
        return residual * residual + unknown * unknown;
    }
}
