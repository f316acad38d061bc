package stackelberg.estimate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * Rows drawn again, by a seed: folds of a cross-validation, a split into training and held-out rows, bootstrap samples.
 *
 * <p>Rows with zero weight are absent: the others are drawn as if they were alone. The permutation behind folds and splits has a generator of its own (SplitMix64), because a fold must not
 * change with the Java version.
 */
public final class Resampling {
    private final int rows;
    /** The rows that have weight, in order. */
    private final int[] counted;

    private final long seed;
    private final @Nullable Groups groups;

    /**
     * Rows that belong together.
     *
     * @param column the column that says which do
     * @param of the group of each row, numbered in the order in which groups first occur among the rows with weight and then among the others
     */
    private record Groups(String column, int[] of) {}

    private Resampling(int rows, int[] counted, long seed, @Nullable Groups groups) {
        this.rows = rows;
        this.counted = counted;
        this.seed = seed;
        this.groups = groups;
    }

    /** Rows that all have weight. */
    public static Resampling of(int rows, long seed) {
        return new Resampling(rows, IntStream.range(0, rows).toArray(), seed, null);
    }

    /** Rows with these weights. */
    public static Resampling of(double[] weights, long seed) {
        int[] counted =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        return new Resampling(weights.length, counted, seed, null);
    }

    /** The same, where rows with equal values of the column stay in one fold. */
    public Resampling grouped(Table table, String column) {
        Column values = table.column(column);
        Map<Object, Integer> known = new HashMap<>();
        int[] groupOf = new int[rows];
        for (int i : IntStream.concat(Arrays.stream(counted), Arrays.stream(absent()))
                .toArray()) {
            if (values.isMissing(i)) {
                throw DataException.of(
                        "group-missing",
                        "Column '{}', {}: the group is missing.\n"
                                + "Maybe leave the row out, or give it a group of its own.",
                        column,
                        table.where(i));
            }
            Object value = values instanceof NumericColumn numeric
                    ? Double.valueOf(numeric.value(i) + 0.0)
                    : ((CategoricalColumn) values).level(i);
            groupOf[i] = known.computeIfAbsent(value, v -> known.size());
        }
        return new Resampling(rows, counted, seed, new Groups(column, groupOf));
    }

    private int[] absent() {
        boolean[] present = new boolean[rows];
        Arrays.stream(counted).forEach(i -> present[i] = true);
        return IntStream.range(0, rows).filter(i -> !present[i]).toArray();
    }

    /** How many rows have weight. */
    public int size() {
        return counted.length;
    }

    /** So many folds at random, whose sizes differ by one at most; where rows are grouped, each group goes to the smallest fold, large ones first. */
    public Folds folds(int count) {
        if (count < 2) {
            throw new IllegalArgumentException("The number of folds is " + count + "; it must be at least 2.");
        }
        requireTwo();
        if (units() < count) {
            throw new DataException(Message.of(
                    "too-many-folds",
                    "There are {} folds, but only {}.\n" + "Maybe use fewer {}.",
                    count,
                    unitsInWords(),
                    Message.Choice.any("folds")));
        }
        return groups == null ? random(count) : grouped(groups.of, count);
    }

    /** So many folds, or one for each row or group if they are fewer. */
    public Folds foldsAtMost(int most) {
        requireTwo();
        return folds(Math.min(most, units()));
    }

    private void requireTwo() {
        if (units() < 2) {
            throw DataException.of(
                    "too-few-to-hold-out",
                    "Nobody can be held out of only {}.\n"
                            + "Maybe there are more data, or another column says who belongs together.",
                    unitsInWords());
        }
    }

    /** Rows with weight, or the groups of such rows. */
    private int units() {
        return groups == null
                ? counted.length
                : 1 + Arrays.stream(counted).map(i -> groups.of[i]).max().orElse(-1);
    }

    /** 1 row, 3 groups in column 'region'. */
    private String unitsInWords() {
        String what = groups == null ? "row" : "group";
        return units() + " " + what + (units() == 1 ? "" : "s")
                + (groups == null ? "" : " in column '" + groups.column + "'");
    }

    private Folds random(int count) {
        int[] order = permutation(counted.length, seed);
        int[] foldOf = new int[rows];
        for (int k = 0; k < order.length; k++) {
            foldOf[counted[order[k]]] = (int) ((long) k * count / order.length);
        }
        // absent rows change nothing, and are spread over the folds
        int[] absent = absent();
        for (int k = 0; k < absent.length; k++) {
            foldOf[absent[k]] = (counted.length + k) % count;
        }
        return new Folds(count, foldOf);
    }

    private Folds grouped(int[] groupOf, int count) {
        int[] sizes = new int[units()];
        Arrays.stream(counted).forEach(i -> sizes[groupOf[i]]++);
        List<Integer> order = new ArrayList<>();
        for (int g : permutation(sizes.length, seed)) {
            order.add(g);
        }
        // a stable sort: among groups of one size the permutation decides
        order.sort(Comparator.comparingInt(g -> -sizes[g]));
        int[] foldOfGroup = new int[sizes.length];
        long[] filled = new long[count];
        for (int g : order) {
            int smallest = 0;
            for (int f = 1; f < count; f++) {
                smallest = filled[f] < filled[smallest] ? f : smallest;
            }
            foldOfGroup[g] = smallest;
            filled[smallest] += sizes[g];
        }
        return new Folds(
                count,
                Arrays.stream(groupOf)
                        .map(g -> g < sizes.length ? foldOfGroup[g] : g % count)
                        .toArray());
    }

    /** Rows to learn from and rows to judge by, each in order. */
    public record Split(int[] training, int[] heldOut) {}

    /** Holds out this fraction of the rows with weight, at random. */
    public Split split(double fraction) {
        int[] order = permutation(counted.length, seed);
        boolean[] held = new boolean[rows];
        for (int k = 0; k < Math.round(fraction * counted.length); k++) {
            held[counted[order[k]]] = true;
        }
        return new Split(
                IntStream.range(0, rows).filter(i -> !held[i]).toArray(),
                IntStream.range(0, rows).filter(i -> held[i]).toArray());
    }

    /** Bootstrap samples, one per call: how often each row is drawn where as many rows as have weight are drawn with replacement. */
    public Supplier<int[]> samples() {
        SplittableRandom random = new SplittableRandom(seed);
        return () -> {
            int[] times = new int[rows];
            for (int k = 0; k < counted.length; k++) {
                times[counted[random.nextInt(counted.length)]]++;
            }
            return times;
        };
    }

    /** 0 ... size - 1 in a random order: Fisher and Yates, on SplitMix64 with the bias of a 63-bit remainder, which is below 1e-9 for any number of rows. */
    private static int[] permutation(int size, long seed) {
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

    /** Which rows are held out together: every row in exactly one of K folds. */
    public static final class Folds {
        private final int count;
        private final int[] foldOf;
        private final int[] sizes;

        private Folds(int count, int[] foldOf) {
            this.count = count;
            this.foldOf = foldOf;
            this.sizes = new int[count];
            Arrays.stream(foldOf).forEach(f -> sizes[f]++);
        }

        /** The number of folds. */
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

        /** The number of rows held out in a fold. */
        public int size(int fold) {
            return sizes[fold];
        }

        /** The rows held out in a fold, in order. */
        public int[] heldOut(int fold) {
            return IntStream.range(0, foldOf.length)
                    .filter(i -> foldOf[i] == fold)
                    .toArray();
        }

        /** The rows that the rule of a fold is learned from, in order. */
        public int[] training(int fold) {
            return IntStream.range(0, foldOf.length)
                    .filter(i -> foldOf[i] != fold)
                    .toArray();
        }
    }

    /**
     * Percentile intervals of statistics of rows drawn with replacement; the same seed gives the same draws.
     *
     * @param replicates the number of draws
     * @param level the probability that an interval is to cover
     * @param seed of the draws
     */
    public record Bootstrap(int replicates, double level, long seed) {
        /** The statistics of every draw are kept. */
        private static final int MOST = 1_000_000;

        public Bootstrap {
            if (replicates < 20 || replicates > MOST) {
                throw new IllegalArgumentException("The number of bootstrap replicates is " + replicates
                        + "; it must be at least 20 and at most " + MOST + ".");
            }
            if (!(level > 0 && level < 1)) {
                throw new IllegalArgumentException("The level is " + level + "; it must lie between 0 and 1.");
            }
        }

        /**
         * One interval per statistic.
         *
         * @param weights of the rows; those with zero weight are never drawn
         * @param statistics the statistics, given how often each row was drawn; not a number where a draw cannot tell
         */
        public Interval[] intervals(double[] weights, Function<int[], double[]> statistics) {
            return intervals(Resampling.of(weights, seed), statistics);
        }

        /** The same for rows that all have weight. */
        public Interval[] intervals(int rows, Function<int[], double[]> statistics) {
            return intervals(Resampling.of(rows, seed), statistics);
        }

        private Interval[] intervals(Resampling resampling, Function<int[], double[]> statistics) {
            Supplier<int[]> samples = resampling.samples();
            double[][] values = new double[replicates][];
            for (int b = 0; b < replicates; b++) {
                Workers.throwIfInterrupted();
                values[b] = statistics.apply(samples.get());
            }
            Interval[] intervals = new Interval[values[0].length];
            for (int k = 0; k < intervals.length; k++) {
                int which = k;
                intervals[k] = Interval.of(
                        Arrays.stream(values).mapToDouble(v -> v[which]).toArray(), level);
            }
            return intervals;
        }
    }

    /** From the lower to the upper percentile. */
    public record Interval(double low, double high) {
        /** From the (1 - level)/2 to the (1 + level)/2 quantile of these values, by linear interpolation; values that are not numbers do not count. */
        public static Interval of(double[] values, double level) {
            double[] sorted =
                    Arrays.stream(values).filter(v -> !Double.isNaN(v)).sorted().toArray();
            if (sorted.length == 0) {
                return new Interval(Double.NaN, Double.NaN);
            }
            double tail = (1 - level) / 2;
            return new Interval(at(sorted, tail), at(sorted, 1 - tail));
        }

        private static double at(double[] sorted, double q) {
            double position = q * (sorted.length - 1);
            int below = (int) Math.floor(position);
            int above = Math.min(below + 1, sorted.length - 1);
            double fraction = position - below;
            // infinity - infinity is not a number
            return fraction == 0 || sorted[below] == sorted[above]
                    ? sorted[below]
                    : sorted[below] + fraction * (sorted[above] - sorted[below]);
        }
    }

    /** A statistic of the rows as they are, and its interval. */
    public record Estimate(double value, Interval interval) {}
}
