package stackelberg.model.response;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import stackelberg.linalg.Workers;

/**
 * Percentile intervals of statistics by the bootstrap: the rows are resampled with replacement, and the same seed gives
 * the same resamples.
 *
 * @param replicates the number of resamples, 20 to 1,000,000
 * @param level the coverage probability of an interval, between 0 and 1
 * @param seed seed of the resampling
 */
public record Bootstrap(int replicates, double level, long seed) {
    /** The largest number of replicates: the statistics of each are held in memory. */
    private static final int MOST = 1_000_000;

    public Bootstrap {
        if (replicates < 20 || replicates > MOST) {
            throw new IllegalArgumentException("The number of bootstrap replicates is " + replicates
                    + "; it must be at least 20 and at most " + MOST + ".");
        }
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("The level is " + level + "; it must lie between 0 and 1.");
        }
    }

    /** The interval between the lower and the upper percentile. */
    public record Interval(double low, double high) {}

    /** A statistic of the rows as they are, with its interval. */
    public record Estimate(double value, Interval interval) {}

    /**
     * Returns one interval per statistic.
     *
     * @param people the number of rows
     * @param statistics computes the statistics from the number of times that each row was drawn; NaN where a resample
     *     leaves one undefined
     */
    Interval[] intervals(int people, Function<int[], double[]> statistics) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] values = new double[replicates][];
        int[] counts = new int[people];
        for (int b = 0; b < replicates; b++) {
            Workers.throwIfInterrupted();
            Arrays.fill(counts, 0);
            for (int i = 0; i < people; i++) {
                counts[random.nextInt(people)]++;
            }
            values[b] = statistics.apply(counts);
        }
        Interval[] intervals = new Interval[values[0].length];
        for (int k = 0; k < intervals.length; k++) {
            int which = k;
            intervals[k] =
                    interval(Arrays.stream(values).mapToDouble(v -> v[which]).toArray());
        }
        return intervals;
    }

    private Interval interval(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
        if (sorted.length == 0) {
            return new Interval(Double.NaN, Double.NaN);
        }
        double tail = (1 - level) / 2;
        return new Interval(at(sorted, tail), at(sorted, 1 - tail));
    }

    private static double at(double[] sorted, double q) {
        double position = q * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        double fraction = position - below;
        // where both neighbours are infinite, interpolating would give infinity - infinity = NaN
        return fraction == 0 || sorted[below] == sorted[above]
                ? sorted[below]
                : sorted[below] + fraction * (sorted[above] - sorted[below]);
    }
}
