package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.tuning.FromRows;
import stackelberg.model.tuning.Tuning;

/** Shared sums and passes change nothing: every held-out loss is that of an honest fit to the training rows alone. */
class TuningTest {
    /** What is a category among all people is one among those of a fold, also where values are filled in. */
    @Test
    void allRowsDecideWhetherAColumnIsAFeature() {
        Random random = new Random(15);
        int rows = 240;
        double[] x = random.doubles(rows).toArray();
        String[] town = new String[rows];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            town[i] = "t" + i % 22;
            y[i] = 3 * x[i] + i % 22 % 3 + 0.2 * random.nextGaussian();
        }
        x[5] = Double.NaN;
        Tuning tuning = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(today,3)")
                .missing(Missing.MEAN)
                .gammaShare(0.3)
                .build()
                .tune(
                        Table.of(
                                NumericColumn.of("x", x), CategoricalColumn.of("town", town), NumericColumn.of("y", y)),
                        new Tuning.Plan(new double[] {0.1, 0.3}, true, 5, 0, null),
                        Tuning.Listener.NONE);

        assertThat(tuning.folds().count()).isEqualTo(5);
    }

    private static final double[] GAMMAS = {0.001, 0.05, 0.5, 3, 40};
    private static final double[] WORLDS = {0.002, 0.3, 10};
    private static final Tuning.Plan PLAN = Tuning.Plan.of(GAMMAS).withFolds(4).withSeed(7);

    /** One way to play the game. */
    record Case(String name, StackelbergRegression.Builder regression, double missing) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case("standard scaling, immutable categories", People.regression(), 0),
                new Case("range scaling", People.regression().scaling(Scaling.RANGE), 0),
                new Case("no scaling", People.regression().scaling(Scaling.NONE), 0),
                new Case("weights", People.regression().weight("weight"), 0),
                new Case(
                        "quantile wishes",
                        People.regression().wish("max(y, quantile(0.6)) + 0.1*quantile(debt, 0.2)"),
                        0),
                new Case("a wish column", People.regression().wish("debt"), 0),
                new Case("one wish for everybody, a tie", People.regression().wish("60"), 0),
                new Case("manipulable intercept", People.regression().intercept(GameSpec.Intercept.MANIPULABLE), 0),
                new Case("no intercept", People.regression().intercept(GameSpec.Intercept.NONE), 0),
                new Case("the paper's protocol", People.regression().paper(), 0),
                new Case(
                        "wish noise and weights",
                        People.regression().wishNoise(0.8).weight("weight"),
                        0),
                new Case("a ridge", People.regression().ridge(0.3), 0),
                new Case("a ridge and weights", People.regression().ridge(2).weight("weight"), 0),
                new Case("costs in raw units", rawCosts(), 0),
                new Case("missing values, standard", People.regression().missing(Missing.MEAN), 0.1),
                new Case(
                        "missing values, range",
                        People.regression().missing(Missing.MEAN).paper(),
                        0.1),
                new Case(
                        "missing values, no scaling",
                        People.regression().missing(Missing.MEAN).scaling(Scaling.NONE),
                        0.1),
                new Case(
                        "no missing values, no scaling",
                        People.regression().missing(Missing.MEAN).scaling(Scaling.NONE),
                        0),
                new Case("missing values, dropped", People.regression().missing(Missing.DROP), 0.1));
    }

    private static StackelbergRegression.Builder rawCosts() {
        return People.regression()
                .immutable(Set.of("year", "job"))
                .costUnits(GameSpec.CostUnits.RAW)
                .cost("income", 1e-6)
                .cost("region", 4);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyFoldEqualsAFitToItsTrainingRows(Case played) {
        Table table = People.table(160, 3, played.missing());
        Tuning tuning = played.regression().build().tune(table, PLAN, Tuning.Listener.NONE);

        assertThat(tuning.method()).contains(isFilledIn(played) ? "on the rows of each" : "sums of products");
        assertSameAsSeparateFits(tuning, played.regression().build(), rowsInUse(table, played));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void foldsSolvedFromTheirRowsEqualFitsToTheirTrainingRows(Case played) {
        Table table = People.table(160, 3, played.missing());
        Tuning tuning = fromRows(played.regression(), table, PLAN, Tuning.Listener.NONE);

        assertThat(tuning.method()).contains("on the rows of each");
        assertSameAsSeparateFits(tuning, played.regression().build(), rowsInUse(table, played));
    }

    /** Each fold then has columns of its own, because its training rows decide what is filled in. */
    private static boolean isFilledIn(Case played) {
        return played.missing() > 0 && played.regression().build().spec().missing() == Missing.MEAN;
    }

    /** Both routes; sum_i s_i (y_i - m_f(i))^2 / sum_i s_i, with m_f the weighted mean of the rows that fold f leaves. */
    @ParameterizedTest
    @MethodSource("cases")
    void theMeanIsThatOfTheTrainingRows(Case played) {
        Table table = People.table(160, 3, played.missing());
        Tuning tuning = played.regression().build().tune(table, PLAN, Tuning.Listener.NONE);
        Table rows = rowsInUse(table, played);
        double loss = 0;
        double weight = 0;
        for (int f = 0; f < tuning.folds().count(); f++) {
            double sum = 0;
            double trainingWeight = 0;
            for (int i : tuning.folds().training(f)) {
                double s = weight(played, rows, i);
                sum += s * rows.numeric("score").value(i);
                trainingWeight += s;
            }
            for (int i : tuning.folds().heldOut(f)) {
                double s = weight(played, rows, i);
                loss += s * Math.pow(rows.numeric("score").value(i) - sum / trainingWeight, 2);
                weight += s;
            }
        }
        assertThat(tuning.meanLoss()).isCloseTo(loss / weight, within(1e-12 * loss));
        assertThat(fromRows(played.regression(), table, PLAN, Tuning.Listener.NONE)
                        .meanLoss())
                .isEqualTo(tuning.meanLoss());
    }

    /** Every gamma with every ridge at once is what each ridge is alone, on both routes. */
    @Test
    void severalRidgesGiveTheResultsOfEachRidgeAlone() {
        Table table = People.table(160, 3, 0);
        double[] ridges = {0, 0.05, 1, 20};
        StackelbergRegression.Builder regression = People.regression().weight("weight");
        List<Tuning> together = List.of(
                regression.build().tune(table, PLAN.withRidges(ridges), Tuning.Listener.NONE),
                fromRows(regression, table, PLAN.withRidges(ridges), Tuning.Listener.NONE));
        for (int k = 0; k < ridges.length; k++) {
            Tuning alone = People.regression()
                    .weight("weight")
                    .ridge(ridges[k])
                    .build()
                    .tune(table, PLAN, Tuning.Listener.NONE);
            for (Tuning all : together) {
                for (int j = 0; j < GAMMAS.length; j++) {
                    int model = k * GAMMAS.length + j;
                    assertThat(all.gammas()[model]).isEqualTo(GAMMAS[j]);
                    assertThat(all.ridges()[model]).isEqualTo(ridges[k]);
                    for (double world : WORLDS) {
                        double expected = alone.loss(j, world);
                        assertThat(all.loss(model, world)).isCloseTo(expected, within(1e-7 * expected));
                    }
                }
            }
        }
        for (double world : WORLDS) {
            Tuning.Curve curve = together.get(0).curve(world);
            assertThat(curve.points()).hasSize(GAMMAS.length);
            for (int j = 0; j < GAMMAS.length; j++) {
                double least = Double.POSITIVE_INFINITY;
                for (int k = 0; k < ridges.length; k++) {
                    least = Math.min(least, together.get(0).loss(k * GAMMAS.length + j, world));
                }
                assertThat(curve.points().get(j).loss()).isEqualTo(least);
            }
        }
        Tuning.Regret regret = together.get(0).regret(WORLDS);
        assertThat(regret.gammas()).containsExactly(GAMMAS);
        assertThat(regret.worstRegret()[regret.choice()])
                .isEqualTo(Arrays.stream(regret.worstRegret()).min().orElseThrow());
    }

    /** Neither a reason to refuse, nor one to lose the digits of the mean of the others. */
    @Test
    void oneRowMayHaveFarMoreWeightThanAllOthers() {
        Random random = new Random(44_015);
        double[] score = RandomGame.normal(random, 60);
        double[] weight = new double[60];
        Arrays.fill(weight, 1);
        for (double most : new double[] {1e8, 1e15, 1e18}) {
            weight[5] = most;
            Table table = Table.of(List.of(
                    NumericColumn.of("score", score),
                    NumericColumn.of("skill", RandomGame.normal(random, 60)),
                    NumericColumn.of("weight", weight.clone())));
            Tuning tuning = StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target("score")
                    .wish("max(y, 1)")
                    .weight("weight")
                    .build()
                    .tune(table, PLAN, Tuning.Listener.NONE);
            // all that counts is how far the one is from the mean of those it is not held out with
            double mean = Arrays.stream(tuning.folds().training(tuning.folds().of(5)))
                    .mapToDouble(i -> score[i])
                    .average()
                    .orElseThrow();
            double expected = Math.pow(score[5] - mean, 2);
            assertThat(tuning.meanLoss()).isCloseTo(expected, within(1e-12 * expected + 1e4 / most));
        }
    }

    private static double weight(Case played, Table rows, int i) {
        return played.regression().build().spec().weight() == null
                ? 1
                : rows.numeric("weight").value(i);
    }

    /** From rows, whatever the number of columns. */
    private static Tuning fromRows(
            StackelbergRegression.Builder regression, Table table, Tuning.Plan plan, Tuning.Listener listener) {
        StackelbergRegression built = regression.build();
        FitOptions options = built.options();
        return FromRows.run(built.spec(), table, plan, options.pipeline(), options.workers(), listener);
    }

    /** The rows the folds are of. */
    private static Table rowsInUse(Table table, Case played) {
        if (played.regression().build().spec().missing() != Missing.DROP) {
            return table;
        }
        List<String> features = List.of("income", "region");
        return Missing.DROP.apply(table, features, List.of()).table();
    }

    static void assertSameAsSeparateFits(Tuning tuning, StackelbergRegression regression, Table table) {
        for (int f = 0; f < tuning.folds().count(); f++) {
            Table training = table.select(tuning.folds().training(f));
            Table heldOut = table.select(tuning.folds().heldOut(f));
            List<StackelbergModel> models = regression.fitPath(training, tuning.gammas());
            for (int j = 0; j < models.size(); j++) {
                for (double world : WORLDS) {
                    double expected = loss(models.get(j), heldOut, world);
                    assertThat(tuning.foldLoss(f, j, world))
                            .as(
                                    "fold %d, model gamma %s, world gamma %s",
                                    f, models.get(j).gamma(), world)
                            .isCloseTo(expected, within(1e-8 * expected));
                }
            }
        }
    }

    /** sum_i s_i ((1 - t) p_i + t z_i - y_i)^2 + t^2 sum_i s_i sigma^2, person by person. */
    private static double loss(StackelbergModel model, Table people, double worldGamma) {
        double[] p = model.predict(people);
        double[] z = model.wishes(people, p).orElseThrow();
        double[] y = people.numeric("score").values();
        double t = model.pullThroughAt(worldGamma);
        double noise = model.game().wishNoise();
        double loss = 0;
        for (int i = 0; i < p.length; i++) {
            double s =
                    model.game().weight() == null ? 1 : people.numeric("weight").value(i);
            double residual = (1 - t) * p[i] + t * z[i] - y[i];
            loss += s * (residual * residual + t * t * noise * noise);
        }
        return loss;
    }

    @Test
    void withTheModelsOwnGammaALargerOneAlwaysLooksBetter() {
        double[] gammas = {0.01, 0.1, 1, 10, 100, 1000};
        Tuning tuning =
                People.regression().build().tune(People.table(400, 5), Tuning.Plan.of(gammas), Tuning.Listener.NONE);

        double previous = Double.POSITIVE_INFINITY;
        for (int j = 0; j < gammas.length; j++) {
            double own = tuning.loss(j, gammas[j]);
            assertThat(own).isLessThan(previous);
            previous = own;
        }
        // in a world where moving is easy, the rule that fears nothing loses to the one that knows it
        Tuning.Curve curve = tuning.curve(0.1);
        assertThat(curve.best()).isEqualTo(1);
        assertThat(curve.points().get(5).loss())
                .isGreaterThan(curve.points().get(1).loss());
    }

    @Test
    void theCurveHasTheMeanAndTheSpreadOverTheFolds() {
        Tuning tuning = People.regression().build().tune(People.table(160, 3), PLAN, Tuning.Listener.NONE);
        Tuning.Curve curve = tuning.curve(0.3);

        for (int j = 0; j < GAMMAS.length; j++) {
            double[] means = new double[4];
            double mean = 0;
            for (int f = 0; f < 4; f++) {
                means[f] = tuning.foldLoss(f, j, 0.3) / 40;
                mean += means[f] / 4;
            }
            double squares = 0;
            for (double value : means) {
                squares += (value - mean) * (value - mean);
            }
            assertThat(curve.points().get(j).loss()).isCloseTo(mean, within(1e-12 * mean));
            assertThat(curve.points().get(j).standardError())
                    .isCloseTo(Math.sqrt(squares / 3 / 4), within(1e-10 * mean));
        }
        double limit = curve.points().get(curve.best()).loss()
                + curve.points().get(curve.best()).standardError();
        Tuning.Curve.Point chosen = curve.points().get(curve.oneStandardError());
        assertThat(chosen.loss()).isLessThanOrEqualTo(limit);
        for (Tuning.Curve.Point point : curve.points()) {
            assertThat(point.loss() > limit || point.pullThrough() >= chosen.pullThrough())
                    .isTrue();
        }
    }

    @Test
    void theChoiceMinimisesTheWorstRegretOverAllWorlds() {
        double[] worlds = {0.001, 0.01, 0.1, 1, 10, 100};
        Tuning tuning = People.regression().build().tune(People.table(160, 3), PLAN, Tuning.Listener.NONE);
        Tuning.Regret table = tuning.regret(worlds);

        double least = Double.POSITIVE_INFINITY;
        int choice = -1;
        for (int j = 0; j < GAMMAS.length; j++) {
            double worst = 0;
            for (double world : worlds) {
                double best = tuning.loss(0, world);
                for (int k = 1; k < GAMMAS.length; k++) {
                    best = Math.min(best, tuning.loss(k, world));
                }
                worst = Math.max(worst, tuning.loss(j, world) - best);
            }
            assertThat(table.worstRegret()[j]).isEqualTo(worst);
            assertThat(table.regret()[j][table.worstWorld()[j]]).isEqualTo(worst);
            if (worst < least) {
                least = worst;
                choice = j;
            }
        }
        assertThat(table.choice()).isEqualTo(choice);
    }

    @Test
    void aSeedGivesTheSameAnswerToTheLastBitOnAnyNumberOfThreads() {
        Table table = People.table(300, 9);
        Tuning one = People.regression().threads(1).build().tune(table, PLAN, Tuning.Listener.NONE);
        Tuning two = People.regression().threads(2).build().tune(table, PLAN, Tuning.Listener.NONE);
        Tuning other = People.regression().build().tune(table, PLAN.withSeed(8), Tuning.Listener.NONE);

        for (int j = 0; j < GAMMAS.length; j++) {
            for (int f = 0; f < 4; f++) {
                assertThat(two.foldLoss(f, j, 0.3)).isEqualTo(one.foldLoss(f, j, 0.3));
            }
            assertThat(other.loss(j, 0.3)).isNotEqualTo(one.loss(j, 0.3));
        }
    }

    @Test
    void groupsStayTogetherAndAreNotAFeature() {
        Table table = People.table(160, 3);
        StackelbergRegression.Builder regression = People.regression().ignore(Set.of("weight"));
        Tuning tuning = regression.build().tune(table, PLAN.withGroup("household"), Tuning.Listener.NONE);

        for (int i = 0; i < 160; i++) {
            assertThat(tuning.folds().of(i)).isEqualTo(tuning.folds().of(i / 3 * 3));
        }
        for (int f = 0; f < 4; f++) {
            assertThat(tuning.folds().size(f)).isBetween(38, 42);
        }
        assertSameAsSeparateFits(tuning, People.regression().build(), table);
    }

    @Test
    void aLevelThatOccursOnlyInHeldOutRowsHasNoCoefficient() {
        Table table = People.table(160, 3);
        String[] rare = new String[160];
        for (int i = 0; i < 160; i++) {
            rare[i] = i == 20 ? "only once" : "usual";
        }
        List<Column> columns = new ArrayList<>(table.columns());
        columns.add(CategoricalColumn.of("rare", rare));
        Tuning with = People.regression().build().tune(Table.of(columns), PLAN, Tuning.Listener.NONE);
        Tuning without = People.regression().build().tune(table, PLAN, Tuning.Listener.NONE);

        int fold = with.folds().of(20);
        for (int j = 0; j < GAMMAS.length; j++) {
            double expected = without.foldLoss(fold, j, 0.3);
            assertThat(with.foldLoss(fold, j, 0.3)).isCloseTo(expected, within(1e-9 * expected));
        }
    }

    /** A wish that is the truth plus a constant: believing everybody is free, and every rule is infinitely large. */
    @Test
    void rulesWithoutAFiniteEquilibriumStillHaveAHeldOutLoss() {
        Tuning tuning =
                People.regression().wish("y + 2").build().tune(People.table(160, 3), PLAN, Tuning.Listener.NONE);

        assertThat(tuning.warnings()).anyMatch(w -> w.text().contains("no finite equilibrium"));
        for (int j = 0; j < GAMMAS.length; j++) {
            // everybody gets z = y + 2, and the rule takes off 2 times the ratio of the gammas
            double expected = 4 * Math.pow(1 - 0.3 / GAMMAS[j], 2);
            assertThat(tuning.loss(j, 0.3)).isCloseTo(expected, within(1e-6 * (1 + expected)));
        }
    }

    @Test
    void progressNeverFallsAndEndsAtOne() {
        List<Double> fractions = new ArrayList<>();
        People.regression().build().tune(People.table(160, 3), PLAN, (phase, fraction) -> fractions.add(fraction));

        assertThat(fractions).isSorted().hasSizeGreaterThan(5).startsWith(0.0);
        assertThat(fractions.get(fractions.size() - 1)).isCloseTo(1, within(1e-12));
    }

    @Test
    void fromRowsAnswerAndProgressDoNotDependOnTheThreads() {
        Table table = People.table(300, 9);
        List<Double> fractions = new ArrayList<>();
        Tuning one = fromRows(People.regression().threads(1), table, PLAN, Tuning.Listener.NONE);
        Tuning two =
                fromRows(People.regression().threads(2), table, PLAN, (phase, fraction) -> fractions.add(fraction));

        assertThat(two.method()).isEqualTo(one.method());
        for (int j = 0; j < GAMMAS.length; j++) {
            assertThat(two.loss(j, 0.3)).isEqualTo(one.loss(j, 0.3));
        }
        assertThat(fractions).isSorted();
        assertThat(fractions.get(fractions.size() - 1)).isCloseTo(1, within(1e-12));
    }

    @Test
    void anErrorInOneFoldEndsAllFolds() {
        assertThatThrownBy(() ->
                        fromRows(People.regression(), People.table(160, 3), PLAN, (phase, fraction) -> fraction < 0.3))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void sumsThatLoseTheirDigitsAreNotUsed() {
        Table table = People.table(160, 3);
        double[] almost = table.numeric("debt").values();
        for (int i = 0; i < almost.length; i++) {
            almost[i] += 1e-6 * Math.sin(i);
        }
        List<Column> columns = new ArrayList<>(table.columns());
        columns.add(NumericColumn.of("almost", almost));
        Table collinear = Table.of(columns);
        StackelbergRegression.Builder regression =
                People.regression().immutable(Set.of("debt", "almost", "region", "job"));

        List<Double> fractions = new ArrayList<>();
        Tuning tuning = regression.build().tune(collinear, PLAN, (phase, fraction) -> fractions.add(fraction));

        assertThat(tuning.method()).contains("4 folds from their rows");
        assertThat(fractions).isSorted();
        assertSameAsSeparateFits(tuning, regression.build(), collinear);
    }

    @Test
    void wideDataAreSolvedFromTheirRows() {
        Random random = new Random(4);
        PredictionGame game = RandomGame.plain(random, 40, 60, 1);
        StackelbergRegression regression =
                StackelbergRegression.builder().hedge(Hedge.NONE).threads(2).build();
        // larger gammas are hard cases here, where each of many rules is best
        Tuning.Plan plan = Tuning.Plan.of(0.001, 0.05, 0.5).withFolds(4);
        Tuning tuning = regression.tune(game.x(), game.y(), game.z(), plan, Tuning.Listener.NONE);

        assertThat(tuning.method()).contains("on the rows of each");
        assertSameAsSeparateFits(tuning, regression, game);
    }

    /** From rows (wide) and by sums (tall), with columns that are zero, or the same, in all of some fold's training rows. */
    @Test
    void sparseDataGiveTheSameAsDenseAndAsSeparateFits() {
        for (int[] shape : new int[][] {{40, 60}, {120, 10}}) {
            for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
                for (Scaling scaling : Scaling.values()) {
                    PredictionGame game = sparseGame(shape[0], shape[1]);
                    StackelbergRegression regression = StackelbergRegression.builder()
                            .hedge(Hedge.NONE)
                            .intercept(intercept)
                            .scaling(scaling)
                            .threads(2)
                            .build();
                    Tuning.Plan plan = Tuning.Plan.of(0.001, 0.05, 0.5).withFolds(4);
                    Tuning sparse = regression.tune(csr(game), game.y(), game.z(), plan, Tuning.Listener.NONE);
                    Tuning dense = regression.tune(game.x(), game.y(), game.z(), plan, Tuning.Listener.NONE);

                    assertThat(sparse.method())
                            .contains(shape[0] < shape[1] ? "on the rows of each" : "sums of products");
                    for (int f = 0; f < 4; f++) {
                        for (int j = 0; j < 3; j++) {
                            double expected = dense.foldLoss(f, j, 0.3);
                            assertThat(sparse.foldLoss(f, j, 0.3)).isCloseTo(expected, within(1e-8 * expected));
                        }
                    }
                    assertSameAsSeparateFits(sparse, regression, game);
                }
            }
        }
    }

    @Test
    void sparseDataGiveTheSameToTheLastBitOnAnyNumberOfThreads() {
        PredictionGame game = sparseGame(40, 60);
        Tuning.Plan plan = Tuning.Plan.of(0.001, 0.05, 0.5).withFolds(4);
        Tuning one = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .threads(1)
                .build()
                .tune(csr(game), game.y(), game.z(), plan, Tuning.Listener.NONE);
        Tuning three = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .threads(3)
                .build()
                .tune(csr(game), game.y(), game.z(), plan, Tuning.Listener.NONE);

        for (int f = 0; f < 4; f++) {
            for (int j = 0; j < 3; j++) {
                assertThat(three.foldLoss(f, j, 0.3)).isEqualTo(one.foldLoss(f, j, 0.3));
            }
        }
    }

    /** Where passes over the nonzeros cost less than the eigenvalues of one matrix per fold. */
    @Test
    void sumsOfSparseColumnsAreFormedOnlyIfThatIsCheaper() {
        Folds folds = Resampling.of(2000, 0).folds(10);

        assertThat(FromRows.formsSums(ones(2000, 900, 5), folds)).isFalse();
        assertThat(FromRows.formsSums(new AffineMatrix(ones(2000, 900, 5), null, null, false), folds))
                .isFalse();
        assertThat(FromRows.formsSums(ones(2000, 900, 700), folds)).isTrue();
        assertThat(FromRows.formsSums(ones(2000, 300, 5), folds)).isTrue();
        assertThat(FromRows.formsSums(DenseMatrix.zeros(2000, 900), folds)).isTrue();
    }

    private static CsrMatrix ones(int rows, int cols, int perRow) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < perRow; j++) {
                builder.put(j, 1);
            }
            builder.endRow();
        }
        return builder.build(cols);
    }

    /** Most values are 0; one column has a single value, another is constant, a third far from 0. */
    private static PredictionGame sparseGame(int m, int n) {
        PredictionGame game = RandomGame.plain(new Random(6), m, n, 1);
        double[][] rows = RandomGame.rows(game);
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                rows[i][j] = rows[i][j] > 0.5 ? rows[i][j] : 0;
            }
            rows[i][1] = i == 5 ? 3 : 0;
            rows[i][2] = 7;
            rows[i][3] += 20;
        }
        return PredictionGame.of(DenseMatrix.of(rows), game.y(), game.z(), 1);
    }

    static CsrMatrix csr(PredictionGame game) {
        CsrMatrix.Builder builder = new CsrMatrix.Builder();
        for (double[] row : RandomGame.rows(game)) {
            for (int j = 0; j < row.length; j++) {
                if (row[j] != 0) {
                    builder.put(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build(game.x().cols());
    }

    @Test
    void aMatrixGivesTheSameAsItsRows() {
        PredictionGame game = RandomGame.plain(new Random(5), 120, 8, 1);
        for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
            for (Scaling scaling : Scaling.values()) {
                StackelbergRegression regression = StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .intercept(intercept)
                        .scaling(scaling)
                        .threads(1)
                        .build();
                Tuning tuning = regression.tune(game.x(), game.y(), game.z(), PLAN, Tuning.Listener.NONE);

                assertThat(tuning.method()).contains("sums of products");
                assertSameAsSeparateFits(tuning, regression, game);
            }
        }
    }

    private static void assertSameAsSeparateFits(Tuning tuning, StackelbergRegression regression, PredictionGame game) {
        double[][] x = RandomGame.rows(game);
        for (int f = 0; f < tuning.folds().count(); f++) {
            int[] training = tuning.folds().training(f);
            int[] heldOut = tuning.folds().heldOut(f);
            List<StackelbergModel> models = regression.fitPath(
                    DenseMatrix.of(Arrays.stream(training).mapToObj(i -> x[i]).toArray(double[][]::new)),
                    Arrays.stream(training).mapToDouble(i -> game.y()[i]).toArray(),
                    Arrays.stream(training).mapToDouble(i -> game.z()[i]).toArray(),
                    tuning.gammas());
            for (int j = 0; j < models.size(); j++) {
                double t = models.get(j).pullThroughAt(0.3);
                double expected = 0;
                for (int i : heldOut) {
                    double p = models.get(j).intercept();
                    for (int c = 0; c < x[i].length; c++) {
                        p += models.get(j).terms().get(c).coefficient() * x[i][c];
                    }
                    expected += Math.pow((1 - t) * p + t * game.z()[i] - game.y()[i], 2);
                }
                assertThat(tuning.foldLoss(f, j, 0.3))
                        .as("fold %d, model gamma %s", f, tuning.gammas()[j])
                        .isCloseTo(expected, within(1e-8 * expected));
            }
        }
    }

    @Test
    void aListenerCanStopIt() {
        assertThatThrownBy(() -> People.regression()
                        .build()
                        .tune(People.table(160, 3), PLAN, (phase, fraction) -> fraction < 0.3))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("stopped by its listener");
    }

    @Test
    void wishesForOtherRowsAreRefused() {
        PredictionGame game = RandomGame.plain(new Random(5), 30, 3, 1);

        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .build()
                        .tune(game.x(), game.y(), new double[29], PLAN, Tuning.Listener.NONE))
                .hasMessageContaining("z has 29 values; the game needs 30");
    }

    /** It gave the losses of a population in which everybody moves, without a word. */
    @Test
    void tuningWithIndividualGammasIsRefusedByName() {
        assertThatThrownBy(() -> People.regression()
                        .rowGamma("weight")
                        .build()
                        .tune(People.table(60, 1), PLAN, Tuning.Listener.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rowGamma(...)");
    }

    @Test
    void moreFoldsThanGroupsAreRefused() {
        assertThatThrownBy(() -> People.regression()
                        .build()
                        .tune(People.table(9, 3), PLAN.withGroup("household"), Tuning.Listener.NONE))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("4 folds, but only 3 groups");
    }
}
