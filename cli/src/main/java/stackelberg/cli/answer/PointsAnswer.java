package stackelberg.cli.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;
import stackelberg.model.export.Scorecard;

/** What {@code export --as points --json} prints: a card of points, and what rounding costs. */
public record PointsAnswer(
        @Meaning("The points at which the odds of a yes are the given odds to 1.")
        double base,

        @Meaning("The odds of a yes at the base.") double odds,
        @Meaning("How many points more double the odds.") double pdo,

        @Meaning("The value of the target that is a yes.") @Nullable
        String yes,

        @Meaning("The points that everyone starts with.") long start,

        @Meaning("One entry per number, and per level of a category.")
        List<Line> lines,

        @Meaning("The cost of rounding to whole points; null without data.") @Nullable
        Cost cost) {

    /** The points of one term. */
    public record Line(
            @Meaning("The term as a rule names it.") String term,
            @Meaning("The column of the data.") String column,

            @Meaning("The level of a category; null for a number.") @Nullable
            String level,

            @Meaning("The points are for this many raw units of a number; 1 for a level.")
            double step,

            @Meaning("The points, rounded.") long points,
            @Meaning("The points before rounding.") double exact) {}

    /** Losses after people have moved, summed over the data. */
    record Cost(
            @Meaning("The loss of the card after people have moved.")
            double card,

            @Meaning("The loss of the rule before rounding.")
            double rule,

            @Meaning("The difference of the two.") double rounding,

            @Meaning(
                    "An upper bound on how much better any rule can be than the one before rounding; null if that is not proven for these data.")
            double gapBound,

            @Meaning(
                    "An upper bound on how much better any rule can be than the card; null if that is not proven for these data.")
            double most,

            @Meaning("The total weight of the people, by which to divide for a mean.")
            double weight) {}

    /** @param cost only with data */
    public static PointsAnswer of(StackelbergModel model, Scorecard card, Scorecard.@Nullable Cost cost) {
        return new PointsAnswer(
                card.scale().base(),
                card.scale().odds(),
                card.scale().pdo(),
                model.game().answers().yes(),
                card.start(),
                card.lines().stream()
                        .map(line -> new Line(
                                line.name(), line.column(), line.level(), line.step(), line.points(), line.exact()))
                        .toList(),
                cost == null
                        ? null
                        : new Cost(
                                cost.card(),
                                cost.rule(),
                                cost.card() - cost.rule(),
                                cost.gapBound(),
                                cost.most(),
                                cost.weight()));
    }
}
