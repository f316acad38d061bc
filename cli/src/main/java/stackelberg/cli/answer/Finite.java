package stackelberg.cli.answer;

import java.util.Arrays;
import java.util.List;
import stackelberg.estimate.Resampling;

/** Converts numbers for JSON: those that are not finite become null. */
final class Finite {
    private Finite() {}

    public static Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The ends of an interval. */
    public static List<Double> ends(Resampling.Interval interval) {
        return ends(interval.low(), interval.high());
    }

    static List<Double> ends(double low, double high) {
        return Arrays.asList(number(low), number(high));
    }
}
