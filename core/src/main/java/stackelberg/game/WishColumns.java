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
 * Finds the columns that equal the wish in every row. These cannot be features: the rule would learn from the wish itself, which is not known for new people.
 *
 * <p>A wish that uses the score under a rule yet to be learned is not compared: that rule is learned from the features, which are being chosen here.
 */
final class WishColumns {
    /** Differences up to this share of the largest wish count as rounding, for example of the program that wrote the file. */
    private static final double ROUNDING = 1e-9;

    private WishColumns() {}

    /**
     * Returns the names of the columns that equal the wish. Columns inside the wish expression and those that the caller keeps are not among them.
     *
     * @param kept columns that stay features whatever they hold
     */
    static Set<String> of(Table table, GameSpec spec, Predicate<String> kept) {
        if (spec.wish() == null || spec.features() != null) {
            return Set.of();
        }
        Wish wish = Wish.parse(spec.wish(), table.names());
        // ignored columns were not read
        Set<String> never = new HashSet<>(spec.ignore());
        never.addAll(wish.columns());
        never.add(spec.target());
        return wishes(table, wish, spec)
                .map(wishes -> wishes.equalColumns(name -> !never.contains(name) && !kept.test(name)))
                .orElse(Set.of());
    }

    /**
     * The wishes of these rows, in the units of the data.
     *
     * @param largest the row with the largest wish by absolute value: comparing this row first rules out almost every column
     */
    private record Wishes(Table rows, double[] z, int largest) {
        Set<String> equalColumns(Predicate<String> asked) {
            List<String> names = rows.names();
            Set<String> equal = new HashSet<>();
            double[] block = rows.block().map(this::largestOf).orElse(new double[0]);
            for (int j = 0; j < names.size(); j++) {
                // asking a block for a column copies it, so the one row is compared first
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
                // a missing value is not a difference
                known += Double.isNaN(difference) ? 0 : 1;
            }
            return known > 1;
        }
    }

    /** The wishes of the rows that have one; empty if they are not known yet, or are all the same (constant columns are found by {@link Recognition}). */
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
            needed.addAll(spec.today().knownRule().columnsIn(table));
        }
        try {
            Table rows = Missing.DROP.apply(table, List.of(), needed).table();
            GameSpec known = wish.usesTarget() ? spec.answeredBy(rows) : spec;
            World bare = new World(known, new Encoding(List.of(), Missing.ERROR, List.of()), new double[0]);
            double[] y = wish.usesTarget() ? bare.truths(rows) : null;
            double[] today = wish.usesToday() ? bare.inWishUnits(bare.scores(spec.today(), rows)) : null;
            double[] z = wish.freeze(rows, y, today).evaluate(rows, y, null, today);
            int largest = 0;
            for (int i = 1; i < z.length; i++) {
                largest = Math.abs(z[i]) > Math.abs(z[largest]) ? i : largest;
            }
            boolean same = Arrays.stream(z).allMatch(value -> value == z[0]);
            return same ? Optional.empty() : Optional.of(new Wishes(rows, z, largest));
        } catch (DataException e) {
            // an invalid wish is reported where it is evaluated for the game
            return Optional.empty();
        }
    }
}
