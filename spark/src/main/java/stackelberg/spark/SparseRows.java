package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;

/** The nonzeros of several rows, one row after the other, in arrays no longer than {@link DenseRows#PIECE}. */
final class SparseRows implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int[] starts;
    private final int[][] columns;
    private final double[][] values;

    /**
     * Copies rows.
     *
     * @param starts the index of the first nonzero of each row, and the number of nonzeros at the end; the other arrays may be longer
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

    /** Adds x_i'C to u; C is row-major with a row for each column of X, from c[at] on. */
    void multiply(int row, double[] c, int at, double[] u) {
        int k = u.length;
        int end;
        for (int p = starts[row]; p < starts[row + 1]; p = end) {
            end = pieceEnd(p, row);
            int[] column = columns[p / DenseRows.PIECE];
            double[] value = values[p / DenseRows.PIECE];
            int first = p % DenseRows.PIECE;
            int last = first + end - p;
            // two vectors at a time, so that their sums stay in registers; a loop over all vectors took up to twice as
            // long
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

    /** Adds x_i u' to the sums, row-major with a row for each column of X, from sums[at] on. */
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

    /** Adds s x_ij^2 to squares[j]. */
    void addSquares(int row, double s, double[] squares) {
        for (int p = starts[row]; p < starts[row + 1]; p++) {
            double value = values[p / DenseRows.PIECE][p % DenseRows.PIECE];
            squares[columns[p / DenseRows.PIECE][p % DenseRows.PIECE]] += s * value * value;
        }
    }

    /** The end of the part of a row that lies in the same array as this nonzero. */
    private int pieceEnd(int nonzero, int row) {
        return (int) Math.min(starts[row + 1], (nonzero / DenseRows.PIECE + 1L) * DenseRows.PIECE);
    }
}
