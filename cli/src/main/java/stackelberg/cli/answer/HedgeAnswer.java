package stackelberg.cli.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/**
 * A declared hedge, and the best rules for some weights of the two losses (nobody moves, people move). All components are null without a hedge.
 *
 * @param hedge the bound on the loss if nobody moves; null without a hedge
 * @param balance how much worse than the best rule a balanced rule is, whether people stay or move; null for other rules
 * @param frontier the best rules for some weights of the two losses; null without a hedge
 */
record HedgeAnswer(
        @Nullable Bound hedge,
        @Nullable Balance balance,
        @Nullable List<Point> frontier) {
    static HedgeAnswer of(StackelbergModel model) {
        return model.hedged()
                .map(hedged -> new HedgeAnswer(
                        new Bound(
                                model.game().hedge().worse(),
                                hedged.share(),
                                hedged.bound(),
                                rmse(model, hedged.bound())),
                        hedged.balance() == null ? null : Balance.of(hedged.balance()),
                        hedged.frontier().stream()
                                .map(point -> Point.of(model, point))
                                .toList()))
                .orElse(new HedgeAnswer(null, null, null));
    }

    static double rmse(StackelbergModel model, double loss) {
        return model.game().loss().isSquared() ? model.rmse(loss).orElse(Double.NaN) : Double.NaN;
    }

    /**
     * The bound on the rule's loss if nobody moves.
     *
     * @param worse by what fraction the error may exceed that of the best rule if nobody moves; null for a balanced rule
     * @param share the weight of the loss if nobody moves, between 0 (the hedge changes nothing) and 1
     * @param bound the largest loss that is allowed if nobody moves
     * @param boundRmse the value of bound as a root mean squared error
     */
    record Bound(double worse, double share, double bound, double boundRmse) {}

    /**
     * How much worse the rule is than the best rule for people who stay, and than the best rule for people who move.
     *
     * @param regret the larger of the two excesses over the best rules, if people stay and if they move: of root mean squared errors as a fraction, of other
     * mean losses as a difference
     * @param regretBound a proven upper bound on the regret, from lower bounds on the losses of the two best rules; null if one of these bounds is not proven
     * @param units the unit of regret and regretBound: "PROPORTION", a fraction; "ROOT", a difference of root mean squared errors, if one of the best losses is
     * nearly 0; "MEAN", a difference of mean losses, if the loss is not squared
     * @param honestBest the loss of the best rule if nobody moves
     * @param movedBest the loss of the best rule after the move, with the ridge penalty
     */
    record Balance(double regret, double regretBound, String units, double honestBest, double movedBest) {
        static Balance of(Solution.Hedged.Balance balance) {
            return new Balance(
                    balance.regret(),
                    balance.regretBound(),
                    balance.units().name(),
                    balance.honestBest(),
                    balance.movedBest());
        }
    }

    /**
     * The rule that minimises the weighted mean of the loss if nobody moves and the loss after the move, for one weight.
     *
     * @param share the weight of the loss if nobody moves: 0 is no hedge, 1 is least squares
     * @param honest the loss if nobody moves
     * @param moved the loss after people have moved, without the ridge penalty
     * @param honestRmse the root mean squared error if nobody moves
     * @param movedRmse the root mean squared error after people have moved
     * @param pullThrough the share of the gap that people close
     * @param gap an upper bound on how much smaller the loss after the move can be, among rules that lose no more if nobody moves; null at share 1
     */
    record Point(
            double share,
            double honest,
            double moved,
            double honestRmse,
            double movedRmse,
            double pullThrough,
            double gap) {
        static Point of(StackelbergModel model, Solution.Hedged.Point point) {
            return new Point(
                    point.share(),
                    point.honest(),
                    point.moved(),
                    rmse(model, point.honest()),
                    rmse(model, point.moved()),
                    point.pullThrough(),
                    point.gap());
        }
    }
}
