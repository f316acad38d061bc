package stackelberg.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.linalg.Workers;

/**
 * Learns an {@link Encoding} from the training rows: per numeric feature its mean, range and scaling, per categorical feature its levels and most frequent
 * level. Features are learned independently, so threads share the work by feature.
 */
final class EncodingFit {
    private final Table table;
    /** Names of the encoded columns that hold one value only. */
    private final List<String> constantColumns = new ArrayList<>();

    EncodingFit(Table table) {
        this.table = table;
    }

    /** Learns the encoding of the chosen features, in their order. */
    Encoding fit(List<Encoding.Choice> choices, Missing missing, Workers workers) {
        requireRoom(choices);
        Set<String> seen = new HashSet<>();
        for (Encoding.Choice choice : choices) {
            if (!seen.add(choice.column())) {
                throw DataException.of(
                        "feature-twice", "The feature '{}' is listed twice.\n" + "Maybe remove one.", choice.column());
            }
        }
        Encoding.Feature[] features = new Encoding.Feature[choices.size()];
        // Each feature collects its constant columns apart from the others, so that their order does not depend on the
        // threads.
        EncodingFit[] perFeature = new EncodingFit[features.length];
        Encoding.runInOrder(features.length, workers, k -> {
            perFeature[k] = new EncodingFit(table);
            features[k] = perFeature[k].feature(choices.get(k), missing);
        });
        for (EncodingFit fit : perFeature) {
            constantColumns.addAll(fit.constantColumns);
        }
        List<Encoding.Feature> all = List.of(features);
        requireDistinctNames(all);
        return new Encoding(all, missing, constantColumns);
    }

    private Encoding.Feature feature(Encoding.Choice choice, Missing missing) {
        // Looked up only once, because a column of a block is copied at every call.
        Column column = table.column(choice.column());
        return column instanceof CategoricalColumn categorical
                ? categories(categorical, choice, missing)
                : number((NumericColumn) column, choice, missing);
    }

    /**
     * Refuses features whose encoded matrix could not fit in memory, before time is spent on it: a column with a million levels in a million rows would
     * take 8 TB, and is usually a name or an identifier.
     */
    private void requireRoom(List<Encoding.Choice> choices) {
        long width = 0;
        CategoricalColumn widest = null;
        for (Encoding.Choice choice : choices) {
            // A block has no categories, and looking at one of its columns would copy it.
            if (table.block().isPresent() || !(table.column(choice.column()) instanceof CategoricalColumn column)) {
                width++;
                continue;
            }
            width += column.levels().size();
            if (widest == null || column.levels().size() > widest.levels().size()) {
                widest = column;
            }
        }
        double bytes = 8.0 * width * table.rows();
        if (widest != null && bytes > Runtime.getRuntime().maxMemory()) {
            throw new DataException(Message.of(
                    "too-many-levels",
                    "{}\nMaybe leave it out with {}.",
                    String.format(
                            Locale.ROOT,
                            "The features would become %,d columns of %,d rows, which take %.1f GB; %.1f GB are available. Column '%s' has"
                                    + " the most categories: %,d.",
                            width,
                            table.rows(),
                            bytes / (1 << 30),
                            Runtime.getRuntime().maxMemory() / (double) (1 << 30),
                            widest.name(),
                            widest.levels().size()),
                    Message.Choice.text("ignore", widest.name())));
        }
    }

    /** Refuses two terms of the same name, such as a column 'job=clerk' beside a column 'job' with the level 'clerk': a rule looks up its terms by name. */
    private static void requireDistinctNames(List<Encoding.Feature> features) {
        Map<String, String> columnOf = new HashMap<>();
        for (Encoding.Feature feature : features) {
            for (EncodedColumn term : feature.columns()) {
                String other = columnOf.put(term.name(), feature.column());
                if (other != null) {
                    throw new DataException(Message.of(
                            "terms-of-one-name",
                            "Columns '{}' and '{}' both give a term named '{}'.\n"
                                    + "Maybe rename one of them in the header, or leave it out with {}.",
                            other,
                            feature.column(),
                            term.name(),
                            Message.Choice.any("ignore")));
                }
            }
        }
    }

    /** A numeric feature: one encoded column. */
    private Encoding.Feature number(NumericColumn column, Encoding.Choice choice, Missing missing) {
        double[][] values = column.missing() == 0 ? column.pieces() : new double[][] {known(column, missing)};
        int count = column.rows() - column.missing();
        if (count == 0) {
            throw allMissing(column);
        }
        Scaling.Spread spread = Scaling.Spread.of(values);
        // Missing values will be replaced by the mean: they count as rows but add nothing to the squared deviations, so
        // the variance shrinks by
        // count / rows.
        double sd = Math.sqrt((double) count / column.rows()) * spread.sd();
        Scaling.Spread filled =
                new Scaling.Spread(column.rows(), spread.mean(), sd, spread.min(), spread.width(), spread.max());
        EncodedColumn encoded = scaled(column.name(), null, filled, choice);
        Encoding.Feature.Range range = new Encoding.Feature.Range(spread.min(), spread.max());
        return new Encoding.Feature(column.name(), List.of(), spread.mean(), null, List.of(encoded), range);
    }

    /** The values that are not missing; refuses missing values unless the policy is {@link Missing#MEAN}. */
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

    /** A categorical feature: one indicator per level that occurs in the training rows, possibly without the first. */
    private Encoding.Feature categories(CategoricalColumn column, Encoding.Choice choice, Missing missing) {
        int[] counts = new int[column.levels().size()];
        for (int row = 0; row < column.rows(); row++) {
            if (!column.isMissing(row)) {
                counts[column.code(row)]++;
            } else if (missing != Missing.MEAN) {
                throw missingValue(column, row);
            }
        }
        // The most frequent level, the first of them if several are equally frequent.
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
        // A single level that is dropped as the base leaves no indicator: the feature has one value in all rows.
        if (encoded.isEmpty()) {
            constantColumns.add(column.name());
        }
        return new Encoding.Feature(column.name(), levels, 0, column.levels().get(mode), encoded, null);
    }

    /** The encoded column with its shift and scale, noted as constant if all its values are equal; {@code level} is null for a number. */
    private EncodedColumn scaled(String name, @Nullable String level, Scaling.Spread spread, Encoding.Choice choice) {
        if (spread.constant()) {
            constantColumns.add(name);
        }
        EncodedColumn encoded = choice.scaling().column(name, level, spread, choice.shifted());
        if (!Double.isFinite(encoded.scale()) || !Double.isFinite(encoded.shift())) {
            throw DataException.of(
                    "column-too-wide",
                    "Column '{}' spans from {} to {}, too wide a range to be scaled in double precision.\n"
                            + "Maybe its units are wrong, or a huge number marks missing values.",
                    name,
                    spread.min(),
                    spread.max());
        }
        return encoded;
    }

    private DataException missingValue(Column column, int row) {
        return new DataException(Message.of(
                "value-missing",
                "Column '{}', {}: the value is missing.\n" + "Maybe use {} or {}.",
                column.name(),
                table.where(row),
                Message.Choice.word("missing", "DROP"),
                Message.Choice.word("missing", "MEAN")));
    }

    private static DataException allMissing(Column column) {
        return new DataException(Message.of(
                "column-empty",
                "Column '{}' has no value at all.\nMaybe leave it out with {}.",
                column.name(),
                Message.Choice.text("ignore", column.name())));
    }
}
