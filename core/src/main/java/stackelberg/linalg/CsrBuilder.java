package stackelberg.linalg;

import java.util.Arrays;

/** Builds a {@link CsrMatrix} row by row: put the entries of a row by ascending column, end the row, and so on. */
public final class CsrBuilder {
    /** A little below the largest array that every virtual machine grants. */
    private static final int MAX_NONZEROS = Integer.MAX_VALUE - 8;

    private int rows;
    private int count;
    private int lastColumn = -1;
    private int largestColumn = -1;
    private int[] rowStart = new int[16];
    private int[] columns = new int[64];
    private double[] values = new double[64];

    /** Puts an entry into the current row. */
    public CsrBuilder put(int column, double value) {
        if (column <= lastColumn) {
            throw new IllegalArgumentException("Row " + rows + ": column " + column + " follows column " + lastColumn
                    + ", but columns must ascend.\nMaybe the column is given twice.");
        }
        if (count == columns.length) {
            if (count == MAX_NONZEROS) {
                throw new IllegalArgumentException(
                        "A sparse matrix cannot have more than " + MAX_NONZEROS + " nonzeros.");
            }
            int capacity = (int) Math.min(MAX_NONZEROS, count + (long) (count >> 1));
            columns = Arrays.copyOf(columns, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        columns[count] = column;
        values[count++] = value;
        lastColumn = column;
        largestColumn = Math.max(largestColumn, column);
        return this;
    }

    /** Ends the current row, which may be empty. */
    public CsrBuilder endRow() {
        rows++;
        lastColumn = -1;
        if (rows == rowStart.length) {
            rowStart = Arrays.copyOf(rowStart, rows + (rows >> 1));
        }
        rowStart[rows] = count;
        return this;
    }

    /** One more than the largest column put so far. */
    public int columnsSeen() {
        return largestColumn + 1;
    }

    /** The matrix of all ended rows; the builder must not be used again. */
    public CsrMatrix build(int cols) {
        if (lastColumn >= 0) {
            throw new IllegalStateException("Row " + rows + " has entries but was not ended.");
        }
        if (largestColumn >= cols) {
            throw new IllegalArgumentException(
                    "Column " + largestColumn + " is outside of a matrix with " + cols + " columns.");
        }
        return new CsrMatrix(
                rows,
                cols,
                Arrays.copyOf(rowStart, rows + 1),
                Columns.copyOf(columns, count, cols),
                Arrays.copyOf(values, count));
    }
}
