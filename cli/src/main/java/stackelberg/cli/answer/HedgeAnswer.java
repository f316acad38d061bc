package stackelberg.cli.answer;

import java.util.List;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/** A declared hedge, and the best rules for some weights of the two losses (nobody moves, people move); both null without a hedge. */
record HedgeAnswer(
        @Meaning("The bound on the loss if nobody moves; null without --hedge.")
        Bound hedge,

        @Meaning("The best rules for some weights of the two losses; null without --hedge.")
        List<Point> frontier) {
    static HedgeAnswer of(StackelbergModel model) {
        return model.hedged()
                .map(hedged -> new HedgeAnswer(
                        new Bound(model.game().hedge(), hedged.share(), hedged.bound(), rmse(model, hedged.bound())),
                        hedged.frontier().stream()
                                .map(point -> Point.of(model, point))
                                .toList()))
                .orElse(new HedgeAnswer(null, null));
    }

    static double rmse(StackelbergModel model, double loss) {
        return model.game().loss().isSquared() ? model.rmse(loss).orElse(Double.NaN) : Double.NaN;
    }

    /** The bound on the rule's loss if nobody moves. */
    record Bound(
            @Meaning("By what fraction the error may exceed that of the best rule if nobody moves.")
            double worse,

            @Meaning("The weight of the loss if nobody moves, between 0 (the hedge changes nothing) and 1.")
            double share,

            @Meaning("The largest loss that is allowed if nobody moves.")
            double bound,

            @Meaning("The same as a root mean squared error.")
            double boundRmse) {}

    /** The rule that minimises the weighted mean of the loss if nobody moves and the loss after the move, for one weight. */
    record Point(
            @Meaning("The weight of the loss if nobody moves: 0 is no hedge, 1 is least squares.")
            double share,

            @Meaning("The loss if nobody moves.") double honest,

            @Meaning("The loss after people have moved, without the ridge penalty.")
            double moved,

            @Meaning("The root mean squared error if nobody moves.")
            double honestRmse,

            @Meaning("The root mean squared error after people have moved.")
            double movedRmse,

            @Meaning("The share of the gap that people close.")
            double pullThrough,

            @Meaning(
                    "No rule that loses as little if nobody moves loses less after the move by more than this; null at share 1.")
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
