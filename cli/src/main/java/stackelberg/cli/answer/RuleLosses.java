package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;
import stackelberg.model.response.RuleEvaluation;

/**
 * The losses of a rule, as {@code evaluate} and {@code compare} print them.
 *
 * @param rule the name of the rule
 * @param pullThrough the share of the gap to their wish that people close under the rule
 */
record RuleLosses(
        String rule,
        double pullThrough,
        @JsonUnwrapped @Nullable Real real,
        @JsonUnwrapped Twice losses) {

    /** Measures of a rule: errors, or with logistic loss how well it separates yes from no. */
    sealed interface Measured permits ScoreAnswer, YesOrNoAnswer.Measures {}

    /**
     * How much moves really change the target.
     *
     * @param earned the share of the gap that the target itself closes. Only where effects are declared
     * @param gamed the share of the gap that the score closes but the target does not. Only where effects are declared
     * @param meanImprovement by how much the target really rises on average. Only where effects are declared
     */
    record Real(double earned, double gamed, double meanImprovement) {}

    /**
     * The losses, or how well a rule separates yes from no, before and after the move.
     *
     * @param nobodyMoves the losses if nobody moves; with logistic loss all measures of a yes or no
     * @param peopleMove the losses after people have moved; with logistic loss all measures of a yes or no
     */
    record Twice(Measured nobodyMoves, Measured peopleMove) {
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
