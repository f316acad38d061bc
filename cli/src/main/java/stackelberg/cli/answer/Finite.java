package stackelberg.cli.answer;

import java.util.Arrays;
import java.util.List;
import stackelberg.model.response.Bootstrap;

/** Converts numbers for JSON, which has no infinity and no NaN: these become null. */
final class Finite {
    private Finite() {}

    public static Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The ends of an interval. */
    public static List<Double> ends(Bootstrap.Interval interval) {
        return ends(interval.low(), interval.high());
    }

    static List<Double> ends(double low, double high) {
        return Arrays.asList(number(low), number(high));
    }
}
