package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.Matrix.RowVectors;

class RowVectorsTest {
    private static final double[] ONE = {1};

    private final Workers workers = Workers.of(2);

    private static double[] random(int rows, long seed) {
        return new Random(seed).doubles(rows, -1, 1).toArray();
    }

    private static double[][] columns(int rows, int count) {
        double[][] columns = new double[count][];
        Arrays.setAll(columns, k -> random(rows, k));
        return columns;
    }

    @Test
    void columnsAreMultipliedByTheWeights() {
        double[] weights = random(40_000, 2);
        double[] a = random(40_000, 3);
        double[] common = {0.3};
        DenseMatrix written = new RowVectors(40_000, weights, a, common).sideBySide(workers);
        for (int i = 0; i < weights.length; i++) {
            assertThat(written.get(i, 0)).isEqualTo(weights[i] * a[i]);
            assertThat(written.get(i, 1)).isEqualTo(weights[i] * 0.3);
        }
    }

    /** X'SU has the same bits whether the vectors of U are stored side by side or written block by block, for any number of threads. */
    @Test
    void productsDoNotDependOnHowTheVectorsAreStored() {
        int rows = 70_001;
        int n = 13;
        DenseMatrix x = DenseMatrix.zeros(rows, n, 9_000);
        for (int j = 0; j < n; j++) {
            x.setColumn(j, random(rows, 50 + j));
        }
        for (int k = 1; k < 8; k++) {
            double[][] columns = columns(rows, k);
            columns[k - 1] = new double[] {0.7};
            for (double[] weights : new double[][] {ONE, random(rows, 99)}) {
                RowVectors u = new RowVectors(rows, weights, columns);
                assertThat(DenseProducts.isStreamed(u)).isTrue();
                DenseMatrix expected = DenseMatrix.zeros(n, k);
                double[] expectedSquares = new double[rows];
                var expectedRanges = new ColumnStatistics.Ranges(n);
                x.transposeTimes(u.sideBySide(workers), expected, expectedSquares, expectedRanges, workers);
                for (int threads = 1; threads <= 3; threads++) {
                    DenseMatrix actual = DenseMatrix.zeros(n, k);
                    double[] squares = new double[rows];
                    var ranges = new ColumnStatistics.Ranges(n);
                    x.transposeTimes(u, actual, squares, ranges, Workers.of(threads));
                    for (int j = 0; j < n; j++) {
                        assertThat(actual.row(j)).containsExactly(expected.row(j));
                        assertThat(ranges.min()).containsExactly(expectedRanges.min());
                    }
                    assertThat(Arrays.equals(squares, expectedSquares)).isTrue();
                }
            }
        }
    }

    @Test
    void vectorsOfFewRowsAreCopiedSideBySide() {
        assertThat(DenseProducts.isStreamed(new RowVectors(100, ONE, random(100, 1))))
                .isFalse();
        assertThat(DenseProducts.isStreamed(new RowVectors(1 << 20, ONE, columns(1, 8))))
                .isFalse();
    }
}
