package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/** Limits in words and as an object: what the rule that is best without them promised, what it really loses, and what was found instead. */
final class LimitWords {
    private LimitWords() {}

    /** The lines of a summary; none where no limits are declared. */
    static List<String> lines(StackelbergModel model) {
        List<String> lines = new ArrayList<>();
        model.limited().ifPresent(limited -> {
            boolean known = model.rmse(0).isPresent();
            TextTable table = new TextTable(1).add("limits: " + words(model.game()), "loss", known ? "RMSE" : "");
            table.add(row(model, "promised by the best rule without them", limited.promised()));
            if (!Double.isNaN(limited.real())) {
                table.add(row(model, "what that rule really loses", limited.real()));
            }
            table.add(row(model, "this rule, fitted to them", model.losses().anticipated()));
            table.toString().lines().forEach(line -> lines.add("  " + line));
            lines.add(String.format(
                    Locale.ROOT,
                    "They hold back %s under this rule%s.%s",
                    ofPeople(limited.held(), model.rows()),
                    Double.isNaN(limited.real())
                            ? ""
                            : String.format(Locale.ROOT, ", %,d under the one without them", limited.heldBefore()),
                    model.game().wishNoise() > 0
                            ? " The noise of wishes is normal, in a quadrature of 15 nodes."
                            : ""));
            if (model.game().mixed()) {
                lines.addAll(model.notes());
            }
            lines.add("");
        });
        return lines;
    }

    /** As in "12 of 500 people": whom limits hold back, those included whose score is as good as they wish. */
    static String ofPeople(long held, long people) {
        return String.format(Locale.ROOT, "%,d of %,d people", held, people);
    }

    private static String[] row(StackelbergModel model, String what, double loss) {
        return new String[] {
            what,
            Numbers.number(loss),
            model.rmse(loss).isPresent() ? Numbers.number(model.rmse(loss).getAsDouble()) : ""
        };
    }

    private static String words(GameSpec game) {
        List<String> words = new ArrayList<>(game.limits().inWords());
        if (game.limits().oneSided() != null) {
            words.add("nobody moves the score but " + side(game));
        }
        return words.size() <= 4
                ? String.join(", ", words)
                : String.join(", ", words.subList(0, 3)) + " and " + (words.size() - 3) + " more";
    }

    private static String side(GameSpec game) {
        return game.limits().oneSided() == null
                ? null
                : game.limits().oneSided().name().toLowerCase(Locale.ROOT);
    }
}
