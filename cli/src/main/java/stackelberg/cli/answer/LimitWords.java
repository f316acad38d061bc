package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/** The wording of limits: the loss that the best rule without limits promises, its real loss under the limits, and the rule that was found instead. */
final class LimitWords {
    private LimitWords() {}

    /** The section of a model; nothing where no limits are declared. */
    static void say(StackelbergModel model, Answer.Builder answer) {
        model.limited().ifPresent(limited -> {
            boolean known = model.rmse(0).isPresent();
            Answer.TableBuilder table = Answer.table("limits: " + words(model.game()), "loss", known ? "RMSE" : "")
                    .text(1);
            table.row(row(model, "promised by the best rule without them", limited.promised()));
            if (!Double.isNaN(limited.real())) {
                table.row(row(model, "what that rule really loses", limited.real()));
            }
            table.row(row(model, "this rule, fitted to them", model.losses().anticipated()), true);
            answer.block(table.build());
            answer.say(
                    "They hold back %s under this rule%s.%s",
                    ofPeople(limited.held(), model.rows()),
                    Double.isNaN(limited.real())
                            ? ""
                            : String.format(Locale.ROOT, ", %,d under the one without them", limited.heldBefore()),
                    model.game().wishNoise() > 0 ? " The noise of wishes is normal, in a quadrature of 15 nodes." : "");
            if (model.game().mixed()) {
                answer.notes(model.notes());
            }
        });
    }

    /** As in "12 of 500 people": those held back by limits, including those whose score is as good as they wish. */
    static String ofPeople(long held, long people) {
        return String.format(Locale.ROOT, "%,d of %,d people", held, people);
    }

    private static List<String> row(StackelbergModel model, String what, double loss) {
        return List.of(
                what,
                Numbers.number(loss),
                model.rmse(loss).isPresent() ? Numbers.number(model.rmse(loss).getAsDouble()) : "");
    }

    /** As in "debt>=0, scores move up only"; of many the first three. */
    static String words(GameSpec game) {
        List<String> words = new ArrayList<>(game.limits().inWords());
        if (game.limits().oneSided() != null) {
            words.add("scores move " + PopulationAnswer.side(game.limits()) + " only");
        }
        return words.size() <= 4
                ? String.join(", ", words)
                : String.join(", ", words.subList(0, 3)) + " and " + (words.size() - 3) + " more";
    }
}
