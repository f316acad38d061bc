package stackelberg.data.wish;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Scaling;

/** The functions of the wish language: functions of the numbers of one row, and (from {@link #MEAN} on) statistics of all rows. */
enum WishFunction {
    MAX(2, Integer.MAX_VALUE),
    MIN(2, Integer.MAX_VALUE),
    ABS(1, 1),
    SQRT(1, 1),
    EXP(1, 1),
    LOG(1, 1),
    CLIP(3, 3),
    MEAN(0, 1),
    SD(0, 1),
    MEDIAN(0, 1),
    QUANTILE(1, 2);

    /** The fewest and the most arguments that the function takes. */
    final int fewest;

    final int most;

    WishFunction(int fewest, int most) {
        this.fewest = fewest;
        this.most = most;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(WishFunction::text).toList();
    }

    /** The function of that name, if there is one. */
    static @Nullable WishFunction named(String name) {
        return Arrays.stream(values())
                .filter(f -> f.text().equals(name))
                .findFirst()
                .orElse(null);
    }

    /** The name of the function in the language. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the function is a statistic of all rows rather than a function of one row. */
    boolean isStatistic() {
        return compareTo(MEAN) >= 0;
    }

    /** Whether the function of many arguments is a function of two arguments applied repeatedly: max(a, b, c) = max(max(a, b), c). */
    boolean isFolded() {
        return this == MAX || this == MIN;
    }

    /** Replaces to[i] by max(to[i], more[i]), or min; for functions that are folded. A loop per function, which the compiler can vectorise. */
    void fold(double[] more, double[] to) {
        if (this == MAX) {
            for (int i = 0; i < to.length; i++) {
                to[i] = Math.max(to[i], more[i]);
            }
        } else {
            for (int i = 0; i < to.length; i++) {
                to[i] = Math.min(to[i], more[i]);
            }
        }
    }

    /** The value for the arguments x of one row. */
    double apply(double[] x) {
        return switch (this) {
            case MAX -> {
                double max = x[0];
                for (double value : x) {
                    max = Math.max(max, value);
                }
                yield max;
            }
            case MIN -> {
                double min = x[0];
                for (double value : x) {
                    min = Math.min(min, value);
                }
                yield min;
            }
            case ABS -> Math.abs(x[0]);
            case SQRT -> Math.sqrt(x[0]);
            case EXP -> Math.exp(x[0]);
            case LOG -> Math.log(x[0]);
            case CLIP -> Math.min(Math.max(x[0], x[1]), x[2]);
            default -> throw new IllegalStateException(this + " is a statistic.");
        };
    }

    /** The statistic of a sample; q, from 0 to 1, is the level of a quantile and 0.5 for the median. */
    double statistic(double[] sample, double q) {
        return switch (this) {
            case MEAN -> Scaling.Spread.of(sample, sample.length).mean();
            case SD -> Scaling.Spread.of(sample, sample.length).sd();
            case MEDIAN, QUANTILE -> quantile(sample, q);
            default -> throw new IllegalStateException(this + " is not a statistic.");
        };
    }

    /** The q-quantile with linear interpolation between order statistics: position q (m - 1), counted from 0. */
    private static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double position = q * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
