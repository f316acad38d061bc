package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TableTest {
    private final Table table =
            Table.of(NumericColumn.of("quality", 5, 6, Double.NaN), CategoricalColumn.of("smoker", "yes", null, "no"));

    @Test
    void columnsAreFoundByName() {
        assertThat(table.rows()).isEqualTo(3);
        assertThat(table.names()).containsExactly("quality", "smoker");
        assertThat(table.numeric("quality").values()).containsExactly(5, 6, Double.NaN);
        CategoricalColumn smoker = (CategoricalColumn) table.column("smoker");
        assertThat(smoker.levels()).containsExactly("no", "yes");
        assertThat(new int[] {smoker.code(0), smoker.code(1), smoker.code(2)}).containsExactly(1, -1, 0);
    }

    @Test
    void anUnknownNameIsToldTheNearest() {
        assertThatThrownBy(() -> table.column("qualty"))
                .isInstanceOf(DataException.class)
                .hasMessage("There is no column 'qualty'.\nMaybe you meant 'quality'.");
        assertThatThrownBy(() -> table.column("height")).hasMessageContaining("'quality', 'smoker'");
    }

    @Test
    void categoriesAreNotNumbers() {
        assertThatThrownBy(() -> table.numeric("smoker"))
                .hasMessageContaining("'smoker' must be numeric")
                .hasMessageContaining("\"yes\"");
    }

    @Test
    void selectedRowsKeepTheirNumbers() {
        Table chosen = table.select(new int[] {2, 0}).select(new int[] {0});
        assertThat(chosen.rows()).isEqualTo(1);
        assertThat(chosen.rowNumber(0)).isEqualTo(3);
        assertThat(chosen.where(0)).isEqualTo("row 3");
        assertThat(((CategoricalColumn) chosen.column("smoker")).level(0)).isEqualTo("no");
        assertThat(chosen.column("quality").isMissing(0)).isTrue();
    }

    @Test
    void aTableCannotBeChangedThroughItsArrays() {
        double[] values = {1, 2};
        Table small = Table.of(NumericColumn.of("a", values));
        values[0] = 9;
        small.numeric("a").values()[1] = 9;
        assertThat(small.numeric("a").values()).containsExactly(1, 2);
    }

    @Test
    void columnsOfDifferentLengthOrEqualNameAreRefused() {
        assertThatThrownBy(() -> Table.of(NumericColumn.of("a", 1), NumericColumn.of("b", 1, 2)))
                .hasMessageContaining("'b' has 2 rows")
                .hasMessageContaining("'a' has 1");
        assertThatThrownBy(() -> Table.of(NumericColumn.of("a", 1), NumericColumn.of("a", 1)))
                .hasMessageContaining("two columns named 'a'");
        assertThatThrownBy(() -> NumericColumn.of("a", 1, Double.POSITIVE_INFINITY))
                .hasMessageContaining("Column 'a', row 2");
    }

    @Test
    void numericLevelsAreOrderedByValue() {
        assertThat(CategoricalColumn.of("zone", "10", "2", "1").levels()).containsExactly("1", "2", "10");
        assertThat(CategoricalColumn.of("zone", "10", "2", "a").levels()).containsExactly("10", "2", "a");
    }
}
