package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.function.DoubleSupplier;

/** The answer of {@code fit}: the model, what could be otherwise, and how long everything took. */
public record FitAnswer(
        @JsonUnwrapped @JsonIgnoreProperties("seconds") ModelAnswer model,

        @Meaning(
                "What this rule costs if nobody moves, and what a hedge would give; null where it costs little or a hedge is declared.")
        HedgeSuggestion withoutHedge,

        @Meaning(
                "How well the rule tells a yes from a no; null where the loss is not logistic or no finite rule is optimal.")
        YesOrNoAnswer yesOrNo,

        @JsonUnwrapped WhatIfAnswer whatIf,

        @Meaning("What the rule does to each group; null without --group.")
        GroupsAnswer groups,

        @Meaning("Wall-clock seconds of disjoint phases.") Seconds seconds) {

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
         * @param start what the command took before it read anything
         * @param doubt what is answered beyond the model took
         * @param saved what the model file took; what this answer itself takes is known when the writer comes to its seconds, its last
         */
        public static Seconds of(double start, ModelAnswer model, double doubt, double saved) {
            long before = System.nanoTime();
            return new Seconds(start, model.run().seconds(), doubt, () -> saved + (System.nanoTime() - before) * 1e-9);
        }
    }
}
