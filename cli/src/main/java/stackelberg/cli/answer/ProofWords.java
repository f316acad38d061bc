package stackelberg.cli.answer;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.game.GameSpec;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.objective.omega.RangeSolution;

/** The wording of the certificate, in the terminal, on the page and in the JSON. */
public final class ProofWords {
    private ProofWords() {}

    /** Follows every bound on the gap: the bound is for the exact coefficients, which are printed with fewer digits. */
    private static final String UNROUNDED = " (before rounding)";

    /** The set of rules that the proof covers: rules of the columns used and, with a hedge, only those within the hedge. */
    public static String rules(StackelbergModel model) {
        boolean leftOut =
                model.warnings().stream().anyMatch(warning -> warning.text().startsWith(Sample.LEFT_OUT));
        return "rule"
                + (leftOut ? " of the columns used" : "")
                + (model.game().isHedged() ? " " + HedgeWords.bound(model.game()) : "");
    }

    /** The proven relative gap of a rule that is not certified; empty if it is certified or the gap is not below 100%. */
    public static String within(StackelbergModel.Optimality optimality) {
        return !optimality.certified() && optimality.finite() && optimality.relativeGap() < 1
                ? ", within " + Numbers.percent(optimality.relativeGap()) + " of the best"
                : "";
    }

    /** The loss, and an upper bound on how much smaller any rule's loss can be. */
    public static String bound(StackelbergModel model) {
        GameSpec.Between range = model.game().between();
        return range != null && model.between().isPresent()
                ? boundOverRange(model, range, model.between().get().regret())
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

    /** The worst loss or largest regret over the interval of gamma, and an upper bound on how much smaller any rule's can be. */
    private static String boundOverRange(
            StackelbergModel model, GameSpec.Between range, RangeSolution.@Nullable Regret regret) {
        return String.format(
                Locale.ROOT,
                "The %s%s over the gammas from %s is %s%s, and no %s has one that is smaller by more than %.1e%s.",
                regret == null ? "worst loss" : "largest regret",
                ridge(model),
                interval(range),
                Numbers.number(regret == null ? model.optimality().objective() : regret.most()),
                within(model.optimality()),
                rules(model),
                model.optimality().gapBound(),
                UNROUNDED);
    }

    /** Returns the claim as a key of the JSON document; null where no bound is proven. */
    public static @Nullable String claim(StackelbergModel model) {
        boolean proven = model.optimality().proof() == Certificate.Proof.PROVEN
                && model.optimality().finite();
        return proven ? bound(model) : null;
    }

    /** The interval as it was declared: 10% to 50%, or 0.1 to 2. */
    public static String interval(GameSpec.Between range) {
        return range.leastShare() == null || range.mostShare() == null
                ? Numbers.plain(range.low()) + " to " + Numbers.plain(range.high())
                : Numbers.share(range.leastShare()) + " to " + Numbers.share(range.mostShare());
    }

    public static String ridge(StackelbergModel model) {
        return model.game().ridge() > 0
                ? ", with a ridge of " + Numbers.plain(model.game().ridge()) + " in it,"
                : "";
    }
}
