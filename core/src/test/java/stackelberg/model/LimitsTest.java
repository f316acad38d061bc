package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import stackelberg.RealData;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.model.response.Comparison;
import stackelberg.model.response.WhatIf;

class LimitsTest {
    private static final Workers TWO = Workers.of(2);

    private static Table wine() {
        return DataFile.read(RealData.file("wine.csv"), TWO);
    }

    private static GameSpec.Builder floors(Table wine) {
        GameSpec.Builder game = GameSpec.builder()
                .hedge(Hedge.NONE)
                .target("quality")
                .wish("max(y,6)")
                .gamma(0.02)
                .wishNoise(0.5);
        wine.names().stream().filter(name -> !name.equals("quality")).forEach(name -> game.limit(name + ">=0"));
        return game;
    }

    private static StackelbergModel fit(GameSpec spec, Table table) {
        return new StackelbergRegression(spec, FitOptions.defaults().withThreads(2))
                .training(table)
                .fit();
    }

    @Test
    void onWineTheRuleWithoutLimitsLosesMoreUnderFloorsThanPromisedAndIsReplaced() {
        Table wine = wine();
        StackelbergModel model = fit(floors(wine).build(), wine);
        StackelbergModel.Limited limited = model.limited().orElseThrow();
        double refitted = model.losses().anticipated();

        assertThat(limited.promised()).isCloseTo(744.536, within(1e-3));
        assertThat(limited.real()).isCloseTo(759.171, within(1e-3));
        assertThat(refitted).isLessThan(749.7).isGreaterThan(limited.promised());
        assertThat(limited.held()).isPositive();
        assertThat(limited.unlimited().certified()).isTrue();
        assertThat(model.certified()).isFalse();
        assertThat(model.solver().status()).isEqualTo("LOCAL");
        assertThat(model.optimality().gapBound()).isEqualTo(model.optimality().objective());
        assertThat(model.warnings()).anyMatch(text -> text.text().startsWith("This rule was found by a search"));
        assertHonest(model, wine);
    }

    /** What the file keeps is what the data bear out, and nothing is certified. */
    private static void assertHonest(StackelbergModel model, Table table) {
        StackelbergModel again = ModelFile.fromJson(ModelFile.toJson(model), "model");
        assertThat(ModelFile.toJson(again)).isEqualTo(ModelFile.toJson(model));
        Verification verification = Verification.of(again, table, TWO);
        assertThat(verification.refuted()).isEmpty();
        assertThat(verification.ruleDifference()).isLessThan(1e-9);
        assertThat(verification.pullThroughDifference()).isLessThan(1e-9);
        assertThat(verification.certified()).isFalse();
    }

    private static Table people(int seed, int rows) {
        Random random = new Random(seed);
        double[][] data = new double[rows][];
        for (int i = 0; i < rows; i++) {
            double a = random.nextGaussian();
            double b = 10 * random.nextDouble();
            double fixed = random.nextGaussian();
            double y = a + 0.3 * b + fixed + 0.4 * random.nextGaussian();
            data[i] = new double[] {a, b, fixed, y, 0.5 + random.nextDouble(), 0.2 + 3 * random.nextDouble()};
        }
        return Table.of(data, List.of("a", "b", "fixed", "y", "weight", "gamma"));
    }

    private static GameSpec.Builder game() {
        return GameSpec.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("max(y,4)")
                .features(List.of("a", "b", "fixed"))
                .immutable(Set.of("fixed"))
                .gamma(0.5);
    }

    @Test
    void limitsThatStopNobodyKeepTheRuleWithoutLimitsAndGiveANote() {
        Table people = people(1, 300);
        StackelbergModel free = fit(game().build(), people);
        StackelbergModel model = fit(game().limit("a>=-1e6").build(), people);

        assertThat(model.coefficients()).isEqualTo(free.coefficients());
        assertThat(model.pullThrough()).isEqualTo(free.pullThrough());
        assertThat(model.losses().anticipated())
                .isCloseTo(
                        free.losses().anticipated(),
                        within(1e-12 * free.losses().anticipated()));
        assertThat(model.losses().naiveAttacked())
                .isCloseTo(
                        free.losses().naiveAttacked(),
                        within(1e-12 * free.losses().naiveAttacked()));
        assertThat(model.limited().orElseThrow().binding()).isFalse();
        assertThat(model.notes()).singleElement().asString().startsWith("The limits stop no one");
        assertThat(model.certified()).isFalse();
        assertThat(free.limited()).isEmpty();
        assertHonest(model, people);
    }

    @Test
    @Tag("slow")
    void limitsAreSupportedInEveryKindOfSquaredGame() {
        Table people = people(2, 80);
        List<GameSpec.Builder> games = List.of(
                game().truthfulShare(0.3),
                game().rowGamma("gamma"),
                game().ridge(0.1).weight("weight"),
                game().intercept(GameSpec.Intercept.MANIPULABLE),
                game().intercept(GameSpec.Intercept.NONE),
                game().wishNoise(0.5),
                game().oneSided(GameSpec.Side.UP));
        for (GameSpec.Builder game : games) {
            StackelbergModel model = fit(game.limit("b<=9").limit("a up").build(), people);
            StackelbergModel.Limited limited = model.limited().orElseThrow();

            assertThat(model.losses().anticipated() + (model.game().ridge() > 0 ? -1 : 0))
                    .isLessThan(limited.real());
            assertThat(limited.real()).isGreaterThan(limited.promised());
            assertThat(model.pullThrough()).isBetween(0.0, 1.0);
            assertThat(limited.held()).isPositive();
            assertHonest(model, people);
        }
    }

    /** What each person does, found by trying which of a and b stop; b up to 9, a upwards only. */
    private static double[] byHand(StackelbergModel model, PublishedRule rule, Table people, int i) {
        double[] x = {people.numeric("a").values()[i], people.numeric("b").values()[i]};
        double y = people.numeric("y").values()[i];
        Map<String, Double> w = rule.coefficients();
        double p = rule.intercept() + w.get("fixed") * people.numeric("fixed").values()[i];
        double[] beta = {w.get("a"), w.get("b")};
        double z = Math.max(y, 4);
        double[] least = {x[0], Double.NEGATIVE_INFINITY};
        double[] most = {Double.POSITIVE_INFINITY, Math.max(9, x[1])};
        double[] costs = {
            model.world().moveCosts().get("a"), model.world().moveCosts().get("b")
        };
        double score = p + beta[0] * x[0] + beta[1] * x[1];
        double low = -1e3;
        double high = 1e3;
        double[] at = new double[2];
        double after = score;
        for (int k = 0; k < 200; k++) {
            double open = (low + high) / 2;
            after = p;
            for (int j = 0; j < 2; j++) {
                at[j] = Math.min(most[j], Math.max(least[j], x[j] + open * beta[j] / costs[j]));
                after += beta[j] * at[j];
            }
            // what stays open is what is wished for less what is reached
            if (z - after > open) {
                low = open;
            } else {
                high = open;
            }
        }
        double earned = 0;
        for (Map.Entry<String, Double> effect : model.game().effects().entrySet()) {
            earned += effect.getValue() * (effect.getKey().equals("a") ? at[0] - x[0] : at[1] - x[1]);
        }
        return new double[] {after, earned, z - score, y, score};
    }

    @Test
    void limitsWithEffectsAreAppliedRowByRow() {
        Table people = people(7, 120);
        for (double effect : new double[] {0.15, -0.1, 0.6}) {
            GameSpec.Builder game = game().effect("b", effect).effect("a", 0.2);
            StackelbergModel free = fit(game.build(), people);
            StackelbergModel model = fit(game.limit("b<=9").limit("a up").build(), people);
            StackelbergModel.Limited limited = model.limited().orElseThrow();
            double loss = 0;
            double earned = 0;
            double closed = 0;
            double attacked = 0;
            for (int i = 0; i < people.rows(); i++) {
                double[] one = byHand(model, model.rule(), people, i);
                double[] today = byHand(model, model.game().today().rule(), people, i);
                attacked += Math.pow(today[0] - today[1] - today[3], 2);
                loss += Math.pow(one[0] - one[1] - one[3], 2);
                earned += one[1] / one[2];
                closed += (one[0] - one[4]) / one[2];
            }

            assertThat(model.losses().anticipated()).isCloseTo(loss, within(1e-9 * loss));
            assertThat(model.losses().naiveAttacked()).isCloseTo(attacked, within(1e-9 * attacked));
            assertThat(model.pullThrough()).isCloseTo(closed / people.rows(), within(1e-10));
            assertThat(model.earned()).isCloseTo(earned / people.rows(), within(1e-10));
            assertThat(model.gamed()).isCloseTo((closed - earned) / people.rows(), within(1e-10));
            assertThat(limited.promised()).isCloseTo(free.losses().anticipated(), within(1e-9));
            assertThat(limited.unlimited().certified()).isTrue();
            assertThat(model.losses().anticipated()).isLessThan(limited.real());
            assertThat(limited.held()).isPositive();
            assertThat(model.solver().status()).isEqualTo("LOCAL");
            assertHonest(model, people);
        }
    }

    @Test
    void whatIfAppliesTheLimitsToEveryRow() {
        // too few to hold any out
        Table people = people(10, 40);
        GameSpec spec = game().limit("b<=9").limit("a up").build();
        Training training =
                new StackelbergRegression(spec, FitOptions.defaults().withThreads(2)).training(people);
        StackelbergModel model = training.fit();
        WhatIf whatIf = WhatIf.of(training, model).orElseThrow();
        double loss = 0;
        for (int i = 0; i < people.rows(); i++) {
            double[] one = byHand(model, model.rule(), people, i);
            loss += Math.pow(one[0] - one[3], 2);
        }

        assertThat(whatIf.judged()).isEqualTo(WhatIf.Judged.SAMPLE);
        assertThat(whatIf.promised().error()).isCloseTo(Math.sqrt(loss / people.rows()), within(1e-9));
        assertThat(whatIf.promised().todayError())
                .isCloseTo(Math.sqrt(model.losses().naiveAttacked() / people.rows()), within(1e-9));
        StackelbergModel free = fit(game().build(), people);
        assertThat(Math.abs(whatIf.promised().error() - Math.sqrt(free.losses().anticipated() / people.rows())))
                .isGreaterThan(1e-3);
    }

    @Test
    void aComparisonWithLimitsThatStopNobodyEqualsTheOneWithoutLimits() {
        Table people = people(11, 200);
        List<Comparison.Entry> free = compared(game().build(), people);
        List<Comparison.Entry> limited =
                compared(game().limit("a>=-1e6").limit("b<=1e6").build(), people);

        assertThat(limited).hasSize(3);
        for (int k = 0; k < 3; k++) {
            assertThat(limited.get(k).evaluation().moved())
                    .isEqualTo(free.get(k).evaluation().moved());
            assertThat(limited.get(k).moved()).isEqualTo(free.get(k).moved());
            assertThat(limited.get(k).honest()).isEqualTo(free.get(k).honest());
        }
    }

    private static List<Comparison.Entry> compared(GameSpec spec, Table people) {
        Comparison.Split split = Comparison.Split.of(people, null, 0.3, 1);
        StackelbergRegression regression =
                new StackelbergRegression(spec, FitOptions.defaults().withThreads(2));
        return Comparison.of(
                        regression,
                        split.training(),
                        split.heldOut(),
                        Encoding.UnknownLevel.ERROR,
                        new Bootstrap(20, 0.95, 1),
                        TWO)
                .entries();
    }

    @Test
    void effectsWithLimitsThatStopNobodyEqualThoseWithoutLimits() {
        Table people = people(8, 200);
        GameSpec.Builder game = game().effect("b", 0.15).ridge(0.05).wishNoise(0.3);
        StackelbergModel free = fit(game.build(), people);
        StackelbergModel model = fit(game.limit("a>=-1e6").build(), people);

        assertThat(model.coefficients()).isEqualTo(free.coefficients());
        assertThat(model.earned()).isEqualTo(free.earned());
        assertThat(model.gamed()).isEqualTo(free.gamed());
        assertThat(model.losses().naiveAttacked()).isEqualTo(free.losses().naiveAttacked());
        assertHonest(model, people);
    }

    @Test
    void theEarnedShareUnderLimitsIsVerified() {
        Table people = people(9, 150);
        StackelbergModel model = fit(game().effect("b", 0.15).limit("b<=9").build(), people);
        String json = ModelFile.toJson(model);
        String more =
                json.replace("\"earned\" : " + model.limited().orElseThrow().earned(), "\"earned\" : 0.5");

        assertThat(Verification.of(ModelFile.fromJson(more, "more"), people, TWO)
                        .refuted())
                .extracting(Verification.Claim::name)
                .containsExactly("limited.earned");
    }

    @Test
    void anInventedRuleInTheFileIsRefuted() {
        Table people = people(3, 200);
        StackelbergModel model = fit(game().limit("b<=9").build(), people);
        String json = ModelFile.toJson(model);
        String better = json.replace("\"objective\" : " + model.optimality().objective(), "\"objective\" : 0.5");
        String kept = json.replace("\"real\" : " + model.limited().orElseThrow().real(), "\"real\" : 1234.5");

        assertThat(Verification.of(ModelFile.fromJson(better, "better"), people, TWO)
                        .refuted())
                .extracting(Verification.Claim::name)
                .contains("optimality.objective");
        assertThat(Verification.of(ModelFile.fromJson(kept, "kept"), people, TWO)
                        .refuted())
                .extracting(Verification.Claim::name)
                .containsExactly("limited.real");
    }

    @Test
    void withTheLimitDataNobodyLeavesTheRangeOfTheData() {
        Table people = people(4, 300);

        assertThat(fit(game().gamma(0.01).build(), people).warnings())
                .anyMatch(text -> text.text().contains("end outside the range"));
        assertThat(fit(game().gamma(0.01).limit("data").build(), people).warnings())
                .noneMatch(text -> text.text().contains("end outside the range"));
    }

    @Test
    void aPathAppliesTheLimitsAtEveryGamma() {
        Table people = people(5, 200);
        GameSpec spec = game().limit("b<=9").build();
        List<StackelbergModel> path = new StackelbergRegression(
                        spec, FitOptions.defaults().withThreads(2))
                .training(people)
                .path(0.1, 0.5, 2);

        assertThat(path).extracting(StackelbergModel::gamma).containsExactly(0.1, 0.5, 2.0);
        assertThat(path).allSatisfy(model -> assertThat(model.losses().anticipated())
                .isLessThan(model.limited().orElseThrow().real()));
    }

    @Test
    void settingsThatDoNotSupportLimitsAreRefusedByName() {
        Table people = people(6, 100);
        GameSpec limits = game().limit("b<=9").build();

        assertThatThrownBy(() -> game().limit("b<=9").hedge(0.1).build()).hasMessageContaining("limit(...)");
        assertThatThrownBy(() -> fit(limits, people).sphereProblem(people, TWO)).hasMessageContaining("limits");
        assertThatThrownBy(() -> new StackelbergRegression(limits, FitOptions.defaults())
                        .training(people)
                        .problem())
                .hasMessageContaining("limit(...)");
    }
}
