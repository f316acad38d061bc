package stackelberg.solver.krylov;

import static org.assertj.core.api.Assertions.assertThat;

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
import stackelberg.solver.DirectComparison;
import stackelberg.solver.PaperGame;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.RandomGame;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;

/** Games against the direct solver, those made hard on purpose included: as good a certificate, and never a wrong one. */
class KrylovGamesTest {
    private static final Workers ONE = Workers.of(1);
    private static final KrylovSolver KRYLOV = new KrylovSolver(ONE);
    private static final double[] GAMMAS = {1e-4, 1e-2, 1, 100, 1e4};

    @Test
    void agreesWithDirectOnGamesOfEveryKind() {
        Random random = new Random(40_001);
        for (int trial = 0; trial < 600; trial++) {
            DirectComparison.check("trial " + trial, KRYLOV, RandomGame.of(random), GAMMAS);
        }
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithDirectOnPlantedGames(PlantedGame.Case kind) {
        Random random = new Random(40_010 + kind.ordinal());
        double[] conditions = {1, 1e2, 1e4, 1e6, 1e8, 1e10};
        for (int trial = 0; trial < 60; trial++) {
            int n = 1 + random.nextInt(60);
            double condition = conditions[trial % conditions.length];
            double gamma = Math.pow(10, -4 + 8 * random.nextDouble());
            double noise = 0.1 + random.nextDouble();
            PlantedGame planted = PlantedGame.of(random, n + 2 + random.nextInt(30), n, condition, gamma, kind, noise);
            String what = kind + " trial " + trial + ", n " + n + ", condition " + condition;
            Certificate proof = DirectComparison.check(what, KRYLOV, planted.game(), gamma)[0];
            assertThat(Math.abs(proof.objective() - planted.objective()))
                    .as(what)
                    .isLessThanOrEqualTo(proof.gapBound() + 1e-12 * planted.objective());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 300, 150})
    void certifiesThePapersGamesWithinEightPasses(int m) {
        for (double gamma : new double[] {0.1, 0.01}) {
            var game = PaperGame.dense(new Random(40_020), m, 300, gamma);
            var problem = Reduction.of(game, ONE).family().at(gamma);
            var result = KRYLOV.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE);

            assertThat(result.status()).isEqualTo(SphereResult.Status.CONVERGED);
            assertThat(result.effort().passes()).isLessThanOrEqualTo(8);
            assertThat(Certificate.of(problem, result.r()).certified(1e-9)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {240, 120, 60})
    void certifiesGamesScaledDownToOne(int m) {
        DirectComparison.check("m " + m, KRYLOV, PaperGame.scaledDown(new Random(40_030), m, 120, 1), GAMMAS);
    }

    @Test
    void findsANullVectorOfVeryWideData() {
        Random random = new Random(40_040);
        int m = 31;
        int n = 900;
        double[][] x = new double[m][];
        Arrays.setAll(x, i -> RandomGame.normal(random, n, 1));
        var game = PredictionGame.of(
                DenseMatrix.of(x), RandomGame.normal(random, m, 1), RandomGame.normal(random, m, 1), 1);
        for (var variant : new PredictionGame[] {game, game.withIntercept()}) {
            Certificate[] proofs = DirectComparison.check("wide", KRYLOV, variant, GAMMAS);
            // cheap moves leave a positive multiplier; at the other end the data is interpolated and a null vector
            // fills the sphere
            assertThat(proofs[0].multiplier()).isPositive();
            assertThat(proofs[4].objective()).isLessThan(1e-20 * proofs[4].scale());
        }
    }

    @Test
    void findsTheHardCaseOutsideTheKrylovSpace() {
        // X'Py and X'Pz lie in the first two coordinates; the smallest eigenvector is the third coordinate, which they
        // cannot see
        double[][] x = {{3, 0, 0}, {0, 2, 0}, {0, 0, 0.1}, {0, 0, 0}};
        double[] y = {0.1, 0.1, 0, 1};
        double[] z = {0.3, -0.2, 0, 2};
        Certificate[] proofs = DirectComparison.check(
                "hidden", KRYLOV, PredictionGame.of(DenseMatrix.of(x), y, z, 1), 0.1, 1, 10, 100);
        assertThat(Arrays.stream(proofs).anyMatch(proof -> proof.multiplier() < 0 && !proof.unique()))
                .isTrue();
    }

    @Test
    void solvesGamesWhoseStartVectorsSpanFewerThanTwoDirections() {
        Random random = new Random(40_050);
        double[][] x = new double[30][];
        Arrays.setAll(x, i -> RandomGame.normal(random, 12, 1));
        double[] y = RandomGame.normal(random, 30, 1);
        double[] twice = Arrays.stream(y).map(v -> 2 * v).toArray();
        double[] zero = new double[30];
        DenseMatrix features = DenseMatrix.of(x);
        DirectComparison.check("z = 2y, so g = 0", KRYLOV, PredictionGame.of(features, y, twice, 1), GAMMAS);
        DirectComparison.check("z = y", KRYLOV, PredictionGame.of(features, y, y, 1), GAMMAS);
        DirectComparison.check("y = 0", KRYLOV, PredictionGame.of(features, zero, y, 1), GAMMAS);
        DirectComparison.check("z = 0", KRYLOV, PredictionGame.of(features, y, zero, 1), GAMMAS);
        DirectComparison.check("all 0", KRYLOV, PredictionGame.of(features, zero, zero, 1), GAMMAS);
        DirectComparison.check("X = 0", KRYLOV, PredictionGame.of(DenseMatrix.zeros(30, 12), y, twice, 1), GAMMAS);
        DirectComparison.check(
                "X = 0, wide",
                KRYLOV,
                PredictionGame.of(DenseMatrix.zeros(3, 12), new double[] {1, 2, 4}, new double[] {3, 1, 1}, 1),
                GAMMAS);
    }

    @Test
    void survivesParallelCorrelations() {
        // z = y + something orthogonal to every feature: X'Pz = X'Py up to rounding, or up to 1e-9
        Random random = new Random(40_060);
        double[][] x = new double[30][12];
        double[] y = new double[30];
        double[] z = new double[30];
        for (int i = 0; i < 30; i++) {
            y[i] = random.nextGaussian();
            z[i] = y[i];
            if (i < 20) {
                x[i] = RandomGame.normal(random, 12, 1);
            } else {
                z[i] += random.nextGaussian();
            }
        }
        DirectComparison.check("parallel", KRYLOV, PredictionGame.of(DenseMatrix.of(x), y, z, 1), GAMMAS);
        z[0] += 1e-9;
        DirectComparison.check("nearly parallel", KRYLOV, PredictionGame.of(DenseMatrix.of(x), y, z, 1), GAMMAS);
    }
}
