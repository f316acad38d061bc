package stackelberg.data.io;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.NumericColumn;
import stackelberg.data.NumericColumn.Notation;
import stackelberg.data.Table;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** Reads a table from a file; the suffix of its name decides the format. */
public final class DataFile {
    /** The column with the truth beside features that are named by position. */
    public static final String TRUTH = "y";

    /** The column with the wishes beside features that are named by position. */
    public static final String WISH = "z";

    private static final Path STANDARD_INPUT = Path.of("-");

    private DataFile() {}

    /** Reads a file with default options. */
    public static Table read(Path file, Workers workers) {
        return read(file, Options.DEFAULT, workers);
    }

    /**
     * Reads a file: CSV and its variants (any other suffix; standard input if the path is {@code -}), LIBSVM (.svm,
     * .libsvm) with the labels as {@link #TRUTH}, a NumPy array (.npy), or Parquet (.parquet) if DuckDB's driver is
     * found. CSV and LIBSVM may be gzipped.
     *
     * <p>A column of a CSV file is categorical if some value is neither a number nor a missing-value mark (empty, NA,
     * N/A, n/a, NaN, nan, null, NULL, ?, -). If more than 90% of its values are numbers, the text is taken for a
     * mistake and is an error. Numbers may have a decimal comma, separators between thousands, and a currency or
     * percent sign, if the whole column is written that way (decision 18).
     */
    public static Table read(Path file, Options options, Workers workers) {
        return Memory.reading(file.toString(), () -> readAnyKind(file, options, workers));
    }

    private static Table readAnyKind(Path file, Options options, Workers workers) {
        if (!namesColumns(file)) {
            return arrays(file, null, null, workers);
        }
        if (isParquet(file)) {
            return Database.ofFiles().readParquet(file, options, workers);
        }
        return file.equals(STANDARD_INPUT)
                ? CsvReader.read(System.in, "standard input", options, workers)
                : CsvReader.read(file, options, workers);
    }

    /** Reads CSV from a stream to its end; messages call it {@code name}. */
    public static Table read(InputStream csv, String name, Options options, Workers workers) {
        return Memory.reading(name, () -> CsvReader.read(csv, name, options, workers));
    }

    /**
     * Reads features that are named by position, {@code "1", "2", ...}, with {@link #TRUTH} and {@link #WISH} beside
     * them.
     *
     * @param x the features: a NumPy array, or, if y is null, a LIBSVM file, which holds the truth as well
     * @param y the truth as a NumPy array, null for none
     * @param z the wishes as a NumPy array, null for none
     */
    public static Table arrays(Path x, @Nullable Path y, @Nullable Path z, Workers workers) {
        return Memory.reading(x.toString(), () -> readArrays(x, y, z, workers));
    }

    private static Table readArrays(Path x, @Nullable Path y, @Nullable Path z, Workers workers) {
        Table table = y == null && isLibsvm(x) ? LibsvmReader.read(x) : block(NpyReader.readMatrix(x, workers));
        table = y == null ? table : beside(table, TRUTH, y);
        return z == null ? table : beside(table, WISH, z);
    }

    /** A table of features named by position, with further columns. */
    static Table block(Matrix features, NumericColumn... more) {
        return Table.ofBlock(features, Table.positions(features.cols()), more);
    }

    /**
     * Numbers by name from two columns of a small CSV file: the coefficients of an existing rule, or the costs of
     * features.
     */
    public static Map<String, Double> numbers(Path file, String nameColumn, String valueColumn) {
        requireHeader(file, nameColumn, valueColumn);
        Table table = CsvReader.read(file, Options.DEFAULT.withCategorical(Set.of(nameColumn)), Workers.of(1));
        Column names = table.column(nameColumn);
        NumericColumn values = table.numeric(valueColumn);
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < table.rows(); i++) {
            if (names.isMissing(i) || values.isMissing(i)) {
                throw DataException.of(
                        "list-value-missing",
                        "'{}', {}: the {} is missing.\n" + "Maybe leave out the line.",
                        file,
                        table.where(i),
                        names.isMissing(i) ? nameColumn : valueColumn);
            }
            String name = names.text(i).orElseThrow();
            if (map.put(name, values.value(i)) != null) {
                throw DataException.of(
                        "list-name-twice",
                        "'{}', {}: '{}' is listed twice.\n" + "Maybe remove one of the lines.",
                        file,
                        table.where(i),
                        name);
            }
        }
        return map;
    }

    /** Refuses a file whose first line does not name both columns. */
    private static void requireHeader(Path file, String nameColumn, String valueColumn) {
        String first;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            first = reader.readLine();
        } catch (IOException e) {
            throw new DataException(
                    Message.of("file-unreadable", "'{}' could not be read.\n" + "Maybe the path is misspelt.", file),
                    e);
        }
        if (first == null || !first.contains(nameColumn) || !first.contains(valueColumn)) {
            throw DataException.of(
                    "list-columns-missing",
                    "'{}' must have the columns {} and {}.\n" + "Maybe its first line must be: {},{}.",
                    file,
                    nameColumn,
                    valueColumn,
                    nameColumn,
                    valueColumn);
        }
    }

    /** The table with a further column from a NumPy array. */
    private static Table beside(Table table, String name, Path file) {
        double[] values = NpyReader.readVector(file);
        if (values.length != table.rows()) {
            throw DataException.of(
                    "array-of-other-length",
                    "The array {} has {} values, but x has {} rows.\n"
                            + "Maybe x is transposed, or the arrays are of different data.",
                    name,
                    values.length,
                    table.rows());
        }
        // The table now comes from more than one file, so it has no single source.
        return table.with(new NumericColumn(name, values)).withSource(null);
    }

    /** Whether files of this format name their columns; false for those that hold a matrix. */
    public static boolean namesColumns(Path file) {
        return !isLibsvm(file) && !suffix(file, ".npy");
    }

    /** Whether the name is that of a Parquet file, or of a folder of Parquet files. */
    public static boolean isParquet(Path file) {
        return suffix(file, ".parquet");
    }

    private static boolean isLibsvm(Path file) {
        return suffix(file, ".svm") || suffix(file, ".libsvm") || suffix(file, ".svm.gz") || suffix(file, ".libsvm.gz");
    }

    private static boolean suffix(Path file, String suffix) {
        return file.toString().toLowerCase(Locale.ROOT).endsWith(suffix);
    }

    /**
     * Options for reading a CSV file, where the file itself leaves something open. For Parquet and databases, whose
     * columns have types, only {@code categorical}, {@code names} and {@code used} matter.
     *
     * @param header whether the first line is a header
     * @param categorical columns to read as categories even if all or most of their values are numbers
     * @param names columns that name rows (such as an id), which are read as text; columns that do not exist are
     *     ignored
     * @param decimal the decimal sign, a point or a comma; null to detect it
     * @param notations the notation of columns in earlier data, by name; used where the column itself can be read in
     *     more than one way
     * @param used whether a column is to be read, by its name; other columns may hold anything
     */
    public record Options(
            Header header,
            Set<String> categorical,
            Set<String> names,
            @Nullable Character decimal,
            Map<String, Notation> notations,
            Predicate<String> used) {
        /** Detects everything and reads all columns. */
        public static final Options DEFAULT =
                new Options(Header.DETECTED, Set.of(), Set.of(), null, Map.of(), column -> true);

        /** Whether the first line of a file is a header. */
        public enum Header {
            /** The first line is a header if it has text above numbers, or no number at all. */
            DETECTED,
            /** The first line is a header, whatever it holds. */
            PRESENT,
            /** The first line is data; the columns are named 1, 2, 3, ... */
            ABSENT
        }

        public Options {
            categorical = Set.copyOf(categorical);
            names = Set.copyOf(names);
            notations = Map.copyOf(notations);
            if (decimal != null && decimal != Spelling.POINT && decimal != Spelling.COMMA) {
                throw new IllegalArgumentException(
                        "The decimal sign is '" + decimal + "'; it must be a point or a comma.");
            }
        }

        /** Returns a copy that treats the first line in another way. */
        public Options withHeader(Header value) {
            return new Options(value, categorical, names, decimal, notations, used);
        }

        /** Returns a copy; true states that the first line is data, false detects it. */
        public Options withNoHeader(boolean value) {
            return withHeader(value ? Header.ABSENT : Header.DETECTED);
        }

        /** Returns a copy with other categorical columns. */
        public Options withCategorical(Set<String> columns) {
            return new Options(header, columns, names, decimal, notations, used);
        }

        /** Returns a copy with other columns that name rows. */
        public Options withNames(Set<String> columns) {
            return new Options(header, categorical, columns, decimal, notations, used);
        }

        /** Whether a column is declared to be text, whatever it looks like. */
        boolean declaresText(String column) {
            return categorical.contains(column) || names.contains(column);
        }

        /**
         * Returns a copy with this decimal sign.
         *
         * @param sign a point or a comma; null to detect it
         */
        public Options withDecimal(@Nullable Character sign) {
            return new Options(header, categorical, names, sign, notations, used);
        }

        /** Returns a copy with the notations of an earlier table or of a model. */
        public Options withNotations(Map<String, Notation> known) {
            return new Options(header, categorical, names, decimal, known, used);
        }

        /** Returns a copy with other columns to read, usually {@code GameSpec.usedColumns()}. */
        public Options withColumns(Predicate<String> which) {
            return new Options(header, categorical, names, decimal, notations, which);
        }
    }
}
