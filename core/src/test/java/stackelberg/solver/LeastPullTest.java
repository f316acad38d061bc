package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.game.LinearRule;
import stackelberg.game.NelderMead;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Among optimal points the one with the smallest pull-through, against formulas, brute force and every other optimal point. */
class LeastPullTest {
    private static final Workers ONE = Workers.of(1);

    private static Solution solve(PredictionGame game, String solver) {
        return new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                .run(Reduction.of(game, ONE), game.gamma())
                .solutions()
                .get(0);
    }

    private static String text(Solution solution) {
        return solution.certificate() + " " + solution.tie() + " at "
                + Arrays.toString(solution.result().r());
    }

    /** Wishes Xa + Vb: what people can change and what not. */
    private static PredictionGame linear(Random random, int m, int n, int immutables, double[] a, double gamma) {
        PredictionGame plain = RandomGame.plain(random, m, n, gamma);
        double[][] v = new double[immutables][];
        Arrays.setAll(v, k -> RandomGame.normal(random, m));
        double[][] x = RandomGame.rows(plain);
        double[] z = new double[m];
        for (int i = 0; i < m; i++) {
            z[i] = 3 + Vectors.dot(a, x[i]);
            for (int k = 0; k < immutables; k++) {
                z[i] += (k + 1) * v[k][i];
            }
        }
        return PredictionGame.of(plain.x(), plain.y(), z, gamma)
                .withCosts(RandomGame.positive(random, n))
                .withImmutable(v)
                .withIntercept()
                .withWeights(RandomGame.positive(random, m));
    }

    /** Coefficients of the features in least squares on features, immutable columns and a constant. */
    private static double[] leastSquares(PredictionGame game) {
        double[][] x = RandomGame.rows(game);
        double[][] v = game.immutable();
        int n = x[0].length;
        double[][] all = new double[x.length][];
        for (int i = 0; i < x.length; i++) {
            all[i] = Arrays.copyOf(x[i], n + v.length + 1);
            for (int k = 0; k < v.length; k++) {
                all[i][n + k] = v[k][i];
            }
            all[i][n + v.length] = 1;
        }
        return Arrays.copyOf(NormalEquations.solve(all, game.y(), game.weights()), n);
    }

    /** f* is the loss of least squares without moves iff (2w'a + gamma)^2 >= 4(a'a + gamma)w'w; then t is the smaller root, otherwise the answer is unique. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "krylov", "cd-admm"})
    void aLinearWishIsCancelledIfAndOnlyIfGammaIsLargeEnough(String solver) {
        Random random = new Random(18_001);
        int undone = 0;
        int bound = 0;
        for (int k = 0; k < 60; k++) {
            int n = 1 + k % 4;
            double[] a = RandomGame.normal(random, n);
            Vectors.scale(random.nextInt(3), a);
            double gamma = Math.pow(10, 4 * random.nextDouble() - 2);
            PredictionGame game = linear(random, 12 + random.nextInt(20), n, k % 3, a, gamma);
            double[] w = leastSquares(game);
            double[] costs = game.costs();
            double ww = 0;
            double wa = 0;
            double aa = 0;
            for (int j = 0; j < n; j++) {
                ww += w[j] * w[j] / costs[j];
                wa += w[j] * a[j] / costs[j];
                aa += a[j] * a[j] / costs[j];
            }
            double square = (2 * wa + gamma) * (2 * wa + gamma) - 4 * (aa + gamma) * ww;
            if (Math.abs(square) < 1e-4 * gamma * gamma) {
                continue;
            }
            Reduction reduction = Reduction.of(game, ONE);
            double loss = game.honestLoss(reduction.naiveRule(scaled(w, costs)), ONE);
            var solution = solve(game, solver);
            String what = "game " + k + ", " + square + ": " + text(solution);
            assertThat(solution.certificate().certified(1e-9)).as(what).isTrue();
            double objective = solution.certificate().objective();
            if (square >= 0 && 2 * wa + gamma > 0) {
                undone++;
                assertThat(objective).as(what).isCloseTo(loss, within(1e-9 * loss));
                assertThat(game.pullThrough(solution.rule()))
                        .as(what)
                        .isCloseTo((2 * wa + gamma - Math.sqrt(square)) / (2 * (aa + gamma)), within(1e-8));
                assertThat(solution.tie()).as(what).isPresent();
                assertThat(solution.certificate().unique()).as(what).isFalse();
                assertThat(solution.certificate().finite()).as(what).isTrue();
            } else {
                bound++;
                assertThat(objective).as(what).isGreaterThan(loss * (1 + 1e-9));
                assertThat(solution.certificate().unique()).as(what).isTrue();
                assertThat(solution.tie()).as(what).isEmpty();
            }
        }
        assertThat(undone).isGreaterThan(15);
        assertThat(bound).isGreaterThan(15);
    }

    private static double[] scaled(double[] w, double[] costs) {
        double[] scaled = w.clone();
        Arrays.setAll(scaled, j -> w[j] / Math.sqrt(costs[j]));
        return scaled;
    }

    /** Every rule within 1e-8 of the least loss that a local search finds from a hundred starts is pulled as much or more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void noEquallyGoodRuleHasASmallerPullThrough(int n) {
        Random random = new Random(18_002);
        int tied = 0;
        for (int k = 0; k < 12; k++) {
            double[] a = RandomGame.normal(random, n);
            // every third wish is no tie
            PredictionGame game = k % 3 == 2
                    ? RandomGame.plain(random, 15, n, 1).withIntercept()
                    : linear(random, 15, n, 0, a, Math.pow(10, 2 * random.nextDouble()));
            var solution = solve(game, "auto");
            double[][] x = RandomGame.rows(game);
            double[] y = game.y();
            double[] z = game.z();
            double[] weights = game.weights();
            double loss = game.leaderLoss(solution.rule(), ONE);
            double t = game.pullThrough(solution.rule());
            double least = t;
            double most = t;
            for (int start = 0; start < 100; start++) {
                double[] from = RandomGame.normal(random, n + 1);
                Vectors.scale(Math.pow(10, 4 * random.nextDouble() - 2), from);
                double[] to = NelderMead.minimise(
                        v -> lossOf(game, x, y, z, weights, v), from, 0.1 * (1 + Vectors.norm(from)));
                double found = lossOf(game, x, y, z, weights, to);
                assertThat(found).as(text(solution)).isGreaterThan(loss * (1 - 1e-9));
                if (found <= loss * (1 + 1e-8)) {
                    least = Math.min(least, game.pullThrough(rule(to)));
                    most = Math.max(most, game.pullThrough(rule(to)));
                }
            }
            String what = "game " + k + ": " + text(solution);
            assertThat(t - least).as(what).isLessThan(2e-3);
            tied += most > t + 0.01 ? 1 : 0;
            assertThat(solution.tie().isPresent() || most <= t + 0.01).as(what).isTrue();
        }
        assertThat(tied).isGreaterThan(3);
    }

    private static LinearRule rule(double[] v) {
        return new LinearRule(Arrays.copyOf(v, v.length - 1), new double[0], v[v.length - 1]);
    }

    /** By the definition, without the library. */
    private static double lossOf(
            PredictionGame game, double[][] x, double[] y, double[] z, double[] weights, double[] v) {
        double[] costs = game.costs();
        int n = costs.length;
        double omega = 0;
        for (int j = 0; j < n; j++) {
            omega += v[j] * v[j] / costs[j];
        }
        double t = omega / (game.gamma() + omega);
        double loss = 0;
        for (int i = 0; i < x.length; i++) {
            double prediction = v[n];
            for (int j = 0; j < n; j++) {
                prediction += v[j] * x[i][j];
            }
            double off = (1 - t) * prediction + t * z[i] - y[i];
            loss += weights[i] * off * off;
        }
        return Double.isNaN(loss) ? Double.POSITIVE_INFINITY : loss;
    }

    static List<String> solvers() {
        return Solvers.names();
    }

    /** The hard case, lambda = -lambda_min < 0: two points, of which the one with the smaller last entry is taken. */
    @ParameterizedTest
    @MethodSource("solvers")
    void ofTheTwoHardCaseSolutionsTheOneWithTheSmallerPullThroughIsChosen(String solver) {
        Random random = new Random(18_003);
        int mirrored = 0;
        for (int k = 0; k < 12; k++) {
            PlantedGame planted = PlantedGame.of(random, 30, 1 + k % 5, 20, 2, PlantedGame.Case.HARD, 1);
            var solution = solve(planted.game(), solver);
            SphereProblem problem = Reduction.of(planted.game(), ONE).family().at(2);
            double[] u = SymmetricEigen.of(problem.hessian(), ONE).vectors().column(0);
            int last = planted.r().length - 1;
            double[] other = planted.r().clone();
            Vectors.axpy(-2 * Vectors.dot(u, other), u, other);
            double least = Math.min(planted.r()[last], other[last]);
            mirrored += other[last] < planted.r()[last] ? 1 : 0;
            assertThat(solution.result().r()[last])
                    .as(k + ": " + text(solution))
                    .isCloseTo(least, within(1e-6));
            assertThat(solution.certificate().certified(1e-9)).isTrue();
        }
        assertThat(mirrored).isBetween(2, 10);
    }

    /** z = 2y: r and -r lose the same, and so do t and 1 - t. */
    @ParameterizedTest
    @MethodSource("solvers")
    void aWishOfTwiceTheTargetHasAPullThroughBelowOneHalf(String solver) {
        Random random = new Random(18_004);
        for (int k = 0; k < 6; k++) {
            PredictionGame plain = RandomGame.plain(random, 25, 3, 1);
            double[] z = Arrays.stream(plain.y()).map(v -> 2 * v).toArray();
            PredictionGame game = PredictionGame.of(plain.x(), plain.y(), z, 1);
            var solution = solve(game, solver);
            assertThat(game.pullThrough(solution.rule())).as(text(solution)).isLessThan(0.5);
            assertThat(solution.certificate().certified(1e-9))
                    .as(text(solution))
                    .isTrue();
        }
    }

    /** A wish that is linear but for its eleventh digit: the other end may be better, by less than the tolerance. */
    @ParameterizedTest
    @MethodSource("solvers")
    void nearTiesWithinTheToleranceAreTies(String solver) {
        Random random = new Random(18_005);
        for (int k = 0; k < 4; k++) {
            PredictionGame plain = RandomGame.plain(random, 60, 3, 1).withIntercept();
            double[] w = leastSquares(plain);
            double share = 0.2 + 0.2 * k;
            double gamma = Vectors.dot(w, w) * (1 - share) / share;
            double[] z = plain.predict(Reduction.of(plain, ONE).naiveRule(w), ONE);
            for (int i = 0; i < z.length; i++) {
                z[i] += 1 + 1e-11 * random.nextGaussian();
            }
            var game = PredictionGame.of(plain.x(), plain.y(), z, gamma).withIntercept();
            var solution = solve(game, solver);
            assertThat(game.pullThrough(solution.rule())).as(text(solution)).isCloseTo(share, within(1e-8));
            assertThat(solution.certificate().certified(1e-9))
                    .as(text(solution))
                    .isTrue();
            assertThat(solution.tie().orElseThrow().kind()).isEqualTo(Solution.Tie.Kind.TODAY);
        }
    }

    /** Fewer people than features: every wish is linear in them, and every optimal point is pulled as much or more. */
    @Test
    void inWideGamesThePointOfLeastPullOnASphereOfOptimaIsChosen() {
        Random random = new Random(18_006);
        for (double gamma : new double[] {30, 1000}) {
            PredictionGame game = RandomGame.plain(random, 8, 14, gamma).withIntercept();
            var solution = solve(game, "auto");
            assertThat(solution.certificate().certified(1e-9))
                    .as(text(solution))
                    .isTrue();
            SymmetricEigen eigen =
                    SymmetricEigen.of(Reduction.of(game, ONE).family().at(gamma).hessian(), ONE);
            double[] r = solution.result().r();
            int d = r.length;
            int free = (int) Arrays.stream(eigen.values())
                    .filter(h -> h < 1e-10 * eigen.values()[d - 1])
                    .count();
            assertThat(free).isEqualTo(8);
            double[] fixed = r.clone();
            double[] inside = new double[d];
            for (int i = 0; i < free; i++) {
                double[] q = eigen.vectors().column(i);
                Vectors.axpy(Vectors.dot(q, r), q, inside);
            }
            Vectors.axpy(-1, inside, fixed);
            for (int trial = 0; trial < 1000; trial++) {
                double[] direction = RandomGame.unit(random, free);
                double last = fixed[d - 1];
                for (int i = 0; i < free; i++) {
                    last += Vectors.norm(inside)
                            * direction[i]
                            * eigen.vectors().get(d - 1, i);
                }
                assertThat(last).isGreaterThanOrEqualTo(r[d - 1] - 1e-9);
            }
        }
    }

    /** More features than are decomposed for it: least squares by conjugate gradients, for a path of gammas once. */
    @Test
    void manyFeaturesAreCertifiedAsWell() {
        Random random = new Random(18_007);
        PredictionGame any = RandomGame.plain(random, 1500, 600, 1);
        double[] truth = RandomGame.normal(random, 600);
        double[] y = RandomGame.normal(random, 1500);
        double[][] x = RandomGame.rows(any);
        Arrays.setAll(y, i -> y[i] + 0.1 * Vectors.dot(truth, x[i]));
        PredictionGame plain = PredictionGame.of(any.x(), y, y, 1).withIntercept();
        Reduction before = Reduction.of(plain, ONE);
        double[] w = new DirectSolver(ONE).leastSquares(before.family());
        double[] z = plain.predict(before.naiveRule(w), ONE);
        for (int i = 0; i < z.length; i++) {
            z[i] += 30;
        }
        double[] shares = {0.1, 0.6};
        double[] gammas =
                Arrays.stream(shares).map(s -> Vectors.dot(w, w) * (1 - s) / s).toArray();
        var game = PredictionGame.of(plain.x(), plain.y(), z, 1).withIntercept();
        var run = new Pipeline(Solvers.named("auto", ONE), SolverOptions.DEFAULT).run(Reduction.of(game, ONE), gammas);
        for (int k = 0; k < shares.length; k++) {
            var solution = run.solutions().get(k);
            assertThat(game.withGamma(gammas[k]).pullThrough(solution.rule()))
                    .as(text(solution))
                    .isCloseTo(shares[k], within(1e-9));
            assertThat(solution.certificate().certified(1e-9))
                    .as(text(solution))
                    .isTrue();
            assertThat(solution.rule().intercept())
                    .isCloseTo(before.naiveRule(w).intercept() - 30 * shares[k] / (1 - shares[k]), within(1e-7));
        }
    }
}
