package stackelberg.data;

import java.util.Optional;

/** A named column of a {@link Table}: numbers, or categories. */
public sealed interface Column permits NumericColumn, CategoricalColumn {
    String name();

    int rows();

    boolean isMissing(int row);

    /** How many values are missing. */
    int missing();

    /** The value as a person writes it; empty if it is missing. */
    Optional<String> text(int row);

    /** The given rows (from 0), in the given order. */
    Column select(int[] rows);
}
