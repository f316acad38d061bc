package stackelberg.cli.answer;

import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/**
 * The extra error of a rule without a hedge if nobody moves, where it is large, and what a hedge would give.
 *
 * @param worse by what fraction this rule's error exceeds that of today's rule if nobody moves
 * @param hedge the hedge that is suggested; null if no hedge can be combined with this game
 * @param honestRmse the root mean squared error with that hedge if nobody moves; null where it was not computed
 * @param movedRmse the root mean squared error with that hedge after people have moved; null where it was not computed
 */
public record HedgeSuggestion(double worse, @Nullable Double hedge, double honestRmse, double movedRmse) {
    /** A hedge is suggested if this rule's error is at least this many times that of today's rule if nobody moves. */
    private static final double MUCH_WORSE = 1.1;

    /**
     * Returns the suggestion; null unless the rule is known to be much worse than today's rule if nobody moves.
     *
     * @param hedge the hedge to suggest
     * @param hedged the losses with that hedge, if they were computed
     */
    public static @Nullable HedgeSuggestion of(
            StackelbergModel model, double hedge, Solution.Hedged.@Nullable Point hedged) {
        StackelbergModel.Losses losses = model.losses();
        boolean known = !model.game().isHedged()
                && !model.game().mixed()
                && model.game().loss().isSquared()
                && model.optimality().finite()
                && losses.naive() != null
                && losses.naive() > 0
                && model.rmse(0).isPresent();
        double ratio = known ? Math.sqrt(losses.honest() / losses.naive()) : 1;
        return ratio > MUCH_WORSE
                ? new HedgeSuggestion(
                        ratio - 1,
                        refused(model) ? null : (Double) hedge,
                        hedged == null ? Double.NaN : HedgeAnswer.rmse(model, hedged.honest()),
                        hedged == null ? Double.NaN : HedgeAnswer.rmse(model, hedged.moved()))
                : null;
    }

    /** Whether the game has a setting that cannot be combined with a hedge. */
    private static boolean refused(StackelbergModel model) {
        return !model.game().limits().none() || model.game().between() != null;
    }
}
