package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;

/**
 * A few rows of numbers in one array, or one row in several: no array is longer than {@link #PIECE}.
 *
 * <p>G1, the collector that Java takes by default, gives an array of more than half a region regions of its own and wastes the rest of the last;
 * regions have 1 MiB or more, in small heaps just that. An eighth of it also leaves little of a region unused that it shares with other arrays.
 */
final class DenseRows implements Serializable {
    /** Numbers in an array: with its header 128 KiB. */
    static final int PIECE = (1 << 14) - 2;

    private static final long serialVersionUID = 1L;

    private final int columns;
    private final double[][] pieces;

    /**
     * A copy.
     *
     * @param rows 1, or so many that all fit into a piece
     * @param values row-major; there may be more
     */
    DenseRows(int rows, int columns, double[] values) {
        if (rows > 1 && (long) rows * columns > PIECE) {
            throw new IllegalArgumentException(rows + " rows of " + columns + " numbers do not fit into one piece.");
        }
        this.columns = columns;
        this.pieces = cut(values, rows * columns);
    }

    /** The first numbers, by pieces. */
    static double[][] cut(double[] values, int count) {
        double[][] pieces = new double[pieces(count)][];
        for (int c = 0; c < pieces.length; c++) {
            pieces[c] = Arrays.copyOfRange(values, c * PIECE, Math.min(count, (c + 1) * PIECE));
        }
        return pieces;
    }

    static int pieces(int count) {
        return (int) (((long) count + PIECE - 1) / PIECE);
    }

    /** Copies a row to target[at], target[at + 1], ... */
    void copyRow(int row, double[] target, int at) {
        for (int c = 0; c < pieces.length; c++) {
            System.arraycopy(pieces[c], row * columns, target, at + c * PIECE, width(c));
        }
    }

    /** Copies all rows, the first of them to target's row at. */
    void copyTo(DenseMatrix target, int at) {
        for (int c = 0; c < pieces.length; c++) {
            target.setTile(at, pieces[c].length / width(c), c * PIECE, width(c), pieces[c]);
        }
    }

    /** squares[j] += s x_ij^2 for row i. */
    void addSquares(int row, double s, double[] squares) {
        for (int c = 0; c < pieces.length; c++) {
            double[] piece = pieces[c];
            int from = row * columns;
            int at = c * PIECE;
            for (int j = 0; j < width(c); j++) {
                squares[at + j] += s * piece[from + j] * piece[from + j];
            }
        }
    }

    /** Columns in a piece. */
    private int width(int piece) {
        return pieces.length == 1 ? columns : pieces[piece].length;
    }
}
