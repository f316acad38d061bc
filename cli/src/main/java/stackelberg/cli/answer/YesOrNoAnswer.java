package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.model.Training;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;
import stackelberg.model.response.YesOrNo;

/**
 * How well rules separate yes from no.
 *
 * @param event the event that is predicted, as in deny = yes
 * @param cutoff the smallest probability that is predicted as a yes
 * @param shareOfYes the share of people who are a yes, by weight
 * @param rule the measures of this rule
 * @param today the measures of today's rule; null where it is not known
 */
public record YesOrNoAnswer(
        String event,
        double cutoff,
        double shareOfYes,
        Both rule,
        @Nullable Both today) {

    /** The explanation of each measure, by its key. */
    public static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        Stream.of(Measures.class, Predicted.class)
                .flatMap(type -> Stream.of(type.getRecordComponents()))
                .filter(component -> component.getType() == double.class)
                .forEach(component -> meanings.put(
                        component.getName(),
                        component.getAnnotation(Meaning.class).value()));
        return meanings;
    }

    /**
     * Returns the measures of the model's rule on the training sample; null unless the loss is logistic and a finite
     * rule exists.
     */
    public static @Nullable YesOrNoAnswer of(Training training, StackelbergModel model, double cutoff) {
        if (!model.game().loss().isLogistic() || !model.optimality().finite()) {
            return null;
        }
        Sample sample = training.sample();
        double[] p = sample.predictions(model.rule(), training.options().workers());
        Both rule = Both.of(evaluation(model, model.rule(), sample, p), cutoff);
        return new YesOrNoAnswer(
                LossAnswer.event(model.game()),
                cutoff,
                rule.nobodyMoves.predicted.shareOfYes,
                rule,
                training.todaysScores()
                        .map(scores ->
                                evaluation(model, training.today().orElseThrow().knownRule(), sample, scores))
                        .map(today -> Both.of(today, cutoff))
                        .orElse(null));
    }

    private static RuleEvaluation evaluation(StackelbergModel model, PublishedRule rule, Sample sample, double[] p) {
        Followers people = Followers.of(sample.population(), p, sample.z());
        return RuleEvaluation.of(model.world(), rule, people.withTruth(sample.y(), sample.weights()));
    }

    /** Returns the table of the measures, for the section of a model. */
    Answer.Table table() {
        Answer.TableBuilder table = Answer.table("", "nobody moves", "", "", "people move", "", "")
                .head("cut-off " + Numbers.plain(cutoff), "AUC", "accuracy", "mean", "AUC", "accuracy", "mean");
        if (today != null) {
            table.row(cells("today's rule", today));
        }
        return table.row(cells("this rule", rule), true)
                .remark("(mean: the mean probability; %s of the people are a yes.)", Numbers.percent(shareOfYes))
                .build();
    }

    private static List<String> cells(String name, Both of) {
        return Answer.cells(List.of(name), of.nobodyMoves.cells(), of.peopleMove.cells());
    }

    /** A measure between 0 and 1, or -1 and 1, with four digits; a dash where there is not both a yes and a no. */
    static String measure(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.4f", value);
    }

    /**
     * One rule.
     *
     * @param nobodyMoves the measures of the rule if nobody moves
     * @param peopleMove the measures of the rule after people have moved
     */
    public record Both(Measures nobodyMoves, Measures peopleMove) {
        static Both of(RuleEvaluation rule, double cutoff) {
            return new Both(Measures.of(rule.honest(cutoff)), Measures.of(rule.moved(cutoff)));
        }
    }

    /** All measures, weighted; NaN unless the people include both a yes and a no. */
    public record Measures(
            @Meaning("The mean log loss; lower is better.") double logLoss,

            @Meaning("The mean squared error of the probabilities.")
            double brier,

            @Meaning("The area under the ROC curve.") double auc,
            @Meaning("The Gini coefficient, 2 AUC - 1.") double gini,

            @Meaning("The Kolmogorov-Smirnov distance between the scores of yes and no.")
            double ks,

            @JsonUnwrapped Predicted predicted,

            @Meaning("The people in tenths by predicted probability.")
            List<Tenth> calibration)
            implements RuleLosses.Measured {
        private List<String> cells() {
            return List.of(measure(auc), measure(predicted.accuracy), measure(predicted.meanProbability));
        }

        public static Measures of(YesOrNo measures) {
            return new Measures(
                    measures.logLoss(),
                    measures.brier(),
                    measures.auc(),
                    measures.gini(),
                    measures.ks(),
                    new Predicted(
                            measures.accuracy(),
                            measures.predictedYes(),
                            measures.meanProbability(),
                            measures.shareOfYes()),
                    measures.calibration().stream().map(Tenth::of).toList());
        }
    }

    /** The mean prediction beside the actual share, and the decisions at the cut-off. */
    record Predicted(
            @Meaning("The share of people whose prediction at the cut-off is right.")
            double accuracy,

            @Meaning("The share of people who are predicted to be a yes at the cut-off.")
            double predictedYes,

            @Meaning("The mean predicted probability.") double meanProbability,
            @Meaning("The share of people who are a yes.") double shareOfYes) {}

    /**
     * A tenth of the people.
     *
     * @param people the number of people in this tenth
     * @param meanProbability the mean of the predicted probabilities
     * @param shareOfYes the share of these people who are a yes
     */
    record Tenth(int people, double meanProbability, double shareOfYes) {
        static Tenth of(YesOrNo.Group group) {
            return new Tenth(group.people(), group.meanProbability(), group.shareOfYes());
        }
    }
}
