package stackelberg.cli.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/** The wording of a hedge: the bound on the loss if nobody moves, and the best rules for other weights of the two losses. */
public final class HedgeWords {
    /** A regret up to this is reported as zero, and a relative difference of regrets up to this is ignored. */
    private static final double AS_GOOD = 1e-6;

    /** The range in which numbers of two digits are written without an exponent or separators. */
    private static final double SMALLEST_PLAIN = 1e-4;

    private static final double LARGEST_PLAIN = 1e3;

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
                costsNothing(hedged)
                        ? "The best rule of all is among them, so the hedge costs nothing."
                        : hedged.share() == 0
                                ? "Rules close to it are worse after the move, so the case that nobody moves gets no weight."
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
            boolean own = point.share() == hedged.share() && (point.share() > 0 || costsNothing(hedged));
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

    /** Whether the best rule of all keeps the bound; otherwise a rule of share 0 is a local minimum within it. */
    static boolean costsNothing(Solution.Hedged hedged) {
        List<Solution.Hedged.Point> frontier = hedged.frontier();
        boolean within = frontier.isEmpty()
                || frontier.get(0).share() == 0 && frontier.get(0).honest() <= hedged.bound() * (1 + AS_GOOD);
        return hedged.share() == 0 && within;
    }

    /** Returns the sentence about how much worse a balanced rule is than the best rule, in the worse of the two cases. */
    public static String balance(StackelbergModel model, Solution.Hedged.Balance balance) {
        String best = "the best rule" + (model.game().ridge() > 0 ? " with this ridge" : "") + " for that case";
        if (balance.regretBound() <= AS_GOOD) {
            return "Whether people stay or move as assumed, this rule is as good as " + best + " (proven).";
        }
        if (!Double.isFinite(balance.regret())) {
            return "This rule is balanced, but how much worse it is than " + best + " is unknown.";
        }
        double shown = upTo(balance.regret());
        String unit = LossWords.unit(model.game().loss());
        return "Whether people stay or move as assumed, this rule"
                + switch (balance.units()) {
                    case PROPORTION ->
                        " is at most " + Numbers.percentAsGiven(shown) + " worse than " + best
                                + proven(balance, shown, Numbers::percentAsGiven);
                    case ROOT, MEAN ->
                        "'s " + unit + " is at most " + ofTwoDigits(shown) + " larger than that of " + best
                                + proven(balance, shown, HedgeWords::ofTwoDigits);
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

    /** Returns such a number without the zeros that {@link Numbers#number} would append. */
    private static String ofTwoDigits(double value) {
        return value >= SMALLEST_PLAIN && value < LARGEST_PLAIN
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : Numbers.number(value);
    }

    private static String number(StackelbergModel model, double loss) {
        return Numbers.number(LossWords.error(model, loss));
    }

    /** The extra error of a rule without a hedge if nobody moves, and the option that bounds it where there is one. */
    static String without(StackelbergModel model, WithoutHedge excess) {
        boolean possible = model.game().limits().none() && model.game().between() == null;
        return String.format(
                Locale.ROOT,
                "If nobody moves, this rule's error is %s worse than today's: %s instead of %s.%s",
                Numbers.percent(excess.worse()),
                number(model, model.losses().honest()),
                number(model, model.losses().naive()),
                possible ? " Maybe use --hedge balanced, which bounds that." : "");
    }
}
