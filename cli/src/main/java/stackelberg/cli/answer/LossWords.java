package stackelberg.cli.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import stackelberg.estimate.Loss;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.RuleEvaluation;

/** Names and units of errors under the game's loss: a root mean square for the squared loss, otherwise the mean loss. */
public final class LossWords {
    private static final MathContext WISHED = new MathContext(14);

    private LossWords() {}

    /** The name of the error, such as RMSE. */
    public static String unit(Loss loss) {
        return loss.isSquared() ? "RMSE" : loss.isLogistic() ? "log loss" : "Huber loss";
    }

    /** A wish as it is printed: the score, or its probability, rounded to the digits that the conversion to log-odds and back keeps. */
    public static double wish(Loss loss, double score) {
        return loss.isLogistic()
                ? new BigDecimal(loss.prediction(score)).round(WISHED).doubleValue()
                : score;
    }

    /** Returns the error of a score, in the unit that {@link #unit} names. */
    public static double error(Loss loss, RuleEvaluation.Score score) {
        return loss.isSquared() ? score.rmse() : score.loss();
    }

    /** The error that belongs to a sum of losses; the sum itself if the total weight is not known. */
    static double error(StackelbergModel model, double sum) {
        return (model.game().loss().isSquared() ? model.rmse(sum) : model.mean(sum)).orElse(sum);
    }

    /** The measures of a rule that are printed for both cases, nobody moves and people move; those of a yes or no are in {@link YesOrNoWords}. */
    static List<String> heads(Loss loss) {
        return loss.isSquared()
                ? List.of("RMSE", "MAE", "R2")
                : loss.isLogistic() ? List.of("log loss", "AUC", "accuracy") : List.of("Huber loss", "RMSE", "MAE");
    }
}
