package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import stackelberg.model.response.RuleEvaluation;

/** The losses of a rule, as {@code evaluate} and {@code compare} print them. */
record RuleLosses(
        @Meaning("The name of the rule.") String rule,

        @Meaning("The share of the gap to their wish that people close under the rule.")
        double pullThrough,

        @JsonUnwrapped @Nullable Real real,
        @JsonUnwrapped Twice losses) {

    /** The measures of a loss, or of a yes or no. */
    sealed interface Measured permits ScoreAnswer, YesOrNoAnswer.Measures {}

    /** How much moves really change the target. */
    record Real(
            @Meaning("The share of the gap that the target itself closes. Only where effects are declared.")
            double earned,

            @Meaning(
                    "The share of the gap that the score closes but the target does not. Only where effects are declared.")
            double gamed,

            @Meaning("By how much the target really rises on average. Only where effects are declared.")
            double meanImprovement) {}

    /** The losses, or how well a rule separates yes from no, before and after the move. */
    record Twice(
            @Meaning("Its losses if nobody moves; with logistic loss all measures of a yes or no.")
            Measured nobodyMoves,

            @Meaning("The same after people have moved.") Measured peopleMove) {
        static Twice of(RuleEvaluation e, double cutoff) {
            return e.loss().isLogistic()
                    ? new Twice(YesOrNoAnswer.Measures.of(e.honest(cutoff)), YesOrNoAnswer.Measures.of(e.moved(cutoff)))
                    : new Twice(ScoreAnswer.of(e.loss(), e.honest()), ScoreAnswer.of(e.loss(), e.moved()));
        }
    }

    static RuleLosses of(RuleEvaluation e, double cutoff) {
        return new RuleLosses(
                e.rule().name(),
                e.pullThrough(),
                e.hasEffects() ? new Real(e.earned(), e.gamed(), e.improvement()) : null,
                Twice.of(e, cutoff));
    }
}
