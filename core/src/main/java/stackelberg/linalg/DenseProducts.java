package stackelberg.linalg;

import java.nio.DoubleBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Computes X V, X'U and X'step(X V) for a dense X by blocks of rows that stay in cache, on all threads, each with
 * single-threaded kernels.
 *
 * <p>The rows are divided into parts, one task each, and parts into blocks, by the sizes alone. Every part has its own
 * sums, which are added in the order of the parts, so the number of threads does not change a bit of the result.
 */
final class DenseProducts {
    /** The size of a block of X: 1 MB, about a second-level cache. Half and twice that are equally good (measured). */
    private static final int BLOCK_BYTES = 1 << 20;

    /**
     * The fewest rows of a block. V and the sums are read once per block; with fewer rows they would be read as much as
     * X.
     */
    private static final int MIN_BLOCK_ROWS = 16;

    /** Below this number, vectors are stored one after the other in memory during a pass; see {@link Block}. */
    private static final int FEW_VECTORS = 8;

    /** The multiplications up to which OpenBLAS works on its operands in place; see {@link OpenBlasKernels}. */
    private static final double PIECE_WORK = 1e6;

    /**
     * From this number of vectors on, products are limited by arithmetic rather than memory, and larger blocks are
     * faster than cached ones.
     */
    private static final int MANY_VECTORS = 40;

    /**
     * From this number of rows on, vectors in separate arrays are multiplied block by block instead of being copied
     * side by side.
     */
    private static final int STREAMED = 1 << 16;

    /** The rows of a stored product that a step gets at once. */
    private static final int LOOKED = 1024;

    /** The most parts: enough to keep some tens of threads busy until the end. */
    private static final int MAX_PARTS = 64;

    /** The multiplications from which a part is worth passing to another thread. */
    private static final long MIN_PART_WORK = 1 << 16;

    /** The memory for the sums of all parts: this, or a sixteenth of X if that is more. */
    private static final long SUM_BYTES = 32 << 20;

    /** The most memory for the sums of all parts. */
    private static final long MAX_SUM_BYTES = 1L << 30;

    private DenseProducts() {}

    /**
     * The number of parts for products of a rows x cols matrix with k vectors: limited by the work, the rows and the
     * memory for sums.
     */
    static int parts(int rows, int cols, int k) {
        double work = (double) rows * cols * k;
        double sumBytes = Math.min(MAX_SUM_BYTES, Math.max(SUM_BYTES, 8.0 * rows * cols / 16));
        double byMemory = Math.max(2, sumBytes / Math.max(8.0 * cols * k, 1));
        double byWork = Math.min(work / MIN_PART_WORK, (double) rows / MIN_BLOCK_ROWS);
        return (int) Math.max(1, Math.min(MAX_PARTS, Math.min(byMemory, byWork)));
    }

    /** The number of rows of a block. */
    private static int blockRows(int cols, int k) {
        int cached = BLOCK_BYTES / Math.max(8 * cols, 1);
        return Math.max(k < MANY_VECTORS ? MIN_BLOCK_ROWS : 2 * k, cached);
    }

    /** The first row of a part. */
    private static int firstRow(int rows, int part, int parts) {
        return (int) ((long) rows * part / parts);
    }

    /** out = alpha X V + beta out. */
    static void times(
            Kernels kernels,
            double alpha,
            DenseMatrix x,
            DenseMatrix v,
            double beta,
            DenseMatrix out,
            Workers workers) {
        requireSize("V", v, x.cols(), v.cols());
        requireSize("the result", out, x.rows(), v.cols());
        requireContiguous("V", v);
        requireWritable(out);
        int k = v.cols();
        if (k == 0 || x.rows() == 0) {
            return;
        }
        int blockRows = blockRows(x.cols(), k);
        int parts = parts(x.rows(), x.cols(), k);
        DoubleBuffer vs = start(v);
        workers.run(parts, part -> {
            int end = firstRow(x.rows(), part + 1, parts);
            int height;
            for (int row = firstRow(x.rows(), part, parts); row < end; row += height) {
                height = Math.min(
                        Math.min(blockRows, end - row), Math.min(x.contiguousRows(row), out.contiguousRows(row)));
                kernels.gemm(
                        false,
                        false,
                        height,
                        k,
                        x.cols(),
                        alpha,
                        x.at(row),
                        x.stride(),
                        vs,
                        v.stride(),
                        beta,
                        out.at(row),
                        out.stride());
            }
        });
    }

    /** Passes U = X V to the steps, block by block. */
    static void look(Kernels kernels, DenseMatrix x, DenseMatrix v, Matrix.RowStep[] step, Workers workers) {
        requireSize("V", v, x.cols(), v.cols());
        requireContiguous("V", v);
        int k = v.cols();
        int parts = parts(x.rows(), x.cols(), k);
        requireSteps(step, parts);
        int blockRows = Math.min(blockRows(x.cols(), k), Math.max(x.rows(), 1));
        DoubleBuffer vs = start(v);
        workers.run(parts, part -> {
            DoubleBuffer u = workers.scratch().take(Math.max(1, blockRows * k));
            int end = firstRow(x.rows(), part + 1, parts);
            int height;
            for (int row = firstRow(x.rows(), part, parts); row < end; row += height) {
                height = Math.min(Math.min(blockRows, end - row), x.contiguousRows(row));
                kernels.gemm(false, false, height, k, x.cols(), 1, x.at(row), x.stride(), vs, v.stride(), 0, u, k);
                step[part].apply(row, height, u);
                u.clear();
            }
            workers.scratch().give(u);
        });
    }

    /** Applies the steps to a product that is stored. */
    static void applyTo(DenseMatrix u, Matrix.RowStep[] step, Workers workers) {
        workers.run(step.length, part -> {
            int end = firstRow(u.rows(), part + 1, step.length);
            int height;
            for (int row = firstRow(u.rows(), part, step.length); row < end; row += height) {
                height = Math.min(Math.min(LOOKED, end - row), u.contiguousRows(row));
                step[part].apply(row, height, u.at(row).slice());
            }
        });
    }

    /** out = alpha X'U + beta out. */
    static void transposeTimes(
            Kernels kernels,
            double alpha,
            DenseMatrix x,
            DenseMatrix u,
            double beta,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        requireSize("U", u, x.rows(), u.cols());
        transposeTimes(kernels, alpha, x, u.cols(), u, null, beta, out, rowSquares, ranges, workers);
    }

    /**
     * Whether vectors in separate arrays are multiplied block by block: they are few, and so long that copying them
     * would cost time.
     */
    static boolean isStreamed(Matrix.RowVectors u) {
        return u.count() > 0 && u.count() < FEW_VECTORS && u.rows() >= STREAMED;
    }

    /**
     * out = X'U for vectors in separate arrays. The result is that of the same vectors side by side: the same bits if X
     * has more columns than a product has vectors, otherwise up to rounding.
     */
    static void transposeTimes(
            Kernels kernels,
            DenseMatrix x,
            Matrix.RowVectors u,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        if (u.rows() != x.rows()) {
            throw new IllegalArgumentException("U has " + u.rows() + " rows, but X has " + x.rows() + ".");
        }
        transposeTimes(kernels, 1, x, u.count(), null, u, 0, out, rowSquares, ranges, workers);
    }

    /**
     * out = alpha X'U + beta out, where the vectors of U are either the columns of {@code u} or in separate arrays,
     * {@code vectors}; the other one is null.
     */
    @SuppressWarnings("NullAway")
    private static void transposeTimes(
            Kernels kernels,
            double alpha,
            DenseMatrix x,
            int k,
            @Nullable DenseMatrix u,
            Matrix.@Nullable RowVectors vectors,
            double beta,
            DenseMatrix out,
            double @Nullable [] rowSquares,
            ColumnStatistics.@Nullable Ranges ranges,
            Workers workers) {
        requireSize("the result", out, x.cols(), k);
        requireContiguous("the result", out);
        int blockRows = blockRows(x.cols(), k);
        int parts = parts(x.rows(), x.cols(), k);
        boolean byVector = k > 1 && k < FEW_VECTORS;
        DoubleBuffer[] sums = new DoubleBuffer[parts];
        ColumnStatistics.Ranges[] seen = new ColumnStatistics.Ranges[parts];
        workers.run(parts, part -> {
            sums[part] = workers.scratch().take(x.cols() * k);
            seen[part] = ranges == null ? null : new ColumnStatistics.Ranges(x.cols());
            DoubleBuffer written = vectors == null ? null : workers.scratch().take(blockRows * k);
            int first = firstRow(x.rows(), part, parts);
            int end = firstRow(x.rows(), part + 1, parts);
            int height;
            int before = 0;
            for (int row = first; row < end; row += height) {
                height = Math.min(Math.min(blockRows, end - row), x.contiguousRows(row));
                height = vectors == null ? Math.min(height, u.contiguousRows(row)) : height;
                Block block = new Block(kernels, x.at(row), x.stride(), height, x.cols(), k);
                double keep = row == first ? 0 : 1;
                if (vectors == null) {
                    block.addTransposeTimes(true, u.at(row), u.stride(), keep, sums[part], byVector);
                } else {
                    for (int c = 0; c < k; c++) {
                        // A vector that is the same in all rows is still in the buffer from the block before.
                        if (height != before || !vectors.isConstant(c)) {
                            vectors.write(c, row, height, written, c * height);
                        }
                    }
                    before = height;
                    block.addTransposeTimes(false, written, k == 1 ? 1 : height, keep, sums[part], byVector);
                }
                if (rowSquares != null) {
                    kernels.rowSquares(height, x.cols(), block.x, x.stride(), rowSquares, row);
                }
                if (ranges != null) {
                    seen[part].addRows(block.x, x.stride(), height);
                }
            }
            if (written != null) {
                workers.scratch().give(written);
            }
        });
        for (int part = 0; part < parts && ranges != null; part++) {
            ranges.merge(seen[part]);
        }
        addSums(alpha, sums, byVector, x.rows() == 0, beta, out, workers);
    }

    /** U = step(X V), out = X'U. */
    static void pass(
            Kernels kernels, DenseMatrix x, DenseMatrix v, Matrix.RowStep[] step, DenseMatrix out, Workers workers) {
        requireSize("V", v, x.cols(), v.cols());
        requireSize("the result", out, x.cols(), v.cols());
        requireContiguous("V", v);
        int k = v.cols();
        int parts = parts(x.rows(), x.cols(), k);
        requireSteps(step, parts);
        int blockRows = Math.min(blockRows(x.cols(), k), Math.max(x.rows(), 1));
        boolean byVector = k < FEW_VECTORS;
        DoubleBuffer vs = byVector ? vectorAfterVector(v, workers) : start(v);
        DoubleBuffer[] sums = new DoubleBuffer[parts];
        workers.run(parts, part -> {
            sums[part] = workers.scratch().take(x.cols() * k);
            DoubleBuffer u = workers.scratch().take(blockRows * k);
            int first = firstRow(x.rows(), part, parts);
            int end = firstRow(x.rows(), part + 1, parts);
            int height;
            for (int row = first; row < end; row += height) {
                height = Math.min(Math.min(blockRows, end - row), x.contiguousRows(row));
                Block block = new Block(kernels, x.at(row), x.stride(), height, x.cols(), k);
                block.times(vs, byVector ? x.cols() : v.stride(), byVector, u);
                step[part].apply(row, height, u);
                u.clear();
                block.addTransposeTimes(true, u, k, row == first ? 0 : 1, sums[part], byVector);
            }
            workers.scratch().give(u);
        });
        if (byVector) {
            workers.scratch().give(vs);
        }
        addSums(1, sums, byVector, x.rows() == 0, 0, out, workers);
    }

    /**
     * A block of rows of X, which stays in cache between its two products with k vectors.
     *
     * <p>If there are few vectors, stored one after the other in memory, both products run along the rows of X and fill
     * whole vector registers; stored side by side they would fill only k places of a register. Measured on one core, in
     * units of the time for reading X: 1.6 against 2.0 for k = 2, 2.3 against 3.1 for k = 4; from 8 on side by side is
     * faster.
     */
    private record Block(Kernels kernels, DoubleBuffer x, int stride, int rows, int cols, int k) {
        /** u = X v; {@code byVector} says that the vectors of v lie one after the other. */
        void times(DoubleBuffer v, int vStride, boolean byVector, DoubleBuffer u) {
            if (!byVector) {
                kernels.gemm(false, false, rows, k, cols, 1, x, stride, v, vStride, 0, u, k);
                return;
            }
            int width = pieceWidth();
            for (int j = 0; j == 0 || j < cols; j += width) {
                int w = Math.min(width, cols - j);
                DoubleBuffer piece = x.duplicate().position(x.position() + j);
                DoubleBuffer right = v.duplicate().position(v.position() + j);
                kernels.gemm(false, true, rows, k, w, 1, piece, stride, right, vStride, j == 0 ? 0 : 1, u, k);
            }
        }

        /**
         * sum = X'u + beta sum; the vectors of u lie side by side or one after the other, and the vectors of the sum
         * one after the other if {@code byVector}.
         */
        void addTransposeTimes(
                boolean sideBySide, DoubleBuffer u, int uStride, double beta, DoubleBuffer sum, boolean byVector) {
            if (!byVector) {
                kernels.gemm(true, false, cols, k, rows, 1, x, stride, u, uStride, beta, sum, k);
                return;
            }
            int width = pieceWidth();
            for (int j = 0; j == 0 || j < cols; j += width) {
                int w = Math.min(width, cols - j);
                DoubleBuffer piece = x.duplicate().position(x.position() + j);
                DoubleBuffer target = sum.duplicate().position(sum.position() + j);
                kernels.gemm(sideBySide, false, k, w, rows, 1, u, uStride, piece, stride, beta, target, cols);
            }
        }

        /** The columns of X per call, so that the multiplications stay below {@link #PIECE_WORK}. */
        private int pieceWidth() {
            int pieces = (int) ((double) rows * k * cols / PIECE_WORK) + 1;
            return Math.max(1, (cols + pieces - 1) / pieces);
        }
    }

    /** A copy of V with its vectors one after the other. */
    private static DoubleBuffer vectorAfterVector(DenseMatrix v, Workers workers) {
        DoubleBuffer copy = workers.scratch().take(Math.max(1, v.rows() * v.cols()));
        for (int j = 0; j < v.rows(); j++) {
            for (int c = 0; c < v.cols(); c++) {
                copy.put(c * v.rows() + j, v.get(j, c));
            }
        }
        return copy;
    }

    /**
     * out = alpha (sums[0] + sums[1] + ...) + beta out, added in this order; returns the buffers of the sums to the
     * pool.
     *
     * @param byVector whether the vectors of a sum lie one after the other rather than side by side
     * @param empty whether X has no rows, so that the buffers of the sums were not written
     */
    private static void addSums(
            double alpha,
            DoubleBuffer[] sums,
            boolean byVector,
            boolean empty,
            double beta,
            DenseMatrix out,
            Workers workers) {
        requireWritable(out);
        int k = out.cols();
        int strip = Math.max(1, 4096 / Math.max(k, 1));
        int strips = (int) (((long) out.rows() + strip - 1) / strip);
        boolean small = (long) sums.length * out.rows() * k < MIN_PART_WORK;
        int tasks = small ? 1 : strips;
        workers.run(tasks, task -> {
            double[] total = new double[strip * k];
            double[] part = new double[strip * k];
            double[] row = new double[k];
            for (int s = task; s < strips; s += tasks) {
                int first = s * strip;
                int height = Math.min(strip, out.rows() - first);
                int length = height * k;
                java.util.Arrays.fill(total, 0);
                for (DoubleBuffer sum : empty ? new DoubleBuffer[0] : sums) {
                    if (byVector) {
                        for (int j = 0; j < k; j++) {
                            sum.get(j * out.rows() + first, part, j * height, height);
                        }
                    } else {
                        sum.get(first * k, part, 0, length);
                    }
                    Vectors.axpy(alpha, part, 0, total, 0, length);
                }
                for (int i = 0; i < height; i++) {
                    for (int j = 0; j < k; j++) {
                        double value = byVector ? total[j * height + i] : total[i * k + j];
                        row[j] = value + (beta == 0 ? 0 : beta * out.get(first + i, j));
                    }
                    out.setRow(first + i, row);
                }
            }
        });
        for (DoubleBuffer sum : sums) {
            workers.scratch().give(sum);
        }
    }

    /** The memory of a matrix in one chunk; an unused buffer for a matrix without rows, which has no chunk. */
    static DoubleBuffer start(DenseMatrix a) {
        return a.rows() == 0 ? Scratch.allocate(1) : a.at(0);
    }

    static void requireSteps(Matrix.RowStep[] step, int parts) {
        if (step.length != parts) {
            throw new IllegalArgumentException("A pass in " + parts + " parts needs as many row steps, but got "
                    + step.length + ".\nMaybe parts(k) was called with another k.");
        }
    }

    static void requireSize(String what, DenseMatrix a, int rows, int cols) {
        if (a.rows() != rows || a.cols() != cols) {
            throw new IllegalArgumentException("Sizes do not fit: " + what + " is " + a.rows() + " x " + a.cols()
                    + " and must be " + rows + " x " + cols + ".");
        }
    }

    static void requireContiguous(String what, DenseMatrix a) {
        if (!a.isContiguous()) {
            throw new IllegalArgumentException("Too large: " + what + " is " + a.rows() + " x " + a.cols()
                    + " and must fit into one chunk of 2 GB.");
        }
    }

    /** Refuses a read-only matrix as a result: native code that writes to a read-only mapping crashes the process. */
    static void requireWritable(DenseMatrix a) {
        if (a.isReadOnly()) {
            throw new IllegalArgumentException("A " + a.rows() + " x " + a.cols()
                    + " matrix mapped from a file is read-only and cannot take a result.");
        }
    }
}
