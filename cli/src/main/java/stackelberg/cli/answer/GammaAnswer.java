package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import stackelberg.data.Message;
import stackelberg.game.World;
import stackelberg.model.response.GammaEstimate;

/** What {@code gamma --json} prints: gamma and costs, estimated from observed moves. */
public record GammaAnswer(
        @Meaning("People seen before and after.") int people,

        @Meaning("Whether the interval of gamma is bounded and above 0.")
        boolean identified,

        @Meaning("The estimate of gamma; null if it is infinite or unknown.")
        double gamma,

        @Meaning("Its 95% interval, [low, high]; an end that is not finite is null.")
        List<Double> gammaInterval,

        @Meaning(
                "The share of the gap that people would close under today's rule with this gamma; null if the model does not know today's rule.")
        double gammaShare,

        @Meaning("The estimated share of the gap that people closed.")
        double pullThrough,

        @Meaning("Its 95% interval, [low, high].") List<Double> pullThroughInterval,

        @Meaning("The share of the variance of the change in predictions that the gap to the wish explains.")
        double explained,

        @Meaning("The estimated cost of each feature, if asked for.")
        List<Cost> costs,

        @Meaning("Columns that are declared immutable and yet changed.")
        List<String> immutableButChanged,

        @Meaning("What people did, in counts.") Behaviour behaviour,

        @Meaning("What to check before the estimate is used.")
        List<Message> warnings) {

    /** The cost of moving one feature. */
    record Cost(
            @Meaning("The feature.") String feature,

            @Meaning("Its estimated cost, relative to gamma.")
            double cost,

            @Meaning("Its 95% interval, [low, high].") List<Double> interval,
            @Meaning("The declared cost.") double declared) {}

    /** How people moved, in counts. */
    record Behaviour(
            @Meaning("People whose prediction changed.") int moved,

            @Meaning("People whose prediction moved away from the wish.")
            int against,

            @Meaning("People left out because the limits hold them back: their score is already as good as they wish.")
            int satisfied,

            @Meaning("By column that is declared immutable: how many people changed it.")
            Map<String, Integer> immutableChanges,

            @Meaning("One entry per feature with a limit.") List<Limited> limits) {
        static Behaviour of(GammaEstimate.Behaviour seen) {
            List<Limited> limits = seen.limits().stream()
                    .map(one -> new Limited(one.feature(), one.atFloor(), one.atCeiling(), one.free()))
                    .toList();
            return new Behaviour(seen.moved(), seen.against(), seen.satisfied(), seen.immovable(), limits);
        }
    }

    /** How many people ended at a limit. */
    record Limited(
            @Meaning("The feature.") String feature,
            @Meaning("People who ended at its floor.") int atFloor,
            @Meaning("People who ended at its ceiling.") int atCeiling,

            @Meaning("People not stopped by a limit, from whom costs are estimated.")
            int free) {}

    /** What {@code gamma --population --json} prints: an estimate per population. */
    public record ByPopulation(
            @Meaning("The number of people seen before and after, over all populations.")
            int people,

            @Meaning("Whether gamma is identified in every population.")
            boolean identified,

            @Meaning("The column that says who is of which population.")
            String population,

            @Meaning("One entry per population.") List<OfPopulation> populations,

            @Meaning("What to check before the estimates are used.")
            List<Message> warnings) {}

    /** The estimate of one population, an entry of {@code populations}. */
    public record OfPopulation(
            @Meaning("The name of the population.") String population,

            @Meaning("The declared gamma; null if its people differ.")
            double declaredGamma,

            @JsonUnwrapped GammaAnswer estimate) {}

    public static GammaAnswer of(GammaEstimate estimate, World world) {
        return of(estimate, world, estimate.identified());
    }

    public static GammaAnswer of(GammaEstimate estimate, World world, boolean identified) {
        return new GammaAnswer(
                estimate.people(),
                identified,
                estimate.gamma().value(),
                Finite.ends(estimate.gamma().interval()),
                share(estimate, world).orElse(Double.NaN),
                estimate.pullThrough().value(),
                Finite.ends(estimate.pullThrough().interval()),
                estimate.explained(),
                estimate.costs().entrySet().stream()
                        .map(cost -> new Cost(
                                cost.getKey(),
                                cost.getValue().value(),
                                Finite.ends(cost.getValue().interval()),
                                declaredCost(world, cost.getKey())))
                        .toList(),
                estimate.immovable(),
                Behaviour.of(estimate.behaviour()),
                estimate.warnings());
    }

    /** The estimate as a share of the gap that people close under today's rule; empty where the model does not know it. */
    public static OptionalDouble share(GammaEstimate estimate, World world) {
        double gamma = estimate.gamma().value();
        return gamma > 0 && gamma < Double.POSITIVE_INFINITY
                ? world.withGamma(gamma).gammaShare()
                : OptionalDouble.empty();
    }

    /** The declared cost of a feature. */
    static double declaredCost(World world, String feature) {
        return world.costs()[world.encoding().names().indexOf(feature)];
    }
}
