package stackelberg.linalg;

import java.nio.DoubleBuffer;

/** out = alpha op(A) op(B) + beta out for dense matrices; no result depends on the number of workers. */
final class Gemm {
    /** Columns of A that one task multiplies where the result is cut instead of the sum. */
    private static final int STRIP = 128;

    /** Length of the pieces into which long rows are cut: both factors of a piece stay in cache. */
    private static final int PIECE = 4096;

    /** Multiplications below which a second thread costs more than it brings. */
    private static final double MIN_PARALLEL_WORK = 1 << 19;

    private Gemm() {}

    /** out = alpha A V + beta out, where V and out are vectors as rows: few and long. */
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

    /** out = V W', the inner products of vectors that are rows: few and long. */
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

    private interface Piece {
        void accept(int first, int length, int piece);
    }

    private static int pieces(int length) {
        return (length + PIECE - 1) / PIECE;
    }

    /** Cuts rows of this length, by the length alone, into pieces for the workers. */
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

    /** out = alpha A'B + beta out; if A is tall the sum is cut, otherwise the result. */
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
