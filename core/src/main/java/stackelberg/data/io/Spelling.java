package stackelberg.data.io;

import java.util.Set;
import stackelberg.data.NumericColumn;

/**
 * The notation of the numbers of a column: {@code € 1.234,50} has the decimal sign {@code ,}, the grouping {@code .}
 * and the sign {@code €}.
 *
 * @param decimal the decimal sign
 * @param grouping the character between thousands, a blank for all kinds of blanks; {@link #NONE} for none
 * @param sign the currency or percent sign before or after every number; empty for none
 */
record Spelling(char decimal, char grouping, String sign) {
    static final char NONE = 0;
    static final char POINT = '.';
    static final char COMMA = ',';

    /**
     * The longest text that is read as a number: longer ones are not amounts, and a limit allows buffers of a fixed
     * size.
     */
    static final int LONGEST = 64;

    /** Currency codes. A list, because any three capital letters could be a product code or a unit. */
    private static final Set<String> CODES = Set.of(
            "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK",
            "HUF", "BRL", "MXN", "ZAR", "KRW");

    /** The length of a currency code. */
    private static final int CODE = 3;

    /**
     * A text split into its sign and its number ("body"). The buffers are reused for one text after the other, so an
     * instance belongs to one thread.
     */
    static final class Cut {
        /** The number as it was written, without the sign. */
        private final char[] body = new char[LONGEST + 1];
        /** The number in plain notation. */
        private final char[] plain = new char[LONGEST + 1];
        /** The length of the body. */
        private int length;

        private String sign = "";

        /** The currency or percent sign of the last text, empty if it has none. */
        String sign() {
            return sign;
        }

        /** Splits the text {@code text[from..to - 1]}, which is trimmed; false if it is too long to be a number. */
        boolean cut(char[] text, int from, int to) {
            if (to - from > LONGEST || to == from) {
                return false;
            }
            int first = from;
            int last = to;
            int minus = isMinus(text[from]) ? 1 : 0;
            length = 0;
            int before = signLength(text, from + minus, to, true);
            int behind = before > 0 ? 0 : signLength(text, from, to, false);
            if (before > 0) {
                keep(text, from + minus, before);
                first = from + minus + before;
                while (first < to && isBlank(text[first])) {
                    first++;
                }
                if (minus > 0) {
                    body[length++] = '-';
                }
            } else if (behind > 0) {
                keep(text, to - behind, behind);
                last = to - behind;
                while (last > from && isBlank(text[last - 1])) {
                    last--;
                }
            } else {
                sign = "";
            }
            System.arraycopy(text, first, body, length, last - first);
            length += last - first;
            return true;
        }

        /** Stores the sign; creates a string only if it differs from that of the text before. */
        private void keep(char[] text, int from, int count) {
            boolean same = sign.length() == count;
            for (int i = 0; same && i < count; i++) {
                same = sign.charAt(i) == text[from + i];
            }
            sign = same ? sign : new String(text, from, count);
        }

        /** The value of the body, NaN if it is not a number with this decimal sign and grouping. */
        double number(char decimal, char grouping) {
            int count = plain(decimal, grouping);
            return count < 0 ? Double.NaN : NumericColumn.parse(plain, 0, count);
        }

        /** Whether the body is a number with this decimal sign and grouping. */
        boolean isNumber(char decimal, char grouping) {
            return plain(decimal, grouping) >= 0;
        }

        /**
         * Writes the body in plain notation (1234.5) to {@link #plain} and returns its length, -1 if it is not a number
         * with this notation.
         */
        private int plain(char decimal, char grouping) {
            int n = 0;
            int i = 0;
            if (i < length && (isMinus(body[i]) || body[i] == '+')) {
                plain[n++] = body[i++] == '+' ? '+' : '-';
            }
            int start = i;
            int digits = 0;
            boolean grouped = false;
            for (; i < length; i++) {
                if (isDigit(body[i])) {
                    plain[n++] = body[i];
                    digits++;
                } else if (grouping != NONE && separates(body[i], grouping)) {
                    // Groups have three digits, the first one to three and no leading zero: 0,123 is not grouped.
                    boolean group = grouped ? digits == 3 : digits > 0 && digits <= 3 && body[start] != '0';
                    if (!group) {
                        return -1;
                    }
                    grouped = true;
                    digits = 0;
                } else {
                    break;
                }
            }
            if (grouped && digits != 3) {
                return -1;
            }
            // "5." is a number, but "5," is not: a comma at the end is more likely punctuation.
            int decimals = 0;
            if (i < length && body[i] == decimal) {
                plain[n++] = '.';
                for (i++; i < length && isDigit(body[i]); i++) {
                    plain[n++] = body[i];
                    decimals++;
                }
                if (decimals == 0 && (decimal == COMMA || digits == 0)) {
                    return -1;
                }
            }
            if (digits + decimals == 0) {
                return -1;
            }
            if (!grouped && i < length - 1 && (body[i] == 'e' || body[i] == 'E')) {
                plain[n++] = body[i++];
                if (body[i] == '-' || body[i] == '+') {
                    plain[n++] = body[i++];
                }
                if (i == length) {
                    return -1;
                }
                for (; i < length && isDigit(body[i]); i++) {
                    plain[n++] = body[i];
                }
            }
            return i == length ? n : -1;
        }
    }

    /**
     * The number {@code text[from..to - 1]}, which is trimmed; NaN if it is not a number in this notation with this
     * sign.
     */
    double parse(char[] text, int from, int to, Cut cut) {
        return cut.cut(text, from, to) && cut.sign().equals(sign) ? cut.number(decimal, grouping) : Double.NaN;
    }

    /** Parses a whole text. */
    double parse(String text, Cut cut) {
        return parse(text.toCharArray(), 0, text.length(), cut);
    }

    /**
     * The length of the currency or percent sign at the beginning or the end of text[from..to - 1], 0 if there is none.
     */
    private static int signLength(char[] text, int from, int to, boolean before) {
        if (from >= to) {
            return 0;
        }
        char c = before ? text[from] : text[to - 1];
        if (c == '%' || c > '~' && Character.getType(c) == Character.CURRENCY_SYMBOL || c == '$') {
            return 1;
        }
        boolean letter = c >= 'A' && c <= 'Z';
        return letter && to - from > CODE && CODES.contains(new String(text, before ? from : to - CODE, CODE))
                ? CODE
                : 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** A hyphen or the minus sign U+2212. */
    private static boolean isMinus(char c) {
        return c == '-' || c == '\u2212';
    }

    /**
     * A blank, a no-break blank, a narrow no-break blank or a thin blank, all of which separate thousands somewhere.
     */
    private static boolean isBlank(char c) {
        return c == ' ' || c == '\u00A0' || c == '\u202F' || c == '\u2009';
    }

    /**
     * Whether the character separates thousands in the given grouping; Swiss numbers have either of two apostrophes.
     */
    private static boolean separates(char c, char grouping) {
        return grouping == ' ' ? isBlank(c) : grouping == '\'' ? c == '\'' || c == '\u2019' : c == grouping;
    }
}
