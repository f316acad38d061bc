package stackelberg.cli.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import stackelberg.game.Response;

/**
 * Everything the page knows, as it stands in the file: aggregates, so that the size does not depend on the number of people.
 *
 * <p>What does not apply is null, and so is a number that is not finite.
 *
 * @param weight the sum of the weights: RMSE = sqrt(loss/weight)
 * @param gamma what the selected rule thinks moving costs
 * @param fittedRows how many people the rule was fitted to, on a page about others
 * @param mixture how people differ, where the rule is for people who do
 * @param selected the index of the selected rule among the points of the path
 * @param worldGamma what moving costs in the world, where that is known and not what the rule thinks
 * @param wishLoss D = sum_i s_i ((z_i - y_i)^2 + sigma^2), what it costs to let everybody have its wish
 * @param features the encoded columns, in the order of coefficients and moves
 * @param naive least squares
 * @param noRule why there is no rule, where the selected one is not finite
 * @param furthest those who move furthest under the selected rule
 * @param tuning a {@link Curve} or a {@link Regret}
 * @param options name and value
 */
public record ReportData(
        String kind,
        String title,
        String command,
        Made made,
        String asked,
        List<String> answer,
        Seal seal,
        String target,
        int rows,
        double weight,
        double gamma,
        Long fittedRows,
        Mixture mixture,
        int selected,
        Double worldGamma,
        double wishLoss,
        List<FeatureEntry> features,
        Honest honest,
        Losses naive,
        NoRule noRule,
        Path path,
        Sample people,
        List<Mover> furthest,
        GroupTable groups,
        Object tuning,
        Rules comparison,
        Solver solver,
        Proof certificate,
        List<List<String>> options,
        List<String> warnings) {
    /** What was made when from what. */
    public record Made(String version, String java, String data, String when) {}

    /** Whether the selected rule is proven to be the best, in words. */
    public record Seal(boolean certified, String headline, String text) {}

    /**
     * One encoded column.
     *
     * @param cost of moving it by a scaled unit, relative to gamma; null if nobody can
     * @param scale how many units of the data a scaled unit is
     */
    public record FeatureEntry(String name, boolean immutable, Double cost, double scale) {}

    /** Least squares if nobody moves: the error one would report. */
    public record Honest(Double rmse) {}

    /**
     * The loss of a rule in any world: with t = stretch/(stretch + G) it is (1 - t)^2 A + 2t(1 - t) E + t^2 D when moving costs G.
     *
     * @param stretch omega = w'C^{-1}w in scaled units
     * @param a sum_i s_i (p_i - y_i)^2
     * @param e sum_i s_i (p_i - y_i)(z_i - y_i)
     */
    public record Losses(
            double stretch,
            @JsonProperty("A") double a,
            @JsonProperty("E") double e) {
        /** The loss in a world where moving costs gamma. */
        double in(double gamma, double wishLoss) {
            Response response = Response.of(stretch, gamma);
            return Response.loss(response.remainder(), response.pullThrough(), a, e, wishLoss);
        }
    }

    /**
     * What is known where believing everybody is as good as any rule; 0 is what rounding cannot tell from it.
     *
     * @param shift mean of z_i - y_i
     * @param shiftSpread standard deviation of z_i - y_i; 0 if everybody wishes for the truth plus the same
     * @param spread standard deviation of the truth
     * @param limit the root mean squared error that ever larger rules approach
     */
    public record NoRule(
            double shift, double shiftSpread, double spread, double limit, double wishNoise, String intercept) {}

    public record Path(List<Point> points) {}

    /**
     * The rule of one gamma.
     *
     * @param expected the root mean squared error that the rule expects of those it was fitted to; null where the sum of their weights is not known
     * @param coefficients in the units of the data; null without a finite equilibrium, as the intercept
     * @param meanWish weighted mean of |z_i - p_i|
     * @param moves |w_j/c_j|/omega in scaled units: on average people move column j by t * meanWish * moves[j]
     * @param people the predictions of the sampled people
     */
    public record Point(
            double gamma,
            double objective,
            Double expected,
            double gapBound,
            double relativeGap,
            boolean certified,
            boolean finite,
            double pullThrough,
            Double intercept,
            double[] coefficients,
            @JsonUnwrapped Losses losses,
            double meanWish,
            double[] moves,
            double[] people) {}

    /**
     * People who differ in their response, for whom there is no closed form of one gamma.
     *
     * @param rowGamma the column with everybody's own gamma that the rule was made for; null if all who move have one
     * @param pullThrough the part of the way that people are expected to get on average
     * @param naive the root mean squared error of least squares once people have moved
     * @param moved the same of the rule
     * @param meanWay weighted mean of t_i |z_i - p_i| if everybody moves: on average they move column j by meanWay * moves[j]
     */
    public record Mixture(
            String rowGamma,
            double truthfulShare,
            double pullThrough,
            double naive,
            double moved,
            double meanWay,
            List<PopulationRow> populations) {}

    /** Means over those who respond alike. */
    public record PopulationRow(
            String population, double meanWish, double meanBefore, double meanAfter, double meanCost) {}

    /** Some of the people, always the same ones. */
    public record Sample(int count, int sampled, List<String> label, double[] y, double[] z, List<String> group) {}

    /**
     * Somebody who moves far, unless it is truthful.
     *
     * @param distance how far, in scaled units
     */
    public record Mover(
            String label, double y, double wish, double before, double after, double distance, List<Move> moves) {}

    /** From one value of a column to another, in the units of the data. */
    public record Move(String feature, double from, double to) {}

    public record GroupTable(String column, List<GroupRow> rows) {}

    /** Means over a group, where some are truthful expected ones. */
    public record GroupRow(
            String group, int people, double meanDistance, double meanBefore, double meanAfter, double meanTruth) {}

    /** The held-out loss of every gamma in a world whose gamma is known. */
    public record Curve(
            String kind,
            double worldGamma,
            double[] gammas,
            double[] mean,
            double[] standardError,
            int minimum,
            int oneStandardError) {}

    /** The held-out loss and regret of every gamma in every world. */
    public record Regret(
            String kind,
            double[] modelGammas,
            double[] worldGammas,
            double[][] loss,
            double[][] regret,
            int chosen,
            double[] worstRegret) {}

    public record Rules(List<Rule> rules) {}

    /** Root mean squared errors on people a rule was not learned from. */
    public record Rule(
            String name,
            double honest,
            double attacked,
            List<Double> honestInterval,
            List<Double> attackedInterval,
            double pullThrough) {}

    /** How the selected rule was found. */
    public record Solver(
            String name, String note, String status, int iterations, int passes, Seconds seconds, List<Step> trace) {}

    public record Seconds(double read, double assemble, double solve, double certify, double recover) {}

    /**
     * An iteration of the solver.
     *
     * @param gap how far its loss is from the certified one
     */
    public record Step(int iteration, double objective, double gap) {}

    /** The certificate of the selected rule. */
    public record Proof(
            String proof, double multiplier, double gapBound, double relativeGap, double tolerance, boolean unique) {}
}
