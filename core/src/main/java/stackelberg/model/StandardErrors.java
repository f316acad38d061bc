package stackelberg.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How much a rule would differ with other people of the same kind: standard errors, 95% intervals, and what a table of a regression has besides.
 *
 * <p>All of it is given gamma, the wishes and the scales of the columns; where today's rule, learned from the same people, decides gamma or the wishes, the bootstrap alone counts what it would have been with others.
 *
 * @param method how they were found
 * @param people who count, of a weight above 0
 * @param parameters the number of coefficients, the intercept included
 * @param totalSquares the weighted sum of squares of the truth around its mean
 * @param intervals null where there are none
 * @param reason why there are none, as a sentence; null where there are some
 */
public record StandardErrors(
        Method method, int people, int parameters, double totalSquares, Intervals intervals, String reason) {
    /** What intervals are to cover. */
    public static final double LEVEL = 0.95;

    /** By what the errors are found. */
    public enum Kind {
        /** The sandwich, times m/(m - k). */
        HC1,
        /** The sandwich as it is. */
        HC0,
        /** People drawn again with replacement; today's rule, scales, wishes and gamma as a share are found anew from each draw. */
        BOOTSTRAP,
        /** Not at all. */
        NONE
    }

    /**
     * How to find them.
     *
     * @param replicates how often people are drawn again; 0 where nobody is
     */
    public record Method(Kind kind, int replicates) {
        private static final int LEAST = 20;
        private static final int MOST = 1_000_000;
        private static final String BOOTSTRAP = "bootstrap:";

        public Method {
            if (kind == Kind.BOOTSTRAP && (replicates < LEAST || replicates > MOST)) {
                throw new IllegalArgumentException("The number of bootstrap replicates is " + replicates
                        + "; it must be at least " + LEAST + " and at most " + MOST + ".");
            }
            if (kind != Kind.BOOTSTRAP && replicates != 0) {
                throw new IllegalArgumentException(
                        kind + " draws nobody again, but " + replicates + " replicates are given.");
            }
        }

        /** From words: {@code hc1}, {@code hc0}, {@code bootstrap:200} or {@code none}. */
        public static Method of(String words) {
            String text = words.strip().toLowerCase(Locale.ROOT);
            if (text.startsWith(BOOTSTRAP) && text.substring(BOOTSTRAP.length()).matches("[0-9]{1,9}")) {
                return new Method(Kind.BOOTSTRAP, Integer.parseInt(text.substring(BOOTSTRAP.length())));
            }
            for (Kind kind : Kind.values()) {
                if (kind != Kind.BOOTSTRAP && kind.name().equalsIgnoreCase(text)) {
                    return new Method(kind, 0);
                }
            }
            throw new IllegalArgumentException("Standard errors are found by hc1, hc0, bootstrap:N or none, not by \""
                    + words + "\"; N must be at least " + LEAST + " and at most " + MOST
                    + ".\nMaybe write bootstrap:200.");
        }

        /** In the words that {@link #of} reads. */
        public String inWords() {
            return kind == Kind.BOOTSTRAP ? BOOTSTRAP + replicates : kind.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Of all that is told of a rule, in the units of the data.
     *
     * @param coefficients in the order of the model's terms
     * @param earned of the share of the gap that the truth closes; null where moves do nothing to it
     */
    public record Intervals(Interval intercept, List<Interval> coefficients, Interval pullThrough, Interval earned) {
        public Intervals {
            coefficients = List.copyOf(coefficients);
        }
    }

    /** A standard error, and from where to where an estimate reaches at {@link #LEVEL}. */
    public record Interval(double error, double low, double high) {
        /** estimate -+ t error, with the quantile of Student's t at so many degrees of freedom. */
        static Interval around(double estimate, double error, long freedom) {
            double far = StudentT.quantile(1 - LEVEL, freedom) * error;
            return new Interval(error, estimate - far, estimate + far);
        }

        /** No share is below 0 or above 1. */
        Interval ofShare() {
            return new Interval(error, Math.max(0, low), Math.min(1, high));
        }
    }

    /** m - k. */
    public int degreesOfFreedom() {
        return people - parameters;
    }

    /** 1 - loss/total: the part of the spread of the truth that is explained by whatever loses so much; not a number where nothing spreads. */
    public double rSquared(double loss) {
        return totalSquares > 0 ? 1 - loss / totalSquares : Double.NaN;
    }

    /** estimate/error; not a number where nothing is uncertain. */
    public static double t(double estimate, Interval interval) {
        return interval.error > 0 ? estimate / interval.error : Double.NaN;
    }

    /** How probable an estimate as far from 0 would be if the truth were 0, by Student's t. */
    public double probability(double estimate, Interval interval) {
        return interval.error > 0 ? StudentT.beyond(t(estimate, interval), degreesOfFreedom()) : Double.NaN;
    }

    /** Empty where there are none. */
    public Optional<Intervals> found() {
        return Optional.ofNullable(intervals);
    }

    /** Student's t at whole degrees of freedom. */
    private static final class StudentT {
        private static final int STEPS = 200;
        private static final double TINY = 1e-300;

        private StudentT() {}

        /** P(|T| > |t|) = I_x(freedom/2, 1/2) with x = freedom/(freedom + t^2). */
        static double beyond(double t, long freedom) {
            double x = freedom / (freedom + t * t);
            double a = freedom / 2.0;
            if (x == 0 || x == 1) {
                return x;
            }
            double front = Math.exp(a * Math.log(x) + 0.5 * Math.log1p(-x) - logBeta(freedom));
            // the continued fraction is quick on the side where most of the beta distribution lies beyond
            return x < (a + 1) / (a + 2.5)
                    ? front * fraction(x, a, 0.5) / a
                    : 1 - front * fraction(1 - x, 0.5, a) / 0.5;
        }

        /** The t beyond which so much lies on both sides together. */
        static double quantile(double beyond, long freedom) {
            double low = 0;
            double high = 1;
            while (beyond(high, freedom) > beyond) {
                high *= 2;
            }
            for (double middle = high / 2; middle > low && middle < high; middle = (low + high) / 2) {
                if (beyond(middle, freedom) > beyond) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return high;
        }

        /** log B(freedom/2, 1/2) by B(a + 1, 1/2) = B(a, 1/2) a/(a + 1/2) from where the series of Gamma(a + 1/2)/Gamma(a) is exact. */
        private static double logBeta(long freedom) {
            double a = freedom / 2.0;
            double sum = 0;
            while (a < 40) {
                sum += Math.log1p(0.5 / a);
                a++;
            }
            double r = 1 / a;
            // log Gamma(a + 1/2) - log Gamma(a) - log(a)/2
            double ratio = -r / 8 + r * r * r / 192 - Math.pow(r, 5) / 640 + 17 * Math.pow(r, 7) / 14336;
            return sum + 0.5 * Math.log(Math.PI) - 0.5 * Math.log(a) - ratio;
        }

        /** The continued fraction of I_x(a, b) by Lentz's method. */
        private static double fraction(double x, double a, double b) {
            double c = 1;
            double d = 1 / nonzero(1 - (a + b) * x / (a + 1));
            double value = d;
            for (int m = 1; m <= STEPS; m++) {
                double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
                d = 1 / nonzero(1 + even * d);
                c = nonzero(1 + even / c);
                value *= d * c;
                double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
                d = 1 / nonzero(1 + odd * d);
                c = nonzero(1 + odd / c);
                value *= d * c;
                if (Math.abs(d * c - 1) < 1e-15) {
                    break;
                }
            }
            return value;
        }

        private static double nonzero(double value) {
            return value == 0 ? TINY : value;
        }
    }
}
