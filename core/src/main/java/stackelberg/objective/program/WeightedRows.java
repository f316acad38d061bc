package stackelberg.objective.program;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Gram;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * D = [X, V] with X scaled by the roots of the costs and V less its levels and of unit length: products, and D'diag(a)D
 * in one pass. The intercept, if there is one, is the last column.
 */
final class WeightedRows {
    /** The number of rows in a tile. */
    private static final int HEIGHT = 1024;

    private final Matrix x;
    private final double[] rootCosts;
    private final double[][] v;
    private final double[] levels;
    private final double[] sizes;
    private final boolean intercept;
    private final Workers workers;
    private int passes;

    WeightedRows(PredictionGame game, Workers workers) {
        this.rootCosts = Arrays.stream(game.costs()).map(Math::sqrt).toArray();
        this.x = new AffineMatrix(game.x(), null, rootCosts, false);
        this.levels = game.immutableLevels();
        this.intercept = game.hasIntercept();
        this.workers = workers;
        double[][] columns = game.immutableMinus(levels);
        int k = columns.length;
        this.v = Arrays.copyOf(columns, k + (intercept ? 1 : 0));
        this.sizes = new double[v.length];
        int m = x.rows();
        for (int j = 0; j < v.length; j++) {
            double[] column = new double[m];
            double square = 0;
            for (int i = 0; i < m; i++) {
                column[i] = j == k ? 1 : columns[j][columns[j].length == 1 ? 0 : i];
                square += game.weight(i) * column[i] * column[i];
            }
            sizes[j] = square > 0 ? Math.sqrt(square / game.totalWeight()) : 1;
            for (int i = 0; i < m; i++) {
                column[i] /= sizes[j];
            }
            v[j] = column;
        }
    }

    int rows() {
        return x.rows();
    }

    /** n. */
    int features() {
        return rootCosts.length;
    }

    /** Columns of V. */
    int fixed() {
        return v.length;
    }

    int passes() {
        return passes;
    }

    /** D theta. */
    double[] times(double[] theta) {
        int n = features();
        DenseMatrix out = DenseMatrix.zeros(rows(), 1);
        x.times(DenseMatrix.column(Arrays.copyOf(theta, n)), out, workers);
        passes++;
        double[] scores = out.column(0);
        for (int j = 0; j < v.length; j++) {
            for (int i = 0; i < scores.length; i++) {
                scores[i] += theta[n + j] * v[j][i];
            }
        }
        return scores;
    }

    /** D'nu. */
    double[] transposeTimes(double[] nu) {
        int n = features();
        DenseMatrix out = DenseMatrix.zeros(n, 1);
        x.transposeTimes(DenseMatrix.column(nu), out, null, workers);
        passes++;
        double[] sums = Arrays.copyOf(out.column(0), n + v.length);
        for (int j = 0; j < v.length; j++) {
            for (int i = 0; i < nu.length; i++) {
                sums[n + j] += nu[i] * v[j][i];
            }
        }
        return sums;
    }

    /** D'diag(a)D for a >= 0. */
    DenseMatrix gram(double[] a) {
        int n = features();
        int order = n + v.length;
        DenseMatrix gram = DenseMatrix.zeros(order, order);
        double[] features = new double[HEIGHT * n];
        double[] tile = new double[HEIGHT * order];
        // the kernels copy what is not direct
        DoubleBuffer direct = ByteBuffer.allocateDirect(8 * tile.length)
                .order(ByteOrder.nativeOrder())
                .asDoubleBuffer();
        for (int first = 0; first < rows(); first += HEIGHT) {
            int count = Math.min(HEIGHT, rows() - first);
            x.tile(first, count, 0, n, DoubleBuffer.wrap(features));
            for (int r = 0; r < count; r++) {
                double root = Math.sqrt(a[first + r]);
                for (int j = 0; j < n; j++) {
                    tile[r * order + j] = root * features[r * n + j];
                }
                for (int j = 0; j < v.length; j++) {
                    tile[r * order + n + j] = root * v[j][first + r];
                }
            }
            direct.put(0, tile);
            Gram.addTransposeProduct(direct, count, order, gram, workers);
        }
        passes++;
        Gram.symmetrize(gram);
        return gram;
    }

    /** The rule whose scores are D theta. */
    LinearRule rule(double[] theta) {
        int n = features();
        double[] w = Arrays.copyOf(theta, n);
        for (int j = 0; j < n; j++) {
            w[j] *= rootCosts[j];
        }
        double[] q = new double[levels.length];
        double constant = intercept ? theta[n + levels.length] / sizes[levels.length] : 0;
        for (int j = 0; j < q.length; j++) {
            q[j] = theta[n + j] / sizes[j];
            constant -= intercept ? levels[j] * q[j] : 0;
        }
        return new LinearRule(w, q, constant);
    }

    /** The inverse of {@link #rule}. */
    double[] theta(LinearRule rule) {
        int n = features();
        double[] theta = Arrays.copyOf(rule.w(), n + v.length);
        for (int j = 0; j < n; j++) {
            theta[j] /= rootCosts[j];
        }
        double constant = rule.intercept();
        for (int j = 0; j < levels.length; j++) {
            theta[n + j] = rule.q()[j] * sizes[j];
            constant += levels[j] * rule.q()[j];
        }
        if (intercept) {
            theta[n + levels.length] = constant * sizes[levels.length];
        }
        return theta;
    }
}
