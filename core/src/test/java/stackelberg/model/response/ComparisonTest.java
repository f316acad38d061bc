package stackelberg.model.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling;
import stackelberg.estimate.Resampling.Bootstrap;
import stackelberg.estimate.Resampling.Folds;
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
        assertThat(compare(People.regression().gamma(0.5).hedge((Hedge) null).ridge(0.1), table, table)
                        .entries()
                        .get(3)
                        .hedge())
                .isEqualTo(Hedge.BALANCED);
    }

    @Test
    void ridgeMinimisesThePenalisedLoss() {
        Encoding encoding = encoding();
        DenseMatrix x = encoding.apply(table);
        double[] y = table.numeric("score").values();
        double[] weights = table.numeric("weight").values();
        double total = Arrays.stream(weights).sum();
        for (double lambda : new double[] {0, 1e-3, 0.1, 10}) {
            PublishedRule rule = new Ridge(encoding, x, y, weights, true, ONE).ridge(lambda);
            double[] p = rule.predict(encoding, table, Encoding.UnknownLevel.ERROR);
            double balance = 0;
            for (int i = 0; i < y.length; i++) {
                balance += weights[i] * (p[i] - y[i]);
            }
            assertThat(balance / total).isCloseTo(0, within(1e-10));
            for (int j = 0; j < x.cols(); j++) {
                double w = rule.coefficient(encoding.columns().get(j))
                        * encoding.columns().get(j).scale();
                double gradient = lambda * total * variance(x.column(j), weights) * w;
                for (int i = 0; i < y.length; i++) {
                    gradient += weights[i] * (p[i] - y[i]) * x.get(i, j);
                }
                assertThat(gradient / total).isCloseTo(0, within(1e-9));
            }
        }
    }

    @Test
    void theChosenLambdaHasTheSmallestHeldOutLoss() {
        // so few that some shrinking helps
        Table few = People.table(30, 6);
        Encoding encoding = encoding();
        double[] y = few.numeric("score").values();
        double[] weights = few.numeric("weight").values();
        double chosen = new Ridge(encoding, encoding.apply(few), y, weights, true, ONE)
                .crossValidated(9)
                .lambda();
        Folds folds = Resampling.of(30, 9).folds(Ridge.FOLDS);

        assertThat(chosen).isBetween(1e-4, 10.0);
        double best = heldOutError(few, chosen, folds, encoding);
        for (double factor : new double[] {1e-2, Math.pow(10, -0.25), Math.pow(10, 0.25), 1e2}) {
            assertThat(heldOutError(few, factor * chosen, folds, encoding)).isGreaterThan(best);
        }
    }

    /** Sums less those of a fold that holds nearly all of the weight are the rounding of that weight. */
    @Test
    void oneRowOfWeight1e15DoesNotBlurTheOtherFolds() {
        Encoding encoding = encoding();
        for (int heavy = 0; heavy < 8; heavy++) {
            Table few = withWeight(People.table(30, 6), heavy, 1e15);
            double chosen = new Ridge(
                            encoding,
                            encoding.apply(few),
                            few.numeric("score").values(),
                            few.numeric("weight").values(),
                            true,
                            ONE)
                    .crossValidated(9)
                    .lambda();
            Folds folds = Resampling.of(30, 9).folds(Ridge.FOLDS);

            double best = heldOutError(few, chosen, folds, encoding);
            for (int k = 0; k <= 32; k++) {
                double lambda = Math.pow(10, -6 + k / 4.0);
                assertThat(heldOutError(few, lambda, folds, encoding))
                        .as("person %d, lambda %s against %s", heavy, lambda, chosen)
                        .isGreaterThanOrEqualTo(best * (1 - 1e-9));
            }
        }
    }

    private static Table withWeight(Table table, int row, double weight) {
        double[] weights = table.numeric("weight").values();
        weights[row] = weight;
        List<Column> columns = new ArrayList<>(table.columns());
        columns.replaceAll(c -> c.name().equals("weight") ? NumericColumn.of("weight", weights) : c);
        return Table.of(columns);
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

    private Encoding encoding() {
        return People.regression()
                .immutable(Set.of("region"))
                .build()
                .fit(table)
                .encoding();
    }

    private static double heldOutError(Table table, double lambda, Folds folds, Encoding encoding) {
        double error = 0;
        for (int f = 0; f < folds.count(); f++) {
            Table training = table.select(folds.training(f));
            Table held = table.select(folds.heldOut(f));
            PublishedRule rule = new Ridge(
                            encoding,
                            encoding.apply(training),
                            training.numeric("score").values(),
                            training.numeric("weight").values(),
                            true,
                            ONE)
                    .ridge(lambda);
            double[] p = rule.predict(encoding, held, Encoding.UnknownLevel.ERROR);
            for (int i = 0; i < p.length; i++) {
                double residual = p[i] - held.numeric("score").value(i);
                error += held.numeric("weight").value(i) * residual * residual;
            }
        }
        return error;
    }

    private static java.util.List<Integer> numbers(Table rows) {
        return java.util.stream.IntStream.range(0, rows.rows())
                .mapToObj(rows::rowNumber)
                .toList();
    }

    /** The game in which nobody moves is what it says: the same rules as from sums of products, dense and sparse, with and without an intercept. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ridgeByPassesEqualsRidgeBySums(boolean intercept) {
        Table words = TextLike.table(90, 40, 15, 0.5, 3);
        Encoding ofWords = StackelbergRegression.builder()
                .hedge(Hedge.NONE)
                .target("y")
                .wish("y+1")
                .intercept(intercept ? GameSpec.Intercept.IMMUTABLE : GameSpec.Intercept.NONE)
                .build()
                .fit(words)
                .encoding();
        double[] ones = new double[90];
        Arrays.fill(ones, 1);
        assertSameRidge(ofWords, words, words.numeric("y").values(), ones, intercept);
        assertSameRidge(
                encoding(),
                table,
                table.numeric("score").values(),
                table.numeric("weight").values(),
                intercept);
    }

    private static void assertSameRidge(
            Encoding encoding, Table table, double[] y, double[] weights, boolean intercept) {
        Ridge sums = new Ridge(encoding, encoding.apply(table), y, weights, intercept, ONE);
        WideRidge passes = new WideRidge(encoding, table, y, weights, intercept, ONE);
        double[] lambdas = {0, 1e-3, 0.1, 10};
        List<PublishedRule> together = passes.rules(lambdas);
        for (int k = 0; k < lambdas.length; k++) {
            PublishedRule rule = k == 0 ? sums.leastSquares() : sums.ridge(lambdas[k]);
            double[] expected = rule.predict(encoding, table, Encoding.UnknownLevel.ERROR);
            double[] actual = together.get(k).predict(encoding, table, Encoding.UnknownLevel.ERROR);
            assertThat(together.get(k).name()).isEqualTo(rule.name());
            for (int i = 0; i < expected.length; i++) {
                assertThat(actual[i]).as("lambda %s", lambdas[k]).isCloseTo(expected[i], within(k == 0 ? 1e-4 : 1e-6));
            }
        }
        // side by side, each by one thread, or one after the other
        assertThat(new WideRidge(encoding, table, y, weights, intercept, Workers.of(3)).crossValidated(4))
                .isEqualTo(passes.crossValidated(4));
        assertThat(passes.crossValidated(4))
                .isBetween(
                        sums.crossValidated(4).lambda() / 2,
                        2 * sums.crossValidated(4).lambda());
    }

    @Test
    void rowsWithZeroWeightDoNotChangeTheRidge() {
        Encoding encoding = encoding();
        double[] weights = table.numeric("weight").values();
        for (int i = 0; i < weights.length; i += 3) {
            weights[i] = 0;
        }
        int[] counted =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        Table alone = table.select(counted);
        double[] theirs = Arrays.stream(counted).mapToDouble(i -> weights[i]).toArray();
        double[] y = table.numeric("score").values();
        double[] ofThose = alone.numeric("score").values();

        for (long seed = 1; seed <= 5; seed++) {
            Ridge.Chosen chosen =
                    new Ridge(encoding, encoding.apply(table), y, weights, true, ONE).crossValidated(seed);
            Ridge.Chosen expected =
                    new Ridge(encoding, encoding.apply(alone), ofThose, theirs, true, ONE).crossValidated(seed);
            assertThat(chosen.lambda()).isEqualTo(expected.lambda());
            expected.rule().coefficients().forEach((term, coefficient) -> assertThat(
                            chosen.rule().coefficients().get(term))
                    .isCloseTo(coefficient, within(1e-9)));
            assertThat(new WideRidge(encoding, table, y, weights, true, ONE).crossValidated(seed))
                    .isEqualTo(new WideRidge(encoding, alone, ofThose, theirs, true, ONE).crossValidated(seed));
        }
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
