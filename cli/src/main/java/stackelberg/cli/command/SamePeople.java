package stackelberg.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.World;
import stackelberg.model.StackelbergModel;

/**
 * Two tables of the same people, in the same order: row i is the same person in both.
 *
 * @param id the identifier column that matches them; absent if they are matched by order
 * @param notes notes about people who were left out
 */
record SamePeople(Table before, Table after, @Nullable String id, List<String> notes) {
    static SamePeople inOrder(Table before, Table after) {
        if (before.rows() != after.rows()) {
            throw DataException.of(
                    "row-counts-differ",
                    "There are {} people before and {} after; rows must be of the same people in the same order.\n"
                            + "Maybe name the column that identifies people with --id.",
                    before.rows(),
                    after.rows());
        }
        return new SamePeople(before, after, null, List.of());
    }

    /** The model's column of names, if both tables have it. */
    static @Nullable String namesInBoth(@Nullable StackelbergModel model, Table first, Table second) {
        String named = model == null ? null : model.game().id();
        return named != null && first.has(named) && second.has(named) ? named : null;
    }

    static SamePeople byId(Table before, Table after, String id) {
        Map<String, Integer> later = rowsById(after, id);
        rowsById(before, id);
        List<Integer> first = new ArrayList<>();
        List<Integer> second = new ArrayList<>();
        for (int i = 0; i < before.rows(); i++) {
            Integer match = later.get(value(before.column(id), i));
            if (match != null) {
                first.add(i);
                second.add(match);
            }
        }
        if (first.isEmpty()) {
            throw DataException.of(
                    "no-person-in-both",
                    "No person is in both tables: no value of '{}' is the same.\n"
                            + "Maybe another column identifies people.",
                    id);
        }
        List<String> notes = new ArrayList<>();
        int lost = before.rows() + after.rows() - 2 * first.size();
        if (lost > 0) {
            notes.add("Rows left out because the person is in only one of the tables: " + lost + ".");
        }
        return new SamePeople(before.select(array(first)), after.select(array(second)), id, notes);
    }

    /** A copy without the rows that lack a value in either table, if missing values are dropped. */
    SamePeople complete(World world, List<String> required) {
        return complete(world, required, List.of());
    }

    /**
     * A copy without the rows that lack a value in either table, if missing values are dropped.
     *
     * @param required columns besides the features that must be known before
     * @param later columns besides the features that must be known after
     */
    SamePeople complete(World world, List<String> required, List<String> later) {
        if (world.encoding().missing() != Missing.DROP) {
            world.rowsInUse(before, required);
            world.rowsInUse(after, later);
            refuseFilled(world, before);
            refuseFilled(world, after);
            return this;
        }
        Table one = world.rowsInUse(before, required).table();
        Table two = world.rowsInUse(after, later).table();
        Set<Integer> inOne = rowNumbers(one);
        Set<Integer> inTwo = rowNumbers(two);
        List<Integer> kept = new ArrayList<>();
        for (int i = 0; i < before.rows(); i++) {
            if (inOne.contains(before.rowNumber(i)) && inTwo.contains(after.rowNumber(i))) {
                kept.add(i);
            }
        }
        List<String> all = new ArrayList<>(notes);
        if (kept.size() < before.rows()) {
            all.add("People left out because a value is missing: " + (before.rows() - kept.size()) + ".");
        }
        return new SamePeople(before.select(array(kept)), after.select(array(kept)), id, all);
    }

    /** Refuses missing values where they would be filled in, because the difference to a filled-in value would count as a move. */
    private static void refuseFilled(World world, Table table) {
        Map<String, Integer> filled = world.filled(table);
        if (!filled.isEmpty()) {
            Map.Entry<String, Integer> first = filled.entrySet().iterator().next();
            throw DataException.of(
                    "filled-in-looks-moved",
                    "Column '{}' lacks {}{}; a value that was filled in would count as a move.\n"
                            + "Maybe leave such people out with --missing drop.",
                    first.getKey(),
                    first.getValue(),
                    first.getValue() == 1 ? " value" : " values");
        }
    }

    /** Whether rows have identifiers by which they can be matched across tables. */
    boolean named() {
        return id != null;
    }

    /** A copy with some of the rows, by their indices. */
    SamePeople of(int[] people) {
        return new SamePeople(before.select(people), after.select(people), id, notes);
    }

    /** The identifier of this person across tables. */
    String name(int i) {
        return id == null
                ? String.valueOf(before.rowNumber(i))
                // byId() refuses rows without an identifier
                : Objects.requireNonNull(value(before.column(id), i));
    }

    private static Set<Integer> rowNumbers(Table table) {
        return IntStream.range(0, table.rows()).map(table::rowNumber).boxed().collect(Collectors.toSet());
    }

    private static Map<String, Integer> rowsById(Table table, String id) {
        Column column = table.column(id);
        Map<String, Integer> rows = new LinkedHashMap<>();
        for (int i = 0; i < table.rows(); i++) {
            String value = value(column, i);
            if (value == null) {
                throw DataException.of(
                        "id-missing",
                        "Column '{}', {}: the value is missing.\n" + "Maybe another column identifies people.",
                        id,
                        table.where(i));
            }
            if (rows.put(value, i) != null) {
                throw DataException.of(
                        "id-twice",
                        "Column '{}', {}: {} occurs twice.\n" + "Maybe another column identifies people.",
                        id,
                        table.where(i),
                        value);
            }
        }
        return rows;
    }

    private static @Nullable String value(Column column, int row) {
        if (column.isMissing(row)) {
            return null;
        }
        return column instanceof CategoricalColumn text
                ? text.level(row)
                : String.valueOf(((NumericColumn) column).value(row));
    }

    private static int[] array(List<Integer> list) {
        return list.stream().mapToInt(Integer::intValue).toArray();
    }
}
