package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Factors A = LL' in place, for a matrix of any size, by tiles that each lie in one chunk of memory.
 *
 * <p>One column of tiles after the other: A_ij - sum_{k<j} L_ik L_jk' (GEMM), then DPOTRF on the diagonal tile and DTRSM on the tiles below it. The matrix may
 * have more rows than columns, as the panel of a supernode has; the rows B below the square part become B L^{-T}.
 *
 * <p>Each tile is computed by one thread, and the tiles depend on the matrix alone, so the result is the same bits on any number of threads.
 */
final class TiledCholesky {
    /** The most columns of a tile. A factorisation of order 5,000 takes 1.1 times the processor time of one DPOTRF with 512 columns, 1.4 times with 128. */
    private static final int LARGEST_TILE = 512;

    /** The fewest columns of a tile, unless the matrix itself has fewer. */
    private static final int SMALLEST_TILE = 128;

    /** The number of tiles in a column of a matrix of moderate size, so that several threads have work. */
    private static final int TILES = 10;

    /** The tiles below each other that are multiplied at once, so that GEMM packs their common factor half as often. */
    private static final int GROUP = 2;

    /** The rows of L in one step of a triangular solve. */
    private static final int STEP = 512;

    /** The rows of a step (forward solve) that one thread takes. */
    private static final int STEP_ROWS = 64;

    /** The columns of a step (backward solve) that one thread takes. */
    private static final int STEP_COLS = 1024;

    /** A product with fewer entries of L than this is done before a second thread wakes up. */
    private static final long SHARED = 1 << 18;

    private final Kernels kernels;
    private final DenseMatrix a;
    private final Workers workers;
    /** The first row of each tile, and the number of rows at the end. */
    private final int[] cut;
    /** The first row of each step of a triangular solve, and the number of rows at the end. */
    private final int[] steps;

    /**
     * Prepares the factorisation of a matrix.
     *
     * @param a a matrix with at least as many rows as columns; {@link #factor} overwrites its lower trapezoid
     */
    TiledCholesky(Kernels kernels, DenseMatrix a, Workers workers) {
        this.kernels = kernels;
        this.a = a;
        this.workers = workers;
        this.cut = cuts(a, Math.max(SMALLEST_TILE, Math.min(LARGEST_TILE, a.rows() / TILES / 64 * 64)));
        this.steps = cuts(a, STEP);
    }

    /** The memory of the matrix and its factor. */
    DenseMatrix matrix() {
        return a;
    }

    /** The first row of each tile, and the number of rows at the end. */
    int[] cut() {
        return cut;
    }

    /** Factors the matrix; false if the square part is not positive definite, and its content is undefined then. Entries above the diagonal are kept. */
    boolean factor() {
        for (int j = 0; j + 1 < cut.length && cut[j] < a.cols(); j++) {
            int diagonal = j;
            int first = cut[j];
            int width = cut[j + 1] - first;
            DenseMatrix column = a.columns(first, width);
            int groups = (cut.length - 1 - j) / GROUP;
            if (first > 0) {
                workers.run(groups + 1, t -> {
                    if (t == 0) {
                        kernels.syrk(false, width, first, -1, a.at(first), a.stride(), column.at(first), a.stride());
                    } else {
                        rows(diagonal, t, (row, height) -> subtract(column, first, row, height));
                    }
                });
            }
            if (!kernels.potrf(width, column.at(first), a.stride())) {
                return false;
            }
            workers.run(
                    groups,
                    t -> rows(
                            diagonal,
                            t + 1,
                            (row, height) -> kernels.trsm(
                                    height, width, column.at(first), a.stride(), column.at(row), a.stride())));
        }
        return true;
    }

    /** Subtracts L_row L_first' from some rows of a column of tiles, with all columns of L before it. */
    private void subtract(DenseMatrix column, int first, int row, int height) {
        int stride = a.stride();
        kernels.gemm(
                false,
                true,
                height,
                column.cols(),
                first,
                -1,
                a.at(row),
                stride,
                a.at(first),
                stride,
                1,
                column.at(row),
                stride);
    }

    /** Applies {@code work} to the rows of the t-th group of tiles below the diagonal, t = 1, 2, ...; once for each chunk of memory that they lie in. */
    private void rows(int diagonal, int t, IntBinary work) {
        int begin = cut[diagonal + 1 + (t - 1) * GROUP];
        int end = cut[Math.min(cut.length - 1, diagonal + 1 + t * GROUP)];
        int height;
        for (int row = begin; row < end; row += height) {
            height = Math.min(end - row, a.contiguousRows(row));
            work.accept(row, height);
        }
    }

    /** Processes a number of rows from a row on. */
    private interface IntBinary {
        void accept(int row, int height);
    }

    /** x = L^{-1} x, then below = B x for the rows B below the square part; {@code below} is null if there are none. */
    @SuppressWarnings("NullAway")
    void lower(DoubleBuffer x, @Nullable DoubleBuffer below) {
        int n = a.cols();
        int from = x.position();
        for (int i = 0; i + 1 < steps.length; i++) {
            int row = steps[i];
            int end = steps[i + 1];
            boolean inside = row < n;
            int length = inside ? row : n;
            DoubleBuffer target = inside ? x : below;
            int at = inside ? from + row : below.position() + row - n;
            if (length > 0) {
                shared((long) (end - row) * length, (end - row + STEP_ROWS - 1) / STEP_ROWS, t -> {
                    int first = row + t * STEP_ROWS;
                    int height = Math.min(STEP_ROWS, end - first);
                    kernels.gemm(
                            false,
                            false,
                            height,
                            1,
                            length,
                            inside ? -1 : 1,
                            a.at(first),
                            a.stride(),
                            x,
                            1,
                            inside ? 1 : 0,
                            target.duplicate().position(at + t * STEP_ROWS),
                            1);
                });
            }
            if (inside) {
                kernels.trsv(
                        false,
                        end - row,
                        a.columns(row, end - row).at(row),
                        a.stride(),
                        x.duplicate().position(at));
            }
        }
    }

    /** x = L^{-T}(x - B' below); {@code below} is null if there are no rows B below the square part. */
    @SuppressWarnings("NullAway")
    void upper(DoubleBuffer x, @Nullable DoubleBuffer below) {
        int n = a.cols();
        int from = x.position();
        for (int i = steps.length - 2; i >= 0; i--) {
            int row = steps[i];
            int height = steps[i + 1] - row;
            boolean inside = row < n;
            int length = inside ? row : n;
            DoubleBuffer source = inside
                    ? x.duplicate().position(from + row)
                    : below.duplicate().position(below.position() + row - n);
            if (inside) {
                kernels.trsv(true, height, a.columns(row, height).at(row), a.stride(), source);
            }
            if (length > 0) {
                shared((long) height * length, (length + STEP_COLS - 1) / STEP_COLS, t -> {
                    int first = t * STEP_COLS;
                    int width = Math.min(STEP_COLS, length - first);
                    kernels.gemm(
                            true,
                            false,
                            width,
                            1,
                            height,
                            -1,
                            a.columns(first, width).at(row),
                            a.stride(),
                            source,
                            1,
                            1,
                            x.duplicate().position(from + first),
                            1);
                });
            }
        }
    }

    /** Runs tasks on all threads if they read enough entries to make that worthwhile. */
    private void shared(long entries, int tasks, IntConsumer task) {
        if (entries >= SHARED) {
            workers.run(tasks, task);
        } else {
            IntStream.range(0, tasks).forEach(task);
        }
    }

    /** The first rows of tiles of at most the given height, and the number of rows; no tile crosses the border of a chunk or of the square part. */
    private static int[] cuts(DenseMatrix a, int height) {
        int[] cut = new int[a.rows() + 1];
        int count = 0;
        int row = 0;
        while (row < a.rows()) {
            cut[count++] = row;
            int left = Math.min(height, a.contiguousRows(row));
            row += row < a.cols() ? Math.min(left, a.cols() - row) : left;
        }
        cut[count++] = a.rows();
        return Arrays.copyOf(cut, count);
    }
}
