package stackelberg.linalg;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A dense matrix, stored by rows in direct memory (outside the Java heap, so that native code works on it without a
 * copy) or mapped from a file.
 *
 * <p>The memory is divided into chunks of whole rows, because a Java buffer is at most 2 GB large. Products ({@link
 * DenseProducts}) and Cholesky factors ({@link TiledCholesky}) work chunk by chunk; eigenvectors and inverses need a
 * matrix in one chunk, up to order 16,383.
 */
public final class DenseMatrix implements Matrix {
    /** The values in a chunk, 32 MB, when several threads allocate chunks side by side. */
    private static final int SHARED_DOUBLES = 1 << 22;

    /** The rows of several columns that are copied at once, so that the block stays in cache. */
    private static final int BLOCK_ROWS = 512;

    /** The most values in a chunk: a buffer has at most 2^31 - 1 bytes. */
    private static final long MAX_CHUNK_DOUBLES = (1L << 28) - 8;

    /** The values of a matrix for which an additional read costs no noticeable time: 8 MB. */
    private static final int SMALL = 1 << 20;

    private final int rows;
    private final int cols;
    /** The index of column 0 within a row of the memory; not 0 for a range of columns of another matrix. */
    private final int firstCol;
    /** The distance from a row to the next in memory. */
    private final int stride;
    /** The number of rows in each chunk but the last. */
    private final int chunkRows;

    private final DoubleBuffer[] chunks;
    /** X'X, if X is read-only and X'X has been formed; null otherwise. */
    private @Nullable DenseMatrix gram;

    private DenseMatrix(int rows, int cols, int firstCol, int stride, int chunkRows, DoubleBuffer[] chunks) {
        this.rows = rows;
        this.cols = cols;
        this.firstCol = firstCol;
        this.stride = stride;
        this.chunkRows = chunkRows;
        this.chunks = chunks;
    }

    /** A matrix of zeros. */
    public static DenseMatrix zeros(int rows, int cols) {
        return zeros(rows, cols, largestChunk(rows, cols));
    }

    /**
     * A matrix of zeros, allocated in chunks by several threads, which is faster for many rows: both the system and
     * Java fill new memory with zeros.
     */
    public static DenseMatrix zeros(int rows, int cols, Workers workers) {
        int largest = largestChunk(rows, cols);
        return zeros(rows, cols, Math.min(largest, Math.max(1, SHARED_DOUBLES / Math.max(cols, 1))), workers);
    }

    static DenseMatrix zeros(int rows, int cols, int chunkRows) {
        return zeros(rows, cols, chunkRows, Workers.of(1));
    }

    /** Allocates a matrix of zeros in chunks of whole rows. */
    private static DenseMatrix zeros(int rows, int cols, int chunkRows, Workers workers) {
        DoubleBuffer[] chunks = new DoubleBuffer[chunkCount(rows, chunkRows)];
        @Nullable OutOfMemoryError[] refused = new OutOfMemoryError[chunks.length];
        workers.run(chunks.length, c -> {
            try {
                chunks[c] = Scratch.allocate(Math.min(chunkRows, rows - c * chunkRows) * cols);
            } catch (OutOfMemoryError e) {
                // Rethrown below by the calling thread, so that its message, which states the limit, is kept.
                refused[c] = e;
            }
        });
        for (OutOfMemoryError first : refused) {
            if (first != null) {
                throw first;
            }
        }
        return new DenseMatrix(rows, cols, 0, cols, chunkRows, chunks);
    }

    /** A matrix over the memory of a buffer, row after row from its index 0 on; nothing is copied. */
    static DenseMatrix over(DoubleBuffer values, int rows, int cols) {
        return new DenseMatrix(rows, cols, 0, cols, Math.max(1, rows), new DoubleBuffer[] {values});
    }

    /** A matrix with undefined content in memory from the pool; newly allocated if it needs several chunks. */
    static DenseMatrix borrowed(int rows, int cols, Scratch scratch) {
        return largestChunk(rows, cols) < rows ? zeros(rows, cols) : over(scratch.take(rows * cols), rows, cols);
    }

    /** Returns the memory of a borrowed matrix to the pool. */
    void giveTo(Scratch scratch) {
        if (isContiguous()) {
            scratch.give(chunks[0]);
        }
    }

    /** A matrix with a copy of the given rows. */
    public static DenseMatrix of(double[][] values) {
        DenseMatrix a = zeros(values.length, values.length == 0 ? 0 : values[0].length);
        for (int i = 0; i < a.rows; i++) {
            a.setRow(i, values[i]);
        }
        return a;
    }

    /** A matrix with one column, a copy of the vector. */
    public static DenseMatrix column(double[] values) {
        DenseMatrix a = zeros(values.length, 1);
        a.setTile(0, values.length, 0, 1, values);
        return a;
    }

    /**
     * A read-only matrix mapped from a file, which holds float64 numbers in little-endian order by rows, from byte
     * {@code byteOffset} on. The system loads pages when they are used and drops them when memory is short, so the file
     * may be larger than the memory.
     */
    public static DenseMatrix map(Path file, long byteOffset, int rows, int cols) throws IOException {
        return map(file, byteOffset, rows, cols, largestChunk(rows, cols));
    }

    /** Maps a file of little-endian doubles, stored by rows, as a read-only matrix. */
    static DenseMatrix map(Path file, long byteOffset, int rows, int cols, int chunkRows) throws IOException {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new UnsupportedOperationException(
                    "Files of little-endian numbers cannot be mapped on this machine, which is big-endian.");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long needed = byteOffset + 8L * rows * cols;
            if (byteOffset < 0 || channel.size() < needed) {
                throw new IOException(file + " has " + channel.size() + " bytes, but " + rows + " x " + cols
                        + " numbers from byte " + byteOffset + " on need " + needed
                        + ".\nMaybe the file was cut off while it was written or copied.");
            }
            DoubleBuffer[] chunks = new DoubleBuffer[chunkCount(rows, chunkRows)];
            for (int c = 0; c < chunks.length; c++) {
                long first = (long) c * chunkRows;
                long bytes = 8L * cols * Math.min(chunkRows, rows - first);
                chunks[c] = channel.map(FileChannel.MapMode.READ_ONLY, byteOffset + 8L * cols * first, bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asDoubleBuffer();
            }
            return new DenseMatrix(rows, cols, 0, cols, chunkRows, chunks);
        }
    }

    /** The most rows that fit in a chunk. */
    private static int largestChunk(int rows, int cols) {
        if (rows < 0 || cols < 0 || cols > MAX_CHUNK_DOUBLES) {
            throw new IllegalArgumentException("A dense matrix cannot have " + rows + " rows and " + cols
                    + " columns: neither may be negative, and a row may not exceed 2 GB.");
        }
        return (int) Math.max(1, Math.min(rows, MAX_CHUNK_DOUBLES / Math.max(cols, 1)));
    }

    private static int chunkCount(int rows, int chunkRows) {
        return (int) (((long) rows + chunkRows - 1) / chunkRows);
    }

    /** Columns first ... first + count - 1 of this matrix, sharing its memory. */
    public DenseMatrix columns(int first, int count) {
        if (first < 0 || count < 0 || first + count > cols) {
            throw new IllegalArgumentException(
                    "A matrix with " + cols + " columns has no columns " + first + " to " + (first + count - 1) + ".");
        }
        return count == cols ? this : new DenseMatrix(rows, count, firstCol + first, stride, chunkRows, chunks);
    }

    /** A read-only matrix over the same memory. It caches X'X, so this matrix must not be written to afterwards. */
    public DenseMatrix asReadOnly() {
        DoubleBuffer[] readers =
                Arrays.stream(chunks).map(DoubleBuffer::asReadOnlyBuffer).toArray(DoubleBuffer[]::new);
        return new DenseMatrix(rows, cols, firstCol, stride, chunkRows, readers);
    }

    /** X'X if it has been formed and kept. */
    synchronized Optional<DenseMatrix> gram() {
        return Optional.ofNullable(gram);
    }

    /** Keeps X'X unless X can be written to. */
    synchronized void keepGram(DenseMatrix formed) {
        gram = isReadOnly() ? formed : null;
    }

    /** The first rows of this matrix, sharing its memory. */
    public DenseMatrix firstRows(int count) {
        if (count < 0 || count > rows) {
            throw new IllegalArgumentException("A matrix with " + rows + " rows has no first " + count + ".");
        }
        return new DenseMatrix(count, cols, firstCol, stride, chunkRows, chunks);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return cols;
    }

    /** The value in a row and column, both from 0. */
    public double get(int row, int col) {
        return chunk(row).get(index(row, col));
    }

    /** Sets the value in a row and column, both from 0. */
    public void set(int row, int col, double value) {
        chunk(row).put(index(row, col), value);
    }

    /** A copy of a row. */
    public double[] row(int row) {
        double[] values = new double[cols];
        chunk(row).get(index(row, 0), values);
        return values;
    }

    /** Overwrites a row. */
    public void setRow(int row, double[] values) {
        requireLength("Row ", row, values.length, cols);
        chunk(row).put(index(row, 0), values);
    }

    /** A copy of a column. */
    public double[] column(int col) {
        double[] values = new double[rows];
        int run;
        for (int first = 0; first < rows; first += run) {
            run = contiguousRows(first);
            DoubleBuffer chunk = chunk(first);
            int at = index(first, col);
            if (stride == 1) {
                chunk.get(at, values, first, run);
                continue;
            }
            for (int i = 0; i < run; i++) {
                values[first + i] = chunk.get(at + i * stride);
            }
        }
        return values;
    }

    /** Overwrites a column. */
    public void setColumn(int col, double[] values) {
        requireLength("Column ", col, values.length, rows);
        int run;
        for (int first = 0; first < rows; first += run) {
            run = contiguousRows(first);
            DoubleBuffer chunk = chunk(first);
            int at = index(first, col);
            if (stride == 1) {
                chunk.put(at, values, first, run);
                continue;
            }
            for (int i = 0; i < run; i++) {
                chunk.put(at + i * stride, values[first + i]);
            }
        }
    }

    /**
     * Overwrites columns first, first + 1, ... together; one by one, each would access every cache line of the matrix
     * for a single number.
     */
    public void setColumns(int first, double[]... columns) {
        int k = columns.length;
        double[] block = new double[Math.min(rows, BLOCK_ROWS) * k];
        for (int row = 0; row < rows; row += BLOCK_ROWS) {
            int height = Math.min(BLOCK_ROWS, rows - row);
            for (int j = 0; j < k; j++) {
                for (int i = 0; i < height; i++) {
                    block[i * k + j] = columns[j][row + i];
                }
            }
            setTile(row, height, first, k, block);
        }
    }

    /** A copy of all columns. */
    public double[][] columns() {
        double[][] columns = new double[cols][rows];
        double[] block = new double[Math.min(rows, BLOCK_ROWS) * cols];
        for (int row = 0; row < rows; row += BLOCK_ROWS) {
            int height = Math.min(BLOCK_ROWS, rows - row);
            tile(row, height, 0, cols, DoubleBuffer.wrap(block));
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < height; i++) {
                    columns[j][row + i] = block[i * cols + j];
                }
            }
        }
        return columns;
    }

    /** Overwrites the tile of the given rows and columns with {@code source}, which holds it by rows from index 0. */
    public void setTile(int firstRow, int rowCount, int firstColumn, int colCount, double[] source) {
        int run;
        for (int i = 0; i < rowCount; i += run) {
            run = adjacentRows(firstRow + i, rowCount - i, colCount);
            chunk(firstRow + i).put(index(firstRow + i, firstColumn), source, i * colCount, run * colCount);
        }
    }

    @Override
    public void tile(int firstRow, int rowCount, int firstColumn, int colCount, DoubleBuffer target) {
        int run;
        for (int i = 0; i < rowCount; i += run) {
            int row = firstRow + i;
            run = adjacentRows(row, rowCount - i, colCount);
            target.put(i * colCount, chunk(row), index(row, firstColumn), run * colCount);
        }
    }

    /**
     * The number of rows of a tile, from this one on, that are contiguous in memory and so can be copied by one call.
     */
    private int adjacentRows(int row, int atMost, int colCount) {
        return colCount == stride ? Math.min(atMost, contiguousRows(row)) : 1;
    }

    /** A copy in new memory. */
    public DenseMatrix copy() {
        DenseMatrix copy = zeros(rows, cols);
        copy.setAll(this);
        return copy;
    }

    /** Copies all entries of a matrix of the same size into this one. */
    public void setAll(DenseMatrix source) {
        if (source.rows != rows || source.cols != cols) {
            throw new IllegalArgumentException("A " + source.rows + " x " + source.cols
                    + " matrix cannot be copied into a " + rows + " x " + cols + " matrix.");
        }
        for (int i = 0; i < rows; i++) {
            chunk(i).put(index(i, 0), source.chunk(i), source.index(i, 0), cols);
        }
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out, Workers workers) {
        DenseProducts.times(Provider.forProduct(rows, v.cols, cols), 1, this, v, 0, out, workers);
    }

    @Override
    public void transposeTimes(DenseMatrix u, DenseMatrix out, double @Nullable [] rowSquares, Workers workers) {
        transposeTimes(u, out, rowSquares, null, workers);
    }

    @Override
    public void transposeTimes(
            DenseMatrix u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        DenseProducts.transposeTimes(
                Provider.forProduct(rows, u.cols, cols), 1, this, u, 0, out, rowSquares, ranges, workers);
    }

    /** {@inheritDoc} Few vectors of many rows are multiplied block by block, without a copy of them. */
    @Override
    public void transposeTimes(
            RowVectors u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        if (DenseProducts.isStreamed(u)) {
            DenseProducts.transposeTimes(
                    Provider.forProduct(rows, u.count(), cols), this, u, out, rowSquares, ranges, workers);
        } else {
            transposeTimes(u.sideBySide(workers), out, rowSquares, ranges, workers);
        }
    }

    @Override
    public void look(DenseMatrix v, RowStep[] step, Workers workers) {
        DenseProducts.look(Provider.forProduct(rows, v.cols, cols), this, v, step, workers);
    }

    @Override
    public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers workers) {
        DenseProducts.pass(Provider.forProduct(rows, v.cols, cols), this, v, step, out, workers);
    }

    @Override
    public int parts(int k) {
        return DenseProducts.parts(rows, cols, k);
    }

    /** {@inheritDoc} A small matrix is in cache or close to it, so reading it again is cheap. */
    @Override
    public boolean rowSquares(double[] factors, double[] squares) {
        if ((long) rows * cols > SMALL) {
            return false;
        }
        double[] row = new double[cols];
        DoubleBuffer target = DoubleBuffer.wrap(row);
        for (int i = 0; i < rows; i++) {
            tile(i, 1, 0, cols, target);
            double sum = 0;
            for (int j = 0; j < cols; j++) {
                double value = row[j] * factors[j];
                sum += value * value;
            }
            squares[i] = sum;
        }
        return true;
    }

    /** out = alpha A'B + beta out, where A is this matrix. */
    public void transposeProduct(double alpha, DenseMatrix b, double beta, DenseMatrix out, Workers workers) {
        Gemm.transposeProduct(alpha, this, b, beta, out, workers);
    }

    /** out = V W', where V is this matrix: the inner products of the rows of V and W, few and long. */
    public void innerProducts(DenseMatrix w, DenseMatrix out, Workers workers) {
        Gemm.innerProducts(this, w, out, workers);
    }

    /** out = alpha A V + beta out, where A is this matrix and the rows of V and out are vectors, few and long. */
    public void combineRows(double alpha, DenseMatrix v, double beta, DenseMatrix out, Workers workers) {
        Gemm.combineRows(alpha, this, v, beta, out, workers);
    }

    /** The distance from a row to the next in memory. */
    int stride() {
        return stride;
    }

    /** The number of rows, from this one on, that lie in the same chunk. */
    int contiguousRows(int row) {
        return Math.min(chunkRows - row % chunkRows, rows - row);
    }

    /** Whether the matrix lies in one chunk. */
    boolean isContiguous() {
        return chunks.length <= 1;
    }

    /** The chunk of a row, positioned at the row's first value; its limit is the end of the chunk. */
    DoubleBuffer at(int row) {
        return chunk(row).duplicate().position(index(row, 0));
    }

    boolean isReadOnly() {
        return chunks.length > 0 && chunks[0].isReadOnly();
    }

    private DoubleBuffer chunk(int row) {
        return chunks.length == 1 ? chunks[0] : chunks[row / chunkRows];
    }

    private int index(int row, int col) {
        return (chunks.length == 1 ? row : row % chunkRows) * stride + firstCol + col;
    }

    private static void requireLength(String what, int index, int length, int expected) {
        if (length != expected) {
            throw new IllegalArgumentException(
                    what + index + " has " + length + " values instead of " + expected + ".");
        }
    }
}
