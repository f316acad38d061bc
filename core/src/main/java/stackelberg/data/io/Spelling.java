package stackelberg.data.io;

import java.util.Set;
import stackelberg.data.NumericColumn;

/**
 * How the numbers of a column are written: {@code € 1.234,50} has the decimal sign {@code ,}, the grouping {@code .} and the sign {@code €}.
 *
 * @param decimal what stands before the decimals
 * @param grouping what stands between thousands, a blank for all kinds of blanks; {@link #NONE} for nothing
 * @param sign what stands before or behind every number: a currency or a percent sign; empty for nothing
 */
record Spelling(char decimal, char grouping, String sign) {
    static final char NONE = 0;
    static final char POINT = '.';
    static final char COMMA = ',';

    /** Longer texts are no numbers that somebody wrote by hand, and the body has to fit somewhere. */
    static final int LONGEST = 64;

    /** The codes that are likely beside a number, and are nothing else there. */
    private static final Set<String> CODES = Set.of(
            "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK",
            "HUF", "BRL", "MXN", "ZAR", "KRW");

    private static final int CODE = 3;

    /** A text cut into its sign and the number beside it; kept by whoever cuts many. */
    static final class Cut {
        private final char[] body = new char[LONGEST + 1];
        private final char[] plain = new char[LONGEST + 1];
        private int length;
        private String sign = "";

        String sign() {
            return sign;
        }

        /** Cuts a trimmed slice; false if it is too long to be a number. */
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

        private void keep(char[] text, int from, int count) {
            boolean same = sign.length() == count;
            for (int i = 0; same && i < count; i++) {
                same = sign.charAt(i) == text[from + i];
            }
            sign = same ? sign : new String(text, from, count);
        }

        /** The number beside the sign, NaN if it is none with this decimal sign and grouping. */
        double number(char decimal, char grouping) {
            int count = plain(decimal, grouping);
            return count < 0 ? Double.NaN : NumericColumn.parse(plain, 0, count);
        }

        boolean isNumber(char decimal, char grouping) {
            return plain(decimal, grouping) >= 0;
        }

        /** Writes the number as 1234.5 and returns its length, -1 if it is none. */
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
                    // 0,123 has no thousands to separate
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

    /** The number of a trimmed slice, NaN if it is none in this spelling. */
    double parse(char[] text, int from, int to, Cut cut) {
        return cut.cut(text, from, to) && cut.sign().equals(sign) ? cut.number(decimal, grouping) : Double.NaN;
    }

    double parse(String text, Cut cut) {
        return parse(text.toCharArray(), 0, text.length(), cut);
    }

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

    private static boolean isMinus(char c) {
        return c == '-' || c == '\u2212';
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\u00A0' || c == '\u202F' || c == '\u2009';
    }

    private static boolean separates(char c, char grouping) {
        return grouping == ' ' ? isBlank(c) : grouping == '\'' ? c == '\'' || c == '\u2019' : c == grouping;
    }
}
