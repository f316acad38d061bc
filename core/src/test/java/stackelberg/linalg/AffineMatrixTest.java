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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AffineMatrixTest {
    private final Workers workers = Workers.of(2);

    @ParameterizedTest
    @CsvSource({"false,false,false", "true,false,false", "false,true,false", "false,false,true", "true,true,true"})
    void productsOfTheViewEqualThoseOfTheExplicitMatrix(boolean shifted, boolean scaled, boolean ones) {
        for (int[] shape : new int[][] {{0, 2}, {1, 1}, {50, 7}, {3000, 60}}) {
            int n = shape[1];
            double[][] x = random(shape[0], n, 1);
            double[] shift = shifted ? random(1, n, 2)[0] : null;
            double[] scale = scaled ? random(1, n, 3)[0] : null;
            int cols = n + (ones ? 1 : 0);
            double[][] explicit = new double[shape[0]][cols];
            for (int i = 0; i < shape[0]; i++) {
                for (int j = 0; j < cols; j++) {
                    explicit[i][j] = j == n ? 1 : (x[i][j] - (shifted ? shift[j] : 0)) * (scaled ? scale[j] : 1);
                }
            }
            AffineMatrix view = new AffineMatrix(dense(x, n, Math.max(1, shape[0])), shift, scale, ones);
            assertThat(view.cols()).isEqualTo(cols);
            for (int k = 1; k <= 3; k++) {
                double[][] v = random(cols, k, 4);
                double[][] u = random(shape[0], k, 5);
                DenseMatrix xv = DenseMatrix.zeros(shape[0], k);
                view.times(dense(v, k, cols), xv, workers);
                assertClose(xv, product(explicit, v, k));
                DenseMatrix xu = stale(cols, k);
                double[] bound = new double[shape[0]];
                view.transposeTimes(dense(u, k, Math.max(1, shape[0])), xu, bound, workers);
                assertClose(xu, product(transpose(explicit, cols), u, k));
                for (int i = 0; i < shape[0]; i++) {
                    assertThat(bound[i] * (1 + 1e-12)).isGreaterThanOrEqualTo(Vectors.dot(explicit[i], explicit[i]));
                }
                DenseMatrix looked = stale(shape[0], k);
                int width = k;
                Matrix.RowStep keep = (firstRow, rowCount, block) -> {
                    for (int i = 0; i < rowCount * width; i++) {
                        looked.set(firstRow + i / width, i % width, block.get(i));
                    }
                };
                view.look(dense(v, k, cols), steps(view, k, keep), workers);
                assertClose(looked, product(explicit, v, k));
                DenseMatrix out = stale(cols, k);
                view.pass(dense(v, k, cols), steps(view, k, weightAndShift(k)), out, workers);
                assertClose(out, passByDefinition(explicit, v, cols, k));
            }
            for (int first = 0; shape[0] > 0 && first < cols; first++) {
                double[] tile = new double[cols - first];
                view.tile(shape[0] - 1, 1, first, cols - first, DoubleBuffer.wrap(tile));
                assertThat(tile).isEqualTo(java.util.Arrays.copyOfRange(explicit[shape[0] - 1], first, cols));
            }
        }
    }

    /** Without scaling, a column in units a million times smaller made every row bound a million times too large. */
    @Test
    void normsOfSparseRowsUseTheScaledColumns() {
        double[][] x = random(40, 6, 1);
        double[] scale = {1e6, 1, 2, 3, 4, 5};
        double[] shift = {0, 0, 0.5, 0, 0, 0};
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < x.length; i++) {
            x[i][0] = i == 7 ? x[i][0] : 0;
            for (int j = i == 7 ? 0 : 1; j < 6; j++) {
                builder.put(j, x[i][j]);
            }
            builder.endRow();
        }
        CsrMatrix sparse = builder.build(6);
        DenseMatrix u = DenseMatrix.zeros(40, 1);
        double[] found = new double[40];
        double[] shifted = new double[40];
        new AffineMatrix(sparse, null, scale, false).transposeTimes(u, DenseMatrix.zeros(6, 1), found, workers);
        new AffineMatrix(new AffineMatrix(sparse, shift, null, true), null, new double[] {1e6, 1, 2, 3, 4, 5, 6}, true)
                .transposeTimes(u, DenseMatrix.zeros(8, 1), shifted, workers);
        for (int i = 0; i < 40; i++) {
            double exact = 0;
            for (int j = 0; j < 6; j++) {
                exact += scale[j] * x[i][j] * scale[j] * x[i][j];
            }
            double withShift = Math.sqrt(exact) + 1;
            assertThat(found[i]).isCloseTo(exact, within(1e-12 * exact));
            assertThat(shifted[i]).isCloseTo(withShift * withShift + 36 + 1, within(1e-12 * exact));
        }
    }

    @Test
    void resultsAreTheSameBitsForAnyNumberOfThreads() {
        AffineMatrix view = new AffineMatrix(dense(5000, 50, 1), random(1, 50, 2)[0], random(1, 50, 3)[0], true);
        DenseMatrix v = dense(51, 2, 4);
        double[] one = DenseProductsTest.allProducts(view, v, Workers.of(1));
        for (int threads : new int[] {2, 3, 8}) {
            assertThat(DenseProductsTest.allProducts(view, v, Workers.of(threads)))
                    .isEqualTo(one);
        }
    }

    @Test
    void wrongLengthsAreRefused() {
        assertThatThrownBy(() -> new AffineMatrix(dense(2, 3, 1), new double[2], null, false))
                .hasMessageContaining("shift has 2 values");
    }

    /** Parts of different sizes, some rows in none, more rows than are handed over at a time. */
    @ParameterizedTest
    @CsvSource({"1000,7", "3000,2000"})
    void partsAreReadInOrderAndEveryRowOnce(int rows, int cols) {
        DenseMatrix x = DenseMatrix.of(random(rows, cols, 5));
        Matrix view = new AffineMatrix(x, null, null, true);
        int[][] parts = {
            IntStream.range(0, rows).filter(i -> i % 3 == 0).toArray(),
            {1, rows - 1},
            {},
            IntStream.range(0, rows).filter(i -> i % 3 == 2 && i < rows - 1).toArray()
        };
        int[] next = new int[parts.length];
        double[] progress = new double[1];
        view.readParts(parts, workers, step -> progress[0] += step, (part, some, values) -> {
            for (int i = 0; i < some.length; i++) {
                assertThat(some[i]).isEqualTo(parts[part][next[part]++]);
                assertThat(values[i * (cols + 1)]).isEqualTo(x.get(some[i], 0));
                assertThat(values[i * (cols + 1) + cols - 1]).isEqualTo(x.get(some[i], cols - 1));
                assertThat(values[i * (cols + 1) + cols]).isEqualTo(1);
            }
        });
        assertThat(next).containsExactly(parts[0].length, 2, 0, parts[3].length);
        assertThat(progress[0]).isCloseTo(1, within(1e-12));
    }
}
