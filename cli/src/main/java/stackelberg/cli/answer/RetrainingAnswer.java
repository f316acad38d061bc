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

/** What {@code simulate --json} prints: retraining round after round, beside the rule that anticipates. */
public record RetrainingAnswer(
        @Meaning("SETTLES, CIRCLES, RUNS_AWAY or OPEN.") String outcome,

        @Meaning("The number of rules that repeat; null if it does not circle.") @Nullable
        Integer period,

        @Meaning("Whether the rounds ended early because the next rule would be fitted to rounding errors.")
        boolean endsInRounding,

        @Meaning("Where people start each round: original or present.")
        String memory,

        @Meaning("The share of its move that each person leaves undone.")
        double inertia,

        @Meaning("The rounds.") List<Round> rounds,

        @Meaning("The losses of retraining in the long run, per round.")
        Losses longRun,

        @Meaning("The losses of the rule that anticipates in the same rounds; null if there is no finite one.")
        @Nullable
        Losses anticipated,

        @Meaning("By what fraction retraining loses more than the rule that anticipates; null if there is none.")
        double excess,

        @Meaning("The rule that retraining reproduces; null if none was found.") @Nullable
        FixedPoint fixedPoint,

        @Meaning("Whether the rounds were computed row by row instead of from sums.")
        boolean rowByRow,

        @Meaning("The total weight of the people.") double totalWeight,

        @Meaning("Warnings: what to check before the answer is used.")
        List<Message> warnings,

        @Meaning("The rule that anticipates, as fit prints it.")
        ModelAnswer model) {

    /** One round: a published rule and the response to it. */
    record Round(
            @Meaning("The number of the round, from 1.") int round,

            @Meaning("The loss on the data that the rule was fitted to.")
            double promised,

            @Meaning("The loss after people have moved.") double loss,
            @JsonUnwrapped Errors errors,

            @Meaning("The share of the gap that people close under this rule.")
            double pullThrough,

            @Meaning(
                    "How far the next rule's predictions differ: root mean square in standard deviations of the target (in log-odds with logistic loss), or the change of the pull-through if that is larger.")
            double change,

            @Meaning("The loss of the rule that anticipates in the same round; null if there is none.")
            double anticipated) {}

    /** A loss per person. */
    public record Errors(
            @Meaning("The root of the mean squared error; null with another loss.")
            double rmse,

            @Meaning("The mean loss.") double meanLoss) {
        /** @param loss a sum over all people */
        public static Errors of(Retraining played, double loss) {
            double mean = loss / played.totalWeight();
            return new Errors(played.loss().isSquared() ? Math.sqrt(mean) : Double.NaN, mean);
        }
    }

    /** The losses of several rounds. */
    record Losses(
            @Meaning("The smallest.") double least,
            @Meaning("Their mean.") double mean,
            @Meaning("The largest.") double most) {
        static Losses of(Retraining.Losses losses) {
            return new Losses(losses.least(), losses.mean(), losses.most());
        }
    }

    /** A rule that is refitted to the responses to the previous one. */
    record FixedPoint(
            @Meaning("Its loss after people have moved.") double loss,
            @JsonUnwrapped Errors errors,

            @Meaning("How far the refitted rule is from it, measured like change.")
            double residual,

            @Meaning("Whether the rounds reached it.") boolean reached,

            @Meaning("By what fraction it loses more than the rule that anticipates; null if there is none.")
            double excess,

            @Meaning("Its intercept.") double intercept,

            @Meaning("Its coefficients, in raw units, by name.")
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
