package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Random;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.DenseMatrix;

/** Small games with any combination of what a program may have, and the wishes that people usually have: max(today, c) and min(today, c). */
final class ProgramGame {
    private ProgramGame() {}

    /**
     * A game in which people would close a tenth to two thirds of the gap under today's rule.
     *
     * @param natural whether wishes are those of people who look at today's score
     */
    static PredictionGame of(Random random, Loss loss, boolean natural) {
        int n = 1 + random.nextInt(5);
        int immutables = random.nextInt(3);
        int m = 20 + 5 * n + random.nextInt(60);
        double[][] x = new double[m][];
        double[][] v = new double[immutables][];
        Arrays.setAll(v, j -> RandomGame.normal(random, m));
        double[] truth = RandomGame.normal(random, n);
        double[] y = new double[m];
        double spread = Math.exp(-1 + 1.5 * random.nextGaussian() / 2);
        for (int i = 0; i < m; i++) {
            x[i] = RandomGame.normal(random, n);
            double score = 0.5;
            for (int j = 0; j < n; j++) {
                score += truth[j] * x[i][j];
            }
            for (int j = 0; j < immutables; j++) {
                score += 0.5 * v[j][i];
            }
            y[i] = loss.isLogistic()
                    ? (random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0)
                    : score + spread * random.nextGaussian();
        }
        PredictionGame game =
                PredictionGame.of(DenseMatrix.of(x), y, y.clone(), 1).withLoss(loss);
        if (random.nextInt(4) > 0 || loss.isLogistic()) {
            game = game.withIntercept();
        }
        if (immutables > 0) {
            game = game.withImmutable(v);
        }
        if (random.nextInt(3) == 0) {
            game = game.withWeights(RandomGame.positive(random, m));
        }
        if (random.nextInt(3) == 0) {
            game = game.withCosts(RandomGame.positive(random, n));
        }
        PlainProgram plain = new PlainProgram(game);
        double[] honest = plain.bestHonest();
        double[] today = plain.scores(honest);
        double[] wishes;
        if (natural) {
            double[] sorted = today.clone();
            Arrays.sort(sorted);
            double c = sorted[(int) (m * (0.3 + 0.6 * random.nextDouble()))];
            boolean up = random.nextBoolean();
            wishes = Arrays.stream(today)
                    .map(s -> up ? Math.max(s, c) : Math.min(s, c))
                    .toArray();
        } else {
            wishes = new double[m];
            Arrays.setAll(wishes, i -> today[i] + random.nextGaussian() + random.nextDouble());
        }
        double omega = 0;
        for (int j = 0; j < n; j++) {
            omega += honest[j] * honest[j] / game.costs()[j];
        }
        double share = 0.1 + 0.55 * random.nextDouble();
        PredictionGame played = PredictionGame.of(game.x(), y, wishes, omega * (1 - share) / share)
                .withLoss(loss)
                .withWeights(game.weights())
                .withCosts(game.costs());
        played = game.hasIntercept() ? played.withIntercept() : played;
        played = immutables > 0 ? played.withImmutable(v) : played;
        if (random.nextInt(3) == 0) {
            played = played.withRidge(0.3 * random.nextDouble() * m);
        }
        if (loss.isSquared() && random.nextInt(3) == 0) {
            played = played.withWishNoise(0.5 * random.nextDouble());
        }
        if (loss.isSquared() && random.nextInt(3) == 0) {
            double[] effects = RandomGame.normal(random, n);
            for (int j = 0; j < n; j++) {
                effects[j] *= 0.5 * truth[j];
            }
            played = played.withEffects(effects);
        }
        return played;
    }
}
