package stackelberg.objective.limited;

import java.util.Random;
import stackelberg.game.GameSpec;
import stackelberg.game.Population;
import stackelberg.game.PredictionGame;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;

/** A game drawn at random, with limits that bind some. */
record LimitedGame(PredictionGame game) {
    static LimitedGame plain(Random random, int rows, int features, int immutable) {
        DenseMatrix x = DenseMatrix.zeros(rows, features);
        double[] y = new double[rows];
        double[] z = new double[rows];
        double[] slope = random.doubles(features, -1, 1).toArray();
        double[][] fixed = new double[immutable][rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < features; j++) {
                x.set(i, j, random.nextGaussian());
                y[i] += slope[j] * x.get(i, j);
            }
            for (double[] column : fixed) {
                column[i] = random.nextGaussian();
                y[i] += 0.4 * column[i];
            }
            y[i] += 0.5 * random.nextGaussian();
            z[i] = random.nextBoolean() ? y[i] + 1.5 * random.nextDouble() : Math.max(y[i], 0.5);
        }
        double[] low = new double[features];
        double[] high = new double[features];
        double[] costs = new double[features];
        for (int j = 0; j < features; j++) {
            low[j] = random.nextInt(3) == 0 ? Double.NEGATIVE_INFINITY : -1 + random.nextGaussian() / 2;
            high[j] = random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : low[j] + 2 * random.nextDouble();
            high[j] = Double.isNaN(high[j]) || high[j] < low[j] ? 1 : high[j];
            if (random.nextInt(6) == 0) {
                low[j] = Double.POSITIVE_INFINITY;
            }
            costs[j] = Math.exp(random.nextGaussian() / 2);
        }
        GameSpec.Side side = random.nextInt(4) == 0 ? GameSpec.Side.UP : null;
        PredictionGame game = PredictionGame.of(x, y, z, Math.exp(random.nextGaussian() - 0.5))
                .withCosts(costs)
                .withImmutable(fixed)
                .withBounds(new Response.Bounds(low, high, side));
        return new LimitedGame(game);
    }

    /** The same with a ridge, weights, noise, an intercept, truthful people, gammas of their own or effects, as it falls. */
    static LimitedGame any(Random random, int rows, int features, int immutable) {
        LimitedGame plain = plain(random, rows, features, immutable);
        PredictionGame game = plain.game;
        double share = random.nextInt(3) == 0 ? 0.3 : 0;
        if (random.nextInt(3) == 0) {
            double[] gammas = random.doubles(rows, 0.1, 3).toArray();
            gammas[0] = Double.POSITIVE_INFINITY;
            game = game.withPopulation(new Population(gammas, share));
        } else {
            game = game.withPopulation(Population.ofOneGamma(rows, game.gamma(), share));
        }
        game = random.nextBoolean() ? game.withIntercept() : game;
        game = random.nextBoolean() ? game.withRidge(rows * 0.1) : game;
        game = random.nextBoolean() ? game.withWishNoise(0.6) : game;
        game = random.nextBoolean()
                ? game.withWeights(random.doubles(rows, 0, 2).toArray())
                : game;
        game = random.nextInt(3) == 0
                ? game.withEffects(random.doubles(features, -0.5, 0.5).toArray())
                : game;
        return new LimitedGame(game);
    }
}
