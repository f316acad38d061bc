package stackelberg.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** Sums of products are what their definition says, whatever the blocks, and parts add up to the whole. */
class MomentsTest {
    private static final Workers ONE = Workers.of(1);

    @Test
    void sumsDoNotDependOnTheBlockSize() {
        Random random = new Random(31_006);
        for (int height : new int[] {1, 7, 1000}) {
            Moments.Builder builder = new Moments.Builder(3, height, ONE);
            double[][] expected = new double[3][3];
            double weight = 0;
            for (int row = 0; row < 50; row++) {
                double[] values = random.doubles(3, -1, 2).toArray();
                double s = row % 5 == 0 ? 1 : random.nextDouble();
                weight += s;
                for (int i = 0; i < 3; i++) {
                    for (int j = 0; j < 3; j++) {
                        expected[i][j] += s * values[i] * values[j];
                    }
                }
                builder.add(s, values);
            }
            Moments moments = builder.build();
            assertThat(moments.rows()).isEqualTo(50);
            assertThat(moments.weight()).isCloseTo(weight, within(1e-12));
            for (int i = 0; i < 3; i++) {
                assertThat(moments.products().row(i)).containsExactly(expected[i], within(1e-11));
            }
        }
    }

    @Test
    void sumsWithoutAPartEqualTheSumsOfTheOtherParts() {
        List<Moments> parts = new ArrayList<>();
        for (double s : new double[] {1, 1e20, 3}) {
            Moments.Builder builder = new Moments.Builder(2, 512, ONE);
            builder.add(s, new double[] {1, 2});
            parts.add(builder.build());
        }
        Moments light = Moments.without(parts, 1);
        assertThat(light.rows()).isEqualTo(2);
        assertThat(light.weight()).isEqualTo(4);
        assertThat(light.products().get(1, 0)).isCloseTo(8, within(1e-14));
        assertThat(parts.get(0).plus(parts.get(2)).products().row(1))
                .isEqualTo(light.products().row(1));
        assertThat(Moments.sum(parts).rows()).isEqualTo(3);
    }

    @Test
    void sumsThatAreNotSquareAreRefused() {
        assertThatThrownBy(() -> new Moments(DenseMatrix.zeros(2, 3), 1, 1))
                .hasMessageContaining("2 x 3; they must be square");
    }

    /** Rows enough for several parts, whose products go through the kernels of large work. */
    @Test
    void manyRowsAreSummedInPartsThatDoNotDependOnTheThreads() {
        int rows = 150_000;
        int order = 30;
        assertThat(Moments.parts(rows, order)).isGreaterThan(1);
        Moments one = ofWaves(rows, order, Workers.of(1));
        Moments three = ofWaves(rows, order, Workers.of(3));
        double[][] expected = new double[order][order];
        double[] row = new double[order];
        for (int i = 0; i < rows; i++) {
            wave(i, row);
            for (int a = 0; a < order; a++) {
                for (int b = 0; b < order; b++) {
                    expected[a][b] += 2 * row[a] * row[b];
                }
            }
        }

        assertThat(one.rows()).isEqualTo(rows);
        assertThat(one.weight()).isEqualTo(2.0 * rows);
        for (int a = 0; a < order; a++) {
            assertThat(three.products().row(a)).isEqualTo(one.products().row(a));
            assertThat(one.products().row(a)).containsExactly(expected[a], within(1e-13 * rows));
        }
    }

    private static Moments ofWaves(int rows, int order, Workers workers) {
        DenseMatrix x = DenseMatrix.zeros(rows, 10);
        double[] first = new double[10];
        for (int i = 0; i < rows; i++) {
            wave(i, first);
            x.setRow(i, first);
        }
        return Moments.of(x, order - 10, workers, (i, row) -> {
            wave(i, row);
            return 2;
        });
    }

    /** In one pass, with rows that are in no fold or have no weight. */
    @Test
    void sumsByFoldAreThoseOfTheRowsOfEachFold() {
        DenseMatrix x = DenseMatrix.zeros(70_000, 20);
        int[] foldOf = new int[x.rows()];
        Moments.Builder[] expected = new Moments.Builder[3];
        for (int f = 0; f < 3; f++) {
            expected[f] = new Moments.Builder(21, 512, ONE);
        }
        double[] row = new double[21];
        for (int i = 0; i < x.rows(); i++) {
            foldOf[i] = i % 4 - 1;
            wave(i, row);
            x.setRow(i, Arrays.copyOf(row, 20));
            if (foldOf[i] >= 0 && i % 5 > 0) {
                expected[foldOf[i]].add(i % 5, row);
            }
        }
        List<Moments> found = Moments.byFold(x, 1, foldOf, 3, ONE, (i, values) -> {
            wave(i, values);
            return i % 5;
        });
        for (int f = 0; f < 3; f++) {
            Moments own = expected[f].build();
            assertThat(found.get(f).rows()).isEqualTo(own.rows());
            assertThat(found.get(f).weight()).isCloseTo(own.weight(), within(1e-6));
            for (int a = 0; a < 21; a++) {
                assertThat(found.get(f).products().row(a))
                        .containsExactly(own.products().row(a), within(1e-7));
            }
        }
    }

    private static void wave(int i, double[] row) {
        for (int j = 0; j < row.length; j++) {
            row[j] = Math.sin(i * (j + 1.0));
        }
    }
}
