package stackelberg.cli.answer;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Column;

/**
 * The key {@code id} of a person; absent if the data have no identifier column.
 *
 * @param id the value of the column that names people; null if it is missing. Only where people have names
 */
public record PersonId(@Nullable String id) {
    /** Returns the identifier of a person; null if the data have no identifier column. */
    public static @Nullable PersonId of(Optional<Column> names, int row) {
        return names.map(column -> new PersonId(column.text(row).orElse(null))).orElse(null);
    }
}
