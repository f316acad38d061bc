package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;

/** A table with one line of column names. */
final class Table implements Document.Block {
    /** The kind of a column, which decides on its alignment. */
    enum Kind {
        TEXT,
        OURS,
        PUBLISHED
    }

    record Column(String name, Kind kind) {}

    /**
     * A cell.
     *
     * @param mark a symbol after the text
     * @param note small print after the mark
     * @param strong printed in bold, for the fastest solver
     * @param title the tooltip
     */
    record Cell(String text, String mark, String note, boolean strong, String title) {
        static final Cell NOTHING = of(Show.NOTHING);

        static Cell of(String text) {
            return new Cell(text, "", "", false, "");
        }

        Cell inBold(boolean bold) {
            return new Cell(text, mark, note, bold, title);
        }

        Cell withoutNote() {
            return new Cell(text, mark, "", strong, title);
        }

        Cell marked(String more) {
            return new Cell(text, mark + more, note, strong, title);
        }
    }

    /** @param group lines of the same group follow each other without a rule between them */
    record Line(String group, List<Cell> cells) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();

    Table text(String... names) {
        return columns(Kind.TEXT, names);
    }

    Table ours(String... names) {
        return columns(Kind.OURS, names);
    }

    Table published(String... names) {
        return columns(Kind.PUBLISHED, names);
    }

    private Table columns(Kind kind, String... names) {
        for (String name : names) {
            columns.add(new Column(name, kind));
        }
        return this;
    }

    void add(String group, List<Cell> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException("A line has " + cells.size() + " cells, the table " + columns.size()
                    + " columns.\nMaybe a cell was forgotten.");
        }
        lines.add(new Line(group, List.copyOf(cells)));
    }

    List<Column> columns() {
        return columns;
    }

    List<Line> lines() {
        return lines;
    }
}
