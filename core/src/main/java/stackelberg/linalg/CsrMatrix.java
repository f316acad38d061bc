package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A sparse matrix by compressed rows: up to 2^31 - 1 nonzeros, the columns of every row ascending and without duplicates. */
public final class CsrMatrix implements Matrix {
    /** Nonzeros of a part: two threads do not pay below twice this number. */
    private static final int MIN_PART_NONZEROS = 50_000;

    private static final int MAX_PARTS = 64;

    /** The sums of all parts: what does not stay in cache is cleared, added to and added up from memory, and more parts cost more than they bring. */
    private static final long SUM_BYTES = 8 << 20;

    /** Beyond so many parts every part has to earn its own sums, which are cleared, brought into the cache and added up. */
    private static final int FREE_PARTS = 8;

    /** Nonzeros for each number of a part's sums that earn them. */
    private static final int NONZEROS_PER_SUM = 32;

    /** Nonzeros that are in work at once: 80 to 100 KB, still in the second-level cache at their second use. */
    private static final int BLOCK_NONZEROS = 8192;

    private static final int MAX_BLOCK_ROWS = 256;

    /** Vectors and sums beyond this are no longer in the second-level cache when their panel is due again. */
    private static final int CACHED_BYTES = 2 << 20;

    /** Numbers of U that are in work at once then: 512 KB. */
    private static final int LARGE_BLOCK = 1 << 16;

    /** Rows of V that are cut into panels at once, in the first-level cache. */
    private static final int PANEL_ROWS = 512;

    /** Numbers of V that a thread cuts at a time. */
    private static final int STRIP = 1 << 16;

    private final int rows;
    private final int cols;
    private final int[] rowStart;
    private final Columns columns;
    private final double[] values;
    /** Null while nobody has asked. */
    private volatile ColumnStatistics statistics;

    /** Takes the arrays over without a copy or a check; {@link Builder} checks. */
    CsrMatrix(int rows, int cols, int[] rowStart, int[] columns, double[] values) {
        this(rows, cols, rowStart, new WideColumns(columns), values);
    }

    /** As above, with columns of either kind. */
    CsrMatrix(int rows, int cols, int[] rowStart, Columns columns, double[] values) {
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

    public int nonzeros() {
        return rowStart[rows];
    }

    /** Entries rowBegin(i) ... rowEnd(i) - 1 are those of row i. */
    public int rowBegin(int row) {
        return rowStart[row];
    }

    public int rowEnd(int row) {
        return rowStart[row + 1];
    }

    public int columnAt(int entry) {
        return columns.get(entry);
    }

    public double valueAt(int entry) {
        return values[entry];
    }

    /** The entry at this place, zero if none is stored. */
    public double get(int row, int col) {
        int at = firstFrom(row, col);
        return at < rowStart[row + 1] && columns.get(at) == col ? values[at] : 0;
    }

    /** The first entry of the row in this column or a later one; the end of the row if there is none. */
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

    /** Those of the columns, kept: a sample, today's rule and whoever else standardises ask again. */
    ColumnStatistics statistics() {
        ColumnStatistics known = statistics;
        if (known == null) {
            known = ColumnStatistics.ofNonzeros(this, IntStream.range(0, rows).toArray());
            statistics = known;
        }
        return known;
    }

    /** diag(rowScale) X diag(colScale); null stands for ones. */
    public CsrMatrix scaled(double[] rowScale, double[] colScale) {
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

    /** An upper bound of the nonzeros of X'X, from the rows of X: the sum of the squares of their lengths. */
    public long gramNonzerosBound() {
        return SparseProducts.gramNonzerosBound(this);
    }

    /** out = the lower triangle of X'X, formed from the nonzeros alone; what is above the diagonal becomes 0. */
    public void lowerGram(DenseMatrix out, Workers workers) {
        SparseProducts.lowerGram(this, out, workers);
    }

    /** X'X, both triangles, sparse. */
    public CsrMatrix gram() {
        return SparseProducts.gram(this);
    }

    /** The same entries with more columns behind them, all zero; nothing is copied. */
    public CsrMatrix widened(int columnCount) {
        if (columnCount < cols) {
            throw new IllegalArgumentException(
                    "There are " + cols + " columns already; " + columnCount + " are fewer.");
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

    /** X', with sorted rows whatever the order within the rows of X is. */
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
        // 2, 4, 8, ...: whoever has as many threads lets none of them wait
        double byMemory = Long.highestOneBit(fitting);
        double byWork = Math.min((double) nonzeros() / MIN_PART_NONZEROS, rows);
        double bySums = Math.max(FREE_PARTS, nonzeros() / Math.max((double) NONZEROS_PER_SUM * cols * k, 1));
        return (int) Math.max(1, Math.min(Math.min(MAX_PARTS, bySums), Math.min(byMemory, byWork)));
    }

    /**
     * Rows of U that are in work at once: few enough for their nonzeros to stay in cache from one panel of vectors to the next; many where the vectors of all
     * panels do not, since rows are read in their order and vectors are not.
     */
    private int blockRows(int k) {
        if (16.0 * cols * k > CACHED_BYTES) {
            return Math.max(1, LARGE_BLOCK / k);
        }
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
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers workers) {
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

    /** U = X V for a block of rows. */
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

    // a method for each kind of loop: together they were compiled into slower code

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

    /** The panels of a sum += X'U for a block of rows. */
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

    /** V by fours of its columns, then two and a last one alone if as many are left, each row-major. */
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

    private static int panelCount(int k) {
        return k / 4 + k % 4 / 2 + k % 2;
    }

    /** The first vector of a panel. */
    private static int panelStart(int panel, int k) {
        int fours = k / 4;
        return panel < fours ? 4 * panel : 4 * fours + 2 * (panel - fours);
    }

    private static int panelWidth(int panel, int k) {
        return panel < k / 4 ? 4 : Math.min(2, k - panelStart(panel, k));
    }

    private double[][] zeroPanels(int k, Workers workers) {
        double[][] panels = new double[panelCount(k)][];
        for (int q = 0; q < panels.length; q++) {
            panels[q] = workers.scratch().zeros(Math.multiplyExact(cols, panelWidth(q, k)));
        }
        return panels;
    }

    private interface Part {
        /** Adds what a part has to zeros. */
        void addTo(int part, double[][] sum);
    }

    /** Sums to be added up in their order: those of each part, or, where one thread does them all, their sum in this order, for which two sets are enough and stay in cache. */
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

    /** out = sums[0] + sums[1] + ..., added in this order; gives the sums back. */
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

    /** Builds a {@link CsrMatrix} row by row: put the entries of a row by ascending column, end the row, and so on. */
    public static final class Builder {
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
}
