package stackelberg.data;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The rows of a table by the value of a column: levels in their order, numbers ascending, the missing ones last. */
final class Groups {
    /** More groups than this are no summary. */
    private static final int MOST = 100;

    private Groups() {}

    static Map<String, int[]> of(Table table, String name) {
        Table.Grouped grouped = largest(table, name, MOST);
        if (grouped.groups() > MOST) {
            throw new DataException("Column '" + name + "' has more than " + MOST
                    + " different values, too many groups to report.\nMaybe group by a column with fewer values.");
        }
        return grouped.rows();
    }

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
            int[] members = rows.get(key(column, i));
            if (members != null) {
                members[filled.merge(key(column, i), 1, Integer::sum) - 1] = i;
            }
        }
        Map<String, int[]> groups = new LinkedHashMap<>();
        rows.forEach((key, members) -> groups.put(label(column, key), members));
        return new Table.Grouped(groups, counts.size());
    }

    private static Double key(Column column, int row) {
        if (column.isMissing(row)) {
            return Double.POSITIVE_INFINITY;
        }
        // + 0, because -0 and 0 are one group
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
        return key == Math.rint(key) && Math.abs(key) < 1e15 ? String.valueOf((long) key) : String.valueOf(key);
    }
}
