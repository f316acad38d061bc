package stackelberg.data;

import java.util.Optional;

/** A named column of a {@link Table}, with either numbers or categories. Rows are indexed from 0; a value may be missing. */
public sealed interface Column permits NumericColumn, CategoricalColumn {
    /** The name, unique within a table. */
    String name();

    /** The number of rows, missing values included. */
    int rows();

    /** Whether the row has no value. */
    boolean isMissing(int row);

    /** The number of missing values. */
    int missing();

    /** The value as text, whole numbers without decimals (3, not 3.0); empty if it is missing. */
    Optional<String> text(int row);

    /** A new column with the given rows (from 0), in the given order; a row may occur more than once. */
    Column select(int[] rows);
}
