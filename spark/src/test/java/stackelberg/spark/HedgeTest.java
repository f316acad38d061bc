package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.Verification;
import stackelberg.objective.Solution;

/** Hedged and balanced rules from sums and from passes are those that the core finds on the same rows. */
class HedgeTest {
    private static final double GAMMA = 0.2;
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    private static Table table(TestGame game) {
        return Table.of(
                game.features,
                Table.positions(game.costs.length),
                NumericColumn.of("label", game.y),
                NumericColumn.of("wish", game.z),
                NumericColumn.of("weight", game.weights));
    }

    @ParameterizedTest
    @CsvSource({
        "balanced, direct, false, 0",
        "balanced, krylov, false, 0",
        "balanced, direct, true, 0.1",
        "1%, direct, false, 0.1",
        "1%, krylov, true, 0",
        "10000%, direct, false, 0.1"
    })
    void theRuleIsTheCores(String hedge, String solver, boolean effects, double ridge) {
        TestGame game = new TestGame(300, 8, 1, 51);
        StackelbergModel model = game.estimator()
                .setGamma(GAMMA)
                .setHedge(hedge)
                .setRidge(ridge)
                .setEffects(effects ? TestGame.effects(8) : new double[0])
                .setSolver(solver)
                .fit(game.dataset(spark, 3, false))
                .model();
        StackelbergModel expected = new stackelberg.model.StackelbergRegression(
                        model.game(), FitOptions.defaults().withThreads(1))
                .fitPath(table(game), GAMMA)
                .get(0);
        assertThat(model.certified()).isTrue();
        double[] coefficients = values(expected);
        double largest = Arrays.stream(coefficients).map(Math::abs).max().orElseThrow();
        assertThat(values(model)).containsExactly(coefficients, within(1e-7 * largest));
        assertThat(model.solver().name()).isEqualTo(expected.solver().name());
        assertThat(model.losses().honest())
                .isCloseTo(
                        expected.losses().honest(),
                        within(1e-8 * expected.losses().honest()));
        assertThat(model.losses().anticipated())
                .isCloseTo(
                        expected.losses().anticipated(),
                        within(1e-8 * expected.losses().anticipated()));
        Solution.Hedged own = model.hedged().orElseThrow();
        Solution.Hedged core = expected.hedged().orElseThrow();
        assertThat(own.bound()).isCloseTo(core.bound(), within(1e-9 * core.bound()));
        assertThat(own.share()).isCloseTo(core.share(), within(1e-6));
        assertThat(own.share() > 0).isEqualTo(!hedge.equals("10000%"));
        assertThat(own.frontier()).hasSameSizeAs(core.frontier());
        if (hedge.equals("balanced")) {
            Solution.Hedged.Balance balance = own.balance();
            assertThat(balance.regret()).isPositive().isCloseTo(core.balance().regret(), within(1e-8));
            assertThat(balance.regretBound()).isCloseTo(core.balance().regretBound(), within(1e-8));
            assertThat(balance.honestBest())
                    .isCloseTo(core.balance().honestBest(), within(1e-9 * balance.honestBest()));
            assertThat(balance.movedBest()).isCloseTo(core.balance().movedBest(), within(1e-9 * balance.movedBest()));
        }
        // the file keeps all of it, and the rows prove it
        StackelbergModel read = ModelFile.fromJson(ModelFile.toJson(model), "model.json");
        Verification verification = Verification.of(read, table(game), Workers.of(1));
        assertThat(verification.certified()).isTrue();
        assertThat(verification.ruleHolds()).isTrue();
    }

    private static double[] values(StackelbergModel model) {
        return model.coefficients().values().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** More columns than are decomposed at once: one pass over the rows per step of a Krylov space. */
    @Test
    void manyColumnsAreHedgedInPasses() {
        TestGame game = new TestGame(2000, 530, 0.05, 52);
        Dataset<Row> data = game.dataset(spark, 3, true);
        StackelbergRegression estimator =
                game.estimator().setGamma(GAMMA).setHedge("balanced").setRidge(0.1);
        StackelbergModel passes = estimator.setSolver("krylov").fit(data).model();
        StackelbergModel sums = estimator.setSolver("direct").fit(data).model();
        assertThat(passes.certified()).isTrue();
        assertThat(passes.solver().passes()).isGreaterThan(3);
        assertThat(passes.hedged().orElseThrow().balance().regret())
                .isCloseTo(sums.hedged().orElseThrow().balance().regret(), within(1e-8));
        double largest = Arrays.stream(values(sums)).map(Math::abs).max().orElseThrow();
        assertThat(values(passes)).containsExactly(values(sums), within(1e-4 * largest));
    }

    @Test
    void withoutASettingTheRuleIsBalanced() {
        assertThat(new StackelbergRegression().getHedge()).isEqualTo("balanced");
        TestGame game = new TestGame(60, 4, 0.5, 5);
        StackelbergRegressionModel model =
                new StackelbergRegression().setGamma(GAMMA).fit(game.dataset(spark, 2, false));
        assertThat(model.model().hedged().orElseThrow().balance()).isNotNull();
        assertThat(model.getHedge()).isEqualTo("balanced");
    }

    @Test
    void aPathKeepsTheHedgeAtEveryGamma() {
        TestGame game = new TestGame(300, 8, 1, 53);
        List<StackelbergRegressionModel> path =
                game.estimator().setHedge("2%").setGammas(0.1, 1).fitPath(game.dataset(spark, 2, false));
        for (StackelbergRegressionModel model : path) {
            Solution.Hedged hedged = model.model().hedged().orElseThrow();
            assertThat(model.model().losses().honest()).isLessThanOrEqualTo(hedged.bound() * (1 + 1e-9));
            assertThat(model.getHedge()).isEqualTo("2%");
            assertThat(model.summary().certified()).isTrue();
        }
    }

    @Test
    void aSavedModelKeepsItsHedge(@TempDir java.nio.file.Path folder) throws Exception {
        TestGame game = new TestGame(200, 5, 1, 54);
        StackelbergRegressionModel model =
                game.estimator().setGamma(GAMMA).setHedge("balanced").fit(game.dataset(spark, 2, false));
        String place = folder.resolve("model").toString();
        model.save(place);
        StackelbergRegressionModel read = StackelbergRegressionModel.load(place);
        assertThat(read.getHedge()).isEqualTo("balanced");
        assertThat(read.model().hedged()).isEqualTo(model.model().hedged());
    }
}
