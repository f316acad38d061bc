package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.Workers;

/** Identifiers, dates and too many categories are recognised before anything is learned from them. */
class RecognitionTest {
    private static final GameSpec SPEC =
            GameSpec.builder().target("y").wish("y+1").wishNoise(1).build();

    private static Table with(int rows, Column column) {
        Random random = new Random(3);
        double[] x = random.doubles(rows).toArray();
        double[] y = random.doubles(rows).toArray();
        return Table.of(column, NumericColumn.of("x", x), NumericColumn.of("y", y));
    }

    private static CategoricalColumn texts(String name, int rows, IntFunction<String> text) {
        return CategoricalColumn.of(
                name, IntStream.range(0, rows).mapToObj(text).toArray(String[]::new));
    }

    private static Sample sample(GameSpec spec, Table table) {
        return Sample.of(spec, table, Workers.of(1));
    }

    private static List<String> features(Sample sample) {
        return sample.world().encoding().features().stream()
                .map(Encoding.Feature::column)
                .toList();
    }

    private static NumericColumn numbers(String name, int rows, int from, int step) {
        return NumericColumn.of(
                name, IntStream.range(0, rows).mapToDouble(i -> from + step * i).toArray());
    }

    @Test
    void aTextWithADifferentValueInNearlyEveryRowIsLeftOut() {
        Sample all = sample(SPEC, with(100, texts("who", 100, i -> "p" + i)));
        Sample nearly = sample(SPEC, with(100, texts("who", 100, i -> "p" + Math.max(5, i))));

        assertThat(features(all)).containsExactly("x");
        assertThat(all.warnings())
                .singleElement()
                .asString()
                .contains("Column 'who' has a value of its own in every row, as a name has, and is left out")
                .contains("categorical(\"who\") or name it in features(...)");
        assertThat(features(nearly)).containsExactly("x");
        assertThat(nearly.warnings()).singleElement().asString().contains("95 different values in 100 rows");
    }

    @Test
    void constantColumnsAreLeftOutInOneNote() {
        double[] gaps = new double[50];
        Arrays.fill(gaps, 7);
        gaps[3] = Double.NaN;
        List<Column> columns =
                new ArrayList<>(with(50, NumericColumn.of("gaps", gaps)).columns());
        for (int k = 0; k < 12; k++) {
            columns.add(k % 2 == 0 ? numbers("n" + k, 50, k, 0) : texts("t" + k, 50, i -> "always"));
        }
        Table table = Table.of(columns);
        Sample sample = sample(SPEC, table);

        assertThat(features(sample)).containsExactly("x");
        assertThat(sample.warnings())
                .singleElement()
                .asString()
                .startsWith("The same value in all rows, so no information, and left out: gaps, n0, t1,")
                .contains("n8 and 3 more columns. To keep such a column, name it in features(...).");

        GameSpec named = SPEC.toBuilder().features(List.of("x", "n0")).build();
        assertThat(features(sample(named, table))).containsExactly("x", "n0");
        assertThat(sample(named, table).warnings()).anyMatch(w -> w.text().endsWith("so no information: n0."));
        GameSpec priced = SPEC.toBuilder().cost("n0", 2).build();
        assertThat(features(sample(priced, table))).containsExactly("x", "n0");
    }

    /** A constant text column has its base level only, so it has no column that could serve as a constant. */
    @Test
    void aConstantTextColumnCannotReplaceTheIntercept() {
        Table table = with(50, texts("kind", 50, i -> "always"));
        GameSpec bare = SPEC.toBuilder()
                .intercept(GameSpec.Intercept.NONE)
                .scaling(Scaling.NONE)
                .build();

        assertThat(features(sample(bare, table))).containsExactly("x");
        GameSpec priced = SPEC.toBuilder().cost("kind", 2).build();
        assertThatThrownBy(() -> sample(priced, table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("A cost is given for 'kind', which has the same value in all rows");
    }

    /** Where a rule has no other constant, and where the rule in force has a coefficient for it. */
    @Test
    void aConstantThatARuleNeedsStays() {
        Table table = with(50, numbers("one", 50, 1, 0));
        GameSpec plain = SPEC.toBuilder().intercept(GameSpec.Intercept.NONE).build();
        PublishedRule rule = new PublishedRule("today", 1, Map.of("x", 2.0, "one", 3.0));

        for (Scaling scaling : Scaling.values()) {
            assertThat(features(sample(plain.toBuilder().scaling(scaling).build(), table)))
                    .containsExactly("one", "x");
        }
        assertThat(features(sample(
                        SPEC.toBuilder().today(Today.given(rule, "a file")).build(), table)))
                .containsExactly("one", "x");
        Table levels = with(50, texts("kind", 50, i -> "a"));
        assertThat(features(sample(
                        SPEC.toBuilder().immutable(Set.of()).cost("kind=a", 2).build(), levels)))
                .containsExactly("kind", "x");
        assertThatThrownBy(() -> sample(SPEC.toBuilder().ignore(Set.of("x")).build(), table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("No column is left that could be a feature")
                .hasMessageContaining("left out: one.");
    }

    /** Left out as a name, a column of amounts takes the only thing that was to be learned with it. */
    @ParameterizedTest
    @ValueSource(strings = {"(%d.51)", "%d.25-", "%d.5k", "%d kg", "1,%03d.75-"})
    void numbersInAnUnknownNotationAreRefused(String hand) {
        Table table = with(100, texts("amount", 100, i -> String.format(Locale.ROOT, hand, 100 + i)));
        assertThatThrownBy(() -> sample(SPEC, table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("Column 'amount' seems to hold numbers")
                .hasMessageContaining("ignore(\"amount\")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"C-%d", "%d", "%da", "10.0.0.%d", "v1.2.%d"})
    void identifiersAreNotTakenForNumbersInAnUnknownNotation(String hand) {
        Table table = with(100, texts("who", 100, i -> String.format(Locale.ROOT, hand, 100 + i) + ""));
        assertThat(features(sample(SPEC, table))).containsExactly("x");
    }

    @Test
    void aColumnNamedInTheDeclarationIsKept() {
        Table table = with(100, texts("who", 100, i -> "p" + i));
        assertThat(features(
                        sample(SPEC.toBuilder().features(List.of("who", "x")).build(), table)))
                .containsExactlyInAnyOrder("who", "x");
        assertThat(features(sample(SPEC.toBuilder().immutable(Set.of("who")).build(), table)))
                .contains("who");
        assertThat(features(sample(
                        SPEC.toBuilder().immutable(Set.of()).cost("who", 2).build(), table)))
                .contains("who");
        int[] codes = IntStream.range(0, 100).toArray();
        List<String> levels = IntStream.range(0, 100).mapToObj(i -> "p" + i).toList();
        Sample declared = sample(SPEC, with(100, new CategoricalColumn("who", codes, levels, true)));
        assertThat(features(declared)).contains("who");
        assertThat(declared.warnings().toString()).contains("memorise such rows");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2024-01-%02d", "2024-01-%02dT12:30:00Z", "2024/1/%02d 12:30", "%02d.01.2024", "%d.1.2024",
                        "01/%02d/24",
                "%d/1/2024 9:05 pm", "%d Jan 2024", "January %d, 2024", "%d-feb-24", "12:%02d",
                        "2024-01-%02d 00:00:00.000+01:00"
            })
    void datesAreLeftOut(String pattern) {
        for (int rows : new int[] {12, 60}) {
            Sample sample = sample(SPEC, with(rows, texts("when", rows, i -> String.format(pattern, 1 + i % 28))));
            assertThat(features(sample)).containsExactly("x");
            assertThat(sample.warnings()).singleElement().asString().contains("Column 'when' holds dates or times");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.2.%d", "2024-13-%d", "%d-40-2024", "A-%d", "Q%d 2024", "%d to 5", "44.01.20%d"})
    void whatOnlyLooksLikeADateIsACategory(String pattern) {
        Sample sample = sample(SPEC, with(100, texts("what", 100, i -> String.format(pattern, 10 + i % 3))));
        assertThat(features(sample)).contains("what");
        assertThat(sample.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "ID", "customer_id", "customer id", "customerId", "CustomerID"})
    void differentWholeNumbersNamedIdAreLeftOut(String name) {
        Sample sample = sample(SPEC, with(60, numbers(name, 60, 1041, 7)));
        assertThat(features(sample)).containsExactly("x");
        assertThat(sample.warnings())
                .singleElement()
                .asString()
                .contains("Column '" + name + "' numbers the rows and is left out")
                .contains("name it in features(...)");
    }

    @Test
    void rowNumbersAreLeftOutWhereTheNameSaysSo() {
        assertThat(features(sample(SPEC, with(60, numbers("index", 60, 0, 1))))).containsExactly("x");
        assertThat(features(sample(SPEC, with(60, numbers("Unnamed: 0", 60, 0, 1)))))
                .containsExactly("x");
        // an empty name in a header becomes the position
        assertThat(features(sample(SPEC, with(60, numbers("1", 60, 1, 1))))).containsExactly("x");
        // also where only some of the rows are learned from
        Table some = with(60, numbers("index", 60, 0, 1))
                .select(IntStream.range(0, 30).map(i -> 2 * i).toArray());
        assertThat(features(sample(SPEC, some))).containsExactly("x");
    }

    /** Numbers that may be features stay, whatever they are. */
    @Test
    void numbersAreNeverLeftOutBecauseOfTheirValues() {
        for (Column column : List.of(
                numbers("time", 60, 1, 1),
                numbers("paid", 60, 1, 1),
                numbers("covid", 60, 1, 1),
                numbers("index", 60, 100, 2),
                numbers("1", 60, 3, 2),
                NumericColumn.of(
                        "id", IntStream.range(0, 60).mapToDouble(i -> i % 7).toArray()),
                NumericColumn.of(
                        "id", IntStream.range(0, 60).mapToDouble(i -> i + 0.5).toArray()))) {
            Sample sample = sample(SPEC, with(60, column));
            assertThat(features(sample)).as(column.name()).contains(column.name(), "x");
            assertThat(sample.warnings()).isEmpty();
        }
    }

    @Test
    void moreLevelsThanATenthOfTheRowsAreRefused() {
        assertThatThrownBy(() -> sample(SPEC, with(200, texts("town", 200, i -> "t" + i % 21))))
                .hasMessageContaining("Column 'town' has 21 different texts in 200 rows, more than a tenth")
                .hasMessageContaining("ignore(\"town\")")
                .hasMessageContaining("categorical(\"town\") or features(...)");
        assertThat(features(sample(SPEC, with(210, texts("town", 210, i -> "t" + i % 21)))))
                .contains("town");
        // so few are categories in any file
        assertThat(features(sample(SPEC, with(40, texts("town", 40, i -> "t" + i % 20)))))
                .contains("town");
        assertThat(features(sample(SPEC, with(12, texts("kind", 12, i -> "k" + i % 3)))))
                .contains("kind");
        assertThat(features(sample(SPEC, with(12, texts("kind", 12, i -> "k" + i)))))
                .contains("kind");
    }

    @Test
    void fewerRowsThanCoefficientsGiveAWarning() {
        Sample sample = sample(SPEC, with(12, texts("kind", 12, i -> "k" + i)));
        assertThat(sample.warnings())
                .anyMatch(w -> w.text().startsWith("There are fewer rows (12) than coefficients (13)"));
        assertThat(sample(SPEC, with(12, texts("kind", 12, i -> "k" + i % 3))).warnings())
                .isEmpty();
    }

    @Test
    void filledInValuesAreReported() {
        Table table = Table.of(
                NumericColumn.of("x", 1, Double.NaN, 3, 5, Double.NaN),
                CategoricalColumn.of("kind", "a", "b", null, "a", "a"),
                NumericColumn.of("y", 1, 2, 3, 4, 5));
        GameSpec spec = SPEC.toBuilder().missing(Missing.MEAN).build();
        assertThat(sample(spec, table).filledInWords())
                .contains(
                        "Missing values were filled in: 2 of 'x' with the mean 3.00000, 1 of 'kind' with the most frequent"
                                + " level \"a\".");
    }

    /** Each was one coefficient for each of a million rows: minutes, and then no memory. */
    @Test
    void aMillionCategoriesAreRefusedAtOnce() {
        int rows = 1_000_000;
        int[] codes = IntStream.range(0, rows).map(i -> i / 2).toArray();
        List<String> levels =
                IntStream.range(0, rows / 2).mapToObj(i -> "p" + i).toList();
        CategoricalColumn guessed = new CategoricalColumn("who", codes, levels);
        CategoricalColumn declared = new CategoricalColumn("who", codes, levels, true);

        assertThatThrownBy(() -> sample(SPEC, with(rows, guessed))).hasMessageContaining("more than a tenth");
        assertThatThrownBy(() -> sample(SPEC, with(rows, declared)))
                .hasMessageContaining("500,001 columns of 1,000,000 rows, which take")
                .hasMessageContaining("ignore(\"who\")");
    }
}
