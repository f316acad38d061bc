package stackelberg.game;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.Description.Look;
import stackelberg.game.Description.Use;
import stackelberg.linalg.Workers;

/** A column that holds the wish is no feature, unless somebody names it as one. */
class WishColumnsTest {
    private static final Workers WORKERS = Workers.of(1);
    private static final String NOTE =
            "Ignored columns: copy (equal to the wish in every row). To keep such a column, name it in features(...).";
    private static final double[] X = {1, 4, 2, 8, 5, 7};
    private static final double[] Y = {1.5, 3, 2.5, 7, 6, 5};
    private static final double[] HOPED = {6, 6, 9, 8.5, 7, 6.5};

    private static NumericColumn mapped(String name, double[] values, DoubleUnaryOperator map) {
        return NumericColumn.of(
                name,
                IntStream.range(0, values.length)
                        .mapToDouble(i -> map.applyAsDouble(values[i]))
                        .toArray());
    }

    private static Table with(NumericColumn copy) {
        return Table.of(NumericColumn.of("x", X), NumericColumn.of("y", Y), NumericColumn.of("hoped_for", HOPED), copy);
    }

    private static GameSpec.Builder wishing(String wish) {
        return GameSpec.builder().target("y").wish(wish).gamma(1).wishNoise(1);
    }

    private static List<String> features(Sample sample) {
        return sample.world().encoding().features().stream()
                .map(Encoding.Feature::column)
                .toList();
    }

    private static void assertIgnored(Table table, GameSpec spec, String... features) {
        Sample sample = Sample.of(spec, table, WORKERS);
        assertThat(features(sample)).containsExactly(features);
        assertThat(sample.warnings().toString()).contains(NOTE);
        assertThat(sample.spec().ignore()).containsExactly("copy");
        Description.Column described = Description.of(table, spec, WORKERS).columns().stream()
                .filter(column -> column.name().equals("copy"))
                .findFirst()
                .orElseThrow();
        assertThat(described.use()).isEqualTo(Use.LEFT_OUT);
        assertThat(described.look()).isEqualTo(Look.WISH);
        assertThat(described.why().text())
                .isEqualTo("Column 'copy' is equal to the wish in every row and is ignored. To keep it, name it in"
                        + " features(...).");
    }

    private static void assertKept(Table table, GameSpec spec, String... features) {
        Sample sample = Sample.of(spec, table, WORKERS);
        assertThat(features(sample)).containsExactly(features);
        assertThat(sample.warnings()).noneMatch(warning -> warning.text().contains("Ignored columns"));
        assertThat(Description.of(table, spec, WORKERS).columns().stream()
                        .filter(Description.Column::feature)
                        .map(Description.Column::name))
                .containsExactlyInAnyOrder(features);
    }

    @Test
    void aCopyOfTheWishColumnIsNotAFeature() {
        assertIgnored(
                with(NumericColumn.of("copy", HOPED)), wishing("hoped_for").build(), "x");
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-12, 1e-6, 1, 1e6, 1e12})
    void differencesOfABillionthOfTheWishAreRounding(double unit) {
        Table nearly = Table.of(
                NumericColumn.of("x", X),
                NumericColumn.of("y", Y),
                mapped("hoped_for", HOPED, z -> unit * z),
                mapped("copy", HOPED, z -> unit * (z + 8e-9)));
        Table other = Table.of(
                NumericColumn.of("x", X),
                NumericColumn.of("y", Y),
                mapped("hoped_for", HOPED, z -> unit * z),
                mapped("copy", HOPED, z -> unit * (z + 2e-8)));
        assertIgnored(nearly, wishing("hoped_for").build(), "x");
        assertKept(other, wishing("hoped_for").build(), "x", "copy");
    }

    @Test
    void aColumnEqualToAWishExpressionIsNotAFeatureButTheColumnsInsideItAre() {
        Table table = with(mapped("copy", Y, y -> Math.max(y, 5)));
        assertIgnored(table, wishing("max(y,5)").build(), "x", "hoped_for");
        assertIgnored(
                with(mapped("copy", HOPED, z -> z + 1)), wishing("hoped_for+1").build(), "x", "hoped_for");
        // equal to the wish, but inside it
        assertKept(
                with(mapped("other", HOPED, Math::sqrt)),
                wishing("max(hoped_for,0)").build(),
                "x",
                "hoped_for",
                "other");
    }

    @Test
    void aWishByAGivenRuleIsCompared() {
        PublishedRule rule = new PublishedRule("card", 1, Map.of("x", 2.0));
        assertIgnored(
                with(mapped("copy", X, x -> Math.max(1 + 2 * x, 6))),
                wishing("max(today,6)")
                        .today(GameSpec.Today.given(rule, "card"))
                        .build(),
                "x",
                "hoped_for");
    }

    @Test
    void aWishColumnNamedInFeaturesIsKept() {
        Table table = with(NumericColumn.of("copy", HOPED));
        assertKept(table, wishing("hoped_for").features(List.of("x", "copy")).build(), "x", "copy");
        assertKept(
                table, wishing("hoped_for").features(List.of("x", "hoped_for")).build(), "x", "hoped_for");
        assertKept(table, wishing("hoped_for").cost("copy", 2).build(), "x", "copy");
    }

    @Test
    void aColumnOfABlockEqualToTheWishIsNotAFeature() {
        double[][] rows = new double[X.length][];
        for (int i = 0; i < X.length; i++) {
            rows[i] = new double[] {X[i], HOPED[i], X[i] * X[i]};
        }
        Table table =
                Table.of(rows, List.of("x", "copy", "square"), NumericColumn.of("y", Y), NumericColumn.of("z", HOPED));
        assertIgnored(table, wishing("z").build(), "x", "square");
    }

    @Test
    void missingValuesDoNotHideAWishColumn() {
        double[] gaps = HOPED.clone();
        gaps[2] = Double.NaN;
        assertIgnored(
                with(NumericColumn.of("copy", gaps)),
                wishing("hoped_for").missing(Missing.DROP).build(),
                "x");
    }

    @Test
    void wishesInProbabilitiesAreComparedAsWritten() {
        double[] hoped = {0.5, 0.7, 0.9, 0.6, 0.8, 0.95};
        Table table = Table.of(
                NumericColumn.of("x", X),
                CategoricalColumn.of("y", new String[] {"no", "yes", "no", "yes", "yes", "no"}),
                NumericColumn.of("hoped_for", hoped),
                NumericColumn.of("copy", hoped));
        GameSpec.Builder spec = GameSpec.builder().target("y").gamma(1).loss(Loss.LOGISTIC);
        assertIgnored(table, spec.wish("hoped_for").build(), "x");
    }

    @Test
    void aConstantWishIsNotCompared() {
        // what is the same in every row has rules of its own
        Table table = with(NumericColumn.of("copy", new double[] {7, 7, 7, 7, 7, 7}));
        Sample sample = Sample.of(wishing("7").build(), table, WORKERS);
        assertThat(sample.warnings()).noneMatch(warning -> warning.text().contains("Ignored columns"));
    }

    @Test
    void newRowsNeedNotHaveTheWishColumn() {
        Sample sample = Sample.of(wishing("hoped_for").build(), with(NumericColumn.of("copy", HOPED)), WORKERS);
        Table fewer =
                Table.of(NumericColumn.of("x", X), NumericColumn.of("y", Y), NumericColumn.of("hoped_for", HOPED));
        assertThat(features(Sample.ofModel(sample.world(), fewer, WORKERS))).containsExactly("x");
    }
}
