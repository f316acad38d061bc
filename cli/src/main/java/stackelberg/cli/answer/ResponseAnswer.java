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

/**
 * What {@code respond --json} prints: which features people move, how far and at what cost.
 *
 * @param gamma the gamma of all people; null if people have their own gammas
 * @param pullThrough the share of the gap to their wish that people close, on average
 * @param populations the averages by population; only where people differ
 * @param features one entry per feature that people can move
 * @param groups the averages by group; empty without --group
 * @param furthest the people who move furthest, in scaled units
 * @param filled for each column with missing values, how many were filled in and with what
 * @param warnings what to check before the answer is used
 */
public record ResponseAnswer(
        double gamma,
        double pullThrough,
        @JsonUnwrapped LossAnswer loss,
        @JsonUnwrapped @Nullable Effects real,
        @JsonUnwrapped PopulationAnswer population,
        @JsonUnwrapped Averages averages,
        @JsonInclude(NON_NULL) @Nullable List<OfPopulation> populations,
        List<Feature> features,
        List<Group> groups,
        List<Person> furthest,
        Map<String, ModelAnswer.Filled> filled,
        List<Message> warnings) {

    /**
     * How much moves really change the target.
     *
     * @param effects for each column, how much a move by one raw unit really changes the target. Only where effects are declared
     * @param earned the share of the gap that the target itself closes; null without people. Only where effects are declared
     * @param gamed the share of the gap that the score closes but the target does not; null without people. Only where effects are declared
     * @param meanImprovement by how much the target really rises, on average. Only where effects are declared
     * @param improving the number of people whose target really moves towards their wish. Only where effects are declared
     * @param incentives the rule's reward for moves, by feature. Only where effects are declared
     */
    public record Effects(
            Map<String, Double> effects,
            double earned,
            double gamed,
            double meanImprovement,
            int improving,
            List<Incentive> incentives) {}

    /**
     * A feature that the rule rewards.
     *
     * @param meanImprovement by how much moves of this feature raise the target, on average
     */
    public record Incentive(@JsonUnwrapped ModelAnswer.Incentive incentive, double meanImprovement) {
        public static Incentive of(World.Incentive one, double improvement) {
            return new Incentive(ModelAnswer.Incentive.of(one), improvement);
        }
    }

    /**
     * Averages over a set of people, and how many of them a limit stops.
     *
     * @param people the number of people
     * @param meanPrediction the mean prediction before they move
     * @param meanWish the mean wish
     * @param meanAfterResponse the mean prediction after they have moved; the expected value if some are truthful
     * @param meanCost the mean cost of their moves; expected, where some are truthful
     * @param peopleOutOfRange the number of people who end outside the range of the data that the rule was learned from
     */
    public record Averages(
            int people,
            double meanPrediction,
            double meanWish,
            double meanAfterResponse,
            double meanCost,
            @JsonUnwrapped @Nullable Scores scores,
            long peopleOutOfRange,
            @JsonUnwrapped @Nullable Limited limited) {}

    /**
     * Averages in log-odds, and how many people are predicted a yes.
     *
     * @param meanScore the mean score before they move, in log-odds. Only with logistic loss
     * @param meanAfterScore the mean score after they have moved, in log-odds. Only with logistic loss
     * @param predictedYesBefore the number of people predicted a yes before they move. Only with logistic loss
     * @param predictedYesAfter the number of people predicted a yes after they have moved. Only with logistic loss
     * @param predictedYesOnlyAfterMoving the number of people predicted a yes only after moving. Only with logistic loss
     * @param predictedYesOnlyBeforeMoving the number of people predicted a yes only before moving. Only with logistic loss
     */
    public record Scores(
            double meanScore,
            double meanAfterScore,
            long predictedYesBefore,
            long predictedYesAfter,
            long predictedYesOnlyAfterMoving,
            long predictedYesOnlyBeforeMoving) {}

    /**
     * How many people limits hold back.
     *
     * @param peopleStopped the number of people that a limit stops in at least one feature. Only where limits are declared
     * @param peopleStuck the number of people who want another score but cannot move at all. Only where limits are declared
     */
    public record Limited(long peopleStopped, long peopleStuck) {}

    /** Averages over people who respond alike. */
    public record OfPopulation(
            @JsonUnwrapped PopulationAnswer.Group population,

            @JsonUnwrapped Averages averages) {}

    /**
     * Averages over a group.
     *
     * @param group the value of the grouping column
     */
    public record Group(String group, @JsonUnwrapped Averages averages) {}

    /**
     * How people move one feature.
     *
     * @param feature the name of the feature
     * @param meanMove the mean size of the moves of this feature, in raw units
     * @param meanScaledMove the mean size of the moves of this feature, in scaled units
     * @param largestMove the largest move, in raw units
     * @param leaveRange the number of people who leave the range of the data that the rule was learned from
     * @param turnNegative the number of people whose value turns negative, if no one in training had a negative value; otherwise 0
     * @param stopped the number of people that a limit stops; only where limits are declared
     */
    public record Feature(
            String feature,
            double meanMove,
            double meanScaledMove,
            double largestMove,
            int leaveRange,
            int turnNegative,
            @JsonInclude(NON_NULL) @Nullable Integer stopped) {
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

    /**
     * The response of one person.
     *
     * @param row the number of the row in the data, from 1
     * @param prediction the prediction before the move
     * @param wish the score that the person wants
     * @param afterResponse the prediction after the move; expected, where some people are truthful
     * @param cost the cost of the moves; expected, where some people are truthful
     * @param moves the moves in raw units by feature, the largest in scaled units first
     * @param stopped the features that a limit stops; only where limits are declared
     * @param stuck whether this person wants another score but cannot move at all; only where limits are declared
     */
    public record Person(
            @JsonUnwrapped @Nullable PersonId id,
            long row,
            double prediction,
            double wish,
            double afterResponse,
            @JsonUnwrapped @Nullable Score scores,
            double cost,
            @JsonUnwrapped @Nullable IfMoving ifMoving,
            Map<String, Double> moves,
            @JsonInclude(NON_NULL) @Nullable List<String> stopped,
            @JsonInclude(NON_NULL) @Nullable Boolean stuck) {}

    /**
     * One person's score.
     *
     * @param score the score before the move, in log-odds. Only with logistic loss
     * @param afterScore the score after the move, in log-odds. Only with logistic loss
     * @param predictedYes whether a yes is predicted before the move. Only with logistic loss
     * @param predictedYesAfter whether a yes is predicted after the move. Only with logistic loss
     */
    public record Score(double score, double afterScore, boolean predictedYes, boolean predictedYesAfter) {}

    /**
     * The response of one person if that person is not truthful.
     *
     * @param afterIfMoving the prediction after the move. Only with a truthful share
     * @param costIfMoving the cost of the moves. Only with a truthful share
     */
    public record IfMoving(double afterIfMoving, double costIfMoving) {}
}
