package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A real matrix X, used through its products with several vectors at once.
 *
 * <p>A block of k vectors of length n is an n x k {@link DenseMatrix}, one vector per column. The rows of X are divided
 * into {@link #parts}, whose number and boundaries depend on the matrix and on k alone. Each part has its own sums,
 * which are added in the order of the parts, so no result depends on the number of {@link Workers}.
 */
public interface Matrix {
    /** The number of rows. */
    int rows();

    /** The number of columns. */
    int cols();

    /** out = X V, with V cols x k and out rows x k. */
    void times(DenseMatrix v, DenseMatrix out, Workers workers);

    /**
     * out = X'U, with U rows x k and out cols x k.
     *
     * @param rowSquares receives the squared norm of every row of X in the same pass; absent if they are not needed
     */
    void transposeTimes(DenseMatrix u, DenseMatrix out, double @Nullable [] rowSquares, Workers workers);

    /**
     * Multiplies by the transpose, and finds the smallest and largest value of every column in the same pass.
     *
     * @param ranges receives the extremes of the columns as they are stored, before any shift and scale; absent if they
     *     are not needed
     */
    default void transposeTimes(
            DenseMatrix u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        transposeTimes(u, out, rowSquares, workers);
        if (ranges != null) {
            ranges.read(this, workers);
        }
    }

    /** Multiplies the transpose by vectors in separate arrays. */
    default void transposeTimes(
            RowVectors u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        transposeTimes(u.sideBySide(workers), out, rowSquares, ranges, workers);
    }

    /**
     * Computes U = X V block by block of rows and passes each block to {@code step}, which may keep sums of its own; U
     * is not stored.
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
     * One pass over the rows: U = step(X V), out = X'U. Every block of rows is read from memory once, because it is
     * still in cache for the second product. In between, {@code step} may change the rows of U (weights, centring,
     * masks) and keep sums of its own.
     *
     * @param step the operation between the two products, one instance for each of the {@code parts(k)} parts
     */
    void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers);

    /** The number of parts into which {@link #pass} divides the rows for blocks of k vectors. */
    int parts(int k);

    /**
     * Computes the squared norms of the rows of X diag(factors) if that is cheap compared with a pass.
     *
     * @return false if that would not be cheap; {@code squares} is not changed then
     */
    default boolean rowSquares(double[] factors, double[] squares) {
        return false;
    }

    /** Copies the tile of the given rows and columns into {@code target}, row-major, from its index 0. */
    void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target);

    /** Receives some rows of one part, in order. */
    @FunctionalInterface
    interface PartReader {
        /**
         * Called for one part by one thread at a time.
         *
         * @param rows the indices of the rows
         * @param values their values, row by row; the array is used again for the next rows
         */
        void take(int part, int[] rows, double[] values);
    }

    /**
     * Reads rows that belong to several parts, such as the folds of a cross-validation. All parts advance through the
     * matrix together, so a mapped file is read sequentially; within a part the order does not depend on the number of
     * threads.
     *
     * @param parts the row indices of each part, in ascending order
     * @param progress receives the fraction of the matrix that was passed in each step
     */
    default void readParts(int[][] parts, Workers workers, DoubleConsumer progress, PartReader reader) {
        int height = Math.max(1, Math.min(PartRows.HEIGHT, PartRows.VALUES / Math.max(1, cols())));
        int stretch = Math.max(64 * parts.length, PartRows.STRETCH / Math.max(1, cols()));
        int[] next = new int[parts.length];
        for (int first = 0; first < rows(); first += stretch) {
            int end = Math.min(rows(), first + stretch);
            workers.run(
                    parts.length,
                    part -> next[part] = PartRows.read(this, part, parts[part], next[part], end, height, reader));
            progress.accept((double) (end - first) / rows());
        }
    }

    /** The operation of {@link #pass} on a block of rows of U = X V between the two products. */
    @FunctionalInterface
    interface RowStep {
        /**
         * Changes rows firstRow ... firstRow + rowCount - 1 of U in place; u is row-major, rowCount x k, from index 0.
         */
        void apply(int firstRow, int rowCount, DoubleBuffer u);
    }

    /**
     * The vectors S c for some columns c, where S = diag(weights). They are kept as separate arrays and multiplied
     * block by block, because storing them side by side would take another copy of all rows. An array of length 1
     * stands for a vector with that number in every row.
     *
     * @param rows the length of the vectors
     * @param weights the diagonal of S
     * @param columns the columns c
     */
    record RowVectors(int rows, double[] weights, double[]... columns) {
        /** The numbers that a thread writes at a time: 128 kB. */
        private static final int WRITTEN = 1 << 14;

        /** The number of vectors. */
        int count() {
            return columns.length;
        }

        /** Whether a vector is the same number in all rows. */
        boolean isConstant(int column) {
            return weights.length == 1 && columns[column].length == 1;
        }

        /** Writes {@code count} numbers of a vector, from row {@code first} on, to a buffer at index {@code at}. */
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

        /** The vectors as the columns of a matrix. */
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
