package stackelberg.objective.limited;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * The curvature of the loss before any move, sum_i s_i d_i d_i' over features and immutable columns, with a small
 * multiple of the costs added.
 *
 * <p>It makes descents handle nearly collinear columns well from the first step on. If there are too many columns, only
 * its diagonal is used.
 */
final class Metric {
    private static final int MOST = 1_000;

    /** The number of rows in a tile. */
    private static final int HEIGHT = 512;

    /**
     * The smallest curvature of each feature as a fraction of the mean, in units of its cost: moves contribute
     * curvature even where the features do not.
     */
    private static final double COSTLY = 1e-6;

    private final double[] diagonal;
    private final @Nullable Cholesky factor;

    private Metric(double[] diagonal, @Nullable Cholesky factor) {
        this.diagonal = diagonal;
        this.factor = factor;
    }

    static Metric of(
            Matrix x, double[] costs, double[][] immutable, boolean intercept, double[] weights, Workers workers) {
        int n = x.cols();
        int p = n + immutable.length + (intercept ? 1 : 0);
        boolean whole = p <= MOST;
        DenseMatrix gram = DenseMatrix.zeros(whole ? p : 0, whole ? p : 0);
        double[] diagonal = new double[p];
        double[] features = new double[HEIGHT * n];
        double[] tile = new double[HEIGHT * p];
        for (int first = 0; first < x.rows(); first += HEIGHT) {
            int count = Math.min(HEIGHT, x.rows() - first);
            x.tile(first, count, 0, n, DoubleBuffer.wrap(features));
            for (int i = 0; i < count; i++) {
                double root = Math.sqrt(weights[first + i]);
                for (int k = 0; k < p; k++) {
                    double value =
                            k < n ? features[i * n + k] : k < n + immutable.length ? immutable[k - n][first + i] : 1;
                    tile[i * p + k] = root * value;
                    diagonal[k] += tile[i * p + k] * tile[i * p + k];
                }
            }
            if (whole) {
                Gram.addTransposeProduct(DoubleBuffer.wrap(tile), count, p, gram, workers);
            }
        }
        double mean = 0;
        for (int j = 0; j < n; j++) {
            mean += diagonal[j] * costs[j] / n;
        }
        for (int k = 0; k < p; k++) {
            double more = k < n ? COSTLY * mean / costs[k] : 0x1p-30 * diagonal[k];
            diagonal[k] += more;
            // a column of zeros has no curvature, so any positive value will do
            double lone = diagonal[k] > 0 ? 0 : 1;
            diagonal[k] += lone;
            if (whole) {
                gram.set(k, k, gram.get(k, k) + more + lone);
            }
        }
        Optional<Cholesky> factor = whole ? Cholesky.of(gram, 0, workers) : Optional.empty();
        return new Metric(diagonal, factor.orElse(null));
    }

    /** Returns -M^{-1} g. */
    double[] downhill(double[] gradient) {
        double[] direction = Arrays.stream(gradient).map(value -> -value).toArray();
        if (factor != null) {
            factor.solve(direction);
            return direction;
        }
        for (int k = 0; k < direction.length; k++) {
            direction[k] /= diagonal[k];
        }
        return direction;
    }
}
