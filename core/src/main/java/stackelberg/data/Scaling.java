package stackelberg.data;

import java.util.Arrays;
import stackelberg.data.Encoding.EncodedColumn;

/**
 * How a feature is scaled: encoded = (raw - shift) / scale. A column with one value in all rows has its value as the shift, and scale 1. A rule without
 * a constant needs shift = 0 throughout: what is subtracted from a column is a constant in the units of the data.
 */
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
        /** Of so many values the squares are summed in the first look, unless that costs digits. */
        private static final int MANY = 1 << 18;

        /** By how much the square of a mean may exceed the variance: a digit of the sum of squares is lost then. */
        private static final double FAR = 10;

        /** Squares that are larger or smaller than this may have left the range of numbers. */
        private static final double MOST = 1e100;

        public Spread(double count, double mean, double sd, double min, double width) {
            this(count, mean, sd, min, width, min + width);
        }

        /**
         * Of the first values of an array: the mean in deviations from the first one, so that a large common part costs no digits, and the
         * squares in units of the width, so that neither tiny nor huge values are lost in them.
         */
        public static Spread of(double[] values, int count) {
            return of(count == values.length ? values : Arrays.copyOf(values, count));
        }

        /** Of all values of some arrays, the first of which is not empty. */
        static Spread of(double[]... pieces) {
            Sums sums = new Sums(pieces[0][0]);
            for (double[] piece : pieces) {
                sums.look(piece);
            }
            // -0.0 is 0
            double min = sums.min + 0.0;
            double max = sums.max + 0.0;
            double mean = sums.first + sums.rest / sums.count;
            double width = max - min;
            double apart = sums.rest / sums.count;
            double variance = sums.beyond / sums.count - apart * apart;
            if (sums.count >= MANY && variance > 1 / MOST && variance < MOST && apart * apart <= FAR * variance) {
                return new Spread(sums.count, mean, Math.sqrt(variance), min, width, max);
            }
            for (double[] piece : pieces) {
                if (width > 0) {
                    sums.deviate(piece, mean, width);
                }
            }
            // The second term takes out what rounding left in the mean.
            double left = (sums.squares - sums.sum * sums.sum / sums.count) / sums.count;
            return new Spread(sums.count, mean, width * Math.sqrt(Math.max(0, left)), min, width, max);
        }

        public boolean constant() {
            return width == 0;
        }
    }

    /** What is summed over pieces, one after the other. */
    private static final class Sums {
        final double first;
        int count;
        double min;
        double max;
        double rest;
        double beyond;
        double sum;
        double squares;

        Sums(double first) {
            this.first = first;
            this.min = first;
            this.max = first;
        }

        void look(double[] piece) {
            double least = min;
            double most = max;
            double all = rest;
            double squared = beyond;
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
            rest = all;
            beyond = squared;
            count += piece.length;
        }

        void deviate(double[] piece, double mean, double width) {
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
     * The encoded column of that name and level.
     *
     * @param spread not looked at by {@link #NONE}, and may be null then
     * @param shifted whether there is a shift; without, it is 0
     */
    public EncodedColumn column(String name, String level, Spread spread, boolean shifted) {
        if (this == NONE) {
            return new EncodedColumn(name, level, 0, 1);
        }
        double shift = !shifted ? 0 : this == RANGE || spread.constant() ? spread.min() : spread.mean();
        double scale = spread.constant() ? 1 : this == RANGE ? spread.width() : spread.sd();
        return new EncodedColumn(name, level, shift, scale);
    }
}
