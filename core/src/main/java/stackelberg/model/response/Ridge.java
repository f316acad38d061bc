package stackelberg.model.response;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.estimate.Moments;
import stackelberg.estimate.Resampling;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/**
 * The rules of somebody who thinks that nobody moves: minimise sum_i s_i (w'x_i + b - y_i)^2 + lambda W sum_j v_j w_j^2, W = sum s_i and v_j the
 * variance of feature j (around 0 if there is no b), so that its units do not matter; lambda = 0 is least squares (of smallest norm), and {@link #crossValidated} chooses lambda by the error on rows left out.
 *
 * <p>The training rows of a fold are the sums of the other folds, added: less its own, the sums of all rows would lose the digits of the others
 * where one person counts far more than they do. Every lambda of a fold comes from one eigendecomposition.
 */
final class Ridge {
    static final int FOLDS = 5;
    private static final int TILE = 1024;

    private final Encoding encoding;
    private final DenseMatrix x;
    private final double[] y;
    private final double[] weights;
    private final boolean intercept;
    private final Workers workers;
    private final Moments all;
    private Solver ofAll;

    /**
     * Rows of x are encoded by the encoding.
     *
     * @param intercept whether there is a b; without one it is 0 in encoded units, as everywhere
     */
    Ridge(Encoding encoding, DenseMatrix x, double[] y, double[] weights, boolean intercept, Workers workers) {
        this.encoding = encoding;
        this.x = x;
        this.y = y;
        this.weights = weights;
        this.intercept = intercept;
        this.workers = workers;
        this.all = moments(IntStream.range(0, y.length).toArray());
    }

    PublishedRule ridge(double lambda) {
        return ofAll().rule("ridge", lambda);
    }

    PublishedRule leastSquares() {
        return ofAll().rule("least squares", 0);
    }

    /** Decomposed once, for both. */
    private Solver ofAll() {
        ofAll = ofAll == null ? new Solver(all) : ofAll;
        return ofAll;
    }

    /** A rule and the lambda it was found with. */
    record Chosen(PublishedRule rule, double lambda) {}

    /** The lambda of the grid, 10^-6 to 10^2 in steps of the fourth root of 10, whose rules do best on the folds they have not seen. */
    Chosen crossValidated(long seed) {
        Resampling.Folds folds = Resampling.of(weights, seed).foldsAtMost(FOLDS);
        double[] grid = grid();
        double[] errors = new double[grid.length];
        List<Moments> parts = IntStream.range(0, folds.count())
                .mapToObj(f -> moments(folds.heldOut(f)))
                .toList();
        for (int f = 0; f < folds.count(); f++) {
            Solver solver = new Solver(Moments.without(parts, f));
            for (int k = 0; k < grid.length; k++) {
                errors[k] += solver.squaredError(parts.get(f), grid[k]);
            }
        }
        double lambda = grid[best(errors)];
        return new Chosen(ridge(lambda), lambda);
    }

    /** The lambdas that are tried, ascending. */
    static double[] grid() {
        return IntStream.rangeClosed(0, 32)
                .mapToDouble(k -> Math.pow(10, -6 + k / 4.0))
                .toArray();
    }

    /** The smallest error, of the larger lambda where there is nothing in it. */
    static int best(double[] errors) {
        int best = 0;
        for (int k = 1; k < errors.length; k++) {
            best = errors[k] <= errors[best] ? k : best;
        }
        return best;
    }

    /** Sums over some rows of the products of (x, y, 1); x is centred on its encoding's shift already, so they hardly cancel. */
    private Moments moments(int[] rows) {
        int n = x.cols();
        Moments.Builder sums = new Moments.Builder(n + 2, TILE, workers);
        double[] values = new double[n + 2];
        DoubleBuffer buffer = DoubleBuffer.wrap(values);
        for (int row : rows) {
            x.tile(row, 1, 0, n, buffer);
            values[n] = y[row];
            values[n + 1] = 1;
            sums.add(weights[row], values);
        }
        return sums.build();
    }

    /** The eigendecomposition of the covariance of the features of some rows, around 0 where there is no intercept. */
    private final class Solver {
        private final double[] mean;
        private final double meanY;
        /** sqrt(v_j), 1 for a constant feature. */
        private final double[] sd;

        private final SymmetricEigen eigen;
        private final double[] coordinates;

        Solver(Moments moments) {
            int n = x.cols();
            DenseMatrix sums = moments.products();
            double total = moments.weight();
            mean = new double[n];
            sd = new double[n];
            DenseMatrix covariance = DenseMatrix.zeros(n, n);
            double[] xy = new double[n];
            meanY = intercept ? sums.get(n + 1, n) / total : 0;
            for (int j = 0; j < n; j++) {
                mean[j] = intercept ? sums.get(n + 1, j) / total : 0;
                double variance = sums.get(j, j) / total - mean[j] * mean[j];
                // what is left of a feature that is constant here is rounding
                boolean constant = variance <= 1e-12 * sums.get(j, j) / total;
                sd[j] = constant ? 1 : Math.sqrt(variance);
            }
            for (int i = 0; i < n; i++) {
                xy[i] = (sums.get(n, i) / total - meanY * mean[i]) / sd[i];
                for (int j = 0; j <= i; j++) {
                    double value = sums.get(i, j) / total - mean[i] * mean[j];
                    covariance.set(i, j, value / (sd[i] * sd[j]));
                }
            }
            Gram.symmetrize(covariance);
            eigen = SymmetricEigen.of(covariance, workers);
            coordinates = new double[n];
            for (int k = 0; k < n; k++) {
                coordinates[k] = Vectors.dot(eigen.vectors().column(k), xy);
            }
        }

        private double[] weights(double lambda) {
            double[] values = eigen.values();
            int n = values.length;
            double floor = n == 0 ? 0 : n * 0x1p-46 * Math.abs(values[n - 1]);
            double[] w = new double[n];
            for (int k = 0; k < n; k++) {
                if (values[k] > floor || lambda > 0) {
                    Vectors.axpy(
                            coordinates[k] / (Math.max(0, values[k]) + lambda),
                            eigen.vectors().column(k),
                            w);
                }
            }
            for (int j = 0; j < n; j++) {
                w[j] /= sd[j];
            }
            return w;
        }

        /** v'(sums of (x, y, 1)(x, y, 1)')v with v = (w, -1, b): the squared error on other rows without reading them. */
        double squaredError(Moments held, double lambda) {
            double[] w = weights(lambda);
            double[] v = Arrays.copyOf(w, w.length + 2);
            v[w.length] = -1;
            v[w.length + 1] = meanY - Vectors.dot(w, mean);
            double sum = 0;
            for (int i = 0; i < v.length; i++) {
                double row = held.products().get(i, i) * v[i] / 2;
                for (int j = 0; j < i; j++) {
                    row += held.products().get(i, j) * v[j];
                }
                sum += 2 * v[i] * row;
            }
            return sum;
        }

        PublishedRule rule(String name, double lambda) {
            double[] w = weights(lambda);
            Map<String, Double> coefficients = new LinkedHashMap<>();
            List<EncodedColumn> columns = encoding.columns();
            double constant = meanY;
            for (int j = 0; j < w.length; j++) {
                double coefficient = w[j] / columns.get(j).scale();
                coefficients.put(columns.get(j).name(), coefficient);
                constant -= w[j] * mean[j] + coefficient * columns.get(j).shift();
            }
            return new PublishedRule(name, constant, coefficients);
        }
    }
}
