package stackelberg.data.io;

import java.util.Set;
import stackelberg.data.NumericColumn;

/** What the text of a field is: a number, a mark for a missing value, or neither. */
final class FieldText {
    private static final Set<String> MISSING = Set.of("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", "-");
    private static final int LONGEST_MISSING = 4;

    private FieldText() {}

    /** Finite or infinite, but written as a number, by whatever custom: 1234.5, 1.234,5, $1,234.50 or 12%. */
    static boolean isNumber(String text) {
        return !Double.isNaN(NumericColumn.parse(text)) || Spellings.isNumber(text);
    }

    /** Where a slice begins without the blanks before it. */
    static int start(char[] text, int from, int to) {
        int start = from;
        while (start < to && text[start] <= ' ') {
            start++;
        }
        return start;
    }

    /** Where a slice ends without the blanks behind it. */
    static int end(char[] text, int from, int to) {
        int end = to;
        while (from < end && text[end - 1] <= ' ') {
            end--;
        }
        return end;
    }

    /** Whether the trimmed slice is one of the marks for "no value". */
    static boolean isMissing(char[] text, int from, int to) {
        return to - from <= LONGEST_MISSING && MISSING.contains(new String(text, from, to - from));
    }

    /** The same of a name, which any text can be: of a person called Null, for example. */
    static boolean isMissing(char[] text, int from, int to, boolean name) {
        return name ? from == to : isMissing(text, from, to);
    }

    static boolean isMissing(String text) {
        return MISSING.contains(text.strip());
    }
}
