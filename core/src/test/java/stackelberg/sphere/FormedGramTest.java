package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** X'PX from nonzeros is X'PX from rows: sum_i s_i (Px)_ij (Px)_ik, whatever is shifted, weighted, fixed or constant. */
class FormedGramTest {
    private static final int M = 400;
    private static final int N = 60;
    private static final Workers TWO = Workers.of(2);

    /** H of few features is formed once: after the rows have changed, it is still the first one. */
    @Test
    void gramOfFewFeaturesIsFormedOnce() {
        DenseMatrix x = DenseMatrix.of(values());
        double[] y = new double[M];
        double[] z = new double[M];
        Arrays.setAll(y, i -> i % 7);
        Arrays.setAll(z, i -> i % 5);
        SphereFamily family = Reduction.of(PredictionGame.of(x, y, z, 1), TWO).family();
        DenseMatrix first = family.at(1).hessian();
        DenseMatrix gram = family.gram();
        x.set(0, 4, 1e9);

        DenseMatrix again = family.at(1).hessian();

        assertThat(again.get(4, 4)).isEqualTo(first.get(4, 4));
        assertThat(family.gram().get(4, 4)).isEqualTo(gram.get(4, 4));
    }

    /** Column 1 is constant, column 2 far from 0 and column 3 always 0. */
    private static double[][] values() {
        Random random = new Random(91_001);
        double[][] values = new double[M][N];
        for (double[] row : values) {
            for (int j = 0; j < N; j++) {
                row[j] = random.nextDouble() < 0.02 ? random.nextGaussian() : 0;
            }
            row[1] = 7;
            row[2] = 1e5 + random.nextGaussian();
            row[3] = 0;
        }
        return values;
    }

    private static CsrMatrix csr(double[][] values) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (double[] row : values) {
            for (int j = 0; j < N; j++) {
                if (row[j] != 0) {
                    builder.put(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build(N);
    }

    @Test
    void theGramMatrixFromNonzerosEqualsTheOneFromRows() {
        Random random = new Random(91_002);
        double[][] values = values();
        double[] shift = new double[N];
        double[] scale = RandomGame.positive(random, N);
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < N; j++) {
                shift[j] += values[i][j] / M;
            }
        }
        double[] weights = RandomGame.positive(random, M);
        weights[5] = 0;
        double[] ones = new double[M];
        Arrays.fill(ones, 1);
        double[][][] fixedColumns = {{}, {ones}, {ones, RandomGame.normal(random, M)}};
        for (double[][] fixed : fixedColumns) {
            for (double[] moved : new double[][] {null, shift}) {
                for (boolean constant : new boolean[] {false, true}) {
                    Matrix sparse = new AffineMatrix(csr(values), moved, scale, constant);
                    Matrix dense = new AffineMatrix(DenseMatrix.of(values), moved, scale, constant);
                    assertSame(rows(sparse, fixed, weights), rows(dense, fixed, weights));
                }
            }
        }
    }

    private static ProjectedRows rows(Matrix x, double[][] fixed, double[] weights) {
        RowProjection columns = RowProjection.of(
                x.rows(), Arrays.stream(fixed).map(double[]::clone).toArray(double[][]::new), weights);
        double[][] f = new double[columns.rank()][];
        for (int k = 0; k < f.length; k++) {
            double[] side = columns.basis(k).clone();
            for (int i = 0; i < side.length; i++) {
                side[i] *= weights[i];
            }
            DenseMatrix out = DenseMatrix.zeros(x.cols(), 1);
            x.transposeTimes(DenseMatrix.column(side), out, null, TWO);
            f[k] = out.column(0);
        }
        return new ProjectedRows(x, weights, columns, f, TWO);
    }

    private static void assertSame(ProjectedRows sparse, ProjectedRows dense) {
        DenseMatrix expected = dense.gram();
        DenseMatrix actual = DenseMatrix.zeros(expected.rows(), expected.rows());
        assertThat(FormedGram.into(SparseGram.of(sparse.x(), sparse.weights(), sparse.fixed()), sparse, actual))
                .isTrue();
        int n = expected.rows();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                // a constant column leaves rounding of its own size; the others keep their digits
                double size = size(expected, i, sparse) * size(expected, j, sparse);
                assertThat(actual.get(i, j)).as("(%d, %d)", i, j).isCloseTo(expected.get(i, j), within(1e-9 * size));
                assertThat(actual.get(i, j)).isCloseTo(actual.get(j, i), within(1e-9 * size));
            }
        }
    }

    private static double size(DenseMatrix gram, int j, ProjectedRows rows) {
        double rounding = j == 1 || j == 3 || j == N ? Math.sqrt(rows.x().rows()) : 0;
        return Math.sqrt(Math.max(0, gram.get(j, j))) + rounding;
    }

    /** On the side of the rows only where nothing is projected or shifted; elsewhere the tiles do it. */
    @Test
    void theDualGramMatrixFromNonzerosEqualsTheOneFromTiles() {
        Random random = new Random(91_004);
        int m = 40;
        int n = 2_000;
        double[][] values = new double[m][n];
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (double[] row : values) {
            for (int j = random.nextInt(200); j < n; j += 1 + random.nextInt(300)) {
                row[j] = random.nextGaussian();
                builder.put(j, row[j]);
            }
            builder.endRow();
        }
        CsrMatrix x = builder.build(n);
        double[] weights = RandomGame.positive(random, m);
        weights[3] = 0;
        double[] shift = RandomGame.normal(random, n);
        double[] scale = RandomGame.positive(random, n);
        for (double[] moved : new double[][] {null, shift}) {
            for (boolean ones : new boolean[] {false, true}) {
                for (double[][] fixed : new double[][][] {{}, {RandomGame.normal(random, m)}}) {
                    ProjectedRows sparse = rows(new AffineMatrix(x, moved, scale, ones), fixed, weights);
                    ProjectedRows dense =
                            rows(new AffineMatrix(DenseMatrix.of(values), moved, scale, ones), fixed, weights);
                    boolean formed = FormedGram.ofRows(
                            SparseGram.of(sparse.x(), weights, sparse.fixed()), sparse, DenseMatrix.zeros(m, m));
                    assertThat(formed).isEqualTo(moved == null && fixed.length == 0);
                    DenseMatrix expected = dense.rowGram();
                    DenseMatrix actual = sparse.rowGram();
                    for (int i = 0; i < m; i++) {
                        for (int j = 0; j < m; j++) {
                            double size = Math.sqrt(expected.get(i, i) * expected.get(j, j));
                            assertThat(actual.get(i, j)).isCloseTo(expected.get(i, j), within(1e-11 * size + 1e-300));
                        }
                    }
                }
            }
        }
    }

    /** A matrix with most places filled has nothing to gain. */
    @Test
    void rowsWithoutZerosAreLeftToDenseProducts() {
        double[][] full = new double[30][N];
        for (double[] row : full) {
            Arrays.fill(row, 1);
        }
        double[] weights = new double[30];
        Arrays.fill(weights, 1);
        ProjectedRows rows = rows(csr(full), new double[0][], weights);

        DenseMatrix gram = DenseMatrix.zeros(N, N);
        assertThat(FormedGram.into(SparseGram.of(rows.x(), weights, rows.fixed()), rows, gram))
                .isFalse();
        assertThat(gram.get(N - 1, 0)).isZero();
    }

    @Test
    void aFamilyOfSparseDataHasTheHessianOfTheDense() {
        double[][] values = values();
        Random random = new Random(91_003);
        double[] y = RandomGame.normal(random, M);
        double[] z = RandomGame.normal(random, M);
        DenseMatrix expected = hessian(PredictionGame.of(DenseMatrix.of(values), y, z, 2));
        DenseMatrix actual = hessian(PredictionGame.of(csr(values), y, z, 2));
        for (int i = 0; i <= N; i++) {
            for (int j = 0; j <= N; j++) {
                double size = Math.sqrt(expected.get(i, i) * expected.get(j, j)) + 1;
                assertThat(actual.get(i, j)).isCloseTo(expected.get(i, j), within(1e-9 * size));
            }
        }
    }

    private static DenseMatrix hessian(PredictionGame game) {
        return Reduction.of(game.withIntercept(), TWO).family().at(2).hessian();
    }
}
