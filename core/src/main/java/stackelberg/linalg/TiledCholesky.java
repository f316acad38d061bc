package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * A = LL' on a matrix of any size, in place, by tiles that each lie in one chunk: column by column of tiles, A_ij - sum_{k<j} L_ik L_jk', then
 * DPOTRF on the diagonal and DTRSM below it. Rows under the square part, as a supernode has them, become A L^{-T}.
 *
 * <p>Every tile is the work of one thread, and which tiles there are depends on the matrix alone: the same bits on any number of threads.
 */
final class TiledCholesky {
    /** Columns of a tile: with 128 of them a factorisation of order 5,000 takes 1.4 times the processor time of one DPOTRF, with 512 1.1 times. */
    private static final int LARGEST_TILE = 512;

    private static final int SMALLEST_TILE = 128;

    /** Tiles in a column where the matrix is not large: what several threads are occupied with. */
    private static final int TILES = 10;

    /** Tiles below each other that are one product: GEMM then packs what it multiplies with half as often. */
    private static final int GROUP = 2;

    /** Rows of L that a triangular solve takes in one step, and how many of them, or columns, one thread takes. */
    private static final int STEP = 512;

    private static final int STEP_ROWS = 64;
    private static final int STEP_COLS = 1024;

    /** A matrix with fewer entries than this is read faster than it takes to wake up a second thread. */
    private static final long SHARED = 1 << 18;

    private final Kernels kernels;
    private final DenseMatrix a;
    private final Workers workers;
    private final int[] cut;
    private final int[] steps;

    /**
     * Prepares the matrix.
     *
     * @param a at least as many rows as columns; the lower trapezoid becomes the factor
     */
    TiledCholesky(Kernels kernels, DenseMatrix a, Workers workers) {
        this.kernels = kernels;
        this.a = a;
        this.workers = workers;
        this.cut = cuts(a, Math.max(SMALLEST_TILE, Math.min(LARGEST_TILE, a.rows() / TILES / 64 * 64)));
        this.steps = cuts(a, STEP);
    }

    DenseMatrix matrix() {
        return a;
    }

    /** Where its tiles begin, and the end of the last. */
    int[] cut() {
        return cut;
    }

    /** Factors; false if the square part is not positive definite, the content of a then being undefined. What is above the diagonal stays. */
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

    /** The rows of the t-th group of tiles below the diagonal, t = 1, 2, ..., in one piece where they lie in one chunk. */
    private void rows(int diagonal, int t, IntBinary work) {
        int begin = cut[diagonal + 1 + (t - 1) * GROUP];
        int end = cut[Math.min(cut.length - 1, diagonal + 1 + t * GROUP)];
        int height;
        for (int row = begin; row < end; row += height) {
            height = Math.min(end - row, a.contiguousRows(row));
            work.accept(row, height);
        }
    }

    private interface IntBinary {
        void accept(int row, int height);
    }

    /** x = L^{-1} x, and below = B x for the rows B under the square part. */
    void lower(DoubleBuffer x, DoubleBuffer below) {
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

    /** x = L^{-T}(x - B' below). */
    void upper(DoubleBuffer x, DoubleBuffer below) {
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

    /** Runs tasks on all workers where the entries they read are worth it. */
    private void shared(long entries, int tasks, IntConsumer task) {
        if (entries >= SHARED) {
            workers.run(tasks, task);
        } else {
            IntStream.range(0, tasks).forEach(task);
        }
    }

    /** Where tiles of at most this height begin, and the end: none reaches over the border of a chunk or out of the square part. */
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
