package stackelberg.objective.program;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import stackelberg.certificate.Certificate;
import stackelberg.estimate.Loss;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.auto.Solvers;
import stackelberg.sphere.Reduction;

/**
 * What a logistic fit costs beside a squared one of the same data, as ratios of one run: how often the data is read, certificates included, and time. Not a test; times need a
 * quiet machine, passes do not.
 *
 * <p>Arguments: {@code ROWS COLS} (dense) or {@code text ROWS COLS NONZEROS} (sparse, nonzeros of a row).
 */
public final class ConvexBench {
    private static final Workers ALL = Workers.available();
    private static final int ROUNDS = 3;

    private ConvexBench() {}

    public static void main(String[] arguments) {
        if (arguments[0].equals("text")) {
            text(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
        } else {
            dense(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        }
    }

    private static void dense(int rows, int cols) {
        for (boolean common : new boolean[] {true, false}) {
            PredictionGame game = game(rows, cols, common);
            CountedMatrix x = (CountedMatrix) game.x();
            PredictionGame logistic = game.withLoss(Loss.LOGISTIC);
            double squaredTime = Double.POSITIVE_INFINITY;
            double logisticTime = Double.POSITIVE_INFINITY;
            double squaredPasses = 0;
            double logisticPasses = 0;
            String told = "";
            for (int round = 0; round < ROUNDS; round++) {
                x.passes();
                long start = System.nanoTime();
                Reduction reduction = Pipeline.reduce(game, ALL, game.gamma());
                new Pipeline(Solvers.named("auto", ALL), SolverOptions.DEFAULT).run(reduction, game.gamma());
                squaredTime = Math.min(squaredTime, (System.nanoTime() - start) * 1e-9);
                squaredPasses = x.passes();
                start = System.nanoTime();
                ConvexSearch.Found found = found(logistic);
                logisticTime = Math.min(logisticTime, (System.nanoTime() - start) * 1e-9);
                logisticPasses = x.passes();
                Certificate certificate = found.certificate();
                told = found.kind() + ", relative gap " + certificate.relativeGap() + ", "
                        + found.result().effort().iterations() + " Newton steps on everybody";
            }
            print(
                    "%,d x %,d, %s: squared %.1f passes, %.2f s; logistic %.1f passes, %.2f s; ratio of passes %.2f, of time %.2f; %s",
                    rows,
                    cols,
                    common ? "common wish" : "own wishes",
                    squaredPasses,
                    squaredTime,
                    logisticPasses,
                    logisticTime,
                    logisticPasses / squaredPasses,
                    logisticTime / squaredTime,
                    told);
        }
    }

    private static void text(int rows, int cols, int nonzeros) {
        for (double gamma : new double[] {1, 100, 1e4}) {
            PredictionGame game = sparse(rows, cols, nonzeros, gamma);
            System.gc();
            long before = used();
            long start = System.nanoTime();
            ConvexSearch.Found found = found(game);
            double seconds = (System.nanoTime() - start) * 1e-9;
            print(
                    "%,d x %,d, %d nonzeros a row, gamma %g: %s, relative gap %.1e, %d passes, %.2f s, %d MB of heap beside the data or less",
                    rows,
                    cols,
                    nonzeros,
                    gamma,
                    found.kind(),
                    found.certificate().relativeGap(),
                    found.result().effort().passes(),
                    seconds,
                    Math.max(0, used() - before) >> 20);
        }
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static ConvexSearch.Found found(PredictionGame game) {
        return ConvexSearch.of(game, null, SolverOptions.DEFAULT, ProgressListener.NONE, ALL);
    }

    /** Yes or no, with an intercept and the squared loss, on a matrix that counts. */
    static PredictionGame game(int rows, int cols, boolean common) {
        SplittableRandom random = new SplittableRandom(1);
        DenseMatrix x = DenseMatrix.zeros(rows, cols);
        double[] y = new double[rows];
        double[] z = new double[rows];
        double[] row = new double[cols];
        for (int i = 0; i < rows; i++) {
            double score = 0;
            double shared = random.nextDouble() - 0.5;
            for (int j = 0; j < cols; j++) {
                row[j] = 3 * (random.nextDouble() - 0.5 + shared / (1 + j % 10));
                score += j < 20 ? 0.4 * row[j] * (j % 2 == 0 ? 1 : -1) : 0;
            }
            x.setRow(i, row);
            y[i] = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
            z[i] = common ? 2 : 2 + score / 2 + random.nextDouble();
        }
        return PredictionGame.of(new CountedMatrix(x), y, z, 5).withIntercept();
    }

    /** Rows of that many nonzeros, columns as words are: some in many rows, most in few. */
    static PredictionGame sparse(int rows, int cols, int nonzeros, double gamma) {
        SplittableRandom random = new SplittableRandom(2);
        int[] start = new int[rows + 1];
        int[] columns = new int[rows * nonzeros];
        double[] values = new double[columns.length];
        double[] y = new double[rows];
        double[] z = new double[rows];
        for (int i = 0; i < rows; i++) {
            int[] chosen = new int[0];
            while (chosen.length < nonzeros) {
                chosen = Arrays.stream(new int[2 * nonzeros])
                        .map(any -> (int) (cols * Math.pow(random.nextDouble(), 2)))
                        .distinct()
                        .limit(nonzeros)
                        .sorted()
                        .toArray();
            }
            double score = 0;
            for (int k = 0; k < nonzeros; k++) {
                columns[i * nonzeros + k] = chosen[k];
                values[i * nonzeros + k] = 0.3 * random.nextDouble();
                score += values[i * nonzeros + k] * (chosen[k] % 7 - 3);
            }
            start[i + 1] = (i + 1) * nonzeros;
            y[i] = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
            z[i] = 1 + random.nextDouble();
        }
        return PredictionGame.of(CsrMatrix.over(rows, cols, start, columns, values), y, z, gamma)
                .withIntercept()
                .withLoss(Loss.LOGISTIC);
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
