package stackelberg.cli.option;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.linalg.Matrix;
import stackelberg.model.StackelbergModel;

/**
 * Features without names: columns are called 1, 2, 3, ..., the truth {@code y} and the wish {@code z}.
 *
 * @param y the truth, null if it is not known
 * @param z the wishes, null if they are not given as numbers
 */
record ArrayData(Matrix x, double[] y, double[] z) {
    static final String TRUTH = "y";
    static final String WISH = "z";

    public ArrayData {
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

    /**
     * Refuses features that are not as many as the model has, where all it knows of them is their positions.
     *
     * <p>A model that was fitted to some of the columns does not say how many there were.
     */
    void requireColumnsOf(StackelbergModel model) {
        Set<String> names = new HashSet<>();
        model.encoding().features().forEach(f -> names.add(f.column()));
        boolean all = IntStream.rangeClosed(1, names.size()).allMatch(j -> names.contains(String.valueOf(j)));
        Map<String, String> options = model.provenance().options();
        boolean chosen = Stream.of("features", "ignore", "group").anyMatch(options::containsKey)
                || Stream.of(model.game().weight(), model.game().rowGamma()).anyMatch(Objects::nonNull)
                || options.getOrDefault("wish", "").matches("[0-9]+");
        if (all
                && !chosen
                && x.cols() != names.size()
                && TRUTH.equals(model.game().target())) {
            throw new DataException("The array x has " + x.cols() + " columns, but the model has " + names.size()
                    + " features, which it knows by position only.\nMaybe "
                    + (x.rows() == names.size() ? "x is transposed." : "x is of other data, or of another model's."));
        }
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
