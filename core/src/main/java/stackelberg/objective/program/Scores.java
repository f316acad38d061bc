package stackelberg.objective.program;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.estimate.Moments;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The scores after the move, S = X u + zHat tau + B q, and sums over the rows of the loss l(S, y), its slopes and its
 * curvatures. It is the only class of this search that reads the data, and it does not depend on gamma.
 *
 * <p>X is scaled by the roots of the costs and, if there is an intercept, shifted close to its means; B q compensates
 * for the shift, and for z - zHat, where zHat is the part of the wishes that B does not explain, 0 if all wishes are
 * equal. Sums are computed in parts that depend only on the sizes, and the parts are added in their order.
 */
final class Scores {
    /** The number of rows from which the shift is computed. */
    private static final int SAMPLE = 1_000;

    /** The relative variation below which wishes count as equal. */
    private static final double COMMON = 1e-13;

    /**
     * The largest number of features for which H is formed and decomposed, and from which sparse features are kept
     * sparse.
     */
    private static final int FORMED = 1_000;

    private static final int FORMED_SPARSE = 400;

    private final Matrix x;
    private final Loss loss;
    private final double[] y;
    private final double[] weights;
    private final double total;
    private final double[] rootCosts;
    /** The shift; null if nothing is shifted. */
    private final double @Nullable [] shift;

    private final Fixed fixed;
    private final double[] z;
    private final double[] zHat;
    /** The coordinates of z - zHat on B. */
    private final double[] explained;

    private final boolean common;
    private final Workers workers;
    private double passes;

    Scores(PredictionGame game, Workers workers) {
        this.x = game.x();
        this.loss = game.loss();
        this.y = game.y();
        this.weights = game.weights();
        this.total = Arrays.stream(weights).sum();
        this.rootCosts = Arrays.stream(game.costs()).map(Math::sqrt).toArray();
        this.fixed = Fixed.of(game);
        this.workers = workers;
        this.explained = new double[fixed.size()];
        this.z = game.z();
        double[] rest = fixed.remove(z, explained);
        this.common = size(rest) <= COMMON * size(z);
        this.zHat = common ? new double[z.length] : rest;
        this.shift = fixed.hasIntercept() && !isSparse() ? means() : null;
    }

    /** Returns (sum_i s_i v_i^2)^(1/2). */
    double size(double[] values) {
        return Math.sqrt(Vectors.dot(values, values, weights));
    }

    /** Returns the means over an evenly spread sample of the rows. */
    private double[] means() {
        int count = Math.min(SAMPLE, x.rows());
        double[] means = new double[x.cols()];
        double[] row = new double[x.cols()];
        for (int k = 0; k < count; k++) {
            x.tile((int) ((long) k * x.rows() / count), 1, 0, row.length, DoubleBuffer.wrap(row));
            for (int j = 0; j < row.length; j++) {
                means[j] += row[j] / count;
            }
        }
        return means;
    }

    /** Returns whether features are stored by their nonzeros. */
    boolean isSparse() {
        return x instanceof CsrMatrix || x instanceof AffineMatrix affine && affine.inner() instanceof CsrMatrix;
    }

    /** Returns whether there are so few features that sums of their products are formed. */
    boolean isFormed() {
        return rootCosts.length <= (isSparse() ? FORMED_SPARSE : FORMED);
    }

    int people() {
        return y.length;
    }

    int features() {
        return rootCosts.length;
    }

    Fixed fixed() {
        return fixed;
    }

    Loss loss() {
        return loss;
    }

    double[] y() {
        return y;
    }

    double[] weights() {
        return weights;
    }

    /** Returns sum_i s_i. */
    double total() {
        return total;
    }

    /** Returns the wishes. */
    double[] z() {
        return z;
    }

    double[] zHat() {
        return zHat;
    }

    /** Returns whether zHat = 0: all wishes are equal, up to what the immutable columns explain. */
    boolean isCommon() {
        return common;
    }

    /** Returns the number of passes over the data. */
    int passes() {
        return (int) Math.ceil(passes - 1e-9);
    }

    /** Adds passes that were made elsewhere. */
    void count(double more) {
        passes += more;
    }

    private Matrix scaled() {
        return new AffineMatrix(x, shift, rootCosts, false);
    }

    /** Returns X u + zHat tau, which is linear in (u, tau). */
    double[] moved(double[] u, double tau) {
        DenseMatrix out = DenseMatrix.zeros(y.length, 1);
        scaled().times(DenseMatrix.column(u), out, workers);
        passes++;
        double[] scores = out.column(0);
        for (int i = 0; i < scores.length && !common; i++) {
            scores[i] += tau * zHat[i];
        }
        return scores;
    }

    /** Returns X'nu. */
    double[] slopes(double[] nu) {
        return slopes(nu, null);
    }

    /**
     * @param rowSquares receives bounds of ||x_i||^2, if not null
     */
    double[] slopes(double[] nu, double @Nullable [] rowSquares) {
        DenseMatrix out = DenseMatrix.zeros(rootCosts.length, 1);
        scaled().transposeTimes(DenseMatrix.column(nu), out, rowSquares, workers);
        passes++;
        return out.column(0);
    }

    /** Returns zHat'nu. */
    double wished(double[] nu) {
        if (common) {
            return 0;
        }
        Sum sum = new Sum();
        for (int i = 0; i < nu.length; i++) {
            sum.add(zHat[i] * nu[i]);
        }
        return sum.value();
    }

    /** Returns sum_i s_i l(S_i, y_i). */
    double value(double[] scores) {
        Sum sum = new Sum();
        for (int i = 0; i < scores.length; i++) {
            if (weights[i] != 0) {
                sum.add(weights[i] * loss.value(scores[i], y[i]));
            }
        }
        return sum.value();
    }

    /** Returns s_i l'(S_i, y_i). */
    double[] pushes(double[] scores) {
        double[] nu = new double[scores.length];
        for (int i = 0; i < nu.length; i++) {
            nu[i] = weights[i] == 0 ? 0 : weights[i] * loss.slope(scores[i], y[i]);
        }
        return nu;
    }

    /**
     * Returns s_i times the curvature, interpolated with that of a parabola which touches the loss at S_i and lies
     * above it. Steps by that parabola never increase the loss, and it has a curvature even where Huber's loss has
     * none.
     *
     * @param share the weight of the parabola
     */
    double[] curvatures(double[] scores, double share) {
        double[] w = new double[scores.length];
        for (int i = 0; i < w.length; i++) {
            if (weights[i] != 0) {
                w[i] = weights[i] * curvature(scores[i], y[i], share);
            }
        }
        return w;
    }

    double curvature(double score, double truth, double share) {
        double own = loss.curvature(score, truth);
        return share == 0 ? own : own + share * (loss.curvatureAbove(score, truth) - own);
    }

    /** [X, B]. */
    Columns columns() {
        int n = features();
        return new Columns() {
            @Override
            public int size() {
                return n + fixed.size();
            }

            @Override
            public double[] times(double[] theta) {
                double[] scores = moved(Arrays.copyOf(theta, n), 0);
                fixed.add(Arrays.copyOfRange(theta, n, theta.length), scores);
                return scores;
            }

            @Override
            public double[] transposeTimes(double[] nu) {
                double[] sums = Arrays.copyOf(slopes(nu), size());
                System.arraycopy(fixed.transposeTimes(nu), 0, sums, n, fixed.size());
                return sums;
            }

            @Override
            public double[][] gram(double[] w) {
                DenseMatrix all = sums(w, new double[w.length]).gram();
                double[][] gram = new double[size()][];
                for (int j = 0; j < gram.length; j++) {
                    double[] row = all.row(j < n ? j : j + 1);
                    gram[j] = Arrays.copyOf(row, gram.length);
                    // without the wishes, which are in between
                    System.arraycopy(row, n + 1, gram[j], n, fixed.size());
                }
                return gram;
            }
        };
    }

    /** E'diag(w)E and E'nu, for E = [X, zHat, B]. */
    record Sums(DenseMatrix gram, double[] slopes) {}

    /** Computes the sums in one pass. */
    Sums sums(double[] w, double[] nu) {
        int n = rootCosts.length;
        double[][] basis = fixed.basis();
        int order = n + 1 + basis.length;
        int parts = Moments.parts(y.length, order);
        int[] firsts = new int[parts];
        Arrays.setAll(firsts, part -> Moments.first(y.length, part, parts));
        // each part is summed by one thread
        double[][] slopes = new double[parts][order];
        DenseMatrix gram = Moments.of(x, order - n, workers, (i, row) -> {
                    for (int j = 0; j < n; j++) {
                        row[j] = (row[j] - (shift == null ? 0 : shift[j])) * rootCosts[j];
                    }
                    row[n] = zHat[i];
                    for (int b = 0; b < basis.length; b++) {
                        row[n + 1 + b] = basis[b][i];
                    }
                    int found = Arrays.binarySearch(firsts, i);
                    Vectors.axpy(nu[i], row, slopes[found < 0 ? -found - 2 : found]);
                    return w[i];
                })
                .products();
        passes++;
        double[] total = new double[order];
        Arrays.stream(slopes).forEach(part -> Vectors.axpy(1, part, total));
        return new Sums(gram, total);
    }

    /**
     * Returns X'diag(w)X v + X'diag(w)zHat last from one pass, and writes diag(w)(X v + zHat last) to {@code between}.
     */
    double[] curved(double[] v, double last, double[] w, double[] between) {
        Matrix matrix = scaled();
        Matrix.RowStep[] steps = new Matrix.RowStep[matrix.parts(1)];
        Arrays.fill(steps, (Matrix.RowStep) (firstRow, rowCount, values) -> {
            for (int r = 0; r < rowCount; r++) {
                int i = firstRow + r;
                double value = w[i] == 0 ? 0 : w[i] * (values.get(r) + last * zHat[i]);
                between[i] = value;
                values.put(r, value);
            }
        });
        DenseMatrix out = DenseMatrix.zeros(rootCosts.length, 1);
        matrix.pass(DenseMatrix.column(v), steps, out, workers);
        passes++;
        return out.column(0);
    }

    /** Returns X'diag(w)B, one array per column. */
    double[][] curvedFixed(double[] w) {
        int k = fixed.size();
        if (k == 0) {
            return new double[0][];
        }
        DenseMatrix weighted = DenseMatrix.zeros(y.length, k);
        for (int b = 0; b < k; b++) {
            double[] column = fixed.basis()[b].clone();
            for (int i = 0; i < column.length; i++) {
                column[i] = w[i] == 0 ? 0 : column[i] * w[i];
            }
            weighted.setColumn(b, column);
        }
        DenseMatrix out = DenseMatrix.zeros(rootCosts.length, k);
        scaled().transposeTimes(weighted, out, null, workers);
        passes++;
        double[][] columns = new double[k][];
        Arrays.setAll(columns, out::column);
        return columns;
    }

    /** Returns the rule of (u, tau, q), where u = (1 - tau) w on cost-scaled features; not finite if 1 - tau = 0. */
    LinearRule rule(double[] u, double tau, double kept, double[] q) {
        double[] w = new double[u.length];
        double constant = 0;
        for (int j = 0; j < w.length; j++) {
            w[j] = u[j] * rootCosts[j] / kept;
            constant += shift == null ? 0 : shift[j] * w[j];
        }
        double[] own = new double[q.length];
        Arrays.setAll(own, b -> (q[b] - tau * explained[b]) / kept);
        return fixed.rule(w, own, constant);
    }

    /** Returns w/sqrt(c), the coefficients on cost-scaled features. */
    double[] scaledCoefficients(LinearRule rule) {
        double[] w = rule.w();
        for (int j = 0; j < w.length; j++) {
            w[j] /= rootCosts[j];
        }
        return w;
    }

    /**
     * Returns q of a rule that was multiplied by 1 - tau: the inverse of {@link #rule}.
     *
     * @param u its coefficients on cost-scaled features
     */
    double[] fixedPart(LinearRule scaled, double[] u, double tau) {
        double constant = 0;
        for (int j = 0; j < u.length && shift != null; j++) {
            constant += shift[j] * u[j] * rootCosts[j];
        }
        double[] q = fixed.coordinates(scaled, constant);
        Arrays.setAll(q, b -> q[b] + tau * explained[b]);
        return q;
    }
}
