package stackelberg.game;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.DoubleAdder;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * The run time of limits: every row's move of every feature, by the closed form and with limits, as ratios of one run. Not a test.
 *
 * <p>Arguments: {@code ROWS COLS}, any number of them.
 */
public final class LimitsBench {
    private static final int ROUNDS = 9;
    /** Limits that many standard deviations from the mean: out of reach, in the way of some, and in the way of most. */
    private static final double[] LIMITS = {1e9, 2.5, 1, 0.25};

    private LimitsBench() {}

    public static void main(String[] arguments) {
        for (int k = 0; k + 1 < arguments.length; k += 2) {
            for (int threads : new int[] {1, Runtime.getRuntime().availableProcessors()}) {
                run(Integer.parseInt(arguments[k]), Integer.parseInt(arguments[k + 1]), Workers.of(threads));
            }
        }
    }

    private static void run(int rows, int cols, Workers workers) {
        SplittableRandom random = new SplittableRandom(1);
        DenseMatrix x = DenseMatrix.zeros(rows, cols);
        double[] z = new double[rows];
        for (int i = 0; i < rows; i++) {
            double[] row = new double[cols];
            for (int j = 0; j < cols; j++) {
                row[j] = normal(random);
            }
            x.setRow(i, row);
            z[i] = 3 * normal(random);
        }
        double[] w = new double[cols];
        Arrays.setAll(w, j -> normal(random) / Math.sqrt(cols));
        LinearRule rule = new LinearRule(w, new double[0], 0);
        PredictionGame game = PredictionGame.of(x, new double[rows], z, 0.5);
        double[] closed = new double[ROUNDS];
        double[][] bounded = new double[LIMITS.length][ROUNDS];
        double[] sums = new double[LIMITS.length + 1];
        for (int round = 0; round < ROUNDS; round++) {
            long start = now(workers);
            sums[0] = closedForm(game, rule, workers);
            closed[round] = (now(workers) - start) * 1e-9;
            for (int k = 0; k < LIMITS.length; k++) {
                start = now(workers);
                sums[k + 1] = limited(game, rule, LIMITS[k], workers);
                bounded[k][round] = (now(workers) - start) * 1e-9;
            }
        }
        System.out.println(String.format(
                Locale.ROOT,
                "%,d people x %d features, %d thread(s): closed form %.4f s (mean move %.4f)",
                rows,
                cols,
                workers.threads(),
                median(closed),
                sums[0]));
        for (int k = 0; k < LIMITS.length; k++) {
            System.out.println(String.format(
                    Locale.ROOT,
                    "  limits at %-6.3g  %.4f s, %.2f times the closed form; %.0f%% of the people stopped, mean move %.4f",
                    LIMITS[k],
                    median(bounded[k]),
                    median(bounded[k]) / median(closed),
                    100 * stopped(game, rule, LIMITS[k], workers),
                    sums[k + 1]));
        }
    }

    /** The mean size of a move, every single one of which is written into a row and read again. */
    private static double closedForm(PredictionGame game, LinearRule rule, Workers workers) {
        double[] p = game.predict(rule, workers);
        double[] z = game.z();
        double[] w = rule.w();
        Response response = Response.of(rule.omega(game.costs()), game.gamma());
        int rows = p.length;
        int height = 1024;
        DoubleAdder sum = new DoubleAdder();
        workers.run((rows + height - 1) / height, block -> {
            double[] moves = new double[w.length];
            double own = 0;
            for (int i = block * height; i < Math.min(rows, (block + 1) * height); i++) {
                double step = response.step(p[i], z[i]);
                for (int j = 0; j < w.length; j++) {
                    moves[j] = step * w[j];
                }
                own += size(moves);
            }
            sum.add(own);
        });
        return sum.sum() / ((double) rows * w.length);
    }

    private static double limited(PredictionGame game, LinearRule rule, double limit, Workers workers) {
        double[] p = game.predict(rule, workers);
        double[] z = game.z();
        double[] w = rule.w();
        double[] sizes = new double[p.length];
        PredictionGame held = held(game, limit);
        ThreadLocal<double[]> rows = ThreadLocal.withInitial(() -> new double[w.length]);
        held.eachBounded(w, rule.omega(game.costs()), workers, (i, person) -> {
            person.answer(p[i], z[i], game.gamma());
            double[] moves = rows.get();
            person.moves(moves);
            sizes[i] = size(moves);
        });
        return Arrays.stream(sizes).sum() / ((double) p.length * w.length);
    }

    private static double stopped(PredictionGame game, LinearRule rule, double limit, Workers workers) {
        double[] p = game.predict(rule, workers);
        double[] z = game.z();
        double[] stopped = new double[p.length];
        held(game, limit)
                .eachBounded(
                        rule.w(),
                        rule.omega(game.costs()),
                        workers,
                        (i, person) -> stopped[i] =
                                person.answer(p[i], z[i], game.gamma()).isStopped() ? 1 : 0);
        return Arrays.stream(stopped).average().orElseThrow();
    }

    private static PredictionGame held(PredictionGame game, double limit) {
        double[] low = new double[game.x().cols()];
        double[] high = new double[low.length];
        Arrays.fill(low, -limit);
        Arrays.fill(high, limit);
        return game.withBounds(new Response.Bounds(low, high, null));
    }

    private static double size(double[] moves) {
        double sum = 0;
        for (double move : moves) {
            sum += Math.abs(move);
        }
        return sum;
    }

    /** Of one thread the processor's time: a busy machine changes it less. */
    private static long now(Workers workers) {
        return workers.threads() == 1
                ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double normal(SplittableRandom random) {
        double sum = -6;
        for (int k = 0; k < 12; k++) {
            sum += random.nextDouble();
        }
        return sum;
    }
}
