package stackelberg.data;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;

/**
 * Reads decimal numbers from text. Most numbers in data files are short, and those are read here, many times faster
 * than by the general parser.
 */
final class Numbers {
    /** The powers of ten that are exact in double precision. */
    private static final double[] POWERS_OF_TEN = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private Numbers() {}

    /**
     * The double nearest to the decimal number in {@code text[from..to - 1]}: infinite if the text says so or the
     * number overflows, NaN if the text is not a number. The slice must not begin or end with blanks.
     */
    static double parse(char[] text, int from, int to) {
        int i = from;
        boolean negative = i < to && text[i] == '-';
        if (negative || (i < to && text[i] == '+')) {
            i++;
        }
        long mantissa = 0;
        int digits = 0;
        int point = -1;
        // Digits with at most one point are collected in a long (it may overflow, which the number of digits shows);
        // anything else goes to parseAny.
        for (; i < to; i++) {
            int digit = text[i] - '0';
            if (digit >= 0 && digit <= 9) {
                mantissa = 10 * mantissa + digit;
                digits++;
            } else if (digit == '.' - '0' && point < 0) {
                point = i;
            } else {
                return parseAny(text, from, to);
            }
        }
        int decimals = point < 0 ? 0 : to - point - 1;
        // Up to 2^53 and 10^22 both the mantissa and the power of ten are exact doubles, so their quotient is correctly
        // rounded.
        if (digits == 0 || digits > 18 || mantissa > 1L << 53 || decimals > 22) {
            return parseAny(text, from, to);
        }
        double value = mantissa / POWERS_OF_TEN[decimals];
        return negative ? -value : value;
    }

    /** Parses a whole text, ignoring blanks around it. */
    static double parse(String text) {
        String trimmed = text.strip();
        return parse(trimmed.toCharArray(), 0, trimmed.length());
    }

    /** Whether the text is written as a number, finite or infinite. */
    static boolean isNumber(String text) {
        return !Double.isNaN(parse(text));
    }

    /**
     * Reads numbers with an exponent or too many digits for the fast way, and "inf" or "infinity"; NaN for anything
     * else.
     */
    private static double parseAny(char[] text, int from, int to) {
        // The parser would also accept hexadecimal numbers and suffixes (0x1p3, 1d). In data those are text, so only
        // digits, points, exponents and signs at the beginning or after an exponent are let through.
        boolean digit = false;
        for (int i = from; i < to; i++) {
            char c = text[i];
            boolean sign = c == '-' || c == '+';
            boolean afterExponent = i > from && (text[i - 1] == 'e' || text[i - 1] == 'E');
            if (c >= '0' && c <= '9') {
                digit = true;
            } else if (sign ? i > from && !afterExponent : c != '.' && c != 'e' && c != 'E') {
                return infinity(text, from, to);
            }
        }
        try {
            return digit ? JavaDoubleParser.parseDouble(text, from, to - from) : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /**
     * Positive or negative infinity if the text is "inf" or "infinity" in any case, with or without a sign; otherwise
     * NaN.
     */
    private static double infinity(char[] text, int from, int to) {
        boolean signed = text[from] == '-' || text[from] == '+';
        int length = to - from - (signed ? 1 : 0);
        if (length != 3 && length != 8) {
            return Double.NaN;
        }
        String word = new String(text, to - length, length);
        if (!word.equalsIgnoreCase("inf") && !word.equalsIgnoreCase("infinity")) {
            return Double.NaN;
        }
        return text[from] == '-' ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
}
