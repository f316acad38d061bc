package stackelberg.cli.answer;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Message;
import stackelberg.game.World;
import stackelberg.model.response.Responses.FeatureMoves;

/** What {@code respond --json} prints: which features people move, how far and at what cost. */
public record ResponseAnswer(
        @Meaning("Gamma; null if people have their own.") double gamma,

        @Meaning("The share of the gap to their wish that people close, on average.")
        double pullThrough,

        @JsonUnwrapped LossAnswer loss,

        @JsonUnwrapped @Nullable Effects real,

        @JsonUnwrapped PopulationAnswer population,

        @JsonUnwrapped Averages averages,

        @Meaning("The same by population; only where people differ.") @JsonInclude(NON_NULL) @Nullable
        List<OfPopulation> populations,

        @Meaning("One entry per feature that people can move.")
        List<Feature> features,

        @Meaning("The averages by group; empty without --group.")
        List<Group> groups,

        @Meaning("The people who move furthest, in scaled units.")
        List<Person> furthest,

        @Meaning("By column with missing values: how many were filled in, and with what.")
        Map<String, ModelAnswer.Filled> filled,

        @Meaning("What to check before the answer is used.") List<Message> warnings) {

    /** How much moves really change the target. */
    public record Effects(
            @Meaning(
                    "By column: by how much one raw unit of it really changes the target. Only where effects are declared.")
            Map<String, Double> effects,

            @Meaning(
                    "The share of the gap that the target itself closes; null without people. Only where effects are declared.")
            double earned,

            @Meaning(
                    "The share of the gap that the score closes but the target does not; null without people. Only where effects are declared.")
            double gamed,

            @Meaning("By how much the target really rises, on average. Only where effects are declared.")
            double meanImprovement,

            @Meaning(
                    "The number of people whose target really moves towards their wish. Only where effects are declared.")
            int improving,

            @Meaning("What the rule rewards, by feature. Only where effects are declared.")
            List<Incentive> incentives) {}

    /** The features that the rule rewards. */
    public record Incentive(
            @JsonUnwrapped ModelAnswer.Incentive incentive,

            @Meaning("By how much its moves raise the target, on average.")
            double meanImprovement) {
        public static Incentive of(World.Incentive one, double improvement) {
            return new Incentive(ModelAnswer.Incentive.of(one), improvement);
        }
    }

    /** Averages over a set of people, and how many of them a limit stops. */
    public record Averages(
            @Meaning("The number of people.") int people,

            @Meaning("The mean prediction before they move.")
            double meanPrediction,

            @Meaning("The mean wish.") double meanWish,

            @Meaning("The mean prediction after they have moved; the expected value if some are truthful.")
            double meanAfterResponse,

            @Meaning("The mean cost of their moves; expected, where some are truthful.")
            double meanCost,

            @JsonUnwrapped @Nullable Scores scores,

            @Meaning("The number of people who end outside the range of the data that the rule was learned from.")
            long peopleOutOfRange,

            @JsonUnwrapped @Nullable Limited limited) {}

    /** Averages in log-odds, and how many people are predicted a yes. */
    public record Scores(
            @Meaning("The mean score before they move, in log-odds. Only with logistic loss.")
            double meanScore,

            @Meaning("The mean score after they have moved, in log-odds. Only with logistic loss.")
            double meanAfterScore,

            @Meaning("The number of people predicted a yes before they move. Only with logistic loss.")
            long predictedYesBefore,

            @Meaning("The number of people predicted a yes after they have moved. Only with logistic loss.")
            long predictedYesAfter,

            @Meaning("The number of people predicted a yes only after moving. Only with logistic loss.")
            long predictedYesOnlyAfterMoving,

            @Meaning("The number of people predicted a yes only before moving. Only with logistic loss.")
            long predictedYesOnlyBeforeMoving) {}

    /** How many people limits hold back. */
    public record Limited(
            @Meaning(
                    "The number of people that a limit stops with at least one feature. Only where limits are declared.")
            long peopleStopped,

            @Meaning(
                    "The number of people who want another score but cannot move at all. Only where limits are declared.")
            long peopleStuck) {}

    /** Averages over people who respond alike. */
    public record OfPopulation(
            @JsonUnwrapped PopulationAnswer.Group population,

            @JsonUnwrapped Averages averages) {}

    /** Averages over a group. */
    public record Group(
            @Meaning("The group.") String group,
            @JsonUnwrapped Averages averages) {}

    /** How people move one feature. */
    public record Feature(
            @Meaning("The feature.") String feature,

            @Meaning("The mean size of its moves, in raw units.")
            double meanMove,

            @Meaning("The same in scaled units.") double meanScaledMove,
            @Meaning("The largest move, in raw units.") double largestMove,

            @Meaning("The number of people who leave the range of the data that the rule was learned from.")
            int leaveRange,

            @Meaning("The number of people whose value turns negative though none was.")
            int turnNegative,

            @Meaning("The number of people that a limit stops; only where limits are declared.")
            @JsonInclude(NON_NULL)
            @Nullable
            Integer stopped) {
        public static Feature of(FeatureMoves moves, boolean limited) {
            return new Feature(
                    moves.name(),
                    moves.meanMove(),
                    moves.meanScaled(),
                    moves.largest(),
                    moves.leaveRange(),
                    moves.turnNegative(),
                    limited ? moves.stopped() : null);
        }
    }

    /** The response of one person. */
    public record Person(
            @JsonUnwrapped @Nullable PersonId id,

            @Meaning("The number of the row in the data, from 1.")
            long row,

            @Meaning("The prediction before the move.") double prediction,
            @Meaning("The wish.") double wish,

            @Meaning("The prediction after the move; expected, where some people are truthful.")
            double afterResponse,

            @JsonUnwrapped @Nullable Score scores,

            @Meaning("What the moves cost; expected, where some people are truthful.")
            double cost,

            @JsonUnwrapped @Nullable IfMoving ifMoving,

            @Meaning("The moves in raw units by feature, the largest in scaled units first.")
            Map<String, Double> moves,

            @Meaning("The features that a limit stops; only where limits are declared.")
            @JsonInclude(NON_NULL)
            @Nullable
            List<String> stopped,

            @Meaning("Whether this person wants another score but cannot move at all; only where limits are declared.")
            @JsonInclude(NON_NULL)
            @Nullable
            Boolean stuck) {}

    /** One person's score. */
    public record Score(
            @Meaning("The score before the move, in log-odds. Only with logistic loss.")
            double score,

            @Meaning("The score after the move, in log-odds. Only with logistic loss.")
            double afterScore,

            @Meaning("Whether a yes is predicted before the move. Only with logistic loss.")
            boolean predictedYes,

            @Meaning("Whether a yes is predicted after the move. Only with logistic loss.")
            boolean predictedYesAfter) {}

    /** The response of one person if that person is not truthful. */
    public record IfMoving(
            @Meaning("The prediction after the move. Only with a truthful share.")
            double afterIfMoving,

            @Meaning("What the moves cost. Only with a truthful share.")
            double costIfMoving) {}
}
