package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;
import stackelberg.model.tuning.Tuning;
import stackelberg.objective.Solution;

/** A gamma that is known roughly, from the builder to the model file, and what does not go together with it. */
class BetweenTest {
    private static final Workers WORKERS = Workers.of(2);

    private static Table people() {
        Random random = new Random(135);
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
                .hedge(Hedge.NONE)
                .target("y")
                .wish("hope")
                .immutable(Set.of("age"))
                .ignore(Set.of("weight"));
    }

    private static Solution.Between between(StackelbergModel model) {
        return model.between().orElseThrow();
    }

    private static void assertVerified(StackelbergModel model, Table table, String what) {
        StackelbergModel read = ModelFile.fromJson(ModelFile.toJson(model), "test");
        assertThat(read.game()).as(what).isEqualTo(model.game());
        assertThat(read.between()).as(what).isEqualTo(model.between());
        Verification verification = Verification.of(read, table, WORKERS);
        assertThat(verification.refuted()).as(what).isEmpty();
        assertThat(verification.certified()).as(what).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rangesOfGammaAreProvenAndVerifiedWithEverySettingTheySupport(boolean regret) {
        Table table = people();
        Map<String, UnaryOperator<StackelbergRegression.Builder>> games = Map.of(
                "plain", it -> it,
                "costs", it -> it.cost("b", 4),
                "weights", it -> it.ignore(Set.of()).weight("weight"),
                "noise", it -> it.wishNoise(1.5),
                "ridge", it -> it.ridge(0.1),
                "manipulable intercept", it -> it.intercept(GameSpec.Intercept.MANIPULABLE),
                "no intercept", it -> it.intercept(GameSpec.Intercept.NONE),
                "nothing immutable", it -> it.immutable(Set.of()),
                "one feature", it -> it.immutable(Set.of("age", "b")));
        games.forEach((what, with) -> {
            StackelbergModel model = with.apply(
                            regression().gammaBetween(0.5, 20).regret(regret))
                    .build()
                    .fit(table);
            assertThat(model.certified()).as(what + " " + model.optimality()).isTrue();
            Solution.Between found = between(model);
            // nobody who knows gamma loses more
            assertThat(found.low().regret()).as(what).isGreaterThanOrEqualTo(0);
            assertThat(found.low().objective())
                    .as(what)
                    .isGreaterThanOrEqualTo((found.low().best() + found.low().bestPenalty()) * (1 - 1e-9));
            assertThat(model.optimality().objective())
                    .as(what)
                    .isCloseTo(
                            Math.max(found.low().objective(), found.high().objective()),
                            within(1e-9 * model.optimality().objective()));
            assertVerified(model, table, what);
        });
    }

    @ParameterizedTest
    @CsvSource({"wine.csv, quality, 'max(today,6)'", "insurance.csv, charges, 'min(today,10000)'"})
    void rangesOfGammaAreProvenOnRealData(String file, String target, String wish) {
        Table table = DataFile.read(RealData.file(file), WORKERS);
        StackelbergRegression.Builder regression =
                StackelbergRegression.builder().hedge(Hedge.NONE).target(target).wish(wish);
        StackelbergModel model = regression.gammaSharesBetween(0.1, 0.5).build().fit(table);
        Solution.Between found = between(model);
        assertThat(model.certified()).as(model.optimality().toString()).isTrue();
        assertThat(model.optimality().relativeGap()).isLessThan(1e-9);
        assertThat(found.low().gamma()).isLessThan(found.high().gamma());
        // the rule of either end is worse at the other
        for (double share : new double[] {0.1, 0.3, 0.5}) {
            StackelbergRegression other = StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target(target)
                    .wish(wish)
                    .gammaShare(share)
                    .build();
            Training training = other.training(table);
            double[] lost = training.losses(
                    training.fit().rule(), found.low().gamma(), found.high().gamma());
            assertThat(Math.max(lost[0], lost[1]))
                    .isGreaterThanOrEqualTo(model.optimality().objective() * (1 - 1e-9));
        }
        assertVerified(model, table, file);
    }

    @Test
    void aRangeOfSharesEqualsTheRangeOfTheirGammas() {
        Table table = people();
        StackelbergModel shares =
                regression().gammaSharesBetween(0.1, 0.5).build().fit(table);
        GameSpec.Between range = shares.game().between();
        StackelbergModel numbers =
                regression().gammaBetween(range.low(), range.high()).build().fit(table);

        assertThat(shares.coefficients()).isEqualTo(numbers.coefficients());
        assertThat(regression().gammaShare(0.5).build().fit(table).gamma())
                .isCloseTo(range.low(), within(1e-12 * range.low()));
        assertThat(regression().gammaShare(0.1).build().fit(table).gamma())
                .isCloseTo(range.high(), within(1e-12 * range.high()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRangeOfOnePointGivesTheOrdinaryFit(boolean regret) {
        Table table = people();
        StackelbergModel model =
                regression().gammaBetween(5, 5).regret(regret).build().fit(table);
        StackelbergModel known = regression().gamma(5).build().fit(table);

        assertThat(model.certified()).isTrue();
        assertThat(model.gamma()).isEqualTo(5);
        known.coefficients()
                .forEach((name, value) ->
                        assertThat(model.coefficients().get(name)).isCloseTo(value, within(1e-10 * Math.abs(value))));
        assertThat(model.losses().anticipated())
                .isCloseTo(
                        known.losses().anticipated(),
                        within(1e-10 * known.losses().anticipated()));
        assertVerified(model, table, "a point");
    }

    @Test
    void theFollowersOfAModelHaveTheWorstGamma() {
        Table table = people();
        StackelbergModel model = regression().gammaBetween(0.5, 20).build().fit(table);

        assertThat(model.gamma()).isIn(0.5, 20.0);
        assertThat(model.losses().anticipated())
                .isCloseTo(
                        Math.max(
                                between(model).low().loss(),
                                between(model).high().loss()),
                        within(1e-9 * model.losses().anticipated()));
        assertThat(model.world().gamma()).isEqualTo(model.gamma());
        // whoever asks for one gamma has no interval any more
        assertThat(model.world().withGamma(3).spec().between()).isNull();
    }

    @Test
    void optionsThatExcludeEachOtherAreRefusedByName() {
        GameSpec.Builder game = GameSpec.builder().hedge(Hedge.NONE).gammaBetween(0.1, 2);
        assertRefused(() -> game.hedge(0.05).build(), "gammaBetween(...)", "hedge(...)");
        game.hedge(Hedge.NONE);
        assertRefused(() -> game.truthfulShare(0.1).build(), "gammaBetween(...)", "truthfulShare(...)");
        game.truthfulShare(0);
        assertRefused(() -> game.rowGamma("g").build(), "gammaBetween(...)", "rowGamma(...)");
        game.rowGamma(null);
        assertRefused(
                () -> GameSpec.builder()
                        .hedge(Hedge.NONE)
                        .gammaBetween(0.1, 2)
                        .effect("a", 1)
                        .build(),
                "gammaBetween(...)",
                "effect(...)");
        assertRefused(
                () -> GameSpec.builder()
                        .hedge(Hedge.NONE)
                        .gammaBetween(0.1, 2)
                        .limit("a>=0")
                        .build(),
                "gammaBetween(...)",
                "limit(...)");
        assertRefused(
                () -> GameSpec.builder().hedge(Hedge.NONE).gamma(1).regret(true).build(),
                "regret(...)",
                "gammaBetween(...)");
        assertRefused(() -> GameSpec.builder().hedge(Hedge.NONE).gammaBetween(2, 0.1), "2.0", "0.1", "wrong way round");
        assertRefused(() -> GameSpec.builder().hedge(Hedge.NONE).gammaBetween(0, 1), "gamma is 0.0");
        assertRefused(() -> GameSpec.builder().hedge(Hedge.NONE).gammaSharesBetween(0.5, 0.1), "0.5", "0.1");
        assertRefused(() -> GameSpec.builder().hedge(Hedge.NONE).gammaSharesBetween(0.1, 1), "0.1", "1.0");
        // the last word counts
        assertThat(game.gamma(1).build().between()).isNull();
        assertThat(game.gammaShare(0.3).build().between()).isNull();

        Table table = people();
        StackelbergRegression regression = regression().gammaBetween(0.5, 20).build();
        assertRefused(() -> regression.fitPath(table, 0.5, 5), "gammaBetween(...)", "gamma(...)");
        assertRefused(() -> regression.training(table).problem(), "range of gammas");
        assertRefused(
                () -> regression.tune(table, Tuning.Plan.of(0.5, 5), (phase, fraction) -> true), "gammaBetween(...)");
    }

    private static void assertRefused(Runnable what, String... words) {
        assertThatThrownBy(what::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }
}
