package stackelberg.objective.omega;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import stackelberg.LongRun;
import stackelberg.certificate.Certificate;
import stackelberg.game.LinearRule;
import stackelberg.game.NelderMead;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.solver.Equilibrium;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;

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
            PredictionGame mixed = game.withPopulation(new Population(filled(m, gamma), 0));
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
    void noLocalSearchBeatsTheSolutionAndTheBestOfManyReachesIt() {
        Random random = new Random(60_002);
        // 30 in a long run, -Dstackelberg.long=30
        for (int trial = 0; trial < LongRun.tries(3, 10); trial++) {
            int n = 1 + random.nextInt(3);
            int m = n + 4 + random.nextInt(6);
            PredictionGame game = RandomGame.general(random, m, n, random.nextInt(2), 1);
            double ridge = trial % 3 == 2 ? Math.pow(10, -2 + 3 * random.nextDouble()) : 0;
            PredictionGame mixed = game.withRidge(ridge).withPopulation(population(random, m));
            OmegaSearch.Result result = search(mixed);
            String what = "trial " + trial + ", n " + n + ", " + describe(result) + " share "
                    + mixed.population().truthfulShare() + " gammas "
                    + Arrays.toString(mixed.population().gammas());
            assertProven(result, what);
            assertThat(penalised(mixed, rule(mixed, result)))
                    .as(what)
                    .isCloseTo(result.objective(), within(1e-10 * result.objective()));

            MixedReduction reduction = MixedReduction.of(mixed, Equilibrium.ONE);
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

    @Test
    void aTruthfulShareOfOneGivesLeastSquares() {
        Random random = new Random(60_003);
        for (int trial = 0; trial < 10; trial++) {
            PredictionGame game = RandomGame.general(random, 20, 3, 1, 1);
            Reduction ordinary = Reduction.of(game, Equilibrium.ONE);
            double[] w = new DirectSolver(Equilibrium.ONE).leastSquares(ordinary.family());
            double loss = game.honestLoss(ordinary.naiveRule(w), Equilibrium.ONE);
            OmegaSearch.Result truthful = search(game.withPopulation(new Population(filled(20, 1), 1)));
            OmegaSearch.Result immovable =
                    search(game.withPopulation(new Population(filled(20, Double.POSITIVE_INFINITY), 0)));

            assertThat(truthful.objective()).isCloseTo(loss, within(1e-9 * loss));
            assertThat(immovable.objective()).isCloseTo(loss, within(1e-9 * loss));
            assertProven(truthful, describe(truthful));
            assertProven(immovable, describe(immovable));
            assertThat(truthful.w()).containsExactly(w, within(1e-3 * Vectors.norm(w)));
        }
    }

    @Test
    void splittingRowsIntoMovingAndTruthfulOnesEqualsATruthfulShare() {
        Random random = new Random(60_004);
        int m = 12;
        double share = 0.3;
        PredictionGame game = RandomGame.plain(random, m, 2, 1).withIntercept();
        double[][] rows = RandomGame.rows(game);
        double[][] twice = new double[2 * m][];
        double[] y = new double[2 * m];
        double[] z = new double[2 * m];
        double[] weights = new double[2 * m];
        double[] gammas = new double[2 * m];
        for (int i = 0; i < 2 * m; i++) {
            twice[i] = rows[i % m];
            y[i] = game.y()[i % m];
            z[i] = game.z()[i % m];
            weights[i] = i < m ? share : 1 - share;
            gammas[i] = i < m ? Double.POSITIVE_INFINITY : 0.7;
        }
        PredictionGame split = PredictionGame.of(DenseMatrix.of(twice), y, z, 1)
                .withIntercept()
                .withWeights(weights);
        OmegaSearch.Result shared = search(game.withPopulation(new Population(filled(m, 0.7), share)));
        OmegaSearch.Result doubled = search(split.withPopulation(new Population(gammas, 0)));

        assertThat(doubled.objective()).isCloseTo(shared.objective(), within(2e-9 * shared.objective()));
        assertProven(shared, describe(shared));
        assertProven(doubled, describe(doubled));
    }

    @Test
    void aWishOfAConstantMoreWithoutTruthfulRowsHasNoFiniteRule() {
        Random random = new Random(60_005);
        PredictionGame game = RandomGame.plain(random, 20, 2, 1).withIntercept();
        double[] shifted = Arrays.stream(game.y()).map(y -> y + 3).toArray();
        PredictionGame believed =
                PredictionGame.of(game.x(), game.y(), shifted, 1).withIntercept();
        OmegaSearch.Result all = search(believed.withPopulation(new Population(filled(20, 2), 0)));
        OmegaSearch.Result some = search(believed.withPopulation(new Population(filled(20, 2), 0.1)));

        assertThat(all.finiteness()).isEqualTo(Certificate.Finiteness.NONE);
        assertThat(some.finiteness()).isEqualTo(Certificate.Finiteness.FINITE);
        assertProven(some, describe(some));
    }

    @Test
    void theSearchProvesTheSolutionWithADuplicatedFeature() {
        Random random = new Random(60_006);
        PredictionGame game = RandomGame.plain(random, 20, 2, 1);
        double[][] rows = Arrays.stream(RandomGame.rows(game))
                .map(row -> new double[] {row[0], row[1], row[1]})
                .toArray(double[][]::new);
        PredictionGame collinear =
                PredictionGame.of(DenseMatrix.of(rows), game.y(), game.z(), 1).withIntercept();
        for (double share : new double[] {0.05, 0.5, 0.95}) {
            OmegaSearch.Result result = search(collinear.withPopulation(new Population(filled(20, 0.5), share)));
            assertThat(result.objective() - result.lowerBound())
                    .as(describe(result))
                    .isLessThanOrEqualTo(TOLERANCE * result.objective());
        }
    }

    @Test
    void fewerRowsThanFeatures() {
        Random random = new Random(60_007);
        PredictionGame game = RandomGame.plain(random, 5, 9, 1).withIntercept().withWishNoise(0.5);
        PredictionGame mixed = game.withPopulation(population(random, 5));
        OmegaSearch.Result result = search(mixed);
        double p = Reduction.of(game, Equilibrium.ONE).family().p();
        assertThat(result.objective() - result.lowerBound())
                .as(describe(result))
                .isLessThanOrEqualTo(TOLERANCE * Math.max(result.objective(), 1e-9 * p));
    }

    private static double loss(PredictionGame mixed, MixedReduction reduction, double[] w) {
        return penalised(mixed, reduction.recover(w));
    }

    /** The expected loss and the penalty that every person's own gamma gives, person by person. */
    private static double penalised(PredictionGame mixed, LinearRule rule) {
        double omega = rule.omega(mixed.costs());
        double share = mixed.population().truthfulShare();
        double penalty = 0;
        for (int i = 0; i < mixed.y().length; i++) {
            double gamma = mixed.population().gamma(i);
            double moved = Double.isInfinite(gamma) ? omega : gamma * omega / (gamma + omega);
            penalty += mixed.ridge() * mixed.weights()[i] / mixed.totalWeight() * (share * omega + (1 - share) * moved);
        }
        return mixed.leaderLoss(rule, Equilibrium.ONE) + penalty;
    }

    /** Gammas over four decades, some people who never move, and sometimes a share of the truthful. */
    static Population population(Random random, int m) {
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
        assertThat(result.status()).as(what).isEqualTo(SphereResult.Status.CONVERGED);
        assertThat(result.objective() - result.lowerBound())
                .as(what)
                .isLessThanOrEqualTo(TOLERANCE * result.objective());
    }

    private static LinearRule rule(PredictionGame mixed, OmegaSearch.Result result) {
        return MixedReduction.of(mixed, Equilibrium.ONE).recover(result.w());
    }

    static OmegaSearch.Result search(PredictionGame mixed) {
        // p does not depend on who moves
        PredictionGame ordinary =
                mixed.withPopulation(Population.ofOneGamma(mixed.x().rows(), 1, 0));
        double p = Reduction.of(ordinary, Equilibrium.ONE).family().p();
        return OmegaSearch.of(
                MixedReduction.of(mixed, Equilibrium.ONE),
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
