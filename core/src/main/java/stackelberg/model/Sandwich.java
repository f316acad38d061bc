package stackelberg.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Stream;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The sandwich estimator A^{-1} B A^{-1} of the covariance of the coefficients theta = (w, q, intercept): A is the
 * Hessian of the leader's objective, a sum over the rows, and B is the sum of the outer products of the rows'
 * gradients.
 *
 * <p>A row's expected loss depends on theta only through its score p = w'x + q'v + intercept, omega = w'C^{-1}w and
 * epsilon = beta'C^{-1}w. Hence nine derivatives of each row ({@link Person}) and two Gram matrices determine
 * everything. An immutable intercept is that of centred columns.
 */
final class Sandwich {
    /** The largest variance inflation factor, beyond which a standard error would consist of rounding errors. */
    private static final double MOST_INFLATED = 1e10;

    /** A Newton step below this fraction of a coefficient counts as zero. */
    private static final double ROUNDING = 1e-7;

    /** A mean within this relative distance of the first value belongs to a constant column. */
    private static final double LAST_DIGITS = 1e-9;

    /** The number of rows multiplied at once. */
    private static final int BLOCK = 512;

    /**
     * A constraint on the rule by its loss before any move: sum_i s_i (part l(p_i, y_i) - allowed_i) = 0, to first
     * order in the rule and in the weights s_i.
     *
     * @param share theta, the weight of the loss before any move at which the constraint holds
     * @param part the factor of that loss
     * @param allowed the derivative of the bound by the weight of each row
     */
    record Bound(double share, double part, double[] allowed) {}

    private final PredictionGame game;
    private final Person person;
    private final Workers workers;
    private final int features;
    private final int order;
    /** C^{-1}w and C^{-1}beta; the latter is 0 without effects. */
    private final double[] along;

    private final double[] earning;
    private final boolean earns;
    private final double[] means;
    private final Bound bound;
    /** The Gram matrix part of the Hessian; null if it is summed with the rest. */
    private final DenseMatrix curvature;

    private final DenseMatrix hessian;
    /**
     * Sums of products of the rows' vectors [gradient, excess over the bound, deviation of the pull-through from its
     * mean].
     */
    private final DenseMatrix slopes;
    /** The gradient of the loss before any move. */
    private final double[] honestSlope;
    /** The sums of the same vectors; 0 at the best rule. */
    private final double[] total;

    /**
     * Returns the estimator for a game in which all wishes are equal, so that the rule cancels them: it is regression
     * with a bound, F(u, qHat) = sum_i s_i l(S_i, y_i) + lambda (||u||^2 - gamma/4), where u replaces w, nothing moves,
     * ||u||^2 = u'C^{-1}u, and lambda &gt;= 0 is the multiplier that best explains the gradient of F.
     */
    private static Sandwich undone(PredictionGame game, double[] u, double[] scores, Workers workers) {
        double[] never = new double[scores.length];
        Arrays.fill(never, Double.POSITIVE_INFINITY);
        PredictionGame still = game.withRidge(0).withPopulation(new Population(never, 0));
        LinearRule rule = new LinearRule(u, new double[game.immutable().length], 0);
        Sandwich sandwich = new Sandwich(still, rule, scores, null, workers);
        double[] costs = game.costs();
        double push = 0;
        for (int j = 0; j < u.length; j++) {
            push -= sandwich.total[j] * u[j];
        }
        for (int j = 0; j < u.length && push > 0; j++) {
            double held = push / (sandwich.person.omega * costs[j]);
            sandwich.hessian.set(j, j, sandwich.hessian.get(j, j) + held);
        }
        return sandwich;
    }

    /**
     * For equal wishes the game is regression with ||u||^2 &lt;= gamma/4, where u = (1 - t) w. Returns by how many
     * standard errors regression without the bound would exceed it, to first order; empty if other rules are as good.
     * If the value is near 0, the bound may be active on some samples and not on others.
     */
    static OptionalDouble beyondBound(PredictionGame game, LinearRule rule, Workers workers) {
        double omega = rule.omega(game.costs());
        double[] u = rule.w();
        Vectors.scale(Response.remainder(omega, game.gamma()), u);
        Sandwich undone = undone(game, u, game.predictAfterResponse(rule, workers), workers);
        double[] slope = undone.along.clone();
        Vectors.scale(2, slope);
        return undone.covariance()
                .map(covariance -> OptionalDouble.of(
                        (undone.person.omega - game.gamma() / 4 + Vectors.dot(slope, covariance.step()))
                                / Math.sqrt(covariance.of(slope))))
                .orElse(OptionalDouble.empty());
    }

    /**
     * @param predictions the rule's predictions
     * @param bound the constraint of a hedge; null if there is none
     */
    Sandwich(PredictionGame game, LinearRule rule, double[] predictions, Bound bound, Workers workers) {
        this.game = game;
        this.workers = workers;
        this.bound = bound;
        this.features = game.x().cols();
        int columns = features + game.immutable().length;
        this.order = columns + (game.hasIntercept() ? 1 : 0);
        this.along = new double[order];
        this.earning = new double[order];
        double[] w = rule.w();
        double[] costs = game.costs();
        this.earns = game.effects().isPresent();
        double[] effects = game.effects().orElse(new double[features]);
        for (int j = 0; j < features; j++) {
            along[j] = w[j] / costs[j];
            earning[j] = effects[j] / costs[j];
        }
        this.person = new Person(game, rule, bound);
        this.means = game.hasIntercept() ? means(columns) : new double[columns];
        this.curvature = curvature();
        this.honestSlope = new double[order];
        this.total = new double[order + 2];
        this.hessian = DenseMatrix.zeros(order, order);
        boolean plain = curvature != null
                && bound == null
                && !earns
                && game.population().uniform();
        this.slopes = plain ? sumsOfMany(predictions) : sums(predictions);
    }

    /** Returns the weighted means of all columns. */
    private double[] means(int columns) {
        double[] weights = game.isUnweighted() ? new double[] {1} : game.weights();
        DenseMatrix moved = DenseMatrix.zeros(features, 1);
        game.x()
                .transposeTimes(
                        new Matrix.RowVectors(game.x().rows(), weights, new double[] {1}), moved, null, null, workers);
        double[] sums = Arrays.copyOf(moved.column(0), columns);
        double[][] fixed = game.immutable();
        double[] each = fixed.length == 0 ? weights : game.weights();
        for (int j = 0; j < fixed.length; j++) {
            sums[features + j] = Vectors.dot(each, fixed[j]);
        }
        Vectors.scale(1 / game.totalWeight(), sums);
        double[] first = new double[columns];
        game.x().tile(0, 1, 0, features, DoubleBuffer.wrap(first, 0, features));
        for (int j = 0; j < columns; j++) {
            first[j] = j < features ? first[j] : fixed[j - features][0];
            // a constant column minus its mean must be exactly 0, without rounding
            boolean near = Math.abs(sums[j] - first[j]) <= LAST_DIGITS * Math.abs(first[j]);
            sums[j] = near && isConstant(j, first[j], fixed) ? first[j] : sums[j];
        }
        return sums;
    }

    private boolean isConstant(int j, double value, double[][] fixed) {
        if (j >= features) {
            return Arrays.stream(fixed[j - features]).allMatch(other -> other == value);
        }
        double[] some = new double[BLOCK];
        for (int from = 0; from < game.x().rows(); from += BLOCK) {
            int count = Math.min(BLOCK, game.x().rows() - from);
            game.x().tile(from, count, j, 1, DoubleBuffer.wrap(some, 0, count));
            if (!Arrays.stream(some, 0, count).allMatch(other -> other == value)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the part of the Hessian that is a Gram matrix, if there are many rows and the loss is squared, so that
     * all rows have the same curvature. Returns null otherwise, or if centring the products would lose digits.
     */
    private DenseMatrix curvature() {
        boolean alike = game.loss().isSquared()
                && game.population().isOneGamma()
                && Gram.isMany(game.x())
                && game.immutable().length == 0;
        if (!alike || !game.isUnweighted()) {
            return null;
        }
        DenseMatrix all = DenseMatrix.zeros(order, order);
        Gram.ofMany((DenseMatrix) game.x(), all.firstRows(features).columns(0, features), workers);
        person.at(0, 0);
        int people = game.x().rows();
        for (int i = 0; i < order; i++) {
            double[] row = all.row(i);
            if (i < features && !(people * means[i] * means[i] <= row[i] / 2)) {
                return null;
            }
            for (int j = 0; j < features && i < features; j++) {
                row[j] -= people * means[i] * means[j];
            }
            row[i] += i == features ? people : 0;
            Vectors.scale(person.pp, row);
            all.setRow(i, row);
        }
        return all;
    }

    /** Receives the rows one by one. */
    private interface Visitor<T> {
        /**
         * Visits a row: its features, its immutable columns and, if there is an intercept, 1, all without centring. The
         * array is valid only until the next call.
         */
        void visit(T sums, int i, double[] row);
    }

    /**
     * Returns sums over parts of the rows, which are visited in parallel; the caller adds them in their order, so that
     * the result does not depend on the threads.
     */
    private <T> List<T> parts(Supplier<T> zero, Visitor<T> visitor) {
        int people = game.x().rows();
        int parts = Moments.parts(people, order);
        double[][] fixed = game.immutable();
        List<T> sums = Stream.generate(zero).limit(parts).toList();
        workers.run(parts, part -> {
            int from = Moments.first(people, part, parts);
            int end = Moments.first(people, part + 1, parts);
            double[] tile = new double[Math.min(end - from, BLOCK) * features];
            double[] row = new double[order];
            for (int first = from; first < end; first += BLOCK) {
                int count = Math.min(BLOCK, end - first);
                game.x().tile(first, count, 0, features, DoubleBuffer.wrap(tile, 0, count * features));
                for (int i = 0; i < count; i++) {
                    System.arraycopy(tile, i * features, row, 0, features);
                    for (int j = 0; j < fixed.length; j++) {
                        row[features + j] = fixed[j][first + i];
                    }
                    if (game.hasIntercept()) {
                        row[order - 1] = 1;
                    }
                    visitor.visit(sums.get(part), first + i, row);
                }
            }
        });
        return sums;
    }

    /** Sums over a part of the rows. */
    private final class Sums {
        private final int people = game.x().rows();
        private final Person each = new Person(person);
        private final Moments.Builder curved = new Moments.Builder(order, BLOCK, people, workers);
        private final Moments.Builder sloped = new Moments.Builder(order + 2, BLOCK, people, workers);
        private final double[] byOmega = new double[order];
        private final double[] byEarned = new double[order];
        private final double[] slope = new double[order + 2];
        private final double[] slopes = new double[order + 2];
        private final double[] honest = new double[order];
        private final double[] sum = new double[4];
        private final double[] centre = Arrays.copyOf(means, order);

        /**
         * Adds row i.
         *
         * @param s the sample weight
         * @param pull the deviation of its pull-through from the mean, times its share of the total weight
         */
        void add(int i, double prediction, double s, double pull, double[] row) {
            each.at(i, prediction);
            double byScore = s * each.p;
            double byOwn = 2 * s * each.o;
            double mixed = s * each.po;
            for (int j = 0; j < order; j++) {
                double value = row[j] - centre[j];
                row[j] = value;
                slope[j] = byScore * value + byOwn * along[j];
                byOmega[j] += mixed * value;
            }
            if (earns) {
                for (int j = 0; j < order; j++) {
                    slope[j] += s * each.e * earning[j];
                    byEarned[j] += s * each.pe * row[j];
                }
            }
            slope[order] = bound == null ? 0 : s * each.excess(i, prediction);
            slope[order + 1] = pull;
            Vectors.axpy(1, slope, slopes);
            sloped.add(1, slope);
            if (bound != null) {
                Vectors.axpy(s * game.loss().slope(prediction, game.y(i)), row, honest);
            }
            sum[0] += s * each.o;
            sum[1] += s * each.oo;
            sum[2] += s * each.oe;
            sum[3] += s * each.ee;
            if (curvature == null) {
                curved.add(s * each.pp, row);
            }
        }
    }

    /** Computes the Hessian and returns the sums of gradients. */
    private DenseMatrix sums(double[] predictions) {
        double weight = game.totalWeight();
        double pull = game.pullThrough(person.omega);
        List<Sums> parts = parts(
                Sums::new,
                (own, i, row) -> own.add(
                        i,
                        predictions[i],
                        game.weight(i),
                        game.weight(i) / weight * (game.population().expectedPullThrough(i, person.omega) - pull),
                        row));
        double[] byOmega = new double[order];
        double[] byEarned = new double[order];
        double[] sum = new double[4];
        for (Sums part : parts) {
            Vectors.axpy(1, part.slopes, total);
            Vectors.axpy(1, part.byOmega, byOmega);
            Vectors.axpy(1, part.byEarned, byEarned);
            Vectors.axpy(1, part.honest, honestSlope);
            Vectors.axpy(1, part.sum, sum);
        }
        hessian.setAll(
                curvature != null
                        ? curvature
                        : Moments.sum(parts.stream()
                                        .map(part -> part.curved.build())
                                        .toList())
                                .products());
        addOwn(byOmega, byEarned, sum);
        return Moments.sum(parts.stream().map(part -> part.sloped.build()).toList())
                .products();
    }

    /**
     * Computes the same for many rows with equal gammas, by matrix products of the rows [s x, s, o, 1], where s and o
     * are the derivatives by score and omega. A gradient is s (x - c) + o a with the means c and a = C^{-1}w, so that
     * all products of gradients follow from these. Matrix products are used because a loop over all values would run in
     * code that is not yet compiled and take longer than everything else that is reported about a rule. No digits are
     * lost if the means can be subtracted from the {@link #curvature}.
     */
    private DenseMatrix sumsOfMany(double[] predictions) {
        int people = game.x().rows();
        int parts = Moments.parts(people, order);
        Scaled[] each = new Scaled[parts];
        workers.run(parts, part -> {
            Scaled own = new Scaled();
            int end = Moments.first(people, part + 1, parts);
            for (int first = Moments.first(people, part, parts); first < end; first += BLOCK) {
                own.add(first, Math.min(BLOCK, end - first), predictions);
            }
            each[part] = own;
        });
        int n = features;
        double[] sum = new double[4];
        double[] byOmega = new double[order];
        double mixed = 0;
        DenseMatrix p = DenseMatrix.zeros(n + 3, n + 3);
        for (Scaled part : each) {
            Vectors.axpy(1, part.sum, sum);
            mixed += part.mixedSum;
            for (int j = 0; j < n; j++) {
                byOmega[j] += part.byOmega.get(j, 0);
            }
            for (int a = 0; a < n + 3; a++) {
                for (int b = 0; b <= a; b++) {
                    p.set(a, b, p.get(a, b) + part.products.get(a, b));
                }
            }
        }
        DenseMatrix all = DenseMatrix.zeros(order + 2, order + 2);
        for (int a = 0; a < order; a++) {
            boolean one = a == n;
            byOmega[a] = one ? mixed : byOmega[a] - mixed * means[a];
            total[a] = p.get(n + 2, a) + (one ? 0 : p.get(n + 2, n + 1) * along[a] - p.get(n + 2, n) * means[a]);
            for (int b = 0; b <= a; b++) {
                all.set(a, b, slopeProduct(p, a, b));
            }
        }
        Gram.symmetrize(all);
        hessian.setAll(curvature);
        addOwn(byOmega, new double[order], sum);
        return all;
    }

    /**
     * Returns the sum of products of components a and b &lt;= a of the gradients, from the products of [s x, s, o, 1].
     * The intercept's component is s.
     */
    private double slopeProduct(DenseMatrix p, int a, int b) {
        int n = features;
        if (a == n) {
            return b == n ? p.get(n, n) : p.get(n, b) - p.get(n, n) * means[b] + p.get(n + 1, n) * along[b];
        }
        double centred =
                p.get(a, b) - p.get(n, a) * means[b] - p.get(n, b) * means[a] + p.get(n, n) * means[a] * means[b];
        double ownA = p.get(n + 1, a) - p.get(n + 1, n) * means[a];
        double ownB = p.get(n + 1, b) - p.get(n + 1, n) * means[b];
        return centred + ownA * along[b] + ownB * along[a] + p.get(n + 1, n + 1) * along[a] * along[b];
    }

    /** Sums over a part of the rows that all have the same gamma. */
    private final class Scaled {
        private final int width = features + 3;
        private final Person each = new Person(person);
        private final double[] rows = new double[BLOCK * features];
        private final double[] byScore = new double[BLOCK];
        private final double[] byOwn = new double[BLOCK];
        private final double[] mixed = new double[BLOCK];
        private final double[] written = new double[BLOCK * width];
        private final DoubleBuffer block = direct(BLOCK * width);
        private final DoubleBuffer mixedBlock = direct(BLOCK);
        private final DenseMatrix products = DenseMatrix.zeros(width, width);
        private final DenseMatrix byOmega = DenseMatrix.zeros(features, 1);
        private final double[] sum = new double[4];
        private double mixedSum;

        private static DoubleBuffer direct(int doubles) {
            return ByteBuffer.allocateDirect(8 * doubles)
                    .order(ByteOrder.nativeOrder())
                    .asDoubleBuffer();
        }

        /** Adds the products of a block of rows. */
        void add(int first, int count, double[] predictions) {
            for (int i = 0; i < count; i++) {
                each.at(first + i, predictions[first + i]);
                byScore[i] = each.p;
                byOwn[i] = 2 * each.o;
                mixed[i] = each.po;
                sum[0] += each.o;
                sum[1] += each.oo;
                mixedSum += each.po;
            }
            game.x().tile(first, count, 0, features, DoubleBuffer.wrap(rows, 0, count * features));
            write(count, features, rows, byScore, byOwn, written);
            block.put(0, written, 0, count * width);
            Gram.addTransposeProduct(block, count, game.x().rows(), width, products, workers);
            mixedBlock.put(0, mixed, 0, count);
            Gram.addTransposeTimes((DenseMatrix) game.x(), first, count, mixedBlock, byOmega);
        }

        /** Writes the rows [s x, s, o, 1] one after another. */
        private static void write(int count, int n, double[] x, double[] byScore, double[] byOwn, double[] to) {
            for (int i = 0, at = 0, from = 0; i < count; i++, at += n + 3, from += n) {
                double score = byScore[i];
                int j = 0;
                // unrolled by four: in code that is not fully compiled, the loop itself costs more than its body
                for (; j < n - 3; j += 4) {
                    to[at + j] = score * x[from + j];
                    to[at + j + 1] = score * x[from + j + 1];
                    to[at + j + 2] = score * x[from + j + 2];
                    to[at + j + 3] = score * x[from + j + 3];
                }
                for (; j < n; j++) {
                    to[at + j] = score * x[from + j];
                }
                to[at + n] = score;
                to[at + n + 1] = byOwn[i];
                to[at + n + 2] = 1;
            }
        }
    }

    /** Adds the curvature by omega and epsilon to the Hessian. */
    private void addOwn(double[] byOmega, double[] byEarned, double[] sum) {
        double[] costs = game.costs();
        for (int a = 0; a < order; a++) {
            for (int b = 0; b < order; b++) {
                double more = 2 * (byOmega[a] * along[b] + along[a] * byOmega[b])
                        + byEarned[a] * earning[b]
                        + earning[a] * byEarned[b]
                        + 4 * sum[1] * along[a] * along[b]
                        + 2 * sum[2] * (along[a] * earning[b] + earning[a] * along[b])
                        + sum[3] * earning[a] * earning[b]
                        + (a == b && a < features ? 2 * sum[0] / costs[a] : 0);
                hessian.set(a, b, hessian.get(a, b) + more);
            }
        }
    }

    /** Returns A in the coefficients of centred columns. */
    DenseMatrix hessian() {
        return hessian;
    }

    /**
     * Returns the sums of products of the gradients, with two more columns for the excess over a bound and for the
     * deviation of the pull-through.
     */
    DenseMatrix slopes() {
        return slopes;
    }

    /** Returns the values by which columns are centred; 0 without an immutable intercept. */
    double[] means() {
        return means.clone();
    }

    /** Returns k, the number of coefficients. */
    int order() {
        return order;
    }

    /**
     * Variances of functions of theta.
     *
     * @param theta the covariance of theta, HC0
     * @param step the next Newton step of theta
     * @param left the largest component of that step in standard errors
     * @param own the covariances of theta with the mean pull-through at a fixed rule, followed by the variance of that
     *     mean; other samples have other gammas
     */
    record Covariance(DenseMatrix theta, double[] step, double left, double[] own) {
        /** Returns g'Vg, the variance of a function with gradient g. */
        double of(double[] gradient) {
            double sum = 0;
            for (int a = 0; a < gradient.length; a++) {
                sum += gradient[a] == 0 ? 0 : gradient[a] * Vectors.dot(theta.row(a), gradient);
            }
            return Math.max(0, sum);
        }

        /**
         * Returns the variance of the mean pull-through, whose gradient is given: it depends on theta and on the gammas
         * in the sample.
         */
        double withMean(double[] gradient) {
            double cross = 0;
            for (int a = 0; a < gradient.length; a++) {
                cross += gradient[a] * own[a];
            }
            return Math.max(0, of(gradient) + 2 * cross + own[gradient.length]);
        }
    }

    /**
     * Returns whether coefficient a belongs to an immutable column that the intercept absorbs: it is 0 on every sample.
     */
    private boolean isHeld(int a) {
        return a >= features
                && hessian.get(a, a) == 0
                && Arrays.stream(hessian.row(a)).allMatch(value -> value == 0);
    }

    /** Returns the variances; empty if A is not positive definite beyond rounding, so that other rules are as good. */
    Optional<Covariance> covariance() {
        double[] unit = new double[order];
        DenseMatrix scaled = DenseMatrix.zeros(order, order);
        for (int a = 0; a < order; a++) {
            boolean held = isHeld(a);
            if (!held && !(hessian.get(a, a) > 0)) {
                return Optional.empty();
            }
            unit[a] = held ? 1 : 1 / Math.sqrt(hessian.get(a, a));
        }
        for (int a = 0; a < order; a++) {
            for (int b = 0; b < order; b++) {
                scaled.set(a, b, a == b && isHeld(a) ? 1 : unit[a] * hessian.get(a, b) * unit[b]);
            }
        }
        DenseMatrix inverse =
                Cholesky.overwriting(scaled, 0, workers).map(Cholesky::inverse).orElse(null);
        for (int a = 0; a < order && inverse != null; a++) {
            inverse = inverse.get(a, a) <= MOST_INFLATED ? inverse : null;
        }
        if (inverse == null) {
            return Optional.empty();
        }
        for (int a = 0; a < order; a++) {
            for (int b = 0; b < order; b++) {
                inverse.set(a, b, unit[a] * inverse.get(a, b) * unit[b]);
            }
        }
        return Optional.of(covariance(influence(inverse)));
    }

    /**
     * Returns how each row's [gradient, excess] changes theta, with the sign reversed: A^{-1}, or with a constraint the
     * rows for theta of [A h; h' 0]^{-1}.
     */
    private DenseMatrix influence(DenseMatrix inverse) {
        DenseMatrix influence = DenseMatrix.zeros(order, order + 2);
        double[] toBound = new double[order];
        double stiffness = 0;
        for (int a = 0; a < order && bound != null; a++) {
            toBound[a] = Vectors.dot(inverse.row(a), honestSlope);
            stiffness += toBound[a] * honestSlope[a];
        }
        for (int a = 0; a < order; a++) {
            for (int b = 0; b < order; b++) {
                double kept = bound == null ? 0 : toBound[a] * toBound[b] / stiffness;
                influence.set(a, b, inverse.get(a, b) - kept);
            }
            influence.set(a, order, bound == null ? 0 : toBound[a] / stiffness);
        }
        return influence;
    }

    /** Returns the variances that follow from the influence of each row on theta. */
    private Covariance covariance(DenseMatrix influence) {
        double[] costs = game.costs();
        DenseMatrix half = DenseMatrix.zeros(order, order + 2);
        influence.times(slopes, half, workers);
        DenseMatrix turned = DenseMatrix.zeros(order + 2, order);
        double[] own = new double[order + 1];
        for (int a = 0; a < order; a++) {
            turned.setColumn(a, influence.row(a));
            own[a] = -half.get(a, order + 1);
        }
        own[order] = slopes.get(order + 1, order + 1);
        DenseMatrix theta = DenseMatrix.zeros(order, order);
        half.times(turned, theta, workers);
        double[] step = new double[order];
        double left = 0;
        for (int a = 0; a < order; a++) {
            step[a] = -Vectors.dot(influence.row(a), total);
            // a coefficient that the constraint fixes does not vary at all
            boolean rounding = a < features && Math.abs(step[a]) <= ROUNDING * Math.abs(along[a] * costs[a]);
            left = step[a] == 0 || rounding ? left : Math.max(left, Math.abs(step[a]) / Math.sqrt(theta.get(a, a)));
        }
        return new Covariance(theta, step, left, own);
    }

    /** Returns the gradient of the mean pull-through at the gammas of the rows. */
    double[] pullThroughSlope() {
        double sum = 0;
        double total = 0;
        // if all gammas are equal, the first row represents all
        int people = curvature == null ? game.x().rows() : 1;
        for (int i = 0; i < people; i++) {
            double gamma = game.population().gamma(i);
            double resistance = gamma + person.omega;
            sum += Double.isInfinite(gamma) ? 0 : game.weight(i) * gamma / (resistance * resistance);
            total += game.weight(i);
        }
        double[] slope = along.clone();
        Vectors.scale(2 * (1 - game.population().truthfulShare()) * sum / total, slope);
        return slope;
    }

    /** Returns the gradient of beta'C^{-1}w/(gamma + omega), the earned share. */
    double[] earnedSlope() {
        double resistance = game.gamma() + person.omega;
        double[] slope = earning.clone();
        Vectors.scale(1 / resistance, slope);
        Vectors.axpy(-2 * person.earned / (resistance * resistance), along, slope);
        return slope;
    }

    /**
     * The derivatives of a row's expected loss by p, omega and epsilon. The loss is S l(p) + (1 - S) (l(kappa p + tau
     * z) + tau^2 sigma^2) plus its share of the ridge, where S is the truthful share, tau = (omega - epsilon)/(gamma +
     * omega) and kappa = 1 - tau.
     */
    private static final class Person {
        private final Loss loss;
        private final double omega;
        private final double earned;
        private final PredictionGame game;
        private final double share;
        private final Bound bound;

        /** Tau and its derivatives for the previous row, which mostly has the same gamma. */
        private Shares shares;

        /** The derivatives of that row's share of the ridge per unit of weight, by omega and epsilon: o, e, oo, oe, ee. */
        private double[] ridge;

        private double known;

        private double p;
        private double o;
        private double e;
        private double pp;
        private double po;
        private double pe;
        private double oo;
        private double oe;
        private double ee;

        Person(PredictionGame game, LinearRule rule, Bound bound) {
            this.loss = game.loss();
            this.omega = rule.omega(game.costs());
            this.earned = game.earned(rule);
            this.game = game;
            this.share = bound == null ? game.population().truthfulShare() : bound.share;
            this.bound = bound;
        }

        /** Returns a copy for another thread. */
        Person(Person other) {
            this.loss = other.loss;
            this.omega = other.omega;
            this.earned = other.earned;
            this.game = other.game;
            this.share = other.share;
            this.bound = other.bound;
        }

        /**
         * Returns the ridge's share (1 - S) (kappa^2 omega + gamma tau^2) + S omega and its derivatives; with a
         * constraint, which the ridge is not part of, truthful rows pay nothing.
         */
        private double[] ridge(double gamma, Shares at) {
            if (game.ridge() == 0) {
                return new double[5];
            }
            double each = game.ridge() / game.totalWeight();
            if (Double.isInfinite(gamma)) {
                return new double[] {each, 0, 0, 0, 0};
            }
            double moving = 2 * (1 - share) * each;
            double truthful = bound == null ? share * each : 0;
            return new double[] {
                moving * (at.kappa * at.kappa / 2 - at.kappa * at.o * omega + gamma * at.tau * at.o) + truthful,
                moving * (-at.kappa * at.e * omega + gamma * at.tau * at.e),
                moving
                        * (-2 * at.kappa * at.o
                                + (at.o * at.o - at.kappa * at.oo) * omega
                                + gamma * (at.o * at.o + at.tau * at.oo)),
                moving
                        * (-at.kappa * at.e
                                + (at.o * at.e - at.kappa * at.oe) * omega
                                + gamma * (at.o * at.e + at.tau * at.oe)),
                moving * (at.e * at.e * omega + gamma * at.e * at.e)
            };
        }

        /** Returns the excess of this row's weighted loss before any move over its part of the bound. */
        double excess(int i, double prediction) {
            return bound.part * loss.value(prediction, game.y(i)) - bound.allowed[i];
        }

        /** Computes the derivatives for row i at a prediction. */
        void at(int i, double prediction) {
            double gamma = game.population().gamma(i);
            if (gamma != known) {
                known = gamma;
                shares = new Shares(omega, earned, gamma);
                ridge = ridge(gamma, shares);
            }
            o = ridge[0];
            e = ridge[1];
            oo = ridge[2];
            oe = ridge[3];
            ee = ridge[4];
            boolean never = Double.isInfinite(gamma);
            double stays = never ? 1 : share;
            p = stays * loss.slope(prediction, game.y(i));
            pp = stays * loss.curvature(prediction, game.y(i));
            po = 0;
            pe = 0;
            if (stays == 1) {
                return;
            }
            double moves = 1 - stays;
            Shares at = shares;
            double score = at.kappa * prediction + at.tau * game.z(i);
            double gap = game.z(i) - prediction;
            double first = moves * loss.slope(score, game.y(i));
            double second = moves * loss.curvature(score, game.y(i));
            double unknown = 2 * moves * game.wishNoise(i) * game.wishNoise(i);
            double byOmega = gap * at.o;
            double byEarned = gap * at.e;
            p += first * at.kappa;
            o += first * byOmega + unknown * at.tau * at.o;
            e += first * byEarned + unknown * at.tau * at.e;
            pp += second * at.kappa * at.kappa;
            po += second * at.kappa * byOmega - first * at.o;
            pe += second * at.kappa * byEarned - first * at.e;
            oo += second * byOmega * byOmega + first * gap * at.oo + unknown * (at.o * at.o + at.tau * at.oo);
            oe += second * byOmega * byEarned + first * gap * at.oe + unknown * (at.o * at.e + at.tau * at.oe);
            ee += second * byEarned * byEarned + unknown * at.e * at.e;
        }
    }

    /**
     * tau = (omega - epsilon)/(gamma + omega), kappa = 1 - tau, and the derivatives of tau; the second derivative by
     * epsilon is 0.
     */
    private record Shares(double tau, double kappa, double o, double e, double oo, double oe) {
        Shares(double omega, double earned, double gamma) {
            this(Response.of(omega, earned, gamma));
        }

        private Shares(Response response) {
            this(
                    response.gamed(),
                    response.remainingError(),
                    response.remainingError() / response.resistance(),
                    -1 / response.resistance(),
                    -2 * response.remainingError() / (response.resistance() * response.resistance()),
                    1 / (response.resistance() * response.resistance()));
        }
    }
}
