package stackelberg.data.wish;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/** The values of the names in a wish: the columns of a table, y, today and p. The constructor checks that all names the wish uses have values. */
final class WishValues {
    private final Table table;
    private final double @Nullable [] y;
    private final double @Nullable [] p;
    private final double @Nullable [] today;
    /** The columns that the wish uses, looked up once, because a table may copy a column at each call. */
    private final Map<String, NumericColumn> columns = new HashMap<>();

    private WishValues(
            Wish wish, Table table, double @Nullable [] y, double @Nullable [] p, double @Nullable [] today) {
        this.table = table;
        this.y = y;
        this.p = p;
        this.today = today;
        check(wish.usesTarget(), y, "y, the target");
        check(wish.usesToday(), today, "today, the score under today's rule");
        wish.columns().forEach(name -> columns.put(name, table.numeric(name)));
    }

    /** The values to evaluate a wish on every row of the table. */
    static WishValues forRows(
            Wish wish, Table table, double @Nullable [] y, double @Nullable [] p, double @Nullable [] today) {
        WishValues values = new WishValues(wish, table, y, p, today);
        values.check(wish.usesPrediction(), p, "p, the current prediction");
        return values;
    }

    /** The values to compute the statistics in a wish; without p, which the parser allows in no statistic. */
    static WishValues forStatistics(Wish wish, Table table, double @Nullable [] y, double @Nullable [] today) {
        return new WishValues(wish, table, y, null, today);
    }

    int rows() {
        return table.rows();
    }

    /** A statistic of an expression over all rows; refuses a row where the expression is not finite. {@code text} is the statistic as it was written. */
    double statistic(WishFunction function, WishExpression of, double level, String text) {
        double[] sample = new double[rows()];
        for (int row = 0; row < sample.length; row++) {
            sample[row] = finite(of, row, text);
        }
        return function.statistic(sample, level);
    }

    double target(int row) {
        return requireNonNull(y)[row];
    }

    double prediction(int row) {
        return requireNonNull(p)[row];
    }

    double today(int row) {
        return requireNonNull(today)[row];
    }

    /** Fills an array with the targets of the rows from {@code first} on. */
    void targets(int first, double[] to) {
        System.arraycopy(requireNonNull(y), first, to, 0, to.length);
    }

    /** Fills an array with the current predictions of the rows from {@code first} on. */
    void predictions(int first, double[] to) {
        System.arraycopy(requireNonNull(p), first, to, 0, to.length);
    }

    /** Fills an array with the scores under today's rule of the rows from {@code first} on. */
    void todays(int first, double[] to) {
        System.arraycopy(requireNonNull(today), first, to, 0, to.length);
    }

    /** The value of a column that the wish uses. */
    double column(String name, int row) {
        return requireNonNull(columns.get(name)).value(row);
    }

    /** The value of an expression in a row; if it is not finite, an error shows the values that went into it. {@code rule} is the wish as the user wrote it. */
    double finite(WishExpression expression, int row, String rule) {
        double value = expression.at(this, row);
        if (Double.isFinite(value)) {
            return value;
        }
        StringJoiner where = new StringJoiner(", ", " (", ")").setEmptyValue("");
        if (y != null && expression.any(WishExpression.Target.class)) {
            where.add("y = " + y[row]);
        }
        if (today != null && expression.any(WishExpression.TodaysScore.class)) {
            where.add("today = " + today[row]);
        }
        if (p != null && expression.any(WishExpression.Prediction.class)) {
            where.add("p = " + p[row]);
        }
        Set<String> used = new TreeSet<>();
        expression.collectColumns(used);
        used.forEach(name -> where.add(name + " = " + column(name, row)));
        throw DataException.of(
                "wish-not-finite",
                "The wish {} is {} in {}{}.\n"
                        + "Maybe a value is missing there, it divides by zero, or it takes a root or logarithm of a negative number.",
                rule,
                value,
                table.where(row),
                where);
    }

    /** Refuses a wish that uses values which are absent, and values of another length than the table. */
    private void check(boolean used, double @Nullable [] values, String what) {
        if (used && values == null) {
            throw DataException.of(
                    "wish-name-unknown",
                    "The wish uses {}, which is not known here.\n"
                            + "Maybe give the wish as a column, or in terms of other columns.",
                    what);
        }
        if (values != null && values.length != table.rows()) {
            throw new IllegalArgumentException(
                    "There are " + values.length + " values of " + what + ", for " + table.rows() + " rows.");
        }
    }
}
