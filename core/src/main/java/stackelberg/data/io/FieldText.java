package stackelberg.data.io;

import java.util.Set;
import stackelberg.data.NumericColumn;

/** Classifies the text of a field: a number, a missing-value mark, or neither. */
final class FieldText {
    /** The texts that mark a missing value: those that R, pandas and NumPy, SQL and the UCI repository write. */
    private static final Set<String> MISSING = Set.of("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", "-");

    /** The length of the longest mark; longer texts need not be looked up. */
    private static final int LONGEST_MISSING = 4;

    private FieldText() {}

    /**
     * Whether the text is a number, finite or infinite, in any supported notation: 1234.5, 1.234,5, $1,234.50 or 12%.
     */
    static boolean isNumber(String text) {
        return !Double.isNaN(NumericColumn.parse(text)) || Spellings.isNumber(text);
    }

    /**
     * The index of the first character of {@code text[from..to - 1]} that is not a blank; {@code to} if there is none.
     */
    static int start(char[] text, int from, int to) {
        int start = from;
        while (start < to && text[start] <= ' ') {
            start++;
        }
        return start;
    }

    /**
     * The index after the last character of {@code text[from..to - 1]} that is not a blank; {@code from} if there is
     * none.
     */
    static int end(char[] text, int from, int to) {
        int end = to;
        while (from < end && text[end - 1] <= ' ') {
            end--;
        }
        return end;
    }

    /** Whether {@code text[from..to - 1]}, without blanks around it, marks a missing value. */
    static boolean isMissing(char[] text, int from, int to) {
        return to - from <= LONGEST_MISSING && MISSING.contains(new String(text, from, to - from));
    }

    /**
     * Returns whether the text is a mark of a missing value; if {@code name} is true, only an empty text is, because a
     * person may be called Null.
     */
    static boolean isMissing(char[] text, int from, int to, boolean name) {
        return name ? from == to : isMissing(text, from, to);
    }

    /** Whether a text marks a missing value, ignoring blanks around it. */
    static boolean isMissing(String text) {
        return MISSING.contains(text.strip());
    }
}
