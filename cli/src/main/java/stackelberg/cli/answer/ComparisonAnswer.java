package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.certificate.Certificate;
import stackelberg.data.Message;
import stackelberg.estimate.Loss;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Comparison;

/** What {@code compare --json} prints: rules side by side, on held-out people. */
public record ComparisonAnswer(
        @Meaning("The number of people that the rules were fitted to.")
        long trainingPeople,

        @Meaning("The number of people that the rules are tested on.")
        int judgedPeople,

        @Meaning("The seed of the split and of the intervals.")
        long seed,

        @Meaning("Gamma; null if people have their own.") double gamma,

        @Meaning("The share of the gap that people would close under today's rule; null where it is not known.")
        double gammaShare,

        @JsonUnwrapped PopulationAnswer population,

        @Meaning("Today's rule; null if it is not known.") ModelAnswer.@Nullable Today today,
        @Meaning("The wish.") String wish,

        @Meaning("The column of weights; null if there is none.") @Nullable
        String weight,

        @Meaning("The sum of the weights of the people that the rules are tested on.")
        double totalWeight,

        @Meaning("Whether the Stackelberg rule is certified.")
        boolean certified,

        @Meaning("False only if it is proven that no finite Stackelberg rule is optimal.")
        boolean finite,

        @Meaning("Whether a finite rule is optimal. UNKNOWN if neither that nor the opposite is proven.")
        Certificate.Finiteness finiteness,

        @JsonUnwrapped LossAnswer loss,

        @Meaning("One entry per rule.") List<Rule> rules,

        @Meaning("How much loss the Stackelberg rule saves; null if no finite one is optimal.") @Nullable
        Saving saving,

        @Meaning("What to check before the answer is used.") List<Message> warnings,
        @Meaning("What else is worth knowing.") List<Message> notes) {

    /** One rule. Intervals are [low, high] with 95% confidence; those of the loss in use have a key. */
    record Rule(
            @JsonUnwrapped RuleLosses losses,

            @Meaning("The penalty of ridge regression; null for other rules.") @Nullable
            Double lambda,

            @Meaning(
                    "The hedge of the hedged rule: by what fraction its error may exceed that of the best rule if nobody moves, or \"balanced\"; null for other rules.")
            @Nullable
            Object hedge,

            @Meaning("The interval of the RMSE if nobody moves.") @JsonInclude(NON_NULL) @Nullable
            List<Double> nobodyMovesRmseInterval,

            @Meaning("The interval of the RMSE after people have moved.") @JsonInclude(NON_NULL) @Nullable
            List<Double> peopleMoveRmseInterval,

            @Meaning("The interval of the log loss if nobody moves.") @JsonInclude(NON_NULL) @Nullable
            List<Double> nobodyMovesLogLossInterval,

            @Meaning("The interval of the log loss after people have moved.") @JsonInclude(NON_NULL) @Nullable
            List<Double> peopleMoveLogLossInterval,

            @Meaning("The interval of the Huber loss if nobody moves.") @JsonInclude(NON_NULL) @Nullable
            List<Double> nobodyMovesLossInterval,

            @Meaning("The interval of the Huber loss after people have moved.") @JsonInclude(NON_NULL) @Nullable
            List<Double> peopleMoveLossInterval,

            @Meaning("The interval of the AUC if nobody moves.") @JsonInclude(NON_NULL) @Nullable
            List<Double> nobodyMovesAucInterval,

            @Meaning("The interval of the AUC after people have moved.") @JsonInclude(NON_NULL) @Nullable
            List<Double> peopleMoveAucInterval,

            @Meaning("The interval of the accuracy if nobody moves.") @JsonInclude(NON_NULL) @Nullable
            List<Double> nobodyMovesAccuracyInterval,

            @Meaning("The interval of the accuracy after people have moved.") @JsonInclude(NON_NULL) @Nullable
            List<Double> peopleMoveAccuracyInterval,

            @Meaning("Its intercept.") double intercept,

            @Meaning("Its coefficients, in raw units, by name.")
            Map<String, Double> coefficients,

            @Meaning("Its losses by group; empty without --group.")
            List<Group> groups) {
        static Rule of(Comparison.Entry entry, Map<String, int[]> groups, double cutoff) {
            Loss loss = entry.evaluation().loss();
            List<Double> honest = Finite.ends(entry.honest());
            List<Double> moved = Finite.ends(entry.moved());
            boolean logistic = loss.isLogistic();
            boolean other = !loss.isSquared() && !logistic;
            return new Rule(
                    RuleLosses.of(entry.evaluation(), cutoff),
                    entry.lambda(),
                    entry.hedge() == null ? null : entry.hedge().inFile(),
                    loss.isSquared() ? honest : null,
                    loss.isSquared() ? moved : null,
                    logistic ? honest : null,
                    logistic ? moved : null,
                    other ? honest : null,
                    other ? moved : null,
                    logistic ? Finite.ends(entry.answers().honest().auc()) : null,
                    logistic ? Finite.ends(entry.answers().moved().auc()) : null,
                    logistic ? Finite.ends(entry.answers().honest().accuracy()) : null,
                    logistic ? Finite.ends(entry.answers().moved().accuracy()) : null,
                    entry.evaluation().rule().intercept(),
                    entry.evaluation().rule().coefficients(),
                    groups.entrySet().stream()
                            .map(group -> Group.of(entry, group.getKey(), group.getValue(), cutoff))
                            .toList());
        }
    }

    /** The losses of a rule on one group. */
    record Group(
            @Meaning("The group.") String group,
            @Meaning("The number of its people.") int people,
            @JsonUnwrapped RuleLosses.Twice losses) {
        static Group of(Comparison.Entry entry, String name, int[] members, double cutoff) {
            return new Group(
                    name, members.length, RuleLosses.Twice.of(entry.evaluation().of(members), cutoff));
        }
    }

    /** How much loss the rule that anticipates moves saves. */
    record Saving(
            @Meaning(
                    "The share of the first rule's loss, after people have moved, that the Stackelberg rule saves; negative if it loses more.")
            double share,

            @Meaning("Its 95% interval, [low, high].") List<Double> interval) {
        static Saving of(Comparison.Saving saving) {
            return new Saving(saving.share(), Finite.ends(saving.interval()));
        }
    }

    /** @param groups for each group, by name, the indices of its people among those that the rules are tested on */
    public static ComparisonAnswer of(
            Comparison comparison, long seed, double cutoff, Map<String, int[]> groups, List<Message> warnings) {
        World world = comparison.world();
        StackelbergModel model = comparison.model();
        return new ComparisonAnswer(
                model.rows(),
                comparison.judged().rows(),
                seed,
                world.gamma(),
                world.gammaShare().orElse(Double.NaN),
                PopulationAnswer.of(world.spec()),
                ModelAnswer.Today.of(world.spec().today()),
                world.spec().chosenWish(),
                world.spec().weight(),
                Arrays.stream(world.weights(comparison.judged())).sum(),
                model.certified(),
                model.optimality().finite(),
                model.optimality().finiteness(),
                LossAnswer.of(world.spec(), cutoff),
                comparison.entries().stream()
                        .map(entry -> Rule.of(entry, groups, cutoff))
                        .toList(),
                comparison.saving().map(Saving::of).orElse(null),
                warnings,
                model.notes());
    }
}
