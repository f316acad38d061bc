package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;

/**
 * Who is held out when: every row in exactly one of K folds, by a seeded permutation that is the same on every machine.
 *
 * <p>The generator is our own (SplitMix64), because a fold must not change with the Java version.
 */
public final class Folds {
    private static final int USUAL = 10;

    private final int count;
    private final int[] foldOf;
    private final int[] sizes;

    private Folds(int count, int[] foldOf) {
        this.count = count;
        this.foldOf = foldOf;
        this.sizes = new int[count];
        Arrays.stream(foldOf).forEach(f -> sizes[f]++);
    }

    /** Rows at random, the sizes of the folds differing by one at most; {@code folds} as in a plan. */
    public static Folds random(int rows, int folds, long seed) {
        int count = count(folds, rows, "rows");
        int[] order = permutation(rows, seed);
        int[] foldOf = new int[rows];
        for (int i = 0; i < rows; i++) {
            foldOf[order[i]] = (int) ((long) i * count / rows);
        }
        return new Folds(count, foldOf);
    }

    /** Whole groups at random: rows with the same value of the column stay together, and each group goes to the smallest fold, large ones first. */
    public static Folds grouped(Table table, String column, int folds, long seed) {
        int[] groupOf = groups(table, table.column(column));
        int groups = Arrays.stream(groupOf).max().orElse(-1) + 1;
        int count = count(folds, groups, "groups in column '" + column + "'");
        int[] sizes = new int[groups];
        Arrays.stream(groupOf).forEach(g -> sizes[g]++);
        List<Integer> order = new ArrayList<>();
        for (int g : permutation(groups, seed)) {
            order.add(g);
        }
        // a stable sort: among groups of one size the permutation decides
        order.sort(Comparator.comparingInt(g -> -sizes[g]));
        int[] foldOfGroup = new int[groups];
        long[] filled = new long[count];
        for (int g : order) {
            int smallest = 0;
            for (int f = 1; f < count; f++) {
                smallest = filled[f] < filled[smallest] ? f : smallest;
            }
            foldOfGroup[g] = smallest;
            filled[smallest] += sizes[g];
        }
        return new Folds(count, Arrays.stream(groupOf).map(g -> foldOfGroup[g]).toArray());
    }

    /** How many folds there are. */
    public int count() {
        return count;
    }

    public int rows() {
        return foldOf.length;
    }

    /** The fold in which a row is held out. */
    public int of(int row) {
        return foldOf[row];
    }

    /** How many rows are held out in a fold. */
    public int size(int fold) {
        return sizes[fold];
    }

    /** The rows that are held out in a fold, in order. */
    public int[] heldOut(int fold) {
        return select(fold, true);
    }

    /** The rows that a fold's rule is learned from, in order. */
    public int[] training(int fold) {
        return select(fold, false);
    }

    private int[] select(int fold, boolean held) {
        int[] rows = new int[foldOf.length];
        int size = 0;
        for (int i = 0; i < foldOf.length; i++) {
            if ((foldOf[i] == fold) == held) {
                rows[size++] = i;
            }
        }
        return Arrays.copyOf(rows, size);
    }

    /** The number of each row's group, in the order in which values first occur. */
    private static int[] groups(Table table, Column column) {
        var known = new java.util.HashMap<Object, Integer>();
        int[] groupOf = new int[column.rows()];
        for (int i = 0; i < groupOf.length; i++) {
            if (column.isMissing(i)) {
                throw new DataException("Column '" + column.name() + "', " + table.where(i)
                        + ": the group is missing.\nMaybe leave the row out, or give it a group of its own.");
            }
            Object value = column instanceof NumericColumn numeric
                    ? Double.valueOf(numeric.value(i) + 0.0)
                    : ((CategoricalColumn) column).level(i);
            groupOf[i] = known.computeIfAbsent(value, v -> known.size());
        }
        return groupOf;
    }

    private static int count(int folds, int available, String what) {
        int count = folds == Tuning.Plan.USUAL_FOLDS ? Math.max(2, Math.min(USUAL, available)) : folds;
        if (count < 2) {
            throw new IllegalArgumentException("The number of folds is " + count + "; it must be at least 2.");
        }
        if (available < 2) {
            throw new DataException("Nobody can be held out of only " + counted(available, what)
                    + ".\nMaybe there are more data, or another column says who belongs together.");
        }
        if (available < count) {
            throw new DataException("There are " + count + " folds, but only " + counted(available, what)
                    + ".\nMaybe use fewer folds(...).");
        }
        return count;
    }

    /** 1 row, 3 groups in column 'region'. */
    private static String counted(int available, String what) {
        return available + " " + (available == 1 ? what.replaceFirst("s( |$)", "$1") : what);
    }

    /** The rows in a random order: Fisher and Yates, on SplitMix64 with the bias of a 63-bit remainder, which is below 1e-9 for any number of rows. */
    public static int[] permutation(int size, long seed) {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        long state = seed;
        for (int i = size - 1; i > 0; i--) {
            state += 0x9E3779B97F4A7C15L;
            long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            mixed ^= mixed >>> 31;
            int j = (int) ((mixed >>> 1) % (i + 1));
            int other = order[i];
            order[i] = order[j];
            order[j] = other;
        }
        return order;
    }
}
