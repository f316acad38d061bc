package stackelberg.data;

/** How a feature is scaled: encoded = (raw - shift) / scale. A column with one value in all rows has its value as the shift, and scale 1. */
public enum Scaling {
    /** To [0, 1]: shift = min, scale = max - min. */
    RANGE,
    /** To mean 0 and standard deviation 1: shift = mean, scale = sqrt(sum (x - mean)^2 / m). */
    STANDARD,
    /** As it is: shift = 0, scale = 1. */
    NONE;

    /**
     * What the rows say about a column.
     *
     * @param count how many values there are
     * @param sd sqrt(sum (x - mean)^2 / m)
     * @param width max - min
     * @param max the largest value
     */
    public record Spread(double count, double mean, double sd, double min, double width, double max) {
        public Spread(double count, double mean, double sd, double min, double width) {
            this(count, mean, sd, min, width, min + width);
        }

        /**
         * Of the first values of an array: the mean in deviations from the first one, so that a large common part costs no digits, and the
         * squares in units of the width, so that neither tiny nor huge values are lost in them.
         */
        public static Spread of(double[] values, int count) {
            double first = values[0];
            double min = first;
            double max = first;
            double rest = 0;
            for (int i = 0; i < count; i++) {
                double value = values[i];
                if (value < min) {
                    min = value;
                } else if (value > max) {
                    max = value;
                }
                rest += value - first;
            }
            // -0.0 is 0
            min += 0.0;
            max += 0.0;
            double mean = first + rest / count;
            double width = max - min;
            double sum = 0;
            double squares = 0;
            for (int i = 0; width > 0 && i < count; i++) {
                double d = (values[i] - mean) / width;
                sum += d;
                squares += d * d;
            }
            // The second term takes out what rounding left in the mean.
            double sd = width * Math.sqrt(Math.max(0, (squares - sum * sum / count) / count));
            return new Spread(count, mean, sd, min, width, max);
        }

        public boolean constant() {
            return width == 0;
        }
    }

    /** The encoded column of that name and level; {@code spread} is not looked at by {@link #NONE} and may be null then. */
    public EncodedColumn column(String name, String level, Spread spread) {
        if (this == NONE) {
            return new EncodedColumn(name, level, 0, 1);
        }
        if (spread.constant()) {
            return new EncodedColumn(name, level, spread.min(), 1);
        }
        return this == RANGE
                ? new EncodedColumn(name, level, spread.min(), spread.width())
                : new EncodedColumn(name, level, spread.mean(), spread.sd());
    }
}
