package stackelberg.solver;

import java.util.Arrays;
import java.util.Random;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;

/** Small games of every kind that a user might bring: shapes, ranks, wishes, and all that the general game allows. */
public final class RandomGame {
    private RandomGame() {}

    public static PredictionGame of(Random random) {
        int m = 1 + random.nextInt(40);
        int n = 1 + random.nextInt(40);
        double[][] x = features(random, m, n);
        double scale = Math.pow(10, -3 + 6 * random.nextDouble());
        double[] y = normal(random, m, scale);
        if (random.nextBoolean()) {
            double[] w = normal(random, n, 1);
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    y[i] += scale * w[j] * x[i][j];
                }
            }
        }
        PredictionGame game = PredictionGame.of(DenseMatrix.of(x), y, wish(random, y, scale), 1);
        if (random.nextBoolean()) {
            game = game.withIntercept();
        }
        if (random.nextInt(3) == 0) {
            game = game.withImmutable(normal(random, m, 1), normal(random, m, 1));
        }
        if (random.nextInt(3) == 0) {
            double[] weights = random.doubles(m).map(v -> v < 0.2 ? 0 : 3 * v).toArray();
            weights[0] = 1;
            game = game.withWeights(weights);
        }
        if (random.nextInt(3) == 0) {
            game = game.withCosts(
                    random.doubles(n).map(v -> Math.pow(10, -1 + 2 * v)).toArray());
        }
        if (random.nextInt(3) == 0) {
            game = game.withWishNoise(0.3 * scale);
        }
        return game;
    }

    private static double[][] features(Random random, int m, int n) {
        double[][] x = new double[m][];
        Arrays.setAll(x, i -> normal(random, n, 1));
        switch (random.nextInt(5)) {
            case 0 -> {
                // duplicated columns
                for (double[] row : x) {
                    for (int j = 0; j < n / 2; j++) {
                        row[n - 1 - j] = row[j];
                    }
                }
            }
            case 1 -> {
                // zero columns
                for (double[] row : x) {
                    Arrays.fill(row, n / 2, n, 0);
                }
            }
            case 2 -> {
                // rank two at most
                double[] a = normal(random, n, 1);
                double[] b = normal(random, n, 1);
                for (double[] row : x) {
                    double first = row[0];
                    double second = random.nextGaussian();
                    Arrays.setAll(row, j -> first * a[j] + second * b[j]);
                }
            }
            case 3 -> {
                // columns of very different size
                for (double[] row : x) {
                    for (int j = 0; j < n; j++) {
                        row[j] *= Math.pow(10, -4.0 * j / n);
                    }
                }
            }
            default -> {
                // positive, so that one direction dominates
                for (double[] row : x) {
                    for (int j = 0; j < n; j++) {
                        row[j] = Math.abs(row[j]);
                    }
                }
            }
        }
        return x;
    }

    private static double[] wish(Random random, double[] y, double scale) {
        return switch (random.nextInt(4)) {
            case 0 -> normal(random, y.length, scale);
            case 1 -> Arrays.stream(y).map(v -> 3 * v).toArray();
            case 2 -> Arrays.stream(y).map(v -> Math.max(v, 0)).toArray();
            default ->
                Arrays.stream(y)
                        .map(v -> v + scale * Math.abs(random.nextGaussian()))
                        .toArray();
        };
    }

    public static double[] normal(Random random, int length, double scale) {
        double[] v = new double[length];
        Arrays.setAll(v, i -> scale * random.nextGaussian());
        return v;
    }
}
