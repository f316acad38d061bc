package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.game.GameSpec;
import stackelberg.game.Hedge;
import stackelberg.game.PublishedRule;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.model.People;
import stackelberg.model.StackelbergModel;
import stackelberg.model.StackelbergRegression;
import stackelberg.model.TextLike;

/** The rivals are what they are called, and everybody is judged by people they have not seen. */
class ComparisonTest {
    private static final Workers ONE = Workers.of(1);
    private final Table table = People.table(150, 6);

    @ParameterizedTest
    @EnumSource
    void leastSquaresEqualsTodaysRuleOfTheFit(GameSpec.Intercept intercept) {
        Comparison comparison = compare(People.regression().gamma(0.5).intercept(intercept), table, table);

        StackelbergModel.Losses losses = comparison.model().losses();
        RuleEvaluation naive = comparison.entries().get(0).evaluation();
        RuleEvaluation stackelberg = comparison.entries().get(2).evaluation();
        assertThat(naive.honest().mse() * 150).isCloseTo(losses.naive(), within(1e-9 * losses.naive()));
        assertThat(naive.moved().mse() * 150).isCloseTo(losses.naiveAttacked(), within(1e-9 * losses.naiveAttacked()));
        assertThat(stackelberg.moved().mse() * 150)
                .isCloseTo(losses.anticipated(), within(1e-9 * losses.anticipated()));
        assertThat(comparison.saving().orElseThrow().share())
                .isCloseTo(1 - losses.anticipated() / losses.naiveAttacked(), within(1e-9));
    }

    @Test
    void aHedgedRuleIsCompared() {
        Comparison comparison = compare(People.regression().gamma(0.5).hedge(0.05), table, table);
        Comparison.Entry hedged = comparison.entries().get(3);
        StackelbergModel fitted =
                People.regression().gamma(0.5).hedge(0.05).build().fit(table);

        assertThat(hedged.hedge()).isEqualTo(Hedge.atMost(0.05));
        assertThat(hedged.evaluation().moved().mse() * 150)
                .isCloseTo(
                        fitted.losses().anticipated(),
                        within(1e-9 * fitted.losses().anticipated()));
        assertThat(hedged.evaluation().honest().rmse())
                .isLessThanOrEqualTo(
                        1.05 * comparison.entries().get(0).evaluation().honest().rmse() * (1 + 1e-9));
        assertThat(compare(People.regression().gamma(0.5).hedge(0.01), table, table)
                        .entries()
                        .get(3)
                        .hedge())
                .isEqualTo(Hedge.atMost(0.01));
        assertThat(compare(People.regression().gamma(0.5).hedge(0.05).ridge(0.1), table, table)
                        .entries()
                        .get(3)
                        .hedge())
                .isEqualTo(Hedge.atMost(0.05));
    }

    /** In the units of the data, with the lambda that is reported. */
    @ParameterizedTest
    @EnumSource
    void ridgeMinimisesThePenalisedLoss(GameSpec.Intercept intercept) {
        Comparison comparison = compare(People.regression().gamma(0.5).intercept(intercept), table, table);
        Encoding encoding = comparison.model().encoding();
        DenseMatrix x = encoding.apply(table);
        double[] y = table.numeric("score").values();
        double[] weights = comparison.world().weights(table);
        double total = Arrays.stream(weights).sum();
        for (int k = 0; k < 2; k++) {
            PublishedRule rule = comparison.entries().get(k).evaluation().rule();
            double lambda = k == 0 ? 0 : comparison.entries().get(k).lambda();
            double[] p = rule.predict(encoding, table, Encoding.UnknownLevel.ERROR);
            for (int j = 0; j < x.cols(); j++) {
                double[] column = x.column(j);
                double spread = intercept == GameSpec.Intercept.NONE
                        ? Arrays.stream(column).map(v -> v * v).average().orElseThrow()
                        : variance(column, weights);
                double w = rule.coefficient(encoding.columns().get(j))
                        * encoding.columns().get(j).scale();
                double gradient = lambda * total * spread * w;
                for (int i = 0; i < y.length; i++) {
                    gradient += weights[i] * (p[i] - y[i]) * column[i];
                }
                assertThat(gradient / total).isCloseTo(0, within(1e-9));
            }
        }
    }

    @Test
    void rowsAreSplitInTwoByTheSeed() {
        Comparison.Split split = Comparison.Split.of(table, null, 0.3, 4);
        Comparison.Split again = Comparison.Split.of(table, null, 0.3, 4);
        Comparison.Split other = Comparison.Split.of(table, null, 0.3, 5);

        assertThat(split.heldOut().rows()).isEqualTo(45);
        assertThat(split.training().rows()).isEqualTo(105);
        assertThat(numbers(split.heldOut())).isEqualTo(numbers(again.heldOut())).isNotEqualTo(numbers(other.heldOut()));
        assertThat(numbers(split.heldOut())).doesNotContainAnyElementsOf(numbers(split.training()));
        assertThatThrownBy(() -> Comparison.Split.of(table, null, 0.001, 1))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("at least 2");
    }

    @Test
    void intervalsContainTheEstimateAndTheSeedReproducesThem() {
        Comparison.Split split = Comparison.Split.of(table, null, 0.4, 1);
        Comparison one = compare(People.regression().gamma(0.5), split.training(), split.heldOut());
        Comparison two = compare(People.regression().gamma(0.5), split.training(), split.heldOut());

        for (int k = 0; k < 3; k++) {
            Comparison.Entry entry = one.entries().get(k);
            assertThat(entry.evaluation().moved().rmse())
                    .isBetween(entry.moved().low(), entry.moved().high());
            assertThat(entry.evaluation().honest().rmse())
                    .isBetween(entry.honest().low(), entry.honest().high());
            assertThat(two.entries().get(k).moved()).isEqualTo(entry.moved());
        }
    }

    @Test
    void withoutAFiniteRuleOnlyAHedgedOneIsComparedWithTheOthers() {
        Comparison comparison = compare(People.regression().wish("y+1").hedge(Hedge.BALANCED), table, table);

        assertThat(comparison.model().optimality().finite()).isFalse();
        assertThat(comparison.entries())
                .extracting(entry -> entry.evaluation().rule().name())
                .containsExactly("least squares", "ridge", "hedged");
        assertThat(comparison.saving()).isEmpty();
    }

    private static Comparison compare(StackelbergRegression.Builder game, Table training, Table judged) {
        return Comparison.of(
                game.build(), training, judged, Encoding.UnknownLevel.ERROR, new Bootstrap(200, 0.95, 3), ONE);
    }

    private static double variance(double[] values, double[] weights) {
        double total = Arrays.stream(weights).sum();
        double mean = 0;
        for (int i = 0; i < values.length; i++) {
            mean += weights[i] * values[i] / total;
        }
        double variance = 0;
        for (int i = 0; i < values.length; i++) {
            variance += weights[i] * (values[i] - mean) * (values[i] - mean) / total;
        }
        return variance;
    }

    private static java.util.List<Integer> numbers(Table rows) {
        return java.util.stream.IntStream.range(0, rows.rows())
                .mapToObj(rows::rowNumber)
                .toList();
    }

    /** More than 5,000 columns were refused, and fewer decomposed again and again. */
    @ParameterizedTest
    @ValueSource(ints = {1100, 5200})
    @Tag("slow")
    void manyColumnsAreCompared(int columns) {
        Comparison.Split split = Comparison.Split.of(TextLike.table(120, columns, 40, 1, 5), null, 0.5, 1);
        Comparison comparison = Comparison.of(
                StackelbergRegression.builder()
                        .hedge(Hedge.NONE)
                        .target("y")
                        .wish("max(y,6)")
                        .wishNoise(0.5)
                        .build(),
                split.training(),
                split.heldOut(),
                Encoding.UnknownLevel.ERROR,
                new Bootstrap(20, 0.95, 1),
                ONE);

        PublishedRule ridge = comparison.entries().get(1).evaluation().rule();
        double lambda = comparison.entries().get(1).lambda();
        Encoding encoding = comparison.model().encoding();
        Table people = split.training();
        double[] y = people.numeric("y").values();
        double[] p = ridge.predict(encoding, people, Encoding.UnknownLevel.ERROR);
        double[] ones = new double[y.length];
        Arrays.fill(ones, 1);
        assertThat(lambda).isBetween(1e-6, 100.0);
        for (int j = 0; j < columns; j++) {
            double[] x = people.numeric(String.valueOf(j + 1)).values();
            double w = ridge.coefficient(encoding.columns().get(j));
            double gradient = lambda * y.length * variance(x, ones) * w;
            for (int i = 0; i < y.length; i++) {
                gradient += (p[i] - y[i]) * x[i];
            }
            assertThat(gradient / y.length).as("word %s", j + 1).isCloseTo(0, within(1e-6));
        }
        // least squares would know everybody by heart
        assertThat(comparison.entries().get(0).evaluation().rule())
                .isEqualTo(comparison.model().game().today().rule());
    }
}
