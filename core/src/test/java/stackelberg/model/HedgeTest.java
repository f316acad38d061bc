package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.data.Encoding;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.LinearRule;
import stackelberg.game.PublishedRule;
import stackelberg.game.Settings;
import stackelberg.linalg.Workers;
import stackelberg.objective.Solution;

/** A hedge, from the builder to the model file: the frontier of real games as it is known, and what does not go together with it. */
class HedgeTest {
    private static final Workers WORKERS = Workers.of(2);

    /** A real game whose wishes are about the score of least squares, at the gamma at which people would close 30% of the gap under it. */
    enum Real {
        WINE("wine.csv", "quality", "max(ols,6)"),
        INSURANCE("insurance.csv", "charges", "min(ols,10000)");

        private final String file;
        private final String target;
        private final String wish;

        Real(String file, String target, String wish) {
            this.file = file;
            this.target = target;
            this.wish = wish;
        }

        Table table() {
            Table table = DataFile.read(RealData.file(file), WORKERS);
            PublishedRule ols =
                    honest(Set.of()).training(table).today().orElseThrow().rule();
            Encoding encoding = honest(Set.of()).fit(table).encoding();
            return table.with(NumericColumn.of("ols", ols.predict(encoding, table, Encoding.UnknownLevel.ERROR)));
        }

        private StackelbergRegression honest(Set<String> ignored) {
            return StackelbergRegression.builder()
                    .target(target)
                    .wish("max(y,6)")
                    .ignore(ignored)
                    .gamma(1e9)
                    .build();
        }

        StackelbergRegression.Builder regression(Table table) {
            StackelbergRegression honest = honest(Set.of("ols"));
            StackelbergModel model = honest.fit(table);
            Map<String, Double> ols =
                    honest.training(table).today().orElseThrow().rule().coefficients();
            double omega = 0;
            List<EncodedColumn> columns = model.encoding().columns();
            for (int j = 0; j < columns.size(); j++) {
                double w = ols.get(columns.get(j).name()) * columns.get(j).scale();
                omega += model.terms().get(j).manipulable() ? w * w : 0;
            }
            return StackelbergRegression.builder()
                    .target(target)
                    .wish(wish)
                    .ignore(Set.of("ols"))
                    .gamma(omega * 0.7 / 0.3);
        }
    }

    private static double rmse(StackelbergModel model, double loss) {
        return model.rmse(loss).orElseThrow();
    }

    private static Solution.Hedged.Point at(StackelbergModel model, double share) {
        return model.hedged().orElseThrow().frontier().stream()
                .filter(point -> point.share() == share)
                .findFirst()
                .orElseThrow();
    }

    private static void assertPoint(StackelbergModel model, double share, double honest, double moved, double digit) {
        Solution.Hedged.Point point = at(model, share);
        assertThat(rmse(model, point.honest())).isCloseTo(honest, within(digit / 2));
        assertThat(rmse(model, point.moved())).isCloseTo(moved, within(digit / 2));
    }

    @Test
    void wineHasTheKnownFrontier() {
        Table table = Real.WINE.table();
        StackelbergModel model = Real.WINE.regression(table).hedge(0.05).build().fit(table);

        assertPoint(model, 0, 0.839, 0.648, 0.001);
        assertPoint(model, 0.05, 0.691, 0.649, 0.001);
        assertPoint(model, 0.1, 0.673, 0.651, 0.001);
        assertPoint(model, 0.2, 0.660, 0.653, 0.001);
        assertPoint(model, 1, 0.646, 0.667, 0.001);
    }

    @Test
    void insuranceHasTheKnownFrontier() {
        Table table = Real.INSURANCE.table();
        StackelbergModel model =
                Real.INSURANCE.regression(table).hedge(0.05).build().fit(table);

        assertPoint(model, 0, 7513, 6200, 1);
        assertPoint(model, 0.1, 6597, 6233, 1);
        assertPoint(model, 0.3, 6313, 6297, 1);
        assertPoint(model, 1, 6042, 6893, 1);
    }

    @ParameterizedTest
    @EnumSource(Real.class)
    void aHedgeOfFivePercentKeepsNearlyAllOfTheGain(Real real) {
        Table table = real.table();
        StackelbergModel model = real.regression(table).hedge(0.05).build().fit(table);
        StackelbergModel unhedged =
                real.regression(table).hedge(Hedge.NONE).build().fit(table);
        double naive = rmse(model, model.losses().naive());

        assertThat(model.certified()).isTrue();
        assertThat(model.optimality().relativeGap()).isLessThan(1e-9);
        assertThat(rmse(model, model.losses().honest())).isLessThanOrEqualTo(1.05 * naive * (1 + 1e-12));
        assertThat(rmse(model, model.losses().anticipated()))
                .isBetween(
                        rmse(unhedged, unhedged.losses().anticipated()),
                        1.02 * rmse(unhedged, unhedged.losses().anticipated()));
        assertThat(rmse(unhedged, unhedged.losses().honest())).isGreaterThan(1.2 * naive);
        List<Solution.Hedged.Point> frontier = model.hedged().orElseThrow().frontier();
        assertThat(frontier.get(0).honest())
                .isCloseTo(
                        unhedged.losses().honest(),
                        within(1e-9 * unhedged.losses().honest()));
        assertThat(frontier.get(0).moved())
                .isCloseTo(
                        unhedged.losses().anticipated(),
                        within(1e-12 * unhedged.losses().anticipated()));
        Solution.Hedged.Point last = frontier.get(frontier.size() - 1);
        assertThat(last.honest())
                .isCloseTo(model.losses().naive(), within(1e-12 * model.losses().naive()));
        assertThat(last.moved())
                .isCloseTo(
                        model.losses().naiveAttacked(),
                        within(1e-10 * model.losses().naiveAttacked()));
    }

    /** The bound is met to the last digits, and what few lose who stand for many is not taken for less than it is. */
    @ParameterizedTest
    @EnumSource(Real.class)
    void aVerySmallHedgeIsProvenToo(Real real) {
        Table table = real.table();
        for (double hedge : new double[] {1e-5, 1e-6, 1e-8}) {
            StackelbergModel model = real.regression(table).hedge(hedge).build().fit(table);
            assertThat(model.certified()).as(hedge + " " + model.optimality()).isTrue();
            assertThat(model.losses().honest())
                    .isLessThanOrEqualTo(
                            (1 + hedge) * (1 + hedge) * model.losses().naive() * (1 + 1e-15));
        }
    }

    private static Table people() {
        Random random = new Random(118);
        int rows = 60;
        double[] a = random.doubles(rows, -2, 2).toArray();
        double[] b = random.doubles(rows, -2, 2).toArray();
        double[] age = random.doubles(rows, 20, 70).toArray();
        double[] weight = random.ints(rows, 1, 4).asDoubleStream().toArray();
        double[] y = new double[rows];
        double[] hope = new double[rows];
        for (int i = 0; i < rows; i++) {
            y[i] = 3 * a[i] - b[i] + 0.05 * age[i] + random.nextGaussian();
            hope[i] = Math.max(3 * a[i] - b[i], 1) + 2;
        }
        return Table.of(
                NumericColumn.of("a", a),
                NumericColumn.of("b", b),
                NumericColumn.of("age", age),
                NumericColumn.of("weight", weight),
                NumericColumn.of("y", y),
                NumericColumn.of("hope", hope));
    }

    private static StackelbergRegression.Builder regression() {
        return StackelbergRegression.builder()
                .target("y")
                .wish("hope")
                .immutable(Set.of("age"))
                .ignore(Set.of("weight"))
                .gamma(5);
    }

    @Test
    void aWeightOfTwoEqualsADuplicatedRow() {
        Table table = people();
        double[] weights = table.numeric("weight").values();
        int[] copies = IntStream.range(0, weights.length)
                .flatMap(i -> IntStream.generate(() -> i).limit((long) weights[i]))
                .toArray();
        StackelbergModel weighted = regression()
                .ignore(Set.of())
                .weight("weight")
                .scaling(Scaling.NONE)
                .hedge(0.03)
                .build()
                .fit(table);
        StackelbergModel repeated =
                regression().scaling(Scaling.NONE).hedge(0.03).build().fit(table.select(copies));

        assertThat(weighted.certified()).isTrue();
        assertThat(repeated.certified()).isTrue();
        assertThat(weighted.losses().anticipated())
                .isCloseTo(
                        repeated.losses().anticipated(),
                        within(1e-8 * repeated.losses().anticipated()));
        assertThat(weighted.losses().honest())
                .isCloseTo(
                        repeated.losses().honest(),
                        within(1e-10 * repeated.losses().honest()));
    }

    @Test
    void everyInterceptAndWishNoiseCanBeHedged() {
        Table table = people();
        for (GameSpec.Intercept intercept : GameSpec.Intercept.values()) {
            for (double noise : new double[] {0, 1.5}) {
                StackelbergModel model = regression()
                        .intercept(intercept)
                        .wishNoise(noise)
                        .cost("b", 3)
                        .hedge(0.02)
                        .build()
                        .fit(table);
                String what = intercept + " " + noise + " " + model.optimality();
                assertThat(model.certified()).as(what).isTrue();
                assertThat(model.losses().honest())
                        .as(what)
                        .isLessThanOrEqualTo(1.02 * 1.02 * model.losses().naive() * (1 + 1e-12));
            }
        }
        assertThat(regression().paper().hedge(0.02).build().fit(table).certified())
                .isTrue();
    }

    @Test
    void aPathIsHedgedAtEveryGamma() {
        Table table = people();
        List<StackelbergModel> models = regression().hedge(0.02).build().fitPath(table, 0.5, 5, 50);

        for (StackelbergModel model : models) {
            assertThat(model.certified()).isTrue();
            StackelbergModel alone =
                    regression().gamma(model.gamma()).hedge(0.02).build().fit(table);
            assertThat(alone.losses().anticipated())
                    .isCloseTo(
                            model.losses().anticipated(),
                            within(1e-9 * model.losses().anticipated()));
        }
    }

    @Test
    void invalidHedgesAndUnsupportedSettingsAreRefusedByName() {
        for (double hedge : new double[] {0, -0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> GameSpec.builder().hedge(hedge))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("The hedge is " + hedge);
        }
        assertThatThrownBy(
                        () -> GameSpec.builder().hedge(0.05).truthfulShare(0.1).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hedge(...)")
                .hasMessageContaining("truthfulShare(...)");
        assertThatThrownBy(() -> GameSpec.builder().hedge(0.05).rowGamma("g").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rowGamma(...)");
        assertThat(GameSpec.builder()
                        .hedge(0.05)
                        .hedge(Hedge.NONE)
                        .truthfulShare(0.1)
                        .build()
                        .hedge())
                .isEqualTo(Hedge.NONE);
    }

    @Test
    void aHedgeWithARidgeIsFittedStoredAndVerified() {
        Table table = people();
        StackelbergModel plain = regression().hedge(0.02).build().fit(table);
        for (double ridge : new double[] {1e-9, 0.1, 2}) {
            StackelbergModel model =
                    regression().hedge(0.02).ridge(ridge).build().fit(table);
            double mu = ridge * model.losses().totalWeight();
            double penalty = mu * model.gamma() * model.pullThrough();

            assertThat(model.certified()).as("ridge " + ridge).isTrue();
            // measured from the best rule if nobody moves with the same ridge
            LinearRule best = regression().ridge(ridge).build().training(table).bestHonest();
            double reference =
                    regression().build().training(table).played(model.gamma()).honestLoss(best, WORKERS);
            assertThat(model.losses().honest()).isLessThanOrEqualTo(1.02 * 1.02 * reference * (1 + 1e-11));
            assertThat(model.losses().anticipated() + penalty)
                    .isCloseTo(
                            model.optimality().objective(),
                            within(1e-11 * model.optimality().objective()));
            if (ridge < 1e-6) {
                // a larger ridge allows more, because the best rule if nobody moves loses more with it
                assertThat(model.losses().anticipated())
                        .isGreaterThanOrEqualTo(plain.losses().anticipated() * (1 - 1e-9));
            }
            Solution.Hedged.Point chosen =
                    at(model, model.hedged().orElseThrow().share());
            assertThat(chosen.moved())
                    .isCloseTo(
                            model.losses().anticipated(),
                            within(1e-10 * model.losses().anticipated()));
            Verification verification =
                    Verification.of(ModelFile.fromJson(ModelFile.toJson(model), "test"), table, WORKERS);
            assertThat(verification.refuted()).as("ridge " + ridge).isEmpty();
            assertThat(verification.certified()).as("ridge " + ridge).isTrue();
        }
        // measured from the best rule with the same ridge, which is as small: a large ridge leaves the hedge nothing to
        // do
        StackelbergModel free = regression().ridge(2).build().fit(table);
        StackelbergModel bound = regression().ridge(2).hedge(0.02).build().fit(table);
        assertThat(bound.losses().honest()).isLessThanOrEqualTo(free.losses().honest() * (1 + 1e-9));
        assertThat(bound.pullThrough()).isCloseTo(free.pullThrough(), within(1e-9));
    }

    @Test
    void theHedgeIsStoredInTheModelFileAndVerified() {
        Table table = people();
        StackelbergModel model = regression().hedge(0.02).build().fit(table);
        String json = ModelFile.toJson(model);
        StackelbergModel read = ModelFile.fromJson(json, "test");

        assertThat(read.game().hedge()).isEqualTo(Hedge.atMost(0.02));
        assertThat(read.hedged()).isEqualTo(model.hedged());
        Verification verification = Verification.of(read, table, WORKERS);
        assertThat(verification.refuted()).isEmpty();
        assertThat(verification.certified()).isTrue();
        assertThat(verification.certificate().objective())
                .isCloseTo(
                        model.optimality().objective(),
                        within(1e-12 * model.optimality().objective()));

        Solution.Hedged hedged = model.hedged().orElseThrow();
        String share = "\"share\" : " + hedged.share();
        assertThat(json).contains(share);
        Verification other = Verification.of(
                ModelFile.fromJson(json.replace(share, "\"share\" : " + hedged.share() / 2), "test"), table, WORKERS);
        assertThat(other.certified()).isFalse();
        String honest = "\"honest\" : " + hedged.frontier().get(3).honest();
        assertThat(json).contains(honest);
        Verification better = Verification.of(
                ModelFile.fromJson(
                        json.replace(
                                honest,
                                "\"honest\" : "
                                        + 0.99 * hedged.frontier().get(3).honest()),
                        "test"),
                table,
                WORKERS);
        assertThat(better.refuted()).extracting(Verification.Claim::name).containsExactly("hedge.frontier.4.honest");
        // with a smaller hedge the model claims to keep a bound that it does not keep
        StackelbergModel tighter = ModelFile.fromJson(json.replace("\"hedge\" : 0.02", "\"hedge\" : 0.01"), "test");
        assertThat(Verification.of(tighter, table, WORKERS).refuted())
                .extracting(Verification.Claim::name)
                .contains("hedge.bound", "hedge.kept", "provenance.options.hedge");
    }

    /** Games of older files: today's rule need not be the best one if nobody moves, so that the two bounds differ. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.2})
    void aHedgeOfTodaysRuleIsMeasuredFromItsLossAndVerified(double ridge) {
        Table table = Real.WINE.table();
        var worse = new PublishedRule("a rule in force", 2.5, Map.of("alcohol", 0.3));
        GameSpec best = GameSpec.builder()
                .target("quality")
                .wish("max(today,6)")
                .ignore(Set.of("ols"))
                .gammaShare(0.3)
                .ridge(ridge)
                .today(GameSpec.Today.given(worse, "a test"))
                .hedge(0.01)
                .build();
        GameSpec today =
                best.toBuilder().set(Settings.HEDGE_OF, GameSpec.HedgeOf.TODAY).build();
        StackelbergModel model =
                new StackelbergRegression(today, StackelbergRegression.FitOptions.defaults()).fit(table);
        double bound = 1.01 * 1.01 * model.losses().naive();

        assertThat(model.hedged().orElseThrow().bound()).isCloseTo(bound, within(1e-12 * bound));
        assertThat(model.losses().honest()).isLessThanOrEqualTo(bound * (1 + 1e-10));
        StackelbergModel read = ModelFile.fromJson(ModelFile.toJson(model), "model.json");
        assertThat(read.game()).isEqualTo(model.game());
        Verification verified = Verification.of(read, table, 1e-8, WORKERS);
        assertThat(verified.refuted()).isEmpty();
        assertThat(verified.certified()).isTrue();
        StackelbergModel other =
                new StackelbergRegression(best, StackelbergRegression.FitOptions.defaults()).fit(table);
        assertThat(other.hedged().orElseThrow().bound()).isLessThan(0.99 * bound);
    }
}
