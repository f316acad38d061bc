package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.data.DataException;
import stackelberg.data.Missing;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PredictionGame;
import stackelberg.game.RandomGame;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.tuning.Tuning;

/** Where some are truthful, or a hedge bounds the rules, one decomposition per fold changes nothing: every held-out loss is that of an honest fit to the training rows alone. */
class TuningSearchTest {
    private static final double[] GAMMAS = {0.05, 0.5, 3};
    private static final double[] WORLDS = {0.02, 0.3, 10};
    private static final Tuning.Plan PLAN = Tuning.Plan.of(GAMMAS).withFolds(3).withSeed(7);

    /** One way to play the game. */
    record Case(String name, StackelbergRegression.Builder regression, double missing) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Case> cases() {
        return List.of(
                new Case("truthful", People.regression().truthfulShare(0.3), 0),
                new Case("nearly all truthful", People.regression().truthfulShare(0.95), 0),
                new Case("hardly anybody truthful", People.regression().truthfulShare(1e-3), 0),
                new Case("everybody truthful", People.regression().truthfulShare(1), 0),
                new Case(
                        "truthful, weights and noise",
                        People.regression().truthfulShare(0.2).weight("weight").wishNoise(0.5),
                        0),
                new Case(
                        "truthful, a ridge",
                        People.regression().truthfulShare(0.3).ridge(0.2),
                        0),
                new Case(
                        "truthful, manipulable intercept",
                        People.regression().truthfulShare(0.3).intercept(GameSpec.Intercept.MANIPULABLE),
                        0),
                new Case(
                        "truthful, no intercept",
                        People.regression().truthfulShare(0.3).intercept(GameSpec.Intercept.NONE),
                        0),
                new Case(
                        "truthful, range scaling, missing values",
                        People.regression()
                                .truthfulShare(0.3)
                                .scaling(Scaling.RANGE)
                                .missing(Missing.MEAN),
                        0.1),
                new Case(
                        "truthful, today in the wish",
                        People.regression().truthfulShare(0.3).wish("max(today,4)"),
                        0),
                new Case("hedged", People.regression().hedge(0.05), 0),
                new Case("hedged with a ridge", People.regression().hedge(0.05).ridge(0.2), 0),
                new Case("hardly hedged", People.regression().hedge(0.9), 0),
                new Case(
                        "hedged, weights and noise",
                        People.regression().hedge(0.02).weight("weight").wishNoise(0.5),
                        0),
                new Case(
                        "hedged, today in the wish",
                        People.regression().hedge(0.05).wish("max(today,4)"),
                        0),
                new Case(
                        "hedged, missing values",
                        People.regression().hedge(0.05).missing(Missing.MEAN),
                        0.1),
                new Case(
                        "hedged, no intercept", People.regression().hedge(0.05).intercept(GameSpec.Intercept.NONE), 0));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyFoldEqualsAFitToItsTrainingRows(Case played) {
        Table table = People.table(160, 3, played.missing());
        StackelbergRegression regression = played.regression().build();
        // at a small gamma the frontier jumps over the bound, and rounding decides between mixtures of its sides
        double[] gammas = regression.spec().hedge().isNone() ? GAMMAS : new double[] {0.5, 3};
        Tuning.Plan plan = Tuning.Plan.of(gammas).withFolds(3).withSeed(7);
        Tuning tuning = regression.tune(table, plan, Tuning.Listener.NONE);

        assertThat(tuning.settled()).as(tuning.warnings().toString()).isTrue();
        for (int f = 0; f < tuning.folds().count(); f++) {
            Table training = table.select(tuning.folds().training(f));
            Table heldOut = table.select(tuning.folds().heldOut(f));
            List<StackelbergModel> models = regression.fitPath(training, tuning.gammas());
            for (int j = 0; j < models.size(); j++) {
                assertThat(models.get(j).certified()).isTrue();
                for (double world : WORLDS) {
                    double expected = loss(models.get(j), heldOut, world);
                    assertThat(tuning.foldLoss(f, j, world))
                            .as("fold %d, model gamma %s, world gamma %s", f, gammas[j], world)
                            .isCloseTo(expected, within(1e-8 * expected));
                }
            }
        }
    }

    /** A gap may be left, in the fold as in a fit of its rows. */
    @Test
    void aFoldReportsWhetherItIsProvenWhereTheFrontierJumpsAcrossTheBound() {
        Table table = People.table(160, 3);
        StackelbergRegression regression = People.regression().hedge(0.05).build();
        Tuning tuning = regression.tune(table, Tuning.Plan.of(0.05).withFolds(3).withSeed(7), Tuning.Listener.NONE);
        Table training = table.select(tuning.folds().training(0));

        boolean certified = regression.fitPath(training, 0.05).get(0).certified();

        assertThat(tuning.settled()).isEqualTo(certified);
        assertThat(tuning.warnings().stream().anyMatch(told -> told.text().contains("are not known to be optimal")))
                .isEqualTo(!certified);
    }

    @Test
    void aTruthfulShareOfZeroChangesNoBit() {
        Table table = People.table(160, 3);
        Tuning nobody = People.regression().truthfulShare(0).build().tune(table, PLAN, Tuning.Listener.NONE);
        Tuning before = People.regression().build().tune(table, PLAN, Tuning.Listener.NONE);

        assertThat(nobody.curve(0.3)).isEqualTo(before.curve(0.3));
        assertThat(nobody.truthfulShare()).isZero();
        assertThat(nobody.hedge().isNone()).isTrue();
    }

    /** (1 - S) t, as in a model of such people. */
    @Test
    void thePullThroughOfACurveIsTheMeanOverAllRows() {
        Table table = People.table(160, 3);
        StackelbergRegression regression =
                People.regression().truthfulShare(0.4).build();
        Tuning tuning = regression.tune(table, PLAN, Tuning.Listener.NONE);
        Tuning.Curve curve = tuning.curve(GAMMAS[1]);
        double mean = 0;
        for (int f = 0; f < 3; f++) {
            Table training = table.select(tuning.folds().training(f));
            mean += regression.fitPath(training, GAMMAS[1]).get(0).pullThrough() / 3;
        }
        assertThat(curve.points().get(1).pullThrough()).isCloseTo(mean, within(1e-7));
    }

    /** A share of the gap is another gamma in every fold, for those who move. */
    @Test
    @Tag("slow")
    void sharesBecomeTheGammasOfEachFold() {
        Table table = People.table(160, 3);
        for (StackelbergRegression.Builder builder : List.of(
                People.regression().truthfulShare(0.3), People.regression().hedge(0.05))) {
            Tuning tuning = builder.build()
                    .tune(table, Tuning.Plan.ofShares(0.2, 0.5).withFolds(3).withSeed(2), Tuning.Listener.NONE);
            for (int f = 0; f < 3; f++) {
                Table training = table.select(tuning.folds().training(f));
                Table heldOut = table.select(tuning.folds().heldOut(f));
                for (int j = 0; j < 2; j++) {
                    double share = j == 0 ? 0.2 : 0.5;
                    StackelbergModel model = builder.gammaShare(share).build().fit(training);
                    double expected = loss(model, heldOut, model.gamma());
                    assertThat(tuning.foldLoss(f, j, tuning.gammas()[j])).isCloseTo(expected, within(1e-8 * expected));
                }
            }
        }
    }

    /** Every gamma with every ridge, from one decomposition per fold. */
    @Test
    void everyGammaIsCombinedWithEveryRidgeGivenATruthfulShare() {
        Table table = People.table(160, 3);
        double[] ridges = {0, 0.3, 5};
        Tuning all = People.regression()
                .truthfulShare(0.3)
                .build()
                .tune(table, PLAN.withRidges(ridges), Tuning.Listener.NONE);
        for (int k = 0; k < ridges.length; k++) {
            Tuning alone = People.regression()
                    .truthfulShare(0.3)
                    .ridge(ridges[k])
                    .build()
                    .tune(table, PLAN, Tuning.Listener.NONE);
            for (int j = 0; j < GAMMAS.length; j++) {
                assertThat(all.loss(k * GAMMAS.length + j, 0.3)).isEqualTo(alone.loss(j, 0.3));
            }
        }
    }

    /** As dense and as sparse columns. */
    @Test
    void denseAndSparseArraysAreTunedAsTheyAreFitted() {
        PredictionGame game = RandomGame.plain(new Random(5), 40, 6, 1);
        StackelbergRegression regression = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .scaling(Scaling.NONE)
                .truthfulShare(0.25)
                .ridge(0.4)
                .threads(1)
                .build();
        Tuning dense = regression.tune(game.x(), game.y(), game.z(), PLAN, Tuning.Listener.NONE);
        double[][] x = RandomGame.rows(game);
        for (int f = 0; f < 3; f++) {
            int[] training = dense.folds().training(f);
            List<StackelbergModel> models = regression.fitPath(
                    DenseMatrix.of(Arrays.stream(training).mapToObj(i -> x[i]).toArray(double[][]::new)),
                    Arrays.stream(training).mapToDouble(i -> game.y()[i]).toArray(),
                    Arrays.stream(training).mapToDouble(i -> game.z()[i]).toArray(),
                    GAMMAS);
            for (int j = 0; j < GAMMAS.length; j++) {
                StackelbergModel model = models.get(j);
                double t = Response.pullThrough(model.world().omega(model.rule()), 0.3);
                double expected = 0;
                for (int i : dense.folds().heldOut(f)) {
                    double p = model.intercept();
                    for (int c = 0; c < x[i].length; c++) {
                        p += model.terms().get(c).coefficient() * x[i][c];
                    }
                    double still = p - game.y()[i];
                    double moved = (1 - t) * p + t * game.z()[i] - game.y()[i];
                    expected += 0.25 * still * still + 0.75 * moved * moved;
                }
                assertThat(dense.foldLoss(f, j, 0.3)).isCloseTo(expected, within(1e-8 * expected));
            }
        }
        Tuning sparse = regression.tune(TuningTest.csr(game), game.y(), game.z(), PLAN, Tuning.Listener.NONE);
        for (int j = 0; j < GAMMAS.length; j++) {
            assertThat(sparse.loss(j, 0.3)).isCloseTo(dense.loss(j, 0.3), within(1e-9 * dense.loss(j, 0.3)));
        }
    }

    @Test
    void theAnswerIsTheSameOnAnyNumberOfThreadsAndProgressNeverFalls() {
        Table table = People.table(90, 3);
        List<Double> told = new ArrayList<>();
        Tuning one = People.regression().truthfulShare(0.3).threads(1).build().tune(table, PLAN, (phase, fraction) -> {
            assertThat(fraction).isGreaterThanOrEqualTo(told.isEmpty() ? 0 : told.get(told.size() - 1));
            return told.add(fraction);
        });
        Tuning three =
                People.regression().truthfulShare(0.3).threads(3).build().tune(table, PLAN, Tuning.Listener.NONE);

        assertThat(told.get(told.size() - 1)).isEqualTo(1);
        assertThat(three.curve(0.3)).isEqualTo(one.curve(0.3));
        assertThatThrownBy(() ->
                        People.regression().hedge(0.05).build().tune(table, PLAN, (phase, fraction) -> fraction < 0.3))
                .isInstanceOf(CancellationException.class);
    }

    /** By name, and before anything is decomposed. */
    @Test
    void dataTooLargeToDecomposeAreRefused() {
        PredictionGame large = RandomGame.plain(new Random(1), 1501, 1501, 1);
        for (StackelbergRegression.Builder builder : List.of(
                StackelbergRegression.builder().hedge(Hedge.NONE).truthfulShare(0.1),
                StackelbergRegression.builder().hedge(0.1))) {
            assertThatThrownBy(() -> builder.build().tune(large.x(), large.y(), large.z(), PLAN, Tuning.Listener.NONE))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("up to 1500 rows or manipulable features; there are 1501");
        }
        PredictionGame wide = RandomGame.plain(new Random(1), 20, 401, 1);
        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(0.1)
                        .build()
                        .tune(wide.x(), wide.y(), wide.z(), PLAN, Tuning.Listener.NONE))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("more features (401) than people (20)");
    }

    /** sum_i s_i [S (p_i - y_i)^2 + (1 - S)(((1 - t) p_i + t z_i - y_i)^2 + t^2 sigma^2)], person by person. */
    private static double loss(StackelbergModel model, Table people, double worldGamma) {
        double[] p = model.predict(people);
        double[] z = model.wishes(people, p).orElseThrow();
        double[] y = people.numeric("score").values();
        double t = Response.pullThrough(model.world().omega(model.rule()), worldGamma);
        double share = model.game().truthfulShare();
        double noise = model.game().wishNoise();
        double loss = 0;
        for (int i = 0; i < p.length; i++) {
            double s =
                    model.game().weight() == null ? 1 : people.numeric("weight").value(i);
            double still = p[i] - y[i];
            double moved = (1 - t) * p[i] + t * z[i] - y[i];
            loss += s * (share * still * still + (1 - share) * (moved * moved + t * t * noise * noise));
        }
        return loss;
    }
}
