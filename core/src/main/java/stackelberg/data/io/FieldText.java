package stackelberg.data.io;

import java.util.Set;
import java.util.regex.Pattern;
import stackelberg.data.NumericColumn;

/** What the text of a field is: a number, a mark for a missing value, or a number to many people but not here. */
final class FieldText {
    private static final Set<String> MISSING = Set.of("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", "-");
    private static final int LONGEST_MISSING = 4;

    private static final Pattern DECIMAL_COMMA =
            Pattern.compile("[+-]?(\\d*|\\d{1,3}(\\.\\d{3})+),\\d+([eE][+-]?\\d+)?");
    private static final Pattern THOUSANDS_COMMA = Pattern.compile("[+-]?\\d{1,3}(,\\d{3})+(\\.\\d+)?");

    private FieldText() {}

    /** Finite or infinite, but written as a number. */
    static boolean isNumber(String text) {
        return !Double.isNaN(NumericColumn.parse(text));
    }

    /** 1,5 or 1.234,5 or 1,234.5: a number to many people, but not to {@link NumericColumn#parse}. */
    static boolean hasComma(String text) {
        return DECIMAL_COMMA.matcher(text).matches()
                || THOUSANDS_COMMA.matcher(text).matches();
    }

    /** How a number with a comma would be written without; 1,234 may be either of two. */
    static String withoutComma(String text) {
        String decimal = text.replace(".", "").replace(',', '.');
        String thousands = text.replace(",", "");
        if (!THOUSANDS_COMMA.matcher(text).matches()) {
            return decimal;
        }
        return DECIMAL_COMMA.matcher(text).matches()
                ? decimal + " if that is a decimal comma, " + thousands + " if it separates thousands"
                : thousands;
    }

    /** Whether the trimmed slice is one of the marks for "no value". */
    static boolean isMissing(char[] text, int from, int to) {
        return to - from <= LONGEST_MISSING && MISSING.contains(new String(text, from, to - from));
    }

    static boolean isMissing(String text) {
        return MISSING.contains(text.strip());
    }
}
