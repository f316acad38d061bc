package stackelberg.data;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rows of a table by the value of a column: levels in their order, numbers ascending, the missing ones last. */
final class Groups {
    /** More groups than this are no summary. */
    private static final int MOST = 100;

    private Groups() {}

    static Map<String, int[]> of(Table table, String name) {
        Column column = table.column(name);
        TreeMap<Double, List<Integer>> byValue = new TreeMap<>();
        for (int i = 0; i < table.rows(); i++) {
            byValue.computeIfAbsent(key(column, i), key -> new ArrayList<>()).add(i);
            if (byValue.size() > MOST) {
                throw new DataException("Column '" + name + "' has more than " + MOST
                        + " different values, too many groups to report.\nMaybe group by a column with fewer values.");
            }
        }
        Map<String, int[]> groups = new LinkedHashMap<>();
        byValue.forEach((key, rows) -> groups.put(
                label(column, key), rows.stream().mapToInt(Integer::intValue).toArray()));
        return groups;
    }

    private static Double key(Column column, int row) {
        if (column.isMissing(row)) {
            return Double.POSITIVE_INFINITY;
        }
        return column instanceof CategoricalColumn levels
                ? (double) levels.code(row)
                : ((NumericColumn) column).value(row);
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
