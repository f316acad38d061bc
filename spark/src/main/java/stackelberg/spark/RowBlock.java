package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;

/** Some rows [V, X, y, z - y] with their weights, packed into few arrays that no collector finds large: what is cached. */
final class RowBlock implements Serializable {
    private static final long serialVersionUID = 2L;
    private static final double[] ONE = {1};

    /** What is wrong with the row after this block, or null; the partition ends there. */
    final String problem;

    final int rows;
    private final int features;
    final double[] weights;
    final double[] y;
    final double[] gap;
    final DenseRows fixed;
    /** X in one of two forms; the other one is null. */
    final DenseRows dense;

    final SparseRows sparse;

    RowBlock(
            String problem,
            int features,
            double[] weights,
            double[] y,
            double[] gap,
            DenseRows fixed,
            DenseRows dense,
            SparseRows sparse) {
        this.problem = problem;
        this.rows = y.length;
        this.features = features;
        this.weights = weights;
        this.y = y;
        this.gap = gap;
        this.fixed = fixed;
        this.dense = dense;
        this.sparse = sparse;
    }

    /** Adds s_i x_ij^2 to squares[j]; returns the weight of the block. */
    double addTotals(double[] squares) {
        double weight = 0;
        for (int i = 0; i < rows; i++) {
            weight += weights[i];
            if (sparse != null) {
                sparse.addSquares(i, weights[i], squares);
            } else {
                dense.addSquares(i, weights[i], squares);
            }
        }
        return weight;
    }

    /** Row i, [V, X, y, z - y]. */
    void copyRow(int i, double[] target) {
        int x = target.length - features - 2;
        fixed.copyRow(i, target, 0);
        if (sparse != null) {
            Arrays.fill(target, x, x + features, 0);
            sparse.add(i, ONE, target, x);
        } else {
            dense.copyRow(i, target, x);
        }
        target[x + features] = y[i];
        target[x + features + 1] = gap[i];
    }
}
