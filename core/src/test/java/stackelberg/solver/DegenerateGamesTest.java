package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.certificate.Certificate;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;

/** Shapes that make H singular or leave nothing to learn: certified all the same, and the rule attains what the certificate says. */
class DegenerateGamesTest {
    @Test
    void wideGamesOfEveryKindAreCertified() {
        Random random = new Random(71_001);
        for (int trial = 0; trial < 200; trial++) {
            int m = 1 + random.nextInt(8);
            int n = m + random.nextInt(12);
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = RandomGame.plain(random, m, n, gamma);
            if (trial % 2 == 0) {
                game = game.withIntercept();
            }
            if (trial % 3 == 0) {
                game = game.withImmutable(RandomGame.normal(random, m));
            }
            if (trial % 5 < 2) {
                game = game.withWishNoise(0.5);
            }
            if (trial % 7 < 3) {
                game = game.withWeights(RandomGame.positive(random, m));
            }
            if (trial % 11 < 5) {
                game = game.withCosts(RandomGame.positive(random, n));
            }
            assertOptimal(game, "trial " + trial + ", m " + m + ", n " + n + ", gamma " + gamma);
        }
    }

    /** Large gamma makes the minimum-norm solution short: lambda = 0, f* = 0, and a null vector completes r. */
    @Test
    void wideHardCaseWithAnInterceptIsSolvedAndNotUnique() {
        Random random = new Random(71_002);
        for (int trial = 0; trial < 50; trial++) {
            int m = 3 + random.nextInt(5);
            int n = m + 1 + random.nextInt(8);
            PredictionGame game = RandomGame.plain(random, m, n, 100).withIntercept();
            if (trial % 2 == 0) {
                // rank-deficient on top: the same person twice
                double[][] x = RandomGame.rows(game);
                double[] y = game.y();
                double[] z = game.z();
                x[1] = x[0];
                y[1] = y[0];
                z[1] = z[0];
                game = PredictionGame.of(DenseMatrix.of(x), y, z, 100).withIntercept();
            }
            var answer = assertOptimal(game, "trial " + trial + ", m " + m + ", n " + n);
            assertThat(answer.proof().objective()).isLessThan(1e-20);
            assertThat(answer.proof().unique()).isFalse();
            assertThat(answer.proof().multiplier()).isCloseTo(0, within(1e-9));
        }
    }

    /** Two equal rows with y = 0 and y = 2 get the same prediction, so every rule loses at least 2. */
    @Test
    void equalRowsWithDifferentTargetsInWideData() {
        Random random = new Random(71_003);
        for (int trial = 0; trial < 50; trial++) {
            int n = 6 + random.nextInt(6);
            PredictionGame plain = RandomGame.plain(random, 5, n, 1e4);
            double[][] x = RandomGame.rows(plain);
            double[] y = plain.y();
            double[] z = plain.z();
            x[1] = x[0];
            y[0] = 0;
            y[1] = 2;
            z[1] = z[0];
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, 1e4);
            var answer = assertOptimal(trial % 2 == 0 ? game : game.withIntercept(), "trial " + trial);
            assertThat(answer.proof().objective()).isCloseTo(2, within(1e-10));
        }
    }

    /** Of X the intercept leaves rounding, and of constant wishes nothing: every point of the sphere is as good, and one of them is the answer. */
    @Test
    void constantColumnsWithAnInterceptGiveAPointAndNotNaN() {
        double[][] same = {{1, -1, 1}, {1, -1, 1}};
        assertOptimal(
                PredictionGame.of(DenseMatrix.of(same), new double[] {1, 0}, new double[] {0, 0}, 0.010159367434890121)
                        .withIntercept(),
                "two equal rows");
        Random random = new Random(71_011);
        for (int trial = 0; trial < 300; trial++) {
            int m = 2 + random.nextInt(5);
            double[][] x = new double[m][];
            Arrays.fill(x, RandomGame.normal(random, 1 + random.nextInt(8)));
            double[] z = new double[m];
            Arrays.fill(z, trial % 3 - 1);
            double[] y = IntStream.range(0, m).asDoubleStream().toArray();
            PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, Math.exp(random.nextGaussian()));
            game = trial % 2 == 0 ? game : game.withWeights(RandomGame.positive(random, m));
            assertOptimal(game.withIntercept(), "trial " + trial);
        }
    }

    @Test
    void duplicatedColumnsEqualOneColumnAtTwiceTheCost() {
        Random random = new Random(71_004);
        PredictionGame game = RandomGame.plain(random, 12, 2, 0.8).withIntercept();
        double[][] x = RandomGame.rows(game);
        double[][] doubled = Arrays.stream(x)
                .map(row -> new double[] {row[0], row[1], row[1]})
                .toArray(double[][]::new);
        PredictionGame twice = PredictionGame.of(DenseMatrix.of(doubled), game.y(), game.z(), 0.8)
                .withIntercept();
        // w1 x + w2 x with w1 = w2 costs the leader half the omega: the same as one column at cost 2
        var once = assertOptimal(game.withCosts(new double[] {1, 2}), "one column at cost 2");
        var both = assertOptimal(twice, "two columns");
        assertThat(both.proof().objective()).isLessThanOrEqualTo(once.proof().objective() * (1 + 1e-12));
    }

    @Test
    void zeroColumnsAndConstantColumnsAreNoError() {
        Random random = new Random(71_005);
        double[][] x = RandomGame.rows(RandomGame.plain(random, 10, 3, 1));
        for (double[] row : x) {
            row[1] = 0;
            row[2] = 4;
        }
        PredictionGame game =
                PredictionGame.of(DenseMatrix.of(x), RandomGame.normal(random, 10), RandomGame.normal(random, 10), 1);
        assertOptimal(game, "zero column");
        assertOptimal(game.withIntercept(), "zero column, constant column beside the intercept");
        PredictionGame nothing = PredictionGame.of(DenseMatrix.zeros(10, 2), game.y(), game.z(), 1);
        assertOptimal(nothing, "all columns zero");
        assertOptimal(nothing.withIntercept().withWishNoise(1), "all columns zero, noise");
    }

    @Test
    void rankDeficientTallData() {
        Random random = new Random(71_006);
        for (int trial = 0; trial < 60; trial++) {
            int n = 2 + random.nextInt(6);
            int m = n + 3 + random.nextInt(10);
            int rank = 1 + random.nextInt(n - 1);
            double[][] basis = new double[rank][];
            for (int k = 0; k < rank; k++) {
                basis[k] = RandomGame.normal(random, n);
            }
            double[][] x = new double[m][n];
            for (double[] row : x) {
                for (double[] direction : basis) {
                    double c = random.nextGaussian();
                    for (int j = 0; j < n; j++) {
                        row[j] += c * direction[j];
                    }
                }
            }
            double gamma = Math.pow(10, -3 + 6 * random.nextDouble());
            PredictionGame game = PredictionGame.of(
                    DenseMatrix.of(x), RandomGame.normal(random, m), RandomGame.normal(random, m), gamma);
            assertOptimal(trial % 2 == 0 ? game : game.withIntercept(), "trial " + trial + ", rank " + rank);
        }
    }

    @Test
    void oneRowAndOneFeature() {
        for (double gamma : new double[] {1e-3, 1, 1e3}) {
            PredictionGame one =
                    PredictionGame.of(DenseMatrix.of(new double[][] {{2}}), new double[] {1}, new double[] {3}, gamma);
            assertOptimal(one, "gamma " + gamma);
            PredictionGame wide = PredictionGame.of(
                    DenseMatrix.of(new double[][] {{2, -1, 0}}), new double[] {1}, new double[] {3}, gamma);
            var answer = assertOptimal(wide, "wide, gamma " + gamma);
            assertThat(answer.proof().unique()).isFalse();
            // an intercept explains one row, whatever the features
            assertThat(Equilibrium.of(one.withIntercept()).proof().objective()).isLessThan(1e-30);
        }
    }

    @Test
    void constantTargetIsPredictedWithoutLoss() {
        Random random = new Random(71_007);
        PredictionGame plain = RandomGame.plain(random, 8, 2, 0.5);
        double[] y = new double[8];
        Arrays.fill(y, 3);
        PredictionGame game = PredictionGame.of(plain.x(), y, plain.z(), 0.5).withIntercept();
        var answer = assertOptimal(game, "constant target");
        assertThat(answer.certified()).isTrue();
        assertThat(answer.proof().objective()).isLessThan(1e-20);
        assertThat(game.pullThrough(answer.rule())).isLessThan(1e-9);
        assertThat(answer.rule().intercept()).isCloseTo(3, within(1e-9));
    }

    @Test
    void zeroTargetAndZeroWishGiveTheZeroRule() {
        PredictionGame game = RandomGame.plain(new Random(71_008), 6, 2, 0.5);
        var answer = Equilibrium.of(PredictionGame.of(game.x(), new double[6], new double[6], 0.5));
        assertThat(answer.proof().proof()).isEqualTo(Certificate.Proof.PROVEN);
        assertThat(answer.proof().objective()).isZero();
        assertThat(answer.proof().gapBound()).isLessThan(1e-28);
        // of the equally good rules w = 0, under which no follower moves
        assertThat(answer.rule().w()).containsOnly(0);
    }

    @Test
    void rowsWithoutWeightDoNotCount() {
        Random random = new Random(71_009);
        PredictionGame game = RandomGame.plain(random, 10, 3, 0.5).withIntercept();
        double[] weights = new double[10];
        Arrays.fill(weights, 0, 7, 1);
        double[][] x = Arrays.copyOf(RandomGame.rows(game), 7);
        PredictionGame fewer = PredictionGame.of(
                        DenseMatrix.of(x), Arrays.copyOf(game.y(), 7), Arrays.copyOf(game.z(), 7), 0.5)
                .withIntercept();
        var a = assertOptimal(game.withWeights(weights), "weights 0");
        var b = assertOptimal(fewer, "rows left out");
        assertThat(a.rule().w()).containsExactly(b.rule().w(), within(1e-9));
        double[] one = new double[10];
        one[4] = 1;
        assertOptimal(game.withWeights(one), "one row counts, tall");
    }

    /** Proven within the default tolerance or to the last digit, with a loss in the game that is the objective, and better than many other points. */
    private static Equilibrium assertOptimal(PredictionGame game, String what) {
        var answer = Equilibrium.of(game);
        var proof = answer.proof();
        assertThat(proof.proof()).as(what + ": " + proof).isEqualTo(Certificate.Proof.PROVEN);
        double p = answer.problem().p();
        // what is below the last digit of p is nothing to gain; p = 0 where the immutable columns explain y and z
        assertThat(proof.gapBound()).as(what + ": " + proof).isLessThan(1e-9 * proof.objective() + 1e-16 * p + 1e-25);
        if (proof.finite()) {
            assertThat(game.leaderLoss(answer.rule(), Equilibrium.ONE))
                    .as(what + ": " + proof)
                    .isCloseTo(proof.objective(), within(1e-9 * proof.objective() + 1e-13 * p + 1e-25));
        }
        Random random = new Random(game.x().rows() * 31L + game.x().cols());
        for (int k = 0; k < 50; k++) {
            double[] x = RandomGame.unit(random, answer.r().length);
            assertThat(answer.problem().evaluate(x).objective())
                    .as(what)
                    .isGreaterThanOrEqualTo(proof.objective() * (1 - 1e-12) - 1e-25);
        }
        return answer;
    }
}
