package stackelberg.cli.report;

import java.util.stream.IntStream;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;

/**
 * What a rule does to people who each have their own gamma, if moving were some times as hard for all of them.
 *
 * <p>There is no closed form: the loss is a sum of as many quadratics as there are gammas. So it is computed for a grid of factors, from rows
 * that the page does not have.
 */
final class OwnGammas {
    /** Ten factors per decade, three decades either way; the one in the middle is 1. */
    private static final int FACTORS = 61;

    private static final double DECADES = 3;

    private OwnGammas() {}

    /**
     * The worlds of a finite rule.
     *
     * @param p what it predicts everybody
     * @param naive least squares, may be null
     * @param naiveP what that predicts everybody
     * @param applied whether everybody counts once, as in {@code respond}, or by weight, as where the rule was fitted
     */
    static ReportData.Worlds of(
            StackelbergModel model,
            Sample people,
            Population population,
            double[] p,
            PublishedRule naive,
            double[] naiveP,
            boolean applied) {
        double[] factors = IntStream.range(0, FACTORS)
                .mapToDouble(k -> Math.pow(10, DECADES * (2.0 * k / (FACTORS - 1) - 1)))
                .toArray();
        double[] pullThrough = new double[FACTORS];
        double[] meanWay = new double[FACTORS];
        double[] moved = new double[FACTORS];
        double[] attacked = new double[FACTORS];
        for (int k = 0; k < FACTORS; k++) {
            Population those = population.times(factors[k]);
            Movements moves = new Movements(model, people, p, those);
            pullThrough[k] = applied ? moves.pullThrough() : moves.weightedPullThrough();
            meanWay[k] = moves.meanWay();
            moved[k] = rmse(model, model.rule(), people, those, p);
            attacked[k] = naive == null ? Double.NaN : rmse(model, naive, people, those, naiveP);
        }
        return new ReportData.Worlds(factors, pullThrough, meanWay, moved, naive == null ? null : attacked);
    }

    private static double rmse(
            StackelbergModel model, PublishedRule rule, Sample people, Population population, double[] p) {
        if (people.y() == null) {
            return Double.NaN;
        }
        Followers followers = Followers.of(population, p, people.z()).withTruth(people.y(), people.weights());
        return RuleEvaluation.of(model.world(), rule, followers).moved().rmse();
    }
}
