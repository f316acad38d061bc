package stackelberg.objective.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Loss;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * S = X u + zHat tau + B q, everybody's score after the move, and sums over people of the loss l(S, y), its slopes and its curvatures: the only place that reads the
 * data. It knows no gamma.
 *
 * <p>X is scaled by the roots of the costs and, where there is an intercept, shifted next to its means, which B q takes up, as it takes up z - zHat: zHat is what B leaves
 * of the wishes, 0 if they are common. Sums run in parts that depend on the sizes alone, and are added in their order.
 */
final class Scores {
    /** Values of a tile, 1 MB, and the least of its rows: the size at which products are fast. */
    private static final int TILE = 1 << 17;

    private static final int HEIGHT = 512;

    /** Rows of the sample that the shift is from. */
    private static final int SAMPLE = 1_000;

    /** Memory for the sums of all parts, and most of them. */
    private static final long SUM_BYTES = 32 << 20;

    private static final int MOST_PARTS = 16;

    /** What is left of wishes that are the same for everybody, relative. */
    private static final double COMMON = 1e-13;

    /** Features up to which H is formed and decomposed, and where they are kept by their nonzeros. */
    private static final int FORMED = 1_000;

    private static final int FORMED_SPARSE = 400;

    private final Matrix x;
    private final Loss loss;
    private final double[] y;
    private final double[] weights;
    private final double total;
    private final double[] rootCosts;
    /** Null where nothing is shifted. */
    private final double @Nullable [] shift;

    private final Fixed fixed;
    private final double[] z;
    private final double[] zHat;
    /** z - zHat = B times this. */
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

    private double size(double[] values) {
        double square = 0;
        for (int i = 0; i < values.length; i++) {
            square += weights[i] * values[i] * values[i];
        }
        return Math.sqrt(square);
    }

    /** Of people who are evenly spread. */
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

    /** Whether features are kept by their nonzeros. */
    boolean isSparse() {
        return x instanceof CsrMatrix || x instanceof AffineMatrix affine && affine.inner() instanceof CsrMatrix;
    }

    /** Whether features are so few that sums of their products are formed. */
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

    /** sum_i s_i. */
    double total() {
        return total;
    }

    /** The wishes as they are. */
    double[] z() {
        return z;
    }

    double[] zHat() {
        return zHat;
    }

    /** Whether zHat = 0: one wish for everybody, up to what nobody can change. */
    boolean isCommon() {
        return common;
    }

    Workers workers() {
        return workers;
    }

    /** How often all of the data was read. */
    int passes() {
        return (int) Math.ceil(passes - 1e-9);
    }

    /** Counts what was read elsewhere. */
    void count(double more) {
        passes += more;
    }

    private Matrix scaled() {
        return new AffineMatrix(x, shift, rootCosts, false);
    }

    /** X u + zHat tau: linear in what it is given. */
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

    /** X'nu. */
    double[] slopes(double[] nu) {
        return slopes(nu, null);
    }

    /** @param rowSquares receives bounds of ||x_i||^2, if not null */
    double[] slopes(double[] nu, double @Nullable [] rowSquares) {
        DenseMatrix out = DenseMatrix.zeros(rootCosts.length, 1);
        scaled().transposeTimes(DenseMatrix.column(nu), out, rowSquares, workers);
        passes++;
        return out.column(0);
    }

    /** zHat'nu. */
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

    /** sum_i s_i l(S_i, y_i). */
    double value(double[] scores) {
        Sum sum = new Sum();
        for (int i = 0; i < scores.length; i++) {
            if (weights[i] != 0) {
                sum.add(weights[i] * loss.value(scores[i], y[i]));
            }
        }
        return sum.value();
    }

    /** s_i l'(S_i, y_i). */
    double[] pushes(double[] scores) {
        double[] nu = new double[scores.length];
        for (int i = 0; i < nu.length; i++) {
            nu[i] = weights[i] == 0 ? 0 : weights[i] * loss.slope(scores[i], y[i]);
        }
        return nu;
    }

    /**
     * s_i times the curvature, or part of the way to that of a parabola which touches the loss at S_i and lies above it: steps by that one never rise, and the Huber loss has
     * none of its own where errors are large.
     *
     * @param share of the way
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
                Gram.symmetrize(all);
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

    /** E'diag(w)E of E = [X, zHat, B], its lower triangle, and E'nu. */
    record Sums(DenseMatrix gram, double[] slopes) {}

    /** One pass, by tiles: nothing of the size of X is copied. */
    Sums sums(double[] w, double[] nu) {
        int n = rootCosts.length;
        int order = n + 1 + fixed.size();
        boolean large = order > 2 * HEIGHT;
        long affordable = Math.max(1, SUM_BYTES / (8L * order * order));
        int parts = large ? 1 : (int) Math.min(Math.min(MOST_PARTS, affordable), 1 + y.length / (4 * HEIGHT));
        DenseMatrix[] grams = new DenseMatrix[parts];
        double[][] slopes = new double[parts][order];
        workers.run(parts, part -> {
            grams[part] = DenseMatrix.zeros(order, order);
            int first = (int) ((long) y.length * part / parts);
            int end = (int) ((long) y.length * (part + 1) / parts);
            add(first, end, w, nu, grams[part], slopes[part], large ? workers : Workers.of(1));
        });
        passes++;
        double[] row = new double[order];
        for (int part = 1; part < parts; part++) {
            for (int j = 0; j < order; j++) {
                slopes[0][j] += slopes[part][j];
                double[] sum = grams[0].row(j);
                System.arraycopy(grams[part].row(j), 0, row, 0, order);
                for (int k = 0; k <= j; k++) {
                    sum[k] += row[k];
                }
                grams[0].setRow(j, sum);
            }
        }
        return new Sums(grams[0], slopes[0]);
    }

    private void add(int first, int end, double[] w, double[] nu, DenseMatrix gram, double[] slopes, Workers inside) {
        int n = rootCosts.length;
        int order = gram.rows();
        double[][] basis = fixed.basis();
        int height = Math.min(end - first, Math.max(HEIGHT, TILE / order));
        double[] features = new double[height * n];
        double[] tile = new double[height * order];
        // the kernels copy what is not direct
        DoubleBuffer direct = ByteBuffer.allocateDirect(8 * tile.length)
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
        for (int from = first; from < end; from += height) {
            int count = Math.min(height, end - from);
            x.tile(from, count, 0, n, DoubleBuffer.wrap(features));
            for (int r = 0; r < count; r++) {
                int i = from + r;
                int at = r * order;
                double root = Math.sqrt(w[i]);
                double push = nu[i];
                for (int j = 0; j < n; j++) {
                    double value = (features[r * n + j] - (shift == null ? 0 : shift[j])) * rootCosts[j];
                    slopes[j] += push * value;
                    tile[at + j] = root * value;
                }
                slopes[n] += push * zHat[i];
                tile[at + n] = root * zHat[i];
                for (int b = 0; b < basis.length; b++) {
                    slopes[n + 1 + b] += push * basis[b][i];
                    tile[at + n + 1 + b] = root * basis[b][i];
                }
            }
            direct.put(0, tile);
            Gram.addTransposeProduct(direct, count, order, gram, inside);
        }
    }

    /** X'diag(w)X v + X'diag(w)zHat last in one pass, and in {@code between} the diag(w)(X v + zHat last) of everybody. */
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

    /** X'diag(w)B, one column each. */
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

    /** The rule of (u, tau, q), u = (1 - tau) w on cost-scaled features; not finite where 1 - tau = 0. */
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

    /** w/sqrt(c), on cost-scaled features. */
    double[] scaledCoefficients(LinearRule rule) {
        double[] w = rule.w();
        for (int j = 0; j < w.length; j++) {
            w[j] /= rootCosts[j];
        }
        return w;
    }

    /**
     * q of a rule that was multiplied by 1 - tau: the inverse of {@link #rule}.
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
