package stackelberg.data.wish;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import stackelberg.data.Scaling;

/** The functions of wish rules: of one row's numbers, or statistics of all rows. */
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

    final int fewest;
    final int most;

    WishFunction(int fewest, int most) {
        this.fewest = fewest;
        this.most = most;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(WishFunction::text).toList();
    }

    /** Null if there is none of that name. */
    static WishFunction named(String name) {
        return Arrays.stream(values())
                .filter(f -> f.text().equals(name))
                .findFirst()
                .orElse(null);
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isStatistic() {
        return compareTo(MEAN) >= 0;
    }

    /** Whether it is of two numbers after the other. */
    boolean isFolded() {
        return this == MAX || this == MIN;
    }

    /** Takes some more numbers into those of as many rows. */
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

    double statistic(double[] sample, double q) {
        return switch (this) {
            case MEAN -> Scaling.Spread.of(sample, sample.length).mean();
            case SD -> Scaling.Spread.of(sample, sample.length).sd();
            case MEDIAN, QUANTILE -> quantile(sample, q);
            default -> throw new IllegalStateException(this + " is not a statistic.");
        };
    }

    /** The q-quantile with linear interpolation between order statistics: position q (m - 1). */
    private static double quantile(double[] values, double q) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double position = q * (sorted.length - 1);
        int below = (int) Math.floor(position);
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
