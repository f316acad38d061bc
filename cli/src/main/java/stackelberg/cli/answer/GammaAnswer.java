package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import stackelberg.data.Message;
import stackelberg.game.World;
import stackelberg.model.response.GammaEstimate;

/**
 * What {@code gamma --json} prints: gamma and costs, estimated from observed moves.
 *
 * @param people the number of people seen before and after
 * @param identified whether the interval of gamma is bounded and above 0
 * @param gamma the estimate of gamma; null if it is infinite or unknown
 * @param gammaInterval the 95% interval of gamma, [low, high]; an end that is not finite is null
 * @param gammaShare the share of the gap that people would close under today's rule with this gamma; null if the model does not know today's rule
 * @param pullThrough the estimated share of the gap that people closed
 * @param pullThroughInterval the 95% interval of pullThrough, [low, high]
 * @param explained the share of the variance of the change in predictions that the gap to the wish explains
 * @param costs the estimated cost of each feature, if requested
 * @param immutableButChanged columns that are declared immutable and yet changed
 * @param behaviour how many people moved, and where
 * @param warnings what to check before the estimate is used
 */
public record GammaAnswer(
        int people,
        boolean identified,
        double gamma,
        List<Double> gammaInterval,
        double gammaShare,
        double pullThrough,
        List<Double> pullThroughInterval,
        double explained,
        List<Cost> costs,
        List<String> immutableButChanged,
        Behaviour behaviour,
        List<Message> warnings) {

    /**
     * The cost of moving one feature.
     *
     * @param feature the feature
     * @param cost the estimated cost of the feature, relative to gamma
     * @param interval the 95% interval of the cost, [low, high]
     * @param declared the cost of the feature as declared
     */
    record Cost(String feature, double cost, List<Double> interval, double declared) {}

    /**
     * How people moved, in counts.
     *
     * @param moved the number of people whose prediction changed
     * @param against the number of people whose prediction moved away from the wish
     * @param satisfied the number of people left out because the limits hold them back: their score is already as good as they wish
     * @param immutableChanges for each column declared immutable, how many people changed it
     * @param limits one entry per feature with a limit
     */
    record Behaviour(
            int moved, int against, int satisfied, Map<String, Integer> immutableChanges, List<Limited> limits) {
        static Behaviour of(GammaEstimate.Behaviour seen) {
            List<Limited> limits = seen.limits().stream()
                    .map(one -> new Limited(one.feature(), one.atFloor(), one.atCeiling(), one.free()))
                    .toList();
            return new Behaviour(seen.moved(), seen.against(), seen.satisfied(), seen.immovable(), limits);
        }
    }

    /**
     * How many people ended at a limit.
     *
     * @param feature the feature
     * @param atFloor the number of people who ended at the floor of the feature
     * @param atCeiling the number of people who ended at the ceiling of the feature
     * @param free the number of people not stopped by a limit, from whom costs are estimated
     */
    record Limited(String feature, int atFloor, int atCeiling, int free) {}

    /**
     * What {@code gamma --population --json} prints: an estimate per population.
     *
     * @param people the number of people seen before and after, over all populations
     * @param identified whether gamma is identified in every population
     * @param population the column that divides people into populations
     * @param populations one entry per population
     * @param warnings what to check before the estimates are used
     */
    public record ByPopulation(
            int people,
            boolean identified,
            String population,
            List<OfPopulation> populations,
            List<Message> warnings) {}

    /**
     * The estimate of one population, an entry of {@code populations}.
     *
     * @param population the name of the population
     * @param declaredGamma the declared gamma; null if people of the population have different gammas
     */
    public record OfPopulation(
            String population,
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

    /** The estimate as a share of the gap that people close under today's rule; empty where the model does not know today's rule. */
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
