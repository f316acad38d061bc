package stackelberg.solver.mixed;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;

/**
 * The rows that a ridge stands for: sqrt(mu) e_j for every cost-scaled feature, of somebody whose truth, wish and immutable columns are 0, and a row of
 * nothing but wish noise of variance mu gamma. With them, a ridge among people who differ is an ordinary game.
 */
final class RidgeRows {
    private RidgeRows() {}

    /** The game with these rows and no ridge; an intercept becomes the first immutable column, which these rows do not have. */
    static PredictionGame of(PredictionGame game) {
        int m = game.x().rows();
        int n = game.x().cols();
        int all = m + n + 1;
        DenseMatrix x = DenseMatrix.zeros(all, n);
        double[] row = new double[n];
        for (int i = 0; i < m; i++) {
            game.x().tile(i, 1, 0, n, DoubleBuffer.wrap(row));
            x.setRow(i, row);
        }
        double[] costs = game.costs();
        for (int j = 0; j < n; j++) {
            x.set(m + j, j, Math.sqrt(game.ridge() / costs[j]));
        }
        double[] weights = Arrays.copyOf(game.weights(), all);
        Arrays.fill(weights, m, all, 1);
        double[] noise = Arrays.copyOf(game.wishNoise(), all);
        noise[all - 1] = Math.sqrt(game.ridge() * game.gamma());
        double[][] immutable = game.immutable();
        int ones = game.hasIntercept() ? 1 : 0;
        double[][] columns = new double[ones + immutable.length][];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = Arrays.copyOf(k < ones ? new double[m] : immutable[k - ones], all);
            Arrays.fill(columns[k], 0, k < ones ? m : 0, 1);
        }
        return PredictionGame.of(x, Arrays.copyOf(game.y(), all), Arrays.copyOf(game.z(), all), game.gamma())
                .withImmutable(columns)
                .withCosts(costs)
                .withWeights(weights)
                .withWishNoise(noise)
                .withPopulation(game.population().ofSize(all));
    }
}
