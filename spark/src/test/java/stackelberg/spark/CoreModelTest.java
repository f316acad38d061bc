package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.feature.VectorAssembler;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Verification;
import stackelberg.model.export.RuleAsPmml;
import stackelberg.model.export.RuleAsSql;
import stackelberg.solver.auto.Solvers;

/** A fit on Spark ends in the core's model: the same game, the same rule, and everything that works on any other model. */
class CoreModelTest {
    private static final double GAMMA = 0.7;
    private static final Workers WORKERS = Workers.of(1);
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    /** The rows of a game as the core has them, features by position. */
    private static Table table(TestGame game) {
        return Table.of(
                game.features,
                Table.positions(game.costs.length),
                NumericColumn.of("label", game.y),
                NumericColumn.of("wish", game.z),
                NumericColumn.of("weight", game.weights));
    }

    /** The same game solved where the rows are at hand; as on Spark, rows that end out of range are not counted. */
    private static StackelbergModel local(GameSpec spec, Table table, String solver) {
        FitOptions options = FitOptions.defaults().withThreads(1).withSolver(Solvers.named(solver, WORKERS));
        return new stackelberg.model.StackelbergRegression(spec, options)
                .fitPath(table, spec.gamma())
                .get(0);
    }

    @ParameterizedTest
    @CsvSource({"direct, false", "krylov, false", "direct, true", "krylov, true"})
    void theModelIsTheOneThatTheCoreFitsToTheSameRows(String solver, boolean real) {
        TestGame game = new TestGame(300, 8, 1, 41);
        StackelbergModel model = game.estimator()
                .setGamma(GAMMA)
                .setEffects(real ? TestGame.effects(8) : new double[0])
                .setSolver(solver)
                .fit(game.dataset(spark, 3, false))
                .model();
        StackelbergModel expected = local(model.game(), table(game), solver);
        // today's rule is learned where the rows are at hand, and plays no part here
        assertThat(model.game())
                .isEqualTo(expected.game().toBuilder().today(Today.LEARNED).build());
        assertThat(model.encoding().names()).isEqualTo(expected.encoding().names());
        double largest = expected.coefficients().values().stream()
                .mapToDouble(Math::abs)
                .max()
                .orElseThrow();
        expected.coefficients()
                .forEach((name, value) ->
                        assertThat(model.coefficients().get(name)).isCloseTo(value, within(1e-10 * largest)));
        assertThat(model.intercept()).isCloseTo(expected.intercept(), within(1e-10 * largest));
        assertThat(model.pullThrough()).isCloseTo(expected.pullThrough(), within(1e-10));
        assertThat(model.game().hasEffects()).isEqualTo(real);
        assertThat(model.earned()).isCloseTo(expected.earned(), within(1e-10));
        assertThat(model.rows()).isEqualTo(expected.rows());
        assertThat(model.provenance().options()).isEqualTo(expected.provenance().options());
        assertThat(model.warnings()).isEqualTo(expected.warnings());
        StackelbergModel.Losses losses = model.losses();
        double rounding = 1e-9 * expected.losses().anticipated();
        assertThat(losses.anticipated()).isCloseTo(expected.losses().anticipated(), within(rounding));
        assertThat(losses.honest()).isCloseTo(expected.losses().honest(), within(rounding));
        if (solver.equals("direct")) {
            assertThat(losses.naive()).isCloseTo(expected.losses().naive(), within(rounding));
            assertThat(losses.naiveAttacked()).isCloseTo(expected.losses().naiveAttacked(), within(rounding));
        } else {
            assertThat(losses.naive()).isNull();
            assertThat(losses.naiveAttacked()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"direct, false", "krylov, false", "direct, true", "krylov, true"})
    void aModelSavedByTheCoreIsVerifiedOnTheSameRows(String solver, boolean real, @TempDir Path folder) {
        TestGame game = new TestGame(300, 8, 0.5, 42);
        Path file = folder.resolve("model.json");
        StackelbergModel model = game.estimator()
                .setGamma(GAMMA)
                .setEffects(real ? TestGame.effects(8) : new double[0])
                .setSolver(solver)
                .fit(game.dataset(spark, 3, true))
                .model();
        ModelFile.save(model, file);
        Verification verification = Verification.of(ModelFile.load(file), table(game), WORKERS);
        assertThat(verification.certified()).isTrue();
        assertThat(verification.ruleHolds()).isTrue();
        double objective = model.optimality().objective();
        assertThat(verification.certificate().objective()).isCloseTo(objective, within(1e-10 * objective));
        // the optimum of other rows is another one
        TestGame other = new TestGame(300, 8, 0.5, 43);
        assertThat(Verification.of(ModelFile.load(file), table(other), WORKERS).certified())
                .isFalse();
    }

    private static Dataset<Row> applicants() {
        return spark.range(200)
                .select(
                        functions.expr("sin(id) + 2").as("income"),
                        functions.expr("cos(3 * id)").as("debt"),
                        functions.expr("CAST(id % 7 AS DOUBLE)").as("age"),
                        functions
                                .expr("2 * sin(id) - cos(3 * id) + sin(5 * id) / 3")
                                .as("score"))
                .withColumn("hope", functions.expr("greatest(score, 0) + age / 7"));
    }

    private static VectorAssembler assembler(String... columns) {
        return new VectorAssembler().setInputCols(columns).setOutputCol("features");
    }

    private static StackelbergRegression scoring() {
        return new StackelbergRegression().setLabelCol("score").setWishCol("hope");
    }

    @Test
    void featuresKeepTheNamesThatTheAssemblerGaveThem() {
        Dataset<Row> data = assembler("age", "income", "debt").transform(applicants());
        StackelbergModel model = scoring()
                .setImmutableFeatures(0)
                .setCosts(1, 2, 0.5)
                .setFitIntercept(false)
                .fit(data)
                .model();
        GameSpec spec = model.game();
        assertThat(spec.target()).isEqualTo("score");
        assertThat(spec.wish()).isEqualTo("`hope`");
        assertThat(spec.weight()).isNull();
        assertThat(spec.features()).containsExactly("age", "income", "debt");
        assertThat(spec.immutable()).isEqualTo(Set.of("age"));
        assertThat(spec.costs()).isEqualTo(Map.of("income", 2.0, "debt", 0.5));
        assertThat(spec.intercept()).isEqualTo(GameSpec.Intercept.NONE);
        assertThat(spec.scaling()).isEqualTo(Scaling.NONE);
        assertThat(model.encoding().names()).containsExactly("income", "debt", "age");
    }

    @Test
    void featuresWithoutNamesAreNamedByPosition() {
        Dataset<Row> data = assembler("income", "debt").transform(applicants());
        Dataset<Row> scaled = new StandardScaler()
                .setInputCol("features")
                .setOutputCol("scaled")
                .fit(data)
                .transform(data);
        StackelbergRegressionModel model = scoring().setFeaturesCol("scaled").fit(scaled);
        assertThat(model.model().game().features()).containsExactly("1", "2");
        // a feature that is called like the wish would be the wish
        Dataset<Row> clash = assembler("income", "hope").transform(applicants());
        assertThat(scoring().fit(clash).model().game().features()).containsExactly("1", "2");
    }

    @Test
    void exportedAsSqlSparkItselfPredictsTheSame() {
        Dataset<Row> data = assembler("age", "income", "debt").transform(applicants());
        StackelbergRegressionModel model = scoring().setImmutableFeatures(0).fit(data);
        String sql =
                RuleAsSql.expression(model.model(), Encoding.UnknownLevel.ERROR).replace('"', '`');
        for (Row row : model.transform(data)
                .withColumn("exported", functions.expr(sql))
                .collectAsList()) {
            assertThat(row.<Double>getAs("exported")).isCloseTo(row.getAs("prediction"), within(1e-12));
        }
        String pmml = RuleAsPmml.document(model.model(), Encoding.UnknownLevel.ERROR);
        assertThat(pmml).contains("RegressionModel");
        model.model().coefficients().forEach((name, value) -> assertThat(pmml)
                .contains("\"" + name + "\"", "\"" + value + "\""));
    }

    @Test
    void predictionsEqualTheCores() {
        TestGame game = new TestGame(200, 5, 1, 44);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel model = game.estimator().setGamma(GAMMA).fit(data);
        double[] predictions = model.model().predict(game.features);
        double[] after = model.model().afterResponse(predictions, game.z);
        List<Row> rows = model.transform(data).collectAsList();
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i).<Double>getAs("prediction")).isCloseTo(predictions[i], within(1e-12));
            assertThat(rows.get(i).<Double>getAs("response")).isCloseTo(after[i], within(1e-12));
        }
        // without a wish the response is unknown
        var unknown = data.withColumn("wish", functions.lit(null).cast("double"));
        assertThat(model.transform(unknown).first().isNullAt(5)).isTrue();
    }

    @Test
    void aModelSentToExecutorsIsUnchanged() throws Exception {
        TestGame game = new TestGame(100, 4, 1, 45);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel model = game.estimator().fit(data);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(model);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            var read = (StackelbergRegressionModel) in.readObject();
            assertThat(ModelFile.toJson(read.model())).isEqualTo(ModelFile.toJson(model.model()));
            assertThat(read.summary())
                    .isEqualTo(model.summary())
                    .hasToString(model.summary().toString());
        }
        List<Double> predictions = data.map(
                        (org.apache.spark.api.java.function.MapFunction<Row, Double>)
                                row -> model.predict(row.<Vector>getAs("features")),
                        Encoders.DOUBLE())
                .collectAsList();
        assertThat(predictions)
                .isEqualTo(model.transform(data)
                        .select("prediction")
                        .as(Encoders.DOUBLE())
                        .collectAsList());
    }

    /** The row that was saved before there was a model file. */
    private static final StructType OLD = new StructType()
            .add("coefficients", SQLDataTypes.VectorType())
            .add("intercept", DataTypes.DoubleType)
            .add("gamma", DataTypes.DoubleType)
            .add("pullThrough", DataTypes.DoubleType)
            .add("objective", DataTypes.DoubleType)
            .add("multiplier", DataTypes.DoubleType)
            .add("gapBound", DataTypes.DoubleType)
            .add("relativeGap", DataTypes.DoubleType)
            .add("proof", DataTypes.StringType)
            .add("unique", DataTypes.BooleanType)
            .add("finite", DataTypes.BooleanType)
            .add("certified", DataTypes.BooleanType)
            .add("solver", DataTypes.StringType)
            .add("status", DataTypes.StringType)
            .add("iterations", DataTypes.IntegerType)
            .add("passes", DataTypes.IntegerType)
            .add("note", DataTypes.StringType)
            .add("rows", DataTypes.LongType);

    /** Saves the model as it was done then: the params, and one Parquet row beside them. */
    private static void saveAsBefore(StackelbergRegressionModel model, Path folder) throws Exception {
        model.save(folder.toString());
        Files.delete(folder.resolve("model.json"));
        StackelbergSummary s = model.summary();
        Row row = RowFactory.create(
                model.coefficients(),
                model.intercept(),
                s.gamma(),
                s.pullThrough(),
                s.objective(),
                s.multiplier(),
                s.gapBound(),
                s.relativeGap(),
                s.proof(),
                s.unique(),
                s.finite(),
                s.certified(),
                s.solver(),
                s.status(),
                s.iterations(),
                s.passes(),
                s.note(),
                s.rows());
        spark.createDataFrame(List.of(row), OLD)
                .coalesce(1)
                .write()
                .parquet(folder.resolve("data").toString());
    }

    @Test
    void modelsSavedAsOneParquetRowLoadPredictAndVerify(@TempDir Path folder) throws Exception {
        TestGame game = new TestGame(200, 6, 1, 46);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel model = game.estimator()
                .setImmutableFeatures(5, 2)
                .setGamma(GAMMA)
                .setSolver("krylov")
                .fit(data);
        saveAsBefore(model, folder.resolve("old"));
        StackelbergRegressionModel old =
                StackelbergRegressionModel.load(folder.resolve("old").toString());
        assertThat(TestGame.rule(old)).isEqualTo(TestGame.rule(model));
        assertThat(old.transform(data).collectAsList())
                .isEqualTo(model.transform(data).collectAsList());
        StackelbergSummary before = model.summary();
        StackelbergSummary after = old.summary();
        assertThat(List.of(after.gamma(), after.pullThrough(), after.objective(), after.multiplier()))
                .isEqualTo(List.of(before.gamma(), before.pullThrough(), before.objective(), before.multiplier()));
        assertThat(List.of(after.gapBound(), after.relativeGap(), after.proof(), after.unique(), after.finite()))
                .isEqualTo(List.of(
                        before.gapBound(), before.relativeGap(), before.proof(), before.unique(), before.finite()));
        assertThat(List.of(after.certified(), after.solver(), after.status(), after.iterations(), after.passes()))
                .isEqualTo(List.of(
                        before.certified(), before.solver(), before.status(), before.iterations(), before.passes()));
        assertThat(after.note()).isEqualTo(before.note());
        assertThat(after.rows()).isEqualTo(before.rows());
        assertThat(old.model().game()).isEqualTo(model.model().game());
        assertThat(old.model().losses().honest()).isNaN();
        // the point of the sphere follows from the rule
        assertThat(Verification.of(old.model(), table(game), WORKERS).certified())
                .isTrue();
        // saved again it has a model file
        old.save(folder.resolve("new").toString());
        assertThat(ModelFile.load(folder.resolve("new/model.json")).coefficients())
                .isEqualTo(model.model().coefficients());
        StackelbergRegressionModel again =
                StackelbergRegressionModel.load(folder.resolve("new").toString());
        assertThat(again.summary().objective()).isEqualTo(before.objective());
        assertThat(again.getImmutableFeatures()).containsExactly(5, 2);
    }

    @Test
    void theSavedFolderHoldsTheModelFile(@TempDir Path folder) throws Exception {
        TestGame game = new TestGame(100, 4, 1, 47);
        StackelbergRegressionModel model = game.estimator().fit(game.dataset(spark, 2, false));
        Path place = folder.resolve("model");
        model.save(place.toString());
        assertThat(Files.readString(place.resolve("model.json"))).isEqualTo(ModelFile.toJson(model.model()));
        StackelbergRegressionModel read = StackelbergRegressionModel.load(place.toString());
        assertThat(ModelFile.toJson(read.copy(new ParamMap()).model())).isEqualTo(ModelFile.toJson(model.model()));
    }

    /** Whatever the params beside it say, the model file tells the game. */
    @Test
    void aModelFileOfTheCoreWithEffectsIsLoadedAndOneWithLimitsRefused(@TempDir Path folder) throws Exception {
        TestGame game = new TestGame(200, 5, 1, 49);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel plain = game.estimator().setGamma(GAMMA).fit(data);
        Path place = folder.resolve("model");
        plain.save(place.toString());
        GameSpec spec = plain.model().game();
        GameSpec real = spec.toBuilder().effect("1", 0.5).effect("3", -1).build();
        StackelbergModel core = local(real, table(game), "direct");
        Files.delete(place.resolve(".model.json.crc"));
        Files.writeString(place.resolve("model.json"), ModelFile.toJson(core));
        StackelbergRegressionModel read = StackelbergRegressionModel.load(place.toString());
        assertThat(read.model().game().effects()).isEqualTo(Map.of("1", 0.5, "3", -1.0));
        assertThat(read.earned()).isEqualTo(core.earned()).isNotZero();
        Row row = read.transform(data).first();
        double gap = row.<Double>getAs("wish") - row.<Double>getAs("prediction");
        assertThat(row.<Double>getAs("improvement")).isCloseTo(core.earned() * gap, within(1e-12));
        GameSpec limited = spec.toBuilder().limit("1>=-100").build();
        Files.writeString(place.resolve("model.json"), ModelFile.toJson(local(limited, table(game), "direct")));
        assertThatThrownBy(() -> StackelbergRegressionModel.load(place.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("model.json", "limit(1>=-100)", "Maybe");
    }

    @Test
    void withoutAFiniteEquilibriumTheModelSaysSoAndRespondsLikeTheCore() {
        TestGame game = new TestGame(100, 4, 1, 48);
        System.arraycopy(game.y, 0, game.z, 0, game.y.length);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel model = game.estimator().setWishNoise(0).fit(data);
        assertThat(model.summary().finite()).isFalse();
        assertThat(model.pullThrough()).isEqualTo(1);
        assertThat(model.model().warnings()).anyMatch(warning -> warning.text().startsWith("No finite equilibrium"));
        double[] predictions = model.transform(data).select("prediction").as(Encoders.DOUBLE()).collectAsList().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        Object[] responses = model.transform(data)
                .select("response")
                .as(Encoders.DOUBLE())
                .collectAsList()
                .toArray();
        assertThat(responses)
                .isEqualTo(Arrays.stream(model.model().afterResponse(predictions, game.z))
                        .boxed()
                        .toArray());
    }
}
