package stackelberg.model.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** B T as a view does what B T as a matrix does. */
class CombinedColumnsTest {
    private static final Workers WORKERS = Workers.of(1);
    private final Random random = new Random(8);
    private final DenseMatrix base = random(30, 4);
    private final ColumnMap map = new ColumnMap.Builder()
            .put(0, 2)
            .put(3, -1)
            .end()
            .put(2, 0.5)
            .end()
            .put(1, -3)
            .put(3, 1)
            .put(2, 0.25)
            .end()
            .build(4);
    private final DenseMatrix formed = formed();
    private final Matrix view = new CombinedColumns(base, map);

    @Test
    void productsAreThoseOfTheFormedMatrix() {
        DenseMatrix v = random(3, 2);
        DenseMatrix u = random(30, 2);
        DenseMatrix expected = DenseMatrix.zeros(30, 2);
        DenseMatrix found = DenseMatrix.zeros(30, 2);
        formed.times(v, expected, WORKERS);
        view.times(v, found, WORKERS);
        assertSame(found, expected);

        DenseMatrix expectedBack = DenseMatrix.zeros(3, 2);
        DenseMatrix foundBack = DenseMatrix.zeros(3, 2);
        double[] exact = new double[30];
        double[] bound = new double[30];
        formed.transposeTimes(u, expectedBack, exact, WORKERS);
        view.transposeTimes(u, foundBack, bound, WORKERS);
        assertSame(foundBack, expectedBack);
        for (int i = 0; i < 30; i++) {
            assertThat(bound[i]).isGreaterThanOrEqualTo(exact[i]);
        }

        Matrix.RowStep negate = (first, rows, block) -> {
            for (int i = 0; i < 2 * rows; i++) {
                block.put(i, -block.get(i));
            }
        };
        formed.pass(v, new Matrix.RowStep[] {negate}, expectedBack, WORKERS);
        view.pass(v, new Matrix.RowStep[] {negate}, foundBack, WORKERS);
        assertSame(foundBack, expectedBack);
    }

    @Test
    void tilesAreThoseOfTheFormedMatrix() {
        double[] expected = new double[10];
        double[] found = new double[10];
        formed.tile(7, 5, 1, 2, DoubleBuffer.wrap(expected));
        view.tile(7, 5, 1, 2, DoubleBuffer.wrap(found));

        assertThat(found).containsExactly(expected, within(1e-14));
    }

    @Test
    void theGramMatrixFollowsFromThatOfTheBase() {
        DenseMatrix gram = DenseMatrix.zeros(4, 4);
        DenseMatrix expected = DenseMatrix.zeros(3, 3);
        base.transposeTimes(base, gram, null, WORKERS);
        formed.transposeTimes(formed, expected, null, WORKERS);

        assertSame(map.congruence(gram), expected);
    }

    /** A column that hardly varies in one fold has a factor far beyond the others', and few rows have it. */
    @Test
    void theNormsOfSparseRowsAreThoseOfTheNewColumns() {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] exact = new double[30];
        for (int i = 0; i < 30; i++) {
            int place = i == 3 ? 0 : 1 + i % 3;
            builder.put(place, base.get(i, place)).endRow();
            double value = base.get(i, place) * new double[] {1e6, 2, -3, 0.5}[place];
            exact[i] = value * value;
        }
        ColumnMap.Builder factors = new ColumnMap.Builder();
        for (int j = 0; j < 4; j++) {
            factors.put(j, new double[] {1e6, 2, -3, 0.5}[j]).put(4, 0).end();
        }
        ColumnMap scaling = factors.build(5);
        Matrix shared = new SharedPasses(new AffineMatrix(builder.build(4), null, null, true), 1, WORKERS).view(0);
        double[] found = new double[30];
        assertThat(scaling.rowSquares(shared, found)).isTrue();

        assertThat(found).containsExactly(exact, within(1e-12));
        double[] bounds = new double[30];
        assertThat(base.rowSquares(new double[] {1, 1, 1, 1}, bounds)).isTrue();
        assertThat(map.rowSquares(base, bounds)).isTrue();
        for (int i = 0; i < 30; i++) {
            double square = Arrays.stream(formed.row(i)).map(v -> v * v).sum();
            assertThat(bounds[i]).isGreaterThanOrEqualTo(square * (1 - 1e-12));
        }
    }

    private DenseMatrix formed() {
        DenseMatrix t = DenseMatrix.of(new double[][] {{2, 0, 0}, {0, 0, -3}, {0, 0.5, 0.25}, {-1, 0, 1}});
        DenseMatrix out = DenseMatrix.zeros(30, 3);
        base.times(t, out, WORKERS);
        return out;
    }

    private DenseMatrix random(int rows, int cols) {
        DenseMatrix a = DenseMatrix.zeros(rows, cols);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                a.set(i, j, random.nextGaussian());
            }
        }
        return a;
    }

    private static void assertSame(DenseMatrix found, DenseMatrix expected) {
        for (int i = 0; i < expected.rows(); i++) {
            assertThat(found.row(i)).containsExactly(expected.row(i), within(1e-12));
        }
    }
}
