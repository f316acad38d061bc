package stackelberg.game;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.Scaling;
import stackelberg.data.Table;
import stackelberg.game.Description.Column;
import stackelberg.game.Description.Look;
import stackelberg.game.Description.Spread;
import stackelberg.game.Description.Use;
import stackelberg.game.Description.Values;
import stackelberg.linalg.ColumnStatistics;
import stackelberg.linalg.Matrix;

/**
 * Describes one column: its values, and whether they look like identifiers, dates, money or a constant.
 *
 * <p>Large tables are described before anything is learned, so each column is read a few times only: different values are counted up to a bound and
 * nothing is sorted.
 */
final class ColumnLook {
    /** Different numbers are counted up to this many. */
    static final int MOST_COUNTED = 1000;

    private static final int LEVELS_SHOWN = 5;

    private ColumnLook() {}

    static Column of(Table table, String name, Recognition.Exceptions exceptions) {
        Column column = table.column(name) instanceof CategoricalColumn texts
                ? ofTexts(texts)
                : ofNumbers((NumericColumn) table.column(name));
        return decided(column, Recognition.verdict(table, name, exceptions));
    }

    /** The column with the use that {@link Recognition} has decided on; columns without any value stay refused. */
    static Column decided(Column column, Recognition.Verdict verdict) {
        if (verdict.use() == Use.FEATURE || column.look() == Look.EMPTY) {
            return column;
        }
        Look look = verdict.look() == null ? column.look() : verdict.look();
        return new Column(column.name(), column.values(), look, verdict.use(), verdict.why());
    }

    /** Describes a column of texts: its levels, and whether they look like dates or identifiers. */
    private static Column ofTexts(CategoricalColumn column) {
        int[] counts = new int[column.levels().size()];
        int missing = 0;
        for (int i = 0; i < column.rows(); i++) {
            if (column.isMissing(i)) {
                missing++;
            } else {
                counts[column.code(i)]++;
            }
        }
        int[] occurring =
                IntStream.range(0, counts.length).filter(k -> counts[k] > 0).toArray();
        List<String> shown = IntStream.of(occurring)
                .boxed()
                .sorted(Comparator.comparingInt((Integer k) -> -counts[k]))
                .limit(LEVELS_SHOWN)
                .map(column.levels()::get)
                .toList();
        Values values = new Values(missing, occurring.length, null, shown, "");
        return judged(column.name(), values, occurring.length == 1 ? Look.CONSTANT : null, null);
    }

    /** Describes a column of numbers: their spread, and whether they look like dates or a constant. */
    private static Column ofNumbers(NumericColumn column) {
        double[] values = column.values();
        int missing = 0;
        Different different = new Different();
        boolean counts = values.length >= Recognition.ROWS_TO_TELL;
        boolean dates = true;
        int there = 0;
        for (int i = 0; i < values.length; i++) {
            double value = values[i];
            counts &= i == 0 || value - values[i - 1] == 1;
            if (Double.isNaN(value)) {
                missing++;
            } else {
                different.add(value);
                dates = dates && isDate(value);
                // compacts the known values to the front of the same array, for the spread
                values[there++] = value;
            }
            if (missing > 0) {
                counts = false;
            }
        }
        NumericColumn.Notation notation = column.notation().orElse(null);
        if (there == 0) {
            Values none = new Values(missing, 0, Spread.NONE, List.of(), "");
            return judged(column.name(), none, Look.EMPTY, null);
        }
        Scaling.Spread spread = Scaling.Spread.of(values, there);
        Values seen = new Values(
                missing,
                different.count(),
                new Spread(spread.min(), spread.max(), spread.mean(), spread.sd()),
                List.of(),
                notation == null ? "" : notation.example());
        String sign = notation == null ? "" : notation.sign();
        Look look = spread.constant()
                ? Look.CONSTANT
                : counts
                        ? Look.IDENTIFIER
                        : dates ? Look.DATE : sign.equals("%") ? Look.PERCENT : sign.isEmpty() ? null : Look.MONEY;
        return judged(column.name(), seen, look, column);
    }

    /** A column of a block of numbers, described from the statistics of one pass over the whole matrix. */
    static Column ofBlock(String name, Matrix matrix, ColumnStatistics statistics, int j) {
        Optional<String> infinite = Sample.infinite(matrix, statistics, j);
        double min = statistics.min()[j];
        double max = statistics.max()[j];
        Spread spread = new Spread(min, max, statistics.mean()[j], statistics.sd()[j]);
        Values values = new Values(0, min == max ? 1 : 0, spread, List.of(), "");
        if (infinite.isPresent()) {
            return new Column(name, values, null, Use.REFUSED, Message.plain("not-finite", infinite.get()));
        }
        return judged(name, values, min == max ? Look.CONSTANT : null, null);
    }

    /** The column as a feature, with a remark where it looks odd; refused where it has no value at all. */
    private static Column judged(String name, Values values, @Nullable Look look, @Nullable NumericColumn numbers) {
        if (look == Look.EMPTY) {
            return new Column(
                    name,
                    values,
                    look,
                    Use.REFUSED,
                    Message.of(
                            "column-empty",
                            "Column '{}' has no value at all.\nMaybe leave it out with {}.",
                            name,
                            Message.Choice.text("ignore", name)));
        }
        @Nullable Message why = null;
        if (look == Look.CONSTANT) {
            why = Message.of(
                    "column-constant",
                    "Column '{}' has the same value in all rows, so it carries no information.",
                    name);
        } else if (numbers != null && look == Look.IDENTIFIER) {
            why = Message.of(
                    "column-counts-rows",
                    "Column '{}' counts the rows like an identifier, but is used as a feature: columns of numbers"
                            + " are left out only if their name says that they are identifiers. Maybe {}.",
                    name,
                    Message.Choice.text("ignore", name));
        } else if (numbers != null && look == Look.DATE) {
            why = Message.of(
                    "column-of-dates",
                    "Column '{}' seems to hold dates, such as {}, and is used as a number. Maybe {}, or turn the dates into an age in days.",
                    name,
                    numbers.text(firstThere(numbers)).orElseThrow(),
                    Message.Choice.text("ignore", name));
        }
        return new Column(name, values, look, Use.FEATURE, why);
    }

    private static int firstThere(NumericColumn column) {
        int i = 0;
        while (column.isMissing(i)) {
            i++;
        }
        return i;
    }

    /** Whether a number reads as a date of the form 20240131. */
    private static boolean isDate(double value) {
        if (value != Math.rint(value) || value < 19000101 || value > 21001231) {
            return false;
        }
        long month = (long) value / 100 % 100;
        long day = (long) value % 100;
        return month >= 1 && month <= 12 && day >= 1 && day <= 31;
    }

    /** Counts different numbers up to a bound, in a hash set with open addressing that allocates nothing per value. */
    private static final class Different {
        private static final int ROOM = 4 * MOST_COUNTED;

        private final long[] bits = new long[ROOM];
        private final boolean[] taken = new boolean[ROOM];
        private int count;

        void add(double value) {
            // multiplying by 2^64 / golden ratio spreads the keys over the table (Fibonacci hashing)
            if (count > MOST_COUNTED) {
                return;
            }
            // adding 0.0 turns -0.0 into 0.0, which is the same number with other bits
            long key = Double.doubleToLongBits(value + 0.0);
            int place = Math.floorMod(Long.hashCode(key * 0x9E3779B97F4A7C15L), ROOM);
            while (taken[place] && bits[place] != key) {
                place = (place + 1) % ROOM;
            }
            count += taken[place] ? 0 : 1;
            taken[place] = true;
            bits[place] = key;
        }

        /** How many different numbers there were; negative where there were more than the bound. */
        int count() {
            return count > MOST_COUNTED ? -MOST_COUNTED : count;
        }
    }
}
