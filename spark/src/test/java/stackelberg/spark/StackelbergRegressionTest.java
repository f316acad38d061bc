package stackelberg.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ml.Pipeline;
import org.apache.spark.ml.PipelineModel;
import org.apache.spark.ml.PipelineStage;
import org.apache.spark.ml.evaluation.RegressionEvaluator;
import org.apache.spark.ml.feature.StandardScaler;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.tuning.CrossValidator;
import org.apache.spark.ml.tuning.CrossValidatorModel;
import org.apache.spark.ml.tuning.ParamGridBuilder;
import org.apache.spark.ml.tuning.TrainValidationSplit;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.jdk.javaapi.CollectionConverters;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.Workers;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.sphere.Reduction;

class StackelbergRegressionTest {
    private static final double GAMMA = 0.7;
    private static SparkSession spark;

    @BeforeAll
    static void start() {
        spark = LocalSpark.start();
    }

    @AfterAll
    static void stop() {
        spark.stop();
    }

    @ParameterizedTest
    @CsvSource({"1, false", "0.2, true", "0.2, false"})
    void sumsGiveTheCoresRule(double density, boolean sparse) {
        TestGame game = new TestGame(400, 12, density, 1);
        StackelbergRegressionModel model = game.estimator().setGamma(GAMMA).fit(game.dataset(spark, 3, sparse));
        TestGame.Answer expected = game.answer(GAMMA, new DirectSolver(Workers.of(1)), 1e-9);
        assertThat(TestGame.difference(model, expected)).isLessThan(1e-10);
        assertThat(model.summary().objective()).isCloseTo(expected.objective(), within(1e-10 * expected.objective()));
        assertThat(model.summary().certified()).isTrue();
        assertThat(model.summary().solver()).isEqualTo("direct");
        assertThat(model.summary().rows()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "0.2, true", "0.2, false"})
    void passesGiveTheCoresRuleInAsManyPasses(double density, boolean sparse) {
        TestGame game = new TestGame(400, 12, density, 2);
        StackelbergRegressionModel model =
                game.estimator().setGamma(GAMMA).setSolver("krylov").fit(game.dataset(spark, 3, sparse));
        TestGame.Answer expected = game.answer(GAMMA, new KrylovSolver(Workers.of(1)), 1e-9);
        assertThat(TestGame.difference(model, expected)).isLessThan(1e-10);
        assertThat(model.summary().objective()).isCloseTo(expected.objective(), within(1e-10 * expected.objective()));
        assertThat(model.summary().certified()).isTrue();
        assertThat(model.summary().solver()).isEqualTo("krylov");
        assertThat(model.summary().passes()).isEqualTo(expected.passes());
    }

    @ParameterizedTest
    @CsvSource({"direct", "krylov"})
    void aRidgeIsTheCoresOnBothRoutes(String solver) {
        TestGame game = new TestGame(400, 12, 1, 30);
        PredictionGame core = game.core(GAMMA);
        double mu = 0.4 * Arrays.stream(core.weights()).sum();
        StackelbergRegressionModel model = game.estimator()
                .setGamma(GAMMA)
                .setRidge(0.4)
                .setSolver(solver)
                .setTol(1e-13)
                .fit(game.dataset(spark, 3, false));
        TestGame.Answer expected = game.answer(core.withRidge(mu), new DirectSolver(Workers.of(1)), 1e-9);
        assertThat(TestGame.difference(model, expected)).isLessThan(1e-7);
        assertThat(model.summary().objective()).isCloseTo(expected.objective(), within(1e-9 * expected.objective()));
        assertThat(model.model().game().ridge()).isEqualTo(0.4);
        double penalty = mu * GAMMA * model.pullThrough();
        assertThat(model.model().losses().anticipated())
                .isCloseTo(expected.objective() - penalty, within(1e-9 * expected.objective()));
    }

    @ParameterizedTest
    @CsvSource({"direct, 0", "krylov, 0", "direct, 0.4", "krylov, 0.4"})
    void withEffectsTheRuleIsTheCoresOnBothRoutes(String solver, double ridge) {
        TestGame game = new TestGame(400, 12, 1, 33);
        double[] effects = TestGame.effects(12);
        PredictionGame plain = game.core(GAMMA);
        double mu = ridge * Arrays.stream(plain.weights()).sum();
        PredictionGame core = plain.withEffects(Arrays.copyOf(effects, 11)).withRidge(mu);
        Dataset<Row> data = game.dataset(spark, 3, false);
        StackelbergRegressionModel model = game.estimator()
                .setGamma(GAMMA)
                .setEffects(effects)
                .setRidge(ridge)
                .setSolver(solver)
                .setTol(1e-13)
                .fit(data);
        TestGame.Answer expected = game.answer(core, new DirectSolver(Workers.of(1)), 1e-9);
        assertThat(TestGame.difference(model, expected)).isLessThan(1e-7);
        assertThat(model.summary().objective()).isCloseTo(expected.objective(), within(1e-9 * expected.objective()));
        assertThat(model.summary().proof()).isEqualTo("PROVEN");
        // another rule than the one for people whose moves do nothing
        TestGame.Answer gamed = game.answer(plain.withRidge(mu), new DirectSolver(Workers.of(1)), 1e-9);
        assertThat(TestGame.difference(model, gamed)).isGreaterThan(1e-2);
        // person by person: half of them wish for more than is known, half for less
        double share = model.earned();
        double lost = 0;
        List<Row> rows = model.transform(data).collectAsList();
        for (Row row : rows) {
            double prediction = row.<Double>getAs("prediction");
            double wish = row.<Double>getAs("wish");
            assertThat(row.<Double>getAs("improvement")).isCloseTo(share * (wish - prediction), within(1e-12));
            double left = row.<Double>getAs("response") - row.<Double>getAs("label") - row.<Double>getAs("improvement");
            double gamedShare = model.pullThrough() - share;
            lost += row.<Double>getAs("weight")
                    * (left * left + gamedShare * gamedShare * TestGame.NOISE * TestGame.NOISE);
        }
        double anticipated = model.model().losses().anticipated();
        assertThat(lost).isCloseTo(anticipated, within(1e-9 * anticipated));
        assertThat(model.transform(data.drop("wish")).columns()).doesNotContain("response", "improvement");
        assertThat(Arrays.asList(model.setImprovementCol("").transform(data).columns()))
                .contains("response")
                .doesNotContain("improvement");
    }

    /** The centre of the sphere is one read of the rows, whatever the number of gammas. */
    @Test
    void aPathWithEffectsTakesOneMorePass() {
        TestGame game = new TestGame(400, 12, 1, 34);
        Dataset<Row> data = game.dataset(spark, 3, false);
        double[] gammas = {0.1, 0.3, 1, 3, 10};
        int without = jobs(game.estimator().setSolver("krylov").setGammas(gammas), data);
        int with = jobs(game.estimator().setSolver("krylov").setGammas(gammas).setEffects(TestGame.effects(12)), data);
        assertThat(with).isLessThanOrEqualTo(without + 2);
    }

    private static int jobs(StackelbergRegression estimator, Dataset<Row> data) {
        JobCounter counter = new JobCounter();
        spark.sparkContext().addSparkListener(counter);
        estimator.fitPath(data);
        int jobs = counter.jobs(spark);
        spark.sparkContext().removeSparkListener(counter);
        return jobs;
    }

    /** One wish for everyone: two rules are as good, and both routes take the one that is pulled less. */
    @ParameterizedTest
    @CsvSource({"direct", "krylov"})
    void ofTwoEquallyGoodRulesTheOneWithLessPullThroughIsTaken(String solver) {
        TestGame game = new TestGame(400, 12, 1, 31);
        Arrays.fill(game.z, 7);
        StackelbergRegressionModel model =
                game.estimator().setGamma(100).setWishNoise(0).setSolver(solver).fit(game.dataset(spark, 3, false));
        PredictionGame core = game.core(100).withWishNoise(0);
        DirectSolver direct = new DirectSolver(Workers.of(1));
        double[] w = direct.leastSquares(Reduction.of(core, Workers.of(1)).family());
        double omega = Arrays.stream(w).map(v -> v * v).sum();
        assertThat(model.pullThrough()).isCloseTo((1 - Math.sqrt(1 - omega / 25)) / 2, within(1e-8));
        assertThat(model.summary().certified()).isTrue();
        assertThat(model.model().notes()).hasSize(1).allMatch(note -> note.text()
                .startsWith("Everyone wants the same score"));
    }

    @Test
    void withoutInterceptAndImmutableFeaturesTheGameIsThePapers() {
        TestGame game = new TestGame(300, 6, 1, 3);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegression plain = new StackelbergRegression().setFitIntercept(false);
        double[] formed =
                TestGame.rule(plain.copy(new ParamMap()).setSolver("direct").fit(data));
        double[] passes = TestGame.rule(plain.setSolver("krylov").setTol(1e-13).fit(data));
        assertThat(passes[6]).isZero();
        assertThat(TestGame.difference(passes, formed)).isLessThan(1e-7);
    }

    @Test
    void featuresWithAHugeMeanAreSolvedFromTheRowsNotTheirSums() {
        TestGame game = new TestGame(300, 4, 1, 4);
        for (double[] row : game.features) {
            row[0] += 1e6;
        }
        StackelbergRegressionModel model = game.estimator().fit(game.dataset(spark, 2, false));
        assertThat(model.summary().solver()).isEqualTo("krylov");
        TestGame.Answer expected = game.answer(1, new DirectSolver(Workers.of(1)), 1e-9);
        assertThat(model.summary().objective()).isCloseTo(expected.objective(), within(1e-8 * expected.objective()));
    }

    @Test
    void theDepthOfTheTreeOfSumsChangesRoundingOnlyAndRunsAreIdentical() {
        TestGame game = new TestGame(300, 8, 1, 5);
        Dataset<Row> data = game.dataset(spark, 13, false);
        StackelbergRegression estimator = game.estimator().setSolver("krylov");
        double[] flat = TestGame.rule(estimator.setAggregationDepth(1).fit(data));
        double[] tree = TestGame.rule(estimator.setAggregationDepth(3).fit(data));
        assertThat(TestGame.difference(tree, flat)).isLessThan(1e-11);
        assertThat(TestGame.rule(estimator.fit(data))).isEqualTo(tree);
    }

    @Test
    void aPathIsOneTrainingWithTheSameModels() {
        TestGame game = new TestGame(300, 8, 1, 6);
        Dataset<Row> data = game.dataset(spark, 2, false);
        double[] gammas = {0.1, 1, 10};
        List<StackelbergRegressionModel> path =
                game.estimator().setGammas(gammas).setSolver("direct").fitPath(data);
        for (int i = 0; i < gammas.length; i++) {
            TestGame.Answer expected = game.answer(gammas[i], new DirectSolver(Workers.of(1)), 1e-9);
            assertThat(TestGame.difference(path.get(i), expected)).isLessThan(1e-10);
            assertThat(path.get(i).getGamma()).isEqualTo(gammas[i]);
        }
        assertThat(path.get(0).pullThrough()).isGreaterThan(path.get(2).pullThrough());
    }

    @Test
    void paramMapsThatDifferInGammaShareOneTraining() {
        TestGame game = new TestGame(300, 8, 1, 7);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegression estimator = game.estimator().setSolver("krylov");
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(estimator.gamma(), new double[] {0.1, 1, 10})
                .build();
        JobCounter counter = new JobCounter();
        spark.sparkContext().addSparkListener(counter);
        estimator.setGamma(0.1).fit(data);
        int alone = counter.jobs(spark);
        var models = CollectionConverters.asJava(
                estimator.fit(data, CollectionConverters.asScala(List.of(grid)).toSeq()));
        int together = counter.jobs(spark) - alone;
        assertThat(models).extracting(StackelbergRegressionModel::getGamma).containsExactly(0.1, 1.0, 10.0);
        assertThat(together).isLessThan(2 * alone);
    }

    @Test
    void theResponseColumnIsThePredictionAfterTheMove() {
        TestGame game = new TestGame(200, 5, 1, 8);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegressionModel model = game.estimator().setGamma(GAMMA).fit(data);
        double t = model.pullThrough();
        double loss = 0;
        double weight = 0;
        for (Row row : model.transform(data).collectAsList()) {
            double prediction = row.getAs("prediction");
            double wish = row.getAs("wish");
            double response = row.getAs("response");
            assertThat(prediction).isEqualTo(model.predict(row.getAs("features")));
            assertThat(response).isCloseTo((1 - t) * prediction + t * wish, within(1e-12));
            double s = row.getAs("weight");
            loss += s * Math.pow(response - row.<Double>getAs("label"), 2);
            weight += s;
        }
        double noise = t * t * weight * TestGame.NOISE * TestGame.NOISE;
        // the leader's loss in the game equals f(r)
        assertThat(loss + noise).isCloseTo(model.summary().objective(), within(1e-9 * loss));
        assertThat(model.transform(data.drop("wish")).columns()).doesNotContain("response");
        assertThat(model.transformSchema(data.schema()).fieldNames())
                .isEqualTo(model.transform(data).columns());
    }

    @Test
    void worksInAPipelineThatIsSavedAndReadAgain(@TempDir Path folder) throws Exception {
        TestGame game = new TestGame(200, 5, 1, 9);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegression estimator =
                game.estimator().setFeaturesCol("scaled").setGamma(GAMMA);
        Pipeline pipeline = new Pipeline().setStages(new PipelineStage[] {
            new StandardScaler().setInputCol("features").setOutputCol("scaled"), estimator
        });
        String place = folder.resolve("pipeline").toString();
        pipeline.write().save(place);
        PipelineModel fitted = Pipeline.load(place).fit(data);
        String modelPlace = folder.resolve("model").toString();
        fitted.write().save(modelPlace);
        PipelineModel read = PipelineModel.load(modelPlace);
        var before = (StackelbergRegressionModel) fitted.stages()[1];
        var after = (StackelbergRegressionModel) read.stages()[1];
        assertThat(after.summary()).isEqualTo(before.summary());
        assertThat(values(after)).isEqualTo(values(before));
        assertThat(read.transform(data).collectAsList())
                .isEqualTo(fitted.transform(data).collectAsList());
    }

    /** Every param with its value as Spark would save it. */
    private static List<String> values(Params owner) {
        return Arrays.stream(owner.params())
                .filter(owner::isDefined)
                .map(param -> param.name() + " = " + encoded(owner, param))
                .toList();
    }

    private static <T> String encoded(Params owner, Param<T> param) {
        return param.jsonEncode(owner.getOrDefault(param));
    }

    @Test
    void anEstimatorAndAModelReadBackAreTheSame(@TempDir Path folder) throws Exception {
        TestGame game = new TestGame(100, 4, 1, 10);
        StackelbergRegression estimator = game.estimator()
                .setGammas(1, 2)
                .setTol(1e-8)
                .setSolver("direct")
                .setResponseCol("");
        estimator.save(folder.resolve("estimator").toString());
        StackelbergRegression read =
                StackelbergRegression.load(folder.resolve("estimator").toString());
        assertThat(values(read)).isEqualTo(values(estimator));
        assertThat(read.uid()).isEqualTo(estimator.uid());
        StackelbergRegressionModel model = estimator.fit(game.dataset(spark, 2, false));
        String place = folder.resolve("model").toString();
        model.save(place);
        model.write().overwrite().save(place);
        StackelbergRegressionModel again = StackelbergRegressionModel.load(place);
        assertThat(TestGame.rule(again)).isEqualTo(TestGame.rule(model));
        assertThat(again.copy(new ParamMap()).summary()).isEqualTo(model.summary());
    }

    @Test
    void crossValidatorAndTrainValidationSplitChooseAGamma() {
        TestGame game = new TestGame(200, 5, 1, 11);
        Dataset<Row> data = game.dataset(spark, 2, false);
        StackelbergRegression estimator = game.estimator();
        ParamMap[] grid = new ParamGridBuilder()
                .addGrid(estimator.gamma(), new double[] {1e-3, 1})
                .build();
        RegressionEvaluator evaluator = new RegressionEvaluator().setPredictionCol("response");
        CrossValidatorModel crossed = new CrossValidator()
                .setEstimator(estimator)
                .setEstimatorParamMaps(grid)
                .setEvaluator(evaluator)
                .setNumFolds(2)
                .setSeed(1)
                .fit(data);
        // where moving is dearer, the rule loses less
        assertThat(crossed.avgMetrics()[1]).isLessThan(crossed.avgMetrics()[0]);
        assertThat(((StackelbergRegressionModel) crossed.bestModel()).getGamma())
                .isEqualTo(1);
        var split = new TrainValidationSplit()
                .setEstimator(estimator)
                .setEstimatorParamMaps(grid)
                .setEvaluator(evaluator)
                .setSeed(1)
                .fit(data);
        assertThat(((StackelbergRegressionModel) split.bestModel()).getGamma()).isEqualTo(1);
    }

    @Test
    void everyParamIsExplainedAndBadValuesAreRefused() {
        StackelbergRegression estimator = new StackelbergRegression();
        assertThat(estimator.params()).hasSize(20);
        assertThat(estimator.explainParams()).contains("gamma:", "wishCol:", "immutableFeatures:");
        assertThatThrownBy(() -> estimator.setGamma(0)).hasMessageContaining("gamma");
        assertThatThrownBy(() -> estimator.setCosts(1, -1))
                .hasMessageContainingAll("cost of 'feature 1' is -1.0", "setImmutableFeatures(...)");
        assertThatThrownBy(() -> estimator.setEffects(1, Double.NaN))
                .hasMessageContaining("effect of 'feature 1' is NaN");
        assertThatThrownBy(() -> estimator.setWishNoise(-2))
                .hasMessageContaining("wish noise is -2.0; it must be 0 or more");
        assertThatThrownBy(() -> estimator.setRidge(-0.1)).hasMessageContaining("ridge is -0.1; it must be 0 or more");
        assertThatThrownBy(() -> estimator.setTol(0)).hasMessageContaining("tolerance is 0.0");
        assertThatThrownBy(() -> estimator.setGammas(1, -3)).hasMessageContaining("gamma is -3.0");
        assertThatThrownBy(() -> estimator.setHedge("5")).hasMessageContaining("Maybe 5%");
        assertThatThrownBy(() -> estimator.setSolver("magic")).hasMessageContaining("solver");
        assertThatThrownBy(() -> estimator.fitPath(null)).hasMessageContaining("gammas");
    }
}
