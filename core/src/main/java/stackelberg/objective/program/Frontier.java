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

    /**
     * What is known where the best rules jump over the bound: a rule that keeps it, no worse than the one that was found, and a lower bound of M for all that do.
     *
     * @param ends both sides of the jump
     * @param found a rule that keeps the bound
     * @param bound B
     * @param room B less what H is counted from
     */
    default Split<P> split(HedgeSearch.Ends<P> ends, P found, double bound, double room) {
        return new Split<>(found, Double.NEGATIVE_INFINITY);
    }

    /**
     * A rule, and what no rule that keeps the bound loses less than.
     *
     * @param lower minus infinity where nothing is known
     */
    record Split<P>(P place, double lower) {}

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
