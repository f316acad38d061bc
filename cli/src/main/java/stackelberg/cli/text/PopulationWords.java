package stackelberg.cli.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.answer.PopulationAnswer;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.World;

/** How people differ in their response, in words. */
public final class PopulationWords {
    /** More different gammas than this are shown in quarters. */
    private static final int GROUPS_SHOWN = 8;

    private PopulationWords() {}

    /** The column of everybody's own gamma, where there is one. */
    static Optional<String> column(World world) {
        return Optional.ofNullable(world.spec().rowGamma());
    }

    /** Those who respond alike. */
    public static List<Population.Group> groups(Population population) {
        return Population.Group.of(population, GROUPS_SHOWN);
    }

    /** As in "gamma 0.1 and 30% truthful and limits (debt>=0)". */
    static String of(World world) {
        return of(world, "gamma " + Numbers.plain(world.gamma()));
    }

    /** @param gamma what is said of the gamma of all who move, where they have one */
    static String of(World world, String gamma) {
        String who = column(world)
                .map(name -> "everybody's own gamma (column " + name + ")")
                .orElse(gamma);
        return who + truthful(world.spec().truthfulShare()) + limits(world);
    }

    /** As in " and 30% truthful"; nothing of nobody. */
    static String truthful(double share) {
        return share > 0 ? " and " + Numbers.percent(share) + " truthful" : "";
    }

    /** As in " and 30% are truthful"; nothing of nobody. */
    static String areTruthful(double share) {
        return share > 0 ? " and " + Numbers.percent(share) + " are truthful" : "";
    }

    /** As in " and limits (debt>=0, one-sided up)"; nothing where moves know no bounds. */
    static String limits(World world) {
        GameSpec.Limits limits = world.spec().limits();
        if (limits.none()) {
            return "";
        }
        List<String> words = new ArrayList<>(limits.inWords());
        if (limits.oneSided() != null) {
            words.add("one-sided " + PopulationAnswer.side(limits));
        }
        return " and limits (" + String.join(", ", words) + ")";
    }

    static String name(Population.Group group) {
        if (group.truthful()) {
            return "truthful";
        }
        if (group.neverMoves()) {
            return "never move";
        }
        return group.oneGamma()
                ? "gamma " + Numbers.plain(group.from())
                : "gamma " + Numbers.number(group.from()) + " to " + Numbers.number(group.to());
    }

    /** The name with how many they are; of how many, where nobody knows who they are. */
    static String counted(Population.Group group) {
        String share = group.share() < 1 ? Numbers.percent(group.share()) + " of " : "";
        return String.format(Locale.ROOT, "%s (%s%,d)", name(group), share, group.people().length);
    }

    /** The groups by their names, in their order. */
    public static Map<String, Population.Group> named(List<Population.Group> groups) {
        Map<String, Population.Group> named = new LinkedHashMap<>();
        groups.forEach(group -> named.put(counted(group), group));
        return named;
    }

    static PopulationAnswer.Group answer(Population.Group group) {
        return PopulationAnswer.Group.of(group, name(group));
    }
}
