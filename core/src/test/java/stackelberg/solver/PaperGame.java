package stackelberg.solver;

import java.util.Arrays;
import java.util.Random;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.DenseMatrix;

/**
 * The paper's dense synthetic game: standard normal X, 10 informative features with coefficients 100 U(0, 1), noise 0.1, wish max(y, 25%
 * quantile of y), then every feature scaled to [0, 1] and a manipulable column of ones.
 */
public final class PaperGame {
    private static final int INFORMATIVE = 10;

    private PaperGame() {}

    public static PredictionGame dense(Random random, int m, int n, double gamma) {
        double[] coefficients = new double[n];
        for (int j = 0; j < Math.min(n, INFORMATIVE); j++) {
            coefficients[j] = 100 * random.nextDouble();
        }
        double[][] x = new double[m][n + 1];
        double[] y = new double[m];
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                x[i][j] = random.nextGaussian();
                y[i] += coefficients[j] * x[i][j];
            }
            y[i] += 0.1 * random.nextGaussian();
        }
        double[] z = wish(y);
        for (int j = 0; j < n; j++) {
            scaleToUnitRange(x, j);
        }
        for (double[] row : x) {
            row[n] = 1;
        }
        return PredictionGame.of(DenseMatrix.of(x), y, z, gamma);
    }

    /** The harder variant: y and z divided by max |y|, and normal noise of standard deviation 0.5 added to z. */
    public static PredictionGame scaledDown(Random random, int m, int n, double gamma) {
        PredictionGame game = dense(random, m, n, gamma);
        double[] y = game.y();
        double[] z = game.z();
        double largest = Arrays.stream(y).map(Math::abs).max().orElse(1);
        for (int i = 0; i < m; i++) {
            y[i] /= largest;
            z[i] = z[i] / largest + 0.5 * random.nextGaussian();
        }
        return PredictionGame.of(game.x(), y, z, gamma);
    }

    private static double[] wish(double[] y) {
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        double position = 0.25 * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        double quantile = sorted[below] + (position - below) * (sorted[above] - sorted[below]);
        return Arrays.stream(y).map(value -> Math.max(value, quantile)).toArray();
    }

    private static void scaleToUnitRange(double[][] x, int j) {
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (double[] row : x) {
            min = Math.min(min, row[j]);
            max = Math.max(max, row[j]);
        }
        for (double[] row : x) {
            row[j] = max > min ? (row[j] - min) / (max - min) : 0;
        }
    }
}
