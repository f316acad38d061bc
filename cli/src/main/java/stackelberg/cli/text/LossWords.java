package stackelberg.cli.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import stackelberg.game.Loss;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.RuleEvaluation;

/** What errors are called and how they are told, by the game's loss: root mean squares, or the mean of another loss. */
public final class LossWords {
    private static final MathContext WISHED = new MathContext(14);

    private LossWords() {}

    /** What errors are called. */
    public static String unit(Loss loss) {
        return loss.isSquared() ? "RMSE" : loss.isLogistic() ? "log loss" : "Huber loss";
    }

    /** A wish as people read it: the score, or its probability, which is told with the digits that the way to log-odds and back leaves. */
    public static double wish(Loss loss, double score) {
        return loss.isLogistic()
                ? new BigDecimal(loss.prediction(score)).round(WISHED).doubleValue()
                : score;
    }

    /** The error itself. */
    public static double error(Loss loss, RuleEvaluation.Score score) {
        return loss.isSquared() ? score.rmse() : score.loss();
    }

    /** The error that sums up to this loss; the sum itself where the weights' is not known. */
    static double error(StackelbergModel model, double sum) {
        return (model.game().loss().isSquared() ? model.rmse(sum) : model.mean(sum)).orElse(sum);
    }

    /** What is told of a rule if nobody moves, and again if people move; of a yes or no it is {@link AnswerWords}' business. */
    static List<String> heads(Loss loss) {
        return loss.isSquared()
                ? List.of("RMSE", "MAE", "R2")
                : loss.isLogistic() ? List.of("log loss", "AUC", "accuracy") : List.of("Huber loss", "RMSE", "MAE");
    }
}
