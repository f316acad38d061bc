package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;

/** Today's rule: what {@code today} in a wish means, and gamma as a share of the gap that people close under it. */
class TodayTest {
    /** A level that has no column of its own is scored as the rule says, in every figure. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5})
    void theBaseLevelIsScoredByItsCoefficient(double huber) {
        Random random = new Random(4);
        int rows = 80;
        double[] x = random.doubles(rows, -1, 1).toArray();
        String[] region = new String[rows];
        double[] y = new double[rows];
        double expected = 0;
        Loss loss = huber == 0 ? Loss.SQUARED : Loss.huber(huber);
        for (int i = 0; i < rows; i++) {
            region[i] = i % 3 == 0 ? "north" : i % 3 == 1 ? "south" : "west";
            y[i] = x[i] + (i % 3 == 0 ? 5 : 0) + 0.3 * random.nextGaussian();
            double score = 2 * x[i] + (i % 3 == 0 ? 4 : 0) + (i % 3 == 1 ? 1 : 0);
            expected += loss.value(score, y[i]);
        }
        Table table =
                Table.of(NumericColumn.of("x", x), CategoricalColumn.of("region", region), NumericColumn.of("y", y));
        PublishedRule card = new PublishedRule("card", 0, Map.of("x", 2.0, "region=north", 4.0, "region=south", 1.0));
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(today,1)")
                .gamma(1)
                .loss(loss)
                .today(Today.given(card, "card"))
                .build()
                .fit(table);

        assertThat(model.losses().naive()).isCloseTo(expected, within(1e-9 * expected));
    }

    /** Where regression fits everybody, it is plain regression, and not one with a ridge because it does not end. */
    @Test
    void anExactFitWithHuberLossNeedsNoRidge() {
        double[] x = new Random(6).doubles(50, -1, 1).toArray();
        double[] y = Arrays.stream(x).map(value -> 2 * value + 3).toArray();
        StackelbergModel model = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(today,4)")
                .gamma(1)
                .loss(Loss.huber(1))
                .build()
                .fit(Table.of(NumericColumn.of("x", x), NumericColumn.of("y", y)));
        Today today = model.game().today();

        assertThat(today.source()).doesNotContain("ridge");
        assertThat(today.rule().coefficients().get("x")).isCloseTo(2, within(1e-9));
        assertThat(today.rule().intercept()).isCloseTo(3, within(1e-9));
    }

    /** Columns beside a block count as they do in a table. */
    @Test
    void aRuleMayUseColumnsBesideABlock() {
        Random random = new Random(5);
        double[][] x = new double[40][2];
        double[] other = random.doubles(40).toArray();
        double[] y = new double[40];
        for (int i = 0; i < y.length; i++) {
            x[i] = new double[] {random.nextGaussian(), random.nextGaussian()};
            y[i] = x[i][0] + other[i] + 0.1 * random.nextGaussian();
        }
        NumericColumn[] beside = {NumericColumn.of("y", y), NumericColumn.of("other", other)};
        Table block = Table.ofBlock(DenseMatrix.of(x), List.of("a", "b"), beside);
        Table columns = Table.of(
                NumericColumn.of(
                        "a", Arrays.stream(x).mapToDouble(row -> row[0]).toArray()),
                NumericColumn.of(
                        "b", Arrays.stream(x).mapToDouble(row -> row[1]).toArray()),
                beside[0],
                beside[1]);
        StackelbergRegression game = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(today,1)")
                .gamma(1)
                .ignore(Set.of("other"))
                .today(Today.given(new PublishedRule("card", 0, Map.of("a", 1.0, "other", 3.0)), "card"))
                .build();

        assertThat(game.fit(block).losses().naive())
                .isCloseTo(game.fit(columns).losses().naive(), within(1e-9));
        assertThat(game.fit(block).losses().anticipated())
                .isCloseTo(game.fit(columns).losses().anticipated(), within(1e-8));
    }

    private static final int ROWS = 120;

    /** People with two features, a group, and a column outside the game. */
    private static Table people(double unit, double money) {
        Random random = new Random(17);
        double[] debt = new double[ROWS];
        double[] income = new double[ROWS];
        double[] other = new double[ROWS];
        double[] y = new double[ROWS];
        double[] hope = new double[ROWS];
        String[] town = new String[ROWS];
        for (int i = 0; i < ROWS; i++) {
            debt[i] = 10 + 3 * random.nextGaussian();
            income[i] = 5 + random.nextGaussian();
            other[i] = random.nextGaussian();
            town[i] = List.of("A", "B", "C").get(random.nextInt(3));
            y[i] = (4 * income[i] - debt[i] + (town[i].equals("B") ? 2 : 0) + random.nextGaussian()) * money;
            hope[i] = Math.max(y[i], 12 * money) + money * random.nextGaussian();
            debt[i] *= unit;
        }
        return Table.of(List.<Column>of(
                NumericColumn.of("debt", debt),
                NumericColumn.of("income", income),
                CategoricalColumn.of("town", town),
                NumericColumn.of("other", other),
                NumericColumn.of("score", y),
                NumericColumn.of("hope", hope)));
    }

    private static StackelbergRegression.Builder game() {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("score")
                .wish("max(today, 12)")
                .ignore(Set.of("other", "hope"));
    }

    @Test
    void aWishThatUsesTodayEqualsAColumnOfLeastSquaresScores() {
        Table table = people(1, 1);
        Training training = game().build().training(table);
        StackelbergModel model = training.fit();

        double[] scores =
                training.sample().predictions(training.today().orElseThrow().rule(), Workers.of(1));
        List<Column> columns =
                new ArrayList<>(table.names().stream().map(table::column).toList());
        columns.add(NumericColumn.of(
                "wished", Arrays.stream(scores).map(s -> Math.max(s, 12)).toArray()));
        StackelbergModel same = game().wish("wished")
                .ignore(Set.of("other", "hope"))
                .gamma(model.gamma())
                .build()
                .fit(Table.of(columns));

        assertThat(model.optimality().certified()).isTrue();
        assertThat(model.game().today().source()).isEqualTo("least squares");
        model.coefficients().forEach((name, value) -> assertThat(value)
                .isCloseTo(same.coefficients().get(name), within(1e-10)));
    }

    @Test
    void aShareIsThePullThroughUnderTodaysRule() {
        Training training = game().gammaShare(0.25).build().training(people(1, 1));
        StackelbergModel model = training.fit();

        assertThat(model.world().pullThrough(training.today().orElseThrow().rule()))
                .isCloseTo(0.25, within(1e-12));
        assertThat(model.world().gammaShare().getAsDouble()).isCloseTo(0.25, within(1e-12));
    }

    @Test
    void theDefaultShareIsThreeTenths() {
        StackelbergModel model = game().build().fit(people(1, 1));

        assertThat(model.game().gammaShare()).hasValue(0.3);
        assertThat(model.world().gammaShare().getAsDouble()).isCloseTo(0.3, within(1e-12));
    }

    @ParameterizedTest
    @EnumSource(names = {"STANDARD", "RANGE"})
    void sharesDoNotDependOnUnits(Scaling scaling) {
        double usual = game().scaling(scaling).build().fit(people(1, 1)).pullThrough();
        double inThousands = game().scaling(scaling)
                .wish("max(today, 12000)")
                .build()
                .fit(people(1, 1000))
                .pullThrough();
        double otherUnit = game().scaling(scaling).build().fit(people(1000, 1)).pullThrough();

        assertThat(usual).isBetween(0.01, 0.9);
        assertThat(inThousands).isCloseTo(usual, within(1e-10));
        assertThat(otherUnit).isCloseTo(usual, within(1e-10));
    }

    @Test
    void aGivenRuleMayUseOtherColumnsIfGammaIsANumber() {
        Map<String, Double> coefficients = new LinkedHashMap<>();
        coefficients.put("income", 3.0);
        coefficients.put("other", 1.0);
        coefficients.put("town=A", -1.0);
        Today today = Today.given(new PublishedRule("card", 2, coefficients), "card.csv");
        Table table = people(1, 1);
        StackelbergModel model =
                game().wish("today + hope").today(today).gamma(50).build().fit(table);

        double[] p = model.predict(table);
        double[] z = model.wishes(table, p).orElseThrow();
        for (int i = 0; i < ROWS; i++) {
            boolean a = table.column("town").text(i).orElseThrow().equals("A");
            double score = 2
                    + 3 * table.numeric("income").value(i)
                    + table.numeric("other").value(i)
                    - (a ? 1 : 0);
            assertThat(z[i]).isCloseTo(score + table.numeric("hope").value(i), within(1e-12));
        }
        assertThat(Verification.of(model, table, Workers.of(1)).refuted()).isEmpty();
        assertThatThrownBy(() -> game().today(today).gammaShare(0.3).build().fit(table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'other'")
                .hasMessageContaining("Maybe");
    }

    @Test
    void aShareIsRefusedIfTodaysRuleRewardsNothingManipulable() {
        assertThatThrownBy(() -> game().immutable(Set.of("debt", "income", "town"))
                        .build()
                        .fit(people(1, 1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("no manipulable feature");
    }

    /** Values of the data, so a fault of theirs: a gamma that is declared is checked before. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-40, 1e40})
    void aShareThatMakesGammaTooSmallOrTooLargeIsRefusedAsData(double unit) {
        double[] x = {1, 2, 3, 5, 4, 2.5};
        double[] y = {1.1, 1.9, 3.2, 4.8, 4.1, 2.2};
        Table table = Table.of(
                NumericColumn.of("x", x),
                NumericColumn.of("y", Arrays.stream(y).map(v -> unit * v).toArray()));

        assertThatThrownBy(() -> StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .target("y")
                        .wish("max(y," + unit + ")")
                        .build()
                        .fit(table))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("gamma is ")
                .hasMessageContaining("Maybe measure in other units");
    }

    @Test
    void aShareTogetherWithIndividualGammasIsRefused() {
        assertThatThrownBy(() -> game().gammaShare(0.3).rowGamma("other").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rowGamma(...)");
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, 30, Double.NaN})
    void aShareLiesBetween0And1(double share) {
        assertThatThrownBy(() -> game().gammaShare(share).build()).isInstanceOf(IllegalArgumentException.class);
    }

    /** Statistics of today are frozen, and the rule itself is kept: new people are scored by it. */
    @Test
    void wishesOfNewRowsUseTheStoredRule() {
        Table table = people(1, 1);
        StackelbergModel model =
                game().wish("max(today, quantile(today, 0.75))").build().fit(table);
        StackelbergModel loaded = ModelFile.fromJson(ModelFile.toJson(model), "model.json");
        Table few = table.select(new int[] {3, 5, 8});

        double[] all = model.wishes(table, model.predict(table)).orElseThrow();
        double[] some = loaded.wishes(few, loaded.predict(few)).orElseThrow();

        assertThat(some).containsExactly(new double[] {all[3], all[5], all[8]}, within(1e-12));
        assertThat(loaded.game().today()).isEqualTo(model.game().today());
        assertThat(loaded.game().gammaShare()).hasValue(0.3);
        assertThat(Verification.of(loaded, table, Workers.of(1)).refuted()).isEmpty();
    }

    /** Everybody is scored by a rule that did not see them: scores explain less of the truth than least squares'. */
    @Test
    void crossFittedScoresDoNotUseARowsOwnTruth() {
        double inSample = 0;
        double crossFitted = 0;
        int samples = 10;
        for (int seed = 0; seed < samples; seed++) {
            Table table = noise(new Random(seed));
            double[] y = table.numeric("y").values();
            var builder = StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target("y")
                    .wish("today")
                    .gamma(10);
            StackelbergModel plain = builder.build().fit(table);
            Training training = builder.today(Today.CROSS_FITTED).build().training(table);
            StackelbergModel crossed = training.fit();

            inSample += correlation(plain.wishes(table, plain.predict(table)).orElseThrow(), y) / samples;
            crossFitted += correlation(training.sample().z(), y) / samples;
            assertThat(plain.warnings()).anyMatch(w -> w.text().contains("CROSS_FITTED"));
            assertThat(crossed.warnings()).noneMatch(w -> w.text().contains("CROSS_FITTED"));
            assertThat(Verification.of(crossed, table, Workers.of(1)).refuted()).isEmpty();
        }
        assertThat(inSample).isGreaterThan(0.4);
        // the standard deviation of the mean is 0.035 where nothing is known
        assertThat(crossFitted).isLessThan(0.1);
    }

    /** 80 rows of 30 features that say nothing of the target. */
    private static Table noise(Random random) {
        int n = 30;
        double[][] x = new double[80][n];
        double[] y = new double[80];
        for (int i = 0; i < x.length; i++) {
            x[i] = random.doubles(n, -1, 1).toArray();
            y[i] = random.nextGaussian();
        }
        List<Column> columns = new ArrayList<>();
        for (int j = 0; j < n; j++) {
            int column = j;
            columns.add(NumericColumn.of(
                    "x" + j, Arrays.stream(x).mapToDouble(row -> row[column]).toArray()));
        }
        columns.add(NumericColumn.of("y", y));
        return Table.of(columns);
    }

    private static double correlation(double[] a, double[] b) {
        double meanA = Arrays.stream(a).average().orElseThrow();
        double meanB = Arrays.stream(b).average().orElseThrow();
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++) {
            ab += (a[i] - meanA) * (b[i] - meanB);
            aa += (a[i] - meanA) * (a[i] - meanA);
            bb += (b[i] - meanB) * (b[i] - meanB);
        }
        return ab / Math.sqrt(aa * bb);
    }

    /** Wide data have no least squares to go by. */
    @Test
    void todaysRuleIsRidgeIfLeastSquaresIsIllPosed() {
        Table table = people(1, 1).select(new int[] {0, 1, 2, 3, 4, 5});
        StackelbergModel model = game().build().fit(table);

        assertThat(model.game().today().source()).startsWith("ridge ");
    }

    /** In each fold the rule, the wishes and omega are those of its training rows: as fitting and judging by hand. */
    @ParameterizedTest
    @CsvSource({"STANDARD, IMMUTABLE", "RANGE, IMMUTABLE", "NONE, NONE"})
    void eachFoldHasItsOwnTodaysRuleWishesAndGamma(Scaling scaling, GameSpec.Intercept intercept) {
        Table table = people(1, 1);
        StackelbergRegression regression = game().wish("max(today, quantile(today, 0.6))")
                .scaling(scaling)
                .intercept(intercept)
                .build();
        double share = 0.4;
        Tuning tuning = regression.tune(table, Tuning.Plan.ofShares(share).withFolds(4), Tuning.Listener.NONE);

        double sum = 0;
        for (int f = 0; f < 4; f++) {
            StackelbergModel model = regression.toBuilder()
                    .gammaShare(share)
                    .build()
                    .fit(table.select(tuning.folds().training(f)));
            Table held = table.select(tuning.folds().heldOut(f));
            double[] p = model.predict(held);
            double[] moved = model.afterResponse(p, model.wishes(held, p).orElseThrow());
            double[] y = held.numeric("score").values();
            for (int i = 0; i < y.length; i++) {
                sum += (moved[i] - y[i]) * (moved[i] - y[i]);
            }
        }
        assertThat(tuning.loss(0, tuning.gammaOf(share))).isCloseTo(sum / ROWS, within(1e-8));
        assertThat(tuning.shareOf(tuning.gammas()[0]).getAsDouble()).isCloseTo(share, within(1e-12));
    }

    /** Numbers as they are: the same rule as from columns. */
    @Test
    void todaysRuleIsLearnedFromArraysToo() {
        Random random = new Random(5);
        double[][] x = new double[60][3];
        double[] y = new double[60];
        double[] z = new double[60];
        for (int i = 0; i < x.length; i++) {
            x[i] = random.doubles(3, 0, 10).toArray();
            y[i] = x[i][0] - 2 * x[i][1] + random.nextGaussian();
            z[i] = Math.max(y[i], 1) + random.nextGaussian();
        }
        StackelbergModel arrays =
                StackelbergRegression.builder().hedge(Hedge.NONE).build().fit(x, y, z);

        List<Column> columns = new ArrayList<>();
        for (int j = 0; j < 3; j++) {
            int column = j;
            columns.add(NumericColumn.of(
                    "" + (j + 1), Arrays.stream(x).mapToDouble(r -> r[column]).toArray()));
        }
        columns.add(NumericColumn.of("y", y));
        columns.add(NumericColumn.of("z", z));
        StackelbergModel named = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("z")
                .build()
                .fit(Table.of(columns));

        assertThat(arrays.gamma()).isCloseTo(named.gamma(), within(1e-9 * named.gamma()));
        assertThat(arrays.pullThrough()).isCloseTo(named.pullThrough(), within(1e-10));
    }
}
