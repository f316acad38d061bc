package stackelberg.data;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding.EncodedColumn;

/**
 * How a feature is scaled: encoded = (raw - shift) / scale.
 *
 * <p>A column with the same value in all rows gets that value as its shift, and scale 1. A rule without an intercept
 * needs shift = 0 in every column, because subtracting a shift from a column adds a constant to the score in the units
 * of the data.
 */
public enum Scaling {
    /** Scales to [0, 1]: shift = min, scale = max - min. */
    RANGE,
    /** Scales to mean 0 and standard deviation 1: shift = mean, scale = sqrt(sum (x - mean)^2 / m). */
    STANDARD,
    /** Leaves values as they are: shift = 0, scale = 1. */
    NONE;

    /**
     * Location and spread of the values of a column.
     *
     * @param count the number of values m
     * @param mean sum x / m
     * @param sd sqrt(sum (x - mean)^2 / m)
     * @param min the smallest value
     * @param width max - min
     * @param max the largest value
     */
    public record Spread(double count, double mean, double sd, double min, double width, double max) {
        /**
         * From this many values on (2 MB) a second pass over them is worth avoiding: the squares are summed in the
         * first, if that costs no accuracy.
         */
        private static final int MANY = 1 << 18;

        /**
         * The largest (mean - first value)^2 / variance for which sum (x - first)^2 may be used: the subtraction of
         * (mean - first)^2 then loses about one of sixteen digits.
         */
        private static final double FAR = 10;

        /** Variances beyond this, or below its inverse, may come from squares that overflowed or underflowed. */
        private static final double MOST = 1e100;

        /** Makes a spread with max = min + width. */
        public Spread(double count, double mean, double sd, double min, double width) {
            this(count, mean, sd, min, width, min + width);
        }

        /**
         * The spread of the first {@code count} values of an array.
         *
         * <p>The mean is computed from differences to the first value, so that a large common offset costs no digits.
         * The deviations are squared in units of the width, so that the squares of tiny or huge values do not underflow
         * or overflow.
         */
        public static Spread of(double[] values, int count) {
            return of(count == values.length ? values : Arrays.copyOf(values, count));
        }

        /** The spread of all values of some arrays, the first of which is not empty. */
        static Spread of(double[]... pieces) {
            Sums sums = new Sums(pieces[0][0]);
            for (double[] piece : pieces) {
                sums.add(piece);
            }
            // + 0.0 turns -0.0 into 0.0.
            double min = sums.min + 0.0;
            double max = sums.max + 0.0;
            double mean = sums.first + sums.offsets / sums.count;
            double width = max - min;
            double offset = sums.offsets / sums.count;
            double variance = sums.squaredOffsets / sums.count - offset * offset;
            if (sums.count >= MANY && variance > 1 / MOST && variance < MOST && offset * offset <= FAR * variance) {
                return new Spread(sums.count, mean, Math.sqrt(variance), min, width, max);
            }
            for (double[] piece : pieces) {
                if (width > 0) {
                    sums.addDeviations(piece, mean, width);
                }
            }
            // The deviations would sum to 0 if the mean were exact; the second term removes what its rounding adds to
            // the squares.
            double scaledVariance = (sums.squares - sums.sum * sums.sum / sums.count) / sums.count;
            return new Spread(sums.count, mean, width * Math.sqrt(Math.max(0, scaledVariance)), min, width, max);
        }

        /** Whether all values are equal. */
        public boolean constant() {
            return width == 0;
        }
    }

    /**
     * The running sums over the arrays of a column. The loops work on local variables, which the compiler keeps in
     * registers.
     */
    private static final class Sums {
        /** The value that offsets are taken from. */
        final double first;

        int count;
        double min;
        double max;
        /** sum (x - first). */
        double offsets;
        /** sum (x - first)^2. */
        double squaredOffsets;
        /** sum (x - mean) / width, of the second pass. */
        double sum;
        /** sum ((x - mean) / width)^2, of the second pass. */
        double squares;

        Sums(double first) {
            this.first = first;
            this.min = first;
            this.max = first;
        }

        /** The first pass: extremes, and sums of offsets from the first value. */
        void add(double[] piece) {
            double least = min;
            double most = max;
            double all = offsets;
            double squared = squaredOffsets;
            for (double value : piece) {
                if (value < least) {
                    least = value;
                } else if (value > most) {
                    most = value;
                }
                double d = value - first;
                all += d;
                squared += d * d;
            }
            min = least;
            max = most;
            offsets = all;
            squaredOffsets = squared;
            count += piece.length;
        }

        /** The second pass: sums of deviations from the mean, in units of the width. */
        void addDeviations(double[] piece, double mean, double width) {
            double deviations = sum;
            double all = squares;
            for (double value : piece) {
                double d = (value - mean) / width;
                deviations += d;
                all += d * d;
            }
            sum = deviations;
            squares = all;
        }
    }

    /**
     * The encoded column of that name, with this scaling's shift and scale.
     *
     * @param level the level that the column indicates, null for a numeric column
     * @param spread the spread of the training values; {@link #NONE} does not need it
     * @param shifted false for a shift of 0 whatever the scaling
     */
    public EncodedColumn column(String name, @Nullable String level, @Nullable Spread spread, boolean shifted) {
        if (this == NONE) {
            return new EncodedColumn(name, level, 0, 1);
        }
        Objects.requireNonNull(spread, "This scaling needs the spread of the column.");
        double shift = !shifted ? 0 : this == RANGE || spread.constant() ? spread.min() : spread.mean();
        double scale = spread.constant() ? 1 : this == RANGE ? spread.width() : spread.sd();
        return new EncodedColumn(name, level, shift, scale);
    }
}
