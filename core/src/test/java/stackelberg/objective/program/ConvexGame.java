package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Random;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;

/** Small games with any loss: common and own wishes, intercepts, immutable columns, weights, costs, ridges, gamma over six decades. */
final class ConvexGame {
    private ConvexGame() {}

    /** @param common whether all wish for the same and nobody can change the intercept */
    static PredictionGame of(Random random, Loss loss, boolean common) {
        int n = 1 + random.nextInt(4);
        int m = 15 + random.nextInt(40);
        double[][] x = new double[m][n];
        double[] truth = new double[n];
        Arrays.setAll(truth, j -> random.nextGaussian());
        double[] y = new double[m];
        double[] z = new double[m];
        double[] fixed = new double[m];
        double[] weights = new double[m];
        double wish = 2 * random.nextGaussian();
        for (int i = 0; i < m; i++) {
            double score = random.nextGaussian();
            fixed[i] = random.nextGaussian();
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                score += x[i][j] * truth[j];
            }
            boolean yes = random.nextDouble() < 1 / (1 + Math.exp(-score));
            y[i] = loss.isLogistic() ? yes ? 1 : 0 : score;
            z[i] = common ? wish : wish + 2 * random.nextGaussian();
            weights[i] = random.nextInt(6) == 0 ? 0 : 0.2 + 2 * random.nextDouble();
        }
        // both classes among those who count, whatever is drawn
        for (int i = 0; i < 4; i++) {
            weights[i] = 1;
            y[i] = loss.isLogistic() ? i % 2 : y[i];
        }
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, z, Math.pow(10, -3 + 6 * random.nextDouble()))
                .withLoss(loss);
        if (common || random.nextInt(3) > 0) {
            game = game.withIntercept();
        }
        if (random.nextInt(3) == 0) {
            game = game.withImmutable(fixed);
        }
        if (random.nextBoolean()) {
            game = game.withWeights(weights);
        }
        if (random.nextInt(3) == 0) {
            game = game.withCosts(
                    random.doubles(n).map(v -> Math.pow(10, -1 + 2 * v)).toArray());
        }
        if (random.nextInt(3) == 0) {
            game = game.withRidge(Math.pow(10, -3 + 3 * random.nextDouble()));
        }
        return game;
    }
}
