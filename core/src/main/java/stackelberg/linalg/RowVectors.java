package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * The columns of S times some vectors over the rows of a matrix, S the diagonal matrix of weights, to be multiplied block by block: side by side they would be
 * another copy of everybody. An array of one number is that number in every row.
 */
public record RowVectors(int rows, double[] weights, double[]... columns) {
    /** Rows that a thread writes at a time. */
    private static final int WRITTEN = 1 << 14;

    /** How many they are. */
    int count() {
        return columns.length;
    }

    /** Whether a column is one number in all rows. */
    boolean isConstant(int column) {
        return weights.length == 1 && columns[column].length == 1;
    }

    /** Writes count numbers of a column from a row on into a buffer. */
    void write(int column, int first, int count, DoubleBuffer to, int at) {
        double[] values = columns[column];
        if (weights.length == 1 && weights[0] == 1 && values.length == rows) {
            to.put(at, values, first, count);
            return;
        }
        double[] some = new double[count];
        if (isConstant(column)) {
            Arrays.fill(some, weights[0] * values[0]);
        } else {
            for (int i = 0; i < count; i++) {
                some[i] = Vectors.at(weights, first + i) * Vectors.at(values, first + i);
            }
        }
        to.put(at, some);
    }

    /** The same side by side. */
    DenseMatrix sideBySide(Workers workers) {
        int k = count();
        DenseMatrix products = DenseMatrix.zeros(rows, k);
        int height = Math.max(1, WRITTEN / Math.max(1, k));
        workers.run((rows + height - 1) / height, block -> {
            int first = block * height;
            int count = Math.min(height, rows - first);
            double[] tile = new double[count * k];
            for (int j = 0; j < k; j++) {
                for (int i = 0; i < count; i++) {
                    tile[i * k + j] = Vectors.at(weights, first + i) * Vectors.at(columns[j], first + i);
                }
            }
            products.setTile(first, count, 0, k, tile);
        });
        return products;
    }
}
