package stackelberg.estimate;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * Linear regression that ignores moves: minimises sum_i s_i l(w'x_i + b, y_i) for any convex loss l, with a ridge on
 * standardised columns where one is given or needed.
 *
 * <p>{@link #fit} is least squares or, if that is ill-posed (a relative singular value below 1e-6, or at least half as
 * many columns as rows), ridge with lambda by generalised cross-validation. For another loss it is regression by that
 * loss and, if its minimum is not finite, with a ridge chosen by held-out rows. {@link #ridge} takes lambda as given,
 * {@link #bestRidge} chooses it by cross-validation.
 *
 * <p>Least squares is solved from sums of products or, for many columns, from Krylov spaces; other losses by Newton's
 * method. x may be dense, sparse, or one of these with shifted and scaled columns. Rows with zero weight are not
 * learned from but are scored: they may be held out.
 */
public final class LinearEstimator {
    /** The source of least squares. */
    public static final String LEAST_SQUARES = "least squares";

    /** The source of ridge with a given lambda. */
    static final String RIDGE = "ridge";

    /** Least squares is used down to this relative singular value. */
    private static final double WELL_POSED = 1e-6;

    /**
     * Up to this many columns {@link #fit} forms the covariance matrix; beyond, Krylov spaces from passes over the data
     * are used.
     */
    private static final int MOST_FORMED = 2000;

    /**
     * The largest number of columns n for which ridge is computed from n x n matrices, whatever the number of rows: all
     * lambdas and folds cost one decomposition per fold.
     */
    private static final int MOST_DECOMPOSED = 5000;

    /** The largest number of columns for which decomposing an n x n matrix takes next to no time. */
    private static final int FEW_COLUMNS = 1000;

    /**
     * The cost of a cross-validation by passes over the data, in units in which a decomposition of an n x n matrix
     * costs n^3: this many reads of each value.
     */
    private static final double PASSES = 400;

    /**
     * The largest ratio of squared mean to variance at which means are taken off the sums of products: they lose hardly
     * a digit then.
     */
    private static final double FAR = 2;

    /**
     * Sums of squares below this (or above its inverse) may have lost digits to underflow (or overflow), which begins
     * at 1e-308.
     */
    private static final double LEAST = 1e-200;

    /** The relative residual of conjugate gradients that is rounding. */
    private static final double NO_RESIDUAL = 1e-15;

    private static final int MOST_PASSES = 2000;

    /** Conjugate gradients stop after this many passes in which the residual has not halved. */
    private static final int PATIENCE = 100;

    /** Number of folds of cross-fitting: each fold is scored by a rule learned from the others. */
    private static final int PARTS = 5;

    /** The seed of the folds of cross-fitting. */
    private static final long SEED = 5;

    private final Matrix x;
    private final double[] y;
    private final boolean intercept;
    private final Loss loss;
    private final Workers workers;
    /** Computed when first needed; null before. */
    private @Nullable ColumnStatistics statistics;

    /**
     * An estimator for these rows; nothing is computed yet, and nothing is copied.
     *
     * @param intercept whether there is a b; without one, b is 0
     */
    public LinearEstimator(Matrix x, double[] y, boolean intercept, Loss loss, Workers workers) {
        this.x = x;
        this.y = y;
        this.intercept = intercept;
        this.loss = loss;
        this.workers = workers;
    }

    /**
     * A learned rule.
     *
     * @param w the coefficients, one per column of x
     * @param constant the intercept; 0 without one
     * @param source the method, in words
     */
    public record Fit(double[] w, double constant, String source) {}

    /** The rule learned with these row weights. */
    public Fit fit(double[] weights) {
        return fit(List.of(weights)).get(0);
    }

    /** The rules learned with each of these sets of weights; many columns share their passes over the data. */
    public List<Fit> fit(List<double[]> weights) {
        if (!loss.isSquared()) {
            NewtonRegression newton = newton(null);
            return weights.stream().map(newton::fit).toList();
        }
        if (x.cols() > MOST_FORMED) {
            double[] sd = statistics().sd();
            double[] factors = new double[x.cols()];
            Arrays.setAll(factors, j -> sd[j] > 0 ? 1 / sd[j] : 0);
            return new KrylovFit(x, y, intercept, factors, workers).fit(weights, WELL_POSED);
        }
        return weights.stream()
                .map(each -> sums(each, null, 1).fitOfAll().fit(WELL_POSED))
                .toList();
    }

    /**
     * The rules that minimise the loss + lambda (sum_i s_i) sum_j v_j w_j^2, where v_j is the variance of column j
     * (about 0 without an intercept), so that units do not matter; half of that penalty for other losses than the
     * squared one. For lambda = 0, least squares of smallest norm.
     */
    public List<Fit> ridge(double[] weights, double... lambdas) {
        if (!loss.isSquared()) {
            NewtonRegression newton = newton(null);
            return Arrays.stream(lambdas)
                    .mapToObj(lambda -> newton.ridge(weights, lambda))
                    .toList();
        }
        if (isInPasses()) {
            return weighted(weights).ridge(weights, lambdas);
        }
        SumsFit all = sums(weights, null, 1).fitOfAll();
        return Arrays.stream(lambdas).mapToObj(all::ridge).toList();
    }

    /**
     * The lambda for which the rules of {@link #ridge} have the smallest loss on held-out rows; of equal losses the
     * larger lambda.
     *
     * @param parts the folds: rows that are held out together
     * @param lambdas candidates in ascending order
     */
    public double bestRidge(double[] weights, int[][] parts, double... lambdas) {
        double[] lost = !loss.isSquared()
                ? newton(null).heldOutLosses(weights, parts, lambdas)
                : isInPasses()
                        ? weighted(weights).heldOutErrors(weights, parts, lambdas)
                        : heldOutErrors(weights, parts, lambdas);
        return lambdas[best(lost)];
    }

    /** The index of the smallest loss; of equal losses, that of the larger lambda. */
    static int best(double[] lost) {
        int best = 0;
        for (int k = 1; k < lost.length; k++) {
            best = lost[k] <= lost[best] ? k : best;
        }
        return best;
    }

    /**
     * The sums over the training rows of a fold are added up from those of the other folds. Subtracting the fold's own
     * sums from the total would lose digits if one row has far more weight than the others. One eigendecomposition per
     * fold serves all lambdas.
     */
    private double[] heldOutErrors(double[] weights, int[][] parts, double[] lambdas) {
        int[] foldOf = new int[y.length];
        Arrays.fill(foldOf, -1);
        for (int f = 0; f < parts.length; f++) {
            for (int i : parts[f]) {
                foldOf[i] = f;
            }
        }
        Sums sums = sums(weights, foldOf, parts.length);
        double[] errors = new double[lambdas.length];
        for (int f = 0; f < parts.length; f++) {
            SumsFit others = sums.fit(Moments.without(sums.parts, f));
            for (int k = 0; k < lambdas.length; k++) {
                errors[k] += others.squaredError(sums.parts.get(f), lambdas[k]);
            }
        }
        return errors;
    }

    /**
     * The rule refitted by another loss than the squared one to rows that changed, as retraining does, to rounding.
     *
     * @param kept the columns that the rule may use
     * @param penalties r_j of the penalty sum_j r_j w_j^2, in the units of x
     */
    public Fit refit(double[] weights, boolean[] kept, double[] penalties) {
        return newton(new NewtonRegression.Refit(kept, penalties)).polished(weights);
    }

    private NewtonRegression newton(NewtonRegression.@Nullable Refit refit) {
        return new NewtonRegression(x, y, intercept, loss, statistics(), refit, workers);
    }

    private synchronized ColumnStatistics statistics() {
        if (statistics == null) {
            statistics = ColumnStatistics.of(x, workers);
        }
        return statistics;
    }

    /** The scores of all rows under a rule. */
    public double[] scores(Fit rule) {
        DenseMatrix p = DenseMatrix.zeros(x.rows(), 1);
        x.times(DenseMatrix.column(rule.w), p, workers);
        double[] scores = p.column(0);
        for (int i = 0; i < scores.length; i++) {
            scores[i] += rule.constant;
        }
        return scores;
    }

    /**
     * Cross-fitted scores: each row is scored by a rule learned from the other folds; a row with zero weight by the
     * rule learned from all rows with weight.
     */
    public double[] crossFitted(double[] weights) {
        Resampling rows = Resampling.of(weights, SEED);
        if (rows.size() < 2) {
            return scores(fit(weights));
        }
        Resampling.Folds folds = rows.foldsAtMost(PARTS);
        List<double[]> learned = new ArrayList<>(List.of(weights));
        for (int f = 0; f < folds.count(); f++) {
            double[] others = weights.clone();
            Arrays.stream(folds.heldOut(f)).forEach(i -> others[i] = 0);
            learned.add(others);
        }
        List<Fit> fits = fit(learned);
        double[] scores = scores(fits.get(0));
        for (int f = 0; f < folds.count(); f++) {
            double[] by = scores(fits.get(f + 1));
            for (int i : folds.heldOut(f)) {
                scores[i] = weights[i] > 0 ? by[i] : scores[i];
            }
        }
        return scores;
    }

    /** A product of two of the columns whose sums are given. */
    @FunctionalInterface
    public interface Products {
        /** The sum of the products of column i and column j. */
        double of(int i, int j);
    }

    /**
     * The coefficients of least squares from sums of products alone, one per column. If columns depend on others, the
     * coefficients of least norm are taken, in units of the scales. All are NaN if a sum is not finite.
     *
     * @param scale the square root of each column's product with itself, with a penalty if there is one; 0 for a column
     *     that is left out
     * @param target the target's column
     * @param products the sums
     */
    public static double[] ofSums(double[] scale, int target, Products products, Workers workers) {
        return NormalEquations.of(scale, target, products).solve(workers);
    }

    /**
     * The coefficients of least squares of smallest norm, by conjugate gradients, from products with the Gram matrix
     * alone, which all targets share.
     *
     * @param gramTimes (v, out) -> out = X'X v, for one column per target
     * @param right X'y for each target
     */
    public static double[][] ofProducts(BiConsumer<DenseMatrix, DenseMatrix> gramTimes, double[]... right) {
        return ConjugateGradients.solve(gramTimes, NO_RESIDUAL, MOST_PASSES, PATIENCE, right);
    }

    static String source(boolean leastSquares, double lambda) {
        return leastSquares
                ? LEAST_SQUARES
                : String.format(Locale.ROOT, "ridge %.3g by generalised cross-validation", lambda);
    }

    /** Whether ridge is better computed by passes over the data; never for few columns if there are more rows. */
    private boolean isInPasses() {
        double n = x.cols();
        Matrix stored = x instanceof AffineMatrix affine ? affine.inner() : x;
        double read = stored instanceof CsrMatrix sparse ? sparse.nonzeros() : n * x.rows();
        boolean wide = n > FEW_COLUMNS && n > x.rows();
        return n > MOST_DECOMPOSED || wide && n * n * n > PASSES * read;
    }

    /** Passes over the columns divided by their weighted standard deviations. */
    KrylovFit weighted(double[] weights) {
        AffineMatrix affine =
                x instanceof AffineMatrix given ? given : new AffineMatrix(x, new double[x.cols()], null, false);
        double[] shift = affine.shift();
        double[] scale = affine.scale();
        double[][] means = means(affine.inner(), weights);
        double[] factors = new double[shift.length];
        for (int j = 0; j < factors.length; j++) {
            double mean = means[0][j];
            double square = means[1][j];
            double variance = intercept ? square - mean * mean : square - 2 * mean * shift[j] + shift[j] * shift[j];
            // the variance of a constant column is rounding
            factors[j] = variance <= 1e-12 * square ? 0 : 1 / (Math.sqrt(variance) * Math.abs(scale[j]));
        }
        return new KrylovFit(x, y, intercept, factors, workers);
    }

    /** The weighted means of the columns and of their squares. */
    private static double[][] means(Matrix stored, double[] weights) {
        int n = stored.cols();
        double total = Arrays.stream(weights).sum();
        double[][] means = new double[2][n];
        double[] row = new double[n];
        DoubleBuffer buffer = DoubleBuffer.wrap(row);
        for (int i = 0; i < stored.rows(); i++) {
            double weight = weights[i] / total;
            if (stored instanceof CsrMatrix sparse) {
                for (int entry = sparse.rowBegin(i); entry < sparse.rowEnd(i); entry++) {
                    add(weight, sparse.columnAt(entry), sparse.valueAt(entry), means);
                }
            } else {
                stored.tile(i, 1, 0, n, buffer);
                for (int j = 0; j < n; j++) {
                    add(weight, j, row[j], means);
                }
            }
        }
        return means;
    }

    private static void add(double weight, int j, double value, double[][] means) {
        means[0][j] += weight * value;
        means[1][j] += weight * value * value;
    }

    /**
     * The sums of products of columns, of y and of 1, by fold.
     *
     * @param parts the sums over the rows of each fold
     * @param columns the columns, as shifted and scaled columns of x
     */
    private record Sums(List<Moments> parts, SumsFit.Columns columns, boolean intercept, Workers workers) {
        SumsFit fitOfAll() {
            return fit(parts.get(0));
        }

        SumsFit fit(Moments moments) {
            return new SumsFit(moments, columns, intercept, workers);
        }
    }

    /**
     * The sums of products: of the columns as they are if the rows are many and the means near 0, otherwise of
     * standardised columns.
     *
     * @param foldOf the fold of each row; null if all are in one fold
     */
    private Sums sums(double[] weights, int @Nullable [] foldOf, int folds) {
        int n = x.cols();
        boolean many = Gram.isMany(x);
        double level = level(many);
        double[] factors = new double[n];
        Arrays.fill(factors, 1);
        if (many) {
            List<Moments> plain = foldOf == null && Vectors.isOnes(weights)
                    ? List.of(plain((DenseMatrix) x, level))
                    : moments(x, level, weights, foldOf, folds);
            if (isCentred(Moments.sum(plain))) {
                return new Sums(plain, new SumsFit.Columns(new double[n], factors, level), intercept, workers);
            }
        }
        double[] shift = intercept ? statistics().mean() : new double[n];
        double[] sd = statistics().sd();
        Arrays.setAll(factors, j -> sd[j] > 0 ? 1 / sd[j] : 1);
        List<Moments> parts = moments(new AffineMatrix(x, shift, factors, false), level, weights, foldOf, folds);
        return new Sums(parts, new SumsFit.Columns(shift, factors, level), intercept, workers);
    }

    /**
     * What is subtracted from y before sums are formed: its mean, or 0 without an intercept, and for many rows whose y
     * is near 0 already, which saves a copy of y.
     */
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

    /** The weighted sums of products of (columns, y - level, 1), by fold. */
    private List<Moments> moments(Matrix columns, double level, double[] weights, int @Nullable [] foldOf, int folds) {
        int n = x.cols();
        return Moments.byFold(columns, 2, foldOf, folds, workers, (i, row) -> {
            row[n] = y[i] - level;
            row[n + 1] = 1;
            return weights[i];
        });
    }
}
