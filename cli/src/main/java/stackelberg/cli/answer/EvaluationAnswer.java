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

/** What {@code evaluate --json} prints: the losses of rules, as declared and if the assumptions are wrong. */
public record EvaluationAnswer(
        @Meaning("The number of people.") int people,
        @Meaning("Gamma; null if people have their own.") double gamma,

        @JsonUnwrapped PopulationAnswer population,

        @Meaning("The wish.") String wish,

        @Meaning("The standard deviation of the wishes around it.")
        double wishNoise,

        @Meaning("The column of weights; null if there is none.") @Nullable
        String weight,

        @Meaning("The sum of the weights.") double totalWeight,

        @Meaning("By column with missing values: how many were filled in, and with what.")
        Map<String, ModelAnswer.Filled> filled,

        @JsonUnwrapped LossAnswer loss,

        @Meaning("One entry per rule.") List<Rule> rules,

        @Meaning("What the groups of all rules have in common, and today's rule by group; only with --group.")
        @JsonInclude(NON_NULL)
        GroupsAnswer.@Nullable Beside byGroup) {

    /** @param byGroup only where groups are asked for */
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

    /** The losses of one rule. */
    public record Rule(
            @JsonUnwrapped RuleLosses losses,

            @Meaning("The same by population; only where people differ.") @JsonInclude(NON_NULL) @Nullable
            List<OfPopulation> populations,

            @Meaning("The same by group; empty without --group.")
            List<Group> groups,

            @Meaning("What the rule rewards; only where effects are declared.") @JsonInclude(NON_NULL) @Nullable
            List<ModelAnswer.Incentive> incentives,

            @Meaning("Its losses after people have moved, if the assumptions are wrong.")
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

    /** The losses of a rule on people who respond alike. */
    public record OfPopulation(
            @JsonUnwrapped PopulationAnswer.Group population,
            @Meaning("Their number.") int people,

            @Meaning("The share of the gap that they close.")
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

    /** The losses of a rule if the assumptions are wrong. */
    public record Sensitivity(
            @Meaning("The losses if gamma is anywhere in an interval; null if gamma is certain.") @Nullable
            Interval gamma,

            @Meaning("The losses if the wishes are off at random.")
            Wishes wishes,

            @Meaning("The losses if all costs are off by factors between these ends; null where effects are declared.")
            @Nullable
            Interval costs,

            @Meaning("The losses if the effects are wrong; only where effects are declared.")
            @JsonInclude(NON_NULL)
            @Nullable
            Effects effects) {
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

    /** Losses with other wishes. */
    record Wishes(
            @Meaning("The standard deviation of the error of the wishes.")
            double sd,

            @Meaning("The losses after people have moved.") ScoreAnswer peopleMove) {}

    /** Losses with other effects. */
    record Effects(
            @Meaning("The losses if the effects are half of the declared.")
            ScoreAnswer halved,

            @Meaning("The losses if the effects are twice the declared.")
            ScoreAnswer doubled) {}

    /** Losses over an interval. */
    record Interval(
            @Meaning("The low end.") double from,
            @Meaning("The high end.") double to,
            @Meaning("The losses at the low end.") ScoreAnswer atFrom,
            @Meaning("The losses at the high end.") ScoreAnswer atTo,

            @Meaning("Where the loss is largest: from, to or inside.")
            String worstAt,

            @Meaning("The value within the interval at which the loss is largest; absent if that is an end.")
            @JsonInclude(NON_NULL)
            @Nullable
            Double inside,

            @Meaning("The losses there; only where it is inside.") @JsonInclude(NON_NULL) @Nullable
            ScoreAnswer atInside,

            @Meaning(
                    "True if the largest loss was searched for on a grid, so that it is not proven; otherwise there is no such key.")
            @JsonInclude(NON_NULL)
            @Nullable
            Boolean searched) {
        /** The same for programs, where there is an interval. */
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
