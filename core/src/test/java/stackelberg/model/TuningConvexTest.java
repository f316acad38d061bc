package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.Response;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.tuning.Tuning;

/** By another loss than the squared one every held-out loss is that of an honest fit to the training rows alone. */
class TuningConvexTest {
    private static final double[] GAMMAS = {0.3, 2, 20};
    private static final double[] WORLDS = {0.1, 2, 50};
    private static final Tuning.Plan PLAN = Tuning.Plan.of(GAMMAS).withFolds(3).withSeed(7);

    /** One way to play the game. */
    record Case(String name, StackelbergRegression.Builder regression, double missing) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static StackelbergRegression.Builder logistic() {
        return People.regression().target("answer").wish("0.9").loss(Loss.LOGISTIC);
    }

    private static StackelbergRegression.Builder huber() {
        return People.regression().loss(Loss.huber(0.5));
    }

    /** People whose score is a yes or a no, with some left to chance. */
    static Table table(int rows, double missing) {
        Table people = People.table(rows, 3, missing);
        double[] score = people.numeric("score").values();
        List<Column> columns = new ArrayList<>();
        for (String name : people.names()) {
            columns.add(people.column(name));
        }
        double[] answer = new double[rows];
        String[] said = new String[rows];
        for (int i = 0; i < rows; i++) {
            answer[i] = score[i] + 2.5 * ((i * 0.618) % 1) > 4.7 ? 1 : 0;
            said[i] = answer[i] == 1 ? "good" : "bad";
        }
        columns.add(NumericColumn.of("answer", answer));
        columns.add(CategoricalColumn.of("said", said));
        return Table.of(columns);
    }

    private static StackelbergRegression.Builder without(StackelbergRegression.Builder builder, String... others) {
        List<String> ignored = new ArrayList<>(List.of("household", "weight"));
        ignored.addAll(List.of(others));
        return builder.ignore(java.util.Set.copyOf(ignored));
    }

    static List<Case> cases() {
        return List.of(
                new Case("one wish", without(logistic(), "said", "score"), 0),
                new Case("texts", without(logistic().target("said").yes("good"), "answer", "score"), 0),
                new Case("wishes by today", without(logistic().wish("max(today,0.8)"), "said", "score"), 0),
                new Case(
                        "wishes in log-odds",
                        without(logistic().wish("max(today,1)").wishUnits(GameSpec.WishUnits.LOGODDS), "said", "score"),
                        0),
                new Case(
                        "weights and a ridge",
                        without(logistic().weight("weight").ridge(0.05), "said", "score"),
                        0),
                new Case(
                        "missing values, range scaling",
                        without(logistic().scaling(Scaling.RANGE).missing(Missing.MEAN), "said", "score"),
                        0.1),
                new Case(
                        "immutable columns",
                        without(logistic().immutable(java.util.Set.of("region")), "said", "score"),
                        0),
                new Case("huber", without(huber(), "said", "answer"), 0),
                new Case("huber, today", without(huber().wish("max(today,4)").ridge(0.1), "said", "answer"), 0),
                new Case("hedged", without(logistic().hedge(0.05), "said", "score"), 0),
                new Case(
                        "hedged, missing values, weights and a ridge",
                        without(
                                logistic()
                                        .hedge(0.05)
                                        .missing(Missing.MEAN)
                                        .weight("weight")
                                        .ridge(0.05),
                                "said",
                                "score"),
                        0.1),
                new Case("huber, balanced", without(huber().hedge(Hedge.BALANCED), "said", "answer"), 0));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyFoldEqualsAFitToItsTrainingRows(Case played) {
        Table table = table(160, played.missing());
        StackelbergRegression regression = played.regression().build();
        Tuning tuning = regression.tune(table, PLAN, Tuning.Listener.NONE);

        assertThat(tuning.method()).contains("by the loss " + regression.spec().loss());
        int proven = 0;
        for (int f = 0; f < tuning.folds().count(); f++) {
            Table training = table.select(tuning.folds().training(f));
            Table heldOut = table.select(tuning.folds().heldOut(f));
            List<StackelbergModel> models = regression.fitPath(training, tuning.gammas());
            for (int j = 0; j < models.size(); j++) {
                proven += models.get(j).certified() ? 1 : 0;
                for (double world : WORLDS) {
                    double expected = loss(models.get(j), heldOut, world);
                    assertThat(tuning.foldLoss(f, j, world))
                            .as("fold %d, model gamma %s, world gamma %s", f, GAMMAS[j], world)
                            .isCloseTo(expected, within(1e-6 * expected));
                }
            }
        }
        assertThat(tuning.settled()).as(tuning.warnings().toString()).isEqualTo(proven == 9);
        assertThat(proven).isGreaterThanOrEqualTo(3);
    }

    /** Everybody moves by the rule that the model has of wishes, and the model's own loss counts. */
    private static double loss(StackelbergModel model, Table heldOut, double worldGamma) {
        double[] p = model.predict(heldOut);
        double[] y = model.world().truths(heldOut);
        double[] z = model.wishes(heldOut, p).orElseThrow();
        double[] weights = model.world().weights(heldOut);
        double t = Response.pullThrough(model.world().omega(model.rule()), worldGamma);
        double sum = 0;
        for (int i = 0; i < p.length; i++) {
            sum += weights[i] * model.game().loss().value((1 - t) * p[i] + t * z[i], y[i]);
        }
        return sum;
    }

    @Test
    void sharesBecomeTheGammasOfEachFold() {
        Table table = table(160, 0);
        StackelbergRegression.Builder builder = without(logistic(), "said", "score");
        Tuning tuning = builder.build()
                .tune(table, Tuning.Plan.ofShares(0.2, 0.5).withFolds(3).withSeed(2), Tuning.Listener.NONE);
        for (int f = 0; f < 3; f++) {
            Table training = table.select(tuning.folds().training(f));
            Table heldOut = table.select(tuning.folds().heldOut(f));
            for (int j = 0; j < 2; j++) {
                StackelbergModel model =
                        builder.gammaShare(j == 0 ? 0.2 : 0.5).build().fit(training);
                double expected = loss(model, heldOut, model.gamma());
                assertThat(tuning.foldLoss(f, j, tuning.gammas()[j])).isCloseTo(expected, within(1e-6 * expected));
            }
        }
    }

    @Test
    void everyGammaIsCombinedWithEveryRidge() {
        Table table = table(160, 0);
        double[] ridges = {0, 0.03};
        StackelbergRegression.Builder builder = without(logistic(), "said", "score");
        Tuning all = builder.build().tune(table, PLAN.withRidges(ridges), Tuning.Listener.NONE);
        for (int k = 0; k < ridges.length; k++) {
            Tuning alone = builder.ridge(ridges[k]).build().tune(table, PLAN, Tuning.Listener.NONE);
            for (int j = 0; j < GAMMAS.length; j++) {
                assertThat(all.loss(k * GAMMAS.length + j, 2)).isEqualTo(alone.loss(j, 2));
            }
        }
    }

    /** The log loss of the share of yeses, which no score can pull. */
    @Test
    void theConstantRuleForLogisticLossIsTheShareOfYes() {
        Table table = table(160, 0);
        Tuning tuning = without(logistic(), "said", "score").build().tune(table, PLAN, Tuning.Listener.NONE);
        double[] y = table.numeric("answer").values();
        double expected = 0;
        for (int f = 0; f < 3; f++) {
            double mean = Arrays.stream(tuning.folds().training(f))
                    .mapToDouble(i -> y[i])
                    .average()
                    .orElseThrow();
            for (int i : tuning.folds().heldOut(f)) {
                expected -= Math.log(y[i] == 1 ? mean : 1 - mean) / y.length;
            }
        }
        assertThat(tuning.meanLoss()).isCloseTo(expected, within(1e-12));
    }

    /** Wishes of arrays are probabilities, as those of tables are. */
    @Test
    void tuningArraysEqualsTuningTables() {
        Table table = table(120, 0);
        String[] names = {"income", "year", "debt"};
        double[][] x = new double[120][3];
        double[] z = new double[120];
        for (int i = 0; i < 120; i++) {
            for (int j = 0; j < 3; j++) {
                x[i][j] = table.numeric(names[j]).value(i);
            }
            z[i] = 0.9;
        }
        Tuning rows = logistic().features(List.of(names)).build().tune(table, PLAN, Tuning.Listener.NONE);
        Tuning block = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .loss(Loss.LOGISTIC)
                .threads(1)
                .build()
                .tune(DenseMatrix.of(x), table.numeric("answer").values(), z, PLAN, Tuning.Listener.NONE);
        for (int j = 0; j < GAMMAS.length; j++) {
            assertThat(block.loss(j, 2)).isCloseTo(rows.loss(j, 2), within(1e-7));
        }
    }

    @Test
    void theAnswerIsTheSameOnAnyNumberOfThreadsAndItCanBeStopped() {
        Table table = table(90, 0);
        StackelbergRegression.Builder builder = without(logistic(), "said", "score");
        List<Double> told = new ArrayList<>();
        Tuning one = builder.threads(1).build().tune(table, PLAN, (phase, fraction) -> {
            assertThat(fraction).isGreaterThanOrEqualTo(told.isEmpty() ? 0 : told.get(told.size() - 1));
            return told.add(fraction);
        });
        Tuning three = builder.threads(3).build().tune(table, PLAN, Tuning.Listener.NONE);

        assertThat(told.get(told.size() - 1)).isEqualTo(1);
        assertThat(three.curve(2)).isEqualTo(one.curve(2));
        assertThatThrownBy(() -> builder.build().tune(table, PLAN, (phase, fraction) -> fraction < 0.3))
                .isInstanceOf(CancellationException.class);
    }

    @Test
    void aFoldWithoutAYesIsRefusedByNumber() {
        Table people = table(12, 0);
        double[] answer = new double[12];
        answer[5] = 1;
        Table table = Table.of(people.column("income"), people.column("debt"), NumericColumn.of("answer", answer));
        assertThatThrownBy(() -> logistic().ignore(java.util.Set.of()).build().tune(table, PLAN, Tuning.Listener.NONE))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("All rows with answer yes and positive weight are in fold");
    }
}
