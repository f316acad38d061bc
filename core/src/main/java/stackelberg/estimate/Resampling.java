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
 * Random selections of rows, by a seed: folds of a cross-validation, a split into training and held-out rows, and
 * bootstrap samples.
 *
 * <p>Rows with zero weight are left out: the others are drawn as if they were alone. The permutation behind folds and
 * splits has a random generator of its own (SplitMix64), so that folds do not change with the Java version.
 */
public final class Resampling {
    private final int rows;
    /** The rows with positive weight, in order. */
    private final int[] counted;

    private final long seed;
    private final @Nullable Groups groups;

    /**
     * Rows that belong together.
     *
     * @param column the column whose values are the groups
     * @param of the group of each row, numbered in the order of first occurrence, first among the rows with positive
     *     weight, then among the others
     */
    private record Groups(String column, int[] of) {}

    private Resampling(int rows, int[] counted, long seed, @Nullable Groups groups) {
        this.rows = rows;
        this.counted = counted;
        this.seed = seed;
        this.groups = groups;
    }

    /** Makes selections of rows that all have a positive weight. */
    public static Resampling of(int rows, long seed) {
        return new Resampling(rows, IntStream.range(0, rows).toArray(), seed, null);
    }

    /** Makes selections of rows with the given weights. */
    public static Resampling of(double[] weights, long seed) {
        int[] counted =
                IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
        return new Resampling(weights.length, counted, seed, null);
    }

    /** Returns a copy in which rows with equal values of the column stay in one fold. */
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

    /** Returns the number of rows with positive weight. */
    public int size() {
        return counted.length;
    }

    /**
     * Returns random folds whose sizes differ by at most one. If rows are grouped, each group goes to the smallest fold
     * so far, large groups first.
     */
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

    /** Returns at most this many folds: one for each row or group if there are fewer of these. */
    public Folds foldsAtMost(int most) {
        requireTwo();
        return folds(Math.min(most, units()));
    }

    private void requireTwo() {
        if (units() < 2) {
            throw DataException.of(
                    "too-few-to-hold-out",
                    "Cross-validation is not possible with only {}.\n"
                            + "Maybe use more data, or another column of groups.",
                    unitsInWords());
        }
    }

    /** Returns the number of rows with positive weight, or of the groups of such rows. */
    private int units() {
        return groups == null
                ? counted.length
                : 1 + Arrays.stream(counted).map(i -> groups.of[i]).max().orElse(-1);
    }

    /** Returns that number with its noun, such as "1 row" or "3 groups in column 'region'". */
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
        // rows with zero weight change nothing and are spread over the folds
        int[] absent = absent();
        for (int k = 0; k < absent.length; k++) {
            foldOf[absent[k]] = (counted.length + k) % count;
        }
        return new Folds(count, foldOf);
    }

    /** Assigns whole groups to the smallest fold so far, large groups first. */
    private Folds grouped(int[] groupOf, int count) {
        int[] sizes = new int[units()];
        Arrays.stream(counted).forEach(i -> sizes[groupOf[i]]++);
        List<Integer> order = new ArrayList<>();
        for (int g : permutation(sizes.length, seed)) {
            order.add(g);
        }
        // stable sort: among groups of equal size the permutation decides
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

    /** Training rows and held-out rows, each in order. */
    public record Split(int[] training, int[] heldOut) {}

    /** Holds out a random selection of this fraction of the rows with positive weight. */
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

    /**
     * Returns a source of bootstrap samples, one per call: how often each row is drawn if as many rows as have positive
     * weight are drawn with replacement.
     */
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

    /**
     * Returns a random permutation of 0, ..., size - 1, by Fisher and Yates with SplitMix64. The bias of its 63-bit
     * remainder is below 1e-9 for any number of rows.
     */
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

    /** An assignment of rows to K folds: every row is held out in exactly one. */
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

        /** Returns the number of folds. */
        public int count() {
            return count;
        }

        public int rows() {
            return foldOf.length;
        }

        /** Returns the fold in which a row is held out. */
        public int of(int row) {
            return foldOf[row];
        }

        /** Returns the number of rows held out in a fold. */
        public int size(int fold) {
            return sizes[fold];
        }

        /** Returns the rows held out in a fold, in order. */
        public int[] heldOut(int fold) {
            return IntStream.range(0, foldOf.length)
                    .filter(i -> foldOf[i] == fold)
                    .toArray();
        }

        /** Returns the training rows of a fold, in order. */
        public int[] training(int fold) {
            return IntStream.range(0, foldOf.length)
                    .filter(i -> foldOf[i] != fold)
                    .toArray();
        }
    }

    /**
     * Percentile intervals of statistics by the bootstrap: rows are drawn with replacement, and the same seed gives the
     * same samples.
     *
     * @param replicates the number of samples, 20 to 1,000,000
     * @param level the coverage probability of an interval, between 0 and 1
     * @param seed the seed of the samples
     */
    public record Bootstrap(int replicates, double level, long seed) {
        /** The largest number of samples: the statistics of each are held in memory. */
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
         * Returns one interval per statistic.
         *
         * @param weights the weights of the rows; rows with zero weight are never drawn
         * @param statistics computes the statistics from how often each row was drawn; NaN if a sample leaves one
         *     undefined
         */
        public Interval[] intervals(double[] weights, Function<int[], double[]> statistics) {
            return intervals(Resampling.of(weights, seed), statistics);
        }

        /** Returns one interval per statistic, for rows that all have a positive weight. */
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

    /** The interval between the lower and the upper percentile. */
    public record Interval(double low, double high) {
        /**
         * Returns the interval from the (1 - level)/2 to the (1 + level)/2 quantile of the values, interpolated
         * linearly; NaN values are left out.
         */
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
            // where both neighbours are infinite, interpolating would give infinity - infinity = NaN
            return fraction == 0 || sorted[below] == sorted[above]
                    ? sorted[below]
                    : sorted[below] + fraction * (sorted[above] - sorted[below]);
        }
    }

    /** A statistic of the rows themselves, with its interval. */
    public record Estimate(double value, Interval interval) {}
}
