package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/**
 * A real matrix X as the solvers see it: products with several vectors at once.
 *
 * <p>A block of k vectors of length n is a row-major n x k {@link DenseMatrix}, one vector per column. The rows are cut into {@link
 * #parts} whose number and boundaries depend on the matrix and on k alone, and partial results are added in the order of the parts, so
 * that no result depends on the number of {@link Workers}.
 */
public interface Matrix {
    int rows();

    int cols();

    /** out = X V, with V cols x k and out rows x k. */
    void times(DenseMatrix v, DenseMatrix out, Workers workers);

    /**
     * out = X'U, with U rows x k and out cols x k.
     *
     * @param rowSquares if not null, receives the squared norm of every row of X, read in the same pass
     */
    void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers);

    /**
     * The same, and the smallest and largest value of every column in the same read.
     *
     * @param ranges receives them, of the columns as they are kept, before any shift and scale; may be null
     */
    default void transposeTimes(
            DenseMatrix u, DenseMatrix out, double[] rowSquares, ColumnStatistics.Ranges ranges, Workers workers) {
        transposeTimes(u, out, rowSquares, workers);
        if (ranges != null) {
            ranges.read(this, workers);
        }
    }

    /** The same with vectors that need not lie side by side. */
    default void transposeTimes(
            RowVectors u, DenseMatrix out, double[] rowSquares, ColumnStatistics.Ranges ranges, Workers workers) {
        transposeTimes(u.sideBySide(workers), out, rowSquares, ranges, workers);
    }

    /**
     * One read of the rows: U = X V, which {@code step} looks at, and may change, block by block; a block of X is still in cache then.
     *
     * @param step one instance for each of the {@code parts(k)} parts
     */
    default void look(DenseMatrix v, RowStep[] step, Workers workers) {
        DenseProducts.requireSteps(step, parts(v.cols()));
        DenseMatrix u = DenseMatrix.zeros(rows(), v.cols());
        times(v, u, workers);
        DenseProducts.applyTo(u, step, workers);
    }

    /**
     * One pass over the rows: U = step(X V), out = X'U. Every block of rows is read once, and is still in cache when it is used the second
     * time; {@code step} may change the rows of U in between (weights, centring, masks) and keep sums of its own.
     *
     * @param step what happens between the two products, one instance for each of the {@code parts(k)} parts
     */
    void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers);

    /** How many parts {@link #pass} cuts the rows into for blocks of k vectors. */
    int parts(int k);

    /**
     * The squared norms of the rows of X diag(factors), where they cost next to nothing.
     *
     * @return false, and nothing changed, where they would cost a read
     */
    default boolean rowSquares(double[] factors, double[] squares) {
        return false;
    }

    /** Copies the tile of the given rows and columns into {@code target}, row-major, from its index 0. */
    void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target);

    /** What {@link #pass} does with a block of rows of U = X V between the two products. */
    @FunctionalInterface
    interface RowStep {
        /** Changes rows firstRow ... firstRow + rowCount - 1 of U in place; u is row-major, rowCount x k, from index 0. */
        void apply(int firstRow, int rowCount, DoubleBuffer u);
    }

    /**
     * The columns of S times some vectors over the rows of a matrix, S the diagonal matrix of weights, to be multiplied block by block: side by side they would be
     * another copy of everybody. An array of one number is that number in every row.
     */
    record RowVectors(int rows, double[] weights, double[]... columns) {
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
}
