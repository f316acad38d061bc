package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.TreeMap;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Matrix;

/** Represents each fold as the game of all rows in which the held-out rows have weight 0. */
final class TrainingGames {
    private final FoldData data;
    /** The columns that the immutable columns of the folds are combined from, by index. */
    private final TreeMap<Integer, double[]> immutable = new TreeMap<>();

    TrainingGames(FoldData data) {
        this.data = data;
        for (FoldData.FoldGame game : data.games()) {
            for (int source : game.columns().sources(game.fixed())) {
                immutable.computeIfAbsent(source, this::column);
            }
        }
    }

    private double[] column(int source) {
        int m = data.columns().rows();
        double[] values = new double[m];
        if (source == data.columns().cols()) {
            Arrays.fill(values, 1);
        } else {
            data.columns().tile(0, m, source, 1, DoubleBuffer.wrap(values));
        }
        return values;
    }

    /**
     * @param shared the columns shared by all folds and those that follow them
     */
    PredictionGame of(int fold, Matrix shared) {
        FoldData.FoldGame own = data.game(fold);
        Matrix x = new CombinedColumns(shared, own.columns().from(own.fixed()));
        double[] weights = data.weights().clone();
        for (int i = 0; i < weights.length; i++) {
            weights[i] = data.folds().of(i) == fold ? 0 : weights[i];
        }
        boolean intercept = data.intercept();
        int first = intercept ? 1 : 0;
        double[][] fixed = new double[own.fixed() - first][];
        for (int k = 0; k < fixed.length; k++) {
            fixed[k] = own.columns().column(first + k, weights.length, immutable::get);
        }
        PredictionGame game = PredictionGame.of(x, data.y(), data.z(fold), 1)
                .withImmutable(fixed)
                .withCosts(own.costs())
                .withWeights(weights)
                .withWishNoise(data.wishNoise());
        if (own.effects() != null) {
            game = game.withEffects(own.effects());
        }
        if (!data.spec().loss().isSquared()) {
            game = game.withLoss(data.spec().loss());
        }
        return intercept ? game.withIntercept() : game;
    }
}
