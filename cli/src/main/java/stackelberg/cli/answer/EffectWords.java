package stackelberg.cli.answer;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Responses;

/** The wording of moves that really change the target: how much of the closed gap is earned, and how much is gamed. */
public final class EffectWords {
    private static final int SHOWN = 12;

    private EffectWords() {}

    /** The sentence about the earned share; empty without effects, or without a finite rule. */
    static Optional<String> sentence(StackelbergModel model) {
        return model.game().hasEffects() && model.optimality().finite()
                ? Optional.of(sentence(model.earned(), model.gamed())
                        + rises(model.game().chosenTarget(), model.improvement()))
                : Optional.empty();
    }

    /** The sentence for two shares of the gap: the earned one, which the target closes too, and the gamed one, which only the score closes. */
    public static String sentence(double earned, double gamed) {
        return sentence(earned < 0, Numbers.percent(Math.abs(earned)), Numbers.percent(gamed));
    }

    /**
     * Returns the sentence for two shares given as text: formatted numbers, or placeholders.
     *
     * @param backwards whether the target moves away from the wish
     */
    public static String sentence(boolean backwards, String earned, String gamed) {
        return backwards
                ? "The target moves the other way, by " + earned + " of the gap, so that " + gamed + " of it is gamed."
                : "Of the gap, " + earned + " is earned (the target moves along) and " + gamed + " is gamed.";
    }

    /** By how much the target changes on average, as a sentence that follows another; empty where it is not known. */
    static String rises(String target, double improvement) {
        return Double.isNaN(improvement)
                ? ""
                : String.format(Locale.ROOT, " On average %s really rises by %s.", target, Numbers.number(improvement));
    }

    /** The headings of the two columns with the earned and the gamed share. */
    static List<String> heads(String target) {
        return List.of("pull-through (earned)", target + " rises by");
    }

    /** The cells of these two columns. */
    static List<String> cells(String pullThrough, double earned, double improvement) {
        return List.of(
                Double.isNaN(earned) ? pullThrough : pullThrough + String.format(Locale.ROOT, " (%.4f)", earned),
                Double.isNaN(improvement) ? "-" : Numbers.number(improvement));
    }

    /** A table of the columns that a rule rewards most, each with its real effect on the target; empty if the rule rewards none. */
    static Optional<Answer.Table> table(World world, PublishedRule rule) {
        List<World.Incentive> incentives = world.incentives(rule);
        return incentives.isEmpty() ? Optional.empty() : Optional.of(table(world, incentives, null));
    }

    /** Returns the table with a further column: the mean real change of the target of these people. */
    static Answer.Table table(World world, Responses responses) {
        return table(world, world.incentives(responses.rule()), improvements(responses));
    }

    /** @param improvements by column, if they are to be shown */
    private static Answer.Table table(
            World world, List<World.Incentive> incentives, @Nullable Map<String, Double> improvements) {
        List<String> last = improvements == null ? List.of() : List.of("target rises by");
        Answer.TableBuilder table = Answer.table(
                Answer.cells(List.of("what is rewarded", "effect", "coefficient", "closes", "earned"), last));
        for (World.Incentive one : largest(incentives)) {
            table.row(Answer.cells(
                    List.of(
                            one.name(),
                            Numbers.number(one.effect()),
                            Numbers.number(one.coefficient()),
                            Numbers.percent(one.closed()),
                            Numbers.percent(one.earned())),
                    improvements == null
                            ? List.of()
                            : List.of(Numbers.number(improvements.getOrDefault(one.name(), 0.0)))));
        }
        if (incentives.size() > SHOWN) {
            table.remark("... and %,d more", incentives.size() - SHOWN);
        }
        // limits stop each column at a different point
        return world.spec().limits().none()
                ? table.build()
                : table.remark("The columns closes and earned ignore the limits.")
                        .build();
    }

    private static List<World.Incentive> largest(List<World.Incentive> incentives) {
        return incentives.stream()
                .sorted(Comparator.comparingDouble(one -> -Math.max(Math.abs(one.closed()), Math.abs(one.earned()))))
                .limit(SHOWN)
                .toList();
    }

    /** For each column, the mean real change of the target by moves of that column. */
    static Map<String, Double> improvements(Responses responses) {
        Map<String, Double> means = new LinkedHashMap<>();
        for (int j : responses.movable()) {
            double sum = 0;
            for (int i = 0; i < responses.size(); i++) {
                sum += responses.improvement(i, j);
            }
            means.put(responses.name(j), responses.size() == 0 ? 0 : sum / responses.size());
        }
        return means;
    }

    /** The mean real change of the target by all moves of these people. */
    static double improvement(Responses responses) {
        double sum = 0;
        for (int i = 0; i < responses.size(); i++) {
            sum += responses.improvement(i);
        }
        return responses.size() == 0 ? 0 : sum / responses.size();
    }

    /** The number of people whose target really moves towards their wish: up if they want a higher score, down if they want a lower one. */
    static int improving(Responses responses) {
        int count = 0;
        for (int i = 0; i < responses.size(); i++) {
            count += responses.improvement(i) * (responses.wish(i) - responses.prediction(i)) > 0 ? 1 : 0;
        }
        return count;
    }
}
