package stackelberg.cli.text;

import java.util.Locale;
import stackelberg.certificate.Certificate;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/** What is proven of a rule, in the words that the terminal, the page's seal and the JSON share. */
public final class ProofWords {
    private ProofWords() {}

    /** The rules that the proof is about: with a hedge only those that keep it. */
    public static String rules(GameSpec game) {
        return game.hedge() == null
                ? "rule"
                : "rule at most " + HedgeWords.percent(game.hedge()) + " worse than today's if nobody moves";
    }

    /** The loss, and by how much at most a rule can be better. */
    public static String bound(StackelbergModel model) {
        return model.between().isPresent()
                ? RangeWords.bound(model)
                : String.format(
                        Locale.ROOT,
                        "The loss%s is %s, and no %s can be better by more than %.1e.",
                        ridge(model),
                        Numbers.number(model.optimality().objective()),
                        rules(model.game()),
                        model.optimality().gapBound());
    }

    /** The same for programs; null where no such bound is proven. */
    static String claim(StackelbergModel model) {
        boolean proven = model.optimality().proof() == Certificate.Proof.PROVEN
                && model.optimality().finite();
        return proven ? bound(model) : null;
    }

    static String ridge(StackelbergModel model) {
        return model.game().ridge() > 0
                ? ", with a ridge of " + Numbers.plain(model.game().ridge()) + " in it,"
                : "";
    }
}
