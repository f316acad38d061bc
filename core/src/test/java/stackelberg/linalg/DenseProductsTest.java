package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.bits;
import static stackelberg.linalg.Samples.dense;
import static stackelberg.linalg.Samples.passByDefinition;
import static stackelberg.linalg.Samples.product;
import static stackelberg.linalg.Samples.random;
import static stackelberg.linalg.Samples.rows;
import static stackelberg.linalg.Samples.steps;
import static stackelberg.linalg.Samples.transpose;
import static stackelberg.linalg.Samples.weightAndShift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DenseProductsTest {
    /** The sizes: rows, columns, rows per chunk. */
    private static final int[][] SHAPES = {
        {0, 3, 1},
        {1, 1, 1},
        {5, 1, 5},
        {1, 9, 1},
        {17, 4, 5},
        {40, 13, 40},
        {300, 70, 64},
        {2000, 33, 2000},
        {70, 1200, 9},
        {40, 9000, 40}
    };

    private final Workers workers = Workers.of(3);

    static java.util.stream.Stream<Kernels> kernels() {
        return Samples.kernels();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void productsAgreeWithTheirDefinition(Kernels kernels) {
        for (int[] shape : SHAPES) {
            for (int k = 1; k <= 7; k++) {
                int cols = shape[1];
                double[][] x = random(shape[0], cols, 1);
                double[][] v = random(cols, k, 2);
                double[][] u = random(shape[0], k, 3);
                DenseMatrix a = dense(x, cols, shape[2]);

                DenseMatrix xv = DenseMatrix.zeros(shape[0], k, 7);
                DenseProducts.times(kernels, 1, a, dense(v, k, cols), 0, xv, workers);
                assertClose(xv, product(x, v, k));

                DenseMatrix xu = dense(cols, k, 9);
                double[] squares = new double[shape[0]];
                var ranges = new ColumnStatistics.Ranges(cols);
                DenseProducts.transposeTimes(kernels, 1, a, dense(u, k, 11), 0, xu, squares, ranges, workers);
                assertClose(xu, product(transpose(x, cols), u, k));
                double[] min = ranges.min();
                double[] max = ranges.max();
                for (int j = 0; j < cols; j++) {
                    DoubleSummaryStatistics column = column(x, j).summaryStatistics();
                    assertThat(min[j]).isEqualTo(column.getMin());
                    assertThat(max[j]).isEqualTo(column.getMax());
                }
                for (int i = 0; i < shape[0]; i++) {
                    assertThat(squares[i]).isCloseTo(Vectors.dot(x[i], x[i]), within(1e-12 * cols));
                }

                DenseMatrix looked = DenseMatrix.zeros(shape[0], k, 7);
                DenseProducts.look(kernels, a, dense(v, k, cols), steps(a, k, copying(looked)), workers);
                assertClose(looked, product(x, v, k));

                DenseMatrix out = dense(cols, k, 9);
                DenseProducts.pass(kernels, a, dense(v, k, cols), steps(a, k, weightAndShift(k)), out, workers);
                assertClose(out, passByDefinition(x, v, cols, k));
            }
        }
    }

    private static DoubleStream column(double[][] x, int j) {
        return Arrays.stream(x).mapToDouble(row -> row[j]);
    }

    private static Matrix.RowStep copying(DenseMatrix target) {
        return (firstRow, rowCount, u) -> {
            for (int i = 0; i < rowCount; i++) {
                for (int c = 0; c < target.cols(); c++) {
                    target.set(firstRow + i, c, u.get(i * target.cols() + c));
                }
            }
        };
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void gemmScalesAddsAndWorksOnColumnRanges(Kernels kernels) {
        int[][] sizes = {{1, 1, 1}, {9, 4, 2}, {500, 30, 2}, {150, 140, 3}, {20, 300, 5}};
        for (int[] size : sizes) {
            int n = size[0];
            DenseMatrix basis = dense(n, size[1] + 3, 1);
            DenseMatrix v = basis.columns(2, size[1]);
            DenseMatrix w = dense(n, size[2], 2);
            DenseMatrix c = dense(size[1], size[2], 3);
            double[][] vw = product(transpose(rows(v), size[1]), rows(w), size[2]);
            double[][] expected = rows(c);
            for (int i = 0; i < size[1]; i++) {
                for (int j = 0; j < size[2]; j++) {
                    expected[i][j] = 2 * vw[i][j] - 0.5 * expected[i][j];
                }
            }
            Gemm.transposeProduct(kernels, 2, v, w, -0.5, c, workers);
            assertClose(c, expected);

            double[][] vc = product(rows(v), rows(c), size[2]);
            double[][] rest = rows(w);
            for (int i = 0; i < n; i++) {
                Vectors.axpy(-1, vc[i], rest[i]);
            }
            DenseMatrix inside = dense(n, size[2] + 1, 5);
            inside.columns(1, size[2]).setAll(w);
            double[] untouched = inside.column(0);
            DenseProducts.times(kernels, -1, v, c, 1, inside.columns(1, size[2]), workers);
            assertClose(inside.columns(1, size[2]), rest);
            assertThat(inside.column(0)).isEqualTo(untouched);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void vectorsStoredAsRowsAreCombinedAndMultiplied(Kernels kernels) {
        for (int n : new int[] {1, 5, 4096, 4097, 50_001}) {
            for (int[] size : new int[][] {{1, 1}, {3, 2}, {8, 2}, {7, 1}, {2, 5}, {4, 60}}) {
                DenseMatrix v = dense(size[0] + 2, n + 3, 1).firstRows(size[0]).columns(2, n);
                DenseMatrix w = dense(size[1], n, 2);
                DenseMatrix c = dense(size[0], size[1], 3);
                Gemm.innerProducts(kernels, v, w, c, workers);
                assertClose(c, product(rows(v), transpose(rows(w), n), size[1]));

                DenseMatrix a = dense(size[1], size[0], 4);
                double[][] expected = product(rows(a), rows(v), n);
                for (int i = 0; i < size[1]; i++) {
                    Vectors.scale(2, expected[i]);
                    Vectors.axpy(-0.5, w.row(i), expected[i]);
                }
                DenseMatrix inside = dense(size[1], n + 1, 5);
                inside.columns(1, n).setAll(w);
                double[] untouched = inside.column(0);
                Gemm.combineRows(kernels, 2, a, v, -0.5, inside.columns(1, n), workers);
                assertClose(inside.columns(1, n), expected);
                assertThat(inside.column(0)).isEqualTo(untouched);

                DenseMatrix inChunks = DenseMatrix.zeros(size[1], n, 2);
                inChunks.setAll(w);
                Gemm.combineRows(kernels, 2, a, v, -0.5, inChunks, workers);
                assertClose(inChunks, expected);
            }
        }
    }

    @Test
    void emptyProductsAreZeroOrLeaveTheResultUnchanged() {
        DenseMatrix c = dense(3, 2, 1);
        Gemm.innerProducts(DenseMatrix.zeros(3, 0), DenseMatrix.zeros(2, 0), c, workers);
        assertThat(bits(c)).containsOnly(0);
        DenseMatrix w = dense(2, 4, 2);
        double[] before = bits(w);
        Gemm.combineRows(1, DenseMatrix.zeros(2, 0), DenseMatrix.zeros(0, 4), 1, w, workers);
        assertThat(bits(w)).isEqualTo(before);
    }

    @Test
    void resultsAreTheSameBitsForAnyNumberOfThreads() {
        for (int[] shape : new int[][] {{4000, 40}, {700, 900}, {130_000, 8}}) {
            for (int k : new int[] {1, 2, 5}) {
                DenseMatrix x = dense(shape[0], shape[1], 1);
                DenseMatrix v = dense(shape[1], k, 2);
                assertThat(x.parts(k)).isGreaterThan(1);
                double[] one = allProducts(x, v, Workers.of(1));
                for (int threads : new int[] {2, 3, 8}) {
                    assertThat(allProducts(x, v, Workers.of(threads))).isEqualTo(one);
                }
            }
        }
    }

    /** The products of a Krylov step, one after the other: the pass, X V, X'X V and V'V. */
    static double[] allProducts(Matrix x, DenseMatrix v, Workers workers) {
        int k = v.cols();
        DenseMatrix out = DenseMatrix.zeros(x.cols(), k);
        x.pass(v, steps(x, k, weightAndShift(k)), out, workers);
        DenseMatrix u = DenseMatrix.zeros(x.rows(), k);
        x.times(v, u, workers);
        DenseMatrix back = DenseMatrix.zeros(x.cols(), k);
        x.transposeTimes(u, back, null, workers);
        DenseMatrix inner = DenseMatrix.zeros(k, k);
        Gemm.transposeProduct(1, u, u, 0, inner, workers);
        DenseMatrix vectors = dense(k, 300_000, 3);
        DenseMatrix combined = DenseMatrix.zeros(k, 300_000);
        DenseMatrix rowProducts = DenseMatrix.zeros(k, k);
        Gemm.innerProducts(vectors, vectors, rowProducts, workers);
        Gemm.combineRows(1, rowProducts, vectors, 0, combined, workers);
        double[] all = new double[0];
        for (DenseMatrix part : List.of(out, u, back, inner, rowProducts, combined)) {
            double[] next = bits(part);
            int length = all.length;
            all = Arrays.copyOf(all, length + next.length);
            System.arraycopy(next, 0, all, length, next.length);
        }
        return all;
    }

    @Test
    void eightConcurrentCallersGetTheResultsOfOne() throws Exception {
        DenseMatrix x = dense(6000, 200, 1);
        DenseMatrix v = dense(200, 2, 2);
        DenseMatrix spd = DenseMatrix.zeros(800, 800);
        Gram.addProductTranspose(dense(800, 900, 3).at(0), 800, 900, spd, workers);
        double[] expected = allProducts(x, v, workers);
        List<Callable<double[]>> calls = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            boolean factor = t % 2 == 1;
            calls.add(() -> {
                for (int i = 0; factor && i < 2; i++) {
                    double[] b = new double[800];
                    Arrays.fill(b, 1);
                    Cholesky.of(spd, 1, workers).orElseThrow().solve(b);
                }
                return allProducts(x, v, workers);
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (Future<double[]> result : threads.invokeAll(calls)) {
                assertThat(result.get()).isEqualTo(expected);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void sumsOfPartsTakeLimitedMemory() {
        for (int[] size :
                new int[][] {{1_000_000, 50, 2}, {30_000, 30_000, 2}, {30_000, 30_000, 160}, {40, 200_000, 40}}) {
            int parts = DenseProducts.parts(size[0], size[1], size[2]);
            double bytes = 8.0 * parts * size[1] * size[2];
            double vectors = 8.0 * size[1] * size[2];
            assertThat(parts).isBetween(2, 64);
            assertThat(bytes).isLessThanOrEqualTo(Math.max(2 * vectors, Math.max(32 << 20, 0.5 * size[0] * size[1])));
        }
    }

    @Test
    void wrongSizesAreRefused() {
        DenseMatrix x = dense(4, 3, 1);
        assertThatThrownBy(() -> x.times(dense(2, 1, 1), dense(4, 1, 1), workers))
                .hasMessageContaining("V is 2 x 1 and must be 3 x 1");
        assertThatThrownBy(() -> x.transposeTimes(dense(4, 2, 1), dense(3, 1, 1), null, workers))
                .hasMessageContaining("must be 3 x 2");
        assertThatThrownBy(() -> x.pass(dense(3, 1, 1), new Matrix.RowStep[0], dense(3, 1, 1), workers))
                .hasMessageContaining("row steps");
    }
}
