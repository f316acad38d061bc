package stackelberg.game;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.data.wish.Wish;
import stackelberg.game.GameSpec.Today;

/**
 * The columns that are equal to the wish in every row. As a feature such a column would hand the wish to the rule, and new people, whose wish is not
 * known, would not have it.
 *
 * <p>A wish that uses the score under a rule that is yet to be learned is not compared: that rule is learned from the features, which are chosen here.
 */
final class WishColumns {
    /** Differences up to this share of the largest wish are rounding, of whoever wrote the two columns. */
    private static final double ROUNDING = 1e-9;

    private WishColumns() {}

    /** The names of these columns, but for those inside the wish's own expression and those that are kept whatever they hold. */
    static Set<String> of(Table table, GameSpec spec, Predicate<String> kept) {
        if (spec.wish() == null || spec.columns().features() != null) {
            return Set.of();
        }
        Wish wish = Wish.parse(spec.wish(), table.names());
        // what is ignored was not even read
        Set<String> never = new HashSet<>(spec.columns().ignore());
        never.addAll(wish.columns());
        never.add(spec.target());
        return wishes(table, wish, spec)
                .map(wishes -> wishes.equalColumns(name -> !never.contains(name) && !kept.test(name)))
                .orElse(Set.of());
    }

    /**
     * What everybody in these rows wishes, in the units of the data.
     *
     * @param largest the row of the largest wish, in which most columns differ from it already
     */
    private record Wishes(Table rows, double[] z, int largest) {
        Set<String> equalColumns(Predicate<String> asked) {
            List<String> names = rows.names();
            Set<String> equal = new HashSet<>();
            double[] block = rows.block().map(this::largestOf).orElse(new double[0]);
            for (int j = 0; j < names.size(); j++) {
                // a column of a block would be copied
                boolean possible = j >= block.length || !(Math.abs(block[j] - z[largest]) > rounding());
                if (possible
                        && asked.test(names.get(j))
                        && rows.column(names.get(j)) instanceof NumericColumn column
                        && isEqual(column)) {
                    equal.add(names.get(j));
                }
            }
            return equal;
        }

        private double[] largestOf(Table.Block block) {
            double[] row = new double[block.matrix().cols()];
            block.matrix().tile(largest, 1, 0, row.length, DoubleBuffer.wrap(row));
            return row;
        }

        private double rounding() {
            return ROUNDING * Math.abs(z[largest]);
        }

        private boolean isEqual(NumericColumn column) {
            double rounding = rounding();
            if (Math.abs(column.value(largest) - z[largest]) > rounding) {
                return false;
            }
            int known = 0;
            for (int i = 0; i < z.length; i++) {
                double difference = Math.abs(column.value(i) - z[i]);
                if (difference > rounding) {
                    return false;
                }
                // where it is missing it does not differ
                known += Double.isNaN(difference) ? 0 : 1;
            }
            return known > 1;
        }
    }

    /** The wishes of the rows that have one; empty if they are not known yet, or are the same for all: columns that are so are judged by that alone. */
    private static Optional<Wishes> wishes(Table table, Wish wish, GameSpec spec) {
        boolean given = spec.today().kind() == Today.Kind.GIVEN;
        if (wish.usesToday() && !given || wish.usesTarget() && spec.target() == null) {
            return Optional.empty();
        }
        List<String> needed = new ArrayList<>(wish.columns());
        if (wish.usesTarget()) {
            needed.add(spec.target());
        }
        if (wish.usesToday()) {
            needed.addAll(spec.today().rule().columnsIn(table));
        }
        try {
            Table rows = Missing.DROP.apply(table, List.of(), needed).table();
            GameSpec known = wish.usesTarget() ? spec.answeredBy(rows) : spec;
            World bare = new World(known, new Encoding(List.of(), Missing.ERROR, List.of()), new double[0]);
            double[] y = wish.usesTarget() ? bare.truths(rows) : null;
            double[] today = wish.usesToday() ? bare.shown(bare.scores(spec.today(), rows)) : null;
            double[] z = wish.freeze(rows, y, today).evaluate(rows, y, null, today);
            int largest = 0;
            for (int i = 1; i < z.length; i++) {
                largest = Math.abs(z[i]) > Math.abs(z[largest]) ? i : largest;
            }
            boolean same = Arrays.stream(z).allMatch(value -> value == z[0]);
            return same ? Optional.empty() : Optional.of(new Wishes(rows, z, largest));
        } catch (DataException e) {
            // what is wrong with a wish is said where it is used
            return Optional.empty();
        }
    }
}
