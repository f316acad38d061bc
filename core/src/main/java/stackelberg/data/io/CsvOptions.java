package stackelberg.data.io;

import java.util.Set;

/**
 * What a CSV file cannot say of itself.
 *
 * @param header what the first line is
 * @param categorical columns to be read as categories even if all or most of their values are numbers
 * @param names columns that name rows, to be read as text in the same way; there need not be any of that name
 */
public record CsvOptions(Header header, Set<String> categorical, Set<String> names) {
    public static final CsvOptions DEFAULT = new CsvOptions(Header.DETECTED, Set.of(), Set.of());

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
        names = Set.copyOf(names);
    }

    public CsvOptions withHeader(Header value) {
        return new CsvOptions(value, categorical, names);
    }

    /** Whether the first line is data for certain, instead of what it looks like. */
    public CsvOptions withNoHeader(boolean value) {
        return withHeader(value ? Header.ABSENT : Header.DETECTED);
    }

    public CsvOptions withCategorical(Set<String> columns) {
        return new CsvOptions(header, columns, names);
    }

    public CsvOptions withNames(Set<String> columns) {
        return new CsvOptions(header, categorical, columns);
    }

    /** Whether somebody says that a column holds text, whatever it looks like. */
    boolean saysText(String column) {
        return categorical.contains(column) || names.contains(column);
    }
}
