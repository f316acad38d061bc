package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MissingTest {
    private static final double NA = Double.NaN;
    private final Table table = Table.of(
            NumericColumn.of("a", 1, NA, 3, 4),
            CategoricalColumn.of("c", "x", "y", null, "x"),
            NumericColumn.of("y", 1, 2, 3, NA),
            NumericColumn.of("unused", NA, NA, NA, NA));

    @Test
    void withErrorAMissingValueIsRefusedWithItsColumnAndRow() {
        assertThatThrownBy(() -> Missing.ERROR.apply(table, List.of("a"), List.of()))
                .isInstanceOf(DataException.class)
                .hasMessage("Column 'a', row 2: the value is missing.\nMaybe use missing(DROP) or missing(MEAN).");
        assertThatThrownBy(() -> Missing.ERROR.apply(table, List.of("unused"), List.of()))
                .hasMessageContaining("one of 4 in that column");
    }

    @Test
    void dropKeepsTheRowsWhereAllUsedColumnsHaveValues() {
        Missing.RowsInUse used = Missing.DROP.apply(table, List.of("a", "c"), List.of("y"));
        assertThat(used.dropped()).isEqualTo(3);
        assertThat(used.table().rows()).isEqualTo(1);
        assertThat(used.table().rowNumber(0)).isEqualTo(1);
        assertThat(Missing.DROP
                        .apply(table, List.of("c"), List.of())
                        .table()
                        .numeric("a")
                        .values())
                .containsExactly(1, NA, 4);
    }

    @Test
    void dropRefusesToLeaveNoRow() {
        assertThatThrownBy(() -> Missing.DROP.apply(table, List.of("unused"), List.of()))
                .hasMessage(
                        "Column 'unused' has no value at all, so dropping rows leaves none.\nMaybe leave it out with"
                                + " ignore(\"unused\").");
        assertThatThrownBy(() -> Missing.DROP.apply(table, List.of("a"), List.of("unused")))
                .hasMessageContaining("Maybe another column was meant.");
        Table halves = Table.of(NumericColumn.of("one", 1, NA), NumericColumn.of("other", NA, 1));
        assertThatThrownBy(() -> Missing.DROP.apply(halves, List.of("one", "other"), List.of()))
                .hasMessageContaining("Every one of the 2 rows");
    }

    @Test
    void meanRefusesAMissingTarget() {
        assertThat(Missing.MEAN
                        .apply(table, List.of("a", "c"), List.of())
                        .table()
                        .rows())
                .isEqualTo(4);
        assertThatThrownBy(() -> Missing.MEAN.apply(table, List.of("a"), List.of("y")))
                .hasMessage(
                        "Column 'y', row 4: the value is missing.\nMaybe use missing(DROP): only features can be filled in.");
    }
}
