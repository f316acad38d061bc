package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;

/** A sparse matrix T that makes new columns of old ones: column j of B T is the sum of factors[j][k] times column sources[j][k] of B. */
final class ColumnMap {
    /** Values that are in work at once: 128 MB. */
    private static final int MOST_VALUES = 1 << 24;

    private final int inputs;
    private final int[][] sources;
    private final double[][] factors;

    /**
     * @param inputs how many old columns there are
     * @param sources for each new column the old ones it is made of
     * @param factors their factors
     */
    ColumnMap(int inputs, int[][] sources, double[][] factors) {
        this.inputs = inputs;
        this.sources = Arrays.stream(sources).map(int[]::clone).toArray(int[][]::new);
        this.factors = Arrays.stream(factors).map(double[]::clone).toArray(double[][]::new);
        if (sources.length != factors.length) {
            throw new IllegalArgumentException(
                    "There are sources for " + sources.length + " columns, but factors for " + factors.length + ".");
        }
    }

    int inputs() {
        return inputs;
    }

    int outputs() {
        return sources.length;
    }

    /** T v for one vector. */
    double[] times(double[] v) {
        requireLength(v.length, sources.length);
        double[] result = new double[inputs];
        for (int j = 0; j < sources.length; j++) {
            for (int k = 0; k < sources[j].length; k++) {
                result[sources[j][k]] += factors[j][k] * v[j];
            }
        }
        return result;
    }

    /** T V. */
    DenseMatrix times(DenseMatrix v) {
        requireLength(v.rows(), sources.length);
        DenseMatrix result = DenseMatrix.zeros(inputs, v.cols());
        int width = width(v.cols());
        for (int first = 0; first < v.cols(); first += width) {
            int count = Math.min(width, v.cols() - first);
            double[] from = values(v, first, count);
            double[] sums = new double[inputs * count];
            for (int j = 0; j < sources.length; j++) {
                for (int k = 0; k < sources[j].length; k++) {
                    add(factors[j][k], from, j * count, sums, sources[j][k] * count, count);
                }
            }
            result.setTile(0, inputs, first, count, sums);
        }
        return result;
    }

    /** out = T'U. */
    void transposeTimes(DenseMatrix u, DenseMatrix out) {
        requireLength(u.rows(), inputs);
        int width = width(u.cols());
        for (int first = 0; first < u.cols(); first += width) {
            int count = Math.min(width, u.cols() - first);
            double[] from = values(u, first, count);
            double[] sums = new double[sources.length * count];
            for (int j = 0; j < sources.length; j++) {
                for (int k = 0; k < sources[j].length; k++) {
                    add(factors[j][k], from, sources[j][k] * count, sums, j * count, count);
                }
            }
            out.setTile(0, sources.length, first, count, sums);
        }
    }

    /** How many vectors are mapped at once: all of the few that a step of a solver has, and never more values than an array holds. */
    private int width(int vectors) {
        long longest = Math.max(1, Math.max(inputs, sources.length));
        return (int) Math.max(1, Math.min(vectors, MOST_VALUES / longest));
    }

    private static double[] values(DenseMatrix v, int first, int count) {
        double[] values = new double[v.rows() * count];
        v.tile(0, v.rows(), first, count, DoubleBuffer.wrap(values));
        return values;
    }

    private static void add(double factor, double[] from, int at, double[] sums, int place, int count) {
        for (int c = 0; c < count; c++) {
            sums[place + c] += factor * from[at + c];
        }
    }

    /** The new columns of one row. */
    void combine(double[] row, double[] combined) {
        for (int j = 0; j < sources.length; j++) {
            double sum = 0;
            for (int k = 0; k < sources[j].length; k++) {
                sum += factors[j][k] * row[sources[j][k]];
            }
            combined[j] = sum;
        }
    }

    /** T'G T, the Gram matrix of the new columns from that of the old ones. */
    DenseMatrix congruence(DenseMatrix gram) {
        requireLength(gram.rows(), inputs);
        DenseMatrix result = DenseMatrix.zeros(outputs(), outputs());
        for (int i = 0; i < sources.length; i++) {
            double[] sum = new double[inputs];
            for (int k = 0; k < sources[i].length; k++) {
                Vectors.axpy(factors[i][k], gram.row(sources[i][k]), sum);
            }
            double[] row = new double[outputs()];
            for (int j = 0; j < sources.length; j++) {
                for (int k = 0; k < sources[j].length; k++) {
                    row[j] += factors[j][k] * sum[sources[j][k]];
                }
            }
            result.setRow(i, row);
        }
        return result;
    }

    /**
     * Upper bounds of the squared norms of the rows of B T: (||b'D|| + ||b|| ||T - D||_F)^2 for a row b, with D the first factors, of which each belongs to a source of its own.
     *
     * @param squares those of the rows of B
     * @return false, and nothing changed, where D b would cost a read of B
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

    /** An upper bound of ||T||: the largest first factor and the Frobenius norm of the others. */
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
     * @param first by source, of the first factors of columns: those that begin with the same source do not add up under a maximum
     * @param others the sum of all others
     */
    private record Parts(double[] first, double others) {}

    private Parts parts() {
        double others = 0;
        double[] bySource = new double[inputs];
        for (int j = 0; j < sources.length; j++) {
            for (int k = 0; k < sources[j].length; k++) {
                double square = factors[j][k] * factors[j][k];
                if (k == 0) {
                    bySource[sources[j][0]] += square;
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
