package stackelberg.linalg;

import java.nio.DoubleBuffer;

/** Products out = alpha op(A) op(B) + beta out of dense matrices on several threads; no result depends on their number. */
final class Gemm {
    /** The columns of A that one task multiplies when the result rather than the sum is divided among the threads. */
    private static final int STRIP = 128;

    /** The length of the pieces into which long rows are divided: both factors of a piece stay in cache. */
    private static final int PIECE = 4096;

    /** The multiplications below which a second thread costs more time than it saves. */
    private static final double MIN_PARALLEL_WORK = 1 << 19;

    private Gemm() {}

    /** out = alpha A V + beta out, where the rows of V and out are vectors, few and long. */
    static void combineRows(double alpha, DenseMatrix a, DenseMatrix v, double beta, DenseMatrix out, Workers workers) {
        combineRows(Provider.forProduct(a.rows(), v.cols(), a.cols()), alpha, a, v, beta, out, workers);
    }

    static void combineRows(
            Kernels kernels,
            double alpha,
            DenseMatrix a,
            DenseMatrix v,
            double beta,
            DenseMatrix out,
            Workers workers) {
        DenseProducts.requireSize("V", v, a.cols(), v.cols());
        DenseProducts.requireSize("the result", out, a.rows(), v.cols());
        DenseProducts.requireContiguous("V", v);
        DenseProducts.requireContiguous("A", a);
        DenseProducts.requireWritable(out);
        byPieces(a.rows(), a.cols(), v.cols(), workers, (first, length, piece) -> {
            DenseMatrix target = out.columns(first, length);
            int height;
            for (int row = 0; row < a.rows(); row += height) {
                height = out.contiguousRows(row);
                kernels.gemm(
                        false,
                        false,
                        height,
                        length,
                        a.cols(),
                        alpha,
                        a.at(row),
                        a.stride(),
                        DenseProducts.start(v.columns(first, length)),
                        v.stride(),
                        beta,
                        target.at(row),
                        out.stride());
            }
        });
    }

    /** out = V W', the inner products of vectors that are the rows of V and W, few and long. */
    static void innerProducts(DenseMatrix v, DenseMatrix w, DenseMatrix out, Workers workers) {
        innerProducts(Provider.forProduct(v.rows(), w.rows(), v.cols()), v, w, out, workers);
    }

    static void innerProducts(Kernels kernels, DenseMatrix v, DenseMatrix w, DenseMatrix out, Workers workers) {
        DenseProducts.requireSize("W", w, w.rows(), v.cols());
        DenseProducts.requireSize("the result", out, v.rows(), w.rows());
        DenseProducts.requireContiguous("V", v);
        DenseProducts.requireContiguous("W", w);
        int size = v.rows() * w.rows();
        double[] total = new double[size];
        if (size > 0 && v.cols() > 0) {
            double[][] sums = new double[pieces(v.cols())][size];
            byPieces(v.rows(), w.rows(), v.cols(), workers, (first, length, piece) -> {
                DoubleBuffer sum = workers.scratch().take(size);
                kernels.gemm(
                        false,
                        true,
                        v.rows(),
                        w.rows(),
                        length,
                        1,
                        v.columns(first, length).at(0),
                        v.stride(),
                        w.columns(first, length).at(0),
                        w.stride(),
                        0,
                        sum,
                        w.rows());
                sum.get(0, sums[piece]);
                workers.scratch().give(sum);
            });
            for (double[] sum : sums) {
                Vectors.axpy(1, sum, total);
            }
        }
        out.setTile(0, v.rows(), 0, w.rows(), total);
    }

    /** A task on columns first ... first + length - 1, which are piece number {@code piece}. */
    private interface Piece {
        void accept(int first, int length, int piece);
    }

    private static int pieces(int length) {
        return (length + PIECE - 1) / PIECE;
    }

    /** Divides rows into pieces by their length alone and runs the task on each; m n length is the number of multiplications. */
    private static void byPieces(int m, int n, int length, Workers workers, Piece task) {
        int pieces = pieces(length);
        int tasks = (double) m * n * length < MIN_PARALLEL_WORK ? Math.min(1, pieces) : pieces;
        workers.run(tasks, t -> {
            for (int piece = t; piece < pieces; piece += tasks) {
                int first = (int) ((long) length * piece / pieces);
                int end = (int) ((long) length * (piece + 1) / pieces);
                task.accept(first, end - first, piece);
            }
        });
    }

    /** out = alpha A'B + beta out. If A has many more rows than columns, threads divide the rows (the sum), otherwise the columns (the result). */
    static void transposeProduct(
            double alpha, DenseMatrix a, DenseMatrix b, double beta, DenseMatrix out, Workers workers) {
        transposeProduct(Provider.forProduct(a.rows(), b.cols(), a.cols()), alpha, a, b, beta, out, workers);
    }

    static void transposeProduct(
            Kernels kernels,
            double alpha,
            DenseMatrix a,
            DenseMatrix b,
            double beta,
            DenseMatrix out,
            Workers workers) {
        boolean tall = a.rows() / 4 >= a.cols();
        if (tall || a.rows() == 0 || !a.isContiguous() || !b.isContiguous() || !out.isContiguous()) {
            DenseProducts.transposeTimes(kernels, alpha, a, b, beta, out, null, null, workers);
            return;
        }
        DenseProducts.requireSize("B", b, a.rows(), b.cols());
        DenseProducts.requireSize("the result", out, a.cols(), b.cols());
        DenseProducts.requireWritable(out);
        int strips = (a.cols() + STRIP - 1) / STRIP;
        workers.run(strips, s -> {
            int first = s * STRIP;
            int width = Math.min(STRIP, a.cols() - first);
            kernels.gemm(
                    true,
                    false,
                    width,
                    b.cols(),
                    a.rows(),
                    alpha,
                    a.columns(first, width).at(0),
                    a.stride(),
                    b.at(0),
                    b.stride(),
                    beta,
                    out.at(first),
                    out.stride());
        });
    }
}
