package stackelberg.data;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * Turns the columns of a table into the columns of a matrix: encoded = (raw - shift) / scale, with one indicator column per level of a category.
 *
 * <p>It consists of plain values learned from the training rows, so that a model file can store it and apply it to new rows.
 *
 * @param features the features, in order
 * @param missing how missing values are handled
 * @param constantColumns names of encoded columns that have the same value in all training rows; their scale is 1
 */
public record Encoding(List<Feature> features, Missing missing, List<String> constantColumns) {
    /** The fewest rows in a tile. Tiles are encoded column by column, so that each column is read in order, and stored while they are in cache. */
    private static final int TILE = 16;

    /** The number of values in a tile, 32 kB: the size of a first-level cache. Narrow tables get more rows per tile. */
    private static final int TILE_VALUES = 1 << 12;

    /** From this many values on, starting threads costs less than it saves. */
    private static final int MANY = 1 << 18;

    /** The number of tasks that the rows are divided into; more than the threads there are, so that a slow thread holds up little. */
    private static final int PARTS = 64;

    /**
     * The way one column is to be encoded.
     *
     * @param column the name of the column
     * @param scaling how its encoded columns are scaled
     * @param shifted whether a shift is subtracted; false for rules without an intercept
     * @param dropFirstLevel whether a categorical column gets no indicator for its first level, which becomes the base; ignored for a numeric column
     */
    public record Choice(String column, Scaling scaling, boolean shifted, boolean dropFirstLevel) {
        /** The same with a shift, which is the usual case. */
        public Choice(String column, Scaling scaling, boolean dropFirstLevel) {
            this(column, scaling, true, dropFirstLevel);
        }
    }

    public Encoding {
        features = features instanceof Features ? features : new Features(List.copyOf(features));
        constantColumns = List.copyOf(constantColumns);
    }

    /** Learns the encoding from the rows in use (see {@link Missing#apply}), in the calling thread. */
    public static Encoding fit(Table table, List<Choice> choices, Missing missing) {
        return fit(table, choices, missing, Workers.of(1));
    }

    /** The same on several threads, one column each at a time. */
    public static Encoding fit(Table table, List<Choice> choices, Missing missing, Workers workers) {
        boolean many = (long) table.rows() * choices.size() >= MANY;
        return new EncodingFit(table).fit(choices, missing, many ? workers : Workers.of(1));
    }

    /**
     * Runs tasks on all threads. If several refuse the data, the error of the first in order is thrown, as if they had run one after the other: messages
     * must not depend on the number of threads.
     */
    static void runInOrder(int tasks, Workers workers, IntConsumer task) {
        @Nullable DataException[] refused = new DataException[tasks];
        workers.run(tasks, k -> {
            try {
                task.accept(k);
            } catch (DataException e) {
                refused[k] = e;
            }
        });
        for (DataException first : refused) {
            if (first != null) {
                throw first;
            }
        }
    }

    /** The same encoding with another policy for missing values. */
    public Encoding withMissing(Missing other) {
        return new Encoding(features, other, constantColumns);
    }

    /** The names of the encoded columns, in order. */
    public List<String> names() {
        return columns().stream().map(EncodedColumn::name).toList();
    }

    /** The encoded columns, in order. */
    public List<EncodedColumn> columns() {
        return ((Features) features).columns;
    }

    /** The list of features, together with the list of all their encoded columns. That list is asked for often, so it is built once. */
    private static final class Features extends AbstractList<Feature> implements RandomAccess {
        private final List<Feature> features;
        private final List<EncodedColumn> columns;

        Features(List<Feature> features) {
            this.features = features;
            List<EncodedColumn> all = new ArrayList<>(features.size());
            for (Feature feature : features) {
                all.addAll(feature.columns());
            }
            columns = Collections.unmodifiableList(all);
        }

        @Override
        public Feature get(int index) {
            return features.get(index);
        }

        @Override
        public int size() {
            return features.size();
        }
    }

    /** The names of the categorical columns. New data must be read with these columns as categories, even if they look like numbers. */
    public Set<String> categoricalColumns() {
        Set<String> names = new HashSet<>();
        features.stream().filter(Feature::categorical).forEach(f -> names.add(f.column()));
        return names;
    }

    /** The names of the table's columns that are not features of this encoding. */
    public List<String> ignored(Table table) {
        Set<String> used = new HashSet<>();
        features.forEach(f -> used.add(f.column()));
        return table.names().stream().filter(name -> !used.contains(name)).toList();
    }

    /**
     * A sparse table widened to all columns that the encoding knows; other tables are returned as they are.
     *
     * <p>A sparse file does not say how many columns it has. If the last ones are zero in all its rows, they do not occur in it.
     */
    public Table complete(Table table) {
        return table.sparse().isEmpty() ? table : table.widenedTo(positions());
    }

    /** The highest position among the features that are named by position (1, 2, 3, ...), 0 if there is none. */
    private int positions() {
        int highest = 0;
        for (Feature feature : features) {
            String name = feature.column();
            if (isPosition(name, Integer.MAX_VALUE)) {
                highest = Math.max(highest, Integer.parseInt(name));
            }
        }
        return highest;
    }

    /**
     * The matrix of a sparse table, widened to the columns of this encoding; empty if the table is not sparse or a feature is not one of its columns.
     *
     * <p>If the features are all columns from 1 to n, an entry in a column beyond n is an error unless {@code unknown} is {@link UnknownLevel#ZERO}: the
     * rule was not learned from such data.
     */
    public Optional<CsrMatrix> sparse(Table table, UnknownLevel unknown) {
        CsrMatrix matrix = complete(table).sparse().orElse(null);
        int highest = positions();
        boolean numbers = features.stream().noneMatch(Feature::categorical);
        if (matrix == null || !numbers || !features.stream().allMatch(f -> isPosition(f.column(), matrix.cols()))) {
            return Optional.empty();
        }
        for (int i = 0; i < matrix.rows() && highest == features.size() && unknown == UnknownLevel.ERROR; i++) {
            int last = matrix.rowEnd(i) - 1;
            if (last >= matrix.rowBegin(i) && matrix.columnAt(last) >= highest) {
                throw new DataException(Message.of(
                        "columns-beyond-the-model",
                        "The data have a column {} ({}), but the rule was learned from the columns 1 to {}.\n"
                                + "Maybe these are data of another kind; {} ignores such columns.",
                        (matrix.columnAt(last) + 1),
                        table.where(i),
                        highest,
                        Message.Choice.word("unknown", "ZERO")));
            }
        }
        return Optional.of(matrix);
    }

    /** Whether the name is a whole number from 1 to {@code columns}; at most nine digits, which fit in an int. */
    private static boolean isPosition(String name, int columns) {
        return name.length() <= 9
                && !name.isEmpty()
                && !name.startsWith("0")
                && name.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(name) <= columns;
    }

    /**
     * The encoded matrix of a table whose categories all occur in the training data, such as the training data themselves.
     *
     * <p>A large matrix is read-only, because it caches products (such as X'X) that a change would make wrong.
     */
    public DenseMatrix apply(Table table) {
        return apply(table, Workers.of(1));
    }

    /** The same on several threads. */
    public DenseMatrix apply(Table table, Workers workers) {
        return encoded(table, null, workers);
    }

    /** The encoded matrix, one row per row of the table; columns are found by name, so their order does not matter. */
    public DenseMatrix apply(Table table, UnknownLevel unknown) {
        return encoded(table, unknown, Workers.of(1));
    }

    /** Encodes a table; {@code unknown} says how unknown levels are handled, absent where the user has no such option: they are refused then. */
    private DenseMatrix encoded(Table data, @Nullable UnknownLevel unknown, Workers workers) {
        Table table = complete(data);
        refuseMissingColumns(table);
        List<RowEncoder> encoders = new ArrayList<>();
        int width = 0;
        for (Feature feature : features) {
            encoders.add(RowEncoder.of(feature, table, missing, unknown, width));
            width += feature.columns().size();
        }
        int rows = table.rows();
        int cols = width;
        int height = Math.max(TILE, TILE_VALUES / Math.max(1, cols));
        boolean many = (long) rows * cols >= MANY;
        int parts = many ? Math.min(PARTS, Math.max(1, rows / TILE)) : 1;
        DenseMatrix matrix = many ? DenseMatrix.zeros(rows, cols, workers) : DenseMatrix.zeros(rows, cols);
        runInOrder(parts, workers, part -> {
            double[] tile = new double[height * cols];
            int end = (int) ((long) rows * (part + 1) / parts);
            for (int from = (int) ((long) rows * part / parts); from < end; from += height) {
                int to = Math.min(from + height, end);
                for (RowEncoder encoder : encoders) {
                    encoder.encode(from, to, tile, cols);
                }
                matrix.setTile(from, to - from, 0, cols, tile);
            }
        });
        // Large matrices cache their products, which stay right only if the matrix does not change.
        return many ? matrix.asReadOnly() : matrix;
    }

    private void refuseMissingColumns(Table table) {
        List<String> absent = features.stream()
                .map(Feature::column)
                .filter(c -> !table.has(c))
                .toList();
        if (!absent.isEmpty()) {
            String nearest = Names.nearest(absent.get(0), ignored(table));
            throw new DataException(Message.of(
                    "columns-missing",
                    "The data lack {}{}.\n" + "Maybe {}",
                    absent.size() == 1 ? "the column " : "the columns ",
                    Names.list(absent),
                    table.tookHeaderAsData(absent)
                            ? Message.part(
                                    "the first line, which was taken as data, is a header: read it as one with {}.",
                                    Message.Choice.word("header", "PRESENT"))
                            : nearest == null
                                    ? "these data are not of the kind that the model was fitted to."
                                    : "'" + absent.get(0) + "' is called '" + nearest + "' there: rename it."));
        }
    }

    /** How a level is handled that does not occur in the training data. */
    public enum UnknownLevel {
        /** It is an error. */
        ERROR,
        /** All indicators of the feature are zero, as they are for a level that was dropped as the base. */
        ZERO
    }

    /**
     * One column of the encoded matrix: (raw - shift) / scale, where raw is the number, or 1 for the level and 0 for others.
     *
     * @param name the column's name, {@code smoker=yes} for a level
     * @param level the level it indicates, null for a number
     * @param shift what is subtracted, in raw units
     * @param scale what is divided by, positive, in raw units
     */
    public record EncodedColumn(String name, @Nullable String level, double shift, double scale) {
        /** The level that this column of a categorical feature indicates. */
        public String indicated() {
            return Objects.requireNonNull(level, name);
        }
    }

    /**
     * One column of a table and the columns of the encoded matrix that it becomes.
     *
     * @param column the column of the table
     * @param levels the levels in the training data, in order; empty for a numeric feature
     * @param mean the training mean, which replaces a missing number; 0 for a categorical feature
     * @param mostFrequentLevel the level that replaces a missing one; null for a numeric feature
     * @param columns the encoded columns: one for a number; one per level, possibly without the first, for a category
     * @param range the range of the training values; null for a categorical feature, and for features of models that do not store it
     */
    public record Feature(
            String column,
            List<String> levels,
            double mean,
            @Nullable String mostFrequentLevel,
            List<EncodedColumn> columns,
            @Nullable Range range) {
        /** The closed interval from min to max, in raw units. */
        public record Range(double min, double max) {
            /** Whether a value lies outside the range by more than {@link #rounding()}. */
            public boolean excludes(double value) {
                return value < min - rounding() || value > max + rounding();
            }

            /** The tolerance for values that were scaled and scaled back: 1e-9 of the width, far more than rounding adds and far less than a user sees. */
            public double rounding() {
                return 1e-9 * (max - min);
            }

            /** Whether a move from one value to another leaves the range; false if the first value was outside already. */
            public boolean isLeft(double before, double after) {
                return !excludes(before) && excludes(after);
            }
        }

        public Feature {
            levels = List.copyOf(levels);
            columns = List.copyOf(columns);
        }

        /** A feature without a range. */
        public Feature(
                String column,
                List<String> levels,
                double mean,
                @Nullable String mostFrequentLevel,
                List<EncodedColumn> columns) {
            this(column, levels, mean, mostFrequentLevel, columns, null);
        }

        /** Whether this is a category rather than a number. */
        public boolean categorical() {
            return !levels.isEmpty();
        }

        /** The level that replaces a missing one, of a categorical feature. */
        public String replacement() {
            return Objects.requireNonNull(mostFrequentLevel, column);
        }

        /** The range that a move is expected to stay within: that of the training values, 0 to 1 for an indicator; absent if it is not known. */
        public @Nullable Range reach() {
            return categorical() ? new Range(0, 1) : range;
        }
    }
}
