package stackelberg.cli.answer;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import stackelberg.model.response.YesOrNo;

/** How well rules tell a yes from a no. */
public record YesOrNoAnswer(
        @Meaning("What is predicted, as in deny = yes.") String event,

        @Meaning("The probability from which on a yes is predicted.")
        double cutoff,

        @Meaning("The share of people who are a yes, by weight.")
        double shareOfYes,

        @Meaning("This rule.") Both rule,

        @Meaning("Today's rule; null where it is not known.")
        Both today) {

    /** One rule. */
    public record Both(
            @Meaning("If nobody moves.") Measures nobodyMoves,
            @Meaning("After people have moved.") Measures peopleMove) {
        public static Both of(YesOrNo honest, YesOrNo moved) {
            return new Both(Measures.of(honest), Measures.of(moved));
        }
    }

    /** All measures, by weight; null where there is not both a yes and a no. */
    public record Measures(
            @Meaning("The mean log loss; lower is better.") double logLoss,

            @Meaning("The mean squared error of the probabilities.")
            double brier,

            @Meaning("The area under the ROC curve.") double auc,
            @Meaning("2 AUC - 1.") double gini,

            @Meaning("The Kolmogorov-Smirnov distance between the scores of yes and no.")
            double ks,

            @JsonUnwrapped Predicted predicted,

            @Meaning("Tenths of the people by predicted probability.")
            List<Tenth> calibration)
            implements RuleLosses.Measured {
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

    /** Predictions beside truths. */
    record Predicted(
            @Meaning("The share of people whose prediction at the cut-off is right.")
            double accuracy,

            @Meaning("The share of people who are predicted to be a yes at the cut-off.")
            double predictedYes,

            @Meaning("The mean predicted probability.") double meanProbability,
            @Meaning("The share of people who are a yes.") double shareOfYes) {}

    /** A tenth of the people. */
    record Tenth(
            @Meaning("How many they are.") int people,

            @Meaning("The mean of their predicted probabilities.")
            double meanProbability,

            @Meaning("The share of them who are a yes.") double shareOfYes) {
        static Tenth of(YesOrNo.Group group) {
            return new Tenth(group.people(), group.meanProbability(), group.shareOfYes());
        }
    }
}
