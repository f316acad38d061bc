package stackelberg.cli;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.Wish;
import stackelberg.linalg.Matrix;

/**
 * Features without names: columns are called 1, 2, 3, ..., the truth {@code y} and the wish {@code z}.
 *
 * @param y the truth, null if it is not known
 * @param z the wishes, null if they are not given as numbers
 */
record ArrayData(Matrix x, double[] y, double[] z) {
    static final String TRUTH = "y";
    static final String WISH = "z";

    ArrayData {
        requireRows("y", y, x.rows());
        requireRows("z", z, x.rows());
    }

    /** The wish rule with its statistics frozen; the name of the wish column if the wishes are given. */
    String wishRule(String rule) {
        return z != null ? WISH : frozen(rule).text();
    }

    /** The wishes as given, or else by the rule. */
    double[] wishes(String rule) {
        return z != null ? z : frozen(rule).evaluate(truth(), y, null);
    }

    /** The same as named columns, for what needs names; this copies the features. */
    Table table() {
        List<Column> columns = new ArrayList<>();
        for (int j = 0; j < x.cols(); j++) {
            DoubleBuffer values = DoubleBuffer.allocate(x.rows());
            x.tile(0, x.rows(), j, 1, values);
            columns.add(NumericColumn.of(String.valueOf(j + 1), values.array()));
        }
        if (y != null) {
            columns.add(NumericColumn.of(TRUTH, y));
        }
        if (z != null) {
            columns.add(NumericColumn.of(WISH, z));
        }
        return Table.of(columns);
    }

    private Wish frozen(String rule) {
        return Wish.parse(rule, List.of(TRUTH)).freeze(truth(), y);
    }

    private Table truth() {
        return Table.of(NumericColumn.of(TRUTH, y));
    }

    private static void requireRows(String name, double[] values, int rows) {
        if (values != null && values.length != rows) {
            throw new DataException("The array " + name + " has " + values.length + " values, but x has " + rows
                    + " rows.\nMaybe x is transposed, or the arrays are of different data.");
        }
    }
}
