package stackelberg.spark;

import java.io.Serializable;
import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;

/**
 * Several short rows of numbers in one array, or one long row in several arrays: no array is longer than {@link #PIECE}.
 *
 * <p>The limit comes from G1, Java's default garbage collector. It gives an array larger than half a region its own regions and wastes the rest of the last one;
 * regions are 1 MiB in small heaps. An eighth of that also leaves little of a shared region unused.
 */
final class DenseRows implements Serializable {
    /** The largest number of values in an array; with its header it takes 128 KiB. */
    static final int PIECE = (1 << 14) - 2;

    private static final long serialVersionUID = 1L;

    private final int columns;
    private final double[][] pieces;

    /**
     * Copies rows.
     *
     * @param rows 1, or as many as fit into one piece
     * @param values the rows, one after the other; the array may be longer
     */
    DenseRows(int rows, int columns, double[] values) {
        if (rows > 1 && (long) rows * columns > PIECE) {
            throw new IllegalArgumentException(rows + " rows of " + columns + " numbers do not fit into one piece.");
        }
        this.columns = columns;
        this.pieces = cut(values, rows * columns);
    }

    /** The first count values, cut into pieces. */
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

    /** Copies all rows into a matrix, from its row at on. */
    void copyTo(DenseMatrix target, int at) {
        for (int c = 0; c < pieces.length; c++) {
            target.setTile(at, pieces[c].length / width(c), c * PIECE, width(c), pieces[c]);
        }
    }

    /** Adds s x_ij^2 to squares[j], for row i. */
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

    /** The number of columns in a piece. */
    private int width(int piece) {
        return pieces.length == 1 ? columns : pieces[piece].length;
    }
}
