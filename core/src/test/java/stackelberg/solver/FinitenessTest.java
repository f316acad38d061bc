package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.certificate.Certificate;
import stackelberg.data.io.DataFile;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.sphere.Reduction;

/** "No finite equilibrium" is reported only if it is proven; a finite rule as good as the limit point is preferred; otherwise finiteness is unknown. */
class FinitenessTest {
    private static final Workers ONE = Workers.of(1);

    private final Random random = new Random(16_020);

    /** A few people whose target depends on their features, the first of which is the largest. */
    private double[][] features(int m, int n) {
        double[][] x = new double[m][n];
        for (double[] row : x) {
            Arrays.setAll(row, j -> random.nextGaussian());
        }
        return x;
    }

    private double[] target(double[][] x, double noise) {
        double[] y = new double[x.length];
        for (int i = 0; i < y.length; i++) {
            y[i] = 3 + 2 * x[i][0] - x[i][1] + noise * random.nextGaussian();
        }
        return y;
    }

    private static Solution solve(PredictionGame game, String solver) {
        return new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                .run(Reduction.of(game, ONE), game.gamma())
                .solutions()
                .get(0);
    }

    @Test
    void noFiniteEquilibriumIsNotClaimedFromAPointThatIsNotProven() {
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("quality")
                .wish("max(y,6)")
                .gamma(0.1)
                .solver(AdmmSolver.cholesky(AdmmSolver.Options.plain(5000), ONE))
                .options(SolverOptions.DEFAULT.withMaxIterations(3))
                .build()
                .fit(DataFile.read(RealData.file("wine.csv"), Workers.of(2)));
        assertThat(model.optimality().finiteness()).isEqualTo(Certificate.Finiteness.UNKNOWN);
        assertThat(model.optimality().finite()).isTrue();
        assertThat(model.certified()).isFalse();
        assertThat(model.warnings())
                .anyMatch(warning -> warning.text().startsWith("Whether there is a finite equilibrium is not known"))
                .noneMatch(warning -> warning.text().startsWith("No finite equilibrium"));
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-3, 1, 1e3})
    void aWishOfTheTargetPlusAConstantHasNoFiniteRule(double gamma) {
        double[][] x = features(30, 3);
        double[] y = target(x, 1);
        double[] z = Arrays.stream(y).map(v -> v + 2).toArray();
        var solution = solve(PredictionGame.of(DenseMatrix.of(x), y, z, gamma).withIntercept(), "auto");
        assertThat(solution.certificate().finiteness()).isEqualTo(Certificate.Finiteness.NONE);
        assertThat(solution.certificate().certified(1e-9)).isFalse();
    }

    /** y is explained without error, so that the rule that explains it is as good as the limit point: both lose 0. */
    @Test
    void aShiftOfATargetThatTheFeaturesExplainHasAFiniteRule() {
        double[][] x = features(30, 3);
        double[] y = target(x, 0);
        double[] z = Arrays.stream(y).map(v -> v + 2).toArray();
        var solution = solve(PredictionGame.of(DenseMatrix.of(x), y, z, 40).withIntercept(), "auto");
        assertThat(solution.certificate().finiteness())
                .as("%s", solution.certificate())
                .isEqualTo(Certificate.Finiteness.FINITE);
        assertThat(solution.certificate().certified(1e-9)).isTrue();
        assertThat(solution.result().r()[3]).isLessThan(0.9);
    }

    /** Pz = PXa with a the least squares: least squares itself is optimal, with the constant lowered by the common excess of the moves. */
    @ParameterizedTest
    @CsvSource({"auto,0.1", "direct,0.1", "krylov,0.1", "cd-admm,0.1", "ltrsr,0.1", "socp,0.1", "auto,0.5", "auto,0.9"})
    void aShiftOfTodaysPredictionKeepsTodaysRule(String solver, double share) {
        double[][] x = features(60, 3);
        double[] y = target(x, 1);
        DenseMatrix matrix = DenseMatrix.of(x);
        PredictionGame plain = PredictionGame.of(matrix, y, y, 1).withIntercept();
        Reduction reduction = Reduction.of(plain, ONE);
        double[] w = new DirectSolver(ONE).leastSquares(reduction.family());
        var today = reduction.naiveRule(w);
        double[] z = plain.predict(today, ONE);
        for (int i = 0; i < z.length; i++) {
            z[i] += 1;
        }
        double omega = Arrays.stream(w).map(v -> v * v).sum();
        double gamma = omega * (1 - share) / share;
        PredictionGame game = PredictionGame.of(matrix, y, z, gamma).withIntercept();
        var solution = solve(game, solver);
        String what = solution.certificate() + " at "
                + Arrays.toString(solution.result().r());
        assertThat(solution.certificate().finiteness()).as(what).isEqualTo(Certificate.Finiteness.FINITE);
        assertThat(solution.certificate().certified(1e-9)).as(what).isTrue();
        assertThat(game.pullThrough(solution.rule())).as(what).isCloseTo(share, within(1e-4));
        assertThat(solution.rule().intercept())
                .as(what)
                .isCloseTo(today.intercept() - share / (1 - share), within(1e-3));
        assertThat(game.leaderLoss(solution.rule(), ONE))
                .isCloseTo(
                        solution.certificate().objective(),
                        within(1e-8 * solution.certificate().objective()));
    }

    /** Fewer people than features: every wish can be undone, and a rule explains the target exactly. */
    @Test
    void wideDataHaveAFiniteRuleAsGoodAsTheLimitPoint() {
        double[][] x = features(6, 12);
        double[] y = target(x, 1);
        double[] z = Arrays.stream(y).map(v -> v + 2).toArray();
        for (double gamma : new double[] {1, 100, 1e4}) {
            var solution =
                    solve(PredictionGame.of(DenseMatrix.of(x), y, z, gamma).withIntercept(), "auto");
            String what = gamma + ": " + solution.certificate();
            assertThat(solution.certificate().finiteness()).as(what).isEqualTo(Certificate.Finiteness.FINITE);
            assertThat(solution.certificate().certified(1e-9)).as(what).isTrue();
        }
    }
}
