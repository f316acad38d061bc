package stackelberg.data.wish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

class WishTest {
    private static final double[] Y = {3, 8, 5, 6, 4};
    private static final double[] P = {1, 2, 3, 4, 5};
    private final Table table = Table.of(
            NumericColumn.of("x", 2, 0, -1, 4, 9),
            NumericColumn.of("V-9", 10, 20, 30, 40, 50),
            NumericColumn.of("p", 7, 7, 7, 7, 7),
            CategoricalColumn.of("sex", "m", "f", "m", "f", "m"));

    private Wish parse(String text) {
        return Wish.parse(text, table.names(), true);
    }

    private double[] evaluate(String text) {
        return parse(text).freeze(table, Y).evaluate(table, Y, P);
    }

    private void isOfY(String text, DoubleUnaryOperator rule) {
        double[] z = evaluate(text);
        for (int i = 0; i < Y.length; i++) {
            assertThat(z[i]).as(text).isEqualTo(rule.applyAsDouble(Y[i]));
        }
    }

    @Test
    void wishesOfThePaperAreEvaluated() {
        isOfY("max(y, 6)", y -> Math.max(y, 6));
        isOfY("y+20", y -> y + 20);
        isOfY("max(y-100,0)", y -> Math.max(y - 100, 0));
    }

    @Test
    void operatorsHaveTheUsualPrecedence() {
        isOfY("2+3*y^2", y -> 2 + 3 * Math.pow(y, 2));
        isOfY("10-y-1", y -> 10 - y - 1);
        isOfY("24/y/2", y -> 24 / y / 2);
        isOfY("-y^2", y -> -Math.pow(y, 2));
        isOfY("2^3^0.5*y", y -> Math.pow(2, Math.pow(3, 0.5)) * y);
        isOfY("2^-y", y -> Math.pow(2, -y));
        isOfY("(2+3)*(y-1)", y -> 5 * (y - 1));
        isOfY("1.5e1 * +y - -2E-1", y -> 15 * y + 0.2);
    }

    @Test
    void functionsOfOneRowAreEvaluated() {
        isOfY("min(y, 5, 4)", y -> Math.min(y, 4));
        isOfY("clip(y, 4, 6)", y -> Math.min(Math.max(y, 4), 6));
        isOfY(
                "abs(4-y) + sqrt(y) + exp(-y) + log(y)",
                y -> Math.abs(4 - y) + Math.sqrt(y) + Math.exp(-y) + Math.log(y));
    }

    @Test
    void columnsAreWrittenPlainlyOrInQuotes() {
        assertThat(evaluate("x")).containsExactly(2, 0, -1, 4, 9);
        assertThat(evaluate("V-9")).containsExactly(10, 20, 30, 40, 50);
        assertThat(evaluate("`V-9` - x")).containsExactly(8, 20, 31, 36, 41);
        assertThat(evaluate("'V-9' + \"x\"")).containsExactly(12, 20, 29, 44, 59);
        assertThat(parse("`V-9` - x").columns()).containsExactly("V-9", "x");
    }

    @Test
    void pIsThePredictionAndQuotedPIsTheColumn() {
        assertThat(evaluate("p + 0")).containsExactly(P);
        assertThat(evaluate("`p` + 0")).containsExactly(7, 7, 7, 7, 7);
        assertThat(parse("p + 0").usesPrediction()).isTrue();
        assertThat(parse("`p` + 0").usesPrediction()).isFalse();
        assertThatThrownBy(() -> Wish.parse("p+1", table.names()))
                .hasMessageContaining("p, the current prediction, is not known");
    }

    @Test
    void aWishKnowsWhichNamesItUsesAndRefusesAbsentValues() {
        assertThat(parse("max(y, 6)").usesTarget()).isTrue();
        assertThat(parse("x + 1").usesTarget()).isFalse();
        assertThat(parse("x + quantile(0.5)").usesTarget()).isTrue();
        assertThat(parse("x + quantile(0.5)").freeze(table, Y).usesTarget()).isFalse();
        assertThat(parse("x + 1").evaluate(table, null, null)).containsExactly(3, 1, 0, 5, 10);
        assertThatThrownBy(() -> parse("y + 1").evaluate(table, null, null))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("uses y");
        assertThatThrownBy(() -> parse("p + 1").evaluate(table, Y, null)).hasMessageContaining("uses p");
    }

    /** Sorted y = 3, 4, 5, 6, 8; position q (m - 1). */
    @ParameterizedTest
    @CsvSource({"0, 3", "0.25, 4", "0.3, 4.2", "0.5, 5", "0.9, 7.2", "1, 8"})
    void quantilesAreInterpolatedLinearly(double q, double value) {
        assertThat(evaluate("quantile(" + q + ")")[0]).isCloseTo(value, within(1e-14));
        assertThat(evaluate("quantile(2*y, " + q + ")")[0]).isCloseTo(2 * value, within(1e-14));
    }

    @Test
    void statisticsAreOfTheTargetIfNoExpressionIsGiven() {
        assertThat(evaluate("mean()")[0]).isCloseTo(5.2, within(1e-14));
        assertThat(evaluate("median()")[0]).isEqualTo(5);
        assertThat(evaluate("sd()")[0]).isCloseTo(Math.sqrt(150 / 5.0 - 5.2 * 5.2), within(1e-14));
        assertThat(evaluate("mean(x)")[0]).isCloseTo(2.8, within(1e-14));
        assertThat(evaluate("mean(max(y, mean()))")[0]).isCloseTo((3 * 5.2 + 8 + 6) / 5, within(1e-14));
    }

    @Test
    void aFrozenWishHasNumbersForStatisticsAndDoesNotDependOnTheRows() {
        Wish frozen = parse("max(y, quantile(0.25)) - 2*mean(x)").freeze(table, Y);
        assertThat(frozen.text()).isEqualTo("max(y, 4) - 2 * 2.8");
        Table fewer = table.select(new int[] {1});
        assertThat(frozen.evaluate(fewer, new double[] {0}, null)).containsExactly(4 - 2 * 2.8);
        assertThatThrownBy(() -> parse("mean()").evaluate(table, Y, null)).isInstanceOf(IllegalStateException.class);
    }

    /** Random expressions: the frozen text, parsed again, gives bitwise the same wishes. */
    @Test
    void frozenTextParsesBackToTheSameWish() {
        Random random = new Random(5);
        for (int k = 0; k < 2000; k++) {
            String text = "mean(y) * 0 + " + randomExpression(random, 4);
            Wish frozen = parse(text).freeze(table, Y);
            Wish again = parse(frozen.text());
            double[] z;
            try {
                z = frozen.evaluate(table, Y, P);
            } catch (DataException notFinite) {
                continue;
            }
            assertThat(again.evaluate(table, Y, P))
                    .as(text + " -> " + frozen.text())
                    .isEqualTo(z);
        }
        assertThat(parse("V-9").freeze(table, Y).text()).isEqualTo("`V-9`");
        assertThat(parse("y + 1").freeze(table, Y).text()).isEqualTo("y + 1");
    }

    private static String randomExpression(Random random, int depth) {
        if (depth == 0) {
            return List.of("y", "p", "x", "`V-9`", "2", "0.3", "quantile(0.3)", "mean(-y)", "1e-20")
                    .get(random.nextInt(9));
        }
        String a = randomExpression(random, depth - 1);
        String b = randomExpression(random, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> a + "+" + b;
            case 1 -> a + "-(" + b + ")";
            case 2 -> "(" + a + ")*(" + b + ")";
            case 3 -> "(" + a + ")/(" + b + ")";
            case 4 -> "(" + a + ")^2";
            case 5 -> "-" + a;
            case 6 -> "2^-(" + a + ")^(" + b + ")";
            default -> "max(" + a + "," + b + ")";
        };
    }

    @Test
    void syntaxErrorsShowThePositionAndASuggestion() {
        assertThatThrownBy(() -> parse("max(y;6)"))
                .isInstanceOf(DataException.class)
                .hasMessage("Wish, position 6: ',' or ')' is expected, but there is ';'.\n"
                        + "    max(y;6)\n"
                        + "         ^\n"
                        + "Maybe you meant ','.");
        assertThatThrownBy(() -> parse("max(y,quantle(0.25))"))
                .hasMessageContaining("position 7: there is no function 'quantle'")
                .hasMessageContaining("Maybe you meant 'quantile'.");
        assertThatThrownBy(() -> parse("max(y,6"))
                .hasMessageContaining("position 8")
                .hasMessageContaining("there is the end")
                .hasMessageContaining("add ')'");
        assertThatThrownBy(() -> parse("y + V-9"))
                .hasMessageContaining("position 5")
                .hasMessageContaining("quotes: 'V-9'");
        assertThatThrownBy(() -> parse("y + sexx"))
                .hasMessageContaining("no column 'sexx'")
                .hasMessageContaining("Maybe you meant 'sex'");
        assertThatThrownBy(() -> parse("mean + 1")).hasMessageContaining("write mean(...)");
        assertThatThrownBy(() -> parse("'V-9")).hasMessageContaining("never closed");
        assertThatThrownBy(() -> parse("max(y)")).hasMessageContaining("max takes at least 2 arguments, but has 1");
        assertThatThrownBy(() -> parse("clip(y, 2)")).hasMessageContaining("takes 3 arguments");
        assertThatThrownBy(() -> parse("quantile(0.25, y)")).hasMessageContaining("quantile(expression, level)");
        assertThatThrownBy(() -> parse("mean(p)")).hasMessageContaining("mean of p");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "y +", "y 6", "(y", "y)", "1.2.3", "y ? 2", "max(,y)", "* y", "y ^", "max(y,)", "#"})
    void malformedTextIsRefusedWithThePosition(String text) {
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(DataException.class)
                .hasMessageStartingWith("Wish, position ")
                .hasMessageContaining("\n    " + text + "\n")
                .hasMessageContaining("^\nMaybe ");
    }

    @Test
    void aWishThatIsNotFiniteIsRefusedWithTheRow() {
        assertThatThrownBy(() -> evaluate("y/x"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("The wish y/x is Infinity in row 2 (y = 8.0, x = 0.0)");
        assertThatThrownBy(() -> evaluate("log(x)")).hasMessageContaining("row 2");
        assertThatThrownBy(() -> evaluate("mean(1/x)")).hasMessageContaining("row 2");
        assertThatThrownBy(() -> evaluate("quantile(2)")).hasMessageContaining("between 0 and 1");
        assertThatThrownBy(() -> evaluate("y + sex")).hasMessageContaining("'sex' must be numeric");
    }

    /** A long wish is parsed, evaluated and written back, or refused; none recurses so deep that the stack overflows. */
    @Test
    void aLongWishIsEvaluatedOrRefusedButNeverOverflowsTheStack() {
        Table table = Table.of(NumericColumn.of("y", 1, 2));
        double[] y = {1, 2};
        assertThat(Wish.parse("y" + "+y".repeat(300), List.of("y")).evaluate(table, y, null))
                .containsExactly(301, 602);
        assertThat(Wish.parse("-".repeat(300) + "y", List.of("x")).evaluate(table, y, null))
                .containsExactly(1, 2);
        Wish mean = Wish.parse("y" + "+(-mean(y))^2".repeat(50), List.of("x"));
        assertThat(Wish.parse(mean.freeze(table, y).text(), List.of("x")).evaluate(table, y, null))
                .containsExactly(1 + 50 * 2.25, 2 + 50 * 2.25);
        for (String rule : List.of(
                "y" + "+y".repeat(800),
                "(".repeat(5_000) + "y" + ")".repeat(5_000),
                "-".repeat(60_000) + "y",
                "y" + "^2".repeat(60_000),
                "max(".repeat(5_000) + "y" + ")".repeat(5_000))) {
            assertThatThrownBy(() -> Wish.parse(rule, List.of("x")))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("more than 300")
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
        }
    }

    @Test
    void blocksOfRowsAreEvaluatedToTheSameBitsAsSingleRows() {
        int rows = 9_001;
        double[] x = new Random(1).doubles(rows, -2, 2).toArray();
        double[] y = new Random(2).doubles(rows, -2, 2).toArray();
        Table many = Table.of(NumericColumn.of("x", x));
        Wish wish = Wish.parse("max(y, min(x, 1) + 0.5) / 2", List.of("x"));
        double[] z = wish.evaluate(many, y, null, null, Workers.of(2));
        for (int i = 0; i < rows; i++) {
            assertThat(z[i]).isEqualTo(Math.max(y[i], Math.min(x[i], 1) + 0.5) / 2);
        }
        Wish refused = Wish.parse("sqrt(x)", List.of("x"));
        int first = IntStream.range(0, rows).filter(i -> x[i] < 0).findFirst().orElseThrow();
        assertThatThrownBy(() -> refused.evaluate(many, y, null, null, Workers.of(2)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row " + (first + 1) + " ");
    }
}
