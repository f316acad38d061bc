package stackelberg.objective.program;

/**
 * The rules that minimise M + eta (H - B) for some eta &gt;= 0, where M is the loss after the move, ridge included, and
 * H is the loss before any move. They lie between the best rule after the move (eta = 0) and the best rule before any
 * move.
 *
 * @param <P> the representation of a rule
 */
interface Frontier<P extends Frontier.Place> {
    /**
     * Returns the minimiser for one weight of the hedge.
     *
     * @param eta the weight, at least 0
     * @param bound B
     */
    P at(double eta, double bound);

    /**
     * Returns a rule between two; its immutable part is weighted in the same way.
     *
     * @param part 0 for the first rule, 1 for the second
     */
    P between(P from, P to, double part);

    /** A rule of the frontier. */
    interface Place {
        double eta();

        /** Returns by how much M decreases per unit by which the bound is raised: the weight of H. */
        double weight();

        /** Returns H minus the smallest H of any rule; infinite if there is no finite rule. */
        double above();

        /** Returns M. */
        double moved();
    }
}
