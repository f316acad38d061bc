package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.response.Comparison;
import stackelberg.model.tuning.Tuning;
import stackelberg.solver.auto.Solvers;

/** Without a declared hedge the rule is balanced; where that is not possible there is no hedge, and a note says why. */
class HedgeByDefaultTest {
    private static final Workers ONE = Workers.of(1);
    private final Table table = People.table(120, 6);

    private static StackelbergRegression.Builder game() {
        return StackelbergRegression.builder()
                .target("score")
                .wish("max(y, median()) + 0.3")
                .ignore(java.util.Set.of("household", "weight"))
                .gamma(0.5);
    }

    private static List<String> codes(StackelbergModel model) {
        return model.notes().stream().map(Message::code).toList();
    }

    @Test
    void theRuleIsBalanced() {
        StackelbergModel model = game().build().fit(table);
        StackelbergModel asked = game().hedge(Hedge.BALANCED).build().fit(table);

        assertThat(model.game().hedge()).isEqualTo(Hedge.BALANCED);
        assertThat(model.coefficients()).isEqualTo(asked.coefficients());
        assertThat(model.certified()).isTrue();
        assertThat(codes(model)).doesNotContain(StackelbergRegression.NO_HEDGE);
        assertThat(game().build().fitPath(table, 0.2, 1).get(1).hedged()).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void aSettingThatExcludesAHedgeLeavesNoneAndIsNamedInANote(Excludes setting) {
        StackelbergModel model = setting.declared.apply(game()).build().fit(table);

        assertThat(model.game().hedge()).isEqualTo(Hedge.NONE);
        assertThat(model.hedged()).isEmpty();
        assertThat(model.notes())
                .filteredOn(note -> note.code().equals(StackelbergRegression.NO_HEDGE))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains(setting.named));
    }

    private enum Excludes {
        TRUTHFUL_SHARE(game -> game.truthfulShare(0.2), "truthfulShare(...)"),
        LIMIT(game -> game.limit("data"), "limit(...)"),
        ONE_SIDED(game -> game.oneSided(GameSpec.Side.UP), "oneSided(...)"),
        GAMMA_BETWEEN(game -> game.gammaBetween(0.2, 0.6), "gammaBetween(...)"),
        SOLVER(game -> game.solver(Solvers.named("cd-admm", ONE)), "solver(...)");

        private final UnaryOperator<StackelbergRegression.Builder> declared;
        private final String named;

        Excludes(UnaryOperator<StackelbergRegression.Builder> declared, String named) {
            this.declared = declared;
            this.named = named;
        }
    }

    @Test
    void theDefaultSolverByNameKeepsTheHedge() {
        assertThat(game().solver(Solvers.named("auto", ONE)).build().spec().isHedged())
                .isTrue();
    }

    @Test
    void thePaperHasNoHedgeUnlessOneIsDeclared() {
        assertThat(GameSpec.builder().paper().build().hedge()).isEqualTo(Hedge.NONE);
        assertThat(GameSpec.builder().hedge(0.05).paper().build().hedge()).isEqualTo(Hedge.atMost(0.05));
        assertThat(codes(game().paper().build().fit(table))).doesNotContain(StackelbergRegression.NO_HEDGE);
    }

    @Test
    void aTrainingWithAnotherGammaKeepsTheHedge() {
        Training training = game().gammaBetween(0.2, 0.6).build().training(table);

        assertThat(training.withGamma(0.4).fit().game().hedge()).isEqualTo(Hedge.NONE);
    }

    @Test
    void aCopyOfAnEstimatorWithTheDefaultSolverIsBalancedAgain() {
        StackelbergRegression solved =
                game().solver(Solvers.named("krylov", ONE)).build();

        assertThat(solved.spec().hedge()).isEqualTo(Hedge.NONE);
        assertThat(solved.toBuilder().solver(null).build().spec().hedge()).isEqualTo(Hedge.BALANCED);
        assertThat(codes(solved.toBuilder().gamma(0.7).build().fit(table))).contains(StackelbergRegression.NO_HEDGE);
    }

    @Test
    void aCopyOfAGameChoosesAgain() {
        GameSpec game = GameSpec.builder().target("y").wish("z").build();

        assertThat(game.hedge()).isEqualTo(Hedge.BALANCED);
        assertThat(game.toBuilder().truthfulShare(0.2).build().hedge()).isEqualTo(Hedge.NONE);
        assertThat(game.toBuilder().truthfulShare(0.2).build().toBuilder()
                        .truthfulShare(0)
                        .build()
                        .hedge())
                .isEqualTo(Hedge.BALANCED);
    }

    @Test
    void modelsOfBothKindsAreStoredAndVerified(@TempDir Path folder) {
        for (StackelbergRegression game : List.of(
                game().build(), game().solver(Solvers.named("krylov", ONE)).build())) {
            StackelbergModel model = game.fit(table);
            Path file = folder.resolve("model.json");
            ModelFile.save(model, file);
            StackelbergModel read = ModelFile.load(file);

            assertThat(read.game().hedge()).isEqualTo(model.game().hedge());
            assertThat(Verification.of(read, table, ONE).refuted()).isEmpty();
        }
    }

    @Test
    void theBestRuleAfterTheMoveMayBeALimitThatNoRuleAttains() {
        // people who come to their wishes exactly have no error, which only rules with ever larger coefficients
        // approach
        double[][] x = {{1.5, 2}, {2.5, 3}, {0.55, 7}, {3.5, 2}};
        double[] y = {3, 2, 1, 4};
        double[] z = {3, 2, 2, 4};
        StackelbergRegression.Builder game =
                StackelbergRegression.builder().gamma(0.01).intercept(GameSpec.Intercept.NONE);
        assertThat(game.hedge(Hedge.NONE)
                        .build()
                        .fit(DenseMatrix.of(x), y, y)
                        .optimality()
                        .finite())
                .isFalse();

        StackelbergModel model = game.hedge(Hedge.BALANCED).build().fit(DenseMatrix.of(x), y, z);

        assertThat(model.hedged().orElseThrow().balance().regret()).isFinite();
        assertThat(model.certified()).isTrue();
    }

    @Test
    void otherLossesAreBalancedUpToFourThousandColumns() {
        int columns = 4_001;
        double[][] x = new double[12][columns];
        double[] y = new double[x.length];
        double[] z = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < columns; j++) {
                x[i][j] = Math.sin(1 + i * 37.0 + j * 11.0 + (double) i * j);
            }
            y[i] = i % 2;
            z[i] = 0.9;
        }
        StackelbergRegression game = StackelbergRegression.builder()
                .loss(Loss.LOGISTIC)
                .ridge(1)
                .gamma(1)
                .build();
        assertThat(game.spec().hedge()).isEqualTo(Hedge.BALANCED);

        StackelbergModel model = game.fit(DenseMatrix.of(x), y, z);

        assertThat(model.game().hedge()).isEqualTo(Hedge.NONE);
        assertThat(codes(model)).contains(StackelbergRegression.NO_HEDGE);
    }

    @Test
    void comparisonsAndTuningsUseTheBalancedRule() {
        Comparison comparison = Comparison.of(
                game().build(),
                table,
                table,
                stackelberg.data.Encoding.UnknownLevel.ERROR,
                new stackelberg.estimate.Resampling.Bootstrap(20, 0.95, 3),
                ONE);
        assertThat(comparison.entries().get(3).hedge()).isEqualTo(Hedge.BALANCED);

        Tuning.Plan plan = Tuning.Plan.of(0.2, 1).withFolds(3);
        Tuning tuning = game().build().tune(table, plan, (phase, fraction) -> true);
        assertThat(tuning.hedge()).isEqualTo(Hedge.BALANCED);
        Tuning asked = game().hedge(Hedge.BALANCED).build().tune(table, plan, (phase, fraction) -> true);
        assertThat(tuning.curve(0.5).points().get(0).loss())
                .isCloseTo(asked.curve(0.5).points().get(0).loss(), within(0.0));
    }
}
