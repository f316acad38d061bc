package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table of things, one per line. A column has a name and shows a {@link Cell} or a text of each thing. */
final class Table<T> {
    /** @param look the class of the column on the page: {@code t} for text, {@code p} for published numbers, empty for our numbers */
    record Column<T>(String name, String look, Function<? super T, ?> of) {}

    /** @param group lines of the same group follow each other without a rule between them */
    record Line(String group, List<Cell> cells) {}

    private final List<Column<T>> columns = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();

    Table<T> text(String name, Function<? super T, ?> of) {
        columns.add(new Column<>(name, "t", of));
        return this;
    }

    Table<T> ours(String name, Function<? super T, ?> of) {
        columns.add(new Column<>(name, "", of));
        return this;
    }

    Table<T> published(String name, Function<? super T, ?> of) {
        columns.add(new Column<>(name, "p", of));
        return this;
    }

    void add(String group, T thing) {
        lines.add(new Line(
                group,
                columns.stream()
                        .map(column -> Cell.of(column.of().apply(thing)))
                        .toList()));
    }

    List<Column<T>> columns() {
        return columns;
    }

    List<Line> lines() {
        return lines;
    }
}
