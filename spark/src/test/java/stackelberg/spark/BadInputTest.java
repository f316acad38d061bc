package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergRegression.FitOptions;

/** What cannot be fitted is refused by name, whichever way the rows are read. */
class BadInputTest {
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Dataset<Row> with(Object features, Object label, Object wish, Object weight) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            rows.add(RowFactory.create(Vectors.dense(i, i * i), (double) i, i + 1.0, 1.0));
        }
        rows.set(4, RowFactory.create(features, label, wish, weight));
        return spark.createDataFrame(rows, TestGame.SCHEMA).repartition(1);
    }

    private static void refused(String solver, Dataset<Row> data, String... words) {
        Consumer<StackelbergRegression> fit = estimator -> estimator.fit(data);
        StackelbergRegression estimator =
                new StackelbergRegression().setWeightCol("weight").setSolver(solver);
        assertThatThrownBy(() -> fit.accept(estimator))
                .isInstanceOf(Message.Carrier.class)
                .hasMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "krylov"})
    void badRowsAreNamedByColumn(String solver) {
        var good = Vectors.dense(1, 2);
        refused(solver, with(null, 1.0, 1.0, 1.0), "Column 'features'", "null");
        refused(solver, with(good, null, 1.0, 1.0), "Column 'label'", "null");
        refused(solver, with(good, 1.0, null, 1.0), "Column 'wish'", "null");
        refused(solver, with(good, 1.0, 1.0, null), "Column 'weight'", "null");
        refused(solver, with(Vectors.dense(1, Double.NaN), 1.0, 1.0, 1.0), "Column 'features'", "entry 1 is NaN");
        refused(
                solver,
                with(Vectors.sparse(2, new int[] {1}, new double[] {Double.POSITIVE_INFINITY}), 1.0, 1.0, 1.0),
                "Column 'features'",
                "entry 1 is Infinity");
        refused(solver, with(good, Double.NaN, 1.0, 1.0), "Column 'label'", "NaN");
        refused(solver, with(good, 1.0, Double.NEGATIVE_INFINITY, 1.0), "Column 'wish'", "-Infinity");
        refused(solver, with(Vectors.dense(1, 2, 3), 1.0, 1.0, 1.0), "Column 'features'", "3 entries", "has 2");
        refused(solver, with(good, 1.0, 1.0, -2.0), "Column 'weight'", "-2.0", "must not be negative");
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "krylov"})
    void emptyDataAreRefused(String solver) {
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        refused(solver, data.limit(0), "no rows", "'features'");
        refused(solver, data.withColumn("weight", functions.lit(0.0)), "'weight'", "all weights are 0");
    }

    @Test
    void columnsOfTheWrongKindAreRefusedBeforeAnythingIsRead() {
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        refused("auto", data.drop("wish"), "no column 'wish'", "wishCol");
        refused("auto", data.withColumn("label", functions.lit("a")), "'label'", "must hold numbers");
        refused("auto", data.withColumn("features", functions.lit(1.0)), "'features'", "VectorAssembler");
    }

    @Test
    void featuresThatDoNotExistAreRefused() {
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        assertThatThrownBy(() ->
                        new StackelbergRegression().setImmutableFeatures(2).fit(data))
                .hasMessageContaining("index 2");
        assertThatThrownBy(() ->
                        new StackelbergRegression().setImmutableFeatures(0, 1).fit(data))
                .hasMessageContaining("no one can move");
        assertThatThrownBy(() -> new StackelbergRegression().setCosts(1, 1, 1).fit(data))
                .hasMessageContaining("costs has 3 values");
        assertThatThrownBy(() -> new StackelbergRegression().setEffects(1, 1, 1).fit(data))
                .hasMessageContainingAll("effects has 3 values", "2 features");
        assertThatThrownBy(() -> new StackelbergRegression()
                        .setEffects(1, 0.5)
                        .setImmutableFeatures(1)
                        .fit(data))
                .hasMessageContainingAll("effect", "'2'", "people cannot change", "Maybe", "setImmutableFeatures(...)");
    }

    @Test
    void directIsRefusedByNameWhereTheProductsOfAllColumnsAreTooMany() {
        Row wide = RowFactory.create(Vectors.sparse(50_000, new int[] {1}, new double[] {1}), 1.0, 2.0, 1.0);
        refused("direct", spark.createDataFrame(List.of(wide, wide), TestGame.SCHEMA), "direct", "50000", "krylov");
    }

    @Test
    void aGammaOtherThanTheRulesIsRefused() {
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        StackelbergRegressionModel model =
                new StackelbergRegression().setGamma(2).fit(data);
        assertThatThrownBy(() -> model.transform(data, new ParamMap().put(model.gamma(), 5.0)))
                .hasMessageContainingAll("gamma is 5.0", "2.0", "fitPath");
        assertThatThrownBy(() -> new StackelbergRegression().setGammas().fitPath(data))
                .hasMessageContaining("gammas");
    }

    @Test
    void aFileThatIsNotAModelIsRefused(@TempDir Path folder) throws Exception {
        String place = folder.resolve("estimator").toString();
        new StackelbergRegression().save(place);
        assertThatThrownBy(() -> StackelbergRegressionModel.load(place))
                .hasMessageContainingAll(place, "holds a StackelbergRegression, not a StackelbergRegressionModel");
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        String other = folder.resolve("model").toString();
        new StackelbergRegression().fit(data).save(other);
        assertThatThrownBy(() -> StackelbergRegression.load(other))
                .hasMessageContainingAll(other, "holds a StackelbergRegressionModel, not a StackelbergRegression");
        assertThatThrownBy(() -> new StackelbergRegressionModel("mine").transform(data))
                .hasMessageContainingAll("mine", "has no rule");
    }

    @Test
    void aModelFileWithSettingsThatSparkLacksIsRefused(@TempDir Path folder) throws Exception {
        var data = with(Vectors.dense(1, 2), 1.0, 1.0, 1.0);
        Path place = folder.resolve("model");
        new StackelbergRegression().fit(data).save(place.toString());
        Table table = Table.of(
                NumericColumn.of("x", 1, 2, 4, 7),
                NumericColumn.of("z", 1, 5, 2, 9),
                NumericColumn.of("y", 3, 5, 4, 1));
        GameSpec game =
                GameSpec.builder().target("y").wish("z").truthfulShare(0.25).build();
        ModelFile.save(
                new stackelberg.model.StackelbergRegression(game, FitOptions.defaults()).fit(table),
                place.resolve("model.json"));
        Files.deleteIfExists(place.resolve(".model.json.crc"));
        assertThatThrownBy(() -> StackelbergRegressionModel.load(place.toString()))
                .hasMessageContainingAll("model.json", "truthfulShare(0.25)", "features(all)", "scaling(STANDARD)");
    }
}
