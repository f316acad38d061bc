package stackelberg.cli.answer;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import stackelberg.estimate.Resampling;

/** Converts numbers for JSON, which has no infinity and no NaN: these become null. */
final class Finite {
    private Finite() {}

    public static @Nullable Double number(double value) {
        return Double.isFinite(value) ? value : null;
    }

    /** The ends of an interval. */
    public static List<@Nullable Double> ends(Resampling.Interval interval) {
        return ends(interval.low(), interval.high());
    }

    static List<@Nullable Double> ends(double low, double high) {
        return Arrays.asList(number(low), number(high));
    }
}
