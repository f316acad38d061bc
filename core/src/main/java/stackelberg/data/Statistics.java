package stackelberg.data;

import java.util.Arrays;

/** Statistics of the first values of an array. */
public final class Statistics {
    private Statistics() {}

    public static double min(double[] values, int count) {
        double min = values[0];
        for (int i = 1; i < count; i++) {
            min = Math.min(min, values[i]);
        }
        return min;
    }

    public static double max(double[] values, int count) {
        double max = values[0];
        for (int i = 1; i < count; i++) {
            max = Math.max(max, values[i]);
        }
        return max;
    }

    /** sum x / m, in deviations from the first value, so that a large common part costs no digits. */
    public static double mean(double[] values, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += values[i] - values[0];
        }
        return values[0] + sum / count;
    }

    /** sqrt(sum (x - mean)^2 / m), in units of the range, so that neither tiny nor huge values are lost in the squares. */
    public static double deviation(double[] values, int count) {
        double range = max(values, count) - min(values, count);
        if (range == 0) {
            return 0;
        }
        double mean = mean(values, count);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double d = (values[i] - mean) / range;
            sum += d;
            squares += d * d;
        }
        // The second term takes out what rounding left in the mean.
        return range * Math.sqrt(Math.max(0, (squares - sum * sum / count) / count));
    }

    /** The q-quantile with linear interpolation between order statistics: position q (m - 1). */
    public static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double position = q * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
