package stackelberg.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A table with one line for each item. A column has a name and shows a {@link Cell} or a text for each item. */
final class Table<T> {
    /** @param number whether the column shows numbers, which are aligned to the right */
    record Column<T>(String name, boolean number, Function<? super T, ?> of) {}

    private final List<Column<T>> columns = new ArrayList<>();
    private final List<List<Cell>> lines = new ArrayList<>();

    Table<T> text(String name, Function<? super T, ?> of) {
        columns.add(new Column<>(name, false, of));
        return this;
    }

    Table<T> number(String name, Function<? super T, ?> of) {
        columns.add(new Column<>(name, true, of));
        return this;
    }

    void add(T thing) {
        lines.add(columns.stream()
                .map(column -> Cell.of(column.of().apply(thing)))
                .toList());
    }

    List<Column<T>> columns() {
        return columns;
    }

    List<List<Cell>> lines() {
        return lines;
    }
}
