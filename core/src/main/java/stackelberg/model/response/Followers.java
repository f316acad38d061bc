package stackelberg.model.response;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Workers;

/**
 * The followers of a rule and how they respond: predictions p_i, wishes z_i, truths y_i, sample weights s_i, and a
 * population that gives everyone's gamma.
 */
public final class Followers {
    private final Population population;
    private final double[] predictions;
    private final double[] wishes;
    /** The truth y; null if it is unknown. */
    private final double[] truth;

    /** The sample weights; an array of length 1 stands for equal weights. */
    private final double[] weights;
    /** The features of each row; null if they are unknown. */
    private final Response.Bounded.Features features;

    private final Workers workers;

    /** Computed on first use. */
    private Squares squares;

    /**
     * Weighted sums over the rows of squares and products of u = p - y and d = z - y, the arguments of {@link
     * Response#loss(double, double, double, double, double)}.
     *
     * @param weight sum_i s_i
     */
    record Squares(double weight, double uu, double ud, double dd) {}

    private Followers(
            Population population,
            double[] predictions,
            double[] wishes,
            double[] truth,
            double[] weights,
            Response.Bounded.Features features,
            Workers workers) {
        this.population = population;
        this.predictions = predictions;
        this.wishes = wishes;
        this.truth = truth;
        this.weights = weights;
        this.features = features;
        this.workers = workers;
    }

    /** Returns followers of unknown truth and equal sample weights. */
    public static Followers of(Population population, double[] predictions, double[] wishes) {
        requireAll("The population has", population.size(), predictions.length);
        requireAll("The wishes are those of", wishes.length, predictions.length);
        return new Followers(
                population, predictions.clone(), wishes.clone(), null, new double[] {1}, null, Workers.of(1));
    }

    /** Returns the followers of a game. The arrays are shared, not copied, so the caller must not change them. */
    static Followers sharing(Population population, double[] p, PredictionGame.SharedArrays of) {
        return new Followers(population, p, of.z(), of.y(), of.weights(), null, Workers.of(1));
    }

    /** Returns followers of unknown truth and equal sample weights who all have the same gamma. */
    public static Followers of(double gamma, double[] predictions, double[] wishes) {
        return of(Population.ofOneGamma(predictions.length, gamma, 0), predictions, wishes);
    }

    /** Returns a copy with the truth and the sample weights. */
    public Followers withTruth(double[] y, double[] s) {
        requireAll("The truth is that of", y.length, size());
        requireAll("The weights are those of", s.length, size());
        return new Followers(population, predictions, wishes, y.clone(), s.clone(), features, workers);
    }

    /** Returns a copy with the features of each row, on which the moves depend if limits are declared. */
    public Followers with(Response.Bounded.Features those, Workers threads) {
        return new Followers(population, predictions, wishes, truth, weights, those, threads);
    }

    private static void requireAll(String what, int count, int people) {
        if (count != people) {
            throw new IllegalArgumentException(what + " " + count + " people, the predictions " + people + ".");
        }
    }

    /** Returns the followers of a subset of the rows. */
    Followers of(int[] people) {
        return new Followers(
                population.subset(people),
                pick(predictions, people),
                pick(wishes, people),
                truth == null ? null : pick(truth, people),
                weights.length == 1 ? weights : pick(weights, people),
                features == null ? null : features.of(people),
                workers);
    }

    private static double[] pick(double[] values, int[] people) {
        return Arrays.stream(people).mapToDouble(i -> values[i]).toArray();
    }

    /** Returns the same followers responding as another population would. */
    Followers withPopulation(Population other) {
        Followers same = new Followers(other, predictions, wishes, truth, weights, features, workers);
        same.squares = squares;
        return same;
    }

    /** Returns the sums over the rows; requires the truth. */
    Squares squares() {
        if (squares == null) {
            double weight = 0;
            double uu = 0;
            double ud = 0;
            double dd = 0;
            for (int i = 0; i < predictions.length; i++) {
                double s = weight(i);
                double u = predictions[i] - truth[i];
                double d = wishes[i] - truth[i];
                weight += s;
                uu += s * u * u;
                ud += s * u * d;
                dd += s * d * d;
            }
            squares = new Squares(weight, uu, ud, dd);
        }
        return squares;
    }

    /** Returns a copy whose sample weights are multiplied by the counts of a bootstrap resample. */
    Followers counted(int[] counts) {
        double[] counted = new double[size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = weight(i) * counts[i];
        }
        return new Followers(population, predictions, wishes, truth, counted, features, workers);
    }

    /** Visits the bounded response of each row; requires the features. */
    void each(Supplier<Response.Bounded> bounded, Response.Bounded.Visitor visitor) {
        if (features == null) {
            throw new IllegalArgumentException(
                    "Limits are declared, and how far these people can go is not known.\nMaybe say what they have:"
                            + " with(world.features(rows), workers).");
        }
        Response.Bounded.each(size(), features, bounded, workers, visitor);
    }

    /** Returns the manipulable features of row i, the ones column included if it is manipulable. */
    double[] features(int i, int width) {
        double[] values = new double[width];
        features.read(i, 1, values);
        return values;
    }

    public int size() {
        return predictions.length;
    }

    public Population population() {
        return population;
    }

    public double prediction(int i) {
        return predictions[i];
    }

    public double wish(int i) {
        return wishes[i];
    }

    public boolean hasTruth() {
        return truth != null;
    }

    public double truth(int i) {
        return truth[i];
    }

    public double weight(int i) {
        return weights[weights.length == 1 ? 0 : i];
    }

    /** Returns the sum of the sample weights. */
    double weight() {
        return weights.length == 1
                ? size() * weights[0]
                : Arrays.stream(weights).sum();
    }

    /**
     * Returns the weighted mean. It is summed as differences from the first value, so that the mean of equal values is
     * exactly that value.
     */
    double mean(IntToDoubleFunction value) {
        double first = size() == 0 ? Double.NaN : value.applyAsDouble(0);
        double sum = 0;
        double total = 0;
        for (int i = 0; i < size(); i++) {
            sum += weight(i) * (value.applyAsDouble(i) - first);
            total += weight(i);
        }
        return first + sum / total;
    }
}
