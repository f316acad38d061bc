package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Moments;
import stackelberg.estimate.Resampling;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Lanczos;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Learns today's rule where none is given: least squares of the target on all columns of the game. If least squares is ill-posed (a relative singular value
 * below 1e-6, or at least half as many columns as rows), ridge on standardised columns, with lambda by generalised cross-validation.
 *
 * <p>Rows with zero weight are not learned from but are scored: they may be held out.
 */
final class TodayFit {
    /** Least squares is used down to this relative singular value. */
    private static final double WELL_POSED = 1e-6;

    /** Up to this many columns the covariance matrix is formed; beyond, Krylov spaces from passes over the data are used. */
    private static final int MOST_FORMED = 2000;

    /** After this many passes over the data the answer is taken as it is. */
    private static final int MOST_STEPS = 512;

    /** Krylov steps before convergence is checked for the first time. */
    private static final int FIRST_STEPS = 32;

    /** A Krylov space is exhausted when the relative norm of the next vector falls below this: the rest is rounding. */
    private static final double EXHAUSTED = 1e-14;

    /** Values in all Krylov spaces held at once when several rules are learned in parallel: 1 GB. */
    private static final long MOST_VALUES = 1 << 27;

    /** Rules learned together in one pass, with two spaces each: a sparse product with four vectors costs little more than with one. */
    private static final int IN_STEP = 2;

    /** The relative residual of the normal equations below which they count as solved. */
    private static final double CONVERGED = 1e-10;

    /** The largest ratio of squared mean to variance at which means are taken off the sums of products: they lose hardly a digit then. */
    private static final double FAR = 2;

    /** Sums of squares below this (or above its inverse) may have lost digits to underflow (or overflow), which begins at 1e-308. */
    private static final double LEAST = 1e-200;

    private static final int TILE = 512;
    /** Number of folds of cross-fitting: each fold is scored by a rule learned from the others. */
    private static final int PARTS = 5;

    /** The seed of the folds, and of random signs. */
    private static final long SEED = 5;

    private final Matrix x;
    private final double[] y;
    private final boolean intercept;
    private final Loss loss;
    private final Workers workers;
    /** Computed when first needed; null before. */
    private @Nullable ColumnStatistics statistics;

    TodayFit(Matrix x, double[] y, boolean intercept, Loss loss, Workers workers) {
        this(x, y, intercept, loss, workers, null);
    }

    private TodayFit(
            Matrix x,
            double[] y,
            boolean intercept,
            Loss loss,
            Workers workers,
            @Nullable ColumnStatistics statistics) {
        this.x = x;
        this.y = y;
        this.intercept = intercept;
        this.loss = loss;
        this.workers = workers;
        this.statistics = statistics;
    }

    private synchronized ColumnStatistics statistics() {
        if (statistics == null) {
            statistics = ColumnStatistics.of(x, workers);
        }
        return statistics;
    }

    /** How many groups of rules are learned in parallel, one thread each; 1 if it is faster to use all threads for one rule after the other. */
    int together() {
        return isInPasses() ? (int) Math.max(1, Math.min(workers.threads(), room() / IN_STEP)) : 1;
    }

    /** Which rules to learn together. It depends on their number and the size of the data alone, so that no digit depends on the number of threads. */
    List<int[]> groups(int rules) {
        int size = isInPasses() && room() >= IN_STEP ? IN_STEP : 1;
        List<int[]> groups = new ArrayList<>();
        int pairs =
                rules / size; // with an odd number of pairs one of two threads would wait, so the last pair is split
        int whole = size > 1 && pairs > 1 && pairs % 2 == 1 ? pairs - 1 : pairs;
        for (int first = 0; first < whole * size; first += size) {
            groups.add(IntStream.range(first, first + size).toArray());
        }
        IntStream.range(whole * size, rules).forEach(last -> groups.add(new int[] {last}));
        return groups;
    }

    /** The number of rules whose Krylov spaces may be held at once. */
    private long room() {
        return MOST_VALUES / (2L * MOST_STEPS * Math.max(1, x.cols()));
    }

    /** A copy that uses one thread. */
    TodayFit alone() {
        return new TodayFit(x, y, intercept, loss, Workers.of(1), statistics());
    }

    /**
     * A learned rule.
     *
     * @param w the coefficients, one per column of x
     * @param constant the intercept; 0 without one
     * @param source the method, in words
     */
    record Learned(double[] w, double constant, String source) {}

    /**
     * The rule learned with these row weights.
     *
     * @param weights one per row, or an array of length 1 if all rows share one
     */
    Learned of(double[] weights) {
        if (!loss.isSquared()) {
            return new TodayNewton(x, y, intercept, loss, workers).of(each(weights));
        }
        return isInPasses() ? inPasses(List.of(weights)).get(0) : formed(weights);
    }

    /** The rules learned with each of these sets of weights; their passes over the data are shared. */
    List<Learned> of(List<double[]> weights) {
        return isInPasses() ? inPasses(weights) : weights.stream().map(this::of).toList();
    }

    private boolean isInPasses() {
        return loss.isSquared() && x.cols() > MOST_FORMED;
    }

    /** The weights expanded to one per row. */
    private double[] each(double[] weights) {
        if (weights.length == y.length) {
            return weights;
        }
        double[] each = new double[y.length];
        Arrays.fill(each, weights[0]);
        return each;
    }

    /** The scores of all rows under a rule. */
    double[] scores(Learned rule) {
        DenseMatrix p = DenseMatrix.zeros(x.rows(), 1);
        x.times(DenseMatrix.column(rule.w), p, workers);
        double[] scores = p.column(0);
        for (int i = 0; i < scores.length; i++) {
            scores[i] += rule.constant;
        }
        return scores;
    }

    /** Cross-fitted scores: each row is scored by a rule learned from the other folds; a row with zero weight by the rule learned from all rows with weight. */
    double[] crossFitted(double[] weights) {
        double[] scores = scores(of(weights));
        Resampling rows = Resampling.of(weights, SEED);
        if (rows.size() < 2) {
            return scores;
        }
        Resampling.Folds folds = rows.foldsAtMost(PARTS);
        for (int f = 0; f < folds.count(); f++) {
            int[] heldOut = folds.heldOut(f);
            double[] others = weights.clone();
            Arrays.stream(heldOut).forEach(i -> others[i] = 0);
            double[] by = scores(of(others));
            for (int i : heldOut) {
                scores[i] = weights[i] > 0 ? by[i] : scores[i];
            }
        }
        return scores;
    }

    /** Learns from the covariance matrix: of the columns as they are if the rows are many and the means near 0, otherwise of standardised columns. */
    private Learned formed(double[] given) {
        int n = x.cols();
        double[] factors = new double[n];
        Arrays.fill(factors, 1);
        boolean many = Gram.isMany(x) && Vectors.isOnes(given);
        double level = level(many);
        if (many) {
            Moments plain = plain((DenseMatrix) x, level);
            if (isCentred(plain)) {
                return formed(plain, new double[n], factors, level);
            }
        }
        double[] weights = each(given);
        double[] shift = intercept ? statistics().mean() : new double[n];
        Arrays.setAll(factors, j -> statistics().sd()[j] > 0 ? 1 / statistics().sd()[j] : 1);
        Moments sums = moments(new AffineMatrix(x, shift, factors, false), level, weights);
        return formed(sums, shift, factors, level);
    }

    /** What is subtracted from y before sums are formed: its mean, or 0 without an intercept, and for many rows whose y is near 0 already, which saves a copy of y. */
    private double level(boolean many) {
        if (!intercept) {
            return 0;
        }
        double mean = (many ? Vectors.sum(y) : Arrays.stream(y).sum()) / y.length;
        return many && isCentred(Vectors.dot(y, y) / y.length, mean) ? 0 : mean;
    }

    /** Whether subtracting the means from the sums loses hardly a digit and nothing overflows. */
    private boolean isCentred(Moments sums) {
        int n = x.cols();
        boolean centred = true;
        for (int j = 0; j < n; j++) {
            double square = sums.products().get(j, j) / sums.weight();
            double mean = intercept ? sums.products().get(n + 1, j) / sums.weight() : 0;
            centred &= isCentred(square, mean);
        }
        return centred;
    }

    private static boolean isCentred(double square, double mean) {
        return square == 0 || square > LEAST && square < 1 / LEAST && mean * mean <= FAR * (square - mean * mean);
    }

    /** Learns from the sums of products of the columns (x - shift) factors, y - level and 1. */
    private Learned formed(Moments sums, double[] shift, double[] factors, double level) {
        int n = x.cols();
        DenseMatrix s = sums.products();
        double total = sums.weight();
        double[] mean = new double[n + 1];
        for (int j = 0; j <= n && intercept; j++) {
            mean[j] = s.get(n + 1, j) / total;
        }
        double[] sd = new double[n];
        for (int j = 0; j < n; j++) {
            double variance = s.get(j, j) / total - mean[j] * mean[j];
            // a variance this small is the rounding error of a constant column
            sd[j] = variance <= 1e-12 * s.get(j, j) / total ? 0 : Math.sqrt(variance);
        }
        int[] used = IntStream.range(0, n).filter(j -> sd[j] > 0).toArray();
        DenseMatrix correlation = DenseMatrix.zeros(used.length, used.length);
        double[] xy = new double[used.length];
        for (int a = 0; a < used.length; a++) {
            int i = used[a];
            xy[a] = (s.get(n, i) / total - mean[n] * mean[i]) / sd[i];
            for (int b = 0; b <= a; b++) {
                int j = used[b];
                correlation.set(a, b, (s.get(i, j) / total - mean[i] * mean[j]) / (sd[i] * sd[j]));
            }
        }
        Gram.symmetrize(correlation);
        SymmetricEigen eigen = SymmetricEigen.of(correlation, workers);
        double[] d = Arrays.stream(eigen.values()).map(v -> Math.max(v, 0)).toArray();
        double[] coordinates = new double[d.length];
        Arrays.setAll(coordinates, k -> Vectors.dot(eigen.vectors().column(k), xy));
        double yy = s.get(n, n) / total - mean[n] * mean[n];
        int last = d.length - 1;
        boolean wellPosed = d.length == 0 || 2L * d.length < sums.rows() && d[0] >= WELL_POSED * WELL_POSED * d[last];
        double lambda =
                wellPosed ? 0 : validation(yy, coordinates, d, sums.rows()).best(0);
        double[] w = new double[n];
        double[] own = new double[d.length];
        for (int k = 0; k < d.length; k++) {
            Vectors.axpy(coordinates[k] / (d[k] + lambda), eigen.vectors().column(k), own);
        }
        double constant = level + mean[n];
        for (int a = 0; a < used.length; a++) {
            int j = used[a];
            w[j] = own[a] / sd[j] * factors[j];
            constant -= own[a] / sd[j] * mean[j] + w[j] * shift[j];
        }
        return new Learned(w, intercept ? constant : 0, source(wellPosed, lambda));
    }

    /** Generalised cross-validation from the eigenvalues v of the covariances: an eigenvector uses v/(v + lambda) degrees of freedom, the intercept one. */
    private Validation validation(double yy, double[] coordinates, double[] d, long rows) {
        long free = rows - (intercept ? 1 : 0);
        double[] roots = Arrays.stream(d).map(Math::sqrt).toArray();
        boolean wide = d.length >= free;
        return new Validation(
                Validation.Left.of(yy, coordinates, d, wide, 2), Validation.Left.of(free, roots, d, wide, 1));
    }

    /** The sums of products of (x, y - level, 1) with weight 1 for each row. */
    private Moments plain(DenseMatrix rows, double level) {
        int n = rows.cols();
        int m = rows.rows();
        DenseMatrix products = DenseMatrix.zeros(n + 2, n + 2);
        Gram.ofMany(rows, products.firstRows(n).columns(0, n), workers);
        double[] values = y;
        if (level != 0) {
            values = y.clone();
            // shifting and summing in separate loops: one loop that does both crashes the JIT compiler of Java 17
            Vectors.shift(-level, values);
        }
        double sum = Vectors.sum(values);
        double square = Vectors.dot(values, values);
        DenseMatrix border = DenseMatrix.zeros(n, 2);
        double[] one = {1};
        rows.transposeTimes(new Matrix.RowVectors(m, one, values, one), border, null, null, workers);
        for (int k = 0; k < 2; k++) {
            for (int j = 0; j < n; j++) {
                products.set(n + k, j, border.get(j, k));
                products.set(j, n + k, border.get(j, k));
            }
        }
        products.set(n, n, square);
        products.set(n, n + 1, sum);
        products.set(n + 1, n, sum);
        products.set(n + 1, n + 1, m);
        return new Moments(products, m, m);
    }

    /** The weighted sums of products of (columns, y - level, 1). */
    private Moments moments(Matrix columns, double level, double[] weights) {
        int n = x.cols();
        int height = Math.max(1, (1 << 16) / Math.max(1, n));
        return Moments.of(y.length, n + 2, TILE, workers, (from, end, sums) -> {
            double[] tile = new double[height * n];
            double[] row = new double[n + 2];
            for (int first = from; first < end; first += height) {
                int count = Math.min(height, end - first);
                columns.tile(first, count, 0, n, DoubleBuffer.wrap(tile));
                for (int i = 0; i < count; i++) {
                    if (weights[first + i] > 0) {
                        System.arraycopy(tile, i * n, row, 0, n);
                        row[n] = y[first + i] - level;
                        row[n + 1] = 1;
                        sums.add(weights[first + i], row);
                    }
                }
            }
        });
    }

    /**
     * Learns without forming the covariances, from two Krylov spaces per rule: one started from the target, which gives the coefficients, and one from random
     * signs, which estimates the trace in generalised cross-validation (Hutchinson's estimator).
     */
    private List<Learned> inPasses(List<double[]> weights) {
        double[] factors = new double[x.cols()];
        Arrays.setAll(factors, j -> statistics().sd()[j] > 0 ? 1 / statistics().sd()[j] : 0);
        List<Learning> all =
                weights.stream().map(each -> new Learning(each(each), factors)).toList();
        List<Learning> open = all;
        for (int steps = FIRST_STEPS; !open.isEmpty(); steps *= 2) {
            // the space of random signs is needed only if least squares turns out to be ill-posed
            grow(open.stream().flatMap(each -> each.tall ? Stream.of(each.truth) : each.spaces()), factors, steps);
            grow(open.stream().filter(each -> !each.isWellPosed()).flatMap(Learning::spaces), factors, steps);
            int taken = steps;
            open = open.stream().filter(each -> !each.learn(taken)).toList();
        }
        return all.stream().map(Learning::learned).toList();
    }

    /** Extends the spaces that have fewer steps to this many, with shared passes over the data. */
    private void grow(Stream<Growing> spaces, double[] factors, int steps) {
        List<Growing> shorter = spaces.filter(each -> each.needs(steps)).toList();
        if (shorter.isEmpty()) {
            return;
        }
        Lanczos[] longer = Lanczos.extended(
                shorter.stream().map(each -> each.lanczos).toArray(Lanczos[]::new),
                (which, v, out) -> covariancesTimes(
                        Arrays.stream(which).mapToObj(k -> shorter.get(k).of).toList(), factors, v, out),
                steps + 1,
                EXHAUSTED,
                workers);
        for (int k = 0; k < longer.length; k++) {
            shorter.get(k).take(longer[k], steps);
        }
    }

    /** Computes out = A v for each pair of vectors, A the covariance matrix with the weights of the respective rule. */
    private void covariancesTimes(List<Learning> of, double[] factors, double[][] v, double[][] out) {
        int k = isSparse() ? v.length : 1;
        double[][] u = new double[k][];
        Arrays.setAll(u, c -> workers.borrowArray(x.rows()));
        DenseMatrix in = workers.borrow(x.cols(), k);
        DenseMatrix product = workers.borrow(x.rows(), k);
        for (int first = 0; first < v.length; first += k) {
            write(v, first, factors, in);
            x.times(in, product, workers);
            read(product, null, u, 0);
            for (int c = 0; c < k; c++) {
                of.get(first + c).weigh(u[c]);
            }
            write(u, 0, null, product);
            x.transposeTimes(product, in, null, workers);
            read(in, factors, out, first);
        }
        for (double[] values : u) {
            workers.giveBack(values);
        }
        workers.giveBack(in);
        workers.giveBack(product);
    }

    /** The product diag(factors) X'u. */
    private double[] transposed(double[] u, double[] factors) {
        DenseMatrix product = DenseMatrix.zeros(x.cols(), 1);
        x.transposeTimes(DenseMatrix.column(u), product, null, workers);
        double[] result = product.column(0);
        Arrays.setAll(result, j -> result[j] * factors[j]);
        return result;
    }

    /** Whether x is sparse: then products with several vectors at once are used. Dense products with one vector sum in more parts, which is more accurate for columns far from 0. */
    private boolean isSparse() {
        return x instanceof CsrMatrix || x instanceof AffineMatrix affine && affine.inner() instanceof CsrMatrix;
    }

    /** Copies vectors, scaled by factors if there are any, into the columns of a matrix. */
    private static void write(double[][] vectors, int from, double @Nullable [] factors, DenseMatrix to) {
        int k = to.cols();
        double[] block = new double[Math.min(to.rows(), TILE) * k];
        for (int first = 0; first < to.rows(); first += TILE) {
            int count = Math.min(TILE, to.rows() - first);
            for (int c = 0; c < k; c++) {
                double[] vector = vectors[from + c];
                for (int i = 0; i < count; i++) {
                    block[i * k + c] = factors == null ? vector[first + i] : vector[first + i] * factors[first + i];
                }
            }
            to.setTile(first, count, 0, k, block);
        }
    }

    /** Copies the columns of a matrix, scaled by factors if there are any, into vectors. */
    private static void read(DenseMatrix from, double @Nullable [] factors, double[][] vectors, int to) {
        int k = from.cols();
        double[] block = new double[Math.min(from.rows(), TILE) * k];
        for (int first = 0; first < from.rows(); first += TILE) {
            int count = Math.min(TILE, from.rows() - first);
            from.tile(first, count, 0, k, DoubleBuffer.wrap(block));
            for (int c = 0; c < k; c++) {
                double[] vector = vectors[to + c];
                for (int i = 0; i < count; i++) {
                    vector[first + i] = factors == null ? block[i * k + c] : block[i * k + c] * factors[first + i];
                }
            }
        }
    }

    /** A rule that is being learned with one set of row weights. */
    private final class Learning {
        private final double[] weights;
        private final double[] factors;
        private final double total;
        private final long rows;
        private final boolean tall;
        private final boolean wide;
        private final double meanY;
        private final double yy;
        private final double uu;
        private final Growing truth;
        private final Growing signs;
        /** The rule, once it has been learned. */
        private @Nullable Learned learned;

        Learning(double[] weights, double[] factors) {
            this.weights = weights;
            this.factors = factors;
            this.total = Arrays.stream(weights).sum();
            this.rows = Arrays.stream(weights).filter(s -> s > 0).count();
            long used = Arrays.stream(factors).filter(f -> f > 0).count();
            this.tall = 2 * used < rows;
            this.wide = used >= rows - 1;
            double[] centred = y.clone();
            this.meanY = centre(centred, weights, total);
            this.yy = meanSquare(centred, weights, total);
            SplittableRandom random = new SplittableRandom(SEED);
            double[] drawn = new double[y.length];
            Arrays.setAll(
                    drawn, i -> weights[i] > 0 ? (random.nextBoolean() ? 1 : -1) * Math.sqrt(total / weights[i]) : 0);
            centre(drawn, weights, total);
            this.uu = meanSquare(drawn, weights, total);
            for (int i = 0; i < y.length; i++) {
                centred[i] = weights[i] * centred[i] / total;
                drawn[i] = weights[i] * drawn[i] / total;
            }
            this.truth = new Growing(this, transposed(centred, factors));
            this.signs = new Growing(this, transposed(drawn, factors));
        }

        /** Centres a vector, if there is an intercept, and multiplies it by the normalised weights. */
        void weigh(double[] u) {
            centre(u, weights, total);
            for (int i = 0; i < u.length; i++) {
                u[i] = weights[i] * u[i] / total;
            }
        }

        Learned learned() {
            return Objects.requireNonNull(learned, "the rule has not been learned yet");
        }

        Stream<Growing> spaces() {
            return Stream.of(truth, signs);
        }

        boolean isWellPosed() {
            Space of = truth.space();
            return tall
                    && of.values[0] >= WELL_POSED * WELL_POSED * of.values[of.values.length - 1]
                    && of.residual(0) <= CONVERGED;
        }

        /** Tries to finish after so many steps. Returns whether the rule is learned; its Krylov spaces are released then. */
        boolean learn(int steps) {
            boolean wellPosed = isWellPosed();
            Space of = truth.space();
            double lambda = wellPosed
                    ? 0
                    : new Validation(
                                    Validation.Left.of(yy, of.coordinates, of.values, wide, 2),
                                    Validation.Left.of(uu, signs.space().coordinates, signs.space().values, wide, 1))
                            // the relative error of a trace estimated with one vector of random signs
                            .best(Math.sqrt(2.0 / rows));
            // if there are enough rows, least squares may still converge in more steps, so ridge is not accepted yet
            boolean done = wellPosed || !tall && of.residual(lambda) <= CONVERGED;
            if (!done && steps < MOST_STEPS && !of.exhausted()) {
                return false;
            }
            double[] w = of.solution(lambda, x.cols());
            Arrays.setAll(w, j -> w[j] * factors[j]);
            DenseMatrix p = DenseMatrix.zeros(x.rows(), 1);
            x.times(DenseMatrix.column(w), p, workers);
            double constant = meanY - (intercept ? weightedMean(p.column(0), weights, total) : 0);
            // the reason for ridge, if least squares ran out of passes
            String why = tall && !wellPosed && !of.exhausted() ? ", least squares needing too many passes" : "";
            learned = new Learned(w, intercept ? constant : 0, source(wellPosed, lambda) + why);
            truth.lanczos.giveBack(workers);
            signs.lanczos.giveBack(workers);
            return true;
        }
    }

    /** A Krylov space of the covariances of one rule, extended step by step. */
    private static final class Growing {
        private final Learning of;
        private final double norm;
        private Lanczos lanczos;
        /** The space after the last extension. */
        private @Nullable Space space;

        Growing(Learning of, double[] b) {
            this.of = of;
            this.norm = Vectors.norm(b);
            if (norm > 0) {
                Vectors.scale(1 / norm, b);
            } else {
                b[0] = 1;
            }
            this.lanczos = Lanczos.from(b);
        }

        boolean needs(int steps) {
            return space == null || !space.exhausted() && space.values.length < steps;
        }

        Space space() {
            return Objects.requireNonNull(space, "the space has not been built yet");
        }

        void take(Lanczos longer, int steps) {
            lanczos = longer;
            space = Space.of(longer, norm, steps);
        }
    }

    private static double weightedMean(double[] u, double[] weights, double total) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += weights[i] * u[i];
        }
        return sum / total;
    }

    private static double meanSquare(double[] u, double[] weights, double total) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += weights[i] * u[i] * u[i] / total;
        }
        return sum;
    }

    /** Subtracts the weighted mean, if there is an intercept, and returns it. */
    private double centre(double[] u, double[] weights, double total) {
        double mean = intercept ? weightedMean(u, weights, total) : 0;
        for (int i = 0; i < u.length; i++) {
            u[i] -= mean;
        }
        return mean;
    }

    private static String source(boolean wellPosed, double lambda) {
        return wellPosed
                ? "least squares"
                : String.format(Locale.ROOT, "ridge %.3g by generalised cross-validation", lambda);
    }

    /**
     * A Krylov space of A started from b, with the eigendecomposition of A restricted to it.
     *
     * @param values the eigenvalues (Ritz values), not negative
     * @param coordinates of b in the eigenvectors
     * @param next the norm of the part of A v, v the last basis vector, outside the space; 0 if the space is invariant
     */
    private record Space(Lanczos lanczos, SymmetricEigen eigen, double[] values, double[] coordinates, double next) {
        static Space of(Lanczos lanczos, double norm, int steps) {
            int used = lanczos.t().rows();
            boolean more = used == steps + 1;
            int k = more ? steps : used;
            DenseMatrix t = DenseMatrix.zeros(k, k);
            for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                    t.set(i, j, lanczos.t().get(i, j));
                }
            }
            SymmetricEigen eigen = SymmetricEigen.of(t, Workers.of(1));
            double[] coordinates = new double[k];
            Arrays.setAll(coordinates, j -> norm * eigen.vectors().get(0, j));
            double[] values =
                    Arrays.stream(eigen.values()).map(v -> Math.max(v, 0)).toArray();
            return new Space(
                    lanczos, eigen, values, coordinates, more ? lanczos.t().get(k, k - 1) : 0);
        }

        boolean exhausted() {
            return next == 0;
        }

        private double[] inBasis(double lambda) {
            double[] c = new double[values.length];
            for (int j = 0; j < c.length; j++) {
                double shifted = values[j] + lambda;
                Vectors.axpy(
                        shifted == 0 ? 0 : coordinates[j] / shifted,
                        eigen.vectors().column(j),
                        c);
            }
            return c;
        }

        /** The relative residual ||(A + lambda) w - b|| / ||b|| of the solution in this space. */
        double residual(double lambda) {
            double norm = Vectors.norm(coordinates);
            return norm == 0 ? 0 : Math.abs(next * inBasis(lambda)[values.length - 1]) / norm;
        }

        double[] solution(double lambda, int n) {
            double[] c = inBasis(lambda);
            double[] w = new double[n];
            for (int k = 0; k < c.length; k++) {
                Vectors.axpy(c[k], lanczos.basis()[k], w);
            }
            return w;
        }
    }

    /**
     * Generalised cross-validation of ridge: RSS(lambda) / (1 - (1 + trace(lambda))/m)^2, an estimate of the error on left-out rows up to a factor. Numerator
     * and denominator are sums of remainders, because differences cancel for rules that nearly interpolate.
     *
     * @param truth the residual sum of squares as a function of lambda
     * @param freedom the remaining degrees of freedom as a function of lambda
     */
    private record Validation(Left truth, Left freedom) {
        /**
         * The function rest + sum_k parts_k (lambda/(values_k + lambda))^power of lambda.
         *
         * @param rest the part that no rule explains
         * @param parts the parts that least squares explains, by eigenvector
         */
        record Left(double rest, double[] parts, double[] values, int power) {
            /** The function for a vector with this squared norm, from its coordinates and the eigenvalues of the covariances. Eigenvalues of the size of rounding explain nothing. */
            static Left of(double square, double[] coordinates, double[] values, boolean wide, int power) {
                double floor = 1e-13 * Arrays.stream(values).max().orElse(0);
                double[] parts = new double[values.length];
                double explained = 0;
                for (int k = 0; k < parts.length; k++) {
                    parts[k] = values[k] > floor ? coordinates[k] * coordinates[k] / values[k] : 0;
                    explained += parts[k];
                }
                return new Left(wide ? 0 : Math.max(0, square - explained), parts, values, power);
            }

            double at(double lambda) {
                double sum = rest;
                for (int k = 0; k < parts.length; k++) {
                    sum += parts[k] * Math.pow(lambda / (values[k] + lambda), power);
                }
                return sum;
            }
        }

        /**
         * The best lambda on a grid: the largest one whose estimated error does not differ from the smallest by more than its accuracy.
         *
         * @param known the relative accuracy of the estimated errors
         */
        double best(double known) {
            double largest = Arrays.stream(truth.values).max().orElse(1);
            // nine decades below the largest eigenvalue to one above it, in steps of the fourth root of 10
            double[] lambdas = new double[41];
            Arrays.setAll(lambdas, k -> largest * Math.pow(10, -9 + k / 4.0));
            double[] errors = Arrays.stream(lambdas).map(this::error).toArray();
            double most = (1 + known) * Arrays.stream(errors).min().orElseThrow();
            int best = lambdas.length - 1;
            while (best > 0 && !(errors[best] <= most)) {
                best--;
            }
            return lambdas[best] > 0 ? lambdas[best] : 1;
        }

        private double error(double lambda) {
            double free = freedom.at(lambda);
            return free > 0 ? truth.at(lambda) / (free * free) : Double.POSITIVE_INFINITY;
        }
    }
}
