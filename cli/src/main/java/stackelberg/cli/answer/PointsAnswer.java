package stackelberg.cli.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.model.StackelbergModel;
import stackelberg.model.export.Scorecard;

/**
 * What {@code export --as points --json} prints: a card of points, and what rounding costs.
 *
 * @param base the total of points at which the odds of a yes are odds to 1
 * @param odds the odds of a yes, to 1, at the base points
 * @param pdo the number of points that double the odds
 * @param yes the value of the target that is a yes
 * @param start the points that everyone starts with
 * @param lines one entry per number, and per level of a category
 * @param cost the cost of rounding to whole points; null without data
 */
public record PointsAnswer(
        double base,
        double odds,
        double pdo,
        @Nullable String yes,
        long start,
        List<Line> lines,
        @Nullable Cost cost) {

    /**
     * The points of one term.
     *
     * @param term the name of the term in the rule
     * @param column the column of the data
     * @param level the level of a category; null for a number
     * @param step the raw units of a number that count these points; 1 for a level
     * @param points the points, rounded
     * @param exact the points before rounding
     */
    public record Line(String term, String column, @Nullable String level, double step, long points, double exact) {}

    /**
     * Losses after people have moved, summed over the data.
     *
     * @param card the loss of the card after people have moved
     * @param rule the loss of the rule before rounding
     * @param rounding the cost of rounding: the loss of the card minus the loss of the rule
     * @param gapBound an upper bound on how much better any rule, within the model's hedge if it has one, can be than the rule before rounding; null if no bound is proven for these data
     * @param most an upper bound on how much better any such rule can be than the card; null if no bound is proven for these data
     * @param weight the total weight of the people: losses divided by it are means
     */
    record Cost(double card, double rule, double rounding, double gapBound, double most, double weight) {}

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
