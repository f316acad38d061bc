package stackelberg.solver.published.admm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Every way to factor H + sigma I solves the same system: (H + sigma I) r = q, with H applied through the data. */
class SystemsTest {
    private static final Workers TWO = Workers.of(2);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dense tall",
                "dense wide",
                "sparse tall",
                "sparse wide",
                "sparse tall ones",
                "sparse wide ones",
                "sparse tall shifted",
                "sparse wide shifted ones"
            })
    void solvesTheShiftedSystem(String shape) {
        Random random = new Random(30_001);
        for (int variant = 0; variant < 8; variant++) {
            SphereProblem problem = problem(random, shape, variant);
            for (double sigma : new double[] {1e-3, 1, 1e3}) {
                ShiftedSystem system = Systems.of(problem, false, TWO);
                double[] q = gaussian(random, problem.dimension());
                double[] r = q.clone();
                system.factor(sigma).orElseThrow().solve(r);

                double[] residual = shifted(problem, r, sigma);
                Vectors.axpy(-1, q, residual);
                double size = (problem.hessianNorm() + sigma) * Vectors.norm(r);
                assertThat(Vectors.norm(residual))
                        .as(shape + ", variant " + variant + ", sigma " + sigma + ", " + system.getClass())
                        .isLessThan(1e-11 * size);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dense tall", "sparse tall", "sparse tall ones", "sparse tall shifted"})
    void knowsWhenTheShiftedMatrixIsNotPositiveDefinite(String shape) {
        Random random = new Random(30_002);
        for (int variant = 0; variant < 8; variant++) {
            SphereProblem problem = problem(random, shape, variant);
            double smallest =
                    stackelberg.linalg.SymmetricEigen.of(problem.hessian(), TWO).values()[0];
            ShiftedSystem system = Systems.of(problem, false, TWO);
            double margin = 1e-6 * problem.hessianNorm();
            String what = shape + ", variant " + variant + ", lambda_min " + smallest;
            assertThat(system.factor(-smallest + margin)).as(what).isPresent();
            assertThat(system.factor(-smallest - margin)).as(what).isEmpty();
        }
    }

    @Test
    void sparseAndWideDataAreNotFactoredDensely() {
        Random random = new Random(30_003);
        assertThat(Systems.of(problem(random, "sparse tall", 0), false, TWO)).isInstanceOf(BorderedSystem.class);
        assertThat(Systems.of(problem(random, "dense wide", 0), false, TWO)).isInstanceOf(BorderedSystem.class);
        assertThat(Systems.of(problem(random, "dense tall", 0), false, TWO)).isInstanceOf(DenseSystem.class);
    }

    @Test
    void refusesAFactorThatCannotFitAndNamesAnAlternative() {
        Random random = new Random(30_004);
        int n = 2_000;
        // five nonzeros per row couple everything with everything: the factor fills in almost completely
        CsrMatrix x = sparse(random, 2 * n, n, 5);
        SphereProblem problem = problemOf(PredictionGame.of(x, gaussian(random, 2 * n), gaussian(random, 2 * n), 1));
        assertThatThrownBy(() -> Systems.of(problem, false, 1e7, TWO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dense block of order")
                .hasMessageContaining("Maybe use the solver krylov");
        assertThatThrownBy(() -> Systems.of(problem, true, 5e7, TWO))
                .hasMessageContaining("H of order 2,001 and its inverse take 0.1 GB")
                .hasMessageContaining("Maybe use the solver krylov");
    }

    /** Beyond order 16,383 a matrix is in several chunks, which only the inverse of the published ADMM minds. */
    @Test
    void anInverseBeyondOneChunkIsRefusedAndAFactorIsNot() {
        int n = 17_000;
        CsrMatrix x = sparse(new Random(1), 100, n, 1);
        SphereProblem problem =
                problemOf(PredictionGame.of(x, gaussian(new Random(2), 100), gaussian(new Random(3), 100), 1));
        assertThatThrownBy(() -> Systems.of(problem, true, 1e12, TWO))
                .hasMessageContaining("cannot be inverted; at most order 16,383")
                .hasMessageContaining("cd-admm");
        assertThat(Systems.of(problem, false, 1e12, TWO).factor(1)).isPresent();
    }

    /** Variants 0 to 7 switch intercept, weights and immutable columns, and costs with wish noise. */
    private static SphereProblem problem(Random random, String shape, int variant) {
        List<String> words = List.of(shape.split(" "));
        boolean tall = words.contains("tall");
        int n = 200;
        int m = tall ? 300 : 120;
        Matrix x = words.contains("sparse") ? sparse(random, m, n, 2) : dense(random, m, n);
        if (words.contains("ones") || words.contains("shifted")) {
            double[] shift = words.contains("shifted") ? gaussian(random, n) : null;
            double[] scale = words.contains("shifted") ? positive(random, n) : null;
            x = new AffineMatrix(x, shift, scale, words.contains("ones"));
        }
        PredictionGame game = PredictionGame.of(x, gaussian(random, m), gaussian(random, m), 0.7);
        if ((variant & 1) != 0) {
            game = game.withIntercept();
        }
        if ((variant & 2) != 0) {
            game = game.withWeights(positive(random, m)).withImmutable(gaussian(random, m), gaussian(random, m));
        }
        if ((variant & 4) != 0) {
            game = game.withCosts(positive(random, x.cols())).withWishNoise(positive(random, m));
        }
        return problemOf(game);
    }

    private static SphereProblem problemOf(PredictionGame game) {
        return Reduction.of(game, TWO).family().at(game.gamma());
    }

    private static double[] shifted(SphereProblem problem, double[] r, double sigma) {
        DenseMatrix product = DenseMatrix.zeros(r.length, 1);
        problem.hessianTimes(DenseMatrix.column(r), product);
        double[] result = product.column(0);
        Vectors.axpy(sigma, r, result);
        return result;
    }

    private static CsrMatrix sparse(Random random, int m, int n, int perRow) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < m; i++) {
            random.ints(perRow, 0, n).sorted().distinct().forEach(j -> builder.put(j, random.nextGaussian()));
            builder.endRow();
        }
        return builder.build(n);
    }

    private static DenseMatrix dense(Random random, int m, int n) {
        return DenseMatrix.of(
                IntStream.range(0, m).mapToObj(i -> gaussian(random, n)).toArray(double[][]::new));
    }

    private static double[] gaussian(Random random, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> random.nextGaussian())
                .toArray();
    }

    private static double[] positive(Random random, int length) {
        return IntStream.range(0, length)
                .mapToDouble(i -> 0.5 + random.nextDouble())
                .toArray();
    }
}
