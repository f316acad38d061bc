package stackelberg.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Loss;
import stackelberg.game.GameSpec;
import stackelberg.game.GameSpec.Today;
import stackelberg.game.Hedge;
import stackelberg.linalg.Workers;

/** Games by logistic loss from the declaration to the model file and back. */
class YesOrNoTest {
    private static final Workers ONE = Workers.of(1);

    private static Table people(int m, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] income = new double[m];
        double[] debt = new double[m];
        String[] region = new String[m];
        String[] repaid = new String[m];
        double[] hope = new double[m];
        for (int i = 0; i < m; i++) {
            income[i] = 30 + 10 * (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5);
            debt[i] = 5 * random.nextDouble();
            region[i] = random.nextBoolean() ? "north" : "south";
            double score = 0.15 * (income[i] - 30) - 0.5 * (debt[i] - 2.5) + (region[i].equals("north") ? 0.4 : 0);
            repaid[i] = random.nextDouble() < Loss.LOGISTIC.prediction(score) ? "yes" : "no";
            hope[i] = 0.6 + 0.35 * random.nextDouble();
        }
        return Table.of(
                NumericColumn.of("income", income),
                NumericColumn.of("debt", debt),
                CategoricalColumn.of("region", region),
                CategoricalColumn.of("repaid", repaid),
                NumericColumn.of("hope", hope));
    }

    private static StackelbergRegression.Builder game(String wish) {
        return StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("repaid")
                .wish(wish)
                .loss(Loss.LOGISTIC)
                .ignore(wish.equals("hope") ? java.util.Set.of() : java.util.Set.of("hope"))
                .threads(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9", "hope", "max(today,0.8)"})
    void logisticFitsAreCertifiedStoredAndVerified(String wish) {
        Table table = people(400, 1);
        StackelbergModel model = game(wish).build().fit(table);
        assertThat(model.certified()).isTrue();
        assertThat(model.game().answers().yes()).isEqualTo("yes");
        assertThat(model.game().today().source()).isEqualTo("logistic regression");
        StackelbergModel again = ModelFile.fromJson(ModelFile.toJson(model), "again");
        assertThat(ModelFile.toJson(again)).isEqualTo(ModelFile.toJson(model));
        Verification verification = Verification.of(again, table, ONE);
        assertThat(verification.refuted()).isEmpty();
        assertThat(verification.certified()).isTrue();
        double[] p = again.probabilities(table);
        assertThat(java.util.Arrays.stream(p).allMatch(value -> value > 0 && value < 1))
                .isTrue();
    }

    @Test
    void wishesAreProbabilitiesUnlessLogOddsAreAskedFor() {
        Table table = people(200, 2);
        StackelbergModel byProbability = game("0.9").gamma(1).build().fit(table);
        StackelbergModel byOdds = game(String.valueOf(Math.log(9)))
                .wishUnits(GameSpec.WishUnits.LOGODDS)
                .gamma(1)
                .build()
                .fit(table);
        assertThat(byOdds.losses().anticipated())
                .isCloseTo(byProbability.losses().anticipated(), within(1e-9));
        for (String impossible : new String[] {"0", "1", "1.5", "y"}) {
            assertThatThrownBy(() -> game(impossible).build().fit(table))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("row")
                    .hasMessageContaining("probability between 0 and 1");
        }
    }

    @Test
    void aCommonWishIsReportedAndTheLossIsThatOfBoundedRegression() {
        StackelbergModel model = game("0.9").gamma(0.05).build().fit(people(300, 3));
        assertThat(model.notes()).anyMatch(note -> note.text().startsWith("Because everyone wants the same score"));
        // the best that nobody who moves can be told apart from: never better than logistic regression if nobody moved
        assertThat(model.losses().anticipated()).isGreaterThan(model.losses().naive());
        assertThat(model.losses().anticipated()).isLessThan(model.losses().naiveAttacked());
    }

    @Test
    void aLargeGammaGivesLogisticRegression() {
        Table table = people(300, 4);
        StackelbergModel model = game("0.9").gamma(1e12).build().fit(table);
        Today today = model.game().today();
        model.coefficients().forEach((name, value) -> assertThat(value)
                .isCloseTo(today.rule().coefficients().get(name), within(1e-6 * (1 + Math.abs(value)))));
    }

    @Test
    void settingsThatLogisticLossDoesNotSupportAreRefusedByName() {
        assertThatThrownBy(() -> game("0.9").wishNoise(1).build()).hasMessageContaining("wishNoise(...)");
        assertThatThrownBy(() -> game("0.9").limit("debt>=0").build()).hasMessageContaining("limit(...)");
        assertThatThrownBy(() -> game("0.9").effect("debt", 1).build()).hasMessageContaining("effect(...)");
        assertThatThrownBy(() -> game("0.9").truthfulShare(0.1).build()).hasMessageContaining("truthfulShare(...)");
        assertThatThrownBy(() -> game("0.9").loss(Loss.SQUARED).yes("no").build())
                .hasMessageContaining("yes(...)");
    }

    @Test
    void huberLossWithAHugeDeltaEqualsSquaredLoss() {
        Table table = people(300, 5);
        StackelbergModel squared = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("income")
                .wish("hope")
                .ignore(java.util.Set.of("repaid"))
                .gamma(2)
                .ridge(0.01)
                .build()
                .fit(table);
        StackelbergModel huber = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("income")
                .wish("hope")
                .ignore(java.util.Set.of("repaid"))
                .gamma(2)
                .ridge(0.01)
                .loss(Loss.huber(1e6))
                .build()
                .fit(table);
        assertThat(huber.optimality().objective())
                .isCloseTo(
                        squared.optimality().objective(),
                        within(1e-6 * squared.optimality().objective()));
    }
}
