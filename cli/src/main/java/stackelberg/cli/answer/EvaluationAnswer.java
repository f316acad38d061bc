package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.World;
import stackelberg.model.response.ByGroup;
import stackelberg.model.response.RuleEvaluation;

/**
 * What {@code evaluate --json} prints: the losses of rules, as declared and if the assumptions are wrong.
 *
 * @param people the number of people
 * @param gamma the gamma of all people; null if people have their own gammas
 * @param wish the wish
 * @param wishNoise the standard deviation of the noise in the wishes
 * @param weight the column of weights; null if there is none
 * @param totalWeight the sum of the weights
 * @param filled for each column with missing values, how many were filled in and with what
 * @param rules one entry per rule
 * @param byGroup the grouping column, the kind of error and the other settings shared by all groups, and the figures of today's rule by group; only with
 * --group
 */
public record EvaluationAnswer(
        int people,
        double gamma,
        @JsonUnwrapped PopulationAnswer population,
        String wish,
        double wishNoise,
        @Nullable String weight,
        double totalWeight,
        Map<String, ModelAnswer.Filled> filled,
        @JsonUnwrapped LossAnswer loss,
        List<Rule> rules,
        @JsonInclude(NON_NULL) GroupsAnswer.@Nullable Beside byGroup) {

    /** @param byGroup absent without --group */
    public static EvaluationAnswer of(
            World world,
            Table rows,
            String wish,
            double cutoff,
            List<Rule> rules,
            GroupsAnswer.@Nullable Beside byGroup) {
        return new EvaluationAnswer(
                rows.rows(),
                world.gamma(),
                PopulationAnswer.of(world.spec()),
                wish,
                world.wishNoise(),
                world.spec().weight(),
                Arrays.stream(world.weights(rows)).sum(),
                ModelAnswer.Filled.of(world.encoding(), world.filled(rows)),
                LossAnswer.of(world.spec(), cutoff),
                rules,
                byGroup);
    }

    /**
     * The losses of one rule.
     *
     * @param populations the losses by population; only where people differ
     * @param groups the losses by group; empty without --group
     * @param incentives what the rule rewards; only where effects are declared
     * @param sensitivity the losses after people have moved, if the assumptions are wrong
     */
    public record Rule(
            @JsonUnwrapped RuleLosses losses,
            @JsonInclude(NON_NULL) @Nullable List<OfPopulation> populations,
            List<Group> groups,
            @JsonInclude(NON_NULL) @Nullable List<ModelAnswer.Incentive> incentives,
            Sensitivity sensitivity) {
        /** @param populations only where people differ */
        public static Rule of(
                World world,
                RuleEvaluation e,
                double cutoff,
                @Nullable List<OfPopulation> populations,
                List<Group> groups,
                Sensitivity sensitivity) {
            return new Rule(
                    RuleLosses.of(e, cutoff),
                    populations,
                    groups,
                    !world.spec().hasEffects()
                            ? null
                            : world.incentives(e.rule()).stream()
                                    .map(ModelAnswer.Incentive::of)
                                    .toList(),
                    sensitivity);
        }
    }

    /**
     * The losses of a rule on people who respond alike.
     *
     * @param people the number of people
     * @param pullThrough the share of the gap to their wish that these people close
     */
    public record OfPopulation(
            @JsonUnwrapped PopulationAnswer.Group population,
            int people,
            double pullThrough,
            @JsonUnwrapped RuleLosses.Twice losses) {
        public static OfPopulation of(PopulationAnswer.Group who, RuleEvaluation of, double cutoff) {
            return new OfPopulation(who, of.size(), of.pullThrough(), RuleLosses.Twice.of(of, cutoff));
        }
    }

    /** The effect of a rule on a group, and its losses there. */
    public record Group(
            @JsonUnwrapped GroupsAnswer.UnderRule figures,
            @JsonUnwrapped RuleLosses.Twice losses) {
        public static Group of(ByGroup.Part part, int rule, RuleEvaluation members, double cutoff) {
            return new Group(GroupsAnswer.UnderRule.of(part, rule), RuleLosses.Twice.of(members, cutoff));
        }
    }

    /**
     * The losses of a rule if the assumptions are wrong.
     *
     * @param gamma the losses if gamma is anywhere in an interval; null if gamma is certain
     * @param wishes the losses if the wishes have random errors
     * @param costs the losses if all costs are off by factors in an interval; null where effects are declared
     * @param effects the losses if the effects are wrong; only where effects are declared
     */
    public record Sensitivity(
            @Nullable Interval gamma,
            Wishes wishes,
            @Nullable Interval costs,
            @JsonInclude(NON_NULL) @Nullable Effects effects) {
        /**
         * @param gamma absent if gamma is certain
         * @param costs absent where effects are declared
         * @param wishError the standard deviation of the error of the wishes
         */
        public static Sensitivity of(
                RuleEvaluation e,
                RuleEvaluation.@Nullable Interval gamma,
                RuleEvaluation.@Nullable Interval costs,
                RuleEvaluation.Score wishes,
                double wishError) {
            Loss loss = e.loss();
            return new Sensitivity(
                    Interval.of(loss, gamma),
                    new Wishes(wishError, ScoreAnswer.of(loss, wishes)),
                    Interval.of(loss, costs),
                    !e.hasEffects()
                            ? null
                            : new Effects(
                                    ScoreAnswer.of(loss, e.movedIfEffectsAre(0.5)),
                                    ScoreAnswer.of(loss, e.movedIfEffectsAre(2))));
        }
    }

    /**
     * Losses with other wishes.
     *
     * @param sd the standard deviation of the error of the wishes
     * @param peopleMove the losses after people have moved
     */
    record Wishes(double sd, ScoreAnswer peopleMove) {}

    /**
     * Losses with other effects.
     *
     * @param halved the losses if the effects are half of those declared
     * @param doubled the losses if the effects are twice those declared
     */
    record Effects(ScoreAnswer halved, ScoreAnswer doubled) {}

    /**
     * Losses over an interval.
     *
     * @param from the lower end of the interval
     * @param to the upper end of the interval
     * @param atFrom the losses at the lower end
     * @param atTo the losses at the upper end
     * @param worstAt where the loss is largest: from, to or inside
     * @param inside the value within the interval at which the loss is largest; absent if the loss is largest at an end
     * @param atInside the losses at the value of inside; only where worstAt is inside
     * @param searched true if the largest loss was searched for on a grid, so that it is not proven; otherwise there is no such key
     */
    record Interval(
            double from,
            double to,
            ScoreAnswer atFrom,
            ScoreAnswer atTo,
            String worstAt,
            @JsonInclude(NON_NULL) @Nullable Double inside,
            @JsonInclude(NON_NULL) @Nullable ScoreAnswer atInside,
            @JsonInclude(NON_NULL) @Nullable Boolean searched) {
        /** Returns the JSON record of an interval; null if there is no interval. */
        static @Nullable Interval of(Loss loss, RuleEvaluation.@Nullable Interval interval) {
            if (interval == null) {
                return null;
            }
            boolean inside = interval.worstInside();
            return new Interval(
                    interval.from(),
                    interval.to(),
                    ScoreAnswer.of(loss, interval.low()),
                    ScoreAnswer.of(loss, interval.high()),
                    inside ? "inside" : interval.worstAt() == interval.from() ? "from" : "to",
                    inside ? interval.worstAt() : null,
                    inside ? ScoreAnswer.of(loss, interval.worst()) : null,
                    interval.searched() ? true : null);
        }
    }
}
