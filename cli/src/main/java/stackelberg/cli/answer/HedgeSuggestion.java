package stackelberg.cli.answer;

import stackelberg.model.StackelbergModel;
import stackelberg.solver.mixed.HedgedSolution;

/** What a rule without a hedge costs if nobody moves, where that is much. */
public record HedgeSuggestion(
        @Meaning("By which share this rule's error is larger than that of today's rule if nobody moves.")
        double worse,

        @Meaning("The hedge that is suggested; null if no hedge can be combined with this game.")
        Double hedge,

        @Meaning("The root mean squared error with that hedge if nobody moves; null where it was not computed.")
        double honestRmse,

        @Meaning("The root mean squared error with that hedge after people have moved; null where it was not computed.")
        double movedRmse) {
    /** A rule that much worse than today's if nobody moves is worth a sentence. */
    private static final double MUCH_WORSE = 1.1;

    /**
     * Null where the rule is not much worse than today's if nobody moves, as far as that is known.
     *
     * @param hedge of which it is known, or only suggested, what it would give
     * @param hedged what it would give; null where that is not computed
     */
    public static HedgeSuggestion of(StackelbergModel model, double hedge, HedgedSolution.Point hedged) {
        StackelbergModel.Losses losses = model.losses();
        boolean known = model.game().hedge() == null
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

    /** Whether the game has what no hedge goes with. */
    private static boolean refused(StackelbergModel model) {
        return !model.game().limits().none()
                || model.game().hasEffects()
                || model.game().between() != null;
    }
}
