package stackelberg.linalg;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;

/** A row-major dense matrix in direct memory, cut into chunks of whole rows that each stay under 2 GB. */
public final class DenseMatrix implements Matrix {
    private final int rows;
    private final int cols;
    private final int chunkRows;
    private final DoubleBuffer[] chunks;

    private DenseMatrix(int rows, int cols, int chunkRows, DoubleBuffer[] chunks) {
        this.rows = rows;
        this.cols = cols;
        this.chunkRows = chunkRows;
        this.chunks = chunks;
    }

    public static DenseMatrix zeros(int rows, int cols) {
        if (rows < 0 || cols < 0) {
            throw new IllegalArgumentException("A matrix cannot have " + rows + " rows and " + cols + " columns.");
        }
        int chunkRows = (int) Math.max(1, Math.min(Math.max(rows, 1), ((1L << 31) - 64) / 8 / Math.max(cols, 1)));
        int count = rows == 0 ? 0 : (rows + chunkRows - 1) / chunkRows;
        DoubleBuffer[] chunks = new DoubleBuffer[count];
        for (int c = 0; c < count; c++) {
            int height = Math.min(chunkRows, rows - c * chunkRows);
            chunks[c] = ByteBuffer.allocateDirect(Math.toIntExact(8L * height * cols))
                    .order(ByteOrder.nativeOrder())
                    .asDoubleBuffer();
        }
        return new DenseMatrix(rows, cols, chunkRows, chunks);
    }

    /** A copy of the given rows. */
    public static DenseMatrix of(double[][] values) {
        DenseMatrix a = zeros(values.length, values.length == 0 ? 0 : values[0].length);
        for (int i = 0; i < a.rows; i++) {
            a.setRow(i, values[i]);
        }
        return a;
    }

    /** The vector as a matrix with one column. */
    public static DenseMatrix column(double[] values) {
        DenseMatrix a = zeros(values.length, 1);
        for (int i = 0; i < values.length; i++) {
            a.set(i, 0, values[i]);
        }
        return a;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return cols;
    }

    public double get(int row, int col) {
        return chunks[row / chunkRows].get((row % chunkRows) * cols + col);
    }

    public void set(int row, int col, double value) {
        chunks[row / chunkRows].put((row % chunkRows) * cols + col, value);
    }

    public void setRow(int row, double[] values) {
        if (values.length != cols) {
            throw new IllegalArgumentException(
                    "Row " + row + " has " + values.length + " values instead of " + cols + ".");
        }
        chunks[row / chunkRows].put((row % chunkRows) * cols, values);
    }

    public double[] row(int row) {
        double[] values = new double[cols];
        chunks[row / chunkRows].get((row % chunkRows) * cols, values);
        return values;
    }

    public double[] column(int col) {
        double[] values = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = get(i, col);
        }
        return values;
    }

    public void setColumn(int col, double[] values) {
        for (int i = 0; i < rows; i++) {
            set(i, col, values[i]);
        }
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        for (int i = 0; i < rows; i++) {
            for (int k = 0; k < v.cols; k++) {
                double sum = 0;
                for (int j = 0; j < cols; j++) {
                    sum += get(i, j) * v.get(j, k);
                }
                out.set(i, k, sum);
            }
        }
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        for (int j = 0; j < cols; j++) {
            for (int k = 0; k < u.cols; k++) {
                double sum = 0;
                for (int i = 0; i < rows; i++) {
                    sum += get(i, j) * u.get(i, k);
                }
                out.set(j, k, sum);
            }
        }
        if (rowSquares != null) {
            for (int i = 0; i < rows; i++) {
                double sum = 0;
                for (int j = 0; j < cols; j++) {
                    sum += get(i, j) * get(i, j);
                }
                rowSquares[i] = sum;
            }
        }
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseMatrix u = zeros(rows, v.cols);
        times(v, u, workers);
        if (rows > 0) {
            step[0].apply(0, rows, u.chunks[0]);
        }
        transposeTimes(u, out, null, workers);
    }

    @Override
    public int parts(int k) {
        return 1;
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        for (int i = 0; i < rowCount; i++) {
            for (int j = 0; j < colCount; j++) {
                target.put(i * colCount + j, get(firstRow + i, firstCol + j));
            }
        }
    }
}
