package stackelberg.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import stackelberg.linalg.CsrMatrix;

/** How missing values are handled. */
public enum Missing {
    /** A missing value in a used column is an error. */
    ERROR,
    /** Rows with a missing value in a used column are left out. */
    DROP,
    /** A missing number is replaced by the training mean, a missing category by the most frequent level. A missing target, wish or weight is an error. */
    MEAN;

    /**
     * The rows in use after missing values were handled.
     *
     * @param table the rows that were kept
     * @param dropped the number of rows that were left out
     */
    public record RowsInUse(Table table, int dropped) {}

    /**
     * Applies the policy to the used columns.
     *
     * @param used the feature columns
     * @param required the columns whose values cannot be filled in: target, wish, weight
     */
    public RowsInUse apply(Table table, List<String> used, List<String> required) {
        // what a sparse matrix does not hold is zero, and not missing
        Set<String> whole = table.block()
                .filter(block -> block.matrix() instanceof CsrMatrix)
                .map(block -> (Set<String>) new HashSet<>(block.names()))
                .orElse(Set.of());
        List<String> features =
                used.stream().filter(name -> !whole.contains(name)).toList();
        if (this != DROP) {
            refuse(
                    table,
                    required,
                    Message.part("{}: only features can be filled in", Message.Choice.word("missing", DROP)));
        }
        if (this == ERROR) {
            refuse(
                    table,
                    features,
                    Message.part(
                            "{} or {}", Message.Choice.word("missing", DROP), Message.Choice.word("missing", MEAN)));
        }
        return this == DROP ? drop(table, features, required) : new RowsInUse(table, 0);
    }

    /** Leaves out the rows with a missing value in a used column; throws if none would remain. */
    private RowsInUse drop(Table table, List<String> features, List<String> required) {
        List<Column> used = new ArrayList<>();
        features.forEach(name -> used.add(table.column(name)));
        required.forEach(name -> used.add(table.column(name)));
        int[] kept = new int[table.rows()];
        int count = 0;
        for (int row = 0; row < table.rows(); row++) {
            kept[count] = row;
            count += isComplete(used, row) ? 1 : 0;
        }
        if (count == 0 && table.rows() > 0) {
            refuseEmpty(table, features, required);
            throw new DataException(Message.of(
                    "no-row-left",
                    "Every one of the {} rows has a missing value in a used column, so dropping leaves none.\n"
                            + "Maybe leave out the column with the most ({}), or use {}.",
                    table.rows(),
                    Message.Choice.any("ignore"),
                    Message.Choice.word("missing", "MEAN")));
        }
        int dropped = table.rows() - count;
        return new RowsInUse(dropped == 0 ? table : table.select(Arrays.copyOf(kept, count)), dropped);
    }

    /** Refuses data in which a single column has no value at all, and names that column. */
    private static void refuseEmpty(Table table, List<String> features, List<String> required) {
        for (List<String> names : List.of(required, features)) {
            for (String name : names) {
                if (table.column(name).missing() == table.rows()) {
                    throw new DataException(Message.of(
                            "column-empty",
                            "Column '{}' has no value at all, so dropping rows leaves none.\nMaybe {}.",
                            name,
                            names == required
                                    ? "another column was meant"
                                    : Message.part("leave it out with {}", Message.Choice.text("ignore", name))));
                }
            }
        }
    }

    private static boolean isComplete(List<Column> used, int row) {
        for (Column column : used) {
            if (column.isMissing(row)) {
                return false;
            }
        }
        return true;
    }

    /** Throws, naming the column and the first row, if one of these columns has a missing value. */
    private static void refuse(Table table, List<String> names, Message remedy) {
        for (String name : names) {
            Column column = table.column(name);
            int count = column.missing();
            if (count > 0) {
                int first = 0;
                while (!column.isMissing(first)) {
                    first++;
                }
                throw new DataException(Message.of(
                        "value-missing",
                        "Column '{}', {}: the value is missing{}.\nMaybe use {}.",
                        name,
                        table.where(first),
                        count == 1 ? "" : " (one of " + count + " in that column)",
                        remedy));
            }
        }
    }
}
