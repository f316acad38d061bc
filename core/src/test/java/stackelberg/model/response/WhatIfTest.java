package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.Training;
import stackelberg.solver.SolverOptions;

/** What if the game is not the declared one: every figure again by hand, from the rules and the formula of the response. */
class WhatIfTest {
    private static final double TARGET = 1.5;

    /** Two numbers, y, a wish, a weight and everybody's gamma, of whom some never move; five households of a kind. */
    private static Table table(int rows) {
        Random random = new Random(5);
        double[][] values = new double[6][rows];
        String[] households = new String[rows];
        for (int i = 0; i < rows; i++) {
            values[0][i] = random.nextGaussian();
            values[1][i] = 10 * random.nextDouble();
            values[2][i] = values[0][i] + 0.3 * values[1][i] + random.nextGaussian();
            values[3][i] = values[2][i] + 2 * random.nextDouble();
            values[4][i] = 0.5 + random.nextDouble();
            values[5][i] = i % 7 == 0 ? 1e30 : 0.2 + random.nextDouble();
            households[i] = "house " + i % 11;
        }
        return Table.of(
                NumericColumn.of("a", values[0]),
                NumericColumn.of("b", values[1]),
                NumericColumn.of("y", values[2]),
                NumericColumn.of("hope", values[3]),
                NumericColumn.of("counts", values[4]),
                NumericColumn.of("effort", values[5]),
                CategoricalColumn.of("household", households));
    }

    private static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder().hedge(Hedge.NONE).target("y").features(List.of("a", "b"));
    }

    private static WhatIf whatIf(StackelbergRegression regression, Table table) {
        Training training = regression.training(table);
        return WhatIf.of(training, training.fit()).orElseThrow();
    }

    /** Sums of squares of one rule in the five worlds, and what they are divided by. */
    private static final class ByHand {
        private final double[] squares = new double[5];
        private double weight;

        double rmse(WhatIf.Doubt doubt) {
            return Math.sqrt(squares[doubt.ordinal()] / weight);
        }

        void add(double s, double omega, double gamma, double p, double z, double y, double[] noise, double truthful) {
            weight += s;
            double moved = 1 - truthful;
            squares[0] += s * expected(omega, gamma, p, z, y, noise[0], truthful);
            squares[1] += s * expected(omega, gamma / 2, p, z, y, noise[0], truthful);
            squares[2] += s * expected(omega, 2 * gamma, p, z, y, noise[0], truthful);
            squares[3] += s * expected(omega, gamma, p, z, y, Math.hypot(noise[0], noise[1]), truthful);
            squares[4] += s * expected(omega, gamma, p, z, y, noise[0], truthful + moved / 3);
        }

        private static double expected(
                double omega, double gamma, double p, double z, double y, double noise, double truthful) {
            double t = gamma >= 1e29 ? 0 : omega / (gamma + omega);
            double after = p + t * (z - p);
            return truthful * (p - y) * (p - y) + (1 - truthful) * ((after - y) * (after - y) + t * t * noise * noise);
        }
    }

    private static double score(PublishedRule rule, Table rows, int i) {
        return rule.intercept()
                + rule.coefficients().get("a") * rows.numeric("a").value(i)
                + rule.coefficients().get("b") * rows.numeric("b").value(i);
    }

    private static double halfOfTheSpread(Table table, double[] s) {
        double[] y = table.numeric("y").values();
        double total = Arrays.stream(s).sum();
        double mean = 0;
        double square = 0;
        for (int i = 0; i < y.length; i++) {
            mean += s[i] * y[i] / total;
            square += s[i] * y[i] * y[i] / total;
        }
        return 0.5 * Math.sqrt(square - mean * mean);
    }

    private static double[] ones(int rows) {
        double[] ones = new double[rows];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static void assertRows(WhatIf found, ByHand rule, ByHand today) {
        assertThat(found.rows())
                .extracting(WhatIf.Row::doubt)
                .containsExactly(java.util.Arrays.copyOf(WhatIf.Doubt.values(), 5));
        for (WhatIf.Row row : found.rows()) {
            assertThat(row.error()).as(row.toString()).isCloseTo(rule.rmse(row.doubt()), within(1e-9));
            assertThat(row.todayError()).as(row.toString()).isCloseTo(today.rmse(row.doubt()), within(1e-9));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7})
    void heldOutFiguresAreThoseOfFiveFoldsByHand(long seed) {
        Table table = table(60);
        StackelbergRegression regression =
                regression().wish("max(today," + TARGET + ")").seed(seed).build();
        double[] noise = {0, halfOfTheSpread(table, ones(60))};
        ByHand rule = new ByHand();
        ByHand today = new ByHand();
        Folds folds = Resampling.of(60, seed).folds(5);
        for (int f = 0; f < 5; f++) {
            StackelbergModel model = regression.fit(table.select(folds.training(f)));
            PublishedRule before = model.game().today().rule();
            double omegaBefore = model.world().omega(before);
            // 30% of the gap, under the rule that these people alone teach
            assertThat(model.gamma()).isCloseTo(omegaBefore * 7 / 3, within(1e-12 * model.gamma()));
            for (int i : folds.heldOut(f)) {
                double y = table.numeric("y").value(i);
                double z = Math.max(score(before, table, i), TARGET);
                rule.add(1, model.omega(), model.gamma(), score(model.rule(), table, i), z, y, noise, 0);
                today.add(1, omegaBefore, model.gamma(), score(before, table, i), z, y, noise, 0);
            }
        }

        WhatIf found = whatIf(regression, table);

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
        assertThat(found.wishError()).isCloseTo(noise[1], within(1e-12));
        assertRows(found, rule, today);
    }

    @Test
    void heldOutRowsHaveTheirOwnWeightsAndGammas() {
        Table table = table(70);
        double[] s = table.numeric("counts").values();
        StackelbergRegression regression = regression()
                .wish("hope")
                .weight("counts")
                .rowGamma("effort")
                .truthfulShare(0.2)
                .wishNoise(0.4)
                // where rules are searched for, a fold's is no nearer than this
                .options(SolverOptions.DEFAULT.withTolerance(1e-4))
                .build();
        double[] noise = {0.4, halfOfTheSpread(table, s)};
        ByHand rule = new ByHand();
        ByHand today = new ByHand();
        Folds folds = Resampling.of(70, 0).folds(5);
        for (int f = 0; f < 5; f++) {
            Training learned = regression.training(table.select(folds.training(f)));
            StackelbergModel model = learned.fit();
            PublishedRule before = learned.today().orElseThrow().rule();
            for (int i : folds.heldOut(f)) {
                double y = table.numeric("y").value(i);
                double z = table.numeric("hope").value(i);
                double gamma = table.numeric("effort").value(i);
                rule.add(s[i], model.omega(), gamma, score(model.rule(), table, i), z, y, noise, 0.2);
                today.add(s[i], model.world().omega(before), gamma, score(before, table, i), z, y, noise, 0.2);
            }
        }

        WhatIf found = whatIf(regression, table);

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
        assertRows(found, rule, today);
    }

    /** Unless they are counted in scales. */
    @Test
    void rowsWithZeroWeightChangeNothing() {
        Table table = table(120);
        double[] weights = table.numeric("counts").values();
        for (int i = 0; i < weights.length; i += 3) {
            weights[i] = 0;
        }
        Table all = table.with(new NumericColumn("now", weights));
        int[] counted = IntStream.range(0, 120).filter(i -> weights[i] > 0).toArray();
        StackelbergRegression regression = regression()
                .wish("hope")
                .gamma(0.5)
                .weight("now")
                .scaling(Scaling.NONE)
                .build();

        WhatIf found = whatIf(regression, all);
        WhatIf alone = whatIf(regression, all.select(counted));

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
        assertThat(found.wishError()).isCloseTo(alone.wishError(), within(1e-12));
        for (int k = 0; k < found.rows().size(); k++) {
            assertThat(found.rows().get(k).error())
                    .isCloseTo(alone.rows().get(k).error(), within(1e-9));
            assertThat(found.rows().get(k).todayError())
                    .isCloseTo(alone.rows().get(k).todayError(), within(1e-9));
        }
    }

    @Test
    void rowsOfOneGroupAreHeldOutTogether() {
        Table table = table(77);
        StackelbergRegression regression =
                regression().wish("hope").gamma(0.5).group("household").build();
        double[] noise = {0, halfOfTheSpread(table, ones(77))};
        ByHand rule = new ByHand();
        ByHand today = new ByHand();
        Folds folds = Resampling.of(table.rows(), 0).grouped(table, "household").folds(5);
        for (int f = 0; f < 5; f++) {
            Training learned = regression.training(table.select(folds.training(f)));
            StackelbergModel model = learned.fit();
            PublishedRule before = learned.today().orElseThrow().rule();
            for (int i : folds.heldOut(f)) {
                double y = table.numeric("y").value(i);
                double z = table.numeric("hope").value(i);
                rule.add(1, model.omega(), 0.5, score(model.rule(), table, i), z, y, noise, 0);
                today.add(1, model.world().omega(before), 0.5, score(before, table, i), z, y, noise, 0);
            }
        }

        WhatIf found = whatIf(regression, table);

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_GROUPS);
        assertRows(found, rule, today);
    }

    static Stream<Consumer<StackelbergRegression.Builder>> games() {
        return Stream.of(
                game -> game.wish("max(today,1.5)"),
                game -> game.wish("max(today,1.5)").today(Today.CROSS_FITTED),
                game -> game.wish("hope").gamma(0.5).wishNoise(0.3),
                game -> game.wish("hope").weight("counts"),
                game -> game.wish("hope").gamma(0.5).truthfulShare(0.25),
                game -> game.wish("hope").rowGamma("effort"),
                game -> game.wish("hope").ridge(0.1),
                game -> game.wish("hope").hedge(0.02),
                game -> game.wish("hope").intercept(GameSpec.Intercept.MANIPULABLE),
                game -> game.wish("hope").today(Today.given(new PublishedRule("r", 1, Map.of("a", 2.0)), "")));
    }

    /** Of fewer than fifty people nobody is held out; what was promised is then what the model says. */
    @ParameterizedTest
    @MethodSource("games")
    void fewRowsAreEvaluatedOnTheSampleWithTheModelsLoss(Consumer<StackelbergRegression.Builder> declared) {
        Table table = table(49);
        StackelbergRegression.Builder builder = regression();
        declared.accept(builder);
        Training training = builder.build().training(table);
        StackelbergModel model = training.fit();

        WhatIf found = WhatIf.of(training, model).orElseThrow();

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.SAMPLE);
        double rule = model.rmse(model.losses().anticipated()).orElseThrow();
        double today = model.rmse(model.losses().naiveAttacked()).orElseThrow();
        assertThat(found.promised().error()).isCloseTo(rule, within(1e-9 * rule));
        assertThat(found.promised().todayError()).isCloseTo(today, within(1e-9 * today));
    }

    /** Every option that changes the game is held out too, without a fold that fails. */
    @ParameterizedTest
    @MethodSource("games")
    void fiftyRowsAreEnoughToHoldSomeOut(Consumer<StackelbergRegression.Builder> declared) {
        StackelbergRegression.Builder builder = regression();
        declared.accept(builder);

        assertThat(whatIf(builder.build(), table(50)).judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
    }

    @Test
    void figuresOnTheSampleEqualTheCalculationByHand() {
        Table table = table(40);
        Training training = regression().wish("hope").gamma(0.5).build().training(table);
        StackelbergModel model = training.fit();
        PublishedRule before = training.today().orElseThrow().rule();
        double[] noise = {0, halfOfTheSpread(table, ones(40))};
        ByHand rule = new ByHand();
        ByHand today = new ByHand();
        for (int i = 0; i < 40; i++) {
            double y = table.numeric("y").value(i);
            double z = table.numeric("hope").value(i);
            rule.add(1, model.omega(), 0.5, score(model.rule(), table, i), z, y, noise, 0);
            today.add(1, model.world().omega(before), 0.5, score(before, table, i), z, y, noise, 0);
        }

        assertRows(WhatIf.of(training, model).orElseThrow(), rule, today);
    }

    @Test
    void arraysHaveTheFiguresOfTheTable() {
        Table table = table(60);
        double[] y = table.numeric("y").values();
        double[] z = table.numeric("hope").values();
        DenseMatrix x = DenseMatrix.zeros(60, 2);
        x.setColumn(0, table.numeric("a").values());
        x.setColumn(1, table.numeric("b").values());
        Training arrays =
                StackelbergRegression.builder().hedge(Hedge.NONE).build().training(x, y, z);

        WhatIf found = WhatIf.of(arrays, arrays.fit()).orElseThrow();
        WhatIf expected = whatIf(regression().wish("hope").build(), table);

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
        for (int k = 0; k < 5; k++) {
            assertThat(found.rows().get(k).error())
                    .isCloseTo(expected.rows().get(k).error(), within(1e-9));
            assertThat(found.rows().get(k).todayError())
                    .isCloseTo(expected.rows().get(k).todayError(), within(1e-9));
        }
    }

    /** Searches in folds stop early: their errors are those of an exact one to the digits that are shown. */
    @Test
    void hedgedRulesOfFoldsAreAccurateEnough() {
        Table table = table(60);
        StackelbergRegression regression =
                regression().wish("hope").gamma(0.5).hedge(0.02).build();
        double[] noise = {0, halfOfTheSpread(table, ones(60))};
        ByHand rule = new ByHand();
        Folds folds = Resampling.of(60, 0).folds(5);
        for (int f = 0; f < 5; f++) {
            StackelbergModel model = regression.fit(table.select(folds.training(f)));
            for (int i : folds.heldOut(f)) {
                double y = table.numeric("y").value(i);
                double z = table.numeric("hope").value(i);
                rule.add(1, model.omega(), 0.5, score(model.rule(), table, i), z, y, noise, 0);
            }
        }

        for (WhatIf.Row row : whatIf(regression, table).rows()) {
            assertThat(row.error()).isCloseTo(rule.rmse(row.doubt()), within(5e-5 * row.error()));
        }
    }

    /** Without the only person who differs nothing can be learned, so that nobody can be held out. */
    @Test
    void ifAFoldCannotBeLearnedTheSampleIsUsed() {
        double[] only = new double[60];
        only[3] = 1;
        double[] y = new double[60];
        double[] z = new double[60];
        for (int i = 0; i < 60; i++) {
            y[i] = only[i] * 5 + (i % 4) * 0.1;
            z[i] = 1 + i % 3;
        }
        Table table = Table.of(NumericColumn.of("only", only), NumericColumn.of("y", y), NumericColumn.of("hope", z));
        StackelbergRegression regression = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("hope")
                .build();

        assertThat(whatIf(regression, table).judged()).isEqualTo(WhatIf.Judged.SAMPLE);
    }

    @Test
    void withoutAFiniteRuleOrTodaysRuleThereIsNoResult() {
        Table table = table(60);
        Training believing = regression().wish("y+2").build().training(table);
        StackelbergModel none = believing.fit();
        assertThat(none.optimality().finite()).isFalse();
        assertThat(WhatIf.of(believing, none)).isEmpty();

        int side = Training.NAIVE_SIDE + 1;
        DenseMatrix x = DenseMatrix.zeros(side, side);
        Random random = new Random(1);
        double[] y = random.doubles(side).toArray();
        for (int i = 0; i < side; i++) {
            x.set(i, i, 1 + random.nextDouble());
        }
        Training large = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .gamma(1)
                .build()
                .training(x, y, y);
        StackelbergModel some = regression().wish("hope").build().fit(table);
        assertThat(WhatIf.of(large, some)).isEmpty();
    }

    /** The rule of wine costs most where people turn out to be truthful: it counts on their moves. */
    @Test
    void onWineTruthfulRowsIncreaseTheLossMost() {
        Table wine = DataFile.read(RealData.file("wine.csv"), Workers.of(1));
        WhatIf found = whatIf(
                StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .target("quality")
                        .wish("max(today,6)")
                        .build(),
                wine);

        assertThat(found.judged()).isEqualTo(WhatIf.Judged.HELD_OUT_PEOPLE);
        WhatIf.Row worst = found.worst().orElseThrow();
        assertThat(worst.doubt()).isEqualTo(WhatIf.Doubt.THIRD_TRUTHFUL);
        assertThat(worst.error()).isGreaterThan(1.05 * found.promised().error()).isGreaterThan(worst.todayError());
        assertThat(found.promised().error()).isLessThan(found.promised().todayError());
    }

    @Test
    void theWorstCaseHasTheLargestError() {
        WhatIf found = whatIf(regression().wish("hope").build(), table(60));

        double largest =
                found.rows().stream().mapToDouble(WhatIf.Row::error).max().orElseThrow();
        assertThat(found.worst().orElseThrow().error()).isEqualTo(largest);
    }
}
