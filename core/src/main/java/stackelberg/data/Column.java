package stackelberg.data;

/** A named column of a {@link Table}: numbers, or categories. */
public sealed interface Column permits NumericColumn, CategoricalColumn {
    String name();

    int rows();

    boolean isMissing(int row);

    /** The given rows (from 0), in the given order. */
    Column select(int[] rows);
}
