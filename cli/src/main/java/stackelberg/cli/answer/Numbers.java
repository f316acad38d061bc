package stackelberg.cli.answer;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Formats numbers for people, in the same way in every locale. */
public final class Numbers {
    /** A number with more digits than this is taken to be computed, not chosen by a person. */
    private static final int CHOSEN_DIGITS = 7;

    /** Larger numbers are printed with an exponent. */
    private static final double MOST_WHOLE = 1e12;

    private Numbers() {}

    /** Five significant digits; an exponent only for very large and very small numbers. */
    public static String number(double value) {
        double size = Math.abs(value);
        if (value == 0 || !Double.isFinite(value)) {
            return value == 0 ? "0" : String.valueOf(value);
        }
        if (size < 1e-4 || size >= 1e9) {
            return String.format(Locale.ROOT, "%.4e", value);
        }
        int decimals = Math.max(0, 4 - (int) Math.floor(Math.log10(size)));
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** The pull-through t; near 1 as 1 minus a small number, so that its digits are visible. */
    public static String pullThrough(double t) {
        return t > 0.999 && t < 1
                ? String.format(Locale.ROOT, "1 - %.2g", 1 - t)
                : String.format(Locale.ROOT, "%.4g", t);
    }

    /** Returns a declared number with the digits it was given, a computed number with five. */
    public static String plain(double value) {
        if (value == Math.rint(value) && Math.abs(value) < MOST_WHOLE) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        boolean computed = Double.isFinite(value) && new BigDecimal(String.valueOf(value)).precision() > CHOSEN_DIGITS;
        return computed ? number(value) : String.valueOf(value);
    }

    /** All digits, so that the number can be used as input again; whole numbers without a decimal point. */
    public static String given(double value) {
        return value == Math.rint(value) && Math.abs(value) < MOST_WHOLE
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.valueOf(value);
    }

    /** A percentage with three significant digits, or none after the point; a share below 1 is never shown as 100%. */
    public static String percent(double fraction) {
        double percent = 100 * fraction;
        if (percent > 99.5 && fraction < 1) {
            return butFor(1 - fraction);
        }
        double size = Math.abs(percent);
        boolean whole = size >= 10 && size <= 90 || size >= 100;
        return String.format(Locale.ROOT, whole ? "%,.0f%%" : "%.3g%%", percent);
    }

    /** 100% minus a small share, with two significant digits of that share: 99.9987%. */
    private static String butFor(double rest) {
        BigDecimal left = new BigDecimal(100 * rest).round(new MathContext(2));
        return BigDecimal.valueOf(100).subtract(left).stripTrailingZeros().toPlainString() + "%";
    }

    /** A share with as many digits as needed; 0% and 100% only for exactly 0 and 1: 30%, 12.5%, 99.9987%. */
    public static String share(double share) {
        double percent = Math.rint(share * 1e4) / 1e2;
        if (percent == 0 && share > 0) {
            return new BigDecimal(100 * share)
                            .round(new MathContext(2))
                            .stripTrailingZeros()
                            .toPlainString()
                    + "%";
        }
        if (percent == 100 && share < 1) {
            return butFor(1 - share);
        }
        return (percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent)) + "%";
    }

    /** Returns a declared fraction in percent, with the digits it was given: 5%, not 5.00%. */
    public static String percentAsGiven(double fraction) {
        return new BigDecimal(String.valueOf(fraction))
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    /** A gamma in five digits at most, without an exponent where it reads well. */
    public static String gamma(double gamma) {
        BigDecimal rounded = new BigDecimal(gamma).round(new MathContext(5)).stripTrailingZeros();
        return gamma >= 1e-6 && gamma < 1e9 ? rounded.toPlainString() : rounded.toString();
    }
}
