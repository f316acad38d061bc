package stackelberg.data;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import stackelberg.data.io.CsvDialect;
import stackelberg.data.io.Numbers;

/** Named columns of equal length. Rows are indexed from 0; messages count them from 1, as they were read. */
public final class Table {
    private final Map<String, Column> columns;
    private final int rows;
    /** Row numbers as read, null for 1, 2, 3, ... */
    private final int[] rowNumbers;
    /** File lines by row number - 1, null when there is no file or they are row number + lineShift. */
    private final int[] lines;

    private final int lineShift;
    private final Source source;
    /** The texts of the first line of a file if it was taken as data, null otherwise. */
    private final List<String> firstLine;

    private Table(
            Map<String, Column> columns,
            int rows,
            int[] rowNumbers,
            int[] lines,
            int lineShift,
            Source source,
            List<String> firstLine) {
        this.columns = columns;
        this.rows = rows;
        this.rowNumbers = rowNumbers;
        this.lines = lines;
        this.lineShift = lineShift;
        this.source = source;
        this.firstLine = firstLine;
    }

    public static Table of(Column... columns) {
        return of(List.of(columns));
    }

    public static Table of(List<? extends Column> columns) {
        return read(columns, null, 0, null, null);
    }

    /** A table read from a file; lines are those on which its rows begin, or null if they are the row number + lineShift. */
    public static Table read(
            List<? extends Column> columns, int[] lines, int lineShift, Source source, List<String> firstLine) {
        Map<String, Column> byName = new LinkedHashMap<>();
        int rows = columns.isEmpty() ? 0 : columns.get(0).rows();
        for (Column column : columns) {
            if (column.rows() != rows) {
                throw new DataException("Column '" + column.name() + "' has " + column.rows() + " rows, but column '"
                        + columns.get(0).name() + "' has " + rows + ".");
            }
            if (byName.put(column.name(), column) != null) {
                throw new DataException("There are two columns named '" + column.name() + "'.\nMaybe rename one.");
            }
        }
        return new Table(byName, rows, null, lines, lineShift, source, firstLine);
    }

    public int rows() {
        return rows;
    }

    public List<String> names() {
        return List.copyOf(columns.keySet());
    }

    public List<Column> columns() {
        return List.copyOf(columns.values());
    }

    public boolean has(String name) {
        return columns.containsKey(name);
    }

    public Column column(String name) {
        Column column = columns.get(name);
        if (column == null) {
            throw new DataException("There is no column '" + name + "'.\n" + suggestion(name));
        }
        return column;
    }

    /** What a column may be called that was asked for and is not there. */
    private String suggestion(String name) {
        return firstLine == null
                ? Names.suggestion(name, columns.keySet(), columns.size() + " columns")
                : CsvDialect.headerless(name, columns.keySet(), firstLine);
    }

    /** Whether the first line of the file was taken as data although it holds one of the names. */
    boolean tookHeaderAsData(List<String> names) {
        return firstLine != null && names.stream().anyMatch(firstLine::contains);
    }

    /** The column, which must hold numbers. */
    public NumericColumn numeric(String name) {
        Column column = column(name);
        if (column instanceof NumericColumn numeric) {
            return numeric;
        }
        CategoricalColumn categorical = (CategoricalColumn) column;
        int row = 0;
        while (row < rows - 1 && (categorical.isMissing(row) || Numbers.isNumber(categorical.level(row)))) {
            row++;
        }
        throw new DataException(
                "Column '" + name + "' must be numeric, but it holds categories: " + where(row) + " is \""
                        + categorical.level(row) + "\".\nMaybe another column was meant, or its text wants mending.");
    }

    /** The given rows (from 0), in the given order; they keep the numbers under which they were read. */
    public Table select(int[] selected) {
        Map<String, Column> chosen = new LinkedHashMap<>();
        columns.forEach((name, column) -> chosen.put(name, column.select(selected)));
        int[] numbers = new int[selected.length];
        for (int i = 0; i < selected.length; i++) {
            numbers[i] = rowNumber(selected[i]);
        }
        return new Table(chosen, selected.length, numbers, lines, lineShift, source, firstLine);
    }

    /** The number of the row among the rows as read, from 1. */
    public int rowNumber(int row) {
        return rowNumbers == null ? row + 1 : rowNumbers[row];
    }

    /** "row 17 (line 18)" for messages; without the line if the table was not read from a file. */
    public String where(int row) {
        int number = rowNumber(row);
        if (source == null) {
            return "row " + number;
        }
        return "row " + number + " (line " + (lines == null ? number + lineShift : lines[number - 1]) + ")";
    }

    /** What the table was read from; empty for a table made in memory. */
    public Optional<Source> source() {
        return Optional.ofNullable(source);
    }
}
