package stackelberg.data;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import stackelberg.data.Encoding.EncodedColumn;

/** Writes one feature of some rows into its place in the encoded rows. */
interface RowEncoder {
    /** Rows from ... to - 1 of the table; encoded holds them row-major, {@code width} numbers each. */
    void encode(int from, int to, double[] encoded, int width);

    /** The encoder of a feature for one table; {@code first} is the feature's first encoded column. */
    static RowEncoder of(
            Encoding.Feature feature, Table table, Missing missing, Encoding.UnknownLevel unknown, int first) {
        return feature.categorical()
                ? indicators(feature, table, missing, unknown, first)
                : number(feature, table, missing, first);
    }

    private static RowEncoder number(Encoding.Feature feature, Table table, Missing missing, int first) {
        NumericColumn column = table.numeric(feature.column());
        EncodedColumn to = feature.columns().get(0);
        double shift = to.shift();
        double scale = to.scale();
        return (from, end, encoded, width) -> {
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

    private static RowEncoder indicators(
            Encoding.Feature feature, Table table, Missing missing, Encoding.UnknownLevel unknown, int first) {
        CategoricalColumn column = categorical(feature, table);
        Map<String, Integer> placeOf = new HashMap<>();
        feature.levels().forEach(level -> placeOf.put(level, placeOf.size()));
        int[] known = column.levels().stream()
                .mapToInt(level -> placeOf.getOrDefault(level, -1))
                .toArray();
        int fill = feature.levels().indexOf(feature.mostFrequentLevel());
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
                    throw new DataException("Column '" + feature.column() + "', " + table.where(row) + ": \""
                            + column.level(row) + "\" is not a level the model knows; it knows "
                            + Names.list(feature.levels())
                            + ".\nMaybe it is misspelt, or the training data had nobody of that kind"
                            + (unknown == null ? "." : "; unknown(ZERO) counts such levels as zero."));
                }
                double[] indicators = rows[level < 0 ? none : level];
                System.arraycopy(indicators, 0, encoded, k, indicators.length);
            }
        };
    }

    private static double[] indicatorRow(List<EncodedColumn> columns, String level) {
        double[] row = new double[columns.size()];
        for (int j = 0; j < row.length; j++) {
            EncodedColumn to = columns.get(j);
            row[j] = ((to.level().equals(level) ? 1 : 0) - to.shift()) / to.scale();
        }
        return row;
    }

    private static CategoricalColumn categorical(Encoding.Feature feature, Table table) {
        if (table.column(feature.column()) instanceof CategoricalColumn column) {
            return column;
        }
        NumericColumn numbers = table.numeric(feature.column());
        for (int row = 0; row < table.rows(); row++) {
            if (!numbers.isMissing(row)) {
                throw new DataException("Column '" + feature.column() + "' must hold the levels "
                        + Names.list(feature.levels()) + ", but it holds numbers: " + table.where(row) + " is "
                        + numbers.value(row) + ".\nMaybe read it as categories with categorical(\"" + feature.column()
                        + "\").");
            }
        }
        // A column without any value looks numeric to the reader.
        int[] codes = new int[table.rows()];
        Arrays.fill(codes, -1);
        return new CategoricalColumn(feature.column(), codes, List.of());
    }

    private static <T> T orRefuse(T fill, Encoding.Feature feature, Table table, int row, Missing missing) {
        if (missing == Missing.MEAN) {
            return fill;
        }
        throw new DataException("Column '" + feature.column() + "', " + table.where(row) + ": the value is missing.\n"
                + "Maybe use missing(DROP) or missing(MEAN).");
    }
}
