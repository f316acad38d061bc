package stackelberg.cli.answer;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.Solution;

/** The wording of a gamma that is known only up to an interval: the losses at both ends, and the value of knowing gamma. */
public final class RangeWords {
    /** Losses whose relative difference is below this count as equal. */
    private static final double SAME = 1e-6;

    private RangeWords() {}

    /** The criterion by which the rule is chosen. */
    public static String aim(GameSpec.Between range) {
        return range.regret() ? "worst-case regret" : "worst-case loss";
    }

    /** Adds the section about the interval of gamma; nothing if gamma is one number. */
    static void say(StackelbergModel model, Answer.Builder answer) {
        GameSpec.Between range = model.game().between();
        if (range == null || model.between().isEmpty()) {
            return;
        }
        Solution.Between between = model.between().get();
        String unit = model.rmse(0).isPresent() ? "RMSE" : "loss";
        answer.say("gamma may be anywhere from " + ProofWords.interval(range) + ". Of all rules, this is the "
                + (range.regret()
                        ? "one with the smallest worst-case regret."
                        : "one with the smallest worst-case loss."));
        Answer.TableBuilder table = Answer.table(
                        unit + " at", "gamma", "this rule", "best rule there", "cost of not knowing gamma")
                .text(4);
        for (Solution.Between.End end : List.of(between.low(), between.high())) {
            boolean low = end == between.low();
            Double share = low ? range.mostShare() : range.leastShare();
            table.row(
                    (share == null
                            ? low ? "the smallest gamma" : "the largest gamma"
                            : "gamma " + Numbers.share(share)),
                    Numbers.number(end.gamma()),
                    number(model, end.loss()),
                    number(model, end.best()) + (end.proven() ? "" : " (not proven)"),
                    price(model, end));
        }
        answer.block(table.build()).say(worstGamma(model, between)).say(regret(model, between));
    }

    private static String worstGamma(StackelbergModel model, Solution.Between between) {
        double low = between.low().objective();
        double high = between.high().objective();
        if (Math.abs(low - high) <= SAME * Math.max(low, high)) {
            return "Both ends of the interval are equally bad, and no gamma between them is worse.";
        }
        return "The worst gamma is the " + (low > high ? "smallest" : "largest") + ", " + Numbers.number(model.gamma())
                + ", and no other is worse.";
    }

    private static Optional<String> regret(StackelbergModel model, Solution.Between between) {
        if (between.regret() == null) {
            return Optional.empty();
        }
        boolean end = between.regret().gamma() == between.low().gamma()
                || between.regret().gamma() == between.high().gamma();
        return Optional.of(String.format(
                Locale.ROOT,
                "The largest regret found is %s, at %s (gamma %s). It is proven that no gamma of the interval has more than %s.",
                Numbers.number(between.regret().met()),
                end ? "an end" : "a gamma inside",
                Numbers.number(between.regret().gamma()),
                Numbers.number(between.regret().most())));
    }

    private static String price(StackelbergModel model, Solution.Between.End end) {
        if (model.game().ridge() > 0) {
            return Numbers.number(end.regret()) + " of loss and ridge";
        }
        if (!(end.best() > 0)) {
            return Numbers.number(end.regret()) + " of loss";
        }
        double more = Math.sqrt(end.loss() / end.best()) - 1;
        return more < 5e-6 ? "none" : "+" + Numbers.share(more);
    }

    private static String number(StackelbergModel model, double loss) {
        OptionalDouble rmse = model.rmse(loss);
        return Numbers.number(rmse.isPresent() ? rmse.getAsDouble() : loss);
    }
}
