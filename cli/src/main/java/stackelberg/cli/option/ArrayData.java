package stackelberg.cli.option;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.data.wish.Wish;
import stackelberg.linalg.Matrix;
import stackelberg.model.StackelbergModel;

/**
 * Features without names: columns are called 1, 2, 3, ..., the truth {@code y} and the wish {@code z}.
 *
 * @param table the features as a block, and beside it the truth and the wishes as far as they are given
 */
record ArrayData(Table table) {
    static final String TRUTH = DataFile.TRUTH;
    static final String WISH = DataFile.WISH;

    Matrix x() {
        return table.block().orElseThrow().matrix();
    }

    double[] y() {
        return table.numeric(TRUTH).values();
    }

    /** The wish rule with its statistics frozen; the name of the wish column if the wishes are given. */
    String wishRule(String rule) {
        return table.has(WISH) ? WISH : frozen(rule).text();
    }

    /** The wishes as given, or else by the rule. */
    double[] wishes(String rule) {
        return table.has(WISH) ? table.numeric(WISH).values() : frozen(rule).evaluate(truth(), y(), null);
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
                && x().cols() != names.size()
                && TRUTH.equals(model.game().target())) {
            throw new DataException("The array x has " + x().cols() + " columns, but the model has " + names.size()
                    + " features, which it knows by position only.\nMaybe "
                    + (x().rows() == names.size() ? "x is transposed." : "x is of other data, or of another model's."));
        }
    }

    private Wish frozen(String rule) {
        return Wish.parse(rule, List.of(TRUTH)).freeze(truth(), y());
    }

    private Table truth() {
        return Table.of(table.column(TRUTH));
    }
}
