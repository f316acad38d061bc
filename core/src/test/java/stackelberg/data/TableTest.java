package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;

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
    void anUnknownNameIsRefusedWithTheNearestKnownName() {
        assertThatThrownBy(() -> table.column("qualty"))
                .isInstanceOf(DataException.class)
                .hasMessage("There is no column 'qualty'.\nMaybe you meant 'quality'.");
        assertThatThrownBy(() -> table.column("height")).hasMessageContaining("'quality', 'smoker'");
    }

    @Test
    void aCategoricalColumnIsRefusedWhereNumbersAreNeeded() {
        assertThatThrownBy(() -> table.numeric("smoker"))
                .hasMessageContaining("'smoker' must be numeric")
                .hasMessageContaining("\"yes\"");
    }

    @Test
    void selectedRowsKeepTheirRowNumbers() {
        Table chosen = table.select(new int[] {2, 0}).select(new int[] {0});
        assertThat(chosen.rows()).isEqualTo(1);
        assertThat(chosen.rowNumber(0)).isEqualTo(3);
        assertThat(chosen.where(0)).isEqualTo("row 3");
        assertThat(((CategoricalColumn) chosen.column("smoker")).level(0)).isEqualTo("no");
        assertThat(chosen.column("quality").isMissing(0)).isTrue();
    }

    @Test
    void changingAnArrayDoesNotChangeTheTable() {
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

    @Test
    void aBlockIsNotCopiedAndItsColumnsAreFoundByName() {
        DenseMatrix x = DenseMatrix.of(new double[][] {{1, 2}, {3, 4}, {5, 6}});
        Table block = Table.ofBlock(x, Table.positions(2), NumericColumn.of("y", 7, 8, 9));
        assertThat(block.block().orElseThrow().matrix()).isSameAs(x);
        assertThat(block.block().orElseThrow().names()).containsExactly("1", "2");
        assertThat(block.rows()).isEqualTo(3);
        assertThat(block.names()).containsExactly("1", "2", "y");
        assertThat(block.columns()).extracting(Column::name).containsExactly("1", "2", "y");
        assertThat(block.has("2") && block.has("y") && !block.has("3")).isTrue();
        assertThat(block.numeric("2").values()).containsExactly(2, 4, 6);
        assertThat(block.numeric("y").values()).containsExactly(7, 8, 9);
        assertThat(block.where(2)).isEqualTo("row 3");
        assertThat(block.source()).isEmpty();
        assertThat(table.block()).isEmpty();
        assertThatThrownBy(() -> block.column("yy")).hasMessageContaining("Maybe you meant 'y'");
        assertThatThrownBy(() -> block.column("height")).hasMessageContaining("the 3 columns: '1', '2', 'y'");
    }

    @Test
    void withAddsAColumn() {
        Table block =
                Table.of(new double[][] {{1, 2}, {3, 4}}, List.of("a", "b")).select(new int[] {1});
        assertThat(block.with(NumericColumn.of("y", 5)).names()).containsExactly("a", "b", "y");
        assertThat(block.with(NumericColumn.of("y", 5)).rowNumber(0)).isEqualTo(2);
        assertThat(table.with(CategoricalColumn.of("x", "u", "v", "w")).names())
                .containsExactly("quality", "smoker", "x");
        assertThatThrownBy(() -> block.with(NumericColumn.of("b", 5))).hasMessageContaining("two columns named 'b'");
        assertThatThrownBy(() -> block.with(NumericColumn.of("y", 5, 6))).hasMessageContaining("'y' has 2 rows");
    }

    @Test
    void selectedRowsOfABlockStayDenseOrSparse() {
        double[][] values = {{0, 2}, {3, 0}, {0, 6}};
        CsrMatrix sparse = new CsrMatrix.Builder()
                .put(1, 2)
                .endRow()
                .put(0, 3)
                .endRow()
                .put(1, 6)
                .endRow()
                .build(2);
        for (Matrix x : List.of(DenseMatrix.of(values), sparse, new AffineMatrix(sparse, null, null, false))) {
            Table chosen = Table.ofBlock(x, List.of("a", "b"), NumericColumn.of("y", 7, 8, 9))
                    .select(new int[] {2, 0})
                    .select(new int[] {0, 0, 1});
            assertThat(chosen.numeric("a").values()).containsExactly(0, 0, 0);
            assertThat(chosen.numeric("b").values()).containsExactly(6, 6, 2);
            assertThat(chosen.numeric("y").values()).containsExactly(9, 9, 7);
            assertThat(chosen.rowNumber(2)).isEqualTo(1);
            assertThat(chosen.block().orElseThrow().matrix() instanceof CsrMatrix)
                    .isEqualTo(x == sparse);
        }
    }

    @Test
    void aBlockThatDoesNotFitItsNamesOrColumnsIsRefused() {
        double[][] x = {{1, 2}, {3, 4}};
        assertThatThrownBy(() -> Table.of(x, List.of("a")))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("The matrix has 2 columns, but there are 1 names")
                .hasMessageContaining("Table.positions(2)");
        assertThatThrownBy(() -> Table.of(x, List.of("a", "a"))).hasMessageContaining("two columns named 'a'");
        assertThatThrownBy(() -> Table.of(x, List.of("a", "b"), NumericColumn.of("b", 1, 2)))
                .hasMessageContaining("two columns named 'b'");
        assertThatThrownBy(() -> Table.of(x, List.of("a", "b"), NumericColumn.of("y", 1)))
                .hasMessage("Column 'y' has 1 rows, but the matrix of the features has 2.");
    }

    @Test
    void toStringShowsSizeKindsAndFirstRows() {
        assertThat(table).hasToString("""
                        3 rows x 2 columns
                        quality            smoker
                        number, 1 missing  2 categories, 1 missing
                        5                  yes
                        6                  NA
                        NA                 no""");
        Table wide = Table.of(new double[20][30], Table.positions(30));
        assertThat(wide.toString().lines())
                .hasSizeLessThanOrEqualTo(10)
                .startsWith("20 rows x 30 columns")
                .endsWith("...");
        assertThat(wide.toString()).contains("... 22 more");
        assertThat(Table.of(CategoricalColumn.of("essay", "word ".repeat(100))).toString())
                .endsWith("word word word word w...");
        assertThat(Table.of()).hasToString("0 rows x 0 columns");
    }

    @Test
    void zeroAndMinusZeroAreOneGroup() {
        Table table = Table.of(NumericColumn.of("kind", 0.0, -0.0, 1, -0.0));
        assertThat(table.groups("kind")).containsOnlyKeys("0", "1");
        assertThat(table.groups("kind").get("0")).containsExactly(0, 1, 3);
    }

    @Test
    void theLargestGroupsAreReturnedInTheOrderOfTheirValues() {
        Table table = Table.of(CategoricalColumn.of("kind", "c", "a", "b", "a", null, "c", "c", null, "d"));
        Table.Grouped some = table.groups("kind", 3);
        assertThat(some.groups()).isEqualTo(5);
        assertThat(some.rows().keySet()).containsExactly("a", "c", "(missing)");
        assertThat(some.rows().get("(missing)")).containsExactly(4, 7);
        assertThat(some.rows().get("c")).containsExactly(0, 5, 6);
    }
}
