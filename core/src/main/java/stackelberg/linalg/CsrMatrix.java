package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;

/** A sparse matrix by compressed rows: up to 2^31 - 1 nonzeros, the columns of every row ascending and without duplicates. */
public final class CsrMatrix implements Matrix {
    /** Nonzeros of a part: two threads do not pay below twice this number. */
    private static final int MIN_PART_NONZEROS = 50_000;

    private static final int MAX_PARTS = 64;
    private static final long SUM_BYTES = 32 << 20;

    /** Beyond so many parts every part has to earn its own sums, which are cleared, brought into the cache and added up. */
    private static final int FREE_PARTS = 8;

    /** Nonzeros for each number of a part's sums that earn them. */
    private static final int NONZEROS_PER_SUM = 16;

    /** Nonzeros that are in work at once: about 100 KB, still in the second-level cache at their second use. */
    private static final int BLOCK_NONZEROS = 8192;

    private static final int MAX_BLOCK_ROWS = 256;

    private final int rows;
    private final int cols;
    private final int[] rowStart;
    private final int[] columns;
    private final double[] values;

    /** Takes the arrays over without a copy or a check; {@link CsrBuilder} checks. */
    CsrMatrix(int rows, int cols, int[] rowStart, int[] columns, double[] values) {
        this.rows = rows;
        this.cols = cols;
        this.rowStart = rowStart;
        this.columns = columns;
        this.values = values;
    }

    /**
     * The matrix over these arrays, which are not copied: the entries of row i are rowStart[i] ... rowStart[i + 1] - 1, their columns ascending.
     */
    public static CsrMatrix over(int rows, int cols, int[] rowStart, int[] columns, double[] values) {
        if (rowStart.length != rows + 1 || columns.length != values.length || rowStart[rows] != values.length) {
            throw new IllegalArgumentException("Compressed rows need " + (rows + 1) + " row starts, the last of them "
                    + "the number of columns and values, but there are " + rowStart.length + " starts, "
                    + columns.length + " columns and " + values.length + " values.");
        }
        return new CsrMatrix(rows, cols, rowStart, columns, values);
    }

    /** The matrix with values[t] at (rowIndices[t], columnIndices[t]), in any order; no place may be given twice. */
    public static CsrMatrix ofTriplets(int rows, int cols, int[] rowIndices, int[] columnIndices, double[] values) {
        int count = values.length;
        if (rowIndices.length != count || columnIndices.length != count) {
            throw new IllegalArgumentException("Triplets need as many rows and columns as values, but there are "
                    + rowIndices.length + " rows, " + columnIndices.length + " columns and " + count + " values.");
        }
        int[] start = new int[rows + 1];
        for (int t = 0; t < count; t++) {
            if (rowIndices[t] < 0 || rowIndices[t] >= rows || columnIndices[t] < 0 || columnIndices[t] >= cols) {
                throw new IllegalArgumentException("Triplet " + t + " is at row " + rowIndices[t] + ", column "
                        + columnIndices[t] + ", outside of a " + rows + " x " + cols + " matrix.");
            }
            start[rowIndices[t] + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] next = Arrays.copyOf(start, rows);
        int[] sortedColumns = new int[count];
        double[] sortedValues = new double[count];
        for (int t = 0; t < count; t++) {
            int at = next[rowIndices[t]]++;
            sortedColumns[at] = columnIndices[t];
            sortedValues[at] = values[t];
        }
        // Transposing sorts by column within each row, so twice gives sorted rows.
        CsrMatrix sorted = new CsrMatrix(rows, cols, start, sortedColumns, sortedValues)
                .transpose()
                .transpose();
        for (int i = 0; i < rows; i++) {
            for (int p = sorted.rowStart[i] + 1; p < sorted.rowStart[i + 1]; p++) {
                if (sorted.columns[p] == sorted.columns[p - 1]) {
                    throw new IllegalArgumentException(
                            "Row " + i + ", column " + sorted.columns[p] + " is given twice.");
                }
            }
        }
        return sorted;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return cols;
    }

    public int nonzeros() {
        return rowStart[rows];
    }

    /** Entries rowBegin(i) ... rowEnd(i) - 1 are those of row i. */
    int rowBegin(int row) {
        return rowStart[row];
    }

    int rowEnd(int row) {
        return rowStart[row + 1];
    }

    int columnAt(int entry) {
        return columns[entry];
    }

    double valueAt(int entry) {
        return values[entry];
    }

    /** The entry at this place, zero if none is stored. */
    public double get(int row, int col) {
        int at = Arrays.binarySearch(columns, rowStart[row], rowStart[row + 1], col);
        return at < 0 ? 0 : values[at];
    }

    /** X', with sorted rows whatever the order within the rows of X is. */
    public CsrMatrix transpose() {
        int[] start = new int[cols + 1];
        int count = nonzeros();
        for (int p = 0; p < count; p++) {
            start[columns[p] + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] next = Arrays.copyOf(start, cols);
        int[] toColumns = new int[count];
        double[] toValues = new double[count];
        for (int i = 0; i < rows; i++) {
            for (int p = rowStart[i]; p < rowStart[i + 1]; p++) {
                int at = next[columns[p]]++;
                toColumns[at] = i;
                toValues[at] = values[p];
            }
        }
        return new CsrMatrix(cols, rows, start, toColumns, toValues);
    }

    @Override
    public int parts(int k) {
        double byMemory = Math.max(2, SUM_BYTES / Math.max(8.0 * cols * k, 1));
        double byWork = Math.min((double) nonzeros() / MIN_PART_NONZEROS, rows);
        double bySums = Math.max(FREE_PARTS, nonzeros() / Math.max((double) NONZEROS_PER_SUM * cols * k, 1));
        return (int) Math.max(1, Math.min(Math.min(MAX_PARTS, bySums), Math.min(byMemory, byWork)));
    }

    /** Rows of U that are in work at once. */
    private int blockRows() {
        long height = (long) BLOCK_NONZEROS * rows / Math.max(1, nonzeros());
        return (int) Math.max(1, Math.min(MAX_BLOCK_ROWS, height));
    }

    /** The first row of a part: parts have about the same number of nonzeros, every row counting as one more. */
    private int firstRow(int part, int parts) {
        if (part == parts) {
            return rows;
        }
        long target = ((long) nonzeros() + rows) * part / parts;
        int low = 0;
        int high = rows;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if ((long) rowStart[middle] + middle < target) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("V", v, cols, v.cols());
        DenseProducts.requireSize("the result", out, rows, v.cols());
        int k = v.cols();
        int parts = parts(k);
        double[] vs = toArray(v);
        workers.run(parts, part -> {
            double[] u = new double[k];
            int end = firstRow(part + 1, parts);
            for (int i = firstRow(part, parts); i < end; i++) {
                CsrRows.multiply(columns, values, rowStart[i], rowStart[i + 1], vs, k, u, 0);
                out.setRow(i, u);
            }
        });
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
        DenseProducts.requireSize("U", u, rows, u.cols());
        DenseProducts.requireSize("the result", out, cols, u.cols());
        int k = u.cols();
        int parts = parts(k);
        int blockRows = blockRows();
        double[][] sums = new double[parts][];
        workers.run(parts, part -> {
            double[] sum = workers.scratch().zeros(Math.multiplyExact(cols, k));
            double[] block = new double[blockRows * k];
            DoubleBuffer target = DoubleBuffer.wrap(block);
            int end = firstRow(part + 1, parts);
            for (int row = firstRow(part, parts); row < end; row += blockRows) {
                int height = Math.min(blockRows, end - row);
                u.tile(row, height, 0, k, target);
                for (int i = 0; i < height; i++) {
                    int from = rowStart[row + i];
                    int to = rowStart[row + i + 1];
                    CsrRows.add(columns, values, from, to, block, i * k, k, sum);
                    if (rowSquares != null) {
                        rowSquares[row + i] = Vectors.dot(values, from, values, from, to - from);
                    }
                }
            }
            sums[part] = sum;
        });
        addSums(sums, out, workers);
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("V", v, cols, v.cols());
        DenseProducts.requireSize("the result", out, cols, v.cols());
        int k = v.cols();
        int parts = parts(k);
        DenseProducts.requireSteps(step, parts);
        int blockRows = blockRows();
        double[] vs = toArray(v);
        double[][] sums = new double[parts][];
        workers.run(parts, part -> {
            double[] sum = workers.scratch().zeros(vs.length);
            double[] u = new double[blockRows * k];
            DoubleBuffer view = DoubleBuffer.wrap(u);
            int end = firstRow(part + 1, parts);
            for (int row = firstRow(part, parts); row < end; row += blockRows) {
                int height = Math.min(blockRows, end - row);
                for (int i = 0; i < height; i++) {
                    CsrRows.multiply(columns, values, rowStart[row + i], rowStart[row + i + 1], vs, k, u, i * k);
                }
                step[part].apply(row, height, view);
                view.clear();
                for (int i = 0; i < height; i++) {
                    CsrRows.add(columns, values, rowStart[row + i], rowStart[row + i + 1], u, i * k, k, sum);
                }
            }
            sums[part] = sum;
        });
        addSums(sums, out, workers);
    }

    /** out = sums[0] + sums[1] + ..., added in this order; gives the sums back. */
    private void addSums(double[][] sums, DenseMatrix out, Workers workers) {
        int k = out.cols();
        int strips = sums.length;
        workers.run(strips, strip -> {
            int first = (int) ((long) cols * strip / strips);
            int end = (int) ((long) cols * (strip + 1) / strips);
            double[] total = Arrays.copyOfRange(sums[0], first * k, end * k);
            for (int part = 1; part < sums.length; part++) {
                Vectors.axpy(1, sums[part], first * k, total, 0, total.length);
            }
            out.setTile(first, end - first, 0, k, total);
        });
        for (double[] sum : sums) {
            workers.scratch().give(sum);
        }
    }

    private static double[] toArray(DenseMatrix v) {
        double[] values = new double[Math.multiplyExact(v.rows(), v.cols())];
        v.tile(0, v.rows(), 0, v.cols(), DoubleBuffer.wrap(values));
        return values;
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        double[] dense = new double[colCount];
        for (int i = 0; i < rowCount; i++) {
            Arrays.fill(dense, 0);
            int row = firstRow + i;
            int p = Arrays.binarySearch(columns, rowStart[row], rowStart[row + 1], firstCol);
            for (p = p < 0 ? -p - 1 : p; p < rowStart[row + 1] && columns[p] - firstCol < colCount; p++) {
                dense[columns[p] - firstCol] = values[p];
            }
            target.put(i * colCount, dense);
        }
    }
}
