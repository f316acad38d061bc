package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

class ProjectedRowsTest {
    private static final int ROWS = 3000;
    private static final int COLS = 40;

    private final Workers workers = Workers.of(2);

    /** Blocks of rows that weights leave as they are go through untouched; the others must not, wherever in the block their weights are. */
    @Test
    void weightsThatDifferInTheMiddleOfABlockAreUsed() {
        double[][] values = values();
        double[] weights = new double[ROWS];
        Arrays.setAll(weights, i -> i > 1000 && i % 97 == 50 ? 2.5 + i : 1);
        DenseMatrix v = DenseMatrix.zeros(COLS, 2);
        for (int j = 0; j < COLS; j++) {
            v.set(j, 0, Math.sin(j));
            v.set(j, 1, Math.cos(j));
        }
        double[][] gram = gramByDefinition(values, weights);

        for (Matrix x : new Matrix[] {DenseMatrix.of(values), sparse(values)}) {
            ProjectedRows rows = new ProjectedRows(
                    x, weights, RowProjection.of(x.rows(), new double[0][], weights), new double[0][], workers);
            DenseMatrix product = DenseMatrix.zeros(COLS, 2);
            rows.gramTimes(v, product);
            DenseMatrix formed = rows.gram();
            for (int j = 0; j < COLS; j++) {
                for (int c = 0; c < 2; c++) {
                    double expected = 0;
                    for (int l = 0; l < COLS; l++) {
                        expected += gram[j][l] * v.get(l, c);
                    }
                    assertThat(product.get(j, c)).isCloseTo(expected, within(1e-8));
                }
                for (int l = 0; l < COLS; l++) {
                    assertThat(formed.get(j, l)).isCloseTo(gram[j][l], within(1e-8));
                }
            }
        }
    }

    private static double[][] values() {
        Random random = new Random(1);
        double[][] values = new double[ROWS][COLS];
        for (double[] row : values) {
            Arrays.setAll(row, j -> random.nextDouble() < 0.3 ? random.nextGaussian() : 0);
        }
        return values;
    }

    private static Matrix sparse(double[][] values) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (double[] row : values) {
            for (int j = 0; j < COLS; j++) {
                if (row[j] != 0) {
                    builder.put(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build(COLS);
    }

    /** X'SX. */
    private static double[][] gramByDefinition(double[][] x, double[] weights) {
        double[][] gram = new double[COLS][COLS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < COLS; j++) {
                for (int l = 0; l < COLS; l++) {
                    gram[j][l] += weights[i] * x[i][j] * x[i][l];
                }
            }
        }
        return gram;
    }
}
