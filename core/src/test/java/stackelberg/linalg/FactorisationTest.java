package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static stackelberg.linalg.Samples.assertClose;
import static stackelberg.linalg.Samples.dense;
import static stackelberg.linalg.Samples.product;
import static stackelberg.linalg.Samples.random;
import static stackelberg.linalg.Samples.rows;
import static stackelberg.linalg.Samples.transpose;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FactorisationTest {
    private static final int[] ORDERS = {1, 2, 3, 17, 64, 100, 130};

    private final Workers workers = Workers.of(2);

    static Stream<Kernels> kernels() {
        return Samples.kernels();
    }

    /** Both triangles of a symmetric matrix that is indefinite for a negative shift of the diagonal. */
    private static double[][] symmetric(int n, double diagonal) {
        double[][] b = random(n, n, n);
        double[][] a = product(b, transpose(b, n), n);
        for (int i = 0; i < n; i++) {
            a[i][i] += diagonal;
        }
        return a;
    }

    /** The same matrix with NaN above the diagonal, which must not be read. */
    private static DenseMatrix lowerOnly(double[][] a) {
        DenseMatrix lower = DenseMatrix.of(a);
        for (int i = 0; i < a.length; i++) {
            for (int j = i + 1; j < a.length; j++) {
                lower.set(i, j, 1e300);
            }
        }
        return lower;
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void eigenvectorsDiagonaliseAndAreOrthonormal(Kernels kernels) {
        for (int n : ORDERS) {
            double[][] a = symmetric(n, -5);
            SymmetricEigen eigen = SymmetricEigen.overwriting(kernels, lowerOnly(a), workers);
            assertThat(eigen.values()).isSorted();
            double[][] q = rows(eigen.vectors());
            double[][] identity = new double[n][n];
            for (int i = 0; i < n; i++) {
                identity[i][i] = 1;
            }
            assertClose(product(transpose(q, n), q, n), identity);
            double[][] scaled = transpose(q, n);
            for (int i = 0; i < n; i++) {
                Vectors.scale(eigen.values()[i], scaled[i]);
            }
            assertClose(product(q, scaled, n), a);
            double[] valuesOnly = SymmetricEigen.decompose(kernels, false, lowerOnly(a), workers);
            assertThat(valuesOnly).containsExactly(eigen.values(), within(1e-12 * Vectors.maxAbs(eigen.values())));
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aMatrixWithNaNIsRefusedByTheEigensolver(Kernels kernels) {
        DenseMatrix a = DenseMatrix.of(symmetric(5, 1));
        a.set(3, 1, Double.NaN);
        assertThat(Cholesky.of(kernels, a, 0, workers)).isEmpty();
        assertThatThrownBy(() -> SymmetricEigen.overwriting(kernels, a, workers))
                .isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void choleskyFactorSolvesAndInvertsItsMatrix(Kernels kernels) {
        for (int n : ORDERS) {
            double[][] a = symmetric(n, 1);
            DenseMatrix original = lowerOnly(a);
            Cholesky cholesky = Cholesky.of(kernels, original, 2, workers).orElseThrow();
            assertThat(rows(original)).isDeepEqualTo(rows(lowerOnly(a)));
            for (int i = 0; i < n; i++) {
                a[i][i] += 2;
            }
            double[][] l = rows(cholesky.lower());
            assertClose(product(l, transpose(l, n), n), a);

            double[] b = random(1, n, 3)[0];
            double[] x = b.clone();
            cholesky.solve(x);
            assertClose(product(a, transpose(new double[][] {x}, n), 1), transpose(new double[][] {b}, n));

            double[][] inverse = rows(cholesky.inverse());
            assertThat(transpose(inverse, n)).isDeepEqualTo(inverse);
            double[][] identity = product(a, inverse, n);
            for (int i = 0; i < n; i++) {
                identity[i][i] -= 1;
                assertThat(Vectors.maxAbs(identity[i])).isLessThan(1e-10);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void choleskyDetectsWhetherAShiftedMatrixIsPositiveDefinite(Kernels kernels) {
        for (int n : ORDERS) {
            DenseMatrix a = DenseMatrix.of(symmetric(n, 0));
            double smallest = SymmetricEigen.decompose(kernels, false, DenseMatrix.of(symmetric(n, 0)), workers)[0];
            double margin = 1e-9 * n;
            assertThat(Cholesky.of(kernels, a, -smallest + margin, workers)).isPresent();
            assertThat(Cholesky.of(kernels, a, -smallest - margin, workers)).isEmpty();
        }
    }

    /** The matrix is divided into chunks at arbitrary rows, as large matrices are, so that no call sees the whole. */
    @ParameterizedTest
    @MethodSource("kernels")
    void aMatrixInChunksIsFactoredLikeOneInOnePiece(Kernels kernels) {
        int n = 300;
        double[][] a = symmetric(n, 1);
        double[] b = random(1, n, 4)[0];
        double[] expected = b.clone();
        Cholesky.of(kernels, DenseMatrix.of(a), 2, workers).orElseThrow().solve(expected);
        for (int chunkRows : new int[] {n, 157, 100, 7}) {
            Cholesky.InPlace square = new Cholesky.InPlace(kernels, dense(a, n, chunkRows), workers);
            for (int round = 0; round < 2; round++) {
                double[] x = b.clone();
                square.factor(2).orElseThrow().solve(x);
                double[] residual = b.clone();
                for (int i = 0; i < n; i++) {
                    residual[i] -= Vectors.dot(a[i], x) + 2 * x[i];
                }
                assertThat(Vectors.maxAbs(residual)).isLessThan(1e-12 * 4 * n * Vectors.maxAbs(x));
                Vectors.axpy(-1, expected, x);
                assertThat(Vectors.maxAbs(x)).isLessThan(1e-10 * Vectors.maxAbs(expected));
                // what is above the diagonal is A still, whether the factorisation succeeds or not
                assertThat(square.factor(-1e5)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aFactorHasTheSameBitsForAnyNumberOfThreads(Kernels kernels) {
        int n = 400;
        double[][] a = symmetric(n, 1);
        double[][] alone = rows(Cholesky.of(kernels, DenseMatrix.of(a), 0, Workers.of(1))
                .orElseThrow()
                .lower());
        for (int threads : new int[] {2, 5}) {
            assertThat(rows(Cholesky.of(kernels, DenseMatrix.of(a), 0, Workers.of(threads))
                            .orElseThrow()
                            .lower()))
                    .isDeepEqualTo(alone);
        }
    }

    /** A matrix in chunks, so that triangular solves run in steps on several threads, as for large orders. */
    @ParameterizedTest
    @MethodSource("kernels")
    void solvesWithLargeFactorsHaveTheSameBitsForAnyNumberOfThreads(Kernels kernels) {
        int n = 1100;
        DenseMatrix a = DenseMatrix.zeros(n, n, 1050);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                a.set(i, j, i == j ? 3 : 1.0 / (1 + (i - j) * (i - j)) * ((i + j) % 3 - 1));
            }
        }
        double[] b = random(1, n, 4)[0];
        double[] alone = b.clone();
        chunked(kernels, a, Workers.of(1)).solve(alone);
        double[] x = b.clone();
        chunked(kernels, a, Workers.of(3)).solve(x);
        assertThat(x).containsExactly(alone);
        for (int i = 0; i < n; i++) {
            double sum = x[i];
            for (int j = 0; j < n; j++) {
                sum += a.get(Math.max(i, j), Math.min(i, j)) * x[j];
            }
            assertThat(sum).isCloseTo(b[i], within(1e-12));
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void gramMatricesFromTilesAgreeWithTheirDefinition(Kernels kernels) {
        for (int[] size : new int[][] {{1, 1}, {7, 3}, {3, 7}, {40, 300}, {30, 530}}) {
            DenseMatrix b = dense(size[0], size[1], 1);
            double[][] values = rows(b);
            double[][] primal = product(transpose(values, size[1]), values, size[1]);
            double[][] dual = product(values, transpose(values, size[1]), size[0]);
            for (int chunkRows : new int[] {1000, 100}) {
                DenseMatrix c = DenseMatrix.zeros(size[1], size[1], chunkRows);
                Gram.add(kernels, true, b.at(0), size[0], size[1], c, workers);
                Gram.add(kernels, true, b.at(0), size[0], size[1], c, workers);
                Gram.symmetrize(c);
                assertClose(c, twice(primal));
                DenseMatrix d = DenseMatrix.zeros(size[0], size[0], chunkRows);
                Gram.add(kernels, false, b.at(0), size[0], size[1], d, workers);
                Gram.add(kernels, false, b.at(0), size[0], size[1], d, workers);
                Gram.symmetrize(d);
                assertClose(d, twice(dual));
            }
        }
    }

    private static Cholesky chunked(Kernels kernels, DenseMatrix a, Workers workers) {
        DenseMatrix copy = DenseMatrix.zeros(a.rows(), a.rows(), 1050);
        copy.setAll(a);
        Gram.symmetrize(copy);
        return new Cholesky.InPlace(kernels, copy, workers).factor(1).orElseThrow();
    }

    private static double[][] twice(double[][] a) {
        return Arrays.stream(a)
                .map(row -> Arrays.stream(row).map(value -> 2 * value).toArray())
                .toArray(double[][]::new);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void theDualGramMatrixOfManyRowsAgreesWithItsDefinition(Kernels kernels) {
        DenseMatrix b = dense(600, 20, 1);
        double[][] values = rows(b);
        DenseMatrix c = DenseMatrix.zeros(600, 600);
        Gram.add(kernels, false, b.at(0), 600, 20, c, workers);
        Gram.symmetrize(c);
        assertClose(c, product(values, transpose(values, 20), 600));
    }
}
