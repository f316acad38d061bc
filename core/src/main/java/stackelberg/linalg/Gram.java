package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Forms Gram matrices tile by tile: C += B'B or C += BB' in the lower triangle of C, for X'PX and its dual. The entries
 * above the diagonal are undefined until {@link #symmetrize} is called.
 *
 * <p>Tiles should hold a megabyte or more; with at least 512 rows (columns for BB') they reach the speed of GEMM.
 */
public final class Gram {
    /**
     * The order of the squares into which C is divided: large enough for the speed of GEMM, small enough to occupy all
     * threads.
     */
    private static final int SQUARE = 256;

    /** The largest order of C for which threads divide the rows of X; beyond, C has enough squares for all threads. */
    private static final int MOST_APART = 256;

    /**
     * The most parts of rows: enough for some threads to finish together, few enough that their sums take little
     * memory.
     */
    private static final int MOST_PARTS = 16;

    /** The number of values in a part, 8 MB. */
    private static final long PART = 1 << 20;

    /** The number of rows in the sample that decides whether columns are near 0. */
    private static final int LOOKED = 512;

    private Gram() {}

    /** The number of parts whose Gram matrices are formed side by side, by the sizes alone. */
    public static int parts(int rows, int order) {
        return order > MOST_APART ? 1 : (int) Math.max(1, Math.min(MOST_PARTS, (long) rows * order / PART));
    }

    /** The first row of a part, when the rows are divided evenly. */
    public static int firstRow(int rows, int part, int parts) {
        return (int) ((long) rows * part / parts);
    }

    /**
     * Whether {@link #ofMany} suits a matrix: it is dense, has many rows without gaps in memory, and its columns are
     * near 0 by a sample of rows, so that centring the products afterwards (X'X - m mean mean') loses no digits.
     */
    public static boolean isMany(Matrix x) {
        return x instanceof DenseMatrix dense
                && dense.stride() == dense.cols()
                && parts(x.rows(), x.cols()) > 1
                && isNearZero(dense);
    }

    /** Whether in a sample of rows each column's mean^2 is at most half of its mean square. */
    private static boolean isNearZero(DenseMatrix x) {
        int n = x.cols();
        double[] sum = new double[n];
        double[] square = new double[n];
        for (int k = 0; k < LOOKED; k++) {
            double[] row = x.row((int) ((long) x.rows() * k / LOOKED));
            for (int j = 0; j < n; j++) {
                sum[j] += row[j];
                square[j] += row[j] * row[j];
            }
        }
        boolean near = true;
        for (int j = 0; j < n; j++) {
            near &= sum[j] * sum[j] <= LOOKED * square[j] / 2;
        }
        return near;
    }

    /**
     * C = X'X for many rows, without copying them. For a read-only matrix, X'X is formed once and cached in the matrix.
     */
    public static void ofMany(DenseMatrix x, DenseMatrix c, Workers workers) {
        c.setAll(x.gram().orElseGet(() -> formed(x, workers)));
    }

    /** ||X||_F^2 as the trace of X'X if X'X is known; empty otherwise. */
    public static OptionalDouble knownSquares(Matrix x) {
        return x instanceof DenseMatrix dense
                ? dense.gram()
                        .map(gram -> IntStream.range(0, gram.rows())
                                .mapToDouble(j -> gram.get(j, j))
                                .sum())
                        .map(OptionalDouble::of)
                        .orElse(OptionalDouble.empty())
                : OptionalDouble.empty();
    }

    /** Forms X'X: one sum per part of the rows, added in the order of the parts. */
    private static DenseMatrix formed(DenseMatrix x, Workers workers) {
        int m = x.rows();
        int n = x.cols();
        DenseMatrix c = DenseMatrix.zeros(n, n);
        int parts = parts(m, n);
        int height = Math.max(1, (1 << 16) / Math.max(1, n));
        DenseMatrix[] sums = new DenseMatrix[parts];
        workers.run(parts, part -> {
            sums[part] = DenseMatrix.zeros(n, n);
            int end = firstRow(m, part + 1, parts);
            int count;
            for (int first = firstRow(m, part, parts); first < end; first += count) {
                count = Math.min(Math.min(height, end - first), x.contiguousRows(first));
                addTransposeProduct(x.at(first).slice(), count, m, n, sums[part], workers);
            }
        });
        for (int j = 0; j < n; j++) {
            double[] row = new double[n];
            for (DenseMatrix sum : sums) {
                Vectors.axpy(1, sum.row(j), row);
            }
            c.setRow(j, row);
        }
        symmetrize(c);
        x.keepGram(c);
        return c;
    }

    /** The lower triangle of C (cols x cols) += B'B, where B is a rows x cols tile, by rows from index 0 of b. */
    public static void addTransposeProduct(DoubleBuffer b, int rows, int cols, DenseMatrix c, Workers workers) {
        addTransposeProduct(b, rows, rows, cols, c, workers);
    }

    /**
     * Adds B'B for one tile B of many to C.
     *
     * @param all the number of rows of all tiles together, which decides between plain Java and OpenBLAS
     */
    public static void addTransposeProduct(
            DoubleBuffer b, int rows, int all, int cols, DenseMatrix c, Workers workers) {
        add(Provider.forGram(cols, all), true, b, rows, cols, c, workers);
    }

    /**
     * out (cols x 1) += X'u for rows first ... first + count - 1 of X, where u holds {@code count} numbers from index
     * 0; on the calling thread alone.
     */
    public static void addTransposeTimes(DenseMatrix x, int first, int count, DoubleBuffer u, DenseMatrix out) {
        DenseProducts.requireSize("the result", out, x.cols(), 1);
        Kernels kernels = Provider.forProduct(x.rows(), 1, x.cols());
        int height;
        for (int i = 0; i < count; i += height) {
            height = Math.min(count - i, x.contiguousRows(first + i));
            DoubleBuffer some = u.duplicate().position(i);
            kernels.gemm(true, false, x.cols(), 1, height, 1, x.at(first + i), x.stride(), some, 1, 1, out.at(0), 1);
        }
    }

    /** The lower triangle of C (rows x rows) += BB', where B is a rows x cols tile, by rows from index 0 of b. */
    public static void addProductTranspose(DoubleBuffer b, int rows, int cols, DenseMatrix c, Workers workers) {
        add(Provider.forGram(rows, cols), false, b, rows, cols, c, workers);
    }

    /** Adds the products of one block of rows to the lower triangle of C. */
    static void add(
            Kernels kernels, boolean trans, DoubleBuffer b, int rows, int cols, DenseMatrix c, Workers workers) {
        int n = trans ? cols : rows;
        int k = trans ? rows : cols;
        DenseProducts.requireSize("C", c, n, n);
        DenseProducts.requireWritable(c);
        if (k == 0 || n == 0) {
            return;
        }
        int squares = (n + SQUARE - 1) / SQUARE;
        workers.run(squares * (squares + 1) / 2, task -> {
            // The task number counts the squares of the lower triangle row by row: i is the largest with i (i + 1) / 2
            // <= task, corrected for rounding.
            int i = (int) ((Math.sqrt(8.0 * task + 1) - 1) / 2);
            i += (i + 1) * (i + 2) / 2 <= task ? 1 : 0;
            int j = task - i * (i + 1) / 2;
            addSquare(kernels, trans, b, cols, k, c, i * SQUARE, j * SQUARE);
        });
    }

    /**
     * Adds to one square of C: by syrk on the diagonal, by gemm below it. A square may lie in several chunks of memory.
     */
    private static void addSquare(
            Kernels kernels, boolean trans, DoubleBuffer b, int ldb, int k, DenseMatrix c, int row, int col) {
        int width = Math.min(SQUARE, c.cols() - col);
        int end = Math.min(row + SQUARE, c.rows());
        int height;
        for (int first = row; first < end; first += height) {
            height = Math.min(end - first, c.contiguousRows(first));
            DoubleBuffer left = b.duplicate().position(trans ? first : first * ldb);
            DoubleBuffer right = b.duplicate().position(trans ? col : col * ldb);
            DoubleBuffer target = c.columns(col, width).at(first);
            if (row == col && height == width) {
                kernels.syrk(trans, width, k, 1, left, ldb, target, c.stride());
            } else {
                kernels.gemm(trans, !trans, height, width, k, 1, left, ldb, right, ldb, 1, target, c.stride());
            }
        }
    }

    /** Copies the lower triangle of a square matrix into the upper one. */
    public static void symmetrize(DenseMatrix a) {
        DenseProducts.requireSize("a symmetric matrix", a, a.rows(), a.rows());
        int tile = 64;
        for (int i = 0; i < a.rows(); i += tile) {
            for (int j = 0; j <= i; j += tile) {
                for (int row = i; row < Math.min(i + tile, a.rows()); row++) {
                    for (int col = j; col < Math.min(j + tile, row); col++) {
                        a.set(col, row, a.get(row, col));
                    }
                }
            }
        }
    }

    /** Copies the upper triangle of a square matrix into the lower one. */
    static void mirror(DenseMatrix a, Workers workers) {
        int tile = 64;
        int n = a.rows();
        workers.run((n + tile - 1) / tile, task -> {
            int i = task * tile;
            for (int j = 0; j <= i; j += tile) {
                for (int row = i; row < Math.min(i + tile, n); row++) {
                    for (int col = j; col < Math.min(j + tile, row); col++) {
                        a.set(row, col, a.get(col, row));
                    }
                }
            }
        });
    }
}
