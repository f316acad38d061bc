package stackelberg.spark;

import java.io.Serializable;
import java.nio.DoubleBuffer;
import stackelberg.linalg.CsrMatrix;

/** Some rows [V, X, y, z - y] with their weights, packed: what is cached, and multiplied by one call. */
final class RowBlock implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What is wrong with the row after this block, or null; the partition ends there. */
    final String problem;

    final int rows;
    private final int features;
    final double[] weights;
    final double[] y;
    final double[] gap;
    /** Row-major. */
    final double[] fixed;
    /** Row-major if starts is null, else the entries of compressed rows. */
    final double[] values;

    private final int[] starts;
    private final int[] columns;

    RowBlock(
            String problem,
            int features,
            double[] weights,
            double[] y,
            double[] gap,
            double[] fixed,
            double[] values,
            int[] starts,
            int[] columns) {
        this.problem = problem;
        this.rows = y.length;
        this.features = features;
        this.weights = weights;
        this.y = y;
        this.gap = gap;
        this.fixed = fixed;
        this.values = values;
        this.starts = starts;
        this.columns = columns;
    }

    boolean isSparse() {
        return starts != null;
    }

    /** X over the block's own arrays, of a sparse block. */
    CsrMatrix sparse() {
        return CsrMatrix.over(rows, features, starts, columns, values);
    }

    /** Adds s_i x_ij^2 to squares[j]; returns the weight of the block. */
    double addTotals(double[] squares) {
        double weight = 0;
        for (int i = 0; i < rows; i++) {
            double s = weights[i];
            weight += s;
            int begin = isSparse() ? starts[i] : i * features;
            int end = isSparse() ? starts[i + 1] : begin + features;
            for (int p = begin; p < end; p++) {
                squares[isSparse() ? columns[p] : p - begin] += s * values[p] * values[p];
            }
        }
        return weight;
    }

    /** Row i as S^{1/2}[V, X, y, z - y], into the target from this index on, which holds zeros. */
    void copyRow(int i, DoubleBuffer target, int at) {
        double root = Math.sqrt(weights[i]);
        int count = fixed.length / rows;
        for (int k = 0; k < count; k++) {
            target.put(at + k, root * fixed[i * count + k]);
        }
        int x = at + count;
        int begin = isSparse() ? starts[i] : i * features;
        int end = isSparse() ? starts[i + 1] : begin + features;
        for (int p = begin; p < end; p++) {
            target.put(x + (isSparse() ? columns[p] : p - begin), root * values[p]);
        }
        target.put(x + features, root * y[i]);
        target.put(x + features + 1, root * gap[i]);
    }
}
