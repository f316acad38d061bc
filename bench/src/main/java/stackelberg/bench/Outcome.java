package stackelberg.bench;

import java.util.List;
import stackelberg.solver.ProgressListener.Progress;

/**
 * What one run came to; the part of a {@link Row} that is measured.
 *
 * @param trace what the solver reported of its iterations; empty unless it was asked for
 */
record Outcome(
        String status,
        boolean certified,
        Row.Seconds seconds,
        int iterations,
        int passes,
        double objective,
        double gapBound,
        double relativeGap,
        String note,
        List<Progress> trace) {
    static Outcome skipped(String why) {
        double none = Double.NaN;
        return new Outcome(
                Row.SKIPPED,
                false,
                new Row.Seconds(none, none, none, none, none),
                -1,
                -1,
                none,
                none,
                none,
                why,
                List.of());
    }
}
