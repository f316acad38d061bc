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
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
import stackelberg.data.NumericColumn.Notation;
import stackelberg.data.Table;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/** Data from files, as a table whatever the format, which the suffix tells. */
public final class DataFile {
    /** The truth beside features that are known by position. */
    public static final String TRUTH = "y";

    /** The wishes beside them. */
    public static final String WISH = "z";

    private static final Path STANDARD_INPUT = Path.of("-");

    private DataFile() {}

    /** A file that says of itself all there is to know. */
    public static Table read(Path file, Workers workers) {
        return read(file, Options.DEFAULT, workers);
    }

    /**
     * CSV and its relatives, from standard input if the path is {@code -}; LIBSVM (.svm, .libsvm) with the labels as
     * {@link #TRUTH}; a NumPy array (.npy); Parquet (.parquet), if DuckDB's driver is on the class path. The first two may be gzipped.
     *
     * <p>A column of a CSV file is categorical if some value is neither a number nor a missing-value mark (empty, NA, N/A, n/a, NaN, nan, null, NULL,
     * ?, -); if more than 90% of its values are numbers the odd one is an error instead. Numbers may be written with a decimal comma,
     * with something between thousands, and beside a currency or a percent sign, if the whole column is (decision 18).
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

    /** CSV from a stream, read to its end; the name is for messages. */
    public static Table read(InputStream csv, String name, Options options, Workers workers) {
        return Memory.reading(name, () -> CsvReader.read(csv, name, options, workers));
    }

    /**
     * Features that are known by position, {@code "1", "2", ...}, with {@link #TRUTH} and {@link #WISH} beside them.
     *
     * @param x the features: a NumPy array, or, without y, a LIBSVM file, which has the truth too
     * @param y the truth as a NumPy array, null for none
     * @param z the wishes as a NumPy array, null for none
     */
    public static Table arrays(Path x, Path y, Path z, Workers workers) {
        return Memory.reading(x.toString(), () -> readArrays(x, y, z, workers));
    }

    private static Table readArrays(Path x, Path y, Path z, Workers workers) {
        Table table = y == null && isLibsvm(x) ? LibsvmReader.read(x) : block(NpyReader.readMatrix(x, workers));
        table = y == null ? table : beside(table, TRUTH, y);
        return z == null ? table : beside(table, WISH, z);
    }

    static Table block(Matrix features, NumericColumn... more) {
        return Table.ofBlock(features, Table.positions(features.cols()), more);
    }

    /** Numbers by name from two columns of a small CSV file: the coefficients of an existing rule, or the costs of features. */
    public static Map<String, Double> numbers(Path file, String nameColumn, String valueColumn) {
        requireHeader(file, nameColumn, valueColumn);
        Table table = CsvReader.read(file, Options.DEFAULT.withCategorical(Set.of(nameColumn)), Workers.of(1));
        Column names = table.column(nameColumn);
        NumericColumn values = table.numeric(valueColumn);
        Map<String, Double> map = new LinkedHashMap<>();
        for (int i = 0; i < table.rows(); i++) {
            if (names.isMissing(i) || values.isMissing(i)) {
                throw new DataException("'" + file + "', " + table.where(i) + ": the "
                        + (names.isMissing(i) ? nameColumn : valueColumn) + " is missing.\nMaybe leave out the line.");
            }
            String name = ((CategoricalColumn) names).level(i);
            if (map.put(name, values.value(i)) != null) {
                throw new DataException("'" + file + "', " + table.where(i) + ": '" + name
                        + "' is there twice.\nMaybe remove one of the lines.");
            }
        }
        return map;
    }

    /** The columns are found by name, so a file without them is told which they are. */
    private static void requireHeader(Path file, String nameColumn, String valueColumn) {
        String first;
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            first = reader.readLine();
        } catch (IOException e) {
            throw new DataException("'" + file + "' cannot be read.\nMaybe the path is misspelt.", e);
        }
        if (first == null || !first.contains(nameColumn) || !first.contains(valueColumn)) {
            throw new DataException("'" + file + "' must have the columns " + nameColumn + " and " + valueColumn
                    + ".\nMaybe its first line must be: " + nameColumn + "," + valueColumn + ".");
        }
    }

    private static Table beside(Table table, String name, Path file) {
        double[] values = NpyReader.readVector(file);
        if (values.length != table.rows()) {
            throw new DataException("The array " + name + " has " + values.length + " values, but x has " + table.rows()
                    + " rows.\nMaybe x is transposed, or the arrays are of different data.");
        }
        // of what the table was read from, and of more
        return table.with(new NumericColumn(name, values)).from(null);
    }

    /** Whether the file says what its columns are called, rather than to hold a matrix. */
    public static boolean namesColumns(Path file) {
        return !isLibsvm(file) && !suffix(file, ".npy");
    }

    /** Whether it is Parquet by its name: a file, or a folder of them. */
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
     * What a CSV file cannot say of itself. Of Parquet and databases, which have types, the categorical columns, those that name rows and those to read count.
     *
     * @param header what the first line is
     * @param categorical columns to be read as categories even if all or most of their values are numbers
     * @param names columns that name rows, to be read as text in the same way; there need not be any of that name
     * @param decimal what stands before decimals, a point or a comma; null for what the columns show
     * @param notations how columns of that name were written before, which counts where the columns do not show it
     * @param used the columns to read, by name; the others are not looked at, whatever they hold
     */
    public record Options(
            Header header,
            Set<String> categorical,
            Set<String> names,
            Character decimal,
            Map<String, Notation> notations,
            Predicate<String> used) {
        public static final Options DEFAULT =
                new Options(Header.DETECTED, Set.of(), Set.of(), null, Map.of(), column -> true);

        /** What the first line is. */
        public enum Header {
            /** A header, if it has text above numbers or no number at all. */
            DETECTED,
            /** A header, whatever it holds. */
            PRESENT,
            /** Data; the columns are named 1, 2, 3, ... */
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

        public Options withHeader(Header value) {
            return new Options(value, categorical, names, decimal, notations, used);
        }

        /** Whether the first line is data for certain, instead of what it looks like. */
        public Options withNoHeader(boolean value) {
            return withHeader(value ? Header.ABSENT : Header.DETECTED);
        }

        public Options withCategorical(Set<String> columns) {
            return new Options(header, columns, names, decimal, notations, used);
        }

        public Options withNames(Set<String> columns) {
            return new Options(header, categorical, columns, decimal, notations, used);
        }

        /** Whether somebody says that a column holds text, whatever it looks like. */
        boolean saysText(String column) {
            return categorical.contains(column) || names.contains(column);
        }

        /** 1,5 where it is a comma, 1.5 where it is a point; null for what the columns show. */
        public Options withDecimal(Character sign) {
            return new Options(header, categorical, names, sign, notations, used);
        }

        /** As a table or a model has them that were read before. */
        public Options withNotations(Map<String, Notation> known) {
            return new Options(header, categorical, names, decimal, known, used);
        }

        /** Only these columns; {@code GameSpec.usedColumns()} is a good choice. */
        public Options withColumns(Predicate<String> which) {
            return new Options(header, categorical, names, decimal, notations, which);
        }
    }
}
