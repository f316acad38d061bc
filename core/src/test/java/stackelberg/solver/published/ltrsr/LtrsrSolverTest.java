package stackelberg.solver.published.ltrsr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.KnownProblem;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Nested Lanczos: few products where the multiplier is positive, restarts that arrive, both variants the same. */
class LtrsrSolverTest {
    private static final Workers ONE = Workers.of(1);

    private static SphereResult solve(SphereProblem problem, LtrsrSolver.Options own) {
        return new LtrsrSolver(own, ONE).solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.1, 1})
    void aHandfulOfProductsSolvesTheDenseGamesOfThePaper(double gamma) {
        SphereProblem problem = Reduction.of(paperGame(400, 200), ONE).family().at(gamma);
        SphereResult result = solve(problem, LtrsrSolver.Options.DEFAULT);

        assertThat(result.effort().passes()).isLessThanOrEqualTo(8);
        assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isTrue();
    }

    @Test
    void formedAndMatrixFreeTakeTheSameSteps() {
        SphereProblem problem = Reduction.of(paperGame(60, 40), ONE).family().at(0.1);
        SphereResult free = solve(problem, LtrsrSolver.Options.DEFAULT);
        SphereResult formed = solve(problem, LtrsrSolver.Options.DEFAULT.withFormed(true));

        assertThat(formed.effort().iterations()).isEqualTo(free.effort().iterations());
        assertThat(formed.r()).containsExactly(free.r(), within(1e-9));
    }

    @ParameterizedTest
    @EnumSource(names = {"POSITIVE", "NEGATIVE", "HARD"})
    void restartsConvergeWithASmallBasis(PlantedGame.Case kind) {
        for (int seed = 0; seed < 5; seed++) {
            PlantedGame planted = PlantedGame.of(new Random(seed), 90, 60, 1e3, 0.5, kind, 0.7);
            SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(0.5);
            SphereResult result = solve(problem, LtrsrSolver.Options.DEFAULT.withBasis(20));
            Certificate proof = Certificate.of(problem, result.r());

            assertThat(result.status()).as(proof.toString()).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(proof.proof()).isEqualTo(Certificate.Proof.PROVEN);
            assertThat(proof.gapBound()).as(result.note()).isLessThan(1e-8 * planted.objective());
            assertThat(proof.objective()).isCloseTo(planted.objective(), within(1e-8 * planted.objective()));
        }
    }

    @Test
    void anEigenvectorOrthogonalToTheKrylovSpaceOfGIsFound() {
        KnownProblem known = KnownProblem.all().stream()
                .filter(k -> k.name().contains("hard by symmetry"))
                .findFirst()
                .orElseThrow();
        SphereProblem problem = known.problem();
        Certificate proof = Certificate.of(
                problem, solve(problem, LtrsrSolver.Options.DEFAULT).r());

        assertThat(proof.objective()).isCloseTo(known.minimum(), within(1e-10 * Math.abs(known.minimum())));
    }

    @Test
    void tridiagonalProblemMeetsItsOptimalityConditionsAtEverySize() {
        Random random = new Random(4);
        TridiagonalSphere small = new TridiagonalSphere(2.5, 30);
        double[] alpha = new double[30];
        double[] beta = new double[30];
        double last = Double.NEGATIVE_INFINITY;
        for (int k = 1; k <= 30; k++) {
            alpha[k - 1] = 3 * random.nextGaussian();
            beta[k - 1] = 0.1 + random.nextDouble();
            small.grow(k == 1 ? 0 : beta[k - 2], alpha[k - 1]);
            double[] h = small.h();
            for (int i = 0; i < k; i++) {
                double row = (alpha[i] + small.lambda()) * h[i] + (i == 0 ? 2.5 : 0);
                row += i > 0 ? beta[i - 1] * h[i - 1] : 0;
                row += i < k - 1 ? beta[i] * h[i + 1] : 0;
                assertThat(row).as("size " + k + ", row " + i).isCloseTo(0, within(1e-12));
            }
            // multipliers of growing Krylov spaces never decrease: that is what makes the warm start one
            assertThat(small.lambda()).isGreaterThanOrEqualTo(last - 1e-12);
            last = small.lambda();
        }
    }

    @Test
    void aBasisTooSmallToRestartIsRefused() {
        assertThatThrownBy(() -> LtrsrSolver.Options.DEFAULT.withBasis(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 vectors");
    }

    /** Standard normal features, ten of them informative, wishes at least the lower quartile; then scaled to [0, 1], with a column of ones. */
    private static PredictionGame paperGame(int m, int n) {
        Random random = new Random(11);
        double[][] x = new double[m][n + 1];
        double[] y = new double[m];
        double[] w = random.doubles(10).map(u -> 100 * u).toArray();
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                y[i] += j < 10 ? w[j] * x[i][j] : 0;
            }
            y[i] += 0.1 * random.nextGaussian();
            x[i][n] = 1;
        }
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        double quartile = sorted[m / 4];
        double[] z = Arrays.stream(y).map(v -> Math.max(v, quartile)).toArray();
        for (int j = 0; j < n; j++) {
            int column = j;
            double min = Arrays.stream(x).mapToDouble(row -> row[column]).min().orElseThrow();
            double max = Arrays.stream(x).mapToDouble(row -> row[column]).max().orElseThrow();
            for (double[] row : x) {
                row[j] = (row[j] - min) / (max - min);
            }
        }
        return PredictionGame.of(DenseMatrix.of(x), y, z, 0.1);
    }
}
