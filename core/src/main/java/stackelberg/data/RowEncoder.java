package stackelberg.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Encoding.EncodedColumn;

/** Encodes one feature for a range of rows: a number, scaled, or the indicators of a category. */
interface RowEncoder {
    /** Writes the feature of rows {@code from} to {@code to - 1} into {@code encoded}, which holds these rows one after the other, {@code width} numbers each. */
    void encode(int from, int to, double[] encoded, int width);

    /**
     * The encoder of a feature for one table; {@code first} is the feature's first encoded column. If {@code unknown} is absent, unknown levels are refused.
     */
    static RowEncoder of(
            Encoding.Feature feature,
            Table table,
            Missing missing,
            Encoding.@Nullable UnknownLevel unknown,
            int first) {
        return feature.categorical()
                ? indicators(feature, table, missing, unknown, first)
                : number(feature, table, missing, first);
    }

    /** Makes the encoder of a numeric column: one number per row, with missing values filled in. */
    private static RowEncoder number(Encoding.Feature feature, Table table, Missing missing, int first) {
        NumericColumn column = table.numeric(feature.column());
        EncodedColumn to = feature.columns().get(0);
        double shift = to.shift();
        double scale = to.scale();
        return (from, end, encoded, width) -> {
            // A column may consist of several arrays; each pass of the outer loop encodes the rows that lie in one of
            // them.
            for (int begin = from; begin < end; ) {
                double[] values = column.pieceAt(begin);
                int start = column.start(begin);
                int stop = Math.min(end, start + values.length);
                for (int row = begin, k = first + (begin - from) * width; row < stop; row++, k += width) {
                    double raw = values[row - start];
                    if (Double.isNaN(raw)) {
                        raw = orRefuse(feature.mean(), feature, table, row, missing);
                    }
                    encoded[k] = (raw - shift) / scale;
                }
                begin = stop;
            }
        };
    }

    /**
     * Makes the encoder of a categorical column: one indicator per level, all 0 for an unknown level if that is
     * allowed.
     */
    private static RowEncoder indicators(
            Encoding.Feature feature,
            Table table,
            Missing missing,
            Encoding.@Nullable UnknownLevel unknown,
            int first) {
        CategoricalColumn column = categorical(feature, table);
        // This table may list its levels in another order than the training data: known[code] is the training level, or
        // -1 for an unknown one.
        Map<String, Integer> placeOf = new HashMap<>();
        feature.levels().forEach(level -> placeOf.put(level, placeOf.size()));
        int[] known = column.levels().stream()
                .mapToInt(level -> placeOf.getOrDefault(level, -1))
                .toArray();
        int fill = feature.levels().indexOf(feature.mostFrequentLevel());
        // All rows of one level have the same encoded numbers, so they are computed once per level; the last entry is
        // for an unknown level, all zero.
        double[][] rows = new double[feature.levels().size() + 1][];
        for (int k = 0; k < feature.levels().size(); k++) {
            rows[k] = indicatorRow(feature.columns(), feature.levels().get(k));
        }
        int none = feature.levels().size();
        rows[none] = indicatorRow(feature.columns(), null);
        return (from, end, encoded, width) -> {
            for (int row = from, k = first; row < end; row++, k += width) {
                int code = column.code(row);
                int level = code < 0 ? orRefuse(fill, feature, table, row, missing) : known[code];
                if (level < 0 && unknown != Encoding.UnknownLevel.ZERO) {
                    throw new DataException(Message.of(
                            "level-unknown",
                            "Column '{}', {}: \"{}\" is not a level the model knows; it knows {}.\n"
                                    + "Maybe it is misspelt, or it does not occur in the training data{}",
                            feature.column(),
                            table.where(row),
                            column.level(row),
                            Names.list(feature.levels()),
                            unknown == null
                                    ? "."
                                    : Message.part(
                                            "; {} counts such levels as zero.",
                                            Message.Choice.word("unknown", "ZERO"))));
                }
                double[] indicators = rows[level < 0 ? none : level];
                System.arraycopy(indicators, 0, encoded, k, indicators.length);
            }
        };
    }

    /**
     * Returns the encoded columns of a row with this level: (indicator - shift) / scale.
     *
     * @param level null for an unknown level
     */
    private static double[] indicatorRow(List<EncodedColumn> columns, @Nullable String level) {
        double[] row = new double[columns.size()];
        for (int j = 0; j < row.length; j++) {
            EncodedColumn to = columns.get(j);
            row[j] = ((Objects.equals(to.level(), level) ? 1 : 0) - to.shift()) / to.scale();
        }
        return row;
    }

    /** The feature's column, which must hold categories or no value at all. */
    private static CategoricalColumn categorical(Encoding.Feature feature, Table table) {
        if (table.column(feature.column()) instanceof CategoricalColumn column) {
            return column;
        }
        NumericColumn numbers = table.numeric(feature.column());
        for (int row = 0; row < table.rows(); row++) {
            if (!numbers.isMissing(row)) {
                throw new DataException(Message.of(
                        "numbers-for-levels",
                        "Column '{}' must hold the levels {}, but it holds numbers: {} is {}.\nMaybe read it as categories with {}.",
                        feature.column(),
                        Names.list(feature.levels()),
                        table.where(row),
                        numbers.value(row),
                        Message.Choice.text("categorical", feature.column())));
            }
        }
        // Readers take a column without any value for a numeric one; here it is a categorical column whose values are
        // all missing.
        int[] codes = new int[table.rows()];
        Arrays.fill(codes, -1);
        return new CategoricalColumn(feature.column(), codes, List.of());
    }

    /** The value that replaces a missing one if the policy is {@link Missing#MEAN}; otherwise refuses the row. */
    private static <T> T orRefuse(T fill, Encoding.Feature feature, Table table, int row, Missing missing) {
        if (missing == Missing.MEAN) {
            return fill;
        }
        throw new DataException(Message.of(
                "value-missing",
                "Column '{}', {}: the value is missing.\n" + "Maybe use {} or {}.",
                feature.column(),
                table.where(row),
                Message.Choice.word("missing", "DROP"),
                Message.Choice.word("missing", "MEAN")));
    }
}
