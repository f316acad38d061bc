package stackelberg.linalg;

/** out = alpha op(A) op(B) + beta out for dense matrices; no result depends on the number of workers. */
public final class Gemm {
    /** Columns of A that one task multiplies where the result is cut instead of the sum. */
    private static final int STRIP = 128;

    private Gemm() {}

    /** out = alpha A B + beta out. B and out must not overlap. */
    public static void product(
            double alpha, DenseMatrix a, DenseMatrix b, double beta, DenseMatrix out, Workers workers) {
        DenseProducts.times(Provider.forProduct(a.rows(), b.cols(), a.cols()), alpha, a, b, beta, out, workers);
    }

    /** out = alpha A'B + beta out; for the tall A and B of a Krylov basis the sum is cut, otherwise the result. */
    public static void transposeProduct(
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
            DenseProducts.transposeTimes(kernels, alpha, a, b, beta, out, null, workers);
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
