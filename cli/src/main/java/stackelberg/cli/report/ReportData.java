package stackelberg.cli.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.game.Response;
import stackelberg.model.response.YesOrNo;

/**
 * The data of the page. They are aggregates, so that the size of the page does not depend on the number of people.
 *
 * <p>Errors are root mean squares, or means of the game's own loss where that is not squared. Parts that do not apply are absent, and so, in the page's
 * JSON, are numbers that are not finite.
 */
public record ReportData(
        Heading heading, Game game, Crowd people, @Nullable Outside outside, Path path, Judged judged, Hood hood) {
    /**
     * The limits on moves.
     *
     * @param words as they were declared
     * @param held how many people limits hold back, if they move: those who are stopped and those who are stuck
     * @param stopped how many people a limit stops in at least one feature, if they move
     * @param stuck how many people want another score but cannot move at all
     */
    record Limits(List<String> words, int held, int stopped, int stuck) {}

    /** The question and the answer, in words. */
    record Heading(
            String kind,
            String title,
            String asked,
            List<String> answer,
            Seal seal,
            List<String> warnings,
            PageWords words) {}

    /**
     * Whether the selected rule is proven to be the best, in words.
     *
     * @param exact the figures of the proof
     * @param among the set of rules that the proof covers; absent if it covers all
     */
    record Seal(boolean certified, String headline, String text, String exact, String among) {
        /** Creates a seal whose proof covers all rules. */
        Seal(boolean certified, String headline, String text, String exact) {
            this(certified, headline, text, exact, "");
        }
    }

    /**
     * The game that the selected rule is for.
     *
     * @param gamma the rule's gamma
     * @param worldGamma the world's gamma, if it is known and differs from the rule's
     * @param mixture how people differ, where the rule is for people who do
     * @param worlds losses and moves if moving is easier or harder; absent if they follow from a closed form
     * @param limits the limits on moves, if there are any
     * @param real whether moves really change the target
     */
    record Game(
            String target,
            double gamma,
            @Nullable Double worldGamma,
            @Nullable Mixture mixture,
            @Nullable Worlds worlds,
            @Nullable Limits limits,
            boolean real) {}

    /**
     * A loss other than squared loss. Its values at other world gammas do not follow from sums, so the page has them for a list of gammas.
     *
     * @param words the loss as it was declared
     * @param name the name of its mean
     * @param logistic whether scores are log-odds, which the page shows as probabilities
     * @param worlds their gammas, ascending
     */
    record Lost(String words, String name, boolean logistic, double[] worlds) {}

    /**
     * An interval in which gamma lies.
     *
     * @param nominal the gamma in the middle of the interval
     * @param losses those of the best rule at that gamma, where there is one
     */
    record Between(
            double low,
            double high,
            double nominal,
            @Nullable Losses losses) {}

    /**
     * A mixed population. If all who move have the same gamma, the loss in any world is S times the loss if nobody moves plus 1 - S times the loss if all move, S the truthful share; otherwise there is no closed form.
     *
     * @param rowGamma the column with each person's gamma; absent if all who move have the same gamma
     * @param pullThrough the share of the gap that people are expected to close on average
     * @param naive the root mean squared error of least squares once people have moved
     * @param moved the root mean squared error of the rule once people have moved
     * @param meanWay weighted mean of t_i |z_i - p_i| if all people move: on average they move column j by meanWay * moves[j]
     */
    record Mixture(
            @Nullable String rowGamma,
            double truthfulShare,
            double pullThrough,
            double naive,
            double moved,
            double meanWay,
            @Nullable List<PopulationRow> populations) {}

    /**
     * Losses and moves if each person's gamma is multiplied by a factor; one entry per factor, as in {@link Mixture}.
     *
     * @param own whether each person has a gamma of their own; if not, the factors are the gammas of all who move
     * @param naive the losses and moves under least squares, where that rule is known
     * @param asked the responses, if they were computed person by person; absent if the closed form holds
     */
    record Worlds(
            boolean own,
            double[] factors,
            double[] pullThrough,
            double[] meanWay,
            double[] moved,
            double @Nullable [] naive,
            @Nullable Asked asked) {}

    /**
     * The responses of people for every factor.
     *
     * @param after the predictions for the sampled people after the move, if they move
     * @param moves mean size of the moves of every feature, in scaled units
     */
    record Asked(double[][] after, double[][] moves) {}

    /** Means over one population, whose people respond alike. */
    record PopulationRow(String population, double meanWish, double meanBefore, double meanAfter, double meanCost) {}

    /**
     * The people that the page is about.
     *
     * @param fittedRows how many people the rule was fitted to, on a page about others
     * @param weight the sum of the weights: RMSE = sqrt(loss/weight)
     * @param wishLoss D = sum_i s_i (l(z_i, y_i) + sigma^2), the loss if every prediction equals the wish
     * @param furthest those who move furthest under the selected rule
     */
    record Crowd(
            int rows,
            @Nullable Long fittedRows,
            double weight,
            double wishLoss,
            Sample sample,
            @Nullable List<Mover> furthest,
            @Nullable GroupTable groups) {}

    /**
     * The people whom the page shows one by one; the same choice for the same number of people.
     *
     * @param gamma one per person, infinite for those who never move; absent if all have the same
     */
    record Sample(
            int count,
            int sampled,
            List<String> label,
            double @Nullable [] y,
            double[] z,
            @Nullable List<String> group,
            double @Nullable [] gamma) {}

    /**
     * One of the people who move furthest; a truthful person does not move at all.
     *
     * @param distance how far, in scaled units
     * @param moves the largest, and some that lead outside
     */
    record Mover(String label, double y, double wish, double before, double after, double distance, List<Move> moves) {}

    /**
     * Moves that leave the range seen in training.
     *
     * @param people how many people make such a move, if they move; absent if there are too many values to check
     * @param furthest the number of such moves for each of the people who move furthest
     */
    record Outside(@Nullable Integer people, int[] furthest) {}

    /** A move of a column from one value to another, in the units of the data; the doubt is absent if the move is possible. */
    record Move(
            String feature,
            double from,
            double to,
            @Nullable Doubt doubt) {}

    /**
     * Why a move may be impossible.
     *
     * @param kind {@link Doubts#OUTSIDE}, {@link Doubts#BETWEEN} or {@link Doubts#LIMIT}
     */
    record Doubt(String kind, String words) {}

    /** Groups by the values of a column. */
    record GroupTable(String column, List<GroupRow> rows) {}

    /** Means over a group; expected values if some people are truthful. */
    record GroupRow(
            String group, int people, double meanDistance, double meanBefore, double meanAfter, double meanTruth) {}

    /**
     * The rules.
     *
     * @param features the encoded columns, in the order of coefficients and moves
     * @param selected the index of the selected rule among the points
     * @param loss the loss; absent if it is squared
     * @param between the interval of gamma that the rule was fitted for, if gamma is not one number
     */
    record Path(
            List<FeatureEntry> features,
            List<Point> points,
            int selected,
            @Nullable LeastSquares leastSquares,
            @Nullable Lost loss,
            @Nullable Between between) {}

    /**
     * One encoded column.
     *
     * @param cost the cost of a move by one scaled unit, relative to gamma; absent if the column is immutable
     * @param scale how many units of the data a scaled unit is
     * @param effect the real change of the target for a move by one unit of the data; absent without effects, or if the column is immutable
     */
    record FeatureEntry(
            String name,
            boolean immutable,
            @Nullable Double cost,
            double scale,
            @Nullable Double effect) {}

    /**
     * The baseline: the rule that assumes that nobody moves.
     *
     * @param name its name on the page
     * @param honest its error if nobody moves, which is what one would report without this model
     */
    record LeastSquares(String name, double honest, Losses losses) {}

    /**
     * The rule of one gamma; without a finite equilibrium there is no rule and no response.
     *
     * @param expected the rule's error, after the move, on the people it was fitted to; absent if the sum of their weights is not known
     */
    record Point(
            double gamma,
            double pullThrough,
            @Nullable Double expected,
            Optimum optimum,
            @Nullable Rule rule,
            @Nullable Losses losses,
            @Nullable Reaction reaction) {}

    /** The loss and certificate of the rule for one gamma. */
    record Optimum(double objective, double gapBound, boolean certified, boolean finite) {}

    /** A rule in the units of the data. */
    record Rule(double intercept, double[] coefficients) {}

    /**
     * The responses of people to a rule.
     *
     * @param meanWish weighted mean of |z_i - p_i|
     * @param meanGap weighted mean of z_i - p_i
     * @param moves |w_j/c_j|/omega in scaled units: on average people move column j by t * meanWish * moves[j]
     * @param predictions of the sampled people, before they move
     */
    record Reaction(double meanWish, double meanGap, double[] moves, double[] predictions) {}

    /**
     * The squared loss of a rule in any world: with tau = (stretch - earned)/(stretch + G) it is (1 - tau)^2 A + 2tau(1 - tau) E + tau^2 D when moving costs G.
     *
     * @param stretch omega = w'C^{-1}w in scaled units
     * @param earned beta'C^{-1}w, so that the target itself closes earned/(stretch + G) of the gap; 0 where moves do not change the target
     * @param a sum_i s_i l(p_i, y_i)
     * @param e sum_i s_i (p_i - y_i)(z_i - y_i)
     * @param moved mean loss in the worlds of {@link Lost}; absent for squared loss
     */
    record Losses(
            double stretch,
            double earned,
            @JsonProperty("A") double a,
            @JsonProperty("E") double e,
            double @Nullable [] moved) {
        /** Creates the losses of a rule under squared loss. */
        Losses(double stretch, double earned, double a, double e) {
            this(stretch, earned, a, e, null);
        }

        /** The mean loss in one of the worlds of {@link Lost}. */
        double inWorld(int world) {
            // computed wherever there are such worlds
            return Objects.requireNonNull(moved)[world];
        }

        /** The loss in a world where moving costs gamma. */
        double in(double gamma, double wishLoss) {
            Response response = Response.of(stretch, earned, gamma);
            return Response.loss(response.remainingError(), response.gamed(), a, e, wishLoss);
        }
    }

    /**
     * How well the selected rule and today's separate yes from no, before and after the move.
     *
     * @param event what is predicted, "deny = yes"
     * @param worlds the world gammas for which the measures are computed; only one if there are many people
     * @param today absent if today's rule is not known, as is todayMoved
     * @param moved in every world
     */
    record Answers(
            double cutoff,
            String event,
            double[] worlds,
            ScoreMeasures honest,
            @Nullable ScoreMeasures today,
            List<ScoreMeasures> moved,
            @Nullable List<ScoreMeasures> todayMoved) {}

    /** A row of the table of measures: its key in {@link ScoreMeasures#measures}, its name, and its explanation. */
    record Measure(String key, String name, String meaning) {}

    /**
     * Weighted measures of the scores of a rule.
     *
     * @param measures by the names that they have in the JSON of {@code fit}
     * @param calibration tenths of the people by their probability
     * @param shares the histogram of probabilities: the share of people in each of equal parts of 0 to 1
     */
    record ScoreMeasures(Map<String, Double> measures, List<YesOrNo.Group> calibration, double[] shares) {}

    /**
     * Evaluations of the rules on people outside of the training sample.
     *
     * @param tuning a {@link Curve} or a {@link Regret}
     * @param frontier the best rules for increasing truthful shares, if they were computed
     * @param answers how well the selected rule and today's separate yes from no, among the people of the page; only for logistic loss
     */
    record Judged(
            @Nullable Object tuning,
            @Nullable List<FrontierPoint> frontier,
            @Nullable Answers answers,
            @Nullable List<Measure> measures) {}

    /**
     * The best rule if this share of the people is truthful.
     *
     * @param honest its root mean squared error if nobody moves
     * @param moved its root mean squared error after people have moved
     */
    record FrontierPoint(double share, double honest, double moved) {}

    /** The held-out loss of every gamma in a world whose gamma is known. */
    record Curve(
            String kind,
            double worldGamma,
            double[] gammas,
            double[] mean,
            double[] standardError,
            int minimum,
            int oneStandardError) {}

    /** The held-out loss and regret of every gamma in every world. */
    record Regret(
            String kind,
            double[] modelGammas,
            double[] worldGammas,
            double[][] loss,
            double[][] regret,
            int chosen,
            double[] worstRegret) {}

    /**
     * How the answer was computed.
     *
     * @param trace the iterations that led to the selected rule, where they are known
     */
    record Hood(@Nullable List<Step> trace, Made made) {}

    /** The program that made the page, the time, and the data. */
    record Made(String command, String version, String java, String data, String when) {}

    /**
     * An iteration of the solver.
     *
     * @param gap how far its loss is from the certified one
     */
    record Step(int iteration, double objective, double gap) {}
}
