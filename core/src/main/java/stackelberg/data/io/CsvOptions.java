package stackelberg.data.io;

import java.util.Set;

/**
 * What a CSV file cannot say of itself.
 *
 * @param header what the first line is
 * @param categorical columns to be read as categories even if all or most of their values are numbers
 */
public record CsvOptions(Header header, Set<String> categorical) {
    public static final CsvOptions DEFAULT = new CsvOptions(Header.DETECTED, Set.of());

    /** What the first line is. */
    public enum Header {
        /** A header, if it has text above numbers or no number at all. */
        DETECTED,
        /** A header, whatever it holds. */
        PRESENT,
        /** Data; the columns are named 1, 2, 3, ... */
        ABSENT
    }

    public CsvOptions {
        categorical = Set.copyOf(categorical);
    }

    public CsvOptions withHeader(Header value) {
        return new CsvOptions(value, categorical);
    }

    /** Whether the first line is data for certain, instead of what it looks like. */
    public CsvOptions withNoHeader(boolean value) {
        return withHeader(value ? Header.ABSENT : Header.DETECTED);
    }

    public CsvOptions withCategorical(Set<String> columns) {
        return new CsvOptions(header, columns);
    }
}
