package stackelberg.game;

/** t = omega / (gamma + omega), the fraction of the gap between prediction and wish that every follower closes. */
public final class PullThrough {
    private PullThrough() {}

    /**
     * The pull-through of a rule with omega = w'C^{-1}w when moving costs gamma.
     *
     * @param omega how far one unit of effort moves the prediction, squared; infinite for "believe everybody"
     */
    public static double of(double omega, double gamma) {
        return 1 / (1 + gamma / omega);
    }

    /** 1 - t = gamma / (gamma + omega), what is left of the rule's own prediction: not from t, which near 1 has lost it to rounding. */
    public static double remainder(double omega, double gamma) {
        return 1 / (1 + omega / gamma);
    }
}
