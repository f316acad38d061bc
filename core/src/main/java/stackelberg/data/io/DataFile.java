package stackelberg.data.io;

import java.nio.file.Path;
import java.util.Locale;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;
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

    /**
     * CSV and its relatives ({@link CsvReader}), from standard input if the path is {@code -}; LIBSVM (.svm, .libsvm) with the labels as
     * {@link #TRUTH}; a NumPy array (.npy); Parquet (.parquet), if DuckDB's driver is on the class path. The first two may be gzipped.
     */
    public static Table read(Path file, CsvOptions options, Workers workers) {
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

    /**
     * Features that are known by position, {@code "1", "2", ...}, with {@link #TRUTH} and {@link #WISH} beside them.
     *
     * @param x the features: a NumPy array, or, without y, a LIBSVM file, which has the truth too
     * @param y the truth as a NumPy array, null for none
     * @param z the wishes as a NumPy array, null for none
     */
    public static Table arrays(Path x, Path y, Path z, Workers workers) {
        Table table = y == null && isLibsvm(x) ? LibsvmReader.read(x) : block(NpyReader.readMatrix(x, workers));
        table = y == null ? table : beside(table, TRUTH, y);
        return z == null ? table : beside(table, WISH, z);
    }

    static Table block(Matrix features, NumericColumn... more) {
        return Table.ofBlock(features, Table.positions(features.cols()), more);
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
}
