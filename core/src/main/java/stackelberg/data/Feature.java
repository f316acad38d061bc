package stackelberg.data;

import java.util.List;

/**
 * How one column of a table becomes columns of the encoded matrix.
 *
 * @param column the column of the table
 * @param levels the levels in the training data, in order; empty for a numeric feature
 * @param mean what a missing number is replaced with, the training mean; 0 for a categorical feature
 * @param mostFrequentLevel what a missing level is replaced with; null for a numeric feature
 * @param columns the encoded columns: one for a number; one per level, possibly without the first, for categories
 * @param range the values seen in training; null for a categorical feature, and where they were not looked at
 */
public record Feature(
        String column,
        List<String> levels,
        double mean,
        String mostFrequentLevel,
        List<EncodedColumn> columns,
        Range range) {
    /** From the smallest value to the largest. */
    public record Range(double min, double max) {
        /** Whether the value lies outside, by more than the rounding of the units it was computed in. */
        public boolean excludes(double value) {
            double rounding = 1e-9 * (max - min);
            return value < min - rounding || value > max + rounding;
        }

        /** Whether a move from one value to another leads out; whoever was outside before does not leave. */
        public boolean left(double before, double after) {
            return !excludes(before) && excludes(after);
        }
    }

    public Feature {
        levels = List.copyOf(levels);
        columns = List.copyOf(columns);
    }

    /** A feature whose range was not looked at. */
    public Feature(
            String column, List<String> levels, double mean, String mostFrequentLevel, List<EncodedColumn> columns) {
        this(column, levels, mean, mostFrequentLevel, columns, null);
    }

    public boolean categorical() {
        return !levels.isEmpty();
    }

    /** The values that a move is expected to stay within: those seen in training, 0 to 1 for an indicator; null where they were not looked at. */
    public Range reach() {
        return categorical() ? new Range(0, 1) : range;
    }
}
