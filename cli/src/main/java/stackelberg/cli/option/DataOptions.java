package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.Missing;
import stackelberg.data.Table;
import stackelberg.data.io.CsvOptions;
import stackelberg.data.io.DataFile;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** Where the data are: a file or standard input as DATA, or arrays instead of it. */
public final class DataOptions {
    /** The description of the parameter DATA, which every command declares at its own place. */
    public static final String DATA =
            "A CSV or TSV file (.gz too, - for standard input), or a LIBSVM file (.svm, .libsvm).";

    @Mixin
    private HeaderOptions header;

    @Option(
            names = "--x",
            paramLabel = "X.npy",
            description = "Features as a NumPy array, instead of DATA; columns are named 1, 2, 3, ...")
    Path x;

    @Option(names = "--y", paramLabel = "Y.npy", description = "The truth, with --x.")
    Path y;

    @Option(names = "--z", paramLabel = "Z.npy", description = "The wishes, with --x.")
    Path z;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "How many threads work (default: one per processor); the answer does not depend on it.")
    int threads = Runtime.getRuntime().availableProcessors();

    /** Of a command that takes tables from other options. */
    public static DataOptions of(HeaderOptions header) {
        DataOptions options = new DataOptions();
        options.header = header;
        return options;
    }

    /** Whether arrays are given instead of DATA. */
    public boolean arrays() {
        return x != null;
    }

    public Workers workers(CommandLine command) {
        return Failures.asUsage(command, () -> Workers.of(threads));
    }

    /**
     * Reads data to learn from.
     *
     * @param byName whether features are spoken of by name, which arrays can do only as a table
     */
    TrainingData readTraining(
            String data, ColumnOptions columns, boolean byName, Workers workers, CommandLine command) {
        requireOneSource(data, command);
        long start = System.nanoTime();
        if (isCsv(data)) {
            refuseArray(data, command);
            columns.requireTargetAndWish(command);
            Table table = readCsv(data, columns.categorical, workers, command);
            return new TrainingData.OfTable(table, columns.target, columns.wish, secondsSince(start));
        }
        refuseNames(columns, command);
        ArrayData arrays = readArrays(data, workers);
        if (byName) {
            String wish = z == null ? columns.wish : ArrayData.WISH;
            return new TrainingData.OfTable(arrays.table(), ArrayData.TRUTH, wish, secondsSince(start));
        }
        if (columns.missing != Missing.ERROR) {
            throw new ParameterException(
                    command,
                    "--missing is for tables: in arrays and LIBSVM files no value may be missing.\nMaybe leave out the"
                            + " rows that lack one, or write the data as CSV.");
        }
        return new TrainingData.OfMatrix(
                arrays.x(),
                arrays.y(),
                arrays.wishes(columns.wish),
                arrays.wishRule(columns.wish),
                columns.wish,
                secondsSince(start));
    }

    /** Reads data for a model that exists, as a table whatever they are. */
    public Table readTable(String data, StackelbergModel model, Workers workers, CommandLine command) {
        if (x == null) {
            return readTable(data, model.encoding().categoricalColumns(), workers, command);
        }
        requireOneSource(data, command);
        ArrayData arrays = readArrays(data, workers);
        arrays.requireColumnsOf(model);
        return arrays.table();
    }

    /** Reads data for a rule that exists, as a table whatever they are. */
    public Table readTable(String data, Set<String> categorical, Workers workers, CommandLine command) {
        requireOneSource(data, command);
        return isCsv(data)
                ? readCsv(data, categorical, workers, command)
                : readArrays(data, workers).table();
    }

    /** Reads more of the same kind of data, from another file. */
    public Table readMore(String file, Set<String> categorical, Workers workers, CommandLine command) {
        return x == null && isLibsvm(file)
                ? readArrays(file, workers).table()
                : readCsv(file, categorical, workers, command);
    }

    private Table readCsv(String data, Set<String> categorical, Workers workers, CommandLine command) {
        refuseArray(data, command);
        CsvOptions options = new CsvOptions(header.header(command), categorical);
        return DataFile.read(Path.of(data), options, workers);
    }

    private void refuseArray(String data, CommandLine command) {
        if (isArray(data)) {
            boolean option = x == null && command.getCommandSpec().findOption("--x") != null;
            throw new ParameterException(
                    command,
                    "'" + data + "' is an array by its name, and a table is read there.\nMaybe "
                            + (option ? "use --x " + data + ", with --y and --z for the rest." : "write it as CSV."));
        }
    }

    private ArrayData readArrays(String data, Workers workers) {
        return new ArrayData(
                x == null ? DataFile.arrays(Path.of(data), null, z, workers) : DataFile.arrays(x, y, z, workers));
    }

    /** The files that will be read, null for those that are not. */
    public Object[] files(String data) {
        return new Object[] {data, x, y, z};
    }

    private void requireOneSource(String data, CommandLine command) {
        if ((data == null) == (x == null)) {
            throw new ParameterException(
                    command,
                    data == null
                            ? "Which data?\nMaybe add a file, - for standard input, or --x X.npy."
                            : "Both '" + data + "' and --x are given.\nMaybe leave out one of them.");
        }
        if (x == null && (y != null || z != null && !isLibsvm(data))) {
            throw new ParameterException(command, "--y and --z go with --x.\nMaybe add --x X.npy.");
        }
    }

    private void refuseNames(ColumnOptions columns, CommandLine command) {
        if (columns.target != null || !columns.categorical.isEmpty()) {
            throw new ParameterException(
                    command,
                    "Arrays and LIBSVM files know their target and hold only numbers.\nMaybe leave out "
                            + (columns.target != null ? "--target." : "--categorical."));
        }
        if (x != null && y == null) {
            throw new ParameterException(command, "What is the truth to predict?\nMaybe add --y Y.npy.");
        }
        if (z != null && columns.wish != null) {
            throw new ParameterException(command, "Both --z and --wish are given.\nMaybe leave out one of them.");
        }
        if (z == null && columns.wish == null) {
            throw new ParameterException(
                    command,
                    "What do people wish to be predicted?\nMaybe add either --z Z.npy or --wish RULE, such as"
                            + " \"max(y,6)\".");
        }
    }

    private boolean isCsv(String data) {
        return x == null && !isLibsvm(data);
    }

    private static boolean isLibsvm(String data) {
        return !isArray(data) && !DataFile.namesColumns(Path.of(data));
    }

    private static boolean isArray(String data) {
        return data.toLowerCase(Locale.ROOT).endsWith(".npy");
    }

    private static double secondsSince(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }
}
