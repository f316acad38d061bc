package stackelberg.linalg;

import java.nio.DoubleBuffer;

/** Forms B'B or BB' of a tall or wide matrix B from tiles, one after the other. */
public final class GramAccumulator {
    private final DenseMatrix sum;
    private final boolean ofColumns;

    private GramAccumulator(int order, boolean ofColumns) {
        this.sum = DenseMatrix.zeros(order, order);
        this.ofColumns = ofColumns;
    }

    /** Adds up T'T over row tiles T (count x order, row-major). */
    public static GramAccumulator ofColumns(int order, Workers workers) {
        return new GramAccumulator(order, true);
    }

    /** Adds up TT' over column tiles T (order x count, row-major). */
    public static GramAccumulator ofRows(int order, Workers workers) {
        return new GramAccumulator(order, false);
    }

    /** Adds one tile with count rows (of columns) or count columns (of rows), read from index 0. */
    public void add(DoubleBuffer tile, int count) {
        int n = sum.rows();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double value = 0;
                for (int k = 0; k < count; k++) {
                    value += ofColumns
                            ? tile.get(k * n + i) * tile.get(k * n + j)
                            : tile.get(i * count + k) * tile.get(j * count + k);
                }
                sum.set(i, j, sum.get(i, j) + value);
            }
        }
    }

    /** The whole symmetric matrix. */
    public DenseMatrix result() {
        for (int i = 0; i < sum.rows(); i++) {
            for (int j = 0; j < i; j++) {
                sum.set(j, i, sum.get(i, j));
            }
        }
        return sum;
    }
}
