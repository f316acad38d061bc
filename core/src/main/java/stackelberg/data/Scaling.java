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
     */
    public record Spread(double count, double mean, double sd, double min, double width) {
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
