package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.model.response.RuleEvaluation;

/** Weighted means of the losses of a rule, in the measures of the game's loss. */
record ScoreAnswer(
        @Meaning("The mean log loss; only with logistic loss.") @JsonInclude(NON_NULL) @Nullable
        Double logLoss,

        @Meaning("The mean squared error of the probabilities; only with logistic loss.")
        @JsonInclude(NON_NULL)
        @Nullable
        Double brier,

        @Meaning("The mean Huber loss; only with Huber loss.") @JsonInclude(NON_NULL) @Nullable
        Double loss,

        @Meaning("The mean squared error; not with logistic loss.") @JsonInclude(NON_NULL) @Nullable
        Double mse,

        @Meaning("The root of the mean squared error; not with logistic loss.") @JsonInclude(NON_NULL) @Nullable
        Double rmse,

        @Meaning("The mean absolute error; not with logistic loss.") @JsonInclude(NON_NULL) @Nullable
        Double mae,

        @Meaning(
                "The explained share of the variance of the target, null where it does not vary; not with logistic loss.")
        @JsonInclude(NON_NULL)
        @Nullable
        Double r2)
        implements RuleLosses.Measured {
    static ScoreAnswer of(Loss loss, RuleEvaluation.Score score) {
        return loss.isLogistic()
                ? new ScoreAnswer(score.loss(), score.mse(), null, null, null, null, null)
                : new ScoreAnswer(
                        null,
                        null,
                        loss.isSquared() ? null : score.loss(),
                        score.mse(),
                        score.rmse(),
                        score.mae(),
                        score.r2());
    }
}
