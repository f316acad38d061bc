package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.dense;
import static stackelberg.linalg.Samples.passByDefinition;
import static stackelberg.linalg.Samples.product;
import static stackelberg.linalg.Samples.random;
import static stackelberg.linalg.Samples.stale;
import static stackelberg.linalg.Samples.steps;
import static stackelberg.linalg.Samples.transpose;
import static stackelberg.linalg.Samples.weightAndShift;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CsrMatrixTest {
    private final Workers workers = Workers.of(3);

    private static double[][] sparse(int rows, int cols, double density, long seed) {
        Random random = new Random(seed);
        double[][] values = new double[rows][cols];
        for (double[] row : values) {
            for (int j = 0; j < cols; j++) {
                row[j] = random.nextDouble() < density ? random.nextGaussian() : 0;
            }
        }
        return values;
    }

    private static CsrMatrix csr(double[][] values, int cols) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (double[] row : values) {
            for (int j = 0; j < cols; j++) {
                if (row[j] != 0) {
                    builder.put(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build(cols);
    }

    private static double[][] toDense(Matrix x) {
        double[][] values = new double[x.rows()][x.cols()];
        for (int i = 0; i < x.rows(); i++) {
            x.tile(i, 1, 0, x.cols(), DoubleBuffer.wrap(values[i]));
        }
        return values;
    }

    @Test
    void statisticsOfASparseMatrixAgreeWithTheDenseOnes() {
        double[][] values = sparse(300, 7, 0.3, 5);
        for (int i = 0; i < values.length; i++) {
            values[i][1] = 1e6 + values[i][1];
            values[i][2] = 0;
            values[i][3] = -1 - Math.abs(values[i][3]);
            values[i][4] = i == 7 ? 1e8 : 0;
        }
        ColumnStatistics expected = ColumnStatistics.of(DenseMatrix.of(values), workers);
        ColumnStatistics actual = ColumnStatistics.of(csr(values, 7), workers);

        assertThat(actual.min()).isEqualTo(expected.min());
        assertThat(actual.max()).isEqualTo(expected.max());
        for (int j = 0; j < 7; j++) {
            double scale = Math.max(Math.abs(expected.min()[j]), Math.abs(expected.max()[j]));
            assertThat(actual.mean()[j]).isCloseTo(expected.mean()[j], within(1e-14 * scale));
            assertThat(actual.sd()[j]).isCloseTo(expected.sd()[j], within(1e-12 * expected.sd()[j]));
        }
    }

    /** Also with shifted and scaled columns, one by a negative scale; some rows are in no part, and some columns have no entry in a part. */
    @Test
    void statisticsWithoutAPartAgreeWithThoseOfTheOtherRows() {
        double[][] values = sparse(90, 6, 0.3, 15);
        for (int i = 0; i < values.length; i++) {
            values[i][1] = 1e6 + values[i][1];
            values[i][2] = i == 3 ? 5 : 0;
            values[i][4] = 2;
        }
        int[][] parts = new int[3][];
        Arrays.setAll(
                parts, part -> IntStream.range(0, 90).filter(i -> i % 3 == part).toArray());
        double[] shift = {0.5, 1e6, -1, 0, 2, 3};
        double[] scale = {2, 3, 1, -4, 0.5, 1};
        CsrMatrix x = csr(values, 6);
        DenseMatrix dense = DenseMatrix.of(values);
        for (Matrix matrix : List.of(
                x,
                new AffineMatrix(x, shift, scale, false),
                dense,
                new AffineMatrix(dense, shift, scale, false),
                new AffineMatrix(x, null, null, true))) {
            double[][] all = toDense(matrix);
            ColumnStatistics[] found = ColumnStatistics.ofRowsBut(matrix, parts, workers);
            for (int part = 0; part < 3; part++) {
                int without = part;
                DenseMatrix others = DenseMatrix.of(IntStream.range(0, 90)
                        .filter(i -> i % 3 != without)
                        .mapToObj(i -> all[i])
                        .toArray(double[][]::new));
                ColumnStatistics expected = ColumnStatistics.of(others, workers);
                ColumnStatistics actual = found[part];

                assertThat(actual.min()).isEqualTo(expected.min());
                assertThat(actual.max()).isEqualTo(expected.max());
                // constant there, and exactly so
                assertThat(actual.sd()[4]).isZero();
                for (int j = 0; j < 6; j++) {
                    assertThat(actual.mean()[j]).isCloseTo(expected.mean()[j], within(1e-14 * (j == 1 ? 3e6 : 10)));
                    assertThat(actual.sd()[j]).isCloseTo(expected.sd()[j], within(1e-9 * expected.sd()[j] + 1e-15));
                }
            }
            assertThat(found[0].sd()[2]).isZero();
        }
    }

    @Test
    void selectedRowsHaveTheGivenOrder() {
        double[][] values = sparse(20, 9, 0.4, 16);
        Arrays.fill(values[4], 0);
        int[] rows = {7, 4, 0, 19, 7};
        double[][] expected = Arrays.stream(rows).mapToObj(i -> values[i]).toArray(double[][]::new);

        assertThat(toDense(csr(values, 9).select(rows))).isDeepEqualTo(expected);
        assertThat(csr(values, 9).select(new int[0]).rows()).isZero();
    }

    /** The result is written to a range of a larger matrix, whose other entries do not change. */
    private static DenseMatrix formed(CsrMatrix x, Workers workers) {
        DenseMatrix larger = DenseMatrix.zeros(x.cols() + 1, x.cols() + 2, 13);
        larger.set(x.cols(), 0, 7);
        larger.set(0, x.cols(), 8);
        DenseMatrix part = larger.firstRows(x.cols()).columns(0, x.cols());
        SparseProducts.lowerGram(x, part, workers);
        assertThat(larger.get(x.cols(), 0)).isEqualTo(7);
        assertThat(larger.get(0, x.cols())).isEqualTo(8);
        return part;
    }

    @Test
    void lowerGramIsTheProductOnAnyNumberOfThreads() {
        double[][] values = sparse(150, 70, 0.1, 17);
        double[][] expected = product(transpose(values, 70), values, 70);
        DenseMatrix gram = formed(csr(values, 70), workers);
        DenseMatrix alone = formed(csr(values, 70), Workers.of(1));
        for (int i = 0; i < 70; i++) {
            for (int j = 0; j < 70; j++) {
                assertThat(gram.get(i, j)).isCloseTo(j > i ? 0 : expected[i][j], within(1e-13));
                assertThat(gram.get(i, j)).isEqualTo(alone.get(i, j));
            }
        }
    }

    @Test
    void sparseProductsAgreeWithDenseOnes() {
        for (int[] shape : new int[][] {{0, 3}, {1, 1}, {5, 1}, {1, 9}, {600, 40}, {2000, 300}}) {
            for (int k = 1; k <= 5; k++) {
                int cols = shape[1];
                double[][] values = sparse(shape[0], cols, 0.3, 1);
                CsrMatrix narrow = csr(values, cols);
                for (CsrMatrix x : new CsrMatrix[] {narrow, wide(narrow)}) {
                    double[][] v = random(cols, k, 2);
                    double[][] u = random(shape[0], k, 3);
                    DenseMatrix xv = stale(shape[0], k);
                    x.times(dense(v, k, cols), xv, workers);
                    assertClose(xv, product(values, v, k));
                    DenseMatrix xu = stale(cols, k);
                    double[] squares = new double[shape[0]];
                    x.transposeTimes(dense(u, k, Math.max(1, shape[0])), xu, squares, workers);
                    assertClose(xu, product(transpose(values, cols), u, k));
                    double[] expected = Arrays.stream(values)
                            .mapToDouble(row -> Vectors.dot(row, row))
                            .toArray();
                    assertClose(new double[][] {squares}, new double[][] {expected});
                    DenseMatrix out = stale(cols, k);
                    x.pass(dense(v, k, cols), steps(x, k, weightAndShift(k)), out, workers);
                    assertClose(out, passByDefinition(values, v, cols, k));
                }
            }
        }
    }

    /** The same matrix with column indices of four bytes. */
    private static CsrMatrix wide(CsrMatrix x) {
        return x.transpose().transpose();
    }

    /** Vectors are multiplied four at a time, then two, then one; the result does not depend on it. */
    @Test
    void productsOfManyVectorsHaveTheBitsOfProductsOfPairs() {
        CsrMatrix narrow = csr(sparse(120, 40, 0.2, 21), 40);
        for (CsrMatrix x : List.of(narrow, wide(narrow))) {
            for (int k = 4; k <= 11; k++) {
                double[][] v = random(x.cols(), k, 22);
                DenseMatrix all = stale(x.cols(), k);
                x.pass(dense(v, k, x.cols()), steps(x, k, (first, count, u) -> {}), all, workers);
                for (int c = 0; c + 1 < k; c += 2) {
                    double[][] pair = new double[x.cols()][];
                    for (int j = 0; j < pair.length; j++) {
                        pair[j] = new double[] {v[j][c], v[j][c + 1]};
                    }
                    DenseMatrix two = stale(x.cols(), 2);
                    x.pass(dense(pair, 2, x.cols()), steps(x, 2, (first, count, u) -> {}), two, workers);
                    assertThat(all.column(c)).isEqualTo(two.column(0));
                    assertThat(all.column(c + 1)).isEqualTo(two.column(1));
                }
            }
        }
    }

    @Test
    void columnsOfTwoAndOfFourBytesGiveTheSameBits() {
        CsrMatrix x = csr(sparse(3000, 200, 0.4, 11), 200);
        for (int k = 1; k <= 3; k++) {
            DenseMatrix v = dense(200, k, 2);
            assertThat(DenseProductsTest.allProducts(wide(x), v, workers))
                    .isEqualTo(DenseProductsTest.allProducts(x, v, workers));
        }
    }

    @Test
    void columnIndicesAroundTheLimitOfTwoBytesAreStoredCorrectly() {
        for (int cols : new int[] {65_535, 65_536, 65_537, 70_000}) {
            CsrMatrix x = new CsrMatrix.Builder()
                    .put(0, 2)
                    .put(cols - 1, 3)
                    .endRow()
                    .put(cols - 2, 5)
                    .put(cols - 1, 7)
                    .endRow()
                    .build(cols);
            assertThat(x.get(0, cols - 1)).isEqualTo(3);
            assertThat(x.get(1, cols - 2)).isEqualTo(5);
            assertThat(x.get(1, 0)).isZero();
            DoubleBuffer tile = DoubleBuffer.allocate(4);
            x.tile(0, 2, cols - 2, 2, tile);
            assertThat(tile.array()).containsExactly(0, 3, 5, 7);
            for (int k = 1; k <= 3; k++) {
                DenseMatrix v = DenseMatrix.zeros(cols, k);
                for (int c = 0; c < k; c++) {
                    v.set(0, c, 1 + c);
                    v.set(cols - 1, c, 10);
                }
                DenseMatrix u = DenseMatrix.zeros(2, k);
                x.times(v, u, workers);
                DenseMatrix out = DenseMatrix.zeros(cols, k);
                x.transposeTimes(u, out, null, workers);
                for (int c = 0; c < k; c++) {
                    assertThat(u.column(c)).containsExactly(2 * (1 + c) + 30, 70);
                    assertThat(out.get(0, c)).isEqualTo(2 * (2 * (1 + c) + 30));
                    assertThat(out.get(cols - 2, c)).isEqualTo(350);
                    assertThat(out.get(cols - 1, c)).isEqualTo(3 * (2 * (1 + c) + 30) + 490);
                }
            }
        }
    }

    @Test
    void resultsAreTheSameBitsForAnyNumberOfThreads() {
        double[][] values = sparse(3000, 200, 0.4, 1);
        CsrMatrix x = csr(values, 200);
        for (int k = 1; k <= 3; k++) {
            DenseMatrix v = dense(200, k, 2);
            assertThat(x.parts(k)).isGreaterThan(1);
            double[] one = DenseProductsTest.allProducts(x, v, Workers.of(1));
            for (int threads : new int[] {2, 3, 8}) {
                assertThat(DenseProductsTest.allProducts(x, v, Workers.of(threads)))
                        .isEqualTo(one);
            }
        }
    }

    /** Vectors and sums larger than the cache are processed in large blocks, with the same sums for any number of threads. */
    @Test
    @Tag("slow")
    void productsOfVeryWideMatricesAgreeWithTheirDefinition() {
        Random random = new Random(14);
        int rows = 4000;
        int cols = 40_000;
        int nonzeros = 60;
        int[] begin = new int[rows + 1];
        int[] at = new int[rows * nonzeros];
        double[] of = random.doubles((long) rows * nonzeros, -1, 1).toArray();
        for (int i = 0; i < rows; i++) {
            int[] columns =
                    random.ints(0, cols).distinct().limit(nonzeros).sorted().toArray();
            System.arraycopy(columns, 0, at, i * nonzeros, nonzeros);
            begin[i + 1] = (i + 1) * nonzeros;
        }
        CsrMatrix x = CsrMatrix.over(rows, cols, begin, at, of);
        for (int k : new int[] {1, 2, 3, 7, 20}) {
            DenseMatrix v = dense(cols, k, 15);
            DenseMatrix u = DenseMatrix.zeros(rows, k);
            x.times(v, u, Workers.of(1));
            DenseMatrix back = DenseMatrix.zeros(cols, k);
            x.transposeTimes(u, back, null, Workers.of(1));
            double[][] expected = new double[cols][k];
            for (int i = 0; i < rows; i++) {
                for (int c = 0; c < k; c++) {
                    double sum = 0;
                    for (int e = i * nonzeros; e < (i + 1) * nonzeros; e++) {
                        sum += of[e] * v.get(at[e], c);
                    }
                    assertThat(u.get(i, c)).isCloseTo(sum, within(1e-12));
                    for (int e = i * nonzeros; e < (i + 1) * nonzeros; e++) {
                        expected[at[e]][c] += of[e] * sum;
                    }
                }
            }
            for (int j = 0; j < cols; j++) {
                for (int c = 0; c < k; c++) {
                    if (Math.abs(back.get(j, c) - expected[j][c]) > 1e-11) {
                        throw new AssertionError(
                                j + ", " + c + ": " + back.get(j, c) + " instead of " + expected[j][c]);
                    }
                }
            }
            assertThat(x.parts(k)).isGreaterThan(1);
            double[] one = DenseProductsTest.allProducts(x, v, Workers.of(1));
            assertThat(DenseProductsTest.allProducts(x, v, Workers.of(3))).isEqualTo(one);
        }
    }

    @Test
    void everyPartHasItsOwnStep() {
        double[][] values = sparse(3000, 200, 0.4, 12);
        CsrMatrix x = csr(values, 200);
        double[][] v = random(200, 2, 13);
        int[] rowsOfPart = new int[x.parts(2)];
        Matrix.RowStep[] steps = new Matrix.RowStep[rowsOfPart.length];
        for (int part = 0; part < steps.length; part++) {
            int own = part;
            steps[part] = (first, count, u) -> {
                rowsOfPart[own] += count;
                u.get(new double[2 * count]);
            };
        }
        DenseMatrix out = stale(200, 2);
        x.pass(dense(v, 2, 200), steps, out, workers);

        assertThat(rowsOfPart).hasSizeGreaterThan(1).doesNotContain(0);
        assertThat(Arrays.stream(rowsOfPart).sum()).isEqualTo(3000);
        assertClose(out, product(transpose(values, 200), product(values, v, 2), 2));
    }

    @Test
    void reusedBuffersDoNotAffectAPass() {
        double[][] values = sparse(3000, 200, 0.4, 7);
        CsrMatrix x = csr(values, 200);
        double[][] v = random(200, 2, 8);
        double[][] other = random(200, 2, 9);
        DenseMatrix out = DenseMatrix.zeros(200, 2);
        for (double[][] vectors : new double[][][] {v, other, v}) {
            x.pass(dense(vectors, 2, 200), steps(x, 2, weightAndShift(2)), out, workers);
            assertClose(out, passByDefinition(values, vectors, 200, 2));
        }
    }

    @Test
    void manyPartsAreUsedOnlyIfTheirSumsPay() {
        int cols = 100;
        CsrMatrix x = csr(sparse(12_000, cols, 0.9, 1), cols);
        assertThat(x.parts(2)).isGreaterThan(20);
        assertThat(x.parts(20))
                .isEqualTo((int) (x.nonzeros() / (32.0 * cols * 20)))
                .isGreaterThan(8);
        assertThat(x.parts(500)).isEqualTo(8);
    }

    @Test
    void tripletsInAnyOrderAreSorted() {
        CsrMatrix x =
                CsrMatrix.ofTriplets(3, 4, new int[] {2, 0, 2, 0}, new int[] {3, 1, 0, 0}, new double[] {5, 6, 7, 8});
        double[][] expected = {{8, 6, 0, 0}, {0, 0, 0, 0}, {7, 0, 0, 5}};
        assertThat(toDense(x)).isDeepEqualTo(expected);
        assertThat(x.get(2, 3)).isEqualTo(5);
        assertThat(x.get(1, 1)).isZero();
        assertThat(x.nonzeros()).isEqualTo(4);
        assertThat(toDense(x.transpose())).isDeepEqualTo(transpose(expected, 4));
        DoubleBuffer tile = DoubleBuffer.allocate(4);
        x.tile(1, 2, 2, 2, tile);
        assertThat(tile.array()).containsExactly(0, 0, 0, 5);
    }

    @Test
    void invalidEntriesAreRefused() {
        CsrMatrix.Builder builder = new CsrMatrix.Builder().put(3, 1).endRow().put(2, 1);
        assertThatThrownBy(() -> builder.put(2, 5)).hasMessageContaining("Row 1: column 2 follows column 2");
        assertThatThrownBy(() -> builder.build(4)).hasMessageContaining("not ended");
        assertThatThrownBy(() -> builder.endRow().build(3)).hasMessageContaining("Column 3 is outside");
        assertThat(builder.columnsSeen()).isEqualTo(4);
        assertThatThrownBy(() -> CsrMatrix.ofTriplets(1, 2, new int[] {0, 0}, new int[] {1, 1}, new double[2]))
                .hasMessageContaining("given twice");
        assertThatThrownBy(() -> CsrMatrix.ofTriplets(1, 2, new int[] {1}, new int[] {1}, new double[1]))
                .hasMessageContaining("row 1, column 1");
    }
}
