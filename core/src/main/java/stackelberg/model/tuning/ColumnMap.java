package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;

/** A sparse matrix T that combines columns linearly: column j of B T is the sum of its factors times columns of B. */
final class ColumnMap {
    /** The largest number of values processed at once, 128 MB. */
    private static final int MOST_VALUES = 1 << 24;

    /** The number of rows of new columns mapped at once. */
    private static final int BLOCK = 512;

    private final int inputs;
    /** Entries start[j] ... start[j + 1] - 1 belong to new column j. */
    private final int[] start;

    private final int[] sources;
    private final double[] factors;

    private ColumnMap(int inputs, int[] start, int[] sources, double[] factors) {
        this.inputs = inputs;
        this.start = start;
        this.sources = sources;
        this.factors = factors;
    }

    /**
     * Builds a {@link ColumnMap} column by column: add the terms of a column, end it, and so on. It uses a few long
     * arrays, because many small ones, a set for each fold, would slow down garbage collection.
     */
    static final class Builder {
        private int[] start = new int[16];
        private int[] sources = new int[16];
        private double[] factors = new double[16];
        private int columns;
        private int entries;

        /** Adds factor times an old column to the current column; a factor of 0 adds nothing. */
        Builder put(int source, double factor) {
            if (factor != 0) {
                if (entries == sources.length) {
                    sources = Arrays.copyOf(sources, 2 * entries);
                    factors = Arrays.copyOf(factors, 2 * entries);
                }
                sources[entries] = source;
                factors[entries++] = factor;
            }
            return this;
        }

        Builder end() {
            if (columns + 1 == start.length) {
                start = Arrays.copyOf(start, 2 * start.length);
            }
            start[++columns] = entries;
            return this;
        }

        /**
         * @param inputs the number of old columns
         */
        ColumnMap build(int inputs) {
            return new ColumnMap(
                    inputs,
                    Arrays.copyOf(start, columns + 1),
                    Arrays.copyOf(sources, entries),
                    Arrays.copyOf(factors, entries));
        }
    }

    /** Returns the map to the new columns from the given index on. */
    ColumnMap from(int first) {
        return new ColumnMap(inputs, Arrays.copyOfRange(start, first, start.length), sources, factors);
    }

    /**
     * Returns the map extended by old columns that are passed through unchanged, with the given total number of old
     * columns.
     */
    ColumnMap and(int newInputs, int... more) {
        Builder all = new Builder();
        for (int j = 0; j < outputs(); j++) {
            for (int p = start[j]; p < start[j + 1]; p++) {
                all.put(sources[p], factors[p]);
            }
            all.end();
        }
        for (int source : more) {
            all.put(source, 1).end();
        }
        return all.build(newInputs);
    }

    /** Returns the old columns that occur in the first {@code count} new columns, possibly with repetitions. */
    int[] sources(int count) {
        return Arrays.copyOfRange(sources, start[0], start[count]);
    }

    /** Returns new column j, computed from the old columns. */
    double[] column(int j, int rows, IntFunction<double[]> old) {
        double[] sum = new double[rows];
        for (int p = start[j]; p < start[j + 1]; p++) {
            Vectors.axpy(factors[p], old.apply(sources[p]), sum);
        }
        return sum;
    }

    int inputs() {
        return inputs;
    }

    int outputs() {
        return start.length - 1;
    }

    /** Returns T v. */
    double[] times(double[] v) {
        requireLength(v.length, outputs());
        double[] result = new double[inputs];
        for (int j = 0; j < v.length; j++) {
            for (int p = start[j]; p < start[j + 1]; p++) {
                result[sources[p]] += factors[p] * v[j];
            }
        }
        return result;
    }

    /** Returns T V, borrowed from the workers. */
    DenseMatrix times(DenseMatrix v, Workers workers) {
        requireLength(v.rows(), outputs());
        DenseMatrix result = workers.borrow(inputs, v.cols());
        int width = width(v.cols());
        for (int first = 0; first < v.cols(); first += width) {
            int count = Math.min(width, v.cols() - first);
            double[] from = new double[Math.min(BLOCK, outputs()) * count];
            double[] sums = workers.borrowArray(inputs * count);
            Arrays.fill(sums, 0);
            for (int row = 0; row < outputs(); row += BLOCK) {
                int height = Math.min(BLOCK, outputs() - row);
                v.tile(row, height, first, count, DoubleBuffer.wrap(from));
                for (int j = 0; j < height; j++) {
                    for (int p = start[row + j]; p < start[row + j + 1]; p++) {
                        add(factors[p], from, j * count, sums, sources[p] * count, count);
                    }
                }
            }
            result.setTile(0, inputs, first, count, sums);
            workers.giveBack(sums);
        }
        return result;
    }

    /** Computes out = T'U. */
    void transposeTimes(DenseMatrix u, DenseMatrix out, Workers workers) {
        requireLength(u.rows(), inputs);
        int width = width(u.cols());
        for (int first = 0; first < u.cols(); first += width) {
            int count = Math.min(width, u.cols() - first);
            double[] from = workers.borrowArray(inputs * count);
            u.tile(0, inputs, first, count, DoubleBuffer.wrap(from));
            double[] sums = new double[Math.min(BLOCK, outputs()) * count];
            for (int row = 0; row < outputs(); row += BLOCK) {
                int height = Math.min(BLOCK, outputs() - row);
                Arrays.fill(sums, 0);
                for (int j = 0; j < height; j++) {
                    for (int p = start[row + j]; p < start[row + j + 1]; p++) {
                        add(factors[p], from, sources[p] * count, sums, j * count, count);
                    }
                }
                out.setTile(row, height, first, count, sums);
            }
            workers.giveBack(from);
        }
    }

    /**
     * Returns how many vectors are mapped at once: all of them if they are few, as in a step of a solver, but never
     * more values than fit into an array.
     */
    private int width(int vectors) {
        long longest = Math.max(1, Math.max(inputs, outputs()));
        return (int) Math.max(1, Math.min(vectors, MOST_VALUES / longest));
    }

    private static void add(double factor, double[] from, int at, double[] sums, int place, int count) {
        for (int c = 0; c < count; c++) {
            sums[place + c] += factor * from[at + c];
        }
    }

    /** Computes the new columns of one row. */
    void combine(double[] row, double[] combined) {
        for (int j = 0; j < outputs(); j++) {
            double sum = 0;
            for (int p = start[j]; p < start[j + 1]; p++) {
                sum += factors[p] * row[sources[p]];
            }
            combined[j] = sum;
        }
    }

    /** Returns T'G T, the Gram matrix of the new columns from that of the old ones. */
    DenseMatrix congruence(DenseMatrix gram) {
        requireLength(gram.rows(), inputs);
        DenseMatrix result = DenseMatrix.zeros(outputs(), outputs());
        for (int i = 0; i < outputs(); i++) {
            double[] sum = new double[inputs];
            for (int p = start[i]; p < start[i + 1]; p++) {
                Vectors.axpy(factors[p], gram.row(sources[p]), sum);
            }
            double[] row = new double[outputs()];
            for (int j = 0; j < outputs(); j++) {
                for (int p = start[j]; p < start[j + 1]; p++) {
                    row[j] += factors[p] * sum[sources[p]];
                }
            }
            result.setRow(i, row);
        }
        return result;
    }

    /**
     * Computes upper bounds of the squared norms of the rows of B T: (||b'D|| + ||b|| ||T - D||_F)^2 for a row b, where
     * D has the first term of each column, as far as these belong to different old columns.
     *
     * @param squares the squared norms of the rows of B; overwritten with the bounds
     * @return false, without changing anything, if computing b'D would need a pass over B
     */
    boolean rowSquares(Matrix base, double[] squares) {
        Parts parts = parts();
        double[] roots = Arrays.stream(parts.first).map(Math::sqrt).toArray();
        double[] scaled = new double[squares.length];
        boolean known = base.rowSquares(roots, scaled);
        double others = Math.sqrt(parts.others);
        for (int i = 0; i < squares.length && known; i++) {
            double bound = Math.sqrt(scaled[i]) + (others == 0 ? 0 : Math.sqrt(squares[i]) * others);
            squares[i] = bound * bound;
        }
        return known;
    }

    /** Returns an upper bound of ||T||, from the largest first factor and the Frobenius norm of the others. */
    double norm() {
        Parts parts = parts();
        double first = 0;
        for (double square : parts.first) {
            first = Math.max(first, square);
        }
        return Math.sqrt(first) + Math.sqrt(parts.others);
    }

    /**
     * Squares of factors.
     *
     * @param first the squares of the first factors of columns, by old column
     * @param others the sum of the squares of all other factors
     */
    private record Parts(double[] first, double others) {}

    private Parts parts() {
        double others = 0;
        double[] bySource = new double[inputs];
        for (int j = 0; j < outputs(); j++) {
            for (int p = start[j]; p < start[j + 1]; p++) {
                double square = factors[p] * factors[p];
                if (p == start[j]) {
                    bySource[sources[p]] += square;
                } else {
                    others += square;
                }
            }
        }
        return new Parts(bySource, others);
    }

    private static void requireLength(int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    "A map of columns was given " + length + " rows instead of " + expected + ".");
        }
    }
}
