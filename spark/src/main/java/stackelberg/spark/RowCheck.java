package stackelberg.spark;

import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with a row (features, label, wish, weight), in words that name the column. */
final class RowCheck {
    private static final int COLUMNS = 4;
    private static final int WISH = 2;

    private final String[] names;
    private final int size;
    private final int partition;
    private long row;

    /** @param names of the four columns, and, where wishes are in words, what is said of those that are not finite */
    RowCheck(String[] names, int size, int partition) {
        this.names = names;
        this.size = size;
        this.partition = partition;
    }

    /** Null if the row is good. */
    @Nullable
    String problem(Row values) {
        row++;
        for (int c = 0; c < COLUMNS; c++) {
            if (values.isNullAt(c)) {
                return where(c) + "the value is null." + fill(c);
            }
        }
        Vector vector = values.getAs(0);
        if (vector.size() != size) {
            return where(0) + "the vector has " + vector.size() + " entries, but that of the first row has " + size
                    + ".\nMaybe two ways of assembling the features were mixed.";
        }
        double[] entries = vector instanceof SparseVector s ? s.values() : vector.toArray();
        for (int p = 0; p < entries.length; p++) {
            if (!Double.isFinite(entries[p])) {
                int entry = vector instanceof SparseVector s ? s.indices()[p] : p;
                return where(0) + "entry " + entry + " is " + entries[p] + ", which is not a finite number." + fill(0);
            }
        }
        for (int c = 1; c < COLUMNS; c++) {
            double value = values.getDouble(c);
            if (!Double.isFinite(value)) {
                return where(c) + value + " is not a finite number." + fill(c);
            }
        }
        double weight = values.getDouble(3);
        return weight < 0 ? where(3) + "the weight is " + weight + "; weights must not be negative." : null;
    }

    private String where(int c) {
        return "Column '" + names[c] + "', row " + row + " of partition " + partition + ": ";
    }

    private String fill(int c) {
        if (c == WISH && names.length > COLUMNS && names[COLUMNS] != null) {
            return names[COLUMNS];
        }
        return "\nMaybe remove such rows"
                + (c == 0
                        ? " (VectorAssembler.setHandleInvalid(\"skip\")), or fill them with an Imputer."
                        : ": dataset.na().drop(new String[] {\"" + names[c] + "\"}).");
    }
}
