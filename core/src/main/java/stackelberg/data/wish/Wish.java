package stackelberg.data.wish;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * A rule for the wishes z: a column, or an expression in y (the target), today (the score under today's rule), p (the current
 * prediction) and other numeric columns, such as {@code max(today, quantile(0.25))}.
 *
 * <p>Operators + - * / ^; functions max, min, abs, sqrt, exp, log, clip(x, lo, hi); statistics mean, sd, median and quantile(expression,
 * level), of y if no expression is given. A name that is not an identifier, or is y, today or p, is written in quotes.
 */
public final class Wish {
    /** Rows that are evaluated together. */
    private static final int ROWS = 1 << 12;

    private final String text;
    private final WishExpression expression;

    private Wish(String text, WishExpression expression) {
        this.text = text;
        this.expression = expression;
    }

    /** A rule for data without a current prediction. */
    public static Wish parse(String text, Collection<String> columnNames) {
        return parse(text, columnNames, false);
    }

    /**
     * Parses a rule; the exact name of a column stands for that column.
     *
     * @param hasPrediction whether p is known where the rule will be evaluated
     */
    public static Wish parse(String text, Collection<String> columnNames, boolean hasPrediction) {
        if (columnNames.contains(text)) {
            return new Wish(text, new WishExpression.Named(text));
        }
        return new Wish(text, new WishParser(text, columnNames, hasPrediction).parse());
    }

    /** The rule as it was written, or, frozen, with numbers for its statistics; parsing it gives the same rule. */
    public String text() {
        return text;
    }

    public boolean usesTarget() {
        return expression.any(WishExpression.Target.class);
    }

    /** Whether it needs everybody's score under today's rule. */
    public boolean usesToday() {
        return expression.any(WishExpression.TodaysScore.class);
    }

    public boolean usesPrediction() {
        return expression.any(WishExpression.Prediction.class);
    }

    /** The column it is, if it is one column and nothing else. */
    public Optional<String> column() {
        return expression instanceof WishExpression.Named named ? Optional.of(named.column()) : Optional.empty();
    }

    /** The columns it needs, besides the target. */
    public Set<String> columns() {
        Set<String> names = new TreeSet<>();
        expression.collectColumns(names);
        return names;
    }

    /** {@link #freeze(Table, double[], double[])} of a rule that does not look at today's. */
    public Wish freeze(Table table, double[] y) {
        return freeze(table, y, null);
    }

    /**
     * The rule with its statistics replaced by their values on these rows, because new people have no y.
     *
     * @param today the scores under today's rule, may be null if the rule does not use them
     */
    public Wish freeze(Table table, double[] y, double[] today) {
        if (expression instanceof WishExpression.Named) {
            // In quotes, so that data without the column are told just that.
            return new Wish(expression.text(), expression);
        }
        if (!expression.any(WishExpression.Statistic.class)) {
            return this;
        }
        return frozen(WishValues.forStatistics(this, table, y, today)::statistic);
    }

    /** The same where the rows are not at hand: somebody else knows the numbers. */
    public Wish freeze(Statistics statistics) {
        return frozen((function, of, level, text) -> {
            Wish part = new Wish(of.text(), of);
            return switch (function) {
                case MEAN -> statistics.mean(part);
                case SD -> statistics.sd(part);
                default -> statistics.quantile(part, level);
            };
        });
    }

    private Wish frozen(WishExpression.Numbers numbers) {
        WishExpression frozen = expression.freeze(numbers);
        return new Wish(frozen.text(), frozen);
    }

    /** What is known of all rows, of rules that have no statistics inside. */
    public interface Statistics {
        double mean(Wish of);

        /** The standard deviation of these people, not an estimate of others'. */
        double sd(Wish of);

        /** With linear interpolation between order statistics: position level (m - 1) of 0 to m - 1. */
        double quantile(Wish of, double level);
    }

    /** {@link #evaluate(Table, double[], double[], double[])} of a rule that does not look at today's. */
    public double[] evaluate(Table table, double[] y, double[] p) {
        return evaluate(table, y, p, null);
    }

    /**
     * z for every row of the table.
     *
     * @param y the target, may be null if the rule does not use it
     * @param p the current prediction, may be null if the rule does not use it
     * @param today the score under today's rule, may be null if the rule does not use it
     */
    public double[] evaluate(Table table, double[] y, double[] p, double[] today) {
        return evaluate(table, y, p, today, Workers.of(1));
    }

    /** The same, some rows at a time. */
    public double[] evaluate(Table table, double[] y, double[] p, double[] today, Workers workers) {
        WishValues values = WishValues.forRows(this, table, y, p, today);
        double[] z = new double[table.rows()];
        boolean[] odd = new boolean[(z.length + ROWS - 1) / ROWS];
        workers.run(odd.length, block -> {
            int first = block * ROWS;
            double[] some = new double[Math.min(ROWS, z.length - first)];
            expression.fill(values, first, some);
            System.arraycopy(some, 0, z, first, some.length);
            odd[block] = !areFinite(some);
        });
        for (int block = 0; block < odd.length; block++) {
            for (int row = block * ROWS; odd[block] && row < Math.min(z.length, (block + 1) * ROWS); row++) {
                values.finite(expression, row, text);
            }
        }
        return z;
    }

    private static boolean areFinite(double[] values) {
        double none = 0;
        for (double value : values) {
            // 0, or not a number
            none += value - value;
        }
        return none == 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
