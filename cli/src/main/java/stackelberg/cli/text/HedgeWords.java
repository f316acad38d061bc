package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import stackelberg.cli.answer.HedgeSuggestion;
import stackelberg.cli.answer.Numbers;
import stackelberg.model.StackelbergModel;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.mixed.HedgedSolution;

/** A hedge in words, as a table and as an object: what the rule may lose if nobody moves, and what other weighings of the two losses give. */
public final class HedgeWords {
    /** Beyond this smaller side of the data nobody is told of a hedge, which decomposes it. */
    private static final int MOST_SUGGESTED = 1000;

    private HedgeWords() {}

    /** The lines of a summary; none where no hedge is declared. */
    static List<String> lines(StackelbergModel model) {
        if (model.hedged().isEmpty()) {
            return List.of();
        }
        Pipeline.Hedged hedged = model.hedged().get();
        String unit = model.rmse(0).isPresent() ? "RMSE" : "loss";
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "Hedged: the best after the move of all rules at most %s worse than today's rule if nobody moves (%s up to %s).",
                Numbers.percentAsGiven(model.game().hedge()),
                unit,
                number(model, hedged.bound())));
        lines.add(
                hedged.share() == 0
                        ? "The best rule of all is among them, so the hedge costs nothing."
                        : String.format(
                                Locale.ROOT,
                                "It gives %s of the weight to the case that nobody moves, and the rest to the loss after the move%s.",
                                Numbers.percent(hedged.share()),
                                model.game().ridge() > 0 ? " and the ridge's penalty" : ""));
        TextTable table =
                new TextTable(4).add(unit + " by that weight", "nobody moves", "people move", "pull-through", "");
        for (HedgedSolution.Point point : hedged.frontier()) {
            table.add(
                    point.share() == 0 ? "0%" : Numbers.percent(point.share()),
                    number(model, point.honest()),
                    number(model, point.moved()),
                    Numbers.pullThrough(point.pullThrough()),
                    point.share() == hedged.share()
                            ? "this rule"
                            : point.share() == 0 ? "no hedge" : point.share() == 1 ? "least squares" : "");
        }
        table.toString().lines().forEach(lines::add);
        lines.add("");
        return lines;
    }

    private static String number(StackelbergModel model, double loss) {
        return Numbers.number(LossWords.error(model, loss));
    }

    /**
     * What a rule without a hedge costs if nobody moves, where that is much.
     *
     * @param hedge of which it is known, or only suggested, what it would give
     * @param hedged what it would give; null where that is not computed
     */
    public static Optional<String> suggestion(StackelbergModel model, double hedge, HedgedSolution.Point hedged) {
        HedgeSuggestion suggested = HedgeSuggestion.of(model, hedge, hedged);
        if (suggested == null) {
            return Optional.empty();
        }
        StackelbergModel.Losses losses = model.losses();
        String worse = String.format(
                Locale.ROOT,
                "If nobody moves, this rule's error is %s worse than today's: %s instead of %s.",
                Numbers.percent(suggested.worse()),
                number(model, losses.honest()),
                number(model, losses.naive()));
        boolean many = Math.min(model.terms().size(), model.rows()) > MOST_SUGGESTED;
        if (hedged == null && (many || suggested.hedge() == null)) {
            return Optional.of(worse);
        }
        String option = "--hedge " + Numbers.percentAsGiven(hedge);
        return Optional.of(worse
                + (hedged == null
                        ? " Maybe add " + option + ", which bounds that."
                        : String.format(
                                Locale.ROOT,
                                " With %s it is %s then, and %s instead of %s after the move.",
                                option,
                                number(model, hedged.honest()),
                                number(model, hedged.moved()),
                                number(model, losses.anticipated()))));
    }
}
