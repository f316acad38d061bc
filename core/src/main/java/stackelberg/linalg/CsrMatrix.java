package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A sparse matrix in compressed rows: up to 2^31 - 1 entries, the columns of every row ascending and without
 * duplicates.
 *
 * <p>For products, V and the sums are stored in "panels" of four columns, then two, then one, because the inner loops
 * ({@link Columns}) handle that many vectors at once. Rows are processed in blocks: a block's entries stay in cache
 * while it is multiplied with one panel after the other.
 */
public final class CsrMatrix implements Matrix {
    /** The fewest entries of a part: a second thread saves no time for fewer than twice this number. */
    private static final int MIN_PART_NONZEROS = 50_000;

    /** The most parts. */
    private static final int MAX_PARTS = 64;

    /**
     * The memory for the sums of all parts. Beyond the size of the cache, clearing and adding up the sums costs more
     * than further parts save.
     */
    private static final long SUM_BYTES = 8 << 20;

    /** Up to this many parts, parts may have any number of entries; beyond it, see {@link #NONZEROS_PER_SUM}. */
    private static final int FREE_PARTS = 8;

    /** The entries per number in the sums of a part that make up for clearing and adding up its sums. */
    private static final int NONZEROS_PER_SUM = 32;

    /** The entries of a block of rows: 80 to 100 kB, which stay in the second-level cache until their second use. */
    private static final int BLOCK_NONZEROS = 8192;

    private static final int MAX_BLOCK_ROWS = 256;

    /** If V and the sums take more than this, they do not stay in the second-level cache from one block to the next. */
    private static final int CACHED_BYTES = 2 << 20;

    /** The numbers of U in a block if V and the sums exceed {@link #CACHED_BYTES}: 512 kB. */
    private static final int LARGE_BLOCK = 1 << 16;

    /** The rows of V that are copied to panels at once, within the first-level cache. */
    private static final int PANEL_ROWS = 512;

    /** The numbers of V that a thread copies to panels at a time. */
    private static final int STRIP = 1 << 16;

    private final int rows;
    private final int cols;
    private final int[] rowStart;
    private final Columns columns;
    private final double[] values;
    /** The statistics of the columns, computed when first asked for; null before. */
    private volatile @Nullable ColumnStatistics statistics;

    /** A matrix over the given arrays, which are neither copied nor checked; {@link Builder} checks. */
    CsrMatrix(int rows, int cols, int[] rowStart, int[] columns, double[] values) {
        this(rows, cols, rowStart, new WideColumns(columns), values);
    }

    /** Makes a matrix with column indices of two or four bytes. */
    CsrMatrix(int rows, int cols, int[] rowStart, Columns columns, double[] values) {
        this.rows = rows;
        this.cols = cols;
        this.rowStart = rowStart;
        this.columns = columns;
        this.values = values;
    }

    /**
     * A matrix over the given arrays, which are not copied. The entries of row i are number rowStart[i] to rowStart[i +
     * 1] - 1, with ascending columns.
     */
    public static CsrMatrix over(int rows, int cols, int[] rowStart, int[] columns, double[] values) {
        if (rowStart.length != rows + 1 || columns.length != values.length || rowStart[rows] != values.length) {
            throw new IllegalArgumentException("Compressed rows need " + (rows + 1) + " row starts, the last of them "
                    + "the number of columns and values, but there are " + rowStart.length + " starts, "
                    + columns.length + " columns and " + values.length + " values.");
        }
        return new CsrMatrix(rows, cols, rowStart, columns, values);
    }

    /**
     * The matrix with values[t] in row rowIndices[t], column columnIndices[t]; in any order, but no place may occur
     * twice.
     */
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
        // Transposing puts entries in the order of their columns, so transposing twice sorts the columns within each
        // row.
        CsrMatrix sorted = new CsrMatrix(rows, cols, start, sortedColumns, sortedValues)
                .transpose()
                .transpose();
        for (int i = 0; i < rows; i++) {
            for (int p = sorted.rowStart[i] + 1; p < sorted.rowStart[i + 1]; p++) {
                if (sorted.columnAt(p) == sorted.columnAt(p - 1)) {
                    throw new IllegalArgumentException(
                            "Row " + i + ", column " + sorted.columnAt(p) + " is given twice.");
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

    /** The number of stored entries. */
    public int nonzeros() {
        return rowStart[rows];
    }

    /** The number of the first entry of a row; its entries are rowBegin(i) ... rowEnd(i) - 1. */
    public int rowBegin(int row) {
        return rowStart[row];
    }

    /** The number after the last entry of a row. */
    public int rowEnd(int row) {
        return rowStart[row + 1];
    }

    /** The column of an entry. */
    public int columnAt(int entry) {
        return columns.get(entry);
    }

    /** The value of an entry. */
    public double valueAt(int entry) {
        return values[entry];
    }

    /** The value in a row and column, zero if no entry is stored there. */
    public double get(int row, int col) {
        int at = firstFrom(row, col);
        return at < rowStart[row + 1] && columns.get(at) == col ? values[at] : 0;
    }

    /**
     * The number of the row's first entry in this column or a later one; the end of the row if there is none. Binary
     * search.
     */
    private int firstFrom(int row, int col) {
        int low = rowStart[row];
        int high = rowStart[row + 1];
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (columns.get(middle) < col) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The statistics of the columns. They are cached, because every scaling of the same data needs them. */
    ColumnStatistics statistics() {
        ColumnStatistics known = statistics;
        if (known == null) {
            known = ColumnStatistics.ofNonzeros(this, IntStream.range(0, rows).toArray());
            statistics = known;
        }
        return known;
    }

    /** diag(rowScale) X diag(colScale); null stands for ones. */
    public CsrMatrix scaled(double @Nullable [] rowScale, double @Nullable [] colScale) {
        return SparseProducts.scaled(this, rowScale, colScale);
    }

    /** X u for one vector. */
    public double[] times(double[] u) {
        return SparseProducts.times(this, u);
    }

    /** X'u for one vector. */
    public double[] transposeTimes(double[] u) {
        return SparseProducts.transposeTimes(this, u);
    }

    /** An upper bound on the number of nonzeros of X'X: the sum of the squared numbers of entries of the rows of X. */
    public long gramNonzerosBound() {
        return SparseProducts.gramNonzerosBound(this);
    }

    /** out = the lower triangle of X'X, formed from the stored entries; entries above the diagonal become 0. */
    public void lowerGram(DenseMatrix out, Workers workers) {
        SparseProducts.lowerGram(this, out, workers);
    }

    /** X'X with both triangles, as a sparse matrix. */
    public CsrMatrix gram() {
        return SparseProducts.gram(this);
    }

    /** Returns a matrix with further columns of zeros at the end; nothing is copied. */
    public CsrMatrix widened(int columnCount) {
        if (columnCount < cols) {
            throw new IllegalArgumentException(
                    "The matrix has " + cols + " columns and cannot be widened to " + columnCount + ".");
        }
        return new CsrMatrix(rows, columnCount, rowStart, columns, values);
    }

    /** The given rows in the given order, copied. */
    public CsrMatrix select(int[] chosen) {
        int[] start = new int[chosen.length + 1];
        for (int i = 0; i < chosen.length; i++) {
            start[i + 1] = Math.addExact(start[i], rowStart[chosen[i] + 1] - rowStart[chosen[i]]);
        }
        int[] toColumns = new int[start[chosen.length]];
        double[] toValues = new double[toColumns.length];
        for (int i = 0; i < chosen.length; i++) {
            int from = rowStart[chosen[i]];
            for (int p = start[i]; p < start[i + 1]; p++) {
                toColumns[p] = columns.get(from + p - start[i]);
                toValues[p] = values[from + p - start[i]];
            }
        }
        return new CsrMatrix(chosen.length, cols, start, Columns.copyOf(toColumns, toColumns.length, cols), toValues);
    }

    /** X', with ascending columns in every row even if those of X are not. */
    public CsrMatrix transpose() {
        int[] start = new int[cols + 1];
        int count = nonzeros();
        for (int p = 0; p < count; p++) {
            start[columns.get(p) + 1]++;
        }
        Arrays.parallelPrefix(start, Integer::sum);
        int[] next = Arrays.copyOf(start, cols);
        int[] toColumns = new int[count];
        double[] toValues = new double[count];
        for (int i = 0; i < rows; i++) {
            for (int p = rowStart[i]; p < rowStart[i + 1]; p++) {
                int at = next[columns.get(p)]++;
                toColumns[at] = i;
                toValues[at] = values[p];
            }
        }
        return new CsrMatrix(cols, rows, start, toColumns, toValues);
    }

    @Override
    public boolean rowSquares(double[] factors, double[] squares) {
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int p = rowStart[i]; p < rowStart[i + 1]; p++) {
                double value = values[p] * factors[columns.get(p)];
                sum += value * value;
            }
            squares[i] = sum;
        }
        return true;
    }

    @Override
    public int parts(int k) {
        long fitting = Math.max(2, Math.min(MAX_PARTS, SUM_BYTES / Math.max(8L * cols * k, 1)));
        // Limited by memory to a power of two, so that 2, 4 or 8 threads get equally many parts.
        double byMemory = Long.highestOneBit(fitting);
        double byWork = Math.min((double) nonzeros() / MIN_PART_NONZEROS, rows);
        double bySums = Math.max(FREE_PARTS, nonzeros() / Math.max((double) NONZEROS_PER_SUM * cols * k, 1));
        return (int) Math.max(1, Math.min(Math.min(MAX_PARTS, bySums), Math.min(byMemory, byWork)));
    }

    /**
     * The number of rows in a block: so few that their entries stay in cache from one panel of vectors to the next. If
     * V and the sums do not fit in the cache, many rows: then it is cheaper to read the entries again, which are in
     * order, than the vectors, which are read in random order.
     */
    private int blockRows(int k) {
        if (16.0 * cols * k > CACHED_BYTES) {
            return Math.max(1, LARGE_BLOCK / k);
        }
        long height = (long) BLOCK_NONZEROS * rows / Math.max(1, nonzeros());
        return (int) Math.max(1, Math.min(MAX_BLOCK_ROWS, height));
    }

    /**
     * The first row of a part. Parts have about the same number of entries, where each row counts as one entry more.
     */
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
        int blockRows = blockRows(k);
        double[][] panels = panels(v, workers);
        workers.run(parts, part -> {
            double[] u = new double[blockRows * k];
            int end = firstRow(part + 1, parts);
            for (int row = firstRow(part, parts); row < end; row += blockRows) {
                int height = Math.min(blockRows, end - row);
                multiply(row, height, panels, k, u);
                out.setTile(row, height, 0, k, u);
            }
        });
        give(panels, workers);
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double @Nullable [] rowSquares, Workers workers) {
        DenseProducts.requireSize("U", u, rows, u.cols());
        DenseProducts.requireSize("the result", out, cols, u.cols());
        int k = u.cols();
        int parts = parts(k);
        int blockRows = blockRows(k);
        double[][][] sums = sums(k, parts, workers, (part, sum) -> {
            double[] block = new double[blockRows * k];
            DoubleBuffer target = DoubleBuffer.wrap(block);
            int end = firstRow(part + 1, parts);
            for (int row = firstRow(part, parts); row < end; row += blockRows) {
                int height = Math.min(blockRows, end - row);
                u.tile(row, height, 0, k, target);
                add(row, height, block, k, sum);
                for (int i = row; rowSquares != null && i < row + height; i++) {
                    int from = rowStart[i];
                    rowSquares[i] = Vectors.dot(values, from, values, from, rowStart[i + 1] - from);
                }
            }
        });
        addUp(sums, out, workers);
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("V", v, cols, v.cols());
        DenseProducts.requireSize("the result", out, cols, v.cols());
        int k = v.cols();
        int parts = parts(k);
        DenseProducts.requireSteps(step, parts);
        int blockRows = blockRows(k);
        double[][] panels = panels(v, workers);
        double[][][] sums = sums(k, parts, workers, (part, sum) -> {
            double[] u = new double[blockRows * k];
            DoubleBuffer view = DoubleBuffer.wrap(u);
            int end = firstRow(part + 1, parts);
            for (int row = firstRow(part, parts); row < end; row += blockRows) {
                int height = Math.min(blockRows, end - row);
                multiply(row, height, panels, k, u);
                step[part].apply(row, height, view);
                view.clear();
                add(row, height, u, k, sum);
            }
        });
        give(panels, workers);
        addUp(sums, out, workers);
    }

    /** U = X V for a block of rows, panel by panel. */
    private void multiply(int firstRow, int height, double[][] panels, int k, double[] u) {
        for (int q = 0; q < panels.length; q++) {
            int at = panelStart(q, k);
            switch (panelWidth(q, k)) {
                case 4 -> multiplyQuads(firstRow, height, panels[q], u, at, k);
                case 2 -> multiplyPairs(firstRow, height, panels[q], u, at, k);
                default -> multiplyOnes(firstRow, height, panels[q], u, at, k);
            }
        }
    }

    // One method for each kind of loop: in a single method the compiler produced slower code.

    private void multiplyQuads(int firstRow, int height, double[] panel, double[] u, int at, int k) {
        for (int i = 0; i < height; i++) {
            columns.multiplyQuad(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], panel, u, at + i * k);
        }
    }

    private void multiplyPairs(int firstRow, int height, double[] panel, double[] u, int at, int k) {
        for (int i = 0; i < height; i++) {
            columns.multiplyPair(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], panel, u, at + i * k);
        }
    }

    private void multiplyOnes(int firstRow, int height, double[] panel, double[] u, int at, int k) {
        for (int i = 0; i < height; i++) {
            columns.multiplyOne(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], panel, u, at + i * k);
        }
    }

    /** Adds X'U for a block of rows to a sum in panels. */
    private void add(int firstRow, int height, double[] u, int k, double[][] panels) {
        for (int q = 0; q < panels.length; q++) {
            int at = panelStart(q, k);
            switch (panelWidth(q, k)) {
                case 4 -> addQuads(firstRow, height, u, at, k, panels[q]);
                case 2 -> addPairs(firstRow, height, u, at, k, panels[q]);
                default -> addOnes(firstRow, height, u, at, k, panels[q]);
            }
        }
    }

    private void addQuads(int firstRow, int height, double[] u, int at, int k, double[] panel) {
        for (int i = 0; i < height; i++) {
            columns.addQuad(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], u, at + i * k, panel);
        }
    }

    private void addPairs(int firstRow, int height, double[] u, int at, int k, double[] panel) {
        for (int i = 0; i < height; i++) {
            int p = at + i * k;
            columns.addPair(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], u[p], u[p + 1], panel);
        }
    }

    private void addOnes(int firstRow, int height, double[] u, int at, int k, double[] panel) {
        for (int i = 0; i < height; i++) {
            columns.addOne(values, rowStart[firstRow + i], rowStart[firstRow + i + 1], u[at + i * k], panel);
        }
    }

    /** A copy of V in panels: four columns each, then two and one for the rest, each panel by rows. */
    private static double[][] panels(DenseMatrix v, Workers workers) {
        int k = v.cols();
        double[][] panels = new double[panelCount(k)][];
        for (int q = 0; q < panels.length; q++) {
            panels[q] = workers.scratch().array(Math.multiplyExact(v.rows(), panelWidth(q, k)));
        }
        int stripRows = Math.max(1, STRIP / Math.max(1, PANEL_ROWS * k)) * PANEL_ROWS;
        workers.run((v.rows() + stripRows - 1) / stripRows, strip -> {
            double[] block = new double[PANEL_ROWS * k];
            int end = (int) Math.min(v.rows(), (strip + 1L) * stripRows);
            for (int row = strip * stripRows; row < end; row += PANEL_ROWS) {
                int height = Math.min(PANEL_ROWS, end - row);
                v.tile(row, height, 0, k, DoubleBuffer.wrap(block));
                for (int q = 0; q < panels.length; q++) {
                    copy(block, k, panelStart(q, k), height, panels[q], row, panelWidth(q, k));
                }
            }
        });
        return panels;
    }

    /** Copies the columns of a panel from a block of rows of V. */
    private static void copy(double[] block, int k, int start, int height, double[] panel, int row, int width) {
        if (width == k) {
            System.arraycopy(block, 0, panel, row * k, height * k);
            return;
        }
        for (int i = 0; i < height; i++) {
            for (int c = 0; c < width; c++) {
                panel[(row + i) * width + c] = block[i * k + start + c];
            }
        }
    }

    /** The number of panels for k vectors. */
    private static int panelCount(int k) {
        return k / 4 + k % 4 / 2 + k % 2;
    }

    /** The number of the first vector of a panel. */
    private static int panelStart(int panel, int k) {
        int fours = k / 4;
        return panel < fours ? 4 * panel : 4 * fours + 2 * (panel - fours);
    }

    /** The number of vectors in a panel: 4, 2 or 1. */
    private static int panelWidth(int panel, int k) {
        return panel < k / 4 ? 4 : Math.min(2, k - panelStart(panel, k));
    }

    /** Panels of zeros for a sum, from the pool. */
    private double[][] zeroPanels(int k, Workers workers) {
        double[][] panels = new double[panelCount(k)][];
        for (int q = 0; q < panels.length; q++) {
            panels[q] = workers.scratch().zeros(Math.multiplyExact(cols, panelWidth(q, k)));
        }
        return panels;
    }

    /** Computes the sum over one part of the rows. */
    private interface Part {
        /** Adds the product of a part of the rows to a sum, which is zero before. */
        void addTo(int part, double[][] sum);
    }

    /**
     * The sums of the parts, to be added in their order. A single thread adds each part's sum to the first at once, in
     * the same order and thus with the same bits: that needs two sets of panels only, which stay in cache.
     */
    private double[][][] sums(int k, int parts, Workers workers, Part each) {
        double[][][] sums = new double[workers.threads() == 1 ? 1 : parts][][];
        workers.run(sums.length, part -> {
            sums[part] = zeroPanels(k, workers);
            each.addTo(part, sums[part]);
        });
        if (sums.length < parts) {
            double[][] own = zeroPanels(k, workers);
            for (int part = 1; part < parts; part++) {
                each.addTo(part, own);
                for (int q = 0; q < own.length; q++) {
                    Vectors.axpy(1, own[q], sums[0][q]);
                    Arrays.fill(own[q], 0);
                }
            }
            give(own, workers);
        }
        return sums;
    }

    /** out = sums[0] + sums[1] + ..., added in this order; returns the panels to the pool. */
    private void addUp(double[][][] sums, DenseMatrix out, Workers workers) {
        int k = out.cols();
        int strips = sums.length;
        workers.run(strips, strip -> {
            int first = (int) ((long) cols * strip / strips);
            int end = (int) ((long) cols * (strip + 1) / strips);
            double[] total = new double[PANEL_ROWS * k];
            double[] sum = new double[PANEL_ROWS * Math.min(4, k)];
            int height;
            for (int row = first; row < end; row += height) {
                height = Math.min(PANEL_ROWS, end - row);
                for (int q = 0; q < sums[0].length; q++) {
                    int width = panelWidth(q, k);
                    int start = panelStart(q, k);
                    System.arraycopy(sums[0][q], row * width, sum, 0, height * width);
                    for (int part = 1; part < sums.length; part++) {
                        Vectors.axpy(1, sums[part][q], row * width, sum, 0, height * width);
                    }
                    if (width == k) {
                        System.arraycopy(sum, 0, total, 0, height * k);
                        continue;
                    }
                    for (int j = 0; j < height; j++) {
                        for (int c = 0; c < width; c++) {
                            total[j * k + start + c] = sum[j * width + c];
                        }
                    }
                }
                out.setTile(row, height, 0, k, total);
            }
        });
        for (double[][] sum : sums) {
            give(sum, workers);
        }
    }

    /** Returns panels to the pool. */
    private static void give(double[][] panels, Workers workers) {
        for (double[] panel : panels) {
            workers.scratch().give(panel);
        }
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
        double[] dense = new double[colCount];
        for (int i = 0; i < rowCount; i++) {
            Arrays.fill(dense, 0);
            int row = firstRow + i;
            for (int p = firstFrom(row, firstCol); p < rowStart[row + 1]; p++) {
                int j = columns.get(p) - firstCol;
                if (j >= colCount) {
                    break;
                }
                dense[j] = values[p];
            }
            target.put(i * colCount, dense);
        }
    }

    /**
     * Builds a {@link CsrMatrix} row by row: put the entries of a row in the order of their columns, end the row, and
     * so on.
     */
    public static final class Builder {
        /** The largest array that every Java virtual machine can allocate. */
        private static final int MAX_NONZEROS = Integer.MAX_VALUE - 8;

        private int rows;
        private int count;
        private int lastColumn = -1;
        private int largestColumn = -1;
        private int[] rowStart = new int[16];
        private int[] columns = new int[64];
        private double[] values = new double[64];

        /** Adds an entry to the current row, in a later column than the one before. */
        public Builder put(int column, double value) {
            if (column <= lastColumn) {
                throw new IllegalArgumentException("Row " + rows + ": column " + column + " follows column "
                        + lastColumn + ", but columns must ascend.\nMaybe the column is given twice.");
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

        /** The number of entries so far. */
        public int entries() {
            return count;
        }

        /** Ends the current row, which may be empty. */
        public Builder endRow() {
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

        /** The matrix of all rows, each of which must have been ended; the builder must not be used afterwards. */
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
}
