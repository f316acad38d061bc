package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;
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

    /** Row i, [V, X, y, z - y]. */
    void copyRow(int i, double[] target) {
        int x = fixed.length / rows;
        System.arraycopy(fixed, i * x, target, 0, x);
        if (isSparse()) {
            Arrays.fill(target, x, x + features, 0);
            for (int p = starts[i]; p < starts[i + 1]; p++) {
                target[x + columns[p]] = values[p];
            }
        } else {
            System.arraycopy(values, i * features, target, x, features);
        }
        target[x + features] = y[i];
        target[x + features + 1] = gap[i];
    }
}
