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
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.LinearEstimator;
import stackelberg.estimate.Loss;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The prediction game as arrays and matrices: its data, and the leader's loss of any rule.
 *
 * <p>The leader publishes a rule (w, q). Follower i, with features x_i, immutable features v_i and wish z_i, answers
 * with x_i* = argmin (w'x + q'v_i - z_i)^2 + gamma sum_j c_j (x_j - x_ij)^2. The leader minimises sum_i s_i (w'x_i* +
 * q'v_i - y_i)^2. This is the game of the paper's section 2, with costs c, immutable features v, sample weights s and
 * noisy wishes added.
 *
 * <p>Every follower closes the same share of the gap to its wish, the pull-through t = omega/(gamma + omega) with omega
 * = w'C^{-1}w. In a mixed population follower i has its own gamma_i and t_i, and with probability S it is truthful and
 * does not move; the leader then minimises the expected loss sum_i s_i [S (p_i - y_i)^2 + (1 - S) (((1 - t_i) p_i + t_i
 * z_i - y_i)^2 + t_i^2 sigma_i^2)].
 */
public final class PredictionGame {
    /** Relative differences up to this, 16 units in the last place, count as rounding of a constant column. */
    private static final double LAST_DIGITS = 16 * 0x1p-52;

    /** Features beyond this size are not refitted: their sums of squares could overflow. */
    private static final double MOST_SQUARED = 1e100;

    private final Matrix x;
    private final double[] y;
    private final double[] z;
    private final Population population;
    private final double[] costs;
    private final double[][] immutable;
    private final boolean intercept;
    /** s_i, the sample weights: an array of length 1 if all rows share one, which saves 8 MB per million rows. */
    private final double[] weights;
    /** sigma_i, the standard deviation of wish i: an array of length 1 if all rows share one. */
    private final double[] wishNoise;

    /** mu of {@link #withRidge}. */
    private final double ridge;
    /** Limits of moves, if there are any. */
    private final Response.@Nullable Bounds bounds;
    /** beta of {@link #withEffects}; absent if moves do not change the target. */
    private final double @Nullable [] effects;

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
            Response.@Nullable Bounds bounds,
            double @Nullable [] effects,
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

    /**
     * The game of the paper: every feature manipulable at cost 1, no intercept, weight 1 for each row, wishes known
     * exactly.
     */
    public static PredictionGame of(Matrix x, double[] y, double[] z, double gamma) {
        return ofShared(x, y.clone(), z.clone(), gamma);
    }

    /** Makes a game without copying the arrays, which the caller must not change afterwards. */
    static PredictionGame ofShared(Matrix x, double[] y, double[] z, double gamma) {
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

    /** A copy with one gamma for all followers; the truthful share stays. */
    public PredictionGame withGamma(double newGamma) {
        requirePositive("gamma", newGamma);
        return withPopulation(Population.ofOneGamma(x.rows(), newGamma, population.truthfulShare()));
    }

    /** A copy with this population: a gamma per row and a truthful share. */
    public PredictionGame withPopulation(Population followers) {
        if (followers.size() != x.rows()) {
            throw new IllegalArgumentException(
                    "The population has " + followers.size() + " followers, the game " + x.rows() + " rows.");
        }
        return new PredictionGame(
                x, y, z, followers, costs, immutable, intercept, weights, wishNoise, ridge, bounds, effects, loss);
    }

    /**
     * A copy with these costs: moving feature j by delta costs gamma * costs[j] * delta^2. Costs must be positive and
     * finite.
     */
    public PredictionGame withCosts(double[] newCosts) {
        requireLength("costs", newCosts, x.cols());
        for (int j = 0; j < newCosts.length; j++) {
            // the name is built only for a cost that fails: building it for every feature takes longer than the check
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

    /** A copy with these immutable features, each an array over the rows. */
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

    /** A copy with an immutable intercept. */
    public PredictionGame withIntercept() {
        return new PredictionGame(
                x, y, z, population, costs, immutable, true, weights, wishNoise, ridge, bounds, effects, loss);
    }

    /** A copy with these sample weights s_i in the leader's loss, not negative and not all 0. */
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

    /** A copy in which the wish of row i is known only up to noise of standard deviation sd[i]. */
    public PredictionGame withWishNoise(double[] sd) {
        requireLength("wish noise", sd, x.rows());
        return withCheckedWishNoise(sd.clone());
    }

    /** A copy in which every wish is known only up to noise of this standard deviation. */
    public PredictionGame withWishNoise(double sd) {
        return withCheckedWishNoise(new double[] {sd});
    }

    private PredictionGame withCheckedWishNoise(double[] sd) {
        for (int i = 0; i < sd.length; i++) {
            if (!(sd[i] >= 0) || Double.isInfinite(sd[i])) {
                throw new IllegalArgumentException("The wish noise of row " + (i + 1) + " is " + sd[i]
                        + "; a standard deviation must be finite and not negative.");
            }
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, sd, ridge, bounds, effects, loss);
    }

    /**
     * A copy whose leader's loss includes the penalty mu (||u||^2 + gamma t^2), u = (1 - t) w on cost-scaled features;
     * mu is 0 or more.
     */
    public PredictionGame withRidge(double mu) {
        if (!(mu >= 0) || Double.isInfinite(mu)) {
            throw new IllegalArgumentException("The ridge is " + mu + "; it must be 0 or more and finite.");
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, mu, bounds, effects, loss);
    }

    /**
     * A copy in which no follower moves a feature beyond these limits, in the units of x.
     *
     * @param limits null for no limits
     */
    public PredictionGame withBounds(Response.@Nullable Bounds limits) {
        if (limits != null && limits.low().length != x.cols()) {
            throw new IllegalArgumentException(
                    "There are limits for " + limits.low().length + " features; the game has " + x.cols() + ".");
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, ridge, limits, effects, loss);
    }

    /** A copy in which a move of feature j by one unit of x really changes the target by newEffects[j]. */
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
     * A copy with another loss of the leader. Followers do not depend on it: the score after the move is (1 - t) p_i +
     * t z_i under any loss. Wishes are in units of the score, which are log-odds under the logistic loss.
     */
    public PredictionGame withLoss(Loss newLoss) {
        if (newLoss.isLogistic()) {
            for (int i = 0; i < y.length; i++) {
                if (y[i] != 0 && y[i] != 1) {
                    throw new IllegalArgumentException("y, row " + (i + 1) + ": " + y[i]
                            + " is neither 0 nor 1; the logistic loss needs one of the two.");
                }
            }
        }
        return new PredictionGame(
                x, y, z, population, costs, immutable, intercept, weights, wishNoise, ridge, bounds, effects, newLoss);
    }

    /** The game of some of the rows, by their indices; the ridge is reduced in proportion to their total weight. */
    public PredictionGame subset(int[] chosen) {
        DenseMatrix rows = DenseMatrix.zeros(chosen.length, x.cols());
        double[] row = new double[x.cols()];
        for (int i = 0; i < chosen.length; i++) {
            x.tile(chosen[i], 1, 0, row.length, DoubleBuffer.wrap(row));
            for (int j = 0; j < row.length; j++) {
                rows.set(i, j, row[j]);
            }
        }
        double[][] fixed = new double[immutable.length][];
        Arrays.setAll(fixed, j -> pick(immutable[j], chosen));
        double[] chosenWeights = isCommon(weights) ? weights : pick(weights, chosen);
        double share = total(chosenWeights, chosen.length) / totalWeight();
        return new PredictionGame(
                rows,
                pick(y, chosen),
                pick(z, chosen),
                population.subset(chosen),
                costs,
                fixed,
                intercept,
                chosenWeights,
                isCommon(wishNoise) ? wishNoise : pick(wishNoise, chosen),
                ridge * share,
                bounds,
                effects,
                loss);
    }

    private static double[] pick(double[] values, int[] rows) {
        return Arrays.stream(rows).mapToDouble(i -> values[i]).toArray();
    }

    /** Whether an array holds one number that all rows share. */
    private static boolean isCommon(double[] values) {
        return values.length == 1;
    }

    public Matrix x() {
        return x;
    }

    /**
     * The arrays of a game, shared and not copied: callers must not write to them. For a million rows copies would be
     * most of the memory in use.
     *
     * @param y the target values; null if the targets of the rows are not known, never in a game
     * @param z the wishes
     * @param weights the sample weights; an array of length 1 if all rows share one
     */
    public record SharedArrays(double @Nullable [] y, double[] z, double[] weights) {
        /** The sample weight of row i. */
        public double weight(int i) {
            return weights[weights.length == 1 ? 0 : i];
        }
    }

    /** The arrays y, z and weights, shared and not copied. */
    public SharedArrays shared() {
        return new SharedArrays(y, z, weights);
    }

    public double[] y() {
        return y.clone();
    }

    public double[] z() {
        return z.clone();
    }

    /** The target value of row i. */
    public double y(int i) {
        return y[i];
    }

    /** The wish of row i. */
    public double z(int i) {
        return z[i];
    }

    public Population population() {
        return population;
    }

    /** The gamma of the followers; in a mixed population the median of the finite gammas. */
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
     * For each immutable column a level that can be subtracted without rounding, while the intercept absorbs it: the
     * first value, if all values of rows with positive weight lie between half and twice it (then the differences are
     * exact, by Sterbenz's lemma), else 0. Without this, a column such as 1 + k 2^-40 would be taken for a constant.
     */
    public double[] immutableLevels() {
        double[] levels = new double[immutable.length];
        for (int j = 0; j < levels.length && intercept; j++) {
            levels[j] = levelOf(immutable[j]);
        }
        return levels;
    }

    /**
     * The immutable columns minus these levels. A column of which only rounding is left, in rows with positive weight,
     * becomes exactly 0.
     */
    public double[][] immutableMinus(double[] levels) {
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

    /** The sample weight s_i of row i. */
    public double weight(int i) {
        return weights.length == 1 ? weights[0] : weights[i];
    }

    /** The sum of the sample weights, sum_i s_i. */
    public double totalWeight() {
        return total(weights, x.rows());
    }

    private static double total(double[] weights, int rows) {
        return weights.length == 1 ? rows * weights[0] : Arrays.stream(weights).sum();
    }

    /** The number of rows with positive sample weight. */
    public int rowsWithWeight() {
        return weights.length == 1
                ? weights[0] > 0 ? x.rows() : 0
                : (int) Arrays.stream(weights).filter(s -> s > 0).count();
    }

    /** Whether every row has sample weight 1. */
    public boolean isUnweighted() {
        return Vectors.isOnes(weights);
    }

    /** The standard deviations sigma_i with which the wishes are known. */
    public double[] wishNoise() {
        return wishNoise.length == x.rows() ? wishNoise.clone() : filled(x.rows(), wishNoise[0]);
    }

    /** The standard deviation sigma_i with which wish i is known; 0 if it is known exactly. */
    public double wishNoise(int i) {
        return wishNoise.length == 1 ? wishNoise[0] : wishNoise[i];
    }

    /** The limits of moves; empty if there are none. */
    public Optional<Response.Bounds> bounds() {
        return Optional.ofNullable(bounds);
    }

    /**
     * The effects beta, the real change of the target for a move of each feature by one unit; empty if moves do not
     * change it.
     */
    public Optional<double[]> effects() {
        return Optional.ofNullable(effects).map(double[]::clone);
    }

    /** beta'C^{-1}w of a rule: the real change of the target for a move along C^{-1}w. */
    public double earned(LinearRule rule) {
        return effects == null ? 0 : rule.earned(costs, effects);
    }

    /** The leader's loss l. */
    public Loss loss() {
        return loss;
    }

    /** The weight mu of the penalty; 0 for none. */
    public double ridge() {
        return ridge;
    }

    /**
     * The penalty of a rule, which is added to {@link #leaderLoss}: mu (||u||^2 + gamma t^2) = mu gamma t with u = (1 -
     * t) w, with each follower's own gamma. For truthful followers it is mu omega, the limit for large gamma. With effects it is mu (||u||^2 + gamma
     * tau^2) with u = (1 - tau) w.
     */
    public double penalty(LinearRule rule) {
        if (ridge == 0) {
            return 0;
        }
        double omega = rule.omega(costs);
        if (effects != null) {
            Response response = Response.of(omega, earned(rule), gamma());
            double remaining = response.remainingError();
            return ridge * (remaining * remaining * omega + gamma() * response.gamed() * response.gamed());
        }
        double paying = 0;
        for (var part : population.shares(this::weight).entrySet()) {
            paying += part.getValue() * Response.remainder(omega, part.getKey());
        }
        return ridge * omega * paying;
    }

    /** s^2 = sum_i s_i sigma_i^2: the wish noise adds t^2 s^2 to the leader's loss. */
    public double wishNoiseVariance() {
        if (isCommon(weights) && isCommon(wishNoise)) {
            double each = weights[0] * wishNoise[0] * wishNoise[0];
            double all = x.rows() * each;
            // a product equals the sum to the last bit only for whole numbers; others are summed as below
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

    /** The predictions p_i = w'x_i + q'v_i + intercept of all rows before any move. */
    public double[] predict(LinearRule rule, Workers workers) {
        return predict(List.of(rule), workers)[0];
    }

    /**
     * Receives the predictions of the first of several rules, block by block, while the features of the block are in
     * the cache.
     */
    @FunctionalInterface
    public interface PredictionObserver {
        /** Called when p[first], ..., p[first + count - 1] are known. */
        void observe(int first, int count, double[] p);
    }

    /** The predictions of several rules, one array each, from one product with the features. */
    public double[][] predict(List<LinearRule> rules, Workers workers) {
        return predict(rules, null, workers);
    }

    /**
     * The predictions of several rules, with an observer of the predictions of the first rule.
     *
     * @param observers makes an observer for each part of the rows; null for none
     */
    public double[][] predict(
            List<LinearRule> rules, @Nullable Supplier<? extends PredictionObserver> observers, Workers workers) {
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
            steps[part] = new Predicting(rules, predictions, observers == null ? null : observers.get());
        }
        x.look(w, steps, workers);
        return predictions;
    }

    /** Adds the immutable part to w'x of a block of rows, and shows the predictions to the observer. */
    private final class Predicting implements Matrix.RowStep {
        private final List<LinearRule> rules;
        private final double[][] predictions;
        private final @Nullable PredictionObserver observer;

        Predicting(List<LinearRule> rules, double[][] predictions, @Nullable PredictionObserver observer) {
            this.rules = rules;
            this.predictions = predictions;
            this.observer = observer;
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
            if (observer != null) {
                observer.observe(firstRow, rowCount, predictions[0]);
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

    /**
     * The pull-through t = omega/(gamma + omega) under this rule, without limits: the share of the gap to their wish
     * that followers close.
     */
    public double pullThrough(LinearRule rule) {
        return pullThrough(rule.omega(costs));
    }

    /**
     * The pull-through under the declared limits: the weighted mean over rows of the share of the gap that each closes.
     * A row without a gap counts with the share of the closed form. If no limit stops any row, the result equals the
     * one without limits to the last bit.
     */
    public double pullThrough(LinearRule rule, Workers workers) {
        double omega = rule.omega(costs);
        if (bounds == null) {
            return pullThrough(omega);
        }
        return closed(rule, workers, Response.Bounded::gain, gamma -> Response.pullThrough(omega, gamma))
                .orElseGet(() -> pullThrough(omega));
    }

    /** The weighted mean over rows of the share of the gap by which the target really moves; 0 without effects. */
    public double earnedShare(LinearRule rule, Workers workers) {
        if (effects == null) {
            return 0;
        }
        requireUniform();
        double omega = rule.omega(costs);
        double earned = earned(rule);
        DoubleUnaryOperator free = gamma -> Response.of(omega, earned, gamma).earned();
        double all = free.applyAsDouble(population.gamma(0));
        return bounds == null
                ? all
                : closed(rule, workers, Response.Bounded::earned, free).orElse(all);
    }

    /**
     * The weighted mean over rows of a gain as a share of the gap; empty if no limit stops any row.
     *
     * @param gain the gain of a row that a limit stops
     * @param free the share of a row that no limit stops, by its gamma
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

    /** The number of rows that a limit or the declared side stops under a rule; 0 without limits. */
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

    /**
     * The pull-through of a rule with this omega, without limits; in a mixed population the weighted mean of the
     * expected shares.
     */
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

    /** The predictions after the move, (1 - t) p_i + t z_i; expected values if followers can be truthful. */
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

    /** The predictions after the move of followers that are not truthful. */
    private double[] afterResponse(double omega, double[] predictions) {
        IntFunction<Response> responses = population.responses(omega);
        double[] p = new double[predictions.length];
        for (int i = 0; i < p.length; i++) {
            p[i] = responses.apply(i).after(predictions[i], z[i]);
        }
        return p;
    }

    /**
     * The move x_i* - x_i = (z_i - p_i)/(gamma + omega) C^{-1}w of a follower with the game's typical gamma, without
     * limits.
     */
    public double[] move(LinearRule rule, double prediction, double wish) {
        double[] move = rule.w();
        double step = Response.of(rule.omega(costs), gamma()).step(prediction, wish);
        for (int j = 0; j < move.length; j++) {
            move[j] *= step / costs[j];
        }
        return move;
    }

    /**
     * Calls a visitor with the response of every row under the declared limits to a rule with these coefficients of the
     * manipulable features.
     */
    public void eachBounded(double[] w, double omega, Workers workers, Response.Bounded.Visitor visitor) {
        Response.Bounds limits = bounds == null ? Response.Bounds.none(x.cols(), null) : bounds;
        Response.Bounded.each(x, () -> new Response.Bounded(w, omega, costs, limits, effects), workers, visitor);
    }

    /**
     * The leader's expected loss after all followers have moved; for squared loss sum_i s_i ((1 - t) p_i + t z_i -
     * y_i)^2 + t^2 sum_i s_i sigma_i^2.
     */
    public double leaderLoss(LinearRule rule, Workers workers) {
        double omega = rule.omega(costs);
        double[] predictions = predict(rule, workers);
        return bounds == null
                ? leaderLoss(omega, earned(rule), predictions)
                : boundedLoss(rule.w(), omega, predictions, workers);
    }

    /**
     * The leader's expected loss under the declared limits, for a rule whose predictions are known.
     *
     * @param w the coefficients of the manipulable features
     * @param omega w'C^{-1}w
     * @param predictions the scores of all rows before the move
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

    /**
     * The leader's expected loss with or without limits; if no limit changes any response it equals the closed form to
     * the last bit.
     */
    public double leaderLoss(double[] w, double omega, double[] predictions, Workers workers) {
        AtomicBoolean limited = new AtomicBoolean();
        if (bounds != null) {
            eachBounded(w, omega, workers, (i, person) -> {
                if (!limited.get() && person.isLimited(predictions[i], z[i], population.gamma(i), wishNoise(i))) {
                    limited.set(true);
                }
            });
        }
        return limited.get()
                ? boundedLoss(w, omega, predictions, workers)
                : leaderLoss(omega, earned(new LinearRule(w, new double[0], 0)), predictions);
    }

    /**
     * The leader's expected loss without limits and effects, for a rule with this omega whose predictions are known.
     */
    public double leaderLoss(double omega, double[] predictions) {
        return leaderLoss(omega, 0, predictions);
    }

    /**
     * The leader's expected loss if moves really change the target: sum_i s_i ((1 - tau) p_i + tau z_i - y_i)^2 + tau^2
     * sum_i s_i sigma_i^2.
     *
     * @param earned beta'C^{-1}w, the change of the target for a move along C^{-1}w; 0 without effects
     */
    public double leaderLoss(double omega, double earned, double[] predictions) {
        if (earned != 0) {
            requireSquares("moves that really change the target");
            requireUniform();
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

    /** The leader's loss if no follower moves: sum_i s_i l(p_i, y_i). */
    public double honestLoss(LinearRule rule, Workers workers) {
        return lossOf(predict(rule, workers));
    }

    /** The loss of given scores, sum_i s_i l(S_i, y_i). */
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
     * The rule refitted on other features by a leader that ignores moves, as retraining does: min sum_i s_i l(w'x_i +
     * q'v_i + b, y_i) + mu w'C^{-1}w, for other losses than the squared one. If the minimum is not finite, a penalty on
     * standardised columns is added, chosen by the loss on held-out rows. If features are too large to square, all
     * coefficients are NaN.
     *
     * @param features x after moves, followed by the immutable columns
     * @param usedColumns the columns of x that the rule may use
     */
    public LinearRule refit(Matrix features, boolean[] usedColumns, Workers workers) {
        int n = x.cols();
        boolean[] used = Arrays.copyOf(usedColumns, features.cols());
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
        LinearEstimator.Fit fit =
                new LinearEstimator(features, y, intercept, loss, workers).refit(weights(), used, penalties);
        return new LinearRule(
                Arrays.copyOf(fit.w(), n), Arrays.copyOfRange(fit.w(), n, features.cols()), fit.constant());
    }

    /** The squared loss of given predictions, sum_i s_i (p_i - y_i)^2. */
    public double squaredLoss(double[] predictions) {
        double loss = 0;
        for (int i = 0; i < predictions.length; i++) {
            double residual = predictions[i] - y[i];
            loss += weight(i) * residual * residual;
        }
        return loss;
    }

    /** The squared loss after the move, with one response for all rows. */
    private double squaredLoss(double[] predictions, Response common) {
        double loss = 0;
        for (int i = 0; i < predictions.length; i++) {
            double residual = common.after(predictions[i], z[i]) - y[i];
            loss += weight(i) * residual * residual;
        }
        return loss;
    }

    /**
     * Refuses a feature of the game that only the squared loss supports.
     *
     * @param with the feature; null if the game does not have it
     */
    private void requireSquares(@Nullable String with) {
        if (with != null && !loss.isSquared()) {
            throw new IllegalArgumentException(
                    "The loss " + loss + " cannot be combined with " + with + ".\nMaybe leave out one of the two.");
        }
    }

    private void requireUniform() {
        if (!population.uniform()) {
            throw new IllegalArgumentException(
                    "Moves that really change the target cannot be combined with a mixed population"
                            + " (a truthful share, a gamma per row)."
                            + "\nMaybe leave out the effects, or give all people the same gamma.");
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
