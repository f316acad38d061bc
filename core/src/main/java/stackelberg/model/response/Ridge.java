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
 * Ridge regression, which ignores moves: minimise sum_i s_i (w'x_i + b - y_i)^2 + lambda W sum_j v_j w_j^2, where W =
 * sum s_i and v_j is the variance of feature j (about 0 if there is no intercept b), so that units do not matter.
 * lambda = 0 is least squares of smallest norm; {@link #crossValidated} chooses lambda by the error on held-out rows.
 *
 * <p>The sums over the training rows of a fold are added up from the sums of the other folds. Subtracting the fold's
 * own sums from the total would lose digits if one row has far more weight than the others. One eigendecomposition per
 * fold serves all lambdas.
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
     * @param x the rows in the encoding
     * @param intercept whether there is a b; without one, b is 0 in encoded units, as everywhere
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

    /** Returns the solver of all rows, decomposed once for {@link #leastSquares} and {@link #crossValidated}. */
    private Solver ofAll() {
        ofAll = ofAll == null ? new Solver(all) : ofAll;
        return ofAll;
    }

    /** A rule and its lambda. */
    record Chosen(PublishedRule rule, double lambda) {}

    /**
     * Returns the rule whose lambda has the smallest cross-validated error, on the grid from 1e-6 to 100 in factors of
     * the fourth root of 10.
     */
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

    /** Returns the grid of lambdas, ascending. */
    static double[] grid() {
        return IntStream.rangeClosed(0, 32)
                .mapToDouble(k -> Math.pow(10, -6 + k / 4.0))
                .toArray();
    }

    /** Returns the index of the smallest error; of equal errors, that of the larger lambda. */
    static int best(double[] errors) {
        int best = 0;
        for (int k = 1; k < errors.length; k++) {
            best = errors[k] <= errors[best] ? k : best;
        }
        return best;
    }

    /**
     * Returns the sums over some rows of the products of (x, y, 1). The encoding has already centred x, so there is
     * little cancellation.
     */
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

    /** The eigendecomposition of the covariance of the features over some rows, about 0 if there is no intercept. */
    private final class Solver {
        private final double[] mean;
        private final double meanY;
        /** sqrt(v_j); 1 for a constant feature. */
        private final double[] sd;

        private final SymmetricEigen eigen;
        private final double[] coordinates;

        /** Decomposes the standardised covariance of the features. */
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
                // the variance of a feature that is constant in these rows is rounding
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

        /** Returns the coefficients for one lambda, in the units of the encoded features. */
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

        /**
         * Returns the squared error on other rows from their sums alone: v'(sums of (x, y, 1)(x, y, 1)')v with v = (w,
         * -1, b).
         */
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
