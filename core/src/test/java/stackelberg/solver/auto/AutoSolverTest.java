package stackelberg.solver.auto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.DirectComparison;
import stackelberg.solver.KnownProblem;
import stackelberg.solver.PaperGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.RandomGame;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

class AutoSolverTest {
    private static final Workers ONE = Workers.of(1);
    private static final AutoSolver AUTO = new AutoSolver(ONE);
    private static final SolverOptions OPTIONS = SolverOptions.DEFAULT;

    @Test
    void isTheDefault() {
        assertThat(Solvers.names().get(0)).isEqualTo("auto");
        for (String name : Solvers.names()) {
            assertThat(Solvers.named(name, ONE).name()).isEqualTo(name);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Solvers.named("krilov", ONE))
                .withMessageContaining("krylov");
    }

    @Test
    void takesTheDirectRouteWhereOneSideIsSmall() {
        Random random = new Random(42_001);
        SphereResult tall = AUTO.solve(family(random, 300, 11).at(1), OPTIONS, ProgressListener.NONE);
        assertThat(tall.note()).isEqualTo("direct, because the smaller side is 12");
        SphereResult wide = AUTO.solve(family(random, 9, 40).at(1), OPTIONS, ProgressListener.NONE);
        assertThat(wide.note()).startsWith("direct, because the smaller side is 9");
    }

    @Test
    void takesTheKrylovRouteWhereFewPassesSuffice() {
        SphereFamily family = family(new Random(42_002), 700, 600);
        SphereResult result = AUTO.solve(family.at(0.1), OPTIONS, ProgressListener.NONE);
        assertThat(result.note()).isEqualTo("krylov, because the smaller side is 601");
        assertThat(result.effort().factorisations()).isZero();
        assertThat(Certificate.of(family.at(0.1), result.r()).certified(1e-9)).isTrue();
    }

    @Test
    void passesGammasThatDoNotConvergeToDirect() {
        var game = PaperGame.scaledDown(new Random(42_003), 700, 520, 1);
        SphereFamily family = Reduction.of(game, ONE).family();
        double[] gammas = {1e-4, 1e4};
        List<SphereResult> results = AUTO.solvePath(family, gammas, OPTIONS, ProgressListener.NONE);
        assertThat(results.get(0).note()).startsWith("krylov, because");
        assertThat(results.get(1).note()).startsWith("direct, because").contains("had not settled");
        assertThat(results.get(1).effort().factorisations()).isEqualTo(1);
        for (int i = 0; i < gammas.length; i++) {
            assertThat(results.get(i).status()).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(Certificate.of(family.at(gammas[i]), results.get(i).r()).certified(1e-9))
                    .isTrue();
        }
    }

    @Test
    void handsOverToDirectWhenTheBasisIsFull() {
        var game = PaperGame.scaledDown(new Random(42_004), 700, 520, 1);
        SphereFamily family = Reduction.of(game, ONE).family();
        long eightVectors = 8L * 8 * family.features();
        var small = new KrylovSolver(ONE, KrylovSolver.Options.DEFAULT.withBasisBytes(eightVectors));
        SphereResult result = new AutoSolver(new DirectSolver(ONE), small)
                .solvePath(family, new double[] {1}, OPTIONS, ProgressListener.NONE)
                .get(0);
        assertThat(result.note())
                .startsWith("direct, because")
                .contains("krylov, because")
                .contains("the memory for the basis is used up");
        assertThat(Certificate.of(family.at(1), result.r()).certified(1e-9)).isTrue();
    }

    /** Six people count, by 1e-9 to 1e9: krylov's space is soon exhausted, and its small problem has lost the digits of the small ones. */
    @Test
    void handsOverToDirectWhenTheSpaceIsExhaustedAndTheDataDoesNotConfirm() {
        Random random = new Random(42_124);
        int size = 520;
        double[][] x = new double[size][size];
        double[] y = new double[size];
        double[] z = new double[size];
        double[] weights = new double[size];
        for (int i = 0; i < size; i++) {
            weights[i] = i < 6 ? Math.pow(10, -9 + 18 * random.nextDouble()) : 0;
            for (int j = 0; j < 5; j++) {
                x[i][j] = random.nextGaussian();
            }
            y[i] = random.nextGaussian();
            z[i] = random.nextGaussian();
        }
        var game = PredictionGame.of(DenseMatrix.of(x), y, z, 1)
                .withWeights(weights)
                .withIntercept();
        SphereFamily family = Reduction.of(game, ONE).family();
        SphereResult alone = new KrylovSolver(ONE).solve(family.at(10), OPTIONS, ProgressListener.NONE);
        assertThat(Certificate.of(family.at(10), alone.r()).certified(1e-9)).isFalse();
        assertThat(alone.status()).isEqualTo(SphereResult.Status.STALLED);
        assertThat(alone.note()).contains("rounding");
        SphereResult result = AUTO.solve(family.at(10), OPTIONS, ProgressListener.NONE);
        assertThat(result.note()).startsWith("direct, because the point of the first choice (krylov, because");
        assertThat(Certificate.of(family.at(10), result.r()).certified(1e-9)).isTrue();
    }

    /** At this gamma moves are almost 0, and its size alone was once taken for rounding, so that the command compare decomposed a matrix of thousands of rows. */
    @Test
    void largeGammaIsSolvedByKrylovWithoutDecomposition() {
        SphereProblem problem = sparse(1e10, 1e-6);
        SphereResult result = AUTO.solve(problem, OPTIONS, ProgressListener.NONE);
        double[] exact = new DirectSolver(ONE)
                .solve(problem, OPTIONS, ProgressListener.NONE)
                .r();

        assertThat(result.note()).startsWith("krylov, because the smaller side is 520");
        assertThat(result.effort().factorisations()).isZero();
        double error = 0;
        double size = 0;
        for (int j = 0; j < 10_000; j++) {
            error += (result.r()[j] - exact[j]) * (result.r()[j] - exact[j]);
            size += exact[j] * exact[j];
        }
        assertThat(Math.sqrt(error)).isLessThan(1e-9 * Math.sqrt(size));
    }

    /** What rounding may hide here is more than the tolerance, so that no step brings more than the first that comes so near. */
    @Test
    void stopsWhenOnlyRoundingIsLeft() {
        SphereProblem problem = sparse(1e13, 1e-9);
        SphereResult result = AUTO.solve(problem, OPTIONS, ProgressListener.NONE);
        Evaluation at = problem.evaluate(result.r());

        assertThat(result.status()).isEqualTo(SphereResult.Status.STALLED);
        assertThat(result.note()).startsWith("krylov, because").contains("the rounding of the data is reached");
        assertThat(Stationarity.of(result.r(), at).residual()).isLessThan(problem.gradientRounding(result.r()));
        assertThat(result.effort().factorisations()).isZero();
        assertThat(result.effort().passes()).isLessThan(result.effort().iterations() + 4);
    }

    /** Few entries of many in each row, and a ridge for each of 520 people. */
    private static SphereProblem sparse(double gamma, double ridge) {
        Random random = new Random(42_149);
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] y = new double[520];
        for (int i = 0; i < y.length; i++) {
            for (int first = 0; first < 10_000; first += 400) {
                int j = first + random.nextInt(400);
                double value = random.nextBoolean() ? 1 : -1;
                builder.put(j, 10 * value);
                y[i] += 0.2 * (j % 3 - 1) * value;
            }
            builder.endRow();
        }
        var game = PredictionGame.of(builder.build(10_000), y, new double[520], gamma)
                .withWishNoise(1)
                .withIntercept();
        return Reduction.of(game, ONE).family().withRidge(520 * ridge).at(gamma);
    }

    @Test
    void triesKrylovWhereTheDataDoesNotConfirmDirect() {
        // a direct solver that is wrong
        SphereSolver wrong = new SphereSolver() {
            @Override
            public String name() {
                return "direct";
            }

            @Override
            public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
                double[] r = new double[problem.dimension()];
                r[0] = 0.6;
                r[r.length - 1] = -0.8;
                return new SphereResult(r, SphereResult.Status.CONVERGED, new SphereResult.Effort(1, 1, 1, 0), "");
            }
        };
        SphereFamily family = family(new Random(42_004), 50, 10);
        SphereResult result =
                new AutoSolver(wrong, new KrylovSolver(ONE)).solve(family.at(0.1), OPTIONS, ProgressListener.NONE);
        assertThat(result.note()).startsWith("krylov, because the point of the first choice (direct, because");
        assertThat(Certificate.of(family.at(0.1), result.r()).certified(1e-9)).isTrue();
    }

    @Test
    void stopsWhenTheListenerStopsIt() {
        SphereResult result = AUTO.solve(
                family(new Random(42_005), 700, 600).at(0.1), OPTIONS, progress -> ProgressListener.Decision.STOP);
        assertThat(result.status()).isEqualTo(SphereResult.Status.STOPPED_BY_LISTENER);
        assertThat(result.effort().factorisations()).isZero();
    }

    @Test
    void agreesWithDirectOnGamesOfEveryKind() {
        Random random = new Random(42_006);
        for (int trial = 0; trial < 100; trial++) {
            DirectComparison.check("trial " + trial, AUTO, RandomGame.of(random), 1e-4, 1e-2, 1, 100, 1e4);
        }
    }

    @Test
    void diagonalisesAProblemThatIsGivenByItsMatrix() {
        var problem = KnownProblem.all().get(0).problem();
        SphereResult result = AUTO.solve(problem, OPTIONS, ProgressListener.NONE);
        assertThat(result.note()).isEqualTo("direct, because the smaller side is 2");
        assertThat(result.r())
                .isEqualTo(new DirectSolver(ONE)
                        .solve(problem, OPTIONS, ProgressListener.NONE)
                        .r());
    }

    private static SphereFamily family(Random random, int m, int n) {
        if (m < n) {
            double[][] x = new double[m][];
            for (int i = 0; i < m; i++) {
                x[i] = RandomGame.normal(random, n, 1);
            }
            double[] y = RandomGame.normal(random, m, 1);
            return Reduction.of(PredictionGame.of(DenseMatrix.of(x), y, RandomGame.normal(random, m, 1), 1), ONE)
                    .family();
        }
        return Reduction.of(PaperGame.dense(random, m, n, 1), ONE).family();
    }
}
