package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;

/** The nonzeros of some rows, one row after the other, in arrays that are never longer than {@link DenseRows#PIECE}. */
final class SparseRows implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[] starts;
    private final int[][] columns;
    private final double[][] values;

    /**
     * A copy.
     *
     * @param starts where each row begins, and at last how many nonzeros there are; columns and values may have more
     */
    SparseRows(int[] starts, int[] columns, double[] values) {
        int count = starts[starts.length - 1];
        this.starts = starts;
        this.values = DenseRows.cut(values, count);
        this.columns = new int[this.values.length][];
        for (int c = 0; c < this.columns.length; c++) {
            int from = c * DenseRows.PIECE;
            this.columns[c] = Arrays.copyOfRange(columns, from, from + this.values[c].length);
        }
    }

    /** u += x_i'C; C is row-major, a row for each column of X, from c[at] on. */
    void multiply(int row, double[] c, int at, double[] u) {
        int k = u.length;
        int end;
        for (int p = starts[row]; p < starts[row + 1]; p = end) {
            end = pieceEnd(p, row);
            int[] column = columns[p / DenseRows.PIECE];
            double[] value = values[p / DenseRows.PIECE];
            int first = p % DenseRows.PIECE;
            int last = first + end - p;
            // by pairs of vectors, whose sums stay in registers; a loop over all of them took up to twice as long
            for (int d = 0; d < k - 1; d += 2) {
                double one = u[d];
                double two = u[d + 1];
                for (int e = first; e < last; e++) {
                    int from = at + column[e] * k + d;
                    one += value[e] * c[from];
                    two += value[e] * c[from + 1];
                }
                u[d] = one;
                u[d + 1] = two;
            }
            for (int e = first; k % 2 == 1 && e < last; e++) {
                u[k - 1] += value[e] * c[at + column[e] * k + k - 1];
            }
        }
    }

    /** sums += x_i u', row-major, a row for each column of X, from sums[at] on. */
    void add(int row, double[] u, double[] sums, int at) {
        int k = u.length;
        int end;
        for (int p = starts[row]; p < starts[row + 1]; p = end) {
            end = pieceEnd(p, row);
            int[] column = columns[p / DenseRows.PIECE];
            double[] value = values[p / DenseRows.PIECE];
            int first = p % DenseRows.PIECE;
            int last = first + end - p;
            for (int d = 0; d < k - 1; d += 2) {
                double one = u[d];
                double two = u[d + 1];
                for (int e = first; e < last; e++) {
                    int to = at + column[e] * k + d;
                    sums[to] += value[e] * one;
                    sums[to + 1] += value[e] * two;
                }
            }
            for (int e = first; k % 2 == 1 && e < last; e++) {
                sums[at + column[e] * k + k - 1] += value[e] * u[k - 1];
            }
        }
    }

    /** squares[j] += s x_ij^2. */
    void addSquares(int row, double s, double[] squares) {
        for (int p = starts[row]; p < starts[row + 1]; p++) {
            double value = values[p / DenseRows.PIECE][p % DenseRows.PIECE];
            squares[columns[p / DenseRows.PIECE][p % DenseRows.PIECE]] += s * value * value;
        }
    }

    /** The end of what is left of a row in the array of this nonzero. */
    private int pieceEnd(int nonzero, int row) {
        return (int) Math.min(starts[row + 1], (nonzero / DenseRows.PIECE + 1L) * DenseRows.PIECE);
    }
}
