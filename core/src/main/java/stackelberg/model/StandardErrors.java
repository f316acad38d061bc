package stackelberg.model;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Standard errors, 95% intervals and the other figures of a regression table.
 *
 * <p>They are conditional on gamma, the wishes and the scales of the columns. If gamma or the wishes depend on today's
 * rule, learned from the same rows, only the bootstrap accounts for that rule's own sampling error.
 *
 * @param method how they were computed
 * @param people the number of rows with positive weight
 * @param parameters the number of coefficients, the intercept included
 * @param totalSquares the weighted sum of squares of the truth about its mean
 * @param intervals null if there are none
 * @param reason a sentence that says why there are none; null if there are some
 */
public record StandardErrors(
        Method method, int people, int parameters, double totalSquares, Intervals intervals, String reason) {
    /** The coverage probability of the intervals. */
    public static final double LEVEL = 0.95;

    /** The ways to compute standard errors. */
    public enum Kind {
        /** The sandwich estimator times m/(m - k), for m rows and k coefficients. */
        HC1,
        /** The sandwich estimator. */
        HC0,
        /**
         * The bootstrap: rows are resampled, and today's rule, the wishes and gamma declared as a share are recomputed
         * from each resample.
         */
        BOOTSTRAP,
        /** No standard errors. */
        NONE
    }

    /**
     * A way to compute standard errors.
     *
     * @param replicates the number of bootstrap resamples; 0 for the other kinds
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
                        kind + " takes no resamples, but " + replicates + " replicates are given.");
            }
        }

        /** Parses {@code hc1}, {@code hc0}, {@code bootstrap:200} or {@code none}. */
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

        /** Returns the text that {@link #of} parses. */
        public String inWords() {
            return kind == Kind.BOOTSTRAP ? BOOTSTRAP + replicates : kind.name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The intervals of all reported figures, in the units of the data.
     *
     * @param coefficients in the order of the model's terms
     * @param earned of the share of the gap that the true target closes; null without effects
     */
    public record Intervals(Interval intercept, List<Interval> coefficients, Interval pullThrough, Interval earned) {
        public Intervals {
            coefficients = List.copyOf(coefficients);
        }
    }

    /** A standard error and the ends of the interval at {@link #LEVEL}. */
    public record Interval(double error, double low, double high) {
        /** Returns estimate -+ q error, where q is the quantile of Student's t with the given degrees of freedom. */
        static Interval around(double estimate, double error, long freedom) {
            double far = StudentT.quantile(1 - LEVEL, freedom) * error;
            return new Interval(error, estimate - far, estimate + far);
        }

        /** Returns the interval cut off at 0 and 1. */
        Interval ofShare() {
            return new Interval(error, Math.max(0, low), Math.min(1, high));
        }
    }

    /** Returns m - k. */
    public int degreesOfFreedom() {
        return people - parameters;
    }

    /**
     * Returns 1 - loss/total, the share of the truth's variance that a rule with this loss explains; NaN if the truth
     * is constant.
     */
    public double rSquared(double loss) {
        return totalSquares > 0 ? 1 - loss / totalSquares : Double.NaN;
    }

    /** Returns estimate/error; NaN if the error is 0. */
    public static double t(double estimate, Interval interval) {
        return interval.error > 0 ? estimate / interval.error : Double.NaN;
    }

    /**
     * Returns the two-sided p-value of an estimate: the probability by Student's t, if the true value were 0, that an estimate is at least as far from 0 as this one.
     */
    public double probability(double estimate, Interval interval) {
        return interval.error > 0 ? StudentT.beyond(t(estimate, interval), degreesOfFreedom()) : Double.NaN;
    }

    /** Returns the intervals; empty if there are none. */
    public Optional<Intervals> found() {
        return Optional.ofNullable(intervals);
    }

    /** Student's t distribution with an integer number of degrees of freedom. */
    private static final class StudentT {
        private static final int STEPS = 200;
        private static final double TINY = 1e-300;

        private StudentT() {}

        /** Returns P(|T| > |t|) = I_x(freedom/2, 1/2) with x = freedom/(freedom + t^2). */
        static double beyond(double t, long freedom) {
            double x = freedom / (freedom + t * t);
            double a = freedom / 2.0;
            if (x == 0 || x == 1) {
                return x;
            }
            double front = Math.exp(a * Math.log(x) + 0.5 * Math.log1p(-x) - logBeta(freedom));
            // the continued fraction converges quickly if x is below the mean of the beta distribution
            return x < (a + 1) / (a + 2.5)
                    ? front * fraction(x, a, 0.5) / a
                    : 1 - front * fraction(1 - x, 0.5, a) / 0.5;
        }

        /** Returns the t with P(|T| > t) equal to the given probability. */
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

        /**
         * Returns log B(freedom/2, 1/2), by B(a + 1, 1/2) = B(a, 1/2) a/(a + 1/2) from an a so large that the series of
         * Gamma(a + 1/2)/Gamma(a) is exact.
         */
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

        /** Evaluates the continued fraction of I_x(a, b) by Lentz's method. */
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
