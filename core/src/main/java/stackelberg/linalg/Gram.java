package stackelberg.linalg;

import java.nio.DoubleBuffer;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * Gram matrices from tiles: C += B'B or C += BB' in the lower triangle of C, for X'PX and its dual. What is above the diagonal is undefined
 * until {@link #symmetrize}.
 *
 * <p>Tiles of a megabyte or more are worth their overhead, and with at least 512 rows (columns for BB') they reach the speed of GEMM.
 */
public final class Gram {
    /** Order of the squares that C is cut into: large enough for the speed of GEMM, small enough to occupy all threads. */
    private static final int SQUARE = 256;

    /** Products of so few columns are one piece of work. */
    private static final int MOST_APART = 256;

    /** Enough to keep some threads busy to the end. */
    private static final int MOST_PARTS = 16;

    /** Values that make a part. */
    private static final long PART = 1 << 20;

    /** Rows that tell where columns lie, as well as they need to. */
    private static final int LOOKED = 512;

    private Gram() {}

    /** How many parts of many rows are summed side by side, by the sizes alone: sums of few columns leave threads nothing else to share. */
    public static int parts(int rows, int order) {
        return order > MOST_APART ? 1 : (int) Math.max(1, Math.min(MOST_PARTS, (long) rows * order / PART));
    }

    /** The first row of a part. */
    public static int firstRow(int rows, int part, int parts) {
        return (int) ((long) rows * part / parts);
    }

    /**
     * Whether to take {@link #ofMany} of a matrix: the values of its rows follow each other and are many, and some of them tell that no column lies far from 0, so that means can be taken off the products.
     */
    public static boolean isMany(Matrix x) {
        return x instanceof DenseMatrix dense
                && dense.stride() == dense.cols()
                && parts(x.rows(), x.cols()) > 1
                && isNearZero(dense);
    }

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

    /** C = X'X for many rows, from where they are; of a matrix that nobody can write to it is formed once. */
    public static void ofMany(DenseMatrix x, DenseMatrix c, Workers workers) {
        c.setAll(x.gram().orElseGet(() -> formed(x, workers)));
    }

    /** ||X||_F^2 where X'X was formed of many rows; empty where it was not. */
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

    /** The lower triangle of C (cols x cols) += B'B, with B a rows x cols tile, row-major from index 0 of b. */
    public static void addTransposeProduct(DoubleBuffer b, int rows, int cols, DenseMatrix c, Workers workers) {
        addTransposeProduct(b, rows, rows, cols, c, workers);
    }

    /**
     * The same for one tile of many.
     *
     * @param all rows of all tiles, by which the kernels are chosen
     */
    public static void addTransposeProduct(
            DoubleBuffer b, int rows, int all, int cols, DenseMatrix c, Workers workers) {
        add(Provider.forGram(cols, all), true, b, rows, cols, c, workers);
    }

    /** out (cols x 1) += X'u of some rows of X, u of as many numbers from its index 0 on; on the calling thread alone. */
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

    /** The lower triangle of C (rows x rows) += BB', with B a rows x cols tile, row-major from index 0 of b. */
    public static void addProductTranspose(DoubleBuffer b, int rows, int cols, DenseMatrix c, Workers workers) {
        add(Provider.forGram(rows, cols), false, b, rows, cols, c, workers);
    }

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
            int i = (int) ((Math.sqrt(8.0 * task + 1) - 1) / 2);
            i += (i + 1) * (i + 2) / 2 <= task ? 1 : 0;
            int j = task - i * (i + 1) / 2;
            addSquare(kernels, trans, b, cols, k, c, i * SQUARE, j * SQUARE);
        });
    }

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
