package stackelberg.cli.answer;

import java.util.Locale;
import stackelberg.certificate.Certificate;
import stackelberg.game.GameSpec;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;

/** What is proven of a rule, in the words that the terminal, the page's seal and the JSON share. */
public final class ProofWords {
    private ProofWords() {}

    /** Said of every bound on the gap: coefficients are printed with fewer digits than they have. */
    private static final String UNROUNDED = " (before rounding)";

    /** The rules that the proof is about: those of the columns that were used and, with a hedge, only those that keep it. */
    public static String rules(StackelbergModel model) {
        boolean leftOut = model.warnings().stream().anyMatch(warning -> warning.startsWith(Sample.LEFT_OUT));
        Double hedge = model.game().hedge();
        return "rule"
                + (leftOut ? " of the columns used" : "")
                + (hedge == null
                        ? ""
                        : " at most " + Numbers.percentAsGiven(hedge) + " worse than today's if nobody moves");
    }

    /** How near a rule is proven to be to the best, where that is not near enough to be certified; empty where no share of the loss says it. */
    public static String within(StackelbergModel.Optimality optimality) {
        return !optimality.certified() && optimality.finite() && optimality.relativeGap() < 1
                ? ", within " + Numbers.percent(optimality.relativeGap()) + " of the best"
                : "";
    }

    /** The loss, and by how much at most a rule can be better. */
    public static String bound(StackelbergModel model) {
        return model.between().isPresent()
                ? boundOverRange(model)
                : String.format(
                        Locale.ROOT,
                        "The loss%s is %s%s, and no %s can be better by more than %.1e%s.",
                        ridge(model),
                        Numbers.number(model.optimality().objective()),
                        within(model.optimality()),
                        rules(model),
                        model.optimality().gapBound(),
                        UNROUNDED);
    }

    /** The worst loss or regret over the interval, and by how much at most another rule's can be smaller. */
    private static String boundOverRange(StackelbergModel model) {
        boolean regret = model.game().between().regret();
        return String.format(
                Locale.ROOT,
                "The %s%s over the gammas from %s is %s%s, and no %s has one that is smaller by more than %.1e%s.",
                regret ? "largest regret" : "worst loss",
                ridge(model),
                interval(model.game().between()),
                Numbers.number(
                        regret
                                ? model.between().get().regret().most()
                                : model.optimality().objective()),
                within(model.optimality()),
                rules(model),
                model.optimality().gapBound(),
                UNROUNDED);
    }

    /** The same for programs; null where no such bound is proven. */
    public static String claim(StackelbergModel model) {
        boolean proven = model.optimality().proof() == Certificate.Proof.PROVEN
                && model.optimality().finite();
        return proven ? bound(model) : null;
    }

    /** The interval as it was declared: 10% to 50%, or 0.1 to 2. */
    public static String interval(GameSpec.Between range) {
        return range.leastShare() == null
                ? Numbers.plain(range.low()) + " to " + Numbers.plain(range.high())
                : Numbers.share(range.leastShare()) + " to " + Numbers.share(range.mostShare());
    }

    public static String ridge(StackelbergModel model) {
        return model.game().ridge() > 0
                ? ", with a ridge of " + Numbers.plain(model.game().ridge()) + " in it,"
                : "";
    }
}
