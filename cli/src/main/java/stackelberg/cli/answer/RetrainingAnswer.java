package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.game.PublishedRule;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Retraining;

/**
 * What {@code simulate --json} prints: retraining round after round, beside the rule that anticipates.
 *
 * @param outcome how retraining ends: SETTLES, CIRCLES, RUNS_AWAY or OPEN
 * @param period the number of rules that repeat; null if retraining does not circle
 * @param endsInRounding whether the rounds ended early because the next rule would be fitted to rounding errors
 * @param memory where people start each round: original or present
 * @param inertia the share of each move that is not made
 * @param rounds one entry per round
 * @param longRun the losses of retraining in the long run, per round
 * @param anticipated the losses of the rule that anticipates in the same rounds; null if no finite rule is optimal
 * @param excess by what fraction retraining loses more than the rule that anticipates; null if no finite rule is optimal
 * @param fixedPoint the rule that retraining reproduces; null if none was found
 * @param rowByRow whether the rounds were computed row by row instead of from sums
 * @param totalWeight the sum of the sample weights
 * @param warnings warnings: what to check before the answer is used
 * @param model the rule that anticipates, as fit prints it
 */
public record RetrainingAnswer(
        String outcome,
        @Nullable Integer period,
        boolean endsInRounding,
        String memory,
        double inertia,
        List<Round> rounds,
        Losses longRun,
        @Nullable Losses anticipated,
        double excess,
        @Nullable FixedPoint fixedPoint,
        boolean rowByRow,
        double totalWeight,
        List<Message> warnings,
        ModelAnswer model) {

    /**
     * One round: a published rule and the response to it.
     *
     * @param round the number of the round, from 1
     * @param promised the loss on the data that the rule was fitted to
     * @param loss the loss after people have moved
     * @param pullThrough the share of the gap that people close under this rule
     * @param change how far the next rule's predictions differ: root mean square in standard deviations of the target (in log-odds with logistic loss),
     * or the change of the pull-through if that is larger
     * @param anticipated the loss of the rule that anticipates in the same round; null if no finite rule is optimal
     */
    record Round(
            int round,
            double promised,
            double loss,
            @JsonUnwrapped Errors errors,
            double pullThrough,
            double change,
            double anticipated) {}

    /**
     * A loss per person.
     *
     * @param rmse the root of the mean squared error; null with another loss
     * @param meanLoss the mean loss per person
     */
    public record Errors(double rmse, double meanLoss) {
        /** @param loss the sum of the losses of all people */
        public static Errors of(Retraining played, double loss) {
            double mean = loss / played.totalWeight();
            return new Errors(played.loss().isSquared() ? Math.sqrt(mean) : Double.NaN, mean);
        }
    }

    /**
     * The losses of the rounds in the long run.
     *
     * @param least the smallest loss of a round in the long run
     * @param mean the mean loss of a round in the long run
     * @param most the largest loss of a round in the long run
     */
    record Losses(double least, double mean, double most) {
        static Losses of(Retraining.Losses losses) {
            return new Losses(losses.least(), losses.mean(), losses.most());
        }
    }

    /**
     * A rule that is refitted to the responses to the previous rule.
     *
     * @param loss the loss of this rule after people have moved
     * @param residual how far the refitted rule is from this one, measured like change
     * @param reached whether retraining reached this rule
     * @param excess by what fraction this rule loses more than the rule that anticipates; null if no finite rule is optimal
     * @param intercept the intercept of this rule
     * @param coefficients the coefficients of this rule, in raw units, by name
     */
    record FixedPoint(
            double loss,
            @JsonUnwrapped Errors errors,
            double residual,
            boolean reached,
            double excess,
            double intercept,
            Map<String, Double> coefficients) {
        static FixedPoint of(Retraining played, Retraining.FixedPoint point) {
            PublishedRule rule = played.published(point.rule());
            return new FixedPoint(
                    point.loss(),
                    Errors.of(played, point.loss()),
                    point.residual(),
                    point.reached(),
                    RetrainingAnswer.excess(played, point.loss()),
                    rule.intercept(),
                    rule.coefficients());
        }
    }

    /** @param model the rule that anticipates */
    public static RetrainingAnswer of(Retraining played, StackelbergModel model, List<Message> warnings) {
        return new RetrainingAnswer(
                played.outcome().name(),
                played.period() == 0 ? null : played.period(),
                played.endsInRounding(),
                played.plan().memory().name().toLowerCase(Locale.ROOT),
                played.plan().inertia(),
                played.rounds().stream()
                        .map(round -> new Round(
                                round.number(),
                                round.promised(),
                                round.loss(),
                                Errors.of(played, round.loss()),
                                round.pullThrough(),
                                round.change(),
                                round.anticipated()))
                        .toList(),
                Losses.of(played.longRun()),
                played.anticipated().map(Losses::of).orElse(null),
                excess(played, played.longRun().mean()),
                played.fixedPoint().map(point -> FixedPoint.of(played, point)).orElse(null),
                played.tookPasses(),
                played.totalWeight(),
                warnings,
                ModelAnswer.of(model));
    }

    /** By what fraction a loss exceeds the mean loss of the rule that anticipates; NaN without such a rule. */
    public static double excess(Retraining played, double loss) {
        return played.anticipated().map(losses -> loss / losses.mean() - 1).orElse(Double.NaN);
    }
}
