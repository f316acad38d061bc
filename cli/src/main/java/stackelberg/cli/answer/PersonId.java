package stackelberg.cli.answer;

import java.util.Optional;
import stackelberg.data.Column;

/** The key {@code id} of a person; absent if the data have no identifier column. */
public record PersonId(
        @Meaning("The value of the column that names people; null if it is missing. Only where people have names.")
        String id) {
    /** @return null where the data do not name people */
    public static PersonId of(Optional<Column> names, int row) {
        return names.map(column -> new PersonId(column.text(row).orElse(null))).orElse(null);
    }
}
