package stackelberg.solver.published.conic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringWriter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** The two cone programs as such: the paper's matrices, duality, and what their methods report. */
class ConicProgramsTest {
    private static final Workers ONE = Workers.of(1);

    @ParameterizedTest
    @EnumSource
    void socpEnclosesTheOptimumBetweenPrimalAndDual(PlantedGame.Case kind) {
        PlantedGame planted = planted(kind);
        var solution =
                new SocpSolver(ONE).solveWithReport(problem(planted), SolverOptions.DEFAULT, ProgressListener.NONE);
        assertEncloses(solution.report(), planted);
        assertThat(solution.result().effort().iterations()).isLessThan(40);
        assertThat(solution.result().note()).contains("primal", "dual", "gap");
    }

    @ParameterizedTest
    @EnumSource
    void sdpEnclosesTheOptimumBetweenPrimalAndDual(PlantedGame.Case kind) {
        PlantedGame planted = planted(kind);
        var solution =
                new SdpSolver(ONE).solveWithReport(problem(planted), SolverOptions.DEFAULT, ProgressListener.NONE);
        assertEncloses(solution.report(), planted);
        assertThat(solution.result().effort().iterations()).isLessThan(60);
        assertThat(solution.result().effort().factorisations())
                .as("about one factorisation per step")
                .isLessThan(2 * solution.result().effort().iterations());
    }

    /** Found by the adversary: without damping the multiplier ran to 1e60 and then to what is no number. */
    @Test
    void socpDoesNotDivergeOnTinyLosses() {
        double c = 0.04566382893041067;
        double[][] x = {
            {0, 0, c, 0, 1}, {0, c, 0, 0, 1}, {c, c, 0, 0, 1}, {0, 0, c, c, 1}, {c, c, c, c, 1}, {0, c, 0, c, 1}
        };
        double[] y = {
            0.0035350021356412784,
            0.003043005083978162,
            0.00888490746816733,
            0.0011925855983445735,
            0.010077493066511903,
            7.005885466814574E-4
        };
        double gamma = 1.177055000234291;
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, y, gamma).withWishNoise(0.00827449264874901);
        SphereProblem problem = Reduction.of(game, ONE).family().at(gamma);

        var solution = new SocpSolver(ONE).solveWithReport(problem, SolverOptions.DEFAULT, ProgressListener.NONE);

        assertThat(Vectors.norm(solution.result().r())).isCloseTo(1, within(1e-12));
        assertThat(Certificate.of(problem, solution.result().r()).certified(1e-9))
                .isTrue();
    }

    private static void assertEncloses(ConicReport report, PlantedGame planted) {
        double f = planted.objective();
        assertThat(report.dualObjective()).as(report.toString()).isLessThanOrEqualTo(f * (1 + 1e-10));
        assertThat(report.primalObjective()).as(report.toString()).isGreaterThanOrEqualTo(f * (1 - 1e-10));
        assertThat(report.primalObjective() - report.dualObjective())
                .as(report.toString())
                .isCloseTo(report.gap(), within(1e-10 * f));
        assertThat(report.gap()).isLessThan(1e-9 * f);
        assertThat(report.lambda()).isCloseTo(planted.lambda(), within(1e-4 * Math.abs(planted.lambda())));
    }

    @Test
    void socpReportsLowerBoundsDuringTheSolve() {
        PlantedGame planted = planted(PlantedGame.Case.HARD);
        new SocpSolver(ONE).solve(problem(planted), SolverOptions.DEFAULT, progress -> {
            assertThat(progress.primalResidual()).isGreaterThanOrEqualTo(0);
            return ProgressListener.Decision.CONTINUE;
        });
    }

    @Test
    void theInequalityHasThePapersMatrixA() {
        PlantedGame planted = planted(PlantedGame.Case.POSITIVE);
        PredictionGame game = planted.game();
        SphereProblem problem = problem(planted);
        DenseMatrix a = MatrixInequality.of(problem, problem.hessian()).a();
        int n = game.x().cols();
        int m = game.x().rows();
        // columns of [X, z - y, -y]: A is their Gram matrix
        double[][] columns = new double[n + 2][m];
        for (int i = 0; i < m; i++) {
            double[] row = ((DenseMatrix) game.x()).row(i);
            for (int j = 0; j < n; j++) {
                columns[j][i] = row[j];
            }
            columns[n][i] = game.z()[i] - game.y()[i];
            columns[n + 1][i] = -game.y()[i];
        }
        for (int i = 0; i < n + 2; i++) {
            for (int j = 0; j < n + 2; j++) {
                double entry = 0;
                for (int k = 0; k < m; k++) {
                    entry += columns[i][k] * columns[j][k];
                }
                assertThat(a.get(i, j)).isCloseTo(entry, within(1e-10 * (1 + Math.abs(entry))));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSITIVE", "NEGATIVE"})
    void theInequalityIsTightAtTheOptimumAndViolatedBeyond(PlantedGame.Case kind) {
        PlantedGame planted = planted(kind);
        SphereProblem problem = problem(planted);
        MatrixInequality lmi = MatrixInequality.of(problem, problem.hessian());
        double f = planted.objective();
        double lambda = 4 * planted.lambda();
        double largest = SymmetricEigen.valuesOf(lmi.at(f, lambda), ONE)[lmi.order() - 1];

        assertThat(smallest(lmi, f, lambda)).isCloseTo(0, within(1e-11 * largest));
        assertThat(smallest(lmi, f - 0.1, lambda)).isPositive();
        assertThat(smallest(lmi, f + 0.1, lambda)).isNegative();
    }

    @Test
    void thePrintedCDoesNotGiveTheOptimum() {
        // with -1/2 in all of the last row and column the inequality fails at (f*, lambda*): a misprint
        PlantedGame planted = planted(PlantedGame.Case.POSITIVE);
        SphereProblem problem = problem(planted);
        MatrixInequality lmi = MatrixInequality.of(problem, problem.hessian());
        DenseMatrix printed = lmi.at(planted.objective(), 4 * planted.lambda());
        int last = lmi.order() - 1;
        for (int i = 0; i < last - 1; i++) {
            double value = printed.get(i, last) - 4 * planted.lambda() / 2;
            printed.set(i, last, value);
            printed.set(last, i, value);
        }
        assertThat(SymmetricEigen.valuesOf(printed, ONE)[0]).isLessThan(-1e-4);
    }

    @Test
    void theFileHoldsTheProgramInSdpaSparseFormat() throws IOException {
        PredictionGame game = PredictionGame.of(
                DenseMatrix.of(new double[][] {{-1}, {3}}), new double[] {0, 2}, new double[] {2, 1}, 4);
        StringWriter text = new StringWriter();
        SdpaFile.write(Reduction.of(game, ONE).family().at(4), text);
        String[] lines = text.toString().split("\n");

        assertThat(lines[0]).startsWith("\"");
        assertThat(lines[1]).isEqualTo("2");
        assertThat(lines[2]).isEqualTo("1");
        assertThat(lines[3]).isEqualTo("3");
        assertThat(lines[4]).isEqualTo("-1.0 0.0");
        // X'X = 10, X'(z - y) = -5, -X'y = -6, ||z - y||^2 = 5, -(z - y)'y = 2, y'y = 4
        assertThat(lines).contains("0 1 1 1 -10.0", "0 1 1 2 5.0", "0 1 1 3 6.0", "0 1 2 2 -5.0", "0 1 2 3 -2.0");
        assertThat(lines).contains("0 1 3 3 -4.0", "1 1 2 2 -1.0", "1 1 2 3 -1.0", "1 1 3 3 -1.0");
        assertThat(lines).contains("2 1 1 1 0.25", "2 1 2 3 -0.5");
        assertThat(lines).hasSize(5 + 6 + 3 + 2);
    }

    private static double smallest(MatrixInequality lmi, double mu, double lambda) {
        return SymmetricEigen.valuesOf(lmi.at(mu, lambda), ONE)[0];
    }

    private static PlantedGame planted(PlantedGame.Case kind) {
        return PlantedGame.of(new Random(21), 30, 10, 50, 0.7, kind, 0.6);
    }

    private static SphereProblem problem(PlantedGame planted) {
        return Reduction.of(planted.game(), ONE).family().at(planted.game().gamma());
    }
}
