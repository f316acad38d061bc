package stackelberg.game;

import java.util.Random;
import stackelberg.linalg.DenseMatrix;

/** Seeded games that use everything at once: costs, immutable columns, an immutable intercept, weights and wish noise. */
public final class RandomGame {
    private RandomGame() {}

    /** m rows and n features; wishes differ between people, so that the limit point (pull-through 1) has a loss. */
    public static PredictionGame plain(Random random, int m, int n, double gamma) {
        double[][] x = new double[m][];
        double[] y = new double[m];
        double[] z = new double[m];
        double[] truth = normal(random, n);
        for (int i = 0; i < m; i++) {
            x[i] = normal(random, n);
            y[i] = 0.5 * random.nextGaussian() + 1;
            for (int j = 0; j < n; j++) {
                y[i] += truth[j] * x[i][j];
            }
            z[i] = y[i] + 2 * random.nextDouble() - 0.3 + 0.5 * random.nextGaussian();
        }
        return PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
    }

    /** The same with costs, immutable columns, an intercept, weights and noise. */
    public static PredictionGame general(Random random, int m, int n, int immutables, double gamma) {
        double[][] columns = new double[immutables][];
        for (int j = 0; j < immutables; j++) {
            columns[j] = normal(random, m);
        }
        return plain(random, m, n, gamma)
                .withCosts(positive(random, n))
                .withImmutable(columns)
                .withIntercept()
                .withWeights(positive(random, m))
                .withWishNoise(positive(random, m));
    }

    /** X as plain rows. */
    public static double[][] rows(PredictionGame game) {
        DenseMatrix x = (DenseMatrix) game.x();
        double[][] rows = new double[x.rows()][];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = x.row(i);
        }
        return rows;
    }

    public static double[] normal(Random random, int length) {
        double[] v = new double[length];
        for (int i = 0; i < length; i++) {
            v[i] = random.nextGaussian();
        }
        return v;
    }

    /** A random direction. */
    public static double[] unit(Random random, int length) {
        double[] v = normal(random, length);
        double square = 0;
        for (double value : v) {
            square += value * value;
        }
        for (int i = 0; i < length; i++) {
            v[i] /= Math.sqrt(square);
        }
        return v;
    }

    /** Between 0.2 and 5, evenly on the logarithmic scale. */
    public static double[] positive(Random random, int length) {
        double[] v = new double[length];
        for (int i = 0; i < length; i++) {
            v[i] = 0.2 * Math.pow(25, random.nextDouble());
        }
        return v;
    }
}
