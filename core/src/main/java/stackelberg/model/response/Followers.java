package stackelberg.model.response;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Workers;

/** The people that a rule meets: p_i is what it predicts them, z_i what they wish, y_i the truth, s_i how much they count; and how they respond. */
public final class Followers {
    private final Population population;
    private final double[] predictions;
    private final double[] wishes;
    /** Null where it is not known. */
    private final double[] truth;

    /** One number where it is everybody's. */
    private final double[] weights;
    /** Null where they are not known. */
    private final Response.Bounded.Features features;

    private final Workers workers;

    /** Null while nobody has asked. */
    private Squares squares;

    /**
     * Sums over people, of u = p - y and d = z - y: what {@link Response#loss(double, double, double, double, double)} needs.
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

    /** People of whom the truth is not known, and who all count the same. */
    public static Followers of(Population population, double[] predictions, double[] wishes) {
        requireAll("The population has", population.size(), predictions.length);
        requireAll("The wishes are those of", wishes.length, predictions.length);
        return new Followers(
                population, predictions.clone(), wishes.clone(), null, new double[] {1}, null, Workers.of(1));
    }

    /** People whose arrays nobody changes any more: nothing is copied. */
    static Followers keeping(Population population, double[] p, PredictionGame.SharedArrays of) {
        return new Followers(population, p, of.z(), of.y(), of.weights(), null, Workers.of(1));
    }

    /** The same of people who all move at one gamma. */
    public static Followers of(double gamma, double[] predictions, double[] wishes) {
        return of(Population.ofOneGamma(predictions.length, gamma, 0), predictions, wishes);
    }

    /** The same people, now that the truth about them is known. */
    public Followers withTruth(double[] y, double[] s) {
        requireAll("The truth is that of", y.length, size());
        requireAll("The weights are those of", s.length, size());
        return new Followers(population, predictions, wishes, y.clone(), s.clone(), features, workers);
    }

    /** The same people, now that it is known what they have: how far they can go depends on it where limits are declared. */
    public Followers with(Response.Bounded.Features those, Workers threads) {
        return new Followers(population, predictions, wishes, truth, weights, those, threads);
    }

    private static void requireAll(String what, int count, int people) {
        if (count != people) {
            throw new IllegalArgumentException(what + " " + count + " people, the predictions " + people + ".");
        }
    }

    /** Some of them. */
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

    /** The same people, if they responded otherwise. */
    Followers in(Population other) {
        Followers same = new Followers(other, predictions, wishes, truth, weights, features, workers);
        same.squares = squares;
        return same;
    }

    /** Of those of whom the truth is known. */
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

    /** The same people counted several times or not at all. */
    Followers counted(int[] counts) {
        double[] counted = new double[size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = weight(i) * counts[i];
        }
        return new Followers(population, predictions, wishes, truth, counted, features, workers);
    }

    /** Walks over them where limits are declared. */
    void each(Supplier<Response.Bounded> bounded, Response.Bounded.Visitor visitor) {
        if (features == null) {
            throw new IllegalArgumentException(
                    "Limits are declared, and how far these people can go is not known.\nMaybe say what they have:"
                            + " with(world.features(rows), workers).");
        }
        Response.Bounded.each(size(), features, bounded, workers, visitor);
    }

    /** What person i has of the columns that it can change, and of the ones column, if it can change that. */
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

    /** How much all of them count. */
    double weight() {
        return weights.length == 1
                ? size() * weights[0]
                : Arrays.stream(weights).sum();
    }

    /** By weight; from the first value, so that equal ones have exactly their own value as their mean. */
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
