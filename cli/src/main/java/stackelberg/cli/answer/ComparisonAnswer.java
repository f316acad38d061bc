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

/**
 * What {@code compare --json} prints: rules side by side, on held-out people.
 *
 * @param trainingPeople the number of people that the rules were fitted to
 * @param judgedPeople the number of people that the rules are tested on
 * @param seed the seed of the split and of the intervals
 * @param gamma the gamma of all people; null if people have their own gammas
 * @param gammaShare the share of the gap that people would close under today's rule; null where it is not known
 * @param today today's rule; null if it is not known
 * @param wish the wish
 * @param weight the column of weights; null if there is none
 * @param totalWeight the sum of the weights of the people that the rules are tested on
 * @param certified whether the Stackelberg rule is certified
 * @param finite false only if it is proven that no finite Stackelberg rule is optimal
 * @param finiteness whether a finite rule is optimal. UNKNOWN if this is neither proven nor refuted
 * @param rules one entry per rule
 * @param saving how much loss the Stackelberg rule saves; null if no finite rule is optimal
 * @param warnings what to check before the answer is used
 * @param notes notes that explain the answer
 */
public record ComparisonAnswer(
        long trainingPeople,
        int judgedPeople,
        long seed,
        double gamma,
        double gammaShare,
        @JsonUnwrapped PopulationAnswer population,
        ModelAnswer.@Nullable Today today,
        String wish,
        @Nullable String weight,
        double totalWeight,
        boolean certified,
        boolean finite,
        Certificate.Finiteness finiteness,
        @JsonUnwrapped LossAnswer loss,
        List<Rule> rules,
        @Nullable Saving saving,
        List<Message> warnings,
        List<Message> notes) {

    /**
     * One rule. Intervals are [low, high] with 95% confidence; only those of the loss in use are written.
     *
     * @param lambda the penalty of ridge regression; null for other rules
     * @param hedge the hedge of the hedged rule: by what fraction its error may exceed that of the best rule if nobody moves, or "balanced"; null for
     * other rules
     * @param nobodyMovesRmseInterval the interval of the RMSE if nobody moves
     * @param peopleMoveRmseInterval the interval of the RMSE after people have moved
     * @param nobodyMovesLogLossInterval the interval of the log loss if nobody moves
     * @param peopleMoveLogLossInterval the interval of the log loss after people have moved
     * @param nobodyMovesLossInterval the interval of the Huber loss if nobody moves
     * @param peopleMoveLossInterval the interval of the Huber loss after people have moved
     * @param nobodyMovesAucInterval the interval of the AUC if nobody moves
     * @param peopleMoveAucInterval the interval of the AUC after people have moved
     * @param nobodyMovesAccuracyInterval the interval of the accuracy if nobody moves
     * @param peopleMoveAccuracyInterval the interval of the accuracy after people have moved
     * @param intercept the intercept of the rule
     * @param coefficients the coefficients of the rule, in raw units, by name
     * @param groups the losses of the rule by group; empty without --group
     */
    record Rule(
            @JsonUnwrapped RuleLosses losses,
            @Nullable Double lambda,
            @Nullable Object hedge,
            @JsonInclude(NON_NULL) @Nullable List<Double> nobodyMovesRmseInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> peopleMoveRmseInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> nobodyMovesLogLossInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> peopleMoveLogLossInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> nobodyMovesLossInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> peopleMoveLossInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> nobodyMovesAucInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> peopleMoveAucInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> nobodyMovesAccuracyInterval,
            @JsonInclude(NON_NULL) @Nullable List<Double> peopleMoveAccuracyInterval,
            double intercept,
            Map<String, Double> coefficients,
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

    /**
     * The losses of a rule on one group.
     *
     * @param group the group
     * @param people the number of people in the group
     */
    record Group(String group, int people, @JsonUnwrapped RuleLosses.Twice losses) {
        static Group of(Comparison.Entry entry, String name, int[] members, double cutoff) {
            return new Group(
                    name, members.length, RuleLosses.Twice.of(entry.evaluation().of(members), cutoff));
        }
    }

    /**
     * How much loss the rule that anticipates moves saves.
     *
     * @param share the share of the first rule's loss, after people have moved, that the Stackelberg rule saves; negative if it loses more
     * @param interval the 95% interval of the share, [low, high]
     */
    record Saving(double share, List<Double> interval) {
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
