package stackelberg.cli.answer;

import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;

/**
 * The extra error of a rule without a hedge if nobody moves, where it is large.
 *
 * @param worse by what fraction this rule's error exceeds that of today's rule if nobody moves
 */
public record WithoutHedge(double worse) {
    /** From this ratio to the error of today's rule on, if nobody moves, the excess is reported. */
    private static final double MUCH_WORSE = 1.1;

    /** Returns the excess, where the rule has no hedge and is known to be much worse than today's if nobody moves. */
    public static @Nullable WithoutHedge of(StackelbergModel model) {
        StackelbergModel.Losses losses = model.losses();
        boolean known = !model.game().isHedged()
                && !model.game().mixed()
                && model.game().loss().isSquared()
                && model.optimality().finite()
                && losses.naive() != null
                && losses.naive() > 0
                && model.rmse(0).isPresent();
        double ratio = known ? Math.sqrt(losses.honest() / losses.naive()) : 1;
        return ratio > MUCH_WORSE ? new WithoutHedge(ratio - 1) : null;
    }
}
