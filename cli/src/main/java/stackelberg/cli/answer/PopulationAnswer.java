package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;

/** How people differ, and how far they can move; no keys where they do not differ, or where nothing limits them. */
record PopulationAnswer(
        @JsonUnwrapped ModelAnswer.@Nullable Mixed mixed,
        @JsonUnwrapped @Nullable Limits limits) {

    /**
     * How far people can move.
     *
     * @param limits the limits on moves, as declared. Only where there are any
     * @param oneSided up or down if people move their score only in this direction; otherwise null. Only where there are limits
     */
    record Limits(List<String> limits, @Nullable String oneSided) {}

    /**
     * People who respond alike.
     *
     * @param population the name of the population
     * @param share the probability that a counted person belongs to this population; below 1 where it is not known who belongs to it
     * @param gammaFrom the smallest gamma of the population; null for people who never move
     * @param gammaTo the largest gamma of the population; null where it is infinite, and for people who never move
     */
    public record Group(String population, double share, double gammaFrom, double gammaTo) {
        public static Group of(Population.Group group, String name) {
            return new Group(name, group.share(), group.from(), group.to());
        }
    }

    public static PopulationAnswer of(GameSpec game) {
        return new PopulationAnswer(
                ModelAnswer.Mixed.of(game),
                game.limits().none() ? null : new Limits(game.limits().inWords(), side(game.limits())));
    }

    /** up or down, if people move their score only in this direction. */
    public static @Nullable String side(GameSpec.Limits limits) {
        return limits.oneSided() == null ? null : limits.oneSided().name().toLowerCase(Locale.ROOT);
    }
}
