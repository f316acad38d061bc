package stackelberg.data.wish;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/** What the names in a wish rule stand for: the columns of a table, y, today and p. */
final class WishValues {
    private final Table table;
    private final double[] y;
    private final double[] p;
    private final double[] today;
    private final Map<String, NumericColumn> columns = new HashMap<>();

    private WishValues(Wish wish, Table table, double[] y, double[] p, double[] today) {
        this.table = table;
        this.y = y;
        this.p = p;
        this.today = today;
        check(wish.usesTarget(), y, "y, the target");
        check(wish.usesToday(), today, "today, everybody's score under today's rule");
        wish.columns().forEach(name -> columns.put(name, table.numeric(name)));
    }

    static WishValues forRows(Wish wish, Table table, double[] y, double[] p, double[] today) {
        WishValues values = new WishValues(wish, table, y, p, today);
        values.check(wish.usesPrediction(), p, "p, the current prediction");
        return values;
    }

    /** Without p, which no statistic may use. */
    static WishValues forStatistics(Wish wish, Table table, double[] y, double[] today) {
        return new WishValues(wish, table, y, null, today);
    }

    int rows() {
        return table.rows();
    }

    /** One number of all rows, each of which must be finite. */
    double statistic(WishFunction function, WishExpression of, double level, String text) {
        double[] sample = new double[rows()];
        for (int row = 0; row < sample.length; row++) {
            sample[row] = finite(of, row, text);
        }
        return function.statistic(sample, level);
    }

    double target(int row) {
        return y[row];
    }

    double prediction(int row) {
        return p[row];
    }

    double today(int row) {
        return today[row];
    }

    /** Those of some rows from the first on. */
    void targets(int first, double[] to) {
        System.arraycopy(y, first, to, 0, to.length);
    }

    void predictions(int first, double[] to) {
        System.arraycopy(p, first, to, 0, to.length);
    }

    void todays(int first, double[] to) {
        System.arraycopy(today, first, to, 0, to.length);
    }

    double column(String name, int row) {
        return columns.get(name).value(row);
    }

    /** The value at a row, which must be finite; {@code rule} is the rule as the user wrote it. */
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
        throw new DataException(
                "The wish " + rule + " is " + value + " in " + table.where(row) + where
                        + ".\nMaybe a value is missing there, it divides by zero, or it takes a root or logarithm of a negative number.");
    }

    private void check(boolean used, double[] values, String what) {
        if (used && values == null) {
            throw new DataException("The wish uses " + what + ", which is not known here.\n"
                    + "Maybe give the wish as a column, or in terms of other columns.");
        }
        if (values != null && values.length != table.rows()) {
            throw new IllegalArgumentException(
                    "There are " + values.length + " values of " + what + " for " + table.rows() + " rows.");
        }
    }
}
