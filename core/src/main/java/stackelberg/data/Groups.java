package stackelberg.data;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Groups the rows of a table by the value of a column: levels in their order, numbers ascending, rows without a value last. */
final class Groups {
    /** The largest number of groups; a report about more groups than this would not be read. */
    private static final int MOST = 100;

    private Groups() {}

    /** The row indices of each group, by the group's label; refuses a column with more than {@link #MOST} different values. */
    static Map<String, int[]> of(Table table, String name) {
        Table.Grouped grouped = largest(table, name, MOST);
        if (grouped.groups() > MOST) {
            throw DataException.of(
                    "too-many-groups",
                    "Column '{}' has more than {} different values, too many groups to report.\n"
                            + "Maybe group by a column with fewer values.",
                    name,
                    MOST);
        }
        return grouped.rows();
    }

    /** The {@code most} groups with the most rows, in the order of their values, and how many groups there are in all. */
    static Table.Grouped largest(Table table, String name, int most) {
        Column column = table.column(name);
        TreeMap<Double, Integer> counts = new TreeMap<>();
        for (int i = 0; i < table.rows(); i++) {
            counts.merge(key(column, i), 1, Integer::sum);
        }
        Set<Double> kept = counts.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Double, Integer> group) -> -group.getValue()))
                .limit(most)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        TreeMap<Double, int[]> rows = new TreeMap<>();
        kept.forEach(key -> rows.put(key, new int[counts.get(key)]));
        Map<Double, Integer> filled = new TreeMap<>();
        for (int i = 0; i < table.rows(); i++) {
            // Null for rows of the groups that are left out.
            int[] members = rows.get(key(column, i));
            if (members != null) {
                members[filled.merge(key(column, i), 1, Integer::sum) - 1] = i;
            }
        }
        Map<String, int[]> groups = new LinkedHashMap<>();
        rows.forEach((key, members) -> groups.put(label(column, key), members));
        return new Table.Grouped(groups, counts.size());
    }

    /** Returns the key by which groups are sorted: the value, the level's index, or infinity for a missing value, which no column holds otherwise. */
    private static Double key(Column column, int row) {
        if (column.isMissing(row)) {
            return Double.POSITIVE_INFINITY;
        }
        // + 0.0 turns -0.0 into 0.0, so that both are one group.
        return column instanceof CategoricalColumn levels
                ? (double) levels.code(row)
                : ((NumericColumn) column).value(row) + 0.0;
    }

    private static String label(Column column, double key) {
        if (Double.isInfinite(key)) {
            return "(missing)";
        }
        if (column instanceof CategoricalColumn levels) {
            return levels.levels().get((int) key);
        }
        return NumericColumn.text(key);
    }
}
