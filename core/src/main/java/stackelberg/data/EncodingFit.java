package stackelberg.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.linalg.Workers;

/** Learns an {@link Encoding} from the training rows. */
final class EncodingFit {
    private final Table table;
    private final List<String> constantColumns = new ArrayList<>();

    EncodingFit(Table table) {
        this.table = table;
    }

    Encoding fit(List<Encoding.Choice> choices, Missing missing, Workers workers) {
        requireRoom(choices);
        Set<String> seen = new HashSet<>();
        for (Encoding.Choice choice : choices) {
            if (!seen.add(choice.column())) {
                throw new DataException("The feature '" + choice.column() + "' is listed twice.\nMaybe remove one.");
            }
        }
        Encoding.Feature[] features = new Encoding.Feature[choices.size()];
        EncodingFit[] apart = new EncodingFit[features.length];
        Encoding.inOrder(features.length, workers, k -> {
            apart[k] = new EncodingFit(table);
            features[k] = apart[k].feature(choices.get(k), missing);
        });
        for (EncodingFit one : apart) {
            constantColumns.addAll(one.constantColumns);
        }
        List<Encoding.Feature> all = List.of(features);
        requireDistinctNames(all);
        return new Encoding(all, missing, constantColumns);
    }

    private Encoding.Feature feature(Encoding.Choice choice, Missing missing) {
        // once: a column of a block is a copy
        Column column = table.column(choice.column());
        return column instanceof CategoricalColumn categorical
                ? categories(categorical, choice, missing)
                : number((NumericColumn) column, choice, missing);
    }

    /** Refuses at once what could never be encoded: a million levels of a million rows are eight million megabytes. */
    private void requireRoom(List<Encoding.Choice> choices) {
        long width = 0;
        CategoricalColumn widest = null;
        for (Encoding.Choice choice : choices) {
            // a block has no categories, and its columns are copies
            boolean text = !table.block().isPresent() && table.column(choice.column()) instanceof CategoricalColumn;
            CategoricalColumn column = text ? (CategoricalColumn) table.column(choice.column()) : null;
            width += text ? column.levels().size() : 1;
            widest = text
                            && (widest == null
                                    || column.levels().size() > widest.levels().size())
                    ? column
                    : widest;
        }
        double bytes = 8.0 * width * table.rows();
        if (widest != null && bytes > Runtime.getRuntime().maxMemory()) {
            throw new DataException(String.format(
                    Locale.ROOT,
                    "%,d columns of %,d rows would take %.1f GB, of which column '%s' has the most with %,d categories, and"
                            + " there are %.1f GB.\nMaybe leave it out with ignore(\"%s\").",
                    width,
                    table.rows(),
                    bytes / (1 << 30),
                    widest.name(),
                    widest.levels().size(),
                    Runtime.getRuntime().maxMemory() / (double) (1 << 30),
                    widest.name()));
        }
    }

    /** A rule is told by the names of its terms, so a column named like the level of another one would be lost. */
    private static void requireDistinctNames(List<Encoding.Feature> features) {
        Map<String, String> columnOf = new HashMap<>();
        for (Encoding.Feature feature : features) {
            for (EncodedColumn term : feature.columns()) {
                String other = columnOf.put(term.name(), feature.column());
                if (other != null) {
                    throw new DataException("Columns '" + other + "' and '" + feature.column()
                            + "' both give a term named '" + term.name()
                            + "'.\nMaybe rename one of them in the header, or leave it out with ignore(...).");
                }
            }
        }
    }

    private Encoding.Feature number(NumericColumn column, Encoding.Choice choice, Missing missing) {
        double[][] values = column.missing() == 0 ? column.pieces() : new double[][] {known(column, missing)};
        int count = column.rows() - column.missing();
        if (count == 0) {
            throw allMissing(column);
        }
        Scaling.Spread spread = Scaling.Spread.of(values);
        // Missing values will be the mean, so they count in the number of rows but add nothing to the deviations.
        double sd = Math.sqrt((double) count / column.rows()) * spread.sd();
        Scaling.Spread filled =
                new Scaling.Spread(column.rows(), spread.mean(), sd, spread.min(), spread.width(), spread.max());
        EncodedColumn encoded = scaled(column.name(), null, filled, choice);
        Encoding.Feature.Range range = new Encoding.Feature.Range(spread.min(), spread.max());
        return new Encoding.Feature(column.name(), List.of(), spread.mean(), null, List.of(encoded), range);
    }

    /** The values that are not missing. */
    private double[] known(NumericColumn column, Missing missing) {
        double[] values = column.values();
        int count = 0;
        for (int row = 0; row < values.length; row++) {
            if (!Double.isNaN(values[row])) {
                values[count++] = values[row];
            } else if (missing != Missing.MEAN) {
                throw missingValue(column, row);
            }
        }
        return Arrays.copyOf(values, count);
    }

    private Encoding.Feature categories(CategoricalColumn column, Encoding.Choice choice, Missing missing) {
        int[] counts = new int[column.levels().size()];
        for (int row = 0; row < column.rows(); row++) {
            if (!column.isMissing(row)) {
                counts[column.code(row)]++;
            } else if (missing != Missing.MEAN) {
                throw missingValue(column, row);
            }
        }
        int mode = -1;
        List<Integer> used = new ArrayList<>();
        for (int k = 0; k < counts.length; k++) {
            if (counts[k] > 0) {
                used.add(k);
                mode = mode < 0 || counts[k] > counts[mode] ? k : mode;
            }
        }
        if (mode < 0) {
            throw allMissing(column);
        }
        List<String> levels = used.stream().map(column.levels()::get).toList();
        List<EncodedColumn> encoded = new ArrayList<>();
        for (int k : choice.dropFirstLevel() ? used.subList(1, used.size()) : used) {
            double[] indicator = new double[column.rows()];
            for (int row = 0; row < indicator.length; row++) {
                int code = column.isMissing(row) ? mode : column.code(row);
                indicator[row] = code == k ? 1 : 0;
            }
            String level = column.levels().get(k);
            Scaling.Spread spread = Scaling.Spread.of(indicator, indicator.length);
            encoded.add(scaled(column.name() + "=" + level, level, spread, choice));
        }
        if (encoded.isEmpty()) {
            constantColumns.add(column.name());
        }
        return new Encoding.Feature(column.name(), levels, 0, column.levels().get(mode), encoded, null);
    }

    private EncodedColumn scaled(String name, String level, Scaling.Spread spread, Encoding.Choice choice) {
        if (spread.constant()) {
            constantColumns.add(name);
        }
        EncodedColumn encoded = choice.scaling().column(name, level, spread, choice.shifted());
        if (!Double.isFinite(encoded.scale()) || !Double.isFinite(encoded.shift())) {
            throw new DataException(
                    "Column '" + name + "' spans from " + spread.min() + " to " + spread.max()
                            + ", too far to be scaled in double precision.\nMaybe it is in odd units, or marks missing values with a huge number.");
        }
        return encoded;
    }

    private DataException missingValue(Column column, int row) {
        return new DataException("Column '" + column.name() + "', " + table.where(row)
                + ": the value is missing.\nMaybe use missing(DROP) or missing(MEAN).");
    }

    private static DataException allMissing(Column column) {
        return new DataException("Column '" + column.name()
                + "' has no value at all.\nMaybe leave it out with ignore(\"" + column.name() + "\").");
    }
}
