package stackelberg.solver.mixed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.game.LinearRule;
import stackelberg.game.MixedGame;
import stackelberg.game.NelderMead;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.Vectors;
import stackelberg.solver.Equilibrium;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.Status;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.MixedSphereReduction;
import stackelberg.sphere.SphereReduction;

/** The search over omega: against the exact reduction where it holds, against brute force where it does not. */
class OmegaSearchTest {
    private static final double TOLERANCE = SolverOptions.DEFAULT.tolerance();

    @Test
    void equalGammasGiveTheOrdinaryEquilibrium() {
        Random random = new Random(60_001);
        for (int trial = 0; trial < 40; trial++) {
            int n = 1 + random.nextInt(5);
            int m = n + 4 + random.nextInt(20);
            double gamma = Math.pow(10, -2 + 4 * random.nextDouble());
            PredictionGame game = RandomGame.general(random, m, n, random.nextInt(3), gamma);
            Equilibrium ordinary = Equilibrium.of(game);
            MixedGame mixed = new MixedGame(game, new Population(filled(m, gamma), 0));
            OmegaSearch.Result result = search(mixed);
            String what = "trial " + trial + ", n " + n + ", gamma " + gamma + ": " + describe(result) + " vs "
                    + ordinary.proof().objective();

            assertThat(result.objective())
                    .as(what)
                    .isCloseTo(
                            ordinary.proof().objective(),
                            within(1e-8 * ordinary.proof().objective()));
            assertProven(result, what);
            assertThat(mixed.leaderLoss(rule(mixed, result), Equilibrium.ONE))
                    .as(what)
                    .isCloseTo(result.objective(), within(1e-10 * result.objective()));
        }
    }

    @Test
    void noLocalSearchBeatsTheAnswerAndTheBestOfManyReachesIt() {
        Random random = new Random(60_002);
        for (int trial = 0; trial < 30; trial++) {
            int n = 1 + random.nextInt(3);
            int m = n + 4 + random.nextInt(6);
            PredictionGame game = RandomGame.general(random, m, n, random.nextInt(2), 1);
            MixedGame mixed = new MixedGame(game, population(random, m));
            OmegaSearch.Result result = search(mixed);
            String what = "trial " + trial + ", n " + n + ", " + describe(result) + " share "
                    + mixed.population().truthfulShare() + " gammas "
                    + Arrays.toString(mixed.population().gammas());
            assertProven(result, what);
            assertThat(mixed.leaderLoss(rule(mixed, result), Equilibrium.ONE))
                    .as(what)
                    .isCloseTo(result.objective(), within(1e-10 * result.objective()));

            MixedSphereReduction reduction = MixedSphereReduction.of(mixed, Equilibrium.ONE);
            double best = Double.POSITIVE_INFINITY;
            for (int start = 0; start < 10; start++) {
                double[] w0 = RandomGame.normal(random, n);
                double size = Math.pow(10, -1 + 2 * random.nextDouble());
                Vectors.scale(size, w0);
                double[] w = NelderMead.minimise(v -> loss(mixed, reduction, v), w0, 0.3 * size);
                best = Math.min(best, loss(mixed, reduction, w));
            }
            assertThat(best).as(what).isGreaterThan(result.objective() * (1 - 1e-9));
            assertThat(best).as(what).isCloseTo(result.objective(), within(1e-6 * result.objective()));
        }
    }

    private static double loss(MixedGame mixed, MixedSphereReduction reduction, double[] w) {
        return mixed.leaderLoss(reduction.recover(w), Equilibrium.ONE);
    }

    /** Gammas over four decades, some people who never move, and sometimes a share of the truthful. */
    private static Population population(Random random, int m) {
        double[] gammas = new double[m];
        boolean alike = random.nextInt(3) == 0;
        for (int i = 0; i < m; i++) {
            gammas[i] = i > 0 && alike ? gammas[0] : Math.pow(10, -2 + 4 * random.nextDouble());
            if (!alike && random.nextInt(5) == 0) {
                gammas[i] = Double.POSITIVE_INFINITY;
            }
        }
        return new Population(gammas, random.nextBoolean() ? random.nextDouble() : 0);
    }

    private static void assertProven(OmegaSearch.Result result, String what) {
        assertThat(result.status()).as(what).isEqualTo(Status.CONVERGED);
        assertThat(result.objective() - result.lowerBound())
                .as(what)
                .isLessThanOrEqualTo(TOLERANCE * result.objective());
    }

    private static LinearRule rule(MixedGame mixed, OmegaSearch.Result result) {
        return MixedSphereReduction.of(mixed, Equilibrium.ONE).recover(result.w());
    }

    static OmegaSearch.Result search(MixedGame mixed) {
        double p = SphereReduction.of(mixed.game(), Equilibrium.ONE).family().p();
        return OmegaSearch.of(
                MixedSphereReduction.of(mixed, Equilibrium.ONE),
                p,
                new DirectSolver(Equilibrium.ONE),
                SolverOptions.DEFAULT.withMaxIterations(5000),
                ProgressListener.NONE);
    }

    private static String describe(OmegaSearch.Result result) {
        return result.objective() + " bound " + result.lowerBound() + " after " + result.evaluations() + " "
                + result.status() + " omega " + Vectors.dot(result.w(), result.w()) + " lambda "
                + result.slice().multiplier();
    }

    private static double[] filled(int length, double value) {
        double[] values = new double[length];
        Arrays.fill(values, value);
        return values;
    }
}
