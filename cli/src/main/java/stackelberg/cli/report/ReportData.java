package stackelberg.cli.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import stackelberg.cli.text.ErrorWords;
import stackelberg.game.Response;
import stackelberg.model.response.YesOrNo;

/**
 * Everything the page knows, as it stands in the file: aggregates, so that the size does not depend on the number of people.
 *
 * <p>Errors are root mean squares, or means of the game's own loss where that is not squared. What does not apply is null, and so is a number that is not finite.
 */
public record ReportData(
        Heading heading, Game game, Crowd people, Outside outside, Path path, Judged judged, Hood hood) {
    /**
     * How far people can go; null where moves know no bounds.
     *
     * @param words as they were declared
     * @param held how many people limits hold back, if they move: those who are stopped and those who are stuck
     * @param stopped how many people a limit stops with at least one feature, if they move
     * @param stuck how many stay as they are, although they wish otherwise
     */
    record Limits(List<String> words, int held, int stopped, int stuck) {}

    /** What was asked and what came out, in words. */
    record Heading(String kind, String title, String asked, List<String> answer, Seal seal, List<String> warnings) {}

    /**
     * Whether the selected rule is proven to be the best, in words.
     *
     * @param exact the figures of the proof
     * @param among where the proof is about some rules only, which
     */
    record Seal(boolean certified, String headline, String text, String exact, String among) {
        /** Of all rules. */
        Seal(boolean certified, String headline, String text, String exact) {
            this(certified, headline, text, exact, "");
        }
    }

    /**
     * The game that the selected rule is for.
     *
     * @param gamma what the rule thinks moving costs
     * @param worldGamma what moving costs in the world, where that is known and not what the rule thinks
     * @param mixture how people differ, where the rule is for people who do
     * @param worlds what happens if moving is easier or harder; null where one gamma makes a closed form of it
     * @param limits how far people can go; null where moves know no bounds
     * @param real whether moves really change the target
     */
    record Game(
            String target,
            double gamma,
            Double worldGamma,
            Mixture mixture,
            Worlds worlds,
            Limits limits,
            boolean real) {}

    /**
     * What an error costs, where it is not its square: then no sums tell what a rule loses in any world, and the page knows some.
     *
     * @param words the loss as it was declared
     * @param name what the mean of it is called
     * @param logistic whether scores are log-odds, which the page tells as probabilities
     * @param worlds their gammas, ascending
     */
    record Lost(String words, String name, boolean logistic, double[] worlds) {}

    /**
     * A gamma that is known roughly.
     *
     * @param nominal the gamma in the middle, which somebody who does not ask would have taken
     * @param losses those of the best rule at that gamma; null where there is none
     */
    record Between(double low, double high, double nominal, Losses losses) {}

    /**
     * People who differ in their response. If all who move have one gamma, the loss in any world is the truthful share of what it is if nobody
     * moves and the rest of what it is if everybody does; if not, there is no closed form.
     *
     * @param rowGamma the column with everybody's own gamma that the rule was made for; null if all who move have one
     * @param pullThrough the part of the way that people are expected to get on average
     * @param naive the root mean squared error of least squares once people have moved
     * @param moved the same of the rule
     * @param meanWay weighted mean of t_i |z_i - p_i| if everybody moves: on average they move column j by meanWay * moves[j]
     */
    record Mixture(
            String rowGamma,
            double truthfulShare,
            double pullThrough,
            double naive,
            double moved,
            double meanWay,
            List<PopulationRow> populations) {}

    /**
     * What the rule does if everybody's gamma is multiplied by a factor; entry by entry as in {@link Mixture}.
     *
     * @param own whether everybody has its own gamma; if not, the factors are the gammas of all who move
     * @param naive null where least squares is not known
     * @param asked what people answer who were asked one by one; null where it is the closed form
     */
    record Worlds(
            boolean own,
            double[] factors,
            double[] pullThrough,
            double[] meanWay,
            double[] moved,
            double[] naive,
            Asked asked) {}

    /**
     * What people answer in every world.
     *
     * @param after what the sampled people are predicted after the move, if they move
     * @param moves mean size of the moves of every feature, in scaled units
     */
    record Asked(double[][] after, double[][] moves) {}

    /** Means over those who respond alike. */
    record PopulationRow(String population, double meanWish, double meanBefore, double meanAfter, double meanCost) {}

    /**
     * The people the page is about.
     *
     * @param fittedRows how many people the rule was fitted to, on a page about others
     * @param weight the sum of the weights: RMSE = sqrt(loss/weight)
     * @param wishLoss D = sum_i s_i (l(z_i, y_i) + sigma^2), what it costs to let everybody have its wish
     * @param furthest those who move furthest under the selected rule
     */
    record Crowd(
            int rows,
            Long fittedRows,
            double weight,
            double wishLoss,
            Sample sample,
            List<Mover> furthest,
            GroupTable groups) {}

    /**
     * Some of the people, always the same ones.
     *
     * @param gamma everybody's own, null within it for those who never move; null where all have one
     */
    record Sample(
            int count, int sampled, List<String> label, double[] y, double[] z, List<String> group, double[] gamma) {}

    /**
     * Somebody who moves far, unless it is truthful.
     *
     * @param distance how far, in scaled units
     * @param moves the largest, and some that lead outside
     */
    record Mover(String label, double y, double wish, double before, double after, double distance, List<Move> moves) {}

    /**
     * Moves that lead where nobody in training was.
     *
     * @param people how many people have one if they move; null where they are too many to look at
     * @param furthest how many moves of each who moves furthest
     */
    record Outside(Integer people, int[] furthest) {}

    /** From one value of a column to another, in the units of the data; the doubt is null if nothing speaks against it. */
    record Move(String feature, double from, double to, Doubt doubt) {}

    /**
     * Why somebody may be unable to make a move.
     *
     * @param kind {@link Doubts#OUTSIDE}, {@link Doubts#BETWEEN} or {@link Doubts#LIMIT}
     */
    record Doubt(String kind, String words) {}

    /** @param figures how right rules are and who moves, with intervals; null where nobody asked */
    record GroupTable(String column, List<GroupRow> rows, GroupFigures figures) {}

    /**
     * What rules do to groups.
     *
     * @param error what errors are called
     * @param score what people move
     * @param threshold whose score moves by more is said to move
     * @param sentences what the words mean
     */
    record GroupFigures(
            String error,
            String score,
            double threshold,
            List<String> rules,
            List<GroupFigureRow> rows,
            List<String> sentences) {}

    /**
     * What the rules do to a group.
     *
     * @param few whether its people are too few to trust the intervals
     */
    record GroupFigureRow(String group, int people, boolean few, List<RuleFigures> rules) {}

    /**
     * Value, lower and upper end of everything; the ends are null where there are none.
     *
     * @param error if nobody moves, and after the move
     * @param bias the same
     */
    record RuleFigures(
            double[][] error, double[][] bias, double[] cost, double[] distance, double[] moving, double[] move) {}

    /** Means over a group, where some are truthful expected ones. */
    record GroupRow(
            String group, int people, double meanDistance, double meanBefore, double meanAfter, double meanTruth) {}

    /**
     * The rules.
     *
     * @param features the encoded columns, in the order of coefficients and moves
     * @param selected the index of the selected rule among the points
     * @param noRule why there is no rule, where the selected one is not finite
     * @param loss what an error costs; null where it is its square
     * @param between the gammas that the rule was made for, where gamma is known roughly; null where it is known
     */
    record Path(
            List<FeatureEntry> features,
            List<Point> points,
            int selected,
            LeastSquares leastSquares,
            NoRule noRule,
            Lost loss,
            Between between) {}

    /**
     * One encoded column.
     *
     * @param cost of moving it by a scaled unit, relative to gamma; null if nobody can
     * @param scale how many units of the data a scaled unit is
     * @param effect what a move by one unit of the data really does to the target; null where moves do nothing to it, or nobody can move
     */
    record FeatureEntry(String name, boolean immutable, Double cost, double scale, Double effect) {}

    /**
     * The rule of those who think that nobody moves.
     *
     * @param name what the page calls it
     * @param honest its error if nobody moves: what one would report
     */
    record LeastSquares(String name, double honest, Losses losses) {}

    /**
     * The rule of one gamma; without a finite equilibrium there is no rule, and nobody to react to it.
     *
     * @param expected the error that the rule expects of those it was fitted to; null where the sum of their weights is not known
     */
    record Point(
            double gamma,
            double pullThrough,
            Double expected,
            Optimum optimum,
            Rule rule,
            Losses losses,
            Reaction reaction) {}

    /** How good the rule of one gamma is. */
    record Optimum(double objective, double gapBound, boolean certified, boolean finite) {}

    /** In the units of the data. */
    record Rule(double intercept, double[] coefficients) {}

    /**
     * What people do about a rule.
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
     * @param earned beta'C^{-1}w, of which earned/(stretch + G) of the gap is closed by the truth; 0 where moves do nothing to it
     * @param a sum_i s_i l(p_i, y_i)
     * @param e sum_i s_i (p_i - y_i)(z_i - y_i)
     * @param moved mean loss in the worlds of {@link Lost}; null where the loss is squared
     */
    record Losses(
            double stretch,
            double earned,
            @JsonProperty("A") double a,
            @JsonProperty("E") double e,
            double[] moved) {
        /** Of squared loss. */
        Losses(double stretch, double earned, double a, double e) {
            this(stretch, earned, a, e, null);
        }

        /** The loss in a world where moving costs gamma. */
        double in(double gamma, double wishLoss) {
            Response response = Response.of(stretch, earned, gamma);
            return Response.loss(response.kept(), response.gamed(), a, e, wishLoss);
        }
    }

    /**
     * How well the selected rule and today's tell a yes from a no, before and after the move.
     *
     * @param event what is predicted, "deny = yes"
     * @param worlds the gammas of the worlds that it is known in; one where people are many
     * @param today null where today's rule is not known, as the next but one
     * @param moved in every world
     */
    record Answers(
            double cutoff,
            String event,
            double[] worlds,
            Told honest,
            Told today,
            List<Told> moved,
            List<Told> todayMoved) {}

    /**
     * Of the scores of a rule, by weight.
     *
     * @param measures by the names that they have in the JSON of {@code fit}
     * @param calibration tenths of the people by their probability
     * @param shares of people whose probability is in each of as many equal parts of 0 to 1
     */
    record Told(Map<String, Double> measures, List<YesOrNo.Group> calibration, double[] shares) {}

    /**
     * What is known where believing everybody is as good as any rule; 0 is what rounding cannot tell from it.
     *
     * @param shift mean of z_i - y_i
     * @param shiftSpread standard deviation of z_i - y_i; 0 if everybody wishes for the truth plus the same
     * @param spread standard deviation of the truth
     * @param limit the root mean squared error that ever larger rules approach
     */
    record NoRule(double shift, double shiftSpread, double spread, double limit, double wishNoise, String intercept) {}

    /**
     * What people say of the rules who were not learned from.
     *
     * @param tuning a {@link Curve} or a {@link Regret}
     * @param frontier the best rules for ever more truthful people; null where they were not looked for
     * @param whatIf what the rule loses if the game is not quite the declared one; null where nobody asked
     * @param sure how much it would differ with other people; null where nobody asked
     * @param comparedAnswers how well each rule of the comparison tells a yes from a no; null where the loss is not logistic
     * @param answers the same of the selected rule and today's, among the people of the page
     */
    record Judged(
            Object tuning,
            List<Rival> comparison,
            List<FrontierPoint> frontier,
            WhatIfTable whatIf,
            SureTable sure,
            List<List<Measured>> comparedAnswers,
            Answers answers) {}

    /** Standard errors, none where the sentences say why. */
    record SureTable(List<ErrorWords.Row> rows, List<String> sentences) {}

    /**
     * What the rule and today's lose if the game is not quite the declared one.
     *
     * @param on who they were judged on
     * @param unit of the errors
     * @param sentences what is meant, and what hurts most
     */
    record WhatIfTable(String on, String unit, List<WhatIfRow> rows, List<String> sentences) {}

    /** Errors once people have moved. */
    record WhatIfRow(String world, double rule, double today) {}

    /**
     * The best rule for people of whom a share is truthful.
     *
     * @param honest its root mean squared error if nobody moves
     * @param moved the same once everybody has moved
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
     * The errors of a rule on people it was not learned from.
     *
     * @param earned the share of the gap that the truth closes; null where moves do nothing to it
     */
    record Rival(
            String name,
            double honest,
            double attacked,
            List<Double> honestInterval,
            List<Double> attackedInterval,
            double pullThrough,
            Double earned) {}

    /** A measure of a rule before and after the move, with intervals. */
    record Measured(
            String name, double honest, double moved, List<Double> honestInterval, List<Double> movedInterval) {}

    /**
     * How the answer came about.
     *
     * @param options name and value
     */
    record Hood(Solver solver, Proof certificate, List<List<String>> options, Made made) {}

    /** What was made when from what. */
    record Made(String command, String version, String java, String data, String when) {}

    /** How the selected rule was found. */
    record Solver(
            String name, String note, String status, int iterations, int passes, Seconds seconds, List<Step> trace) {}

    record Seconds(double read, double assemble, double solve, double certify, double recover) {}

    /**
     * An iteration of the solver.
     *
     * @param gap how far its loss is from the certified one
     */
    record Step(int iteration, double objective, double gap) {}

    /** The certificate of the selected rule. */
    record Proof(
            String proof, double multiplier, double gapBound, double relativeGap, double tolerance, boolean unique) {}
}
