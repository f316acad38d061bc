package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code fit}: the model, its losses if the assumptions are wrong, and the time each phase took.
 *
 * @param withoutHedge what a rule without a hedge costs if nobody moves; null where it costs little or there is a hedge
 * @param yesOrNo how well the rule separates yes from no; null where the loss is not logistic or no finite rule is optimal
 * @param groups what the rule does to each group; null without --group
 * @param seconds wall-clock seconds of disjoint phases
 */
public record FitAnswer(
        @JsonUnwrapped @JsonIgnoreProperties("seconds") ModelAnswer model,
        @Nullable WithoutHedge withoutHedge,
        @Nullable YesOrNoAnswer yesOrNo,
        @JsonUnwrapped WhatIfAnswer whatIf,
        @Nullable GroupsAnswer groups,
        Seconds seconds,
        @JsonIgnore Wording wording)
        implements Result {

    /**
     * What the text needs in addition to the JSON document.
     *
     * @param groups only with --group
     */
    public record Wording(WhatIfWords whatIf, @Nullable GroupWords groups) {}

    @Override
    public Answer answer() {
        Answer.Builder answer = Answer.builder().sections(ModelWords.of(model.source(), yesOrNo));
        if (withoutHedge != null) {
            answer.say(HedgeWords.without(model.source(), withoutHedge));
        }
        wording.whatIf.say(answer);
        if (wording.groups != null) {
            wording.groups.say("the training sample", answer.section());
        }
        return answer.build();
    }

    /**
     * The phases of the whole command.
     *
     * @param start seconds from the start of the program until the command line is understood
     * @param doubt seconds for the what-if table and the groups
     * @param write seconds for writing the model file and this text
     */
    public record Seconds(double start, @JsonUnwrapped ModelAnswer.Seconds model, double doubt, DoubleSupplier write) {
        /**
         * @param start seconds before anything was read
         * @param doubt seconds for the what-if table and the groups
         * @param saved seconds for writing the model file; the time for this answer itself is known only when its last key is written
         */
        public static Seconds of(double start, ModelAnswer model, double doubt, double saved) {
            long before = System.nanoTime();
            return new Seconds(start, model.run().seconds(), doubt, () -> saved + (System.nanoTime() - before) * 1e-9);
        }
    }
}
