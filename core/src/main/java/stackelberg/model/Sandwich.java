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
 * A^{-1} B A^{-1}: how much theta = (w, q, intercept) would differ with other people, A the Hessian of the leader's sum and B the sum of the outer products of
 * everybody's slopes.
 *
 * <p>A person's expected loss depends on theta through p = w'x + q'v + intercept, omega = w'C^{-1}w and epsilon = beta'C^{-1}w alone, so nine derivatives of each person
 * ({@link Person}) and two Gram matrices are all there is to know. Where there is an intercept nobody can change, it is that of centred columns.
 */
final class Sandwich {
    /** Beyond this part of a variance that other coefficients explain, rounding is all that is left of a standard error. */
    private static final double MOST_INFLATED = 1e10;

    /** A step by this part of a coefficient is none. */
    private static final double ROUNDING = 1e-7;

    /** A mean of equal numbers is as near to them, relative, however many they are. */
    private static final double LAST_DIGITS = 1e-9;

    /** Rows that are multiplied at a time. */
    private static final int BLOCK = 512;

    /**
     * What bounds the loss if nobody moves: sum_i s_i (part l(p_i, y_i) - allowed_i) = 0, to first order in the rule and in the weights s_i.
     *
     * @param share theta, the weight of the loss if nobody moves where the bound is reached
     * @param allowed how the bound changes with the weight of each row
     */
    record Bound(double share, double part, double[] allowed) {}

    private final PredictionGame game;
    private final Person person;
    private final Workers workers;
    private final int features;
    private final int order;
    /** C^{-1}w and C^{-1}beta; the latter is 0 where moves do nothing to the target. */
    private final double[] along;

    private final double[] earning;
    private final boolean earns;
    private final double[] means;
    private final Bound bound;
    /** Null where it is summed with everything else. */
    private final DenseMatrix curvature;

    private final DenseMatrix hessian;
    /** The sums of products of [slopes, what the bound is exceeded by, what the mean pull-through is exceeded by]. */
    private final DenseMatrix slopes;
    /** The gradient of the loss if nobody moves. */
    private final double[] honestSlope;
    /** The sums of the same columns as those of the slopes: 0 at the best rule. */
    private final double[] total;

    /**
     * Of u in place of w where nobody moves, as all wish for the same and the rule undoes that: F(u, qHat) = sum_i s_i l(S_i, y_i) + lambda (||u||^2 - gamma/4), ||u||^2 = u'C^{-1}u, lambda
     * &gt;= 0 what best explains that F slopes.
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
     * Where all wish for the same, so that the game is regression with ||u||^2 &lt;= gamma/4, u = (1 - t) w: how many standard errors the regression that knows no bound would be beyond it, to first
     * order; empty where other rules are as good. Near 0 it is open whether the bound would hold the rule with other people.
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
     * @param predictions what the rule predicts everybody
     * @param bound null where nothing bounds the loss if nobody moves
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

    /** The means of all columns, by weight. */
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
            // of a column that is the same for everybody nothing is left, not even rounding
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
     * The part of the Hessian that is a Gram matrix, from where many rows are: by squared loss everybody's curvature is the same. Null where it is not, or where centring the products would cost digits.
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

    private interface Visitor<T> {
        /** Of person i the features, the immutable columns and, where there is an intercept, 1: not centred; the array is the visitor's until the next one. */
        void visit(T sums, int i, double[] row);
    }

    /** Sums over parts of the people, of which several are visited side by side: to be added in their order. */
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

    /** Sums over some of the people. */
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
         * @param s how much the person counts
         * @param pull its pull-through beyond the mean, by its part of all
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

    /** Fills the Hessian, and sums the slopes. */
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
     * The same of many people who are all alike, by products of their rows [s x, s, o, 1], s and o the derivatives by score and omega: a slope is s (x - c) + o a, c the means and a = C^{-1}w, so that all of
     * its products are made of these. Hardly anything is done in a loop of this class for every value of everybody: it would run for the first time, and take longer than everything else that is told of a rule.
     * No digit is lost where the means can be taken off the {@link #curvature}.
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

    /** The sum of products of two slopes, b at most a, from the products of [s x, s, o, 1]. The intercept's slope is s. */
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

    /** Sums over some of the people who are all alike. */
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

        /** Writes one row [s x, s, o, 1] after the other. */
        private static void write(int count, int n, double[] x, double[] byScore, double[] byOwn, double[] to) {
            for (int i = 0, at = 0, from = 0; i < count; i++, at += n + 3, from += n) {
                double score = byScore[i];
                int j = 0;
                // by four: until it is compiled to its best, a loop costs more than what is in it
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

    /** Adds to the Hessian what omega and epsilon curve. */
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

    /** A, in the coefficients of centred columns. */
    DenseMatrix hessian() {
        return hessian;
    }

    /** The sums of products of everybody's slopes, with two columns for what a bound and the mean pull-through are exceeded by. */
    DenseMatrix slopes() {
        return slopes;
    }

    /** What columns are centred by; 0 where there is no intercept that nobody can change. */
    double[] means() {
        return means.clone();
    }

    /** The number of coefficients, k. */
    int order() {
        return order;
    }

    /**
     * Variances of what depends on theta.
     *
     * @param theta the covariance of theta, HC0
     * @param step what Newton's method would still add to theta
     * @param left the same in standard errors: the largest of all coefficients
     * @param own the covariance of theta with the mean of everybody's pull-through at the same rule, and the variance of that mean: people of other gammas would have another
     */
    record Covariance(DenseMatrix theta, double[] step, double left, double[] own) {
        /** g'Vg. */
        double of(double[] gradient) {
            double sum = 0;
            for (int a = 0; a < gradient.length; a++) {
                sum += gradient[a] == 0 ? 0 : gradient[a] * Vectors.dot(theta.row(a), gradient);
            }
            return Math.max(0, sum);
        }

        /** The same of what is a mean over the people besides. */
        double withMean(double[] gradient) {
            double cross = 0;
            for (int a = 0; a < gradient.length; a++) {
                cross += gradient[a] * own[a];
            }
            return Math.max(0, of(gradient) + 2 * cross + own[gradient.length]);
        }
    }

    /** Whether a coefficient is one of a column that nobody can change and that the constant takes up: it is 0 whoever the people are. */
    private boolean isHeld(int a) {
        return a >= features
                && hessian.get(a, a) == 0
                && Arrays.stream(hessian.row(a)).allMatch(value -> value == 0);
    }

    /** Empty where A is not positive definite by more than rounding: then other rules are as good. */
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
     * What everybody's [slope, excess] does to theta, with the sign changed: A^{-1}, or where a bound holds the rows of theta of [A h; h' 0]^{-1}.
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
            // what is held by a bound does not differ at all
            boolean rounding = a < features && Math.abs(step[a]) <= ROUNDING * Math.abs(along[a] * costs[a]);
            left = step[a] == 0 || rounding ? left : Math.max(left, Math.abs(step[a]) / Math.sqrt(theta.get(a, a)));
        }
        return new Covariance(theta, step, left, own);
    }

    /** The gradient of the mean pull-through at the people's gammas. */
    double[] pullThroughSlope() {
        double sum = 0;
        double total = 0;
        // of many who are all alike the first is everybody
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

    /** The gradient of beta'C^{-1}w/(gamma + omega). */
    double[] earnedSlope() {
        double resistance = game.gamma() + person.omega;
        double[] slope = earning.clone();
        Vectors.scale(1 / resistance, slope);
        Vectors.axpy(-2 * person.earned / (resistance * resistance), along, slope);
        return slope;
    }

    /**
     * The derivatives of a person's expected loss by p, omega and epsilon: S l(p) + (1 - S) (l(kappa p + tau z) + tau^2 sigma^2) and its share of the ridge, tau = (omega -
     * epsilon)/(gamma + omega), kappa = 1 - tau.
     */
    private static final class Person {
        private final Loss loss;
        private final double omega;
        private final double earned;
        private final PredictionGame game;
        private final double share;
        private final Bound bound;
        /** What everybody pays, per unit of weight, by omega and epsilon: o, e, oo, oe, ee. */
        private final double[] ridge;

        /** Those of the person before, who mostly has the same gamma. */
        private Shares shares;

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
            this.ridge = ridge(game);
        }

        /** Of the same people, for another thread. */
        Person(Person other) {
            this.loss = other.loss;
            this.omega = other.omega;
            this.earned = other.earned;
            this.game = other.game;
            this.share = other.share;
            this.bound = other.bound;
            this.ridge = other.ridge;
        }

        /** (1 - S) (kappa^2 omega + gamma tau^2) + S omega; beside a bound, which the ridge is no part of, the truthful pay nothing. */
        private double[] ridge(PredictionGame game) {
            if (game.ridge() == 0) {
                return new double[5];
            }
            double gamma = game.gamma();
            double each = game.ridge() / game.totalWeight();
            Shares at = new Shares(omega, earned, gamma);
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

        /** By how much what this person adds to the loss if nobody moves exceeds its part of the bound. */
        double excess(int i, double prediction) {
            return bound.part * loss.value(prediction, game.y(i)) - bound.allowed[i];
        }

        /** Of a person that is predicted so. */
        void at(int i, double prediction) {
            o = ridge[0];
            e = ridge[1];
            oo = ridge[2];
            oe = ridge[3];
            ee = ridge[4];
            double gamma = game.population().gamma(i);
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
            if (gamma != known) {
                known = gamma;
                shares = new Shares(omega, earned, known);
            }
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

    /** tau = (omega - epsilon)/(gamma + omega) and kappa = 1 - tau, with the derivatives of tau; that by epsilon twice is 0. */
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
