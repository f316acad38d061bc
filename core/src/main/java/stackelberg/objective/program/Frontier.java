package stackelberg.objective.program;

/**
 * The rules that minimise M + eta (H - B) for some eta, M the loss after the move with what a ridge adds, H the loss if nobody moves: between the rule that is best after the move
 * (eta = 0) and the one that is best if nobody moves.
 *
 * @param <P> how a rule is kept
 */
interface Frontier<P extends Frontier.Place> {
    /**
     * The minimiser at one weight of the hedge.
     *
     * @param eta at least 0
     * @param bound B
     */
    P at(double eta, double bound);

    /**
     * A rule between two, whose immutable part goes with the weights of both.
     *
     * @param part 0 for the first, 1 for the second
     */
    P between(P from, P to, double part);

    /** A rule of the frontier. */
    interface Place {
        double eta();

        /** By how much M falls for a bound that is larger by one: the weight of H itself. */
        double weight();

        /** H less the least that any rule loses if nobody moves; infinite where there is no finite rule. */
        double above();

        /** M. */
        double moved();
    }
}
