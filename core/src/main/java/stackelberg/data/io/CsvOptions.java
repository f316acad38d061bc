package stackelberg.data.io;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import stackelberg.data.NumericColumn.Notation;

/**
 * What a CSV file cannot say of itself. Of Parquet and databases, which have types, the categorical columns, those that name rows and those to read count.
 *
 * @param header what the first line is
 * @param categorical columns to be read as categories even if all or most of their values are numbers
 * @param names columns that name rows, to be read as text in the same way; there need not be any of that name
 * @param decimal what stands before decimals, a point or a comma; null for what the columns show
 * @param notations how columns of that name were written before, which counts where the columns do not show it
 * @param used the columns to read, by name; the others are not looked at, whatever they hold
 */
public record CsvOptions(
        Header header,
        Set<String> categorical,
        Set<String> names,
        Character decimal,
        Map<String, Notation> notations,
        Predicate<String> used) {
    public static final CsvOptions DEFAULT =
            new CsvOptions(Header.DETECTED, Set.of(), Set.of(), null, Map.of(), column -> true);

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
        notations = Map.copyOf(notations);
        if (decimal != null && decimal != Spelling.POINT && decimal != Spelling.COMMA) {
            throw new IllegalArgumentException("The decimal sign is '" + decimal + "'; it must be a point or a comma.");
        }
    }

    public CsvOptions withHeader(Header value) {
        return new CsvOptions(value, categorical, names, decimal, notations, used);
    }

    /** Whether the first line is data for certain, instead of what it looks like. */
    public CsvOptions withNoHeader(boolean value) {
        return withHeader(value ? Header.ABSENT : Header.DETECTED);
    }

    public CsvOptions withCategorical(Set<String> columns) {
        return new CsvOptions(header, columns, names, decimal, notations, used);
    }

    public CsvOptions withNames(Set<String> columns) {
        return new CsvOptions(header, categorical, columns, decimal, notations, used);
    }

    /** Whether somebody says that a column holds text, whatever it looks like. */
    boolean saysText(String column) {
        return categorical.contains(column) || names.contains(column);
    }

    /** 1,5 where it is a comma, 1.5 where it is a point; null for what the columns show. */
    public CsvOptions withDecimal(Character sign) {
        return new CsvOptions(header, categorical, names, sign, notations, used);
    }

    /** As a table or a model has them that were read before. */
    public CsvOptions withNotations(Map<String, Notation> known) {
        return new CsvOptions(header, categorical, names, decimal, known, used);
    }

    /** Only these columns; {@code GameSpec.uses} is a good choice. */
    public CsvOptions withColumns(Predicate<String> which) {
        return new CsvOptions(header, categorical, names, decimal, notations, which);
    }
}
