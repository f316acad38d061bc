package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import stackelberg.objective.Solution;

/** The answer of {@code fit}: the model, its losses if the assumptions are wrong, and the time each phase took. */
public record FitAnswer(
        @JsonUnwrapped @JsonIgnoreProperties("seconds") ModelAnswer model,

        @Meaning(
                "What this rule costs if nobody moves, and what a hedge would give; null where it costs little or a hedge is declared.")
        @Nullable
        HedgeSuggestion withoutHedge,

        @Meaning(
                "How well the rule separates yes from no; null where the loss is not logistic or no finite rule is optimal.")
        @Nullable
        YesOrNoAnswer yesOrNo,

        @JsonUnwrapped WhatIfAnswer whatIf,

        @Meaning("What the rule does to each group; null without --group.") @Nullable
        GroupsAnswer groups,

        @Meaning("Wall-clock seconds of disjoint phases.") Seconds seconds,
        @JsonIgnore Wording wording)
        implements Result {

    /**
     * What the text needs in addition to the JSON document.
     *
     * @param hedge the hedge to suggest
     * @param hedged the losses with that hedge, if they were computed
     * @param groups only with --group
     */
    public record Wording(
            double hedge,
            Solution.Hedged.@Nullable Point hedged,
            WhatIfWords whatIf,
            @Nullable GroupWords groups) {}

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder().sections(ModelWords.of(model.source(), yesOrNo));
        answer.say(HedgeWords.suggestion(model.source(), wording.hedge, wording.hedged));
        wording.whatIf.say(answer);
        if (wording.groups != null) {
            wording.groups.say("the training sample", answer.section());
        }
        return answer.build();
    }

    /** The phases of the whole command. */
    public record Seconds(
            @Meaning("From the start of the program until the command line is understood.")
            double start,

            @JsonUnwrapped ModelAnswer.Seconds model,

            @Meaning("What a hedge would give, wrong assumptions, and groups.")
            double doubt,

            @Meaning("Writing the model file and this text.")
            DoubleSupplier write) {
        /**
         * @param start seconds before anything was read
         * @param doubt seconds for the what-if table, the hedge and the groups
         * @param saved seconds for writing the model file; the time for this answer itself is known only when its last key is written
         */
        public static Seconds of(double start, ModelAnswer model, double doubt, double saved) {
            long before = System.nanoTime();
            return new Seconds(start, model.run().seconds(), doubt, () -> saved + (System.nanoTime() - before) * 1e-9);
        }
    }
}
