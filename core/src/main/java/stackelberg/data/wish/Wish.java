package stackelberg.data.wish;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * Computes the wishes z of all rows: a column, or an expression in y (the target), today (the score under today's rule), p (the current
 * prediction) and other numeric columns, such as {@code max(today, quantile(0.25))}.
 *
 * <p>Operators are + - * / ^; functions are max, min, abs, sqrt, exp, log and clip(x, lo, hi); statistics are mean, sd, median and quantile(expression,
 * level), of y if no expression is given. A column whose name is not an identifier, or is y, today or p, is written in quotes.
 */
public final class Wish {
    /** The number of rows that are evaluated together: 32 kB per operand, so that the intermediate results stay in cache. */
    private static final int ROWS = 1 << 12;

    private final String text;
    private final WishExpression expression;

    private Wish(String text, WishExpression expression) {
        this.text = text;
        this.expression = expression;
    }

    /** Parses a wish for data without a current prediction p. */
    public static Wish parse(String text, Collection<String> columnNames) {
        return parse(text, columnNames, false);
    }

    /**
     * Parses a wish. A text that is exactly the name of a column stands for that column, even if it could be read as an expression.
     *
     * @param columnNames the columns that the wish may use
     * @param hasPrediction whether p is known where the wish will be evaluated
     */
    public static Wish parse(String text, Collection<String> columnNames, boolean hasPrediction) {
        if (columnNames.contains(text)) {
            return new Wish(text, new WishExpression.Named(text));
        }
        return new Wish(text, new WishParser(text, columnNames, hasPrediction).parse());
    }

    /** The text of the wish as it was written, or, once frozen, with numbers in place of statistics. Parsing it gives the same wish. */
    public String text() {
        return text;
    }

    /** Whether the wish needs the target y. */
    public boolean usesTarget() {
        return expression.any(WishExpression.Target.class);
    }

    /** Whether the wish needs the scores under today's rule. */
    public boolean usesToday() {
        return expression.any(WishExpression.TodaysScore.class);
    }

    /** Whether the wish needs the current predictions p. */
    public boolean usesPrediction() {
        return expression.any(WishExpression.Prediction.class);
    }

    /** The name of the column if the wish is a single column; otherwise empty. */
    public Optional<String> column() {
        return expression instanceof WishExpression.Named named ? Optional.of(named.column()) : Optional.empty();
    }

    /** The names of the columns that the wish needs, in addition to y, today and p. */
    public Set<String> columns() {
        Set<String> names = new TreeSet<>();
        expression.collectColumns(names);
        return names;
    }

    /** {@link #freeze(Table, double[], double[])} for a wish that does not use today's scores. */
    public Wish freeze(Table table, double @Nullable [] y) {
        return freeze(table, y, null);
    }

    /**
     * The wish with its statistics replaced by their values on these rows. A model stores the frozen wish, because new rows have no y.
     *
     * @param y the target, if the wish uses it
     * @param today the scores under today's rule, if the wish uses them
     */
    public Wish freeze(Table table, double @Nullable [] y, double @Nullable [] today) {
        if (expression instanceof WishExpression.Named) {
            // In quotes: otherwise data that lack the column would get an error about the syntax of its name.
            return new Wish(expression.text(), expression);
        }
        if (!expression.any(WishExpression.Statistic.class)) {
            return this;
        }
        return frozen(WishValues.forStatistics(this, table, y, today)::statistic);
    }

    /** The same when the rows are elsewhere, for example on a cluster: {@code statistics} computes the numbers. */
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

    /** Statistics over all rows of a wish that itself contains no statistics. */
    public interface Statistics {
        /** The mean. */
        double mean(Wish of);

        /** The standard deviation with divisor m, not the estimate with m - 1. */
        double sd(Wish of);

        /** The quantile, with linear interpolation between order statistics: position level (m - 1), counted from 0 to m - 1. */
        double quantile(Wish of, double level);
    }

    /** {@link #evaluate(Table, double[], double[], double[])} for a wish that does not use today's scores. */
    public double[] evaluate(Table table, double @Nullable [] y, double @Nullable [] p) {
        return evaluate(table, y, p, null);
    }

    /**
     * The wish z of every row of the table; an error names the first row where z is not finite.
     *
     * @param y the target, if the wish uses it
     * @param p the current prediction, if the wish uses it
     * @param today the score under today's rule, if the wish uses it
     */
    public double[] evaluate(Table table, double @Nullable [] y, double @Nullable [] p, double @Nullable [] today) {
        return evaluate(table, y, p, today, Workers.of(1));
    }

    /** The same on several threads. */
    public double[] evaluate(
            Table table, double @Nullable [] y, double @Nullable [] p, double @Nullable [] today, Workers workers) {
        WishValues values = WishValues.forRows(this, table, y, p, today);
        double[] z = new double[table.rows()];
        boolean[] notFinite = new boolean[(z.length + ROWS - 1) / ROWS];
        workers.run(notFinite.length, block -> {
            int first = block * ROWS;
            double[] some = new double[Math.min(ROWS, z.length - first)];
            expression.fill(values, first, some);
            System.arraycopy(some, 0, z, first, some.length);
            notFinite[block] = !areFinite(some);
        });
        // Evaluated again row by row only where something is wrong, to find the first such row whatever the number of
        // threads.
        for (int block = 0; block < notFinite.length; block++) {
            for (int row = block * ROWS; notFinite[block] && row < Math.min(z.length, (block + 1) * ROWS); row++) {
                values.finite(expression, row, text);
            }
        }
        return z;
    }

    private static boolean areFinite(double[] values) {
        double zero = 0;
        for (double value : values) {
            // value - value is 0 for finite numbers and NaN for all others; a sum has no branches and is fast.
            zero += value - value;
        }
        return zero == 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
