package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import stackelberg.cli.answer.Numbers;
import stackelberg.model.StackelbergModel;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.mixed.HedgedSolution;

/** A hedge in words, as a table and as an object: what the rule may lose if nobody moves, and what other weighings of the two losses give. */
public final class HedgeWords {
    /** A rule that much worse than today's if nobody moves is worth a sentence. */
    private static final double MUCH_WORSE = 1.1;

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
                                "It weighs the loss if nobody moves with %s, the loss after the move%s with the rest.",
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
        if (!isMuchWorse(model)) {
            return Optional.empty();
        }
        StackelbergModel.Losses losses = model.losses();
        String worse = String.format(
                Locale.ROOT,
                "If nobody moves, this rule's %s is %s worse than today's: %s instead of %s.",
                model.game().loss().isSquared()
                        ? "error"
                        : LossWords.unit(model.game().loss()),
                Numbers.percent(ratio(model) - 1),
                number(model, losses.honest()),
                number(model, losses.naive()));
        boolean many = Math.min(model.terms().size(), model.rows()) > MOST_SUGGESTED;
        if (hedged == null && (many || refused(model))) {
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

    /** Whether the game has what no hedge goes with. */
    private static boolean refused(StackelbergModel model) {
        return !model.game().limits().none()
                || model.game().hasEffects()
                || model.game().between() != null
                || !model.game().loss().isSquared();
    }

    /** The same for programs: null where there is nothing to say. */
    public static Map<String, Object> suggested(StackelbergModel model, double hedge, HedgedSolution.Point hedged) {
        if (!isMuchWorse(model)) {
            return null;
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("worse", Json.finite(ratio(model) - 1));
        object.put("hedge", refused(model) ? null : hedge);
        object.put("honestRmse", hedged == null ? null : Json.finite(rmse(model, hedged.honest())));
        object.put("movedRmse", hedged == null ? null : Json.finite(rmse(model, hedged.moved())));
        return object;
    }

    /** Whether a rule without a hedge is much worse than today's if nobody moves, as far as that is known. */
    private static boolean isMuchWorse(StackelbergModel model) {
        StackelbergModel.Losses losses = model.losses();
        return model.game().hedge() == null
                && !model.game().mixed()
                && model.game().loss().isSquared()
                && model.optimality().finite()
                && losses.naive() != null
                && losses.naive() > 0
                && model.rmse(0).isPresent()
                && ratio(model) > MUCH_WORSE;
    }

    /** This rule's error over today's, if nobody moves. */
    private static double ratio(StackelbergModel model) {
        double ratio = model.losses().honest() / model.losses().naive();
        return model.game().loss().isSquared() ? Math.sqrt(ratio) : ratio;
    }

    private static double rmse(StackelbergModel model, double loss) {
        return model.rmse(loss).orElse(Double.NaN);
    }

    /** The keys of {@code fit --json}; null where no hedge is declared. */
    static Map<String, Object> object(StackelbergModel model) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("hedge", model.hedged().map(hedged -> hedge(model, hedged)).orElse(null));
        object.put(
                "frontier",
                model.hedged()
                        .map(hedged -> hedged.frontier().stream()
                                .map(point -> point(model, point))
                                .toList())
                        .orElse(null));
        return object;
    }

    private static Map<String, Object> hedge(StackelbergModel model, Pipeline.Hedged hedged) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("worse", model.game().hedge());
        object.put("share", hedged.share());
        object.put("bound", Json.finite(hedged.bound()));
        object.put("boundRmse", Json.finite(rmse(model).applyAsDouble(hedged.bound())));
        return object;
    }

    private static Map<String, Object> point(StackelbergModel model, HedgedSolution.Point point) {
        DoubleUnaryOperator rmse = rmse(model);
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("share", point.share());
        object.put("honest", Json.finite(point.honest()));
        object.put("moved", Json.finite(point.moved()));
        object.put("honestRmse", Json.finite(rmse.applyAsDouble(point.honest())));
        object.put("movedRmse", Json.finite(rmse.applyAsDouble(point.moved())));
        object.put("pullThrough", Json.finite(point.pullThrough()));
        object.put("gap", Json.finite(point.gap()));
        return object;
    }

    private static DoubleUnaryOperator rmse(StackelbergModel model) {
        return loss -> model.rmse(loss).orElse(Double.NaN);
    }
}
