package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.model.response.RuleEvaluation;

/**
 * Weighted means of the losses of a rule, in the measures of the game's loss.
 *
 * @param logLoss the mean log loss; only with logistic loss
 * @param brier the mean squared error of the probabilities; only with logistic loss
 * @param loss the mean Huber loss; only with Huber loss
 * @param mse the mean squared error; not with logistic loss
 * @param rmse the root of the mean squared error; not with logistic loss
 * @param mae the mean absolute error; not with logistic loss
 * @param r2 the explained share of the variance of the target, null where it does not vary; not with logistic loss
 */
record ScoreAnswer(
        @JsonInclude(NON_NULL) @Nullable Double logLoss,
        @JsonInclude(NON_NULL) @Nullable Double brier,
        @JsonInclude(NON_NULL) @Nullable Double loss,
        @JsonInclude(NON_NULL) @Nullable Double mse,
        @JsonInclude(NON_NULL) @Nullable Double rmse,
        @JsonInclude(NON_NULL) @Nullable Double mae,
        @JsonInclude(NON_NULL) @Nullable Double r2)
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
