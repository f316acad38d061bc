package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.estimate.Loss;
import stackelberg.game.LinearRule;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** A and the slopes that B is made of are derivatives of what the leader minimises, for every kind of game and at any rule. */
class SandwichTest {
    private static final Workers ONE = Workers.of(1);
    private static final int ROWS = 12;
    private static final int FEATURES = 3;

    private static PredictionGame plain() {
        Random random = new Random(12);
        DenseMatrix x = DenseMatrix.zeros(ROWS, FEATURES);
        double[] y = new double[ROWS];
        double[] z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < FEATURES; j++) {
                x.set(i, j, j + random.nextGaussian());
            }
            y[i] = x.get(i, 0) - x.get(i, 2) + random.nextGaussian();
            z[i] = Math.max(y[i], 1) + random.nextGaussian();
        }
        return PredictionGame.of(x, y, z, 0.7);
    }

    private static double[] random(int length, long seed) {
        return new Random(seed).doubles(length, 0.5, 2).toArray();
    }

    private static Map<String, PredictionGame> all() {
        PredictionGame plain = plain();
        PredictionGame usual = plain.withIntercept();
        double[] gammas = random(ROWS, 1);
        gammas[3] = Double.POSITIVE_INFINITY;
        Map<String, PredictionGame> games = new LinkedHashMap<>();
        games.put("no intercept", plain);
        games.put("intercept", usual);
        games.put("weights", usual.withWeights(random(ROWS, 2)));
        games.put("costs", usual.withCosts(new double[] {0.5, 2, 3}));
        games.put("immutable", usual.withImmutable(random(ROWS, 3), random(ROWS, 4)));
        games.put("wish noise", usual.withWishNoise(random(ROWS, 5)));
        games.put("ridge", usual.withRidge(4));
        games.put("effects", usual.withEffects(new double[] {0.8, 0, -0.3}));
        games.put(
                "everything alike",
                usual.withWeights(random(ROWS, 2))
                        .withCosts(new double[] {0.5, 2, 3})
                        .withImmutable(random(ROWS, 3))
                        .withWishNoise(random(ROWS, 5))
                        .withRidge(4)
                        .withEffects(new double[] {0.8, 0, -0.3}));
        games.put("truthful share", usual.withPopulation(Population.ofOneGamma(ROWS, 0.7, 0.3)));
        games.put(
                "truthful share and ridge",
                usual.withPopulation(Population.ofOneGamma(ROWS, 0.7, 0.3)).withRidge(4));
        games.put("row gammas", usual.withPopulation(new Population(gammas, 0)));
        games.put(
                "people who differ",
                usual.withPopulation(new Population(gammas, 0.2))
                        .withWeights(random(ROWS, 2))
                        .withWishNoise(0.5));
        for (Loss loss : List.of(Loss.LOGISTIC, Loss.huber(0.8))) {
            PredictionGame other = lossy(loss);
            PredictionGame fixed = other.withIntercept();
            games.put(loss + ", no intercept", other);
            games.put(loss + ", an intercept that people move", withOnes(other));
            games.put(loss + ", intercept", fixed);
            games.put(loss + ", one wish", oneWish(other).withIntercept());
            games.put(loss + ", ridge", fixed.withRidge(4));
            games.put(
                    loss + ", everything",
                    fixed.withWeights(random(ROWS, 2))
                            .withCosts(new double[] {0.5, 2, 3})
                            .withImmutable(random(ROWS, 3), random(ROWS, 4))
                            .withRidge(4));
        }
        return games;
    }

    /** The same people by another loss. */
    private static PredictionGame lossy(Loss loss) {
        PredictionGame plain = plain();
        double[] y = plain.y();
        return PredictionGame.of(
                        plain.x(),
                        loss.isLogistic()
                                ? Arrays.stream(y).map(v -> v > 0 ? 1 : 0).toArray()
                                : y,
                        plain.z(),
                        plain.gamma())
                .withLoss(loss);
    }

    private static PredictionGame oneWish(PredictionGame game) {
        double[] z = new double[ROWS];
        Arrays.fill(z, 1.5);
        return PredictionGame.of(game.x(), game.y(), z, game.gamma()).withLoss(game.loss());
    }

    private static PredictionGame withOnes(PredictionGame game) {
        DenseMatrix x = DenseMatrix.zeros(ROWS, FEATURES);
        for (int i = 0; i < ROWS; i++) {
            x.set(i, 0, ((DenseMatrix) game.x()).get(i, 0));
            x.set(i, 1, ((DenseMatrix) game.x()).get(i, 1));
            x.set(i, 2, 1);
        }
        return PredictionGame.of(x, game.y(), game.z(), game.gamma()).withLoss(game.loss());
    }

    static List<String> games() {
        return List.copyOf(all().keySet());
    }

    /** Not the best one: derivatives are right everywhere. */
    private static double[] theta(PredictionGame game) {
        double[] theta = {0.6, -0.4, 0.9, 0.3, -0.2, 0.5};
        int fixed = game.immutable().length;
        int order = FEATURES + fixed + (game.hasIntercept() ? 1 : 0);
        double[] chosen = Arrays.copyOf(theta, order);
        if (game.hasIntercept()) {
            chosen[order - 1] = 0.5;
        }
        return chosen;
    }

    /** The rule of coefficients whose intercept is that of centred columns. */
    private static LinearRule rule(PredictionGame game, double[] theta, double[] means) {
        int fixed = game.immutable().length;
        double constant = game.hasIntercept() ? theta[theta.length - 1] : 0;
        for (int j = 0; j < means.length; j++) {
            constant -= means[j] * theta[j];
        }
        return new LinearRule(
                Arrays.copyOf(theta, FEATURES), Arrays.copyOfRange(theta, FEATURES, FEATURES + fixed), constant);
    }

    private static double minimised(PredictionGame game, LinearRule rule) {
        return game.leaderLoss(rule, ONE) + game.penalty(rule);
    }

    private static double slope(ToDoubleFunction<double[]> f, double[] at, int j) {
        double h = 1e-4;
        double[] one = at.clone();
        double[] other = at.clone();
        one[j] += h;
        other[j] -= h;
        return (f.applyAsDouble(one) - f.applyAsDouble(other)) / (2 * h);
    }

    private static Sandwich sandwich(PredictionGame game, double[] theta) {
        // means do not depend on the rule
        double[] means = sandwich(game, rule(game, theta, new double[0])).means();
        return sandwich(game, rule(game, theta, means));
    }

    private static Sandwich sandwich(PredictionGame game, LinearRule rule) {
        return new Sandwich(game, rule, game.predict(rule, ONE), null, ONE);
    }

    @ParameterizedTest
    @MethodSource("games")
    void theHessianIsThatOfTheLeadersObjective(String name) {
        PredictionGame game = all().get(name);
        double[] theta = theta(game);
        Sandwich sandwich = sandwich(game, theta);
        double[] means = sandwich.means();

        for (int a = 0; a < theta.length; a++) {
            for (int b = 0; b < theta.length; b++) {
                int along = b;
                double there = slope(at -> slope(to -> minimised(game, rule(game, to, means)), at, along), theta, a);
                assertThat(sandwich.hessian().get(a, b))
                        .as(a + "," + b)
                        .isCloseTo(there, within(1e-5 * (10 + Math.abs(there))));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("games")
    void theGradientOfEachRowIsThatOfItsOwnLoss(String name) {
        PredictionGame game = all().get(name);
        double[] theta = theta(game);
        Sandwich sandwich = sandwich(game, theta);
        double[] means = sandwich.means();
        DenseMatrix sum = DenseMatrix.zeros(theta.length, theta.length);
        for (int i = 0; i < ROWS; i++) {
            PredictionGame alone = game.subset(new int[] {i});
            double[] slopes = new double[theta.length];
            for (int a = 0; a < slopes.length; a++) {
                slopes[a] = slope(to -> minimised(alone, rule(game, to, means)), theta, a);
            }
            for (int a = 0; a < slopes.length; a++) {
                for (int b = 0; b < slopes.length; b++) {
                    sum.set(a, b, sum.get(a, b) + slopes[a] * slopes[b]);
                }
            }
        }

        for (int a = 0; a < theta.length; a++) {
            for (int b = 0; b < theta.length; b++) {
                assertThat(sandwich.slopes().get(a, b))
                        .as(a + "," + b)
                        .isCloseTo(sum.get(a, b), within(1e-6 * (10 + Math.abs(sum.get(a, b)))));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyRowsWithEqualGammasHaveTheSumsOfFewRowsWithLargerWeights(boolean intercept) {
        int people = 80_000;
        int features = 28;
        Random random = new Random(3);
        DenseMatrix x = DenseMatrix.zeros(people, features);
        double[] y = new double[people];
        double[] z = new double[people];
        for (int i = 0; i < people; i++) {
            for (int j = 0; j < features; j++) {
                x.set(i, j, 0.01 * j + random.nextGaussian());
            }
            y[i] = x.get(i, 0) - x.get(i, 2) + random.nextGaussian();
            z[i] = Math.max(y[i], 1);
        }
        PredictionGame free = PredictionGame.of(x, y, z, 0.7).withWishNoise(0.5).withRidge(40);
        PredictionGame once = intercept ? free.withIntercept() : free;
        double[] twos = new double[people];
        Arrays.fill(twos, 2);
        double[] w = new double[features];
        Arrays.setAll(w, j -> j == 0 ? 0.6 : j == 2 ? -0.6 : 0.001 * j);
        LinearRule rule = new LinearRule(w, new double[0], intercept ? 0.3 : 0);

        // people who count otherwise are summed one after the other
        Sandwich many = new Sandwich(once, rule, once.predict(rule, ONE), null, Workers.of(2));
        Sandwich each = sandwich(once.withWeights(twos).withRidge(80), rule);

        for (int a = 0; a < many.order(); a++) {
            double[] root = {many.slopes().get(a, a), many.hessian().get(a, a)};
            for (int b = 0; b < many.order(); b++) {
                double slopes = Math.sqrt(root[0] * many.slopes().get(b, b));
                double hessian = Math.sqrt(root[1] * many.hessian().get(b, b));
                assertThat(4 * many.slopes().get(a, b)).isCloseTo(each.slopes().get(a, b), within(1e-10 * slopes));
                assertThat(2 * many.hessian().get(a, b))
                        .isCloseTo(each.hessian().get(a, b), within(1e-10 * hessian));
            }
        }
        double[] step = many.covariance().orElseThrow().step();
        double[] other = each.covariance().orElseThrow().step();
        for (int a = 0; a < step.length; a++) {
            assertThat(step[a]).isCloseTo(other[a], within(1e-8 * (1 + Math.abs(other[a]))));
        }
        double[] slope = many.pullThroughSlope();
        for (int j = 0; j < slope.length; j++) {
            assertThat(slope[j]).isCloseTo(each.pullThroughSlope()[j], within(1e-10));
        }
    }
}
