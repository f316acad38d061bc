package stackelberg.spark;

import java.io.Serializable;
import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;

/** Checks the rows (features, label, wish, weight) of a partition and words what is wrong with one, by column, partition and row. */
final class RowCheck {
    private static final int COLUMNS = 4;
    private static final int WISH = 2;
    private static final int WEIGHT = 3;

    /**
     * The names of the columns.
     *
     * @param wish the name of a column, or an expression
     * @param weight absent where all rows count once
     * @param inWords whether the wish is an expression
     */
    record Names(
            String features,
            String label,
            String wish,
            @Nullable String weight,
            boolean inWords) implements Serializable {
        private String of(int column) {
            return switch (column) {
                case 0 -> features;
                case 1 -> label;
                case WISH -> wish;
                default -> String.valueOf(weight);
            };
        }
    }

    private final Names names;
    private final int size;
    private final int partition;
    /** The number of rows that were checked, the last one included. */
    private long row;

    /**
     * A check of the rows of one partition.
     *
     * @param size the length that every vector has to have
     */
    RowCheck(Names names, int size, int partition) {
        this.names = names;
        this.size = size;
        this.partition = partition;
    }

    /** What is wrong with the next row; absent if it is valid. */
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
        double weight = values.getDouble(WEIGHT);
        return weight < 0 ? where(WEIGHT) + "the weight is " + weight + "; weights must not be negative." : null;
    }

    private String where(int c) {
        return "Column '" + names.of(c) + "', row " + row + " of partition " + partition + ": ";
    }

    private String fill(int c) {
        if (c == WISH && names.inWords) {
            return Wishes.ADVICE;
        }
        return "\nMaybe remove such rows"
                + (c == 0
                        ? " (VectorAssembler.setHandleInvalid(\"skip\")), or fill them with an Imputer."
                        : ": dataset.na().drop(new String[] {\"" + names.of(c) + "\"}).");
    }
}
