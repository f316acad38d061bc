package stackelberg.cli.report;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.game.Population;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.response.Followers;
import stackelberg.model.response.RuleEvaluation;

/**
 * The losses and moves under a rule if moving is harder or easier by a common factor, for people with their own gammas or under limits.
 *
 * <p>There is no closed form, because the loss is a sum of as many quadratics as there are gammas. So Java computes it for a grid of factors, from rows
 * that are not on the page.
 */
final class OwnGammas {
    /** Ten factors per decade, three decades either way; the one in the middle is 1. */
    private static final int FACTORS = 61;

    private static final double DECADES = 3;

    /** Two factors per decade, if the responses of many people have to be computed one by one. */
    private static final int FEW_FACTORS = 13;

    private static final long MANY_VALUES = 1_000_000;

    private OwnGammas() {}

    /**
     * A rule and least squares, with which it is compared.
     *
     * @param p the rule's prediction for each person
     * @param naive least squares, if it is known
     * @param naiveP its prediction for each person
     */
    record Rules(double[] p, @Nullable PublishedRule naive, double[] naiveP) {}

    /** The losses and moves under a finite rule, for each factor. */
    static ReportData.Worlds of(
            StackelbergModel model, Sample people, Population population, Rules rules, Shown shown, Workers workers) {
        double[] p = rules.p;
        @Nullable PublishedRule naive = rules.naive;
        boolean limits = !model.game().limits().none();
        boolean many = limits && (long) people.size() * model.terms().size() > MANY_VALUES;
        int count = many ? FEW_FACTORS : FACTORS;
        double[] factors = factors(count);
        double[] pullThrough = new double[count];
        double[] meanWay = new double[count];
        double[] moved = new double[count];
        double[] attacked = new double[count];
        double[][] after = new double[count][];
        double[][] means = new double[count][];
        for (int k = 0; k < count; k++) {
            Population those = population.times(factors[k]);
            Movements moves = new Movements(model, people, p, those, workers);
            pullThrough[k] = shown.applied ? moves.pullThrough() : moves.weightedPullThrough();
            meanWay[k] = moves.meanWay();
            moved[k] = rmse(model, model.rule(), people, those, p, workers);
            attacked[k] = naive == null ? Double.NaN : rmse(model, naive, people, those, rules.naiveP, workers);
            after[k] = limits ? Sampling.sixDigits(moves.after(shown.sample)) : null;
            means[k] = limits ? Sampling.sixDigits(moves.meanMoves(shown.columns)) : null;
        }
        double unit = shown.own ? 1 : population.gamma(0);
        return new ReportData.Worlds(
                shown.own,
                Arrays.stream(factors).map(factor -> factor * unit).toArray(),
                pullThrough,
                meanWay,
                moved,
                naive == null ? null : attacked,
                limits ? new ReportData.Asked(after, means) : null);
    }

    private static double[] factors(int count) {
        return IntStream.range(0, count)
                .mapToDouble(k -> Math.pow(10, DECADES * (2.0 * k / (count - 1) - 1)))
                .toArray();
    }

    /** A grid of gammas around this gamma, which is one of them. */
    static double[] about(double gamma) {
        return Arrays.stream(factors(FACTORS)).map(factor -> factor * gamma).toArray();
    }

    /**
     * What the page shows about people.
     *
     * @param own whether each person has a gamma of their own
     * @param applied whether each person counts once, as in {@code respond}, or by sample weight, as in the fit
     * @param sample the people that it shows one by one
     * @param columns the encoded columns that it shows
     */
    record Shown(boolean own, boolean applied, int[] sample, int[] columns) {}

    private static double rmse(
            StackelbergModel model,
            PublishedRule rule,
            Sample people,
            Population population,
            double[] p,
            Workers workers) {
        if (people.y() == null) {
            return Double.NaN;
        }
        Followers followers = Followers.of(population, p, people.z())
                .withTruth(people.y(), people.weights())
                .with(model.world().features(people.rows()), workers);
        return RuleEvaluation.of(model.world(), rule, followers).moved().rmse();
    }
}
