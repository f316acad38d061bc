package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.dense;
import static stackelberg.linalg.Samples.product;
import static stackelberg.linalg.Samples.rows;
import static stackelberg.linalg.Samples.transpose;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelsTest {
    static Stream<Kernels> kernels() {
        return Samples.kernels();
    }

    /** Every combination of transposes, with sizes on both sides of the limit from which products are divided into pieces. */
    @ParameterizedTest
    @MethodSource("kernels")
    void gemmIsTheProductAndDoesNotReadTheResultIfBetaIsZero(Kernels kernels) {
        for (int[] size : new int[][] {
            {1, 1, 1}, {5, 1, 7}, {3, 2, 4}, {9, 17, 50}, {20, 3, 20_000}, {20_000, 3, 20}, {60, 45, 600}, {4, 1300, 9}
        }) {
            int m = size[0];
            int n = size[1];
            int k = size[2];
            for (int which = 0; which < 4; which++) {
                boolean transA = (which & 1) == 1;
                boolean transB = (which & 2) == 2;
                DenseMatrix a = transA ? dense(k, m, 1) : dense(m, k, 1);
                DenseMatrix b = transB ? dense(n, k, 2) : dense(k, n, 2);
                double[][] opA = transA ? transpose(rows(a), m) : rows(a);
                double[][] opB = transB ? transpose(rows(b), k) : rows(b);
                DenseMatrix c = DenseMatrix.zeros(m, n + 1);
                double[] nothing = new double[n + 1];
                Arrays.fill(nothing, Double.NaN);
                for (int i = 0; i < m; i++) {
                    c.setRow(i, nothing);
                }
                kernels.gemm(transA, transB, m, n, k, 1, a.at(0), a.stride(), b.at(0), b.stride(), 0, c.at(0), n + 1);
                assertClose(c.columns(0, n), product(opA, opB, n));
                assertThat(c.column(n)).containsOnly(Double.NaN);
            }
        }
    }

    /** Plain Java divides long rows into blocks; its sums have the bits of sums over whole rows. */
    @Test
    void blocksOfLongRowsGiveTheBitsOfWholeRows() {
        DenseMatrix v = dense(5, 1030, 3);
        DenseMatrix w = dense(3, 1030, 4);
        DenseMatrix products = DenseMatrix.zeros(5, 3);
        JavaKernels.INSTANCE.gemm(false, true, 5, 3, 1030, 1, v.at(0), 1030, w.at(0), 1030, 0, products.at(0), 3);
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(products.get(i, j)).isEqualTo(Vectors.dot(v.row(i), w.row(j)));
            }
        }
        DenseMatrix sums = w.copy();
        DenseMatrix coefficients = dense(3, 5, 5);
        JavaKernels.INSTANCE.gemm(
                false, false, 3, 1030, 5, -1, coefficients.at(0), 5, v.at(0), 1030, 1, sums.at(0), 1030);
        for (int j = 0; j < 3; j++) {
            double[] expected = w.row(j);
            for (int i = 0; i < 5; i++) {
                Vectors.axpy(-coefficients.get(j, i), v.row(i), expected);
            }
            assertThat(sums.row(j)).isEqualTo(expected);
        }
    }

    @Test
    void kernelsAreChosenByTheSizesAlone() {
        Class<?> large =
                "java".equals(System.getProperty("stackelberg.blas")) ? JavaKernels.class : OpenBlasKernels.class;
        for (int round = 0; round < 2; round++) {
            assertThat(Provider.forProduct(1600, 2, 12)).isInstanceOf(JavaKernels.class);
            assertThat(Provider.forProduct(50_000, 2, 280)).isInstanceOf(large);
            assertThat(Provider.forGram(12, 1600)).isInstanceOf(JavaKernels.class);
            assertThat(Provider.forGram(280, 512)).isInstanceOf(large);
            assertThat(Provider.forEigen(108)).isInstanceOf(JavaKernels.class);
            assertThat(Provider.forEigen(2000)).isInstanceOf(large);
            assertThat(Provider.forCholesky(108)).isInstanceOf(JavaKernels.class);
            assertThat(Provider.forCholesky(2000)).isInstanceOf(large);
        }
    }
}
