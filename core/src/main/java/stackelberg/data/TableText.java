package stackelberg.data;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Shows the first rows and columns of a table as text that fits on a screen. */
final class TableText {
    private static final int ROWS = 5;
    private static final int COLUMNS = 8;

    /** The widest a column may be, in characters; longer texts are cut. */
    private static final int WIDTH = 24;

    private TableText() {}

    /** The size of the table, then one line each for names, kinds and the first rows, and "..." for what is left out. */
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

    /** The name, the kind and the first values of a column, padded to the same width. */
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

    /** "number" or "3 categories", with the number of missing values if there are any. */
    private static String kind(Column column) {
        String kind = column instanceof CategoricalColumn categorical
                ? categorical.levels().size() + " categories"
                : "number";
        int missing = column.missing();
        return missing == 0 ? kind : kind + ", " + missing + " missing";
    }

    private static String value(Column column, int row) {
        return column.text(row).orElse("NA");
    }
}
