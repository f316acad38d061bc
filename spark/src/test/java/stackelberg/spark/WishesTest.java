package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Verification;

/** Wishes in words mean on Spark what they mean to the core. */
class WishesTest {
    private static final int SIZE = 6;
    private static SparkSession spark;
    private static TestGame game;
    private static Dataset<Row> data;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
        game = new TestGame(300, SIZE, 1, 70);
        // z is another column here, with a name that needs quotes
        data = game.dataset(spark, 3, false).withColumnRenamed("wish", "a hope").cache();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Table table() {
        return Table.of(
                game.features,
                Table.positions(SIZE),
                NumericColumn.of("label", game.y),
                NumericColumn.of("a hope", game.z),
                NumericColumn.of("weight", game.weights));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max(y, 6)",
                "max(y, quantile(0.75))",
                "clip(`a hope`, quantile(y, 0.2), mean(`a hope`) + 2 * sd('a hope'))",
                "y + median(abs(y - mean(y))) ^ 2 / 3",
                "quantile(y, 1) - min(y, `a hope`)",
                "6.5"
            })
    void wishExpressionsGiveTheValuesOfTheCore(String words) {
        Wishes wishes = new Wishes(data, "label");
        Wish frozen = wishes.frozen(words);
        Wish expected = Wish.parse(words, table().names()).freeze(table(), game.y);
        double[] z = data.select(wishes.column(frozen)).collectAsList().stream()
                .mapToDouble(row -> row.getDouble(0))
                .toArray();
        assertThat(z).containsExactly(expected.evaluate(table(), game.y, null), within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"direct", "krylov"})
    void theRuleIsTheCoresAndIsProvenFromTheRows(String solver) {
        String words = "max(y, quantile(y, 0.75), `a hope` - 1)";
        StackelbergRegressionModel fitted =
                game.estimator().setWish(words).setGamma(0.7).setSolver(solver).fit(data);
        StackelbergModel model = fitted.model();
        GameSpec asked = model.game().toBuilder().wish(words).build();
        StackelbergModel expected = new stackelberg.model.StackelbergRegression(
                        asked, FitOptions.defaults().withThreads(1))
                .fitPath(table(), 0.7)
                .get(0);
        assertThat(model.game().wish()).isEqualTo(expected.game().wish()).doesNotContain("quantile");
        expected.coefficients()
                .forEach((name, value) ->
                        assertThat(model.coefficients().get(name)).isCloseTo(value, within(1e-8)));
        assertThat(Verification.of(model, table(), Workers.of(1)).certified()).isTrue();
        // people are moved by the same words, with the numbers of those who were learned from
        double[] z = Wish.parse(model.game().wish(), table().names()).evaluate(table(), game.y, null);
        double[] after = model.afterResponse(model.predict(game.features), z);
        List<Row> rows = fitted.transform(data).collectAsList();
        for (int i = 0; i < z.length; i++) {
            assertThat(rows.get(i).<Double>getAs("response")).isCloseTo(after[i], within(1e-12));
        }
        assertThat(fitted.transform(data.limit(7)).first().<Double>getAs("response"))
                .isEqualTo(rows.get(0).<Double>getAs("response"));
        // who has no label, or no hope, is predicted all the same
        assertThat(fitted.transform(data.drop("label")).columns())
                .contains("prediction")
                .doesNotContain("response");
        assertThat(fitted.transform(data.drop("a hope")).columns()).doesNotContain("response");
        // told to look at a column it does
        assertThat(fitted.copy(new org.apache.spark.ml.param.ParamMap())
                        .setWishCol("prediction2")
                        .transform(data.withColumn("prediction2", functions.lit(0.0)))
                        .first()
                        .<Double>getAs("response"))
                .isCloseTo(model.afterResponse(model.predict(game.features), new double[z.length])[0], within(1e-12));
    }

    @Test
    void aColumnNameAsAWishExpressionIsTheColumn() {
        StackelbergRegressionModel words = game.estimator().setWish("a hope").fit(data);
        StackelbergRegressionModel column =
                game.estimator().setWishCol("a hope").fit(data);
        assertThat(TestGame.rule(words)).isEqualTo(TestGame.rule(column));
        assertThat(words.model().game()).isEqualTo(column.model().game());
        assertThat(words.transform(data).columns()).contains("response");
    }

    @Test
    void invalidWishesAreRefusedByName() {
        assertThatThrownBy(() -> fit("max(today, 6)"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("max(today, 6)", "today's rule", "LinearRegression", "Maybe");
        assertThatThrownBy(() -> fit("max(y, hop)")).hasMessageContainingAll("'hop'", "Maybe");
        assertThatThrownBy(() -> fit("p + 1")).hasMessageContaining("p, the current prediction");
        assertThatThrownBy(() -> fit("max(y, features)"))
                .hasMessageContainingAll("'features'", "(wish)", "must hold numbers");
        assertThatThrownBy(() -> fit("log(y - 100)"))
                .isInstanceOf(DataException.class)
                .hasMessageContainingAll("'log(y - 100)'", "NaN", "logarithm");
        assertThatThrownBy(() -> fit("mean(sqrt(y - 100))"))
                .isInstanceOf(DataException.class)
                .hasMessageContainingAll("sqrt(y - 100)", "not finite in some row", "Maybe");
        assertThatThrownBy(() -> game.estimator()
                        .setWish("max(y, 6)")
                        .setWishCol("a hope")
                        .fit(data))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("max(y, 6)", "'a hope'", "only one of the two");
    }

    private static void fit(String words) {
        game.estimator().setWish(words).fit(data);
    }

    @Test
    void aSavedModelGivesTheSameResponses(@TempDir Path folder) throws Exception {
        StackelbergRegressionModel model =
                game.estimator().setWish("max(y, median(y))").fit(data);
        String place = folder.resolve("model").toString();
        model.save(place);
        assertThat(StackelbergRegressionModel.load(place).transform(data).collectAsList())
                .isEqualTo(model.transform(data).collectAsList());
    }
}
