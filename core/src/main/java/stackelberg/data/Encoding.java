package stackelberg.data;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.Set;
import java.util.function.IntConsumer;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * How the columns of a table become the columns of a matrix: encoded = (raw - shift) / scale, categories by indicators.
 *
 * <p>Everything in it is a plain value learned from the training rows, so that a model can store it and apply it to new people.
 *
 * @param features the features in order
 * @param missing what becomes of missing values
 * @param constantColumns names of encoded columns with one and the same value in all training rows; their scale is 1
 */
public record Encoding(List<Feature> features, Missing missing, List<String> constantColumns) {
    /** Rows that are encoded together, at least: each column is read along itself, and they stay in cache until they are stored. */
    private static final int TILE = 16;

    /** Values that are encoded together. */
    private static final int TILE_VALUES = 1 << 12;

    /** Values that are worth a second thread. */
    private static final int MANY = 1 << 18;

    /** Of the rows, for the threads. */
    private static final int PARTS = 64;

    /**
     * How one column is to be encoded.
     *
     * @param column the column
     * @param scaling how its encoded columns are scaled
     * @param shifted whether the scaling subtracts anything: not for rules without a constant
     * @param dropFirstLevel whether a categorical column loses its first level, which then is the base; no effect on a numeric one
     */
    public record Choice(String column, Scaling scaling, boolean shifted, boolean dropFirstLevel) {
        /** Scaled as usual, with what is subtracted. */
        public Choice(String column, Scaling scaling, boolean dropFirstLevel) {
            this(column, scaling, true, dropFirstLevel);
        }
    }

    public Encoding {
        features = features instanceof Features ? features : new Features(List.copyOf(features));
        constantColumns = List.copyOf(constantColumns);
    }

    /** Learns the encoding from the rows in use (see {@link Missing#apply}). */
    public static Encoding fit(Table table, List<Choice> choices, Missing missing) {
        return fit(table, choices, missing, Workers.of(1));
    }

    /** The same, some columns at a time. */
    public static Encoding fit(Table table, List<Choice> choices, Missing missing, Workers workers) {
        boolean many = (long) table.rows() * choices.size() >= MANY;
        return new EncodingFit(table).fit(choices, missing, many ? workers : Workers.of(1));
    }

    /** Runs tasks on all threads; of those that refuse the data the first is heard, as if they had run one after the other. */
    static void inOrder(int tasks, Workers workers, IntConsumer task) {
        DataException[] refused = new DataException[tasks];
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

    /** The same encoding with another answer to missing values. */
    public Encoding withMissing(Missing other) {
        return new Encoding(features, other, constantColumns);
    }

    /** Names of the encoded columns, in order. */
    public List<String> names() {
        return columns().stream().map(EncodedColumn::name).toList();
    }

    /** The encoded columns, in order. */
    public List<EncodedColumn> columns() {
        return ((Features) features).columns;
    }

    /** The features with the columns that they become together, which are asked for again and again, one at a time by some: collected once. */
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

    /** Columns that new data must be read with as categories, whatever they look like. */
    public Set<String> categoricalColumns() {
        Set<String> names = new HashSet<>();
        features.stream().filter(Feature::categorical).forEach(f -> names.add(f.column()));
        return names;
    }

    /** Columns of the table that are not features. */
    public List<String> ignored(Table table) {
        Set<String> used = new HashSet<>();
        features.forEach(f -> used.add(f.column()));
        return table.names().stream().filter(name -> !used.contains(name)).toList();
    }

    /** The table with all columns that the encoding knows, where it is sparse: absent ones are zero. Other tables stay as they are. */
    public Table complete(Table table) {
        return table.sparse().isEmpty() ? table : table.sparseTo(positions());
    }

    /** The highest position of a feature that is known by its position, 0 if there is none. */
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
     * The matrix of a sparse table, widened to the columns of this encoding, whose features must all be columns of it; empty otherwise.
     *
     * <p>Where the features are all columns from 1 to n, a higher index is something the rule knows nothing of.
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
                throw new DataException("The data have the index " + (matrix.columnAt(last) + 1) + " (" + table.where(i)
                        + "), but the rule was learned from the columns 1 to " + highest
                        + ".\nMaybe these are other data, or leave such columns out of account with unknown(ZERO).");
            }
        }
        return Optional.of(matrix);
    }

    private static boolean isPosition(String name, int columns) {
        return name.length() <= 9
                && !name.isEmpty()
                && !name.startsWith("0")
                && name.chars().allMatch(c -> c >= '0' && c <= '9')
                && Integer.parseInt(name) <= columns;
    }

    /** The encoded matrix of people who can have no other levels than these; to be read only, since what is formed of many rows is kept with it. */
    public DenseMatrix apply(Table table) {
        return apply(table, Workers.of(1));
    }

    /** The same, some rows at a time. */
    public DenseMatrix apply(Table table, Workers workers) {
        return encoded(table, null, workers);
    }

    /** The encoded matrix, one row per row of the table; columns are found by name. */
    public DenseMatrix apply(Table table, UnknownLevel unknown) {
        return encoded(table, unknown, Workers.of(1));
    }

    /** @param unknown what becomes of other levels, null where nobody has the choice */
    private DenseMatrix encoded(Table data, UnknownLevel unknown, Workers workers) {
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
        inOrder(parts, workers, part -> {
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
        // of many rows products are kept, which nobody may spoil
        return many ? matrix.asReadOnly() : matrix;
    }

    private void refuseMissingColumns(Table table) {
        List<String> absent = features.stream()
                .map(Feature::column)
                .filter(c -> !table.has(c))
                .toList();
        if (!absent.isEmpty()) {
            String nearest = Names.nearest(absent.get(0), ignored(table));
            throw new DataException("The data lack " + (absent.size() == 1 ? "the column " : "the columns ")
                    + Names.list(absent) + ".\nMaybe "
                    + (table.tookHeaderAsData(absent)
                            ? "the first line, which was taken as data, is a header: read it as one with header(PRESENT)."
                            : nearest == null
                                    ? "these data are not of the kind the model was fitted to."
                                    : "'" + absent.get(0) + "' is called '" + nearest + "' there: rename it."));
        }
    }

    /** What becomes of a level that the training data did not have. */
    public enum UnknownLevel {
        /** It is refused. */
        ERROR,
        /** All indicators of the feature are zero, as for a level that was dropped as the base. */
        ZERO
    }

    /**
     * One column of the encoded matrix: (raw - shift) / scale, where raw is the number, or 1 for the level and 0 for others.
     *
     * @param name the column's name, {@code smoker=yes} for a level
     * @param level the level it indicates, null for a number
     */
    public record EncodedColumn(String name, String level, double shift, double scale) {}

    /**
     * How one column of a table becomes columns of the encoded matrix.
     *
     * @param column the column of the table
     * @param levels the levels in the training data, in order; empty for a numeric feature
     * @param mean what a missing number is replaced with, the training mean; 0 for a categorical feature
     * @param mostFrequentLevel what a missing level is replaced with; null for a numeric feature
     * @param columns the encoded columns: one for a number; one per level, possibly without the first, for categories
     * @param range the values seen in training; null for a categorical feature, and where they were not looked at
     */
    public record Feature(
            String column,
            List<String> levels,
            double mean,
            String mostFrequentLevel,
            List<EncodedColumn> columns,
            Range range) {
        /** From the smallest value to the largest. */
        public record Range(double min, double max) {
            /** Whether the value lies outside, by more than the rounding of the units it was computed in. */
            public boolean excludes(double value) {
                return value < min - rounding() || value > max + rounding();
            }

            /** What computing a value in other units may add to it. */
            public double rounding() {
                return 1e-9 * (max - min);
            }

            /** Whether a move from one value to another leads out; whoever was outside before does not leave. */
            public boolean left(double before, double after) {
                return !excludes(before) && excludes(after);
            }
        }

        public Feature {
            levels = List.copyOf(levels);
            columns = List.copyOf(columns);
        }

        /** A feature whose range was not looked at. */
        public Feature(
                String column,
                List<String> levels,
                double mean,
                String mostFrequentLevel,
                List<EncodedColumn> columns) {
            this(column, levels, mean, mostFrequentLevel, columns, null);
        }

        public boolean categorical() {
            return !levels.isEmpty();
        }

        /** The values that a move is expected to stay within: those seen in training, 0 to 1 for an indicator; null where they were not looked at. */
        public Range reach() {
            return categorical() ? new Range(0, 1) : range;
        }
    }
}
