package stackelberg.cli.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/** The wording of a hedge: the bound on the loss if nobody moves, and the best rules for other weights of the two losses. */
public final class HedgeWords {
    /** If both rows and columns are more than this, no hedge is suggested, because computing it would decompose the data. */
    private static final int MOST_SUGGESTED = 1000;

    /** A regret up to this is reported as zero, and a relative difference of regrets up to this is ignored. */
    private static final double AS_GOOD = 1e-6;

    private HedgeWords() {}

    /** Returns the rule that the hedge is relative to, as the end of "at most 5% worse than ...". */
    public static String reference(GameSpec game) {
        return game.hedgeOf() == GameSpec.HedgeOf.TODAY ? "today's rule" : "the best rule";
    }

    /** A hedge as it is declared: balanced, 5% or none. */
    public static String inWords(Hedge hedge) {
        return hedge.kind() == Hedge.Kind.AT_MOST ? Numbers.percentAsGiven(hedge.worse()) : hedge.toString();
    }

    /** The rules that keep a hedge: "at most 5% worse than the best if nobody moves". */
    public static String bound(GameSpec game) {
        if (game.hedge().isBalanced()) {
            return "that loses no more if nobody moves";
        }
        String reference = game.hedgeOf() == GameSpec.HedgeOf.TODAY
                ? reference(game)
                : game.ridge() > 0 ? "the best with this ridge" : "the best";
        return "at most " + inWords(game.hedge()) + " worse than " + reference + " if nobody moves";
    }

    /** Adds the section about the hedge; nothing if no hedge is declared. */
    static void say(StackelbergModel model, Answer.Builder answer) {
        if (model.hedged().isEmpty()) {
            return;
        }
        Solution.Hedged hedged = model.hedged().get();
        String unit = model.rmse(0).isPresent() ? LossWords.unit(model.game().loss()) : "loss";
        if (hedged.balance() != null) {
            answer.say(balance(model, hedged.balance()));
        } else {
            answer.say(
                    "Hedged: of all rules that are at most %s worse than %s if nobody moves (%s up to %s), this one is best after the move.",
                    inWords(model.game().hedge()), reference(model.game()), unit, number(model, hedged.bound()));
        }
        answer.say(
                hedged.share() == 0
                        ? "The best rule of all is among them, so the hedge costs nothing."
                        : String.format(
                                Locale.ROOT,
                                "It gives %s of the weight to the case that nobody moves, and the rest to the loss after the move%s.",
                                Numbers.percent(hedged.share()),
                                model.game().ridge() > 0 ? " and the ridge's penalty" : ""));
        if (hedged.balance() != null) {
            // the price stands beside the losses
            return;
        }
        Answer.TableBuilder table = Answer.table(
                        unit + " by that weight", "nobody moves", "people move", "pull-through", "")
                .text(4);
        for (Solution.Hedged.Point point : hedged.frontier()) {
            boolean own = point.share() == hedged.share();
            table.row(
                    List.of(
                            point.share() == 0 ? "0%" : Numbers.percent(point.share()),
                            number(model, point.honest()),
                            number(model, point.moved()),
                            Numbers.pullThrough(point.pullThrough()),
                            own
                                    ? "this rule"
                                    : point.share() == 0
                                            ? "no hedge"
                                            : point.share() == 1
                                                    ? model.game().ridge() > 0
                                                            ? "best with this ridge if nobody moves"
                                                            : "least squares"
                                                    : ""),
                    own);
        }
        if (!hedged.frontier().isEmpty()) {
            answer.block(table.build());
        }
    }

    /** Returns the sentence about how much worse a balanced rule is than the best rule, in the worse of the two cases. */
    public static String balance(StackelbergModel model, Solution.Hedged.Balance balance) {
        String best = "the best rule" + (model.game().ridge() > 0 ? " with this ridge" : "") + " for that case";
        if (balance.regretBound() <= AS_GOOD) {
            return "Whether people stay or move as assumed, this rule is as good as " + best + " (proven).";
        }
        double shown = upTo(balance.regret());
        String unit = LossWords.unit(model.game().loss());
        return "Whether people stay or move as assumed, this rule"
                + switch (balance.units()) {
                    case PROPORTION ->
                        " is at most " + Numbers.percentAsGiven(shown) + " worse than " + best
                                + proven(balance, shown, Numbers::percentAsGiven);
                    case ROOT, MEAN ->
                        "'s " + unit + " is at most " + Numbers.number(shown) + " larger than that of " + best
                                + proven(balance, shown, Numbers::number);
                };
    }

    /** Returns what is proven about a regret, as the end of the sentence about it. */
    private static String proven(Solution.Hedged.Balance balance, double shown, DoubleFunction<String> written) {
        double bound = balance.regretBound();
        return bound <= shown * (1 + AS_GOOD)
                ? " (proven)."
                : Double.isFinite(bound)
                        ? " that was found; at most " + written.apply(upTo(bound)) + " is proven."
                        : " that was found; no bound is proven.";
    }

    /** Returns the value rounded up to two significant digits, so that "at most" stays true. */
    private static double upTo(double value) {
        return new BigDecimal(value * (1 - AS_GOOD))
                .round(new MathContext(2, RoundingMode.CEILING))
                .doubleValue();
    }

    private static String number(StackelbergModel model, double loss) {
        return Numbers.number(LossWords.error(model, loss));
    }

    /**
     * The extra error of a rule without a hedge if nobody moves, where it is large, and what a hedge would give.
     *
     * @param hedge the hedge to suggest
     * @param hedged the losses with that hedge, if they were computed
     */
    static Optional<String> suggestion(StackelbergModel model, double hedge, Solution.Hedged.@Nullable Point hedged) {
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
