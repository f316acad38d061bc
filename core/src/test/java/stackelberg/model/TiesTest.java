package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.certificate.Certificate;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.Workers;
import stackelberg.solver.auto.Solvers;

/** Wishes that are linear in the features: of two optimal rules the one with the smaller pull-through, on real data. */
class TiesTest {
    private static final Workers TWO = Workers.of(2);

    /** Data with a column "wish", least squares on them, and what it takes to speak of gamma as a share. */
    private record Today(Table table, String target, PublishedRule rule, double omega, double loss) {
        static Today of(String file, String target, double times, double plus) {
            Table table = DataFile.read(RealData.file(file), TWO);
            Training training = StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target(target)
                    .wish(target)
                    .gamma(1)
                    .build()
                    .training(table);
            PublishedRule rule = training.today().orElseThrow().rule();
            StackelbergModel model = training.fit();
            Encoding encoding = model.encoding();
            double omega = 0;
            for (int j = 0; j < model.terms().size(); j++) {
                if (model.terms().get(j).manipulable()) {
                    var column = encoding.columns().get(j);
                    double w = rule.coefficient(column) * column.scale();
                    omega += w * w / model.terms().get(j).cost();
                }
            }
            double[] wish = Arrays.stream(rule.predict(encoding, table, Encoding.UnknownLevel.ERROR))
                    .map(p -> times * p + plus)
                    .toArray();
            return new Today(
                    table.with(new NumericColumn("wish", wish)),
                    target,
                    rule,
                    omega,
                    model.losses().naive());
        }

        StackelbergRegression.Builder game(double share) {
            return StackelbergRegression.builder()
                    .hedge(Hedge.NONE)
                    .target(target)
                    .wish("wish")
                    .ignore(Set.of("wish"))
                    .gamma(gamma(share));
        }

        double gamma(double share) {
            return omega * (1 - share) / share;
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3, 0.6})
    void todayPlusOneIsLeastSquaresWithALowerIntercept(double share) {
        Today today = Today.of("wine.csv", "quality", 1, 1);
        StackelbergModel model = today.game(share).build().fit(today.table);
        assertIsTodayWithALowerIntercept(today, model, share, 1e-9);
        assertThat(model.losses().anticipated()).isCloseTo(today.loss, within(1e-9 * today.loss));
        assertThat(model.warnings()).noneMatch(warning -> warning.text().contains("not unique"));
        assertThat(model.notes()).hasSize(1).allMatch(note -> note.text()
                .contains("least squares with another intercept"));
    }

    private static void assertIsTodayWithALowerIntercept(
            Today today, StackelbergModel model, double share, double digits) {
        String what = model.solver() + " " + model.optimality();
        assertThat(model.pullThrough()).as(what).isCloseTo(share, within(digits));
        assertThat(model.certified()).as(what).isTrue();
        assertThat(model.optimality().finiteness()).as(what).isEqualTo(Certificate.Finiteness.FINITE);
        assertThat(model.optimality().unique()).as(what).isFalse();
        assertThat(model.intercept())
                .as(what)
                .isCloseTo(today.rule.intercept() - share / (1 - share), within(100 * digits));
        model.terms().forEach(term -> assertThat(term.coefficient())
                .as(what)
                .isCloseTo(
                        today.rule.coefficients().get(term.name()),
                        within(digits * Math.max(1, Math.abs(term.coefficient())))));
    }

    static List<String> solvers() {
        return Solvers.names();
    }

    @ParameterizedTest
    @MethodSource("solvers")
    void everySolverGivesTheTiedRuleOfSmallestPullThrough(String solver) {
        Today today = Today.of("wine.csv", "quality", 1, 1);
        for (double share : new double[] {0.1, 0.6}) {
            StackelbergModel model =
                    today.game(share).solver(Solvers.named(solver, TWO)).build().fit(today.table);
            assertIsTodayWithALowerIntercept(today, model, share, 1e-9);
        }
    }

    @Test
    void everyGammaOfAPathGivesTheTiedRuleOfSmallestPullThrough() {
        Today today = Today.of("wine.csv", "quality", 1, 1);
        double[] shares = {0.05, 0.2, 0.5, 0.8, 0.95};
        double[] gammas = Arrays.stream(shares).map(today::gamma).toArray();
        List<StackelbergModel> path = today.game(0.5).build().fitPath(today.table, gammas);
        for (int k = 0; k < shares.length; k++) {
            assertIsTodayWithALowerIntercept(today, path.get(k), shares[k], 1e-9);
        }
    }

    @Test
    void aCommonWishGivesAMultipleOfLeastSquaresUnlessGammaIsSmall() {
        Today today = Today.of("wine.csv", "quality", 0, 7);
        StackelbergModel little = today.game(0.1).build().fit(today.table);
        assertThat(little.pullThrough()).isCloseTo(0.127, within(5e-4));
        assertThat(little.certified()).isTrue();
        assertThat(little.losses().anticipated()).isCloseTo(today.loss, within(1e-9 * today.loss));
        assertThat(little.notes()).hasSize(1).allMatch(note -> note.text().startsWith("Everyone wants the same score"));
        double t = little.pullThrough();
        little.terms().forEach(term -> assertThat(term.coefficient() * (1 - t))
                .isCloseTo(today.rule.coefficients().get(term.name()), within(1e-8 * Math.abs(term.coefficient()))));
        StackelbergModel more = today.game(0.3).build().fit(today.table);
        assertThat(more.optimality().unique()).isTrue();
        assertThat(more.pullThrough()).isCloseTo(0.5, within(1e-9));
        assertThat(more.losses().anticipated()).isCloseTo(680.75, within(5e-3)).isGreaterThan(666.42);
        assertThat(more.notes()).isEmpty();
    }

    @Test
    void aWishOfNineTenthsOfTodaysScoreGivesAMultipleOfTodaysRule() {
        Today today = Today.of("insurance.csv", "charges", 0.9, 0);
        StackelbergModel model = today.game(0.6).build().fit(today.table);
        assertThat(model.pullThrough()).isCloseTo(0.692, within(5e-4));
        assertThat(Math.sqrt(model.losses().honest() / model.rows())).isCloseTo(7142, within(1.0));
        assertThat(model.certified()).isTrue();
        assertThat(model.optimality().finite()).isTrue();
        double factor = (1 - 0.9 * model.pullThrough()) / (1 - model.pullThrough());
        model.terms().stream().filter(StackelbergModel.Term::manipulable).forEach(term -> assertThat(term.coefficient())
                .isCloseTo(
                        factor * today.rule.coefficients().get(term.name()),
                        within(1e-8 * Math.abs(term.coefficient()))));
        assertThat(model.notes()).hasSize(1).allMatch(note -> note.text().contains("a multiple of least squares"));
    }

    @Test
    void aTiedRuleIsStoredAndVerified() {
        Today today = Today.of("wine.csv", "quality", 1, 1);
        StackelbergModel model = today.game(0.3).build().fit(today.table);
        StackelbergModel read = ModelFile.fromJson(ModelFile.toJson(model), "a file");
        assertThat(read.notes()).isEqualTo(model.notes());
        Verification verification = Verification.of(read, today.table, TWO);
        assertThat(verification.refuted()).isEmpty();
        assertThat(verification.certified()).isTrue();
        String other = ModelFile.toJson(model).replace("another intercept", "the same intercept");
        assertThat(Verification.of(ModelFile.fromJson(other, "a file"), today.table, TWO)
                        .refuted())
                .anyMatch(claim -> claim.name().equals("notes"));
    }

    @Test
    void weightsCostsAndAnotherTargetUnitChangeNothing() {
        Today today = Today.of("wine.csv", "quality", 1, 1);
        List<Double> shares = new ArrayList<>();
        double[] weights = new double[today.table.rows()];
        Arrays.setAll(weights, i -> 1 + i % 3);
        Table weighed = today.table.with(new NumericColumn("weight", weights));
        // least squares with these weights is another rule, but today's wish is linear in the features still
        StackelbergModel model = today.game(0.3).weight("weight").build().fit(weighed);
        assertThat(model.certified()).isTrue();
        assertThat(model.pullThrough()).isLessThan(0.5);
        assertThat(model.losses().anticipated())
                .isCloseTo(model.losses().naive(), within(1e-9 * model.losses().naive()));
        shares.add(model.pullThrough());
        assertThat(model.notes()).hasSize(1);
        StackelbergModel noisy = today.game(0.3).wishNoise(0.5).build().fit(today.table);
        assertThat(noisy.optimality().unique()).isTrue();
        assertThat(noisy.notes()).isEmpty();
        StackelbergModel ridged = today.game(0.3).ridge(0.1).build().fit(today.table);
        assertThat(ridged.optimality().unique()).isTrue();
        assertThat(ridged.pullThrough()).isLessThan(0.3);
    }
}
