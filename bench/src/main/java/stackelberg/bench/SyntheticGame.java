package stackelberg.bench;

import java.util.Arrays;
import java.util.SplittableRandom;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * The paper's synthetic games: y from a linear model, z = max(y, 25% quantile of y), and a manipulable column of ones. The same seed gives the same game on
 * any number of threads.
 */
final class SyntheticGame {
    /** The number of features with a coefficient other than 0, as in the paper. */
    private static final int INFORMATIVE = 10;

    private SyntheticGame() {}

    static PredictionGame of(Row.Game game, long seed, Workers workers) {
        return game.family().equals("dense")
                ? dense(game.m(), game.n(), game.gamma(), seed, workers)
                : sparse(game.m(), game.n(), game.density(), game.gamma(), seed);
    }

    /**
     * A dense game: standard normal X, 10 informative features with coefficients 100 U(0, 1), noise of standard deviation 0.1; then every column of X is scaled
     * to [0, 1]. X is written and scaled in place, so that no second array of its size is needed.
     */
    static PredictionGame dense(int m, int n, double gamma, long seed, Workers workers) {
        double[] coefficients = new SplittableRandom(seed)
                .doubles(Math.min(n, INFORMATIVE), 0, 100)
                .toArray();
        DenseMatrix x = DenseMatrix.zeros(m, n + 1);
        double[] y = new double[m];
        int parts = Math.min(m, 64);
        double[][] least = new double[parts][];
        double[][] most = new double[parts][];
        workers.run(parts, part -> {
            double[] min = new double[n];
            double[] max = new double[n];
            Arrays.fill(min, Double.POSITIVE_INFINITY);
            Arrays.fill(max, Double.NEGATIVE_INFINITY);
            double[] row = new double[n + 1];
            row[n] = 1;
            for (int i = first(part, parts, m); i < first(part + 1, parts, m); i++) {
                SplittableRandom random = new SplittableRandom(seed * 1_000_003 + i);
                for (int j = 0; j < n; j++) {
                    double value = random.nextGaussian();
                    min[j] = Math.min(min[j], value);
                    max[j] = Math.max(max[j], value);
                    row[j] = value;
                }
                for (int j = 0; j < coefficients.length; j++) {
                    y[i] += coefficients[j] * row[j];
                }
                y[i] += 0.1 * random.nextGaussian();
                x.setRow(i, row);
            }
            least[part] = min;
            most[part] = max;
        });
        double[] shift = new double[n];
        double[] range = new double[n];
        for (int j = 0; j < n; j++) {
            int column = j;
            shift[j] = Arrays.stream(least).mapToDouble(a -> a[column]).min().orElseThrow();
            range[j] = Arrays.stream(most).mapToDouble(a -> a[column]).max().orElseThrow() - shift[j];
        }
        workers.run(parts, part -> {
            for (int i = first(part, parts, m); i < first(part + 1, parts, m); i++) {
                double[] row = x.row(i);
                for (int j = 0; j < n; j++) {
                    row[j] = range[j] > 0 ? (row[j] - shift[j]) / range[j] : 0;
                }
                x.setRow(i, row);
            }
        });
        return PredictionGame.of(x, y, wish(y), gamma);
    }

    /** A sparse game: standard normal nonzeros at the given density, w standard normal, y = Xw + 0.5 noise, nothing scaled. The column of ones is not stored. */
    static PredictionGame sparse(int m, int n, double density, double gamma, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] w = new double[n];
        Arrays.setAll(w, j -> random.nextGaussian());
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        double[] y = new double[m];
        double logMiss = Math.log1p(-density);
        for (int i = 0; i < m; i++) {
            int j = -1;
            while (true) {
                // the gaps between the nonzeros of a row are geometrically distributed, so zeros cost no random numbers
                j += 1 + (int) Math.min(n, Math.log(1 - random.nextDouble()) / logMiss);
                if (j >= n) {
                    break;
                }
                double value = random.nextGaussian();
                builder.put(j, value);
                y[i] += value * w[j];
            }
            builder.endRow();
            y[i] += 0.5 * random.nextGaussian();
        }
        return PredictionGame.of(new AffineMatrix(builder.build(n), null, null, true), y, wish(y), gamma);
    }

    private static int first(int part, int parts, int m) {
        return (int) ((long) part * m / parts);
    }

    private static double[] wish(double[] y) {
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        double position = 0.25 * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        double quartile = sorted[below] + (position - below) * (sorted[above] - sorted[below]);
        return Arrays.stream(y).map(value -> Math.max(value, quartile)).toArray();
    }
}
