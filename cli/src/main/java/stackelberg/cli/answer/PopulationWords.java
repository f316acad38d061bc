package stackelberg.cli.answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import stackelberg.game.Population;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/** How people differ in their response, in words. */
public final class PopulationWords {
    /** More different gammas than this are shown in quarters. */
    private static final int GROUPS_SHOWN = 8;

    private PopulationWords() {}

    /** The column with a gamma per row, where there is one. */
    static Optional<String> column(World world) {
        return Optional.ofNullable(world.spec().rowGamma());
    }

    /** The groups of people who respond alike, in quarters if there are many gammas. */
    public static List<Population.Group> groups(Population population) {
        return Population.Group.of(population, GROUPS_SHOWN);
    }

    /** The gamma or gammas that a model was fitted for. */
    static String gammas(StackelbergModel model) {
        return column(model.world())
                .map(name -> own(name) + ", median " + Numbers.number(model.gamma()) + ")")
                .orElseGet(() -> GammaWords.of(model.world()));
    }

    /** The beginning of the text about a gamma per row, with an opening bracket that the caller closes. */
    static String own(String column) {
        return "a gamma per row (column " + column;
    }

    /** Returns the population as in "gamma 0.1 and 30% truthful and limits (debt>=0)". */
    static String of(World world) {
        return of(world, "gamma " + Numbers.plain(world.gamma()));
    }

    /** @param gamma the text for the common gamma, if there is one */
    static String of(World world, String gamma) {
        String who = column(world).map(name -> own(name) + ")").orElse(gamma);
        return who + truthful(world.spec().truthfulShare()) + limits(world);
    }

    /** Returns the wish as in "wishes max(y,6) with noise 0.5". */
    static String wishes(World world, String wish) {
        return "wishes " + wish + (world.wishNoise() > 0 ? " with noise " + Numbers.plain(world.wishNoise()) : "");
    }

    /** Returns the truthful share as in " and 30% truthful"; empty without one. */
    static String truthful(double share) {
        return share > 0 ? " and " + Numbers.percent(share) + " truthful" : "";
    }

    /** Returns the truthful share as in " and 30% are truthful"; empty without one. */
    static String areTruthful(double share) {
        return share > 0 ? " and " + Numbers.percent(share) + " are truthful" : "";
    }

    /** Returns the limits as in " and limits (debt>=0, scores move up only)"; empty without limits. */
    static String limits(World world) {
        return world.spec().limits().none() ? "" : " and limits (" + LimitWords.words(world.spec()) + ")";
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

    /** The name of a group with its size; if members are not known individually, with their share: "truthful (30% of 1,000)". */
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
