package stackelberg.cli.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import stackelberg.game.GameSpec;
import stackelberg.model.StackelbergModel;

/** The wording of limits: the loss that the best rule without limits promises, its real loss under the limits, and the rule that was found instead. */
public final class LimitWords {
    private LimitWords() {}

    /** Adds the section about limits; nothing if no limits are declared. */
    static void say(StackelbergModel model, Answer.Builder answer) {
        model.limited().ifPresent(limited -> {
            boolean known = model.rmse(0).isPresent();
            Answer.TableBuilder table = Answer.table("limits: " + words(model.game()), "loss", known ? "RMSE" : "")
                    .text(1);
            table.row(row(model, "best rule without limits: expected", limited.promised()));
            if (!Double.isNaN(limited.real())) {
                table.row(row(model, "best rule without limits: under the limits", limited.real()));
            }
            table.row(row(model, "this rule, fitted with limits", model.losses().anticipated()), true);
            answer.block(table.build());
            answer.say(
                    "Limits hold back %s under this rule%s.%s",
                    ofPeople(limited.held(), model.rows()),
                    Double.isNaN(limited.real())
                            ? ""
                            : String.format(
                                    Locale.ROOT, ", %,d under the best rule without limits", limited.heldBefore()),
                    model.game().wishNoise() > 0
                            ? " Wish noise is taken to be normal (quadrature with 15 nodes)."
                            : "");
            if (model.game().mixed()) {
                answer.notes(model.notes());
            }
        });
    }

    /**
     * How many people limits hold back.
     *
     * @param held the number of people who are stopped or stuck
     * @param stopped the number of people whom a limit stops in at least one feature
     * @param stuck the number of people who cannot move at all
     * @param condition follows the number of people, as in " if they move"; may be empty
     */
    public static String heldBack(long held, long people, long stopped, long stuck, String condition) {
        return held == 0
                ? "The limits hold back no one."
                : String.format(
                        Locale.ROOT,
                        "The limits hold back %s%s: a limit stops %,d in at least one feature, and %,d cannot move at all.",
                        ofPeople(held, people),
                        condition,
                        stopped,
                        stuck);
    }

    /** Returns how many people limits hold back, as in "12 of 500 people", including those whose score is as good as they wish. */
    static String ofPeople(long held, long people) {
        return String.format(Locale.ROOT, "%,d of %,d people", held, people);
    }

    private static List<String> row(StackelbergModel model, String what, double loss) {
        return List.of(
                what,
                Numbers.number(loss),
                model.rmse(loss).isPresent() ? Numbers.number(model.rmse(loss).getAsDouble()) : "");
    }

    /** Returns the limits as in "debt>=0, scores move up only"; at most the first three. */
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
