package stackelberg.data;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The first rows and columns of a table as text, no more than a screen. */
final class TableText {
    private static final int ROWS = 5;
    private static final int COLUMNS = 8;
    private static final int WIDTH = 24;

    private TableText() {}

    static String of(Table table) {
        List<String> names = table.names().stream().filter(table::holds).toList();
        String size = table.rows() + " rows x " + names.size() + " columns"
                + table.source().map(from -> " from " + from.name()).orElse("");
        List<List<String>> shown = names.stream()
                .limit(COLUMNS)
                .map(name -> cells(table.column(name)))
                .toList();
        List<String> lines = new ArrayList<>(List.of(size));
        for (int line = 0; !shown.isEmpty() && line < shown.get(0).size(); line++) {
            int at = line;
            String more = names.size() > COLUMNS ? line == 0 ? "... " + (names.size() - COLUMNS) + " more" : "..." : "";
            lines.add((shown.stream().map(cells -> cells.get(at)).collect(Collectors.joining("  ")) + "  " + more)
                    .stripTrailing());
        }
        if (table.rows() > ROWS) {
            lines.add("...");
        }
        return String.join("\n", lines);
    }

    /** Name, kind and first values, all of the same width. */
    private static List<String> cells(Column column) {
        List<String> cells = new ArrayList<>(List.of(column.name(), kind(column)));
        for (int row = 0; row < Math.min(ROWS, column.rows()); row++) {
            cells.add(value(column, row));
        }
        int width =
                Math.min(WIDTH, cells.stream().mapToInt(String::length).max().orElse(0));
        return cells.stream()
                .map(cell -> cell.length() > width ? cell.substring(0, width - 3) + "..." : cell)
                .map(cell -> cell + " ".repeat(width - cell.length()))
                .toList();
    }

    private static String kind(Column column) {
        String kind = column instanceof CategoricalColumn categorical
                ? categorical.levels().size() + " categories"
                : "number";
        long missing =
                IntStream.range(0, column.rows()).filter(column::isMissing).count();
        return missing == 0 ? kind : kind + ", " + missing + " missing";
    }

    private static String value(Column column, int row) {
        if (column.isMissing(row)) {
            return "NA";
        }
        String text = column instanceof CategoricalColumn categorical
                ? categorical.level(row)
                : String.valueOf(((NumericColumn) column).value(row));
        return column instanceof NumericColumn && text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
