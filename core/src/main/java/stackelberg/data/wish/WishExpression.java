package stackelberg.data.wish;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;

/**
 * A node of the expression tree of a wish, which has a value in every row.
 *
 * <p>Expressions are evaluated in two ways: {@link #at} computes one row, and {@link #fill} a block of rows, which is
 * faster because each node then is one loop over arrays instead of a tree of calls per row.
 */
sealed interface WishExpression {
    /**
     * Precedences: an operator with a higher number binds tighter. {@link #text} uses them to write as few parentheses
     * as possible.
     */
    int SUM = 1;

    int PRODUCT = 2;
    int NEGATION = 3;
    int POWER = 4;
    int ATOM = 5;

    /** Computes statistics over all rows. */
    @FunctionalInterface
    interface Numbers {
        /**
         * The value of one statistic.
         *
         * @param of the expression that the statistic is of, which contains no statistics
         * @param level the level of a quantile, 0.5 for the median; other statistics ignore it
         * @param text the statistic as it was written, for messages
         */
        double of(WishFunction function, WishExpression of, double level, String text);
    }

    /** The value in a row; not finite if, for example, it divides by zero. */
    double at(WishValues values, int row);

    /** Fills an array with the values of the rows from {@code first} on. */
    default void fill(WishValues values, int first, double[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] = at(values, first + i);
        }
    }

    /** Returns the expression with every statistic replaced by its value. */
    WishExpression freeze(Numbers numbers);

    /** The expression as text, which the parser reads back to the same expression. */
    String text();

    /** How tightly the outermost operator binds. */
    int precedence();

    /** The operands or arguments, empty for a leaf. */
    List<WishExpression> children();

    /** Whether this node or one below it is of the given kind. */
    default boolean any(Class<? extends WishExpression> kind) {
        return kind.isInstance(this) || children().stream().anyMatch(c -> c.any(kind));
    }

    /** Adds the names of the columns in this expression to a set. */
    default void collectColumns(Set<String> names) {
        children().forEach(c -> c.collectColumns(names));
    }

    /** The text as an operand: in parentheses if its precedence is lower than {@code least}. */
    default String operand(int least) {
        return precedence() >= least ? text() : "(" + text() + ")";
    }

    /** A node without operands, which freezing leaves as it is. */
    sealed interface Leaf extends WishExpression {
        @Override
        default WishExpression freeze(Numbers numbers) {
            return this;
        }

        @Override
        default List<WishExpression> children() {
            return List.of();
        }

        @Override
        default int precedence() {
            return ATOM;
        }
    }

    /** A number. */
    record Constant(double value) implements Leaf {
        @Override
        public double at(WishValues values, int row) {
            return value;
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            Arrays.fill(to, value);
        }

        @Override
        public String text() {
            // -0 is not written as a whole number: that would lose its sign.
            boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15 && Double.compare(value, -0.0) != 0;
            return whole ? Long.toString((long) value) : Double.toString(value);
        }

        @Override
        public int precedence() {
            // A negative number is read back as a sign and a number.
            return text().startsWith("-") ? NEGATION : ATOM;
        }
    }

    /** The target, written y. */
    record Target() implements Leaf {
        @Override
        public double at(WishValues values, int row) {
            return values.target(row);
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            values.targets(first, to);
        }

        @Override
        public String text() {
            return "y";
        }
    }

    /** The current prediction, written p. */
    record Prediction() implements Leaf {
        @Override
        public double at(WishValues values, int row) {
            return values.prediction(row);
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            values.predictions(first, to);
        }

        @Override
        public String text() {
            return "p";
        }
    }

    /** The score under today's rule, written today. */
    record TodaysScore() implements Leaf {
        @Override
        public double at(WishValues values, int row) {
            return values.today(row);
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            values.todays(first, to);
        }

        @Override
        public String text() {
            return "today";
        }
    }

    /** A column, written in backquotes. */
    record Named(String column) implements Leaf {
        @Override
        public double at(WishValues values, int row) {
            return values.column(column, row);
        }

        @Override
        public String text() {
            return "`" + column.replace("`", "``") + "`";
        }

        @Override
        public void collectColumns(Set<String> names) {
            names.add(column);
        }
    }

    /** -x. */
    record Negation(WishExpression of) implements WishExpression {
        @Override
        public double at(WishValues values, int row) {
            return -of.at(values, row);
        }

        @Override
        public WishExpression freeze(Numbers numbers) {
            return new Negation(of.freeze(numbers));
        }

        @Override
        public String text() {
            return "-" + of.operand(POWER);
        }

        @Override
        public int precedence() {
            return NEGATION;
        }

        @Override
        public List<WishExpression> children() {
            return List.of(of);
        }
    }

    /** Two operands with one of + - * / ^ between them. */
    record Binary(char operator, WishExpression left, WishExpression right) implements WishExpression {
        @Override
        public double at(WishValues values, int row) {
            return of(left.at(values, row), right.at(values, row));
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            double[] other = new double[to.length];
            left.fill(values, first, to);
            right.fill(values, first, other);
            for (int i = 0; i < to.length; i++) {
                to[i] = of(to[i], other[i]);
            }
        }

        private double of(double a, double b) {
            return switch (operator) {
                case '+' -> a + b;
                case '-' -> a - b;
                case '*' -> a * b;
                case '/' -> a / b;
                default -> Math.pow(a, b);
            };
        }

        @Override
        public WishExpression freeze(Numbers numbers) {
            return new Binary(operator, left.freeze(numbers), right.freeze(numbers));
        }

        @Override
        public String text() {
            // Sums and products group to the left, so their right operand needs parentheses at equal precedence; powers
            // group to the right.
            int own = precedence();
            return own == POWER
                    ? left.operand(ATOM) + "^" + right.operand(NEGATION)
                    : left.operand(own) + " " + operator + " " + right.operand(own + 1);
        }

        @Override
        public int precedence() {
            return switch (operator) {
                case '+', '-' -> SUM;
                case '*', '/' -> PRODUCT;
                default -> POWER;
            };
        }

        @Override
        public List<WishExpression> children() {
            return List.of(left, right);
        }
    }

    /** A function of one row's numbers, such as max(y, 6). */
    record Call(WishFunction function, List<WishExpression> arguments) implements WishExpression {
        @Override
        public double at(WishValues values, int row) {
            double[] numbers = new double[arguments.size()];
            for (int k = 0; k < numbers.length; k++) {
                numbers[k] = arguments.get(k).at(values, row);
            }
            return function.apply(numbers);
        }

        @Override
        public void fill(WishValues values, int first, double[] to) {
            // max and min need one further array, however many arguments there are.
            if (function.isFolded()) {
                double[] other = new double[to.length];
                arguments.get(0).fill(values, first, to);
                for (WishExpression argument : arguments.subList(1, arguments.size())) {
                    argument.fill(values, first, other);
                    function.fold(other, to);
                }
                return;
            }
            double[][] columns = new double[arguments.size()][to.length];
            for (int k = 0; k < columns.length; k++) {
                arguments.get(k).fill(values, first, columns[k]);
            }
            double[] numbers = new double[columns.length];
            for (int i = 0; i < to.length; i++) {
                for (int k = 0; k < numbers.length; k++) {
                    numbers[k] = columns[k][i];
                }
                to[i] = function.apply(numbers);
            }
        }

        @Override
        public WishExpression freeze(Numbers numbers) {
            return new Call(
                    function, arguments.stream().map(a -> a.freeze(numbers)).toList());
        }

        @Override
        public String text() {
            return function.text()
                    + arguments.stream().map(WishExpression::text).collect(Collectors.joining(", ", "(", ")"));
        }

        @Override
        public int precedence() {
            return ATOM;
        }

        @Override
        public List<WishExpression> children() {
            return arguments;
        }
    }

    /** One number for all rows: the mean, sd, median or quantile of an expression. Only a quantile has a level. */
    record Statistic(
            WishFunction function,
            WishExpression of,
            @Nullable WishExpression level) implements WishExpression {
        @Override
        public double at(WishValues values, int row) {
            throw new IllegalStateException("The wish contains the statistic " + text() + "; call freeze(...) first.");
        }

        @Override
        public WishExpression freeze(Numbers numbers) {
            WishExpression frozen = of.freeze(numbers);
            double q = level == null ? 0.5 : constant(level.freeze(numbers));
            if (!(q >= 0 && q <= 1)) {
                throw DataException.of(
                        "wish-level",
                        "The level of {} must be between 0 and 1, but is {}.\n"
                                + "Maybe the arguments are swapped: quantile(expression, level).",
                        text(),
                        q);
            }
            return new Constant(numbers.of(function, frozen, q, text()));
        }

        /** The value of an expression of numbers alone, which is the same in every row and needs no values of names. */
        @SuppressWarnings("NullAway")
        private static double constant(WishExpression expression) {
            return expression.at(null, 0);
        }

        @Override
        public String text() {
            return function.text() + "(" + of.text() + (level == null ? "" : ", " + level.text()) + ")";
        }

        @Override
        public int precedence() {
            return ATOM;
        }

        @Override
        public List<WishExpression> children() {
            return level == null ? List.of(of) : List.of(of, level);
        }
    }
}
