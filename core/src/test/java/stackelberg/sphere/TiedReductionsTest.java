package stackelberg.sphere;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.objective.Solution;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;

/** Rows at hand, rows elsewhere and sums alone: of several optimal rules all three take the same, and no other game pays for it. */
class TiedReductionsTest {
    private static final Workers ONE = Workers.of(1);

    /** Today's prediction plus what an immutable column says, at a gamma that closes 30% of the gap. */
    private static PredictionGame today(int m, int n, double noise) {
        Random random = new Random(18_100);
        double[] group = RandomGame.normal(random, m);
        PredictionGame plain = RandomGame.plain(random, m, n, 1)
                .withCosts(RandomGame.positive(random, n))
                .withImmutable(group)
                .withIntercept()
                .withWeights(RandomGame.positive(random, m));
        Reduction reduction = Reduction.of(plain, ONE);
        double[] w = new DirectSolver(ONE).leastSquares(reduction.family());
        double[] z = plain.predict(reduction.naiveRule(w), ONE);
        for (int i = 0; i < m; i++) {
            z[i] += 2 + 3 * group[i] + noise * random.nextGaussian();
        }
        double gamma = Vectors.dot(w, w) * 0.7 / 0.3;
        return PredictionGame.of(plain.x(), plain.y(), z, gamma)
                .withCosts(plain.costs())
                .withImmutable(group)
                .withIntercept()
                .withWeights(plain.weights());
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "krylov", "cd-admm"})
    void allReductionsChooseTheSamePointOfATie(String solver) {
        PredictionGame game = today(80, 5, 0);
        RowsOfGame rows = new RowsOfGame(game);
        Map<String, Reduction> kinds =
                Map.of("at hand", Reduction.of(game, ONE), "elsewhere", rows.remotely(), "sums", rows.bySums());
        kinds.forEach((kind, reduction) -> {
            var solution = new Pipeline(Solvers.named(solver, ONE), SolverOptions.DEFAULT)
                    .run(reduction, game.gamma())
                    .solutions()
                    .get(0);
            String what = kind + ": " + solution.certificate() + " "
                    + Arrays.toString(solution.result().r());
            assertThat(game.pullThrough(solution.rule())).as(what).isCloseTo(0.3, within(1e-8));
            assertThat(solution.tie().orElseThrow().kind()).as(what).isEqualTo(Solution.Tie.Kind.TODAY);
            assertThat(solution.certificate().certified(1e-9)).as(what).isTrue();
        });
    }

    /** P takes all of the wish away, and its rounding is what is left of it. */
    @ParameterizedTest
    @ValueSource(doubles = {60, 1e4})
    void allReductionsRecogniseATieUnderAWishFarFromTheTarget(double wish) {
        PredictionGame plain = RandomGame.plain(new Random(18_101), 160, 4, 400);
        double[] z = new double[160];
        Arrays.fill(z, wish);
        PredictionGame game =
                PredictionGame.of(plain.x(), plain.y(), z, plain.gamma()).withIntercept();
        RowsOfGame rows = new RowsOfGame(game);
        double[] t = new double[3];
        List<Reduction> kinds = List.of(Reduction.of(game, ONE), rows.remotely(), rows.bySums());
        for (int k = 0; k < t.length; k++) {
            var solution = new Pipeline(Solvers.named("direct", ONE), SolverOptions.DEFAULT)
                    .run(kinds.get(k), game.gamma())
                    .solutions()
                    .get(0);
            t[k] = game.pullThrough(solution.rule());
            assertThat(solution.tie().orElseThrow().kind()).isEqualTo(Solution.Tie.Kind.ONE_WISH);
            // 4||e|| with e by the rounding of what P takes away, which for the larger wish is too much
            assertThat(solution.certificate().certified(1e-9)).isEqualTo(wish < 100);
        }
        assertThat(t[0]).isLessThan(0.1);
        assertThat(t[1]).isCloseTo(t[0], within(1e-8));
        assertThat(t[2]).isCloseTo(t[0], within(1e-8));
    }

    @Test
    void aGameWithAUniqueRuleReadsTheDataOnlyForSolverAndCertificate() {
        PredictionGame game = today(80, 5, 0.3);
        SphereSolver solver = Solvers.named("krylov", ONE);
        RowsOfGame rows = new RowsOfGame(game);
        List<SphereProblem> problems = rows.remotely().family().at(new double[] {game.gamma(), 3 * game.gamma()});
        int before = rows.reads();
        double[][] points = solver.solveAll(problems, SolverOptions.DEFAULT, ProgressListener.NONE).stream()
                .map(SphereResult::r)
                .toArray(double[][]::new);
        Certificate.ofAll(problems, points);
        int least = rows.reads() - before;
        RowsOfGame again = new RowsOfGame(game);
        Reduction reduction = again.remotely();
        before = again.reads();
        var run = new Pipeline(solver, SolverOptions.DEFAULT).run(reduction, game.gamma(), 3 * game.gamma());
        int recovered = again.reads() - before;
        assertThat(run.solutions()).allMatch(solution -> solution.certificate().unique());
        assertThat(recovered).isLessThanOrEqualTo(least + 2);
    }
}
