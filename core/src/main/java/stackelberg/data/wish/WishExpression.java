package stackelberg.data.wish;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import stackelberg.data.DataException;

/** The tree of a wish rule: a number for every row. */
sealed interface WishExpression {
    /** What binds tighter has the higher number; used to write no more parentheses than are needed. */
    int SUM = 1;

    int PRODUCT = 2;
    int NEGATION = 3;
    int POWER = 4;
    int ATOM = 5;

    /** What is known of all rows. */
    @FunctionalInterface
    interface Numbers {
        /**
         * One statistic.
         *
         * @param of what it is of, without statistics inside
         * @param level of the quantile, 0.5 for the median
         * @param text the statistic as it was written
         */
        double of(WishFunction function, WishExpression of, double level, String text);
    }

    double at(WishValues values, int row);

    /** The same at some rows from the first on, as many as there is room for. */
    default void fill(WishValues values, int first, double[] to) {
        for (int i = 0; i < to.length; i++) {
            to[i] = at(values, first + i);
        }
    }

    /** The same with every statistic replaced by its number. */
    WishExpression freeze(Numbers numbers);

    /** In the syntax that the parser reads. */
    String text();

    int precedence();

    List<WishExpression> children();

    default boolean any(Class<? extends WishExpression> kind) {
        return kind.isInstance(this) || children().stream().anyMatch(c -> c.any(kind));
    }

    default void collectColumns(Set<String> names) {
        children().forEach(c -> c.collectColumns(names));
    }

    /** The text as an operand: in parentheses if it binds less tightly than that. */
    default String operand(int least) {
        return precedence() >= least ? text() : "(" + text() + ")";
    }

    /** Nothing inside, nothing to freeze. */
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
            boolean whole = value == Math.rint(value) && Math.abs(value) < 1e15 && Double.compare(value, -0.0) != 0;
            return whole ? Long.toString((long) value) : Double.toString(value);
        }

        @Override
        public int precedence() {
            return text().startsWith("-") ? NEGATION : ATOM;
        }
    }

    /** y */
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

    /** p */
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

    /** today */
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
            // Sums and products group to the left, powers to the right.
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

    /** One number for all rows: mean, sd, median or quantile of an expression; level is the quantile's, else null. */
    record Statistic(WishFunction function, WishExpression of, WishExpression level) implements WishExpression {
        @Override
        public double at(WishValues values, int row) {
            throw new IllegalStateException("The wish has statistics in it: freeze it first.");
        }

        @Override
        public WishExpression freeze(Numbers numbers) {
            WishExpression frozen = of.freeze(numbers);
            // a level has nothing of rows in it
            double q = level == null ? 0.5 : level.freeze(numbers).at(null, 0);
            if (!(q >= 0 && q <= 1)) {
                throw new DataException("The level of " + text() + " must be between 0 and 1, but is " + q
                        + ".\nMaybe the arguments are swapped: quantile(expression, level).");
            }
            return new Constant(numbers.of(function, frozen, q, text()));
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
