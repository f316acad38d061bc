package stackelberg.model;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * Percentile intervals of statistics of people drawn again with replacement; the same seed gives the same draws.
 *
 * @param replicates how often people are drawn
 * @param level the probability that the interval is to cover
 * @param seed of the draws
 */
public record Bootstrap(int replicates, double level, long seed) {
    public Bootstrap {
        if (replicates < 20) {
            throw new IllegalArgumentException(
                    "The number of bootstrap replicates is " + replicates + "; it must be at least 20.");
        }
        if (!(level > 0 && level < 1)) {
            throw new IllegalArgumentException("The level is " + level + "; it must lie between 0 and 1.");
        }
    }

    /** From the lower to the upper percentile. */
    public record Interval(double low, double high) {}

    /** How often each of the people is drawn, once per replicate. */
    int[][] draws(int people) {
        SplittableRandom random = new SplittableRandom(seed);
        int[][] draws = new int[replicates][people];
        for (int[] draw : draws) {
            for (int i = 0; i < people; i++) {
                draw[random.nextInt(people)]++;
            }
        }
        return draws;
    }

    /** The interval of a statistic over draws; it is infinite towards a side where the statistic was. */
    Interval interval(int[][] draws, ToDoubleFunction<int[]> statistic) {
        double[] values = Arrays.stream(draws)
                .mapToDouble(statistic)
                .filter(v -> !Double.isNaN(v))
                .sorted()
                .toArray();
        if (values.length == 0) {
            return new Interval(Double.NaN, Double.NaN);
        }
        double tail = (1 - level) / 2;
        return new Interval(at(values, tail), at(values, 1 - tail));
    }

    private static double at(double[] sorted, double q) {
        double position = q * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        double fraction = position - below;
        // no 0 * infinity
        return fraction == 0 || sorted[below] == sorted[above]
                ? sorted[below]
                : sorted[below] + fraction * (sorted[above] - sorted[below]);
    }
}
