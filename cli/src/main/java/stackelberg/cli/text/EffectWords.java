package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.PublishedRule;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Responses;

/** What people are told of moves that really change the target: how much of what they close is earned, and how much is gamed. */
public final class EffectWords {
    private static final int SHOWN = 12;

    private EffectWords() {}

    /** Empty where moves do nothing to the target, or where there is no finite rule. */
    static Optional<String> sentence(StackelbergModel model) {
        return model.game().hasEffects() && model.optimality().finite()
                ? Optional.of(sentence(model.earned(), model.gamed())
                        + rises(model.game().target(), model.improvement()))
                : Optional.empty();
    }

    /** Of the shares of the gap that the truth closes and that the score closes alone. */
    public static String sentence(double earned, double gamed) {
        return String.format(
                Locale.ROOT,
                earned >= 0
                        ? "Of the gap, %s is earned (the truth moves along) and %s is gamed."
                        : "The truth moves the other way, by %s of the gap, so that %s of it is gamed.",
                Numbers.percent(Math.abs(earned)),
                Numbers.percent(gamed));
    }

    /** By how much the target changes on average, as a sentence that follows another; nothing where nobody knows. */
    static String rises(String target, double improvement) {
        return Double.isNaN(improvement)
                ? ""
                : String.format(Locale.ROOT, " On average %s really rises by %s.", target, Numbers.number(improvement));
    }

    /** The heads of the two columns that a table of rules has for them. */
    static List<String> heads(String target) {
        return List.of("pull-through (earned)", target + " rises by");
    }

    /** What is below them. */
    static List<String> cells(String pullThrough, double earned, double improvement) {
        return List.of(
                Double.isNaN(earned) ? pullThrough : pullThrough + String.format(Locale.ROOT, " (%.4f)", earned),
                Double.isNaN(improvement) ? "-" : Numbers.number(improvement));
    }

    /** What a rule rewards, and what it is good for; the columns by which most is closed or earned. */
    static String table(World world, PublishedRule rule) {
        List<World.Incentive> incentives = world.incentives(rule);
        if (incentives.isEmpty()) {
            return "";
        }
        TextTable table = new TextTable().add("what is rewarded", "effect", "coefficient", "closes", "earned");
        largest(incentives).forEach(one -> table.add(cells(one)));
        return table + more(incentives) + free(world);
    }

    /** The same with what it does to the target of these people. */
    static String table(World world, Responses responses) {
        List<World.Incentive> incentives = world.incentives(responses.rule());
        TextTable table =
                new TextTable().add("what is rewarded", "effect", "coefficient", "closes", "earned", "target rises by");
        Map<String, Double> improvements = improvements(responses);
        for (World.Incentive one : largest(incentives)) {
            List<String> cells = new ArrayList<>(List.of(cells(one)));
            cells.add(Numbers.number(improvements.get(one.name())));
            table.add(cells.toArray(String[]::new));
        }
        return table + more(incentives) + free(world);
    }

    /** What a column closes is said of whom nothing stops: others go as far as they can with each. */
    private static String free(World world) {
        return world.spec().limits().none()
                ? ""
                : String.format("  closes and earned: of somebody whom no limit stops%n");
    }

    private static String[] cells(World.Incentive one) {
        return new String[] {
            one.name(),
            Numbers.number(one.effect()),
            Numbers.number(one.coefficient()),
            Numbers.percent(one.closed()),
            Numbers.percent(one.earned())
        };
    }

    private static List<World.Incentive> largest(List<World.Incentive> incentives) {
        return incentives.stream()
                .sorted(Comparator.comparingDouble(one -> -Math.max(Math.abs(one.closed()), Math.abs(one.earned()))))
                .limit(SHOWN)
                .toList();
    }

    private static String more(List<World.Incentive> incentives) {
        return incentives.size() <= SHOWN
                ? ""
                : String.format(Locale.ROOT, "  ... and %,d more%n", incentives.size() - SHOWN);
    }

    /** By column the mean over these people of what its moves do to their target. */
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

    /** The mean over these people of what their moves do to their target. */
    static double improvement(Responses responses) {
        double sum = 0;
        for (int i = 0; i < responses.size(); i++) {
            sum += responses.improvement(i);
        }
        return responses.size() == 0 ? 0 : sum / responses.size();
    }

    /** How many of them really get nearer to a target that is wished for: whose own rises where they wish for more, or falls where for less. */
    static int improving(Responses responses) {
        int count = 0;
        for (int i = 0; i < responses.size(); i++) {
            count += responses.improvement(i) * (responses.wish(i) - responses.prediction(i)) > 0 ? 1 : 0;
        }
        return count;
    }
}
