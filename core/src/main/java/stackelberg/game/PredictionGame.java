package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The prediction game: a leader publishes w, q, and follower i answers with x_i* = argmin (w'x + q'v_i - z_i)^2 + gamma sum_j c_j (x_j -
 * x_ij)^2; the leader minimises sum_i s_i (w'x_i* + q'v_i - y_i)^2 (math of the paper's section 2, with costs c, immutable features v,
 * sample weights s and noisy wishes).
 *
 * <p>Everybody closes the same fraction t = omega / (gamma + omega), omega = w'C^{-1}w, of the gap to its wish: the pull-through. Where people
 * differ, follower i has a gamma_i and a t_i of its own, and is truthful, and does not move, with probability S; the leader minimises the expected
 * loss sum_i s_i [S (p_i - y_i)^2 + (1 - S) (((1 - t_i) p_i + t_i z_i - y_i)^2 + t_i^2 sigma_i^2)].
 */
public final class PredictionGame {
    /** So many units in the last place of a constant are its rounding. */
    private static final double LAST_DIGITS = 16 * 0x1p-52;

    /** Of larger values the sums of squares are no numbers. */
    private static final double MOST_SQUARED = 1e100;

    private final Matrix x;
    private final double[] y;
    private final double[] z;
    private final Population population;
    private final double[] costs;
    private final double[][] immutable;
    private final boolean intercept;
    /** One number where it is everybody's: a vector of everybody is 8 MB of a million people. */
    private final double[] weights;
    /** The same. */
    private final double[] wishNoise;

    private final double ridge;
    /** Null where moves know no bounds. */
    private final Response.Bounds bounds;
    /** beta; null where moves do nothing to the target. */
    private final double[] effects;

    private final Loss loss;

    private PredictionGame(
            Matrix x,
            double[] y,
            double[] z,
            Population population,
            double[] costs,
            double[][] immutable,
            boolean intercept,
            double[] weights,
            double[] wishNoise,
            double ridge,
            Response.Bounds bounds,
            double[] effects,
            Loss loss) {
        this.x = x;
        this.y = y;
        this.z = z;
        this.population = population;
        this.costs = costs;
        this.immutable = immutable;
        this.intercept = intercept;
        this.weights = weights;
        this.wishNoise = wishNoise;
        this.ridge = ridge;
        this.bounds = bounds;
        this.effects = effects;
        this.loss = loss;
    }

    /** The paper's game: every feature manipulable at cost 1, no intercept, everybody counts the same, wishes known. */
    public static PredictionGame of(Matrix x, double[] y, double[] z, double gamma) {
        return kept(x, y.clone(), z.clone(), gamma);
    }

    /** The same, of arrays that nobody will change. */
    static PredictionGame kept(Matrix x, double[] y, double[] z, double gamma) {
        requireLength("y", y, x.rows());
        requireLength("z", z, x.rows());
        requireFinite("y", y);
        requireFinite("z", z);
        requirePositive("gamma", gamma);
        return new PredictionGame(
                x,
                y,
                z,
                Population.ofOneGamma(x.rows(), gamma, 0),
                filled(x.cols(), 1),
                new double[0][],
                false,
                new double[] {1},
                new double[] {0},
                0,
                null,
                null,
                Loss.SQUARED);
    }

    /** One gamma for all who move. */
    public PredictionGame withGamma(double newGamma) {
        requirePositive("gamma", newGamma);
        return withPopulation(Population.ofOneGamma(x.rows(), newGamma, population.truthfulShare()));
    }

    /** Who responds how. */
    public PredictionGame withPopulation(Population people) {
        if (people.size() != x.rows()) {
            throw new IllegalArgumentException(
                    "The population has " + people.size() + " people, the game " + x.rows() + " rows.");
        }
        return new PredictionGame(
                x, y, z, people, costs, immutable, intercept, weights, wishNoise, ridge, bounds, effects, loss);
    }

    /** Moving feature j by delta costs gamma * costs[j] * delta^2. */
    public PredictionGame withCosts(double[] newCosts) {
        requireLength("costs", newCosts, x.cols());
        for (int j = 0; j < newCosts.length; j++) {
            // a text for every feature would take longer than the check
            if (!isPositive(newCosts[j])) {
                requirePositive("The cost of feature " + (j + 1), newCosts[j]);
            }
        }
        return new PredictionGame(
                x,
                y,
                z,
                population,
                newCosts.clone(),
                immutable,
                intercept,
                weights,
                wishNoise,
                ridge,
                bounds,
                effects,
                loss);
    }

    /** Columns that nobody can change, each of them a vector over the rows. */
    public PredictionGame withImmutable(double[]... columns) {
        double[][] copy = new double[columns.length][];
        for (int j = 0; j < columns.length; j++) {
            requireLength("Immutable column " + (j + 1), columns[j], x.rows());
            requireFinite("Immutable column " + (j + 1), columns[j]);
            copy[j] = columns[j].clone();
        }
        return new PredictionGame(
                x, y, z, population, costs, copy, intercept, weights, wishNoise, ridge, bounds, effects, loss);
    }

    /** An intercept that nobody can change. */
    public PredictionGame withIntercept() {
        return new PredictionGame(
                x, y, z, population, costs, immutable, true, weights, wishNoise, ridge, bounds, effects, loss);
    }

    /** Row i counts newWeights[i] times in the leader's loss. */
    public PredictionGame withWeights(double[] newWeights) {
        requireLength("weights", newWeights, x.rows());
        double sum = 0;
        for (int i = 0; i < newWeights.length; i++) {
            if (!(newWeights[i] >= 0) || Double.isInfinite(newWeights[i])) {
                throw new IllegalArgumentException("The weight of row " + (i + 1) + " is " + newWeights[i]
                        + "; weights must be finite and not negative.");
            }
            sum += newWeights[i];
        }
        if (x.rows() > 0 && sum == 0) {
            throw new IllegalArgumentException("All weights are 0; at least one row must count.");
        }
        return new PredictionGame(
                x,
                y,
                z,
                population,
                costs,
                immutable,
                intercept,
                newWeights.clone(),
                wishNoise,
                ridge,
                bounds,
                effects,
                loss);
    }

    /** The wish of row i is known only up to noise of standard deviation sd[i]. */
    public PredictionGame withWishNoise(double[] sd) {
        requireLength("wish noise", sd, x.rows());
        return knowingWishes(sd.clone());
    }

    /** Every wish is known only up to noise of this standard deviation. */
    public PredictionGame withWishNoise(double sd) {
        return knowingWishes(new double[] {sd});
    }

    private PredictionGame knowingWishes(double[] sd) {
        for (int i = 0; i < sd.length; i++) {
            if (!(sd[i] >= 0) || Double.isInfinite(sd[i])) {
                throw new IllegalArgumentException("The wish noise of row " + (i + 1) + " is " + sd[i]
                        + "; a standard deviation must be finite and not negative.");
            }
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, sd, ridge, bounds, effects, loss);
    }

    /** mu (||u||^2 + gamma t^2), u = (1 - t) w on cost-scaled features, is added to the leader's loss: what the rule pays for relying on features. */
    public PredictionGame withRidge(double mu) {
        if (!(mu >= 0) || Double.isInfinite(mu)) {
            throw new IllegalArgumentException("The ridge is " + mu + "; it must be 0 or more and finite.");
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, mu, bounds, effects, loss);
    }

    /** Nobody moves a feature beyond these, in the units of x; null for moves without bounds. */
    public PredictionGame withBounds(Response.Bounds limits) {
        if (limits != null && limits.low().length != x.cols()) {
            throw new IllegalArgumentException(
                    "The bounds are of " + limits.low().length + " features, the game has " + x.cols() + ".");
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, ridge, limits, effects, loss);
    }

    /** A move of feature j by one, in the units of x, really changes the target by newEffects[j]. */
    public PredictionGame withEffects(double[] newEffects) {
        requireLength("effects", newEffects, x.cols());
        requireFinite("effects", newEffects);
        boolean none = Arrays.stream(newEffects).allMatch(value -> value == 0);
        return new PredictionGame(
                x,
                y,
                z,
                population,
                costs,
                immutable,
                intercept,
                weights,
                wishNoise,
                ridge,
                bounds,
                none ? null : newEffects.clone(),
                loss);
    }

    /**
     * What the leader loses by: the score after everybody has moved is (1 - t) p_i + t z_i whatever it is, because nobody who moves knows it. Wishes are in units
     * of the score, log-odds where the loss is logistic.
     */
    public PredictionGame withLoss(Loss newLoss) {
        if (newLoss.isLogistic()) {
            for (int i = 0; i < y.length; i++) {
                if (y[i] != 0 && y[i] != 1) {
                    throw new IllegalArgumentException(
                            "y, row " + (i + 1) + ": " + y[i] + " is neither 0 nor 1, as the logistic loss asks.");
                }
            }
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, ridge, bounds, effects, newLoss);
    }

    /** The same game among some of its people; the ridge shrinks with what they count. */
    public PredictionGame among(int[] people) {
        DenseMatrix rows = DenseMatrix.zeros(people.length, x.cols());
        double[] row = new double[x.cols()];
        for (int i = 0; i < people.length; i++) {
            x.tile(people[i], 1, 0, row.length, DoubleBuffer.wrap(row));
            for (int j = 0; j < row.length; j++) {
                rows.set(i, j, row[j]);
            }
        }
        double[][] fixed = new double[immutable.length][];
        Arrays.setAll(fixed, j -> chosen(immutable[j], people));
        double[] counting = everybodys(weights) ? weights : chosen(weights, people);
        double share = total(counting, people.length) / totalWeight();
        return new PredictionGame(
                rows,
                chosen(y, people),
                chosen(z, people),
                population.of(people),
                costs,
                fixed,
                intercept,
                counting,
                everybodys(wishNoise) ? wishNoise : chosen(wishNoise, people),
                ridge * share,
                bounds,
                effects,
                loss);
    }

    private static double[] chosen(double[] values, int[] people) {
        return Arrays.stream(people).mapToDouble(i -> values[i]).toArray();
    }

    /** Whether one number is everybody's. */
    private static boolean everybodys(double[] values) {
        return values.length == 1;
    }

    public Matrix x() {
        return x;
    }

    /**
     * The arrays of everybody themselves, for whoever looks at them and writes nothing: copies would be most of the memory of a million people.
     *
     * @param weights one number where it is everybody's
     */
    public record Lent(double[] y, double[] z, double[] weights) {
        /** How much person i counts. */
        public double weight(int i) {
            return weights[weights.length == 1 ? 0 : i];
        }
    }

    /** Lends y, z and the weights. */
    public Lent lent() {
        return new Lent(y, z, weights);
    }

    public double[] y() {
        return y.clone();
    }

    public double[] z() {
        return z.clone();
    }

    /** What is true of person i. */
    public double y(int i) {
        return y[i];
    }

    /** What person i wishes. */
    public double z(int i) {
        return z[i];
    }

    public Population population() {
        return population;
    }

    /** How hard it is to move; where people differ, the median of those who move. */
    public double gamma() {
        return population.typicalGamma();
    }

    public double[] costs() {
        return costs.clone();
    }

    /** The immutable columns, without the intercept. */
    public double[][] immutable() {
        return Arrays.stream(immutable).map(double[]::clone).toArray(double[][]::new);
    }

    /**
     * What can be taken from each immutable column and given back by the intercept without a rounding: a value of it where all that count lie between
     * half and twice that value, else 0. Without it 1 + k 2^-40 looks like a constant.
     */
    public double[] immutableLevels() {
        double[] levels = new double[immutable.length];
        for (int j = 0; j < levels.length && intercept; j++) {
            levels[j] = levelOf(immutable[j]);
        }
        return levels;
    }

    /** The immutable columns less these levels; one of which nothing but its last digits is left, in the rows that count, is 0. */
    public double[][] immutableLess(double[] levels) {
        double[][] columns = immutable();
        for (int j = 0; j < columns.length; j++) {
            double level = levels[j];
            double largest = 0;
            for (int i = 0; i < columns[j].length && level != 0; i++) {
                columns[j][i] -= level;
                largest = Math.max(largest, weight(i) == 0 ? 0 : Math.abs(columns[j][i]));
            }
            if (level != 0 && largest <= LAST_DIGITS * Math.abs(level)) {
                Arrays.fill(columns[j], 0);
            }
        }
        return columns;
    }

    private double levelOf(double[] column) {
        double level = 0;
        for (int i = 0; i < column.length; i++) {
            if (weight(i) == 0) {
                continue;
            }
            level = level == 0 ? column[i] : level;
            double ratio = column[i] / level;
            if (!(ratio >= 0.5 && ratio <= 2)) {
                return 0;
            }
        }
        return level;
    }

    public boolean hasIntercept() {
        return intercept;
    }

    public double[] weights() {
        return weights.length == x.rows() ? weights.clone() : filled(x.rows(), weights[0]);
    }

    /** How much person i counts. */
    public double weight(int i) {
        return weights.length == 1 ? weights[0] : weights[i];
    }

    /** sum_i s_i. */
    public double totalWeight() {
        return total(weights, x.rows());
    }

    private static double total(double[] counting, int people) {
        return counting.length == 1
                ? people * counting[0]
                : Arrays.stream(counting).sum();
    }

    /** How many people count at all. */
    public int counted() {
        return weights.length == 1
                ? weights[0] > 0 ? x.rows() : 0
                : (int) Arrays.stream(weights).filter(s -> s > 0).count();
    }

    /** Whether everybody counts once. */
    public boolean isUnweighted() {
        return Vectors.isOnes(weights);
    }

    /** sigma_i, the standard deviation with which each wish is known. */
    public double[] wishNoise() {
        return wishNoise.length == x.rows() ? wishNoise.clone() : filled(x.rows(), wishNoise[0]);
    }

    /** sigma_i of person i. */
    public double wishNoise(int i) {
        return wishNoise.length == 1 ? wishNoise[0] : wishNoise[i];
    }

    /** How far moves go; empty where they know no bounds. */
    public Optional<Response.Bounds> bounds() {
        return Optional.ofNullable(bounds);
    }

    /** beta, what a move by one of each feature really does to the target; empty where moves do nothing to it. */
    public Optional<double[]> effects() {
        return Optional.ofNullable(effects).map(double[]::clone);
    }

    /** beta'C^{-1}w of a rule: what a move along C^{-1}w really does to the target. */
    public double earned(LinearRule rule) {
        return effects == null ? 0 : rule.earned(costs, effects);
    }

    /** l. */
    public Loss loss() {
        return loss;
    }

    /** mu. */
    public double ridge() {
        return ridge;
    }

    /**
     * mu (||u||^2 + gamma t^2) = mu gamma t, which the leader pays beside {@link #leaderLoss}; of the truthful mu omega, as for large gamma. With effects
     * mu (||u||^2 + gamma tau^2), u = (1 - tau) w.
     */
    public double penalty(LinearRule rule) {
        if (ridge == 0) {
            return 0;
        }
        double omega = rule.omega(costs);
        if (effects != null) {
            Response response = Response.of(omega, earned(rule), gamma());
            double kept = response.kept();
            return ridge * (kept * kept * omega + gamma() * response.gamed() * response.gamed());
        }
        double share = population.truthfulShare();
        return ridge * omega * (share + (1 - share) * Response.remainder(omega, gamma()));
    }

    /** s^2 = sum_i weight_i sigma_i^2, what t = 1 would add to the leader's loss. */
    public double wishNoiseVariance() {
        if (everybodys(weights) && everybodys(wishNoise)) {
            double each = weights[0] * wishNoise[0] * wishNoise[0];
            double all = x.rows() * each;
            // whole numbers are summed without a rounding, others as those of people who differ
            if (each == Math.rint(each) && all <= 0x1p53) {
                return all;
            }
        }
        double sum = 0;
        for (int i = 0; i < x.rows(); i++) {
            sum += weight(i) * wishNoise(i) * wishNoise(i);
        }
        return sum;
    }

    /** p_i = w'x_i + q'v_i + intercept for features as they are. */
    public double[] predict(LinearRule rule, Workers workers) {
        return predict(List.of(rule), workers)[0];
    }

    /** Sees what the first of several rules predicts for some of the people, while their features are in cache. */
    @FunctionalInterface
    public interface Seen {
        /** p[first] to p[first + count - 1] are what they are predicted. */
        void people(int first, int count, double[] p);
    }

    /** The predictions of several rules, one array each, from one product with the features. */
    public double[][] predict(List<LinearRule> rules, Workers workers) {
        return predict(rules, null, workers);
    }

    /**
     * The same from one read of the features.
     *
     * @param seen makes one for each part of the people; null where nobody wants to see them
     */
    public double[][] predict(List<LinearRule> rules, Supplier<? extends Seen> seen, Workers workers) {
        DenseMatrix w = DenseMatrix.zeros(x.cols(), rules.size());
        for (int k = 0; k < rules.size(); k++) {
            requireShape(rules.get(k));
            double[] column = rules.get(k).w();
            for (int j = 0; j < column.length; j++) {
                w.set(j, k, column[j]);
            }
        }
        double[][] predictions = new double[rules.size()][x.rows()];
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(rules.size())];
        for (int part = 0; part < steps.length; part++) {
            steps[part] = new Predicting(rules, predictions, seen == null ? null : seen.get());
        }
        x.look(w, steps, workers);
        return predictions;
    }

    /** Completes the predictions of a block of rows, of which w'x is known, and shows them. */
    private final class Predicting implements Matrix.RowStep {
        private final List<LinearRule> rules;
        private final double[][] predictions;
        private final Seen seen;

        Predicting(List<LinearRule> rules, double[][] predictions, Seen seen) {
            this.rules = rules;
            this.predictions = predictions;
            this.seen = seen;
        }

        @Override
        public void apply(int firstRow, int rowCount, DoubleBuffer u) {
            int k = predictions.length;
            for (int c = 0; c < k; c++) {
                if (k == 1) {
                    u.get(0, predictions[0], firstRow, rowCount);
                }
                for (int i = 0; k > 1 && i < rowCount; i++) {
                    predictions[c][firstRow + i] = u.get(i * k + c);
                }
                addFixed(rules.get(c), firstRow, rowCount, predictions[c]);
            }
            if (seen != null) {
                seen.people(firstRow, rowCount, predictions[0]);
            }
        }
    }

    private void requireShape(LinearRule rule) {
        if (rule.w().length != x.cols()) {
            throw new IllegalArgumentException(
                    "The rule has " + rule.w().length + " coefficients, the game " + x.cols() + " features.");
        }
        if (rule.q().length != immutable.length) {
            throw new IllegalArgumentException(
                    "The rule has " + rule.q().length + " immutable coefficients, the game " + immutable.length + ".");
        }
    }

    private void addFixed(LinearRule rule, int first, int count, double[] p) {
        double[] q = rule.q();
        for (int i = first; i < first + count; i++) {
            double fixed = rule.intercept();
            for (int j = 0; j < q.length; j++) {
                fixed += q[j] * immutable[j][i];
            }
            p[i] += fixed;
        }
    }

    /** t = omega / (gamma + omega): the fraction of the gap to their wish that everybody closes under this rule. */
    public double pullThrough(LinearRule rule) {
        return pullThrough(rule.omega(costs));
    }

    /**
     * The same under limits: the average over people, by weight, of the fraction of its gap that each closes; whoever has none counts as without limits. Where
     * nobody is stopped it is the same to the last bit.
     */
    public double pullThrough(LinearRule rule, Workers workers) {
        double omega = rule.omega(costs);
        if (bounds == null) {
            return pullThrough(omega);
        }
        return closed(rule, workers, Response.Bounded::gain, gamma -> Response.pullThrough(omega, gamma))
                .orElseGet(() -> pullThrough(omega));
    }

    /** The same of the gap that the truth of everybody closes; 0 where moves do nothing to it. */
    public double earnedShare(LinearRule rule, Workers workers) {
        if (effects == null) {
            return 0;
        }
        requireAlike();
        double omega = rule.omega(costs);
        double earned = earned(rule);
        DoubleUnaryOperator free = gamma -> Response.of(omega, earned, gamma).earned();
        double all = free.applyAsDouble(population.gamma(0));
        return bounds == null
                ? all
                : closed(rule, workers, Response.Bounded::earned, free).orElse(all);
    }

    /**
     * The average over people, by weight, of what each gains of its gap; empty where nobody is stopped.
     *
     * @param free the part of the gap that is gained by whom nothing stops, by its gamma
     */
    private OptionalDouble closed(
            LinearRule rule, Workers workers, ToDoubleFunction<Response.Bounded> gain, DoubleUnaryOperator free) {
        double[] p = predict(rule, workers);
        double[] closed = new double[p.length];
        boolean[] held = new boolean[p.length];
        double share = population.truthfulShare();
        eachBounded(rule.w(), rule.omega(costs), workers, (i, person) -> {
            double gamma = population.gamma(i);
            person.answer(p[i], z[i], gamma);
            held[i] = z[i] != p[i] && (person.isStopped() || person.isStuck());
            closed[i] =
                    (1 - share) * (held[i] ? gain.applyAsDouble(person) / (z[i] - p[i]) : free.applyAsDouble(gamma));
        });
        double sum = 0;
        double total = 0;
        boolean any = false;
        for (int i = 0; i < closed.length; i++) {
            sum += weight(i) * closed[i];
            total += weight(i);
            any |= held[i];
        }
        return any ? OptionalDouble.of(sum / total) : OptionalDouble.empty();
    }

    /** How many people a limit stops under a rule, or the side on which they want no more; 0 where there are none. */
    public int stopped(LinearRule rule, Workers workers) {
        if (bounds == null) {
            return 0;
        }
        double[] p = predict(rule, workers);
        AtomicInteger count = new AtomicInteger();
        eachBounded(rule.w(), rule.omega(costs), workers, (i, person) -> {
            person.answer(p[i], z[i], population.gamma(i));
            if (person.isStopped() || person.isStuck()) {
                count.incrementAndGet();
            }
        });
        return count.get();
    }

    /** The same for a rule of which omega is known; where people differ, the average over them, by weight, of what they are expected to close. */
    public double pullThrough(double omega) {
        if (population.uniform()) {
            return Response.pullThrough(omega, population.gamma(0));
        }
        double sum = 0;
        double total = 0;
        for (int i = 0; i < x.rows(); i++) {
            sum += weight(i) * population.expectedPullThrough(i, omega);
            total += weight(i);
        }
        return sum / total;
    }

    /** Every follower's prediction after the move: (1 - t) p_i + t z_i, or what is expected of it where some are truthful. */
    public double[] predictAfterResponse(LinearRule rule, Workers workers) {
        double[] p = predict(rule, workers);
        double[] after = bounds == null ? afterResponse(rule.omega(costs), p) : new double[p.length];
        if (bounds != null) {
            eachBounded(
                    rule.w(),
                    rule.omega(costs),
                    workers,
                    (i, person) -> after[i] =
                            person.answer(p[i], z[i], population.gamma(i)).after());
        }
        double share = population.truthfulShare();
        for (int i = 0; share > 0 && i < p.length; i++) {
            after[i] = share * p[i] + (1 - share) * after[i];
        }
        return after;
    }

    /** Of those who move. */
    private double[] afterResponse(double omega, double[] predictions) {
        IntFunction<Response> responses = population.responses(omega);
        double[] p = new double[predictions.length];
        for (int i = 0; i < p.length; i++) {
            p[i] = responses.apply(i).after(predictions[i], z[i]);
        }
        return p;
    }

    /** x_i* - x_i = (z_i - p_i) / (gamma + omega) * C^{-1} w: how a follower of the game's gamma, now predicted at p_i, moves its features. */
    public double[] move(LinearRule rule, double prediction, double wish) {
        double[] move = rule.w();
        double step = Response.of(rule.omega(costs), gamma()).step(prediction, wish);
        for (int j = 0; j < move.length; j++) {
            move[j] *= step / costs[j];
        }
        return move;
    }

    /** Walks over people who face a rule with these coefficients of the features that they can change, and who can go only so far. */
    public void eachBounded(double[] w, double omega, Workers workers, Response.Bounded.Visitor visitor) {
        Response.Bounds limits = bounds == null ? Response.Bounds.none(x.cols(), null) : bounds;
        Response.Bounded.each(x, () -> new Response.Bounded(w, omega, costs, limits, effects), workers, visitor);
    }

    /** The leader's expected loss after everybody has moved: sum_i s_i ((1 - t) p_i + t z_i - y_i)^2 + t^2 sum_i s_i sigma_i^2. */
    public double leaderLoss(LinearRule rule, Workers workers) {
        double omega = rule.omega(costs);
        double[] predictions = predict(rule, workers);
        return bounds == null
                ? leaderLoss(omega, earned(rule), predictions)
                : boundedLoss(rule.w(), omega, predictions, workers);
    }

    /**
     * The same where limits are declared, for any rule whose predictions are known.
     *
     * @param w its coefficients of the features people can change
     */
    public double boundedLoss(double[] w, double omega, double[] predictions, Workers workers) {
        requireSquares("limits");
        double share = population.truthfulShare();
        double[] losses = new double[predictions.length];
        eachBounded(w, omega, workers, (i, person) -> {
            double plain = predictions[i] - y[i];
            double moved = person.loss(predictions[i], z[i], population.gamma(i), y[i], wishNoise(i));
            losses[i] = weight(i) * (share * plain * plain + (1 - share) * moved);
        });
        return Arrays.stream(losses).sum();
    }

    /** The same with limits or without; where they stop nobody it is the closed form to the last bit. */
    public double leaderLoss(double[] w, double omega, double[] predictions, Workers workers) {
        AtomicBoolean anybody = new AtomicBoolean();
        if (bounds != null) {
            eachBounded(w, omega, workers, (i, person) -> {
                if (!anybody.get() && person.isLimited(predictions[i], z[i], population.gamma(i), wishNoise(i))) {
                    anybody.set(true);
                }
            });
        }
        return anybody.get()
                ? boundedLoss(w, omega, predictions, workers)
                : leaderLoss(omega, earned(new LinearRule(w, new double[0], 0)), predictions);
    }

    /** The same without limits and effects for any rule of that omega, whose predictions are known. */
    public double leaderLoss(double omega, double[] predictions) {
        return leaderLoss(omega, 0, predictions);
    }

    /**
     * The same where moves really change the target.
     *
     * @param earned beta'C^{-1}w, which moves the truth along: sum_i s_i ((1 - tau) p_i + tau z_i - y_i)^2 + tau^2 sum_i s_i sigma_i^2; 0 where moves do nothing to it
     */
    public double leaderLoss(double omega, double earned, double[] predictions) {
        if (earned != 0) {
            requireSquares("moves that really change the target");
            requireAlike();
            Response response = Response.of(omega, earned, population.gamma(0));
            double loss = 0;
            for (int i = 0; i < predictions.length; i++) {
                loss += weight(i) * response.loss(predictions[i], z[i], y[i], wishNoise(i));
            }
            return loss;
        }
        if (!loss.isSquared()) {
            requireSquares(wishNoiseVariance() > 0 ? "noise of wishes" : null);
            double share = population.truthfulShare();
            double moved = lossOf(afterResponse(omega, predictions));
            return share == 0 ? moved : share * lossOf(predictions) + (1 - share) * moved;
        }
        IntFunction<Response> responses = population.responses(omega);
        if (population.uniform()) {
            double t = pullThrough(omega);
            return squaredLoss(predictions, responses.apply(0)) + t * t * wishNoiseVariance();
        }
        double share = population.truthfulShare();
        double loss = 0;
        for (int i = 0; i < predictions.length; i++) {
            double plain = predictions[i] - y[i];
            double moved = responses.apply(i).loss(predictions[i], z[i], y[i], wishNoise(i));
            loss += weight(i) * (share * plain * plain + (1 - share) * moved);
        }
        return loss;
    }

    /** The leader's loss if nobody moved: sum_i s_i l(p_i, y_i). */
    public double honestLoss(LinearRule rule, Workers workers) {
        return lossOf(predict(rule, workers));
    }

    /** sum_i s_i l(p_i, y_i) for scores that are known. */
    public double lossOf(double[] scores) {
        if (loss.isSquared()) {
            return squaredLoss(scores);
        }
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += weight(i) == 0 ? 0 : weight(i) * loss.value(scores[i], y[i]);
        }
        return sum;
    }

    /**
     * The rule of somebody who finds the people with other features and thinks that nobody moves: min sum_i s_i l(w'x_i + q'v_i + b, y_i) + mu w'C^{-1}w, by
     * another loss than the squared one. Where that has no finite answer, with the least penalty on standardised columns that people who are held out ask for; a
     * rule of no numbers where the features are too large to square.
     *
     * @param features a row for each person: x, then the immutable columns
     * @param kept the columns of x that are learned from
     */
    public LinearRule learnedFrom(Matrix features, boolean[] kept, Workers workers) {
        int n = x.cols();
        boolean[] used = Arrays.copyOf(kept, features.cols());
        Arrays.fill(used, n, used.length, true);
        double[] penalties = new double[features.cols()];
        for (int j = 0; j < n; j++) {
            penalties[j] = ridge / costs[j];
        }
        ColumnStatistics statistics = ColumnStatistics.of(features, workers);
        for (int j = 0; j < features.cols(); j++) {
            if (!(Math.max(-statistics.min()[j], statistics.max()[j]) <= MOST_SQUARED)) {
                double[] unknown = filled(features.cols(), Double.NaN);
                return new LinearRule(
                        Arrays.copyOf(unknown, n), Arrays.copyOfRange(unknown, n, unknown.length), Double.NaN);
            }
        }
        TodayFit.Learned learned =
                new TodayNewton(features, y, intercept, loss, used, penalties, workers).polished(weights());
        return new LinearRule(
                Arrays.copyOf(learned.w(), n), Arrays.copyOfRange(learned.w(), n, features.cols()), learned.constant());
    }

    /** sum_i s_i (p_i - y_i)^2 for predictions that are known. */
    public double squaredLoss(double[] predictions) {
        double loss = 0;
        for (int i = 0; i < predictions.length; i++) {
            double residual = predictions[i] - y[i];
            loss += weight(i) * residual * residual;
        }
        return loss;
    }

    /** The same after everybody has moved, all alike. */
    private double squaredLoss(double[] predictions, Response everybodys) {
        double loss = 0;
        for (int i = 0; i < predictions.length; i++) {
            double residual = everybodys.after(predictions[i], z[i]) - y[i];
            loss += weight(i) * residual * residual;
        }
        return loss;
    }

    /** @param with what goes with squared loss alone; null for nothing */
    private void requireSquares(String with) {
        if (with != null && !loss.isSquared()) {
            throw new IllegalArgumentException("The loss " + loss + " is not computed together with " + with
                    + ".\nMaybe leave out one of the two.");
        }
    }

    private void requireAlike() {
        if (!population.uniform()) {
            throw new IllegalArgumentException("Moves that really change the target and people who differ"
                    + " (a truthful share, a gamma per row) cannot be had together."
                    + "\nMaybe leave out the effects, or give everybody the same gamma.");
        }
    }

    private static void requireLength(String what, double[] values, int length) {
        if (values.length != length) {
            throw new IllegalArgumentException(
                    what + " has " + values.length + " values; the game needs " + length + ".");
        }
    }

    private static void requireFinite(String what, double[] values) {
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw new IllegalArgumentException(what + ", row " + (i + 1) + ": " + values[i] + " is not finite.");
            }
        }
    }

    private static void requirePositive(String what, double value) {
        if (!isPositive(value)) {
            throw new IllegalArgumentException(what + " is " + value + "; it must be positive and finite.");
        }
    }

    private static boolean isPositive(double value) {
        return value > 0 && value < Double.POSITIVE_INFINITY;
    }

    private static double[] filled(int length, double value) {
        double[] values = new double[length];
        Arrays.fill(values, value);
        return values;
    }
}
