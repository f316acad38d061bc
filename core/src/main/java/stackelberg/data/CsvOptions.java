package stackelberg.data;

import java.util.Set;

/**
 * What a CSV file cannot say of itself.
 *
 * @param noHeader the first line is data; the columns are named 1, 2, 3, ... (without this the header is detected)
 * @param categorical columns to be read as categories even if all or most of their values are numbers
 */
public record CsvOptions(boolean noHeader, Set<String> categorical) {
    public static final CsvOptions DEFAULT = new CsvOptions(false, Set.of());

    public CsvOptions {
        categorical = Set.copyOf(categorical);
    }

    public CsvOptions withNoHeader(boolean value) {
        return new CsvOptions(value, categorical);
    }

    public CsvOptions withCategorical(Set<String> columns) {
        return new CsvOptions(noHeader, columns);
    }
}
