package stackelberg.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.linalg.DenseMatrix;
import tools.jackson.databind.json.JsonMapper;

class EncodingTest {
    private static final double NA = Double.NaN;

    private static Encoding.Choice choice(String column, Scaling scaling) {
        return new Encoding.Choice(column, scaling, false);
    }

    private static Table random(int rows, long seed) {
        Random random = new Random(seed);
        double[] a = random.doubles(rows, -3, 50).toArray();
        double[] b = random.doubles(rows, 1e6, 1e6 + 1).toArray();
        String[] c = new String[rows];
        for (int i = 0; i < rows; i++) {
            c[i] = List.of("no", "yes", "maybe").get(i % 3);
        }
        return Table.of(NumericColumn.of("a", a), NumericColumn.of("b", b), CategoricalColumn.of("c", c));
    }

    private static List<Encoding.Choice> all(Scaling scaling) {
        return List.of(choice("a", scaling), choice("b", scaling), choice("c", scaling));
    }

    @Test
    void rangeScalingFillsTheUnitInterval() {
        Table table = random(50, 1);
        DenseMatrix x = Encoding.fit(table, all(Scaling.RANGE), Missing.ERROR).apply(table);
        for (int j = 0; j < x.cols(); j++) {
            assertThat(x.column(j)).contains(0, 1);
            assertThat(Arrays.stream(x.column(j))).allMatch(v -> v >= 0 && v <= 1);
        }
    }

    @Test
    void standardScalingGivesMeanZeroAndMeanSquareOne() {
        Table table = random(50, 2);
        DenseMatrix x =
                Encoding.fit(table, all(Scaling.STANDARD), Missing.ERROR).apply(table);
        assertThat(x.cols()).isEqualTo(5);
        for (int j = 0; j < x.cols(); j++) {
            double sum = 0;
            double squares = 0;
            for (double v : x.column(j)) {
                sum += v;
                squares += v * v;
            }
            assertThat(sum / 50).isCloseTo(0, within(1e-8));
            assertThat(squares / 50).isCloseTo(1, within(1e-8));
        }
    }

    @ParameterizedTest
    @EnumSource(Scaling.class)
    void rawIsShiftPlusScaleTimesEncoded(Scaling scaling) {
        Table table = random(20, 3);
        Encoding encoding = Encoding.fit(table, all(scaling), Missing.ERROR);
        DenseMatrix x = encoding.apply(table);
        DenseMatrix raw = Encoding.fit(table, all(Scaling.NONE), Missing.ERROR).apply(table);
        assertThat(raw.column(0)).isEqualTo(table.numeric("a").values());
        for (int j = 0; j < x.cols(); j++) {
            EncodedColumn column = encoding.columns().get(j);
            for (int i = 0; i < x.rows(); i++) {
                assertThat(column.shift() + column.scale() * x.get(i, j))
                        .isCloseTo(raw.get(i, j), within(1e-12 * (1 + Math.abs(raw.get(i, j)))));
            }
        }
    }

    @Test
    void eachLevelBecomesAnIndicatorNamedColumnEqualsLevel() {
        Table table = Table.of(CategoricalColumn.of("smoker", "yes", "no", "yes"));
        Encoding full = Encoding.fit(table, List.of(choice("smoker", Scaling.NONE)), Missing.ERROR);
        assertThat(full.names()).containsExactly("smoker=no", "smoker=yes");
        assertThat(full.apply(table).column(1)).containsExactly(1, 0, 1);
        Encoding dropped =
                Encoding.fit(table, List.of(new Encoding.Choice("smoker", Scaling.NONE, true)), Missing.ERROR);
        assertThat(dropped.names()).containsExactly("smoker=yes");
        assertThat(dropped.features().get(0).levels()).containsExactly("no", "yes");
        assertThat(dropped.apply(table).column(0)).containsExactly(1, 0, 1);
    }

    @Test
    void levelsThatOccurInNoRowInUseGetNoIndicator() {
        Table table = Table.of(CategoricalColumn.of("region", "north", "south", "west"));
        Encoding encoding =
                Encoding.fit(table.select(new int[] {0, 2}), List.of(choice("region", Scaling.NONE)), Missing.ERROR);
        assertThat(encoding.names()).containsExactly("region=north", "region=west");
    }

    /** 0.1 summed is not a multiple of 0.1, and squares of 1e-200 are zero: neither may become a division by zero. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.1, -7, 1e300})
    void constantColumnsAreListedAndHaveScaleOne(double value) {
        double[] same = new double[30];
        java.util.Arrays.fill(same, value);
        double[] tiny = new double[30];
        tiny[3] = 1e-200;
        Table table = Table.of(
                NumericColumn.of("same", same),
                NumericColumn.of("tiny", tiny),
                CategoricalColumn.of("one", "a".repeat(30).split("")));
        for (Scaling scaling : Scaling.values()) {
            Encoding encoding = Encoding.fit(
                    table,
                    List.of(choice("same", scaling), choice("tiny", scaling), choice("one", scaling)),
                    Missing.ERROR);
            assertThat(encoding.constantColumns()).containsExactly("same", "one=a");
            assertThat(encoding.columns().get(0).scale()).isEqualTo(1);
            DenseMatrix x = encoding.apply(table);
            assertThat(x.get(5, 0)).isEqualTo(scaling == Scaling.NONE ? value : 0);
            assertThat(x.get(3, 1)).isFinite();
            assertThat(x.get(3, 1) == 1e-200).isEqualTo(scaling == Scaling.NONE);
        }
    }

    @Test
    void aCategoryWhoseOnlyLevelIsTheBaseIsListedAsConstant() {
        Table table = Table.of(CategoricalColumn.of("one", "a", "a"));
        Encoding encoding = Encoding.fit(table, List.of(new Encoding.Choice("one", Scaling.NONE, true)), Missing.ERROR);
        assertThat(encoding.names()).isEmpty();
        assertThat(encoding.constantColumns()).containsExactly("one");
    }

    @Test
    void newDataAreMatchedByColumnNameNotByOrder() {
        Table table = random(20, 4);
        Encoding encoding = Encoding.fit(table, all(Scaling.STANDARD), Missing.ERROR);
        Table shuffled = Table.of(
                table.column("c"), NumericColumn.of("extra", new double[20]), table.column("b"), table.column("a"));
        DenseMatrix expected = encoding.apply(table);
        DenseMatrix actual = encoding.apply(shuffled);
        for (int i = 0; i < 20; i++) {
            assertThat(actual.row(i)).isEqualTo(expected.row(i));
        }
        assertThat(encoding.ignored(shuffled)).containsExactly("extra");
        assertThat(encoding.categoricalColumns()).containsExactly("c");
    }

    @Test
    void anUnknownLevelIsRefusedByNameOrHasAllIndicatorsZero() {
        Table training = Table.of(CategoricalColumn.of("c", "no", "yes"));
        Table fresh = Table.of(CategoricalColumn.of("c", "yes", "perhaps"));
        Encoding encoding = Encoding.fit(training, List.of(choice("c", Scaling.RANGE)), Missing.ERROR);
        assertThatThrownBy(() -> encoding.apply(fresh))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'c', row 2: \"perhaps\"")
                .hasMessageContaining("'no', 'yes'");
        assertThat(encoding.apply(fresh, Encoding.UnknownLevel.ZERO).row(1)).containsExactly(0, 0);
        assertThat(encoding.apply(fresh, Encoding.UnknownLevel.ZERO).row(0)).containsExactly(0, 1);
    }

    @Test
    void absentColumnsAndColumnsOfTheWrongKindAreRefusedByName() {
        Encoding encoding = Encoding.fit(random(20, 5), all(Scaling.NONE), Missing.ERROR);
        assertThatThrownBy(() -> encoding.apply(Table.of(NumericColumn.of("A", 1))))
                .hasMessageContaining("'a', 'b', 'c'")
                .hasMessageContaining("'a' is called 'A' there");
        Table swapped = Table.of(
                CategoricalColumn.of("a", "1", "x"),
                NumericColumn.of("b", 1, 2),
                CategoricalColumn.of("c", "no", "no"));
        assertThatThrownBy(() -> encoding.apply(swapped))
                .hasMessageContaining("'a' must be numeric")
                .hasMessageContaining("\"x\"");
        Table numbers = Table.of(NumericColumn.of("a", 1), NumericColumn.of("b", 1), NumericColumn.of("c", 7));
        assertThatThrownBy(() -> encoding.apply(numbers))
                .hasMessageContaining("categorical(\"c\")")
                .hasMessageContaining("7.0");
    }

    @Test
    void aColumnNamedLikeALevelOfAnotherColumnIsRefused() {
        Table table = Table.of(
                CategoricalColumn.of("colour", "red", "green", "red"), NumericColumn.of("colour=red", 1, 2, 3));
        List<Encoding.Choice> both = List.of(choice("colour", Scaling.NONE), choice("colour=red", Scaling.NONE));

        assertThatThrownBy(() -> Encoding.fit(table, both, Missing.ERROR))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Columns 'colour' and 'colour=red' both give a term named 'colour=red'");
    }

    @Test
    void aFeatureThatIsListedTwiceOrUnknownOrEmptyIsRefused() {
        Table table = Table.of(NumericColumn.of("a", 1, 2), NumericColumn.of("none", NA, NA));
        assertThatThrownBy(() -> Encoding.fit(
                        table, List.of(choice("a", Scaling.NONE), choice("a", Scaling.NONE)), Missing.ERROR))
                .hasMessageContaining("listed twice");
        assertThatThrownBy(() -> Encoding.fit(table, List.of(choice("nome", Scaling.NONE)), Missing.ERROR))
                .hasMessageContaining("'none'");
        assertThatThrownBy(() -> Encoding.fit(table, List.of(choice("none", Scaling.NONE)), Missing.MEAN))
                .hasMessageContaining("no value at all");
    }

    @Test
    void meanReplacesMissingNumbersByTheTrainingMeanAndMissingLevelsByTheMostFrequent() {
        Table training = Table.of(NumericColumn.of("a", 1, 2, 6, NA), CategoricalColumn.of("c", "x", "y", "y", null));
        Encoding encoding =
                Encoding.fit(training, List.of(choice("a", Scaling.STANDARD), choice("c", Scaling.NONE)), Missing.MEAN);
        DenseMatrix x = encoding.apply(training);
        assertThat(x.row(3)).containsExactly(0, 0, 1);
        double squares = 0;
        for (double v : x.column(0)) {
            squares += v * v;
        }
        assertThat(squares / 4).isCloseTo(1, within(1e-12));
        Table fresh = Table.of(NumericColumn.of("a", NA), NumericColumn.of("c", NA));
        assertThat(encoding.apply(fresh).row(0)).containsExactly(0, 0, 1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Missing.class,
            names = {"ERROR", "DROP"})
    void withoutMeanAMissingValueIsRefusedByEncodings(Missing policy) {
        Table training = Table.of(NumericColumn.of("a", 1, 2), CategoricalColumn.of("c", "x", "y"));
        Encoding encoding =
                Encoding.fit(training, List.of(choice("a", Scaling.NONE), choice("c", Scaling.NONE)), policy);
        Table number = Table.of(NumericColumn.of("a", 1, NA), CategoricalColumn.of("c", "x", "x"));
        assertThatThrownBy(() -> encoding.apply(number))
                .hasMessageContaining("Column 'a', row 2: the value is missing");
        Table level = Table.of(NumericColumn.of("a", 1, 2), CategoricalColumn.of("c", "x", null));
        assertThatThrownBy(() -> encoding.apply(level)).hasMessageContaining("Column 'c', row 2: the value is missing");
        assertThatThrownBy(() -> Encoding.fit(number, List.of(choice("a", Scaling.NONE)), policy))
                .hasMessageContaining("row 2");
        assertThatThrownBy(() -> Encoding.fit(level, List.of(choice("c", Scaling.NONE)), policy))
                .hasMessageContaining("row 2");
    }

    @Test
    void aColumnWhoseRangeOverflowsADoubleIsRefused() {
        Table table = Table.of(NumericColumn.of("a", -1.7e308, 1.7e308));
        assertThatThrownBy(() -> Encoding.fit(table, List.of(choice("a", Scaling.RANGE)), Missing.ERROR))
                .hasMessageContaining("Column 'a' spans");
    }

    @Test
    void anEncodingSurvivesARoundTripThroughJson() {
        JsonMapper json = JsonMapper.builder().build();
        Encoding encoding = Encoding.fit(
                random(20, 6),
                List.of(choice("a", Scaling.STANDARD), new Encoding.Choice("c", Scaling.STANDARD, true)),
                Missing.MEAN);
        assertThat(json.readValue(json.writeValueAsString(encoding), Encoding.class))
                .isEqualTo(encoding);
    }
}
