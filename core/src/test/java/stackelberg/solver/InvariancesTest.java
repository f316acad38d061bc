package stackelberg.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;

/** What must not change the equilibrium of the general game, or must change it in a known way. */
class InvariancesTest {
    private static final double CLOSE = 1e-7;

    private static PredictionGame game(Random random) {
        double gamma = Math.pow(10, -1 + 2 * random.nextDouble());
        return RandomGame.general(random, 25, 1 + random.nextInt(5), 1 + random.nextInt(2), gamma);
    }

    @Test
    void otherUnitsOfTheFeaturesGiveTheSamePredictions() {
        Random random = new Random(41_001);
        for (double c : new double[] {1e-6, 0.1, 3, 1e6}) {
            PredictionGame game = game(random);
            PredictionGame scaled =
                    like(game, times(RandomGame.rows(game), c), game.y(), game.z(), game.gamma() / (c * c));
            assertSamePredictions(Equilibrium.of(game), Equilibrium.of(scaled), 1);
        }
    }

    @Test
    void otherUnitsOfTheTargetScaleThePredictions() {
        Random random = new Random(41_002);
        for (double c : new double[] {1e-6, 0.1, 3, 1e6}) {
            PredictionGame game = game(random).withWishNoise(0.5);
            PredictionGame scaled = like(
                            game, RandomGame.rows(game), times(game.y(), c), times(game.z(), c), c * c * game.gamma())
                    .withWishNoise(0.5 * c);
            assertSamePredictions(Equilibrium.of(game), Equilibrium.of(scaled), c);
        }
    }

    @Test
    void duplicatedRowEqualsWeightTwo() {
        Random random = new Random(41_003);
        for (int trial = 0; trial < 10; trial++) {
            PredictionGame game = RandomGame.plain(random, 20, 3, 0.5).withIntercept();
            double[] v = RandomGame.normal(random, 20);
            int row = random.nextInt(20);
            int[] twice =
                    IntStream.concat(IntStream.range(0, 20), IntStream.of(row)).toArray();
            double[] weights = new double[20];
            Arrays.fill(weights, 1);
            weights[row] = 2;
            var weighted =
                    Equilibrium.of(game.withImmutable(v).withWeights(weights).withWishNoise(0.3));
            var duplicated = Equilibrium.of(
                    rows(game, twice).withImmutable(pick(v, twice)).withWishNoise(0.3));
            assertSameRule(weighted, duplicated);
            assertThat(weighted.proof().objective())
                    .isCloseTo(
                            duplicated.proof().objective(),
                            within(1e-12 * weighted.proof().objective()));
        }
    }

    @Test
    void rowOrderIsIrrelevant() {
        Random random = new Random(41_004);
        for (int trial = 0; trial < 10; trial++) {
            PredictionGame game = game(random);
            List<Integer> shuffled =
                    new java.util.ArrayList<>(IntStream.range(0, 25).boxed().toList());
            Collections.shuffle(shuffled, random);
            int[] order = shuffled.stream().mapToInt(Integer::intValue).toArray();
            double[][] columns =
                    Arrays.stream(game.immutable()).map(v -> pick(v, order)).toArray(double[][]::new);
            double[] sd = RandomGame.positive(random, 25);
            PredictionGame other = rows(game, order)
                    .withCosts(game.costs())
                    .withImmutable(columns)
                    .withIntercept()
                    .withWeights(pick(game.weights(), order))
                    .withWishNoise(pick(sd, order));
            assertSameRule(Equilibrium.of(game.withWishNoise(sd)), Equilibrium.of(other));
        }
    }

    @Test
    void veryLargeGammaGivesLeastSquares() {
        Random random = new Random(41_005);
        PredictionGame game = RandomGame.general(random, 25, 3, 1, 1);
        double[] leastSquares = leastSquares(game);
        double before = Double.POSITIVE_INFINITY;
        for (double gamma : new double[] {1e2, 1e4, 1e6, 1e8}) {
            var answer = Equilibrium.of(game.withGamma(gamma));
            double distance = distance(answer.predictions(), leastSquares);
            assertThat(answer.certified()).as("gamma " + gamma).isTrue();
            assertThat(game.withGamma(gamma).pullThrough(answer.rule())).isLessThan(10 / gamma);
            assertThat(distance).isLessThan(before / 50);
            before = distance;
        }
        assertThat(before).isLessThan(1e-6);
    }

    @Test
    void featureAtAVeryHighCostActsAsImmutable() {
        Random random = new Random(41_006);
        PredictionGame game = RandomGame.general(random, 25, 3, 1, 0.5);
        double[][] x = RandomGame.rows(game);
        double[] last = column(x, 2);
        double[][] others = Arrays.stream(x).map(row -> Arrays.copyOf(row, 2)).toArray(double[][]::new);
        PredictionGame declared = PredictionGame.of(DenseMatrix.of(others), game.y(), game.z(), game.gamma())
                .withCosts(Arrays.copyOf(game.costs(), 2))
                .withImmutable(game.immutable()[0], last)
                .withIntercept()
                .withWeights(game.weights())
                .withWishNoise(0.4);
        var limit = Equilibrium.of(declared);
        double before = Double.POSITIVE_INFINITY;
        for (double cost : new double[] {1e2, 1e4, 1e6, 1e8}) {
            double[] costs = game.costs();
            costs[2] = cost;
            var answer = Equilibrium.of(game.withCosts(costs).withWishNoise(0.4));
            double distance = distance(answer.predictions(), limit.predictions());
            assertThat(answer.certified()).as("cost " + cost).isTrue();
            assertThat(distance).isLessThan(before / 50);
            before = distance;
        }
        assertThat(before).isLessThan(1e-6);
    }

    @Test
    void rotatedFeaturesRotateTheRule() {
        Random random = new Random(41_007);
        for (int trial = 0; trial < 10; trial++) {
            PredictionGame game = RandomGame.plain(random, 20, 3, 0.5)
                    .withIntercept()
                    .withImmutable(RandomGame.normal(random, 20))
                    .withWishNoise(0.3);
            double[] axis = RandomGame.unit(random, 3);
            double[][] rotated = Arrays.stream(RandomGame.rows(game))
                    .map(row -> reflected(row, axis))
                    .toArray(double[][]::new);
            LinearRule rule = Equilibrium.of(game).rule();
            LinearRule other = Equilibrium.of(
                            PredictionGame.of(DenseMatrix.of(rotated), game.y(), game.z(), game.gamma())
                                    .withIntercept()
                                    .withImmutable(game.immutable())
                                    .withWishNoise(0.3))
                    .rule();
            assertThat(other.w()).containsExactly(reflected(rule.w(), axis), within(CLOSE));
            assertThat(other.q()).containsExactly(rule.q(), within(CLOSE));
            assertThat(other.intercept()).isCloseTo(rule.intercept(), within(CLOSE));
        }
    }

    @Test
    void noRandomUnitVectorIsBetter() {
        Random random = new Random(41_008);
        for (int trial = 0; trial < 20; trial++) {
            var answer = Equilibrium.of(game(random));
            int d = answer.r().length;
            for (int k = 0; k < 500; k++) {
                double[] x = RandomGame.unit(random, d);
                if (k % 2 == 0) {
                    // near the answer, where a better point would be
                    double size = Math.pow(10, -6 * random.nextDouble());
                    for (int j = 0; j < d; j++) {
                        x[j] = answer.r()[j] + size * x[j];
                    }
                    double norm = Math.sqrt(Arrays.stream(x).map(v -> v * v).sum());
                    x = times(x, 1 / norm);
                }
                assertThat(answer.problem().evaluate(x).objective())
                        .isGreaterThanOrEqualTo(answer.proof().objective() * (1 - 1e-14));
            }
        }
    }

    private static void assertSamePredictions(Equilibrium a, Equilibrium b, double c) {
        assertThat(a.certified()).as(a.proof().toString()).isTrue();
        assertThat(b.certified()).as(b.proof().toString()).isTrue();
        assertThat(b.predictions()).containsExactly(times(a.predictions(), c), within(CLOSE * c));
        assertThat(b.predictionsAfterResponse())
                .containsExactly(times(a.predictionsAfterResponse(), c), within(CLOSE * c));
        double expected = c * c * a.proof().objective();
        assertThat(b.proof().objective()).isCloseTo(expected, within(1e-11 * expected));
    }

    private static void assertSameRule(Equilibrium a, Equilibrium b) {
        assertThat(a.certified()).isTrue();
        assertThat(b.certified()).isTrue();
        assertThat(b.rule().w()).containsExactly(a.rule().w(), within(CLOSE));
        assertThat(b.rule().q()).containsExactly(a.rule().q(), within(CLOSE));
        assertThat(b.rule().intercept()).isCloseTo(a.rule().intercept(), within(CLOSE));
    }

    private static PredictionGame like(PredictionGame game, double[][] x, double[] y, double[] z, double gamma) {
        return PredictionGame.of(DenseMatrix.of(x), y, z, gamma)
                .withCosts(game.costs())
                .withImmutable(game.immutable())
                .withIntercept()
                .withWeights(game.weights())
                .withWishNoise(Math.sqrt(
                        game.wishNoiseVariance() / Arrays.stream(game.weights()).sum()));
    }

    /** The chosen rows of a game without immutable columns, weights or noise; costs 1. */
    private static PredictionGame rows(PredictionGame game, int[] chosen) {
        double[][] x = RandomGame.rows(game);
        double[][] picked = Arrays.stream(chosen).mapToObj(i -> x[i]).toArray(double[][]::new);
        PredictionGame result =
                PredictionGame.of(DenseMatrix.of(picked), pick(game.y(), chosen), pick(game.z(), chosen), game.gamma());
        return game.hasIntercept() ? result.withIntercept() : result;
    }

    /** Predictions of weighted least squares on all columns, by gradient-free normal equations. */
    private static double[] leastSquares(PredictionGame game) {
        double[][] x = RandomGame.rows(game);
        int m = x.length;
        double[][] columns = new double[m][];
        for (int i = 0; i < m; i++) {
            columns[i] = Arrays.copyOf(x[i], x[i].length + game.immutable().length + 1);
            for (int j = 0; j < game.immutable().length; j++) {
                columns[i][x[i].length + j] = game.immutable()[j][i];
            }
            columns[i][columns[i].length - 1] = 1;
        }
        double[] coefficients = NormalEquations.solve(columns, game.y(), game.weights());
        return Arrays.stream(columns)
                .mapToDouble(row -> IntStream.range(0, row.length)
                        .mapToDouble(j -> row[j] * coefficients[j])
                        .sum())
                .toArray();
    }

    private static double[] reflected(double[] v, double[] axis) {
        double dot =
                IntStream.range(0, v.length).mapToDouble(j -> v[j] * axis[j]).sum();
        return IntStream.range(0, v.length)
                .mapToDouble(j -> v[j] - 2 * dot * axis[j])
                .toArray();
    }

    private static double distance(double[] a, double[] b) {
        return Math.sqrt(IntStream.range(0, a.length)
                .mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i]))
                .sum());
    }

    private static double[] column(double[][] x, int j) {
        return Arrays.stream(x).mapToDouble(row -> row[j]).toArray();
    }

    private static double[] pick(double[] v, int[] order) {
        return Arrays.stream(order).mapToDouble(i -> v[i]).toArray();
    }

    private static double[][] times(double[][] x, double c) {
        return Arrays.stream(x).map(row -> times(row, c)).toArray(double[][]::new);
    }

    private static double[] times(double[] v, double c) {
        return Arrays.stream(v).map(value -> value * c).toArray();
    }
}
