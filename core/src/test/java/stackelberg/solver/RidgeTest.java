package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.MixedGame;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The ridge mu (||u||^2 + gamma t^2), which on the sphere is linear, against the rows it stands for and against people who move. */
class RidgeTest {
    private static final Workers ONE = Workers.of(1);
    private static final double[] RIDGES = {1e-3, 0.1, 1, 30, 1e4};

    /** A row sqrt(mu) e_j for every cost-scaled feature, of somebody who is 0, wishes 0 and has no intercept; and wish noise of variance mu gamma. */
    private static PredictionGame withRows(PredictionGame game, double mu) {
        double[][] x = RandomGame.rows(game);
        int m = x.length;
        int n = game.x().cols();
        double[][] rows = Arrays.copyOf(x, m + n + 1);
        for (int j = 0; j <= n; j++) {
            rows[m + j] = new double[n];
            if (j < n) {
                rows[m + j][j] = Math.sqrt(mu / game.costs()[j]);
            }
        }
        double[] weights = Arrays.copyOf(game.weights(), m + n + 1);
        Arrays.fill(weights, m, m + n + 1, 1);
        double[] noise = Arrays.copyOf(game.wishNoise(), m + n + 1);
        noise[m + n] = Math.sqrt(mu * game.gamma());
        List<double[]> immutable = new ArrayList<>();
        if (game.hasIntercept()) {
            double[] ones = new double[m];
            Arrays.fill(ones, 1);
            immutable.add(Arrays.copyOf(ones, m + n + 1));
        }
        for (double[] column : game.immutable()) {
            immutable.add(Arrays.copyOf(column, m + n + 1));
        }
        return PredictionGame.of(
                        DenseMatrix.of(rows),
                        Arrays.copyOf(game.y(), m + n + 1),
                        Arrays.copyOf(game.z(), m + n + 1),
                        game.gamma())
                .withCosts(game.costs())
                .withImmutable(immutable.toArray(double[][]::new))
                .withWeights(weights)
                .withWishNoise(noise);
    }

    private static Solution solve(PredictionGame game, SphereSolver solver) {
        Reduction reduction = Reduction.of(game, ONE);
        return new Pipeline(solver, SolverOptions.DEFAULT)
                .run(reduction, game.gamma())
                .solutions()
                .get(0);
    }

    static List<String> solvers() {
        return Solvers.names();
    }

    @Test
    void aRidgeEqualsAppendedRows() {
        Random random = new Random(10_001);
        for (int trial = 0; trial < 200; trial++) {
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            double mu = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, 6 + random.nextInt(30), 1 + random.nextInt(8), 2, gamma);
            Solution tilted = solve(game.withRidge(mu), new DirectSolver(ONE));
            Solution rows = solve(withRows(game, mu), new DirectSolver(ONE));

            String what = "trial " + trial + ", gamma " + gamma + ", mu " + mu;
            assertThat(tilted.certificate().certified(1e-9)).as(what).isTrue();
            assertThat(tilted.certificate().objective())
                    .as(what)
                    .isCloseTo(
                            rows.certificate().objective(),
                            within(1e-12 * rows.certificate().objective()));
            double[] expected = rows.rule().w();
            double[] actual = tilted.rule().w();
            double size = Arrays.stream(expected).map(Math::abs).max().orElse(0);
            assertThat(actual).as(what).containsExactly(expected, within(1e-7 * size));
        }
    }

    @Test
    void theObjectiveIsTheLossAfterMovesPlusThePenalty() {
        Random random = new Random(10_002);
        for (int trial = 0; trial < 300; trial++) {
            double gamma = Math.pow(10, -6 + 14 * random.nextDouble());
            double mu = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, 6 + random.nextInt(30), 1 + random.nextInt(8), 2, gamma)
                    .withRidge(mu);
            Solution solution = solve(game, new DirectSolver(ONE));
            double paid = game.leaderLoss(solution.rule(), ONE) + game.penalty(solution.rule());

            assertThat(solution.certificate().objective())
                    .as("trial " + trial + ", gamma " + gamma + ", mu " + mu)
                    .isCloseTo(paid, within(1e-10 * paid));
        }
    }

    @Test
    void noOtherRuleHasASmallerPenalisedLoss() {
        Random random = new Random(10_003);
        for (int trial = 0; trial < 40; trial++) {
            double gamma = Math.pow(10, -2 + 4 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, 20, 1 + random.nextInt(3), 1, gamma)
                    .withRidge(Math.pow(10, -2 + 4 * random.nextDouble()));
            Solution best = solve(game, new DirectSolver(ONE));
            double least = best.certificate().objective();
            for (int start = 0; start < 200; start++) {
                double step = Math.pow(10, -6 + 7 * random.nextDouble());
                double[] w = best.rule().w();
                double[] q = best.rule().q();
                double intercept = best.rule().intercept() + step * random.nextGaussian();
                Arrays.setAll(w, j -> best.rule().w()[j] + step * random.nextGaussian());
                Arrays.setAll(q, j -> best.rule().q()[j] + step * random.nextGaussian());
                LinearRule other = new LinearRule(w, q, intercept);
                assertThat(game.leaderLoss(other, ONE) + game.penalty(other))
                        .isGreaterThanOrEqualTo(least * (1 - 1e-12));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void everySolverSupportsARidge(String name) {
        Random random = new Random(10_004);
        for (double mu : RIDGES) {
            for (double gamma : new double[] {0.05, 1, 20}) {
                PredictionGame game =
                        RandomGame.general(random, 25, 6, 1, gamma).withRidge(mu);
                Solution expected = solve(game, new DirectSolver(ONE));
                Solution actual = solve(game, Solvers.named(name, ONE));
                assertThat(actual.certificate().objective())
                        .as(name + " at ridge " + mu + ", gamma " + gamma)
                        .isCloseTo(
                                expected.certificate().objective(),
                                within(1e-7 * expected.certificate().objective()));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 12})
    void gammasAndRidgesShareOneBasisOrDecomposition(int m) {
        Random random = new Random(10_005);
        PredictionGame game = RandomGame.general(random, m, 20, 1, 1);
        SphereFamily family = Reduction.of(game, ONE).family();
        List<SphereProblem> grid = new ArrayList<>();
        for (double mu : RIDGES) {
            for (double gamma : new double[] {1e-2, 1, 1e3}) {
                grid.add(family.withRidge(mu).at(gamma));
            }
        }
        List<SphereResult> krylov = new KrylovSolver(ONE).solveAll(grid, SolverOptions.DEFAULT, ProgressListener.NONE);
        List<SphereResult> direct = new DirectSolver(ONE).solveAll(grid, SolverOptions.DEFAULT, ProgressListener.NONE);
        double[][] points = krylov.stream().map(SphereResult::r).toArray(double[][]::new);
        Certificate[] together = Certificate.ofAll(grid, points);
        for (int i = 0; i < points.length; i++) {
            Certificate alone = Certificate.of(grid.get(i), direct.get(i).r());
            assertThat(together[i].certified(1e-9)).as("cell " + i).isTrue();
            assertThat(together[i].objective()).isCloseTo(alone.objective(), within(1e-9 * alone.objective()));
        }
    }

    @Test
    void aGrowingRidgeApproachesTheZeroRule() {
        PredictionGame game = RandomGame.general(new Random(10_006), 30, 4, 1, 2);
        double before = Double.POSITIVE_INFINITY;
        double nothing = Reduction.of(game, ONE).family().yy();
        for (double mu : new double[] {0, 1, 100, 1e4, 1e8}) {
            Solution solution = solve(game.withRidge(mu), new DirectSolver(ONE));
            double t = game.pullThrough(solution.rule());
            assertThat(t).isLessThan(before);
            assertThat(solution.certificate().objective()).isLessThanOrEqualTo(nothing * (1 + 1e-12));
            before = t;
        }
        assertThat(before).isLessThan(1e-12);
    }

    @Test
    void largeGammasApproachRidgeRegression() {
        PredictionGame game =
                RandomGame.general(new Random(10_007), 40, 5, 1, 1e12).withRidge(3);
        double[] w = solve(game, new DirectSolver(ONE)).rule().w();
        // min ||S^{1/2}(X w + V q - y)||^2 + mu w'C^{-1}w: the same as rows sqrt(mu) e_j, for people who do not move
        PredictionGame honest = withRows(game.withRidge(0).withGamma(1e12), 3).withWishNoise(0);
        double[] expected =
                new DirectSolver(ONE).leastSquares(Reduction.of(honest, ONE).family());
        double[] costs = game.costs();
        for (int j = 0; j < w.length; j++) {
            assertThat(w[j]).isCloseTo(expected[j] * Math.sqrt(costs[j]), within(1e-9));
        }
    }

    @Test
    void theRidgeAppliesToTruthfulRowsToo() {
        Random random = new Random(10_008);
        for (int trial = 0; trial < 12; trial++) {
            double gamma = Math.pow(10, -1 + 2 * random.nextDouble());
            double share = 0.05 + 0.9 * random.nextDouble();
            PredictionGame uniform = RandomGame.general(random, 25, 1 + random.nextInt(3), 1, gamma)
                    .withRidge(Math.pow(10, -1 + 3 * random.nextDouble()));
            PredictionGame mixed = uniform.withPopulation(Population.ofOneGamma(25, gamma, share));
            MixedGame game = new MixedGame(mixed);
            Solution best = game.solve(SolverOptions.DEFAULT);
            LinearRule rule = best.rule();
            double paid = mixed.leaderLoss(rule, ONE) + mixed.penalty(rule);

            assertThat(best.certificate().certified(1e-9)).as("trial " + trial).isTrue();
            assertThat(best.certificate().objective()).isCloseTo(paid, within(1e-10 * paid));
            assertThat(best.loss()).isCloseTo(mixed.leaderLoss(rule, ONE), within(1e-10 * paid));
            for (int start = 0; start < 300; start++) {
                double step = Math.pow(10, -6 + 7 * random.nextDouble());
                double[] w = rule.w();
                double[] q = rule.q();
                Arrays.setAll(w, j -> rule.w()[j] + step * random.nextGaussian());
                Arrays.setAll(q, j -> rule.q()[j] + step * random.nextGaussian());
                LinearRule other = new LinearRule(w, q, rule.intercept() + step * random.nextGaussian());
                assertThat(mixed.leaderLoss(other, ONE) + mixed.penalty(other))
                        .isGreaterThanOrEqualTo(paid * (1 - 2e-9));
            }
            Certificate again = game.recheck(best).certificate();
            assertThat(again.certified(1e-9)).as("trial " + trial + " again").isTrue();
        }
    }

    /** The penalty is one of omega alone: features that depend on one another do not blur the proof. */
    @Test
    void ridgeWithTruthfulRowsIsProvenForDependentColumnsAndWideData() {
        Random random = new Random(125_005);
        for (int trial = 0; trial < 8; trial++) {
            int m = trial % 2 == 0 ? 25 : 6;
            double[][] rows = new double[m][];
            for (int i = 0; i < m; i++) {
                double[] row = RandomGame.normal(random, 8);
                row[1] = row[0];
                rows[i] = row;
            }
            double[] y = RandomGame.normal(random, m);
            double[] z = Arrays.stream(y)
                    .map(value -> value + 1 + random.nextDouble())
                    .toArray();
            PredictionGame uniform = PredictionGame.of(DenseMatrix.of(rows), y, z, 1)
                    .withIntercept()
                    .withRidge(Math.pow(10, -1 + 2 * random.nextDouble()));
            PredictionGame mixed = uniform.withPopulation(Population.ofOneGamma(m, 1, 0.3));
            Certificate certificate =
                    new MixedGame(mixed).solve(SolverOptions.DEFAULT).certificate();
            assertThat(certificate.certified(1e-9))
                    .as("trial " + trial + " " + certificate)
                    .isTrue();
        }
    }

    @Test
    void aNegativeRidgeIsRefused() {
        assertThatThrownBy(() -> RandomGame.plain(new Random(1), 5, 2, 1).withRidge(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ridge is -1.0");
    }
}
