package stackelberg.cli.option;

import java.io.File;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.DataException;
import stackelberg.data.Encoding;
import stackelberg.data.Missing;
import stackelberg.data.NumericColumn.Notation;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.data.io.Database;
import stackelberg.game.Description;
import stackelberg.game.GameSpec;
import stackelberg.game.PublishedRule;
import stackelberg.game.Sample;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergModel;

/** The data: a file or standard input as DATA, or array files given by options instead. */
public final class DataOptions {
    /** The description of the parameter DATA, shared by all commands; each declares the parameter at its own position. */
    public static final String DATA =
            "A CSV or TSV file (.gz too, - for standard input), a Parquet file (.parquet), a LIBSVM file (.svm, .libsvm),"
                    + " or a database (jdbc:..., FILE.duckdb) with --query.";

    /** Files of at least this many bytes hold about two million numbers or more, so that native kernels will be used. */
    private static final long LARGE_FILE = 1 << 24;

    /** Options whose values do not name columns to read. */
    private static final Set<String> NAMING_NO_COLUMN = Set.of("--ignore", "--query");

    @Mixin
    private HeaderOptions header;

    @Option(
            names = "--x",
            paramLabel = "X.npy",
            description = "Features as a NumPy array, instead of DATA; columns are named 1, 2, 3, ...")
    @Nullable
    Path x;

    @Option(names = "--y", paramLabel = "Y.npy", description = "The target, with --x.")
    @Nullable
    Path y;

    @Option(names = "--z", paramLabel = "Z.npy", description = "The wishes, with --x.")
    @Nullable
    Path z;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description =
                    "The number of threads (default: one per processor); at most the last digits of the answer depend on it.")
    int threads = Runtime.getRuntime().availableProcessors();

    /** For a command whose tables come from other options. */
    public static DataOptions of(HeaderOptions header) {
        DataOptions options = new DataOptions();
        options.header = header;
        return options;
    }

    /** Options for databases, which apply to Parquet files too. */
    public DatabaseOptions database() {
        return header.database();
    }

    /** Whether arrays are given instead of DATA. */
    public boolean arrays() {
        return x != null;
    }

    public Workers workers(CommandLine command) {
        return Failures.asUsage(command, () -> Workers.of(threads));
    }

    /** Reads training data, and declares the target and the wish of their game. */
    Study readTraining(
            @Nullable String data, ColumnOptions columns, GameSpec declared, Workers workers, CommandLine command) {
        requireOneSource(data, command);
        if (data != null && isCsv(data)) {
            refuseArray(data, command);
            columns.requireTargetAndWish(command);
        } else {
            refuseNames(columns, command);
        }
        if (new File(data == null ? String.valueOf(x) : data).length() >= LARGE_FILE) {
            // shown while the data are read
            Workers.expectLargeWork();
        }
        return readStudy(data, columns, declared, workers, command);
    }

    /** Reads data to describe: their game need not have a target or a wish. */
    Study readUndeclared(
            @Nullable String data, ColumnOptions columns, GameSpec declared, Workers workers, CommandLine command) {
        requireOneSource(data, command);
        if (data != null && isCsv(data)) {
            refuseArray(data, command);
        } else {
            refuseNamesOfColumns(columns, command);
            refuseTwoWishes(columns, command);
        }
        return readStudy(data, columns, declared, workers, command);
    }

    private Study readStudy(
            @Nullable String data, ColumnOptions columns, GameSpec declared, Workers workers, CommandLine command) {
        long start = System.nanoTime();
        GameSpec.Builder game = declared.toBuilder();
        Table table;
        if (data != null && isCsv(data)) {
            game.target(columns.target()).wish(columns.wish());
            DataFile.Options options = csv(columns.categorical, columns.id(), Map.of(), command);
            GameSpec all = game.build();
            Predicate<String> looked =
                    all.target() == null ? used(all, command).or(Description.looksAt(all)) : used(all, command);
            table = readCsv(data, options.withColumns(looked), workers, command);
        } else {
            table = readArrays(data, workers, command);
            boolean named = columns.chooseColumns()
                    || declared.immutable() != null && !declared.immutable().isEmpty()
                    || declared.rowGamma() != null;
            String rule = columns.wish() == null ? null : wish(columns.wish(), named);
            game.target(table.has(DataFile.TRUTH) ? DataFile.TRUTH : null).wish(z == null ? rule : DataFile.WISH);
            if (columns.missing() != Missing.ERROR && keepsBlock(game.build(), table)) {
                throw new ParameterException(
                        command,
                        "--missing is for tables: in arrays and LIBSVM files no value may be missing.\nMaybe leave out the"
                                + " rows that lack one, or write the data as CSV.");
            }
            game.missing(columns.missing());
        }
        return new Study(table, game.build(), (System.nanoTime() - start) * 1e-9);
    }

    /** Whether the table's block of numbers can be used without copying it, even if wishes or targets are missing. */
    private static boolean keepsBlock(GameSpec game, Table table) {
        GameSpec.Builder complete = game.toBuilder().missing(Missing.ERROR);
        return game.target() == null
                || Sample.keepsBlock(
                        game.wish() == null ? complete.wish(game.target()).build() : complete.build(), table);
    }

    /** A wish that is a number is a constant, unless other options refer to columns by position. */
    private static String wish(String rule, boolean named) {
        return !named && rule.matches("[0-9]+") ? rule + ".0" : rule;
    }

    /** Reads data for an existing model, always as a table. */
    public Table readTable(@Nullable String data, StackelbergModel model, Workers workers, CommandLine command) {
        return readTable(data, model, model.game().id(), workers, command);
    }

    /** Reads data for an existing model and a second rule, always as a table. */
    public Table readTable(
            @Nullable String data, StackelbergModel model, PublishedRule rule, Workers workers, CommandLine command) {
        return readTable(data, model, model.game().id(), rule::isAbout, workers, command);
    }

    /**
     * Refuses {@code --z} if the command would not use it.
     *
     * @param known the wish in the model, if it has one
     */
    private void refuseOtherWishes(@Nullable String known, CommandLine command) {
        OptionSpec option = command.getCommandSpec().findOption("--wish");
        String asked = option == null ? null : option.getValue();
        String wish = asked == null ? known : asked;
        if (z != null && wish != null && !wish.matches("(?s)(.*\\W)?" + DataFile.WISH + "(\\W.*)?")) {
            throw new ParameterException(
                    command,
                    (asked == null
                                    ? "--z is given, but the model already says what people want: "
                                    : "Both --wish and --z are given, but the wish does not depend on z: ")
                            + wish + ".\nMaybe leave out --z"
                            + (option == null ? "." : ", or use it with --wish z."));
        }
    }

    /** @param id the identifier column, if there is one */
    Table readTable(
            @Nullable String data, StackelbergModel model, @Nullable String id, Workers workers, CommandLine command) {
        return readTable(data, model, id, name -> false, workers, command);
    }

    private Table readTable(
            @Nullable String data,
            StackelbergModel model,
            @Nullable String id,
            Predicate<String> also,
            Workers workers,
            CommandLine command) {
        requireOneSource(data, command);
        refuseOtherWishes(model.game().wish(), command);
        if (data != null && isCsv(data)) {
            DataFile.Options options = csv(model.encoding().categoricalColumns(), id, notations(model), command);
            GameSpec known = model.game().toBuilder()
                    .features(model.encoding().features().stream()
                            .map(Encoding.Feature::column)
                            .toList())
                    .ignore(Set.of())
                    .id(id)
                    .build();
            return readCsv(data, options.withColumns(used(known, command).or(also)), workers, command);
        }
        if (x == null) {
            return model.encoding().complete(readArrays(data, workers, command));
        }
        Table arrays = readArrays(data, workers, command);
        requireColumnsOf(model, arrays.block().orElseThrow().matrix());
        return arrays;
    }

    /**
     * Refuses an array with another number of columns than the model's features, if the model knows its features by position only.
     *
     * <p>A model that was fitted to some of the columns is not checked, because it does not say how many columns there were.
     */
    private static void requireColumnsOf(StackelbergModel model, Matrix x) {
        Set<String> names = new HashSet<>();
        model.encoding().features().forEach(f -> names.add(f.column()));
        boolean all = IntStream.rangeClosed(1, names.size()).allMatch(j -> names.contains(String.valueOf(j)));
        Map<String, String> options = model.provenance().options();
        boolean chosen = Stream.of("features", "group", "id").anyMatch(options::containsKey)
                || !model.game().ignore().isEmpty()
                || Stream.of(model.game().weight(), model.game().rowGamma()).anyMatch(Objects::nonNull)
                || options.getOrDefault("wish", "").matches("[0-9]+");
        if (all
                && !chosen
                && x.cols() != names.size()
                && DataFile.TRUTH.equals(model.game().target())) {
            throw DataException.of(
                    "array-of-other-width",
                    "The array x has {} columns, but the model has {} features, which it knows by position only.\n"
                            + "Maybe {}",
                    x.cols(),
                    names.size(),
                    x.rows() == names.size() ? "x is transposed." : "x belongs to other data or to another model.");
        }
    }

    /** Reads data for an existing rule, always as a table. */
    public Table readTable(@Nullable String data, Set<String> categorical, Workers workers, CommandLine command) {
        requireOneSource(data, command);
        refuseOtherWishes(null, command);
        return data != null && isCsv(data)
                ? readCsv(data, csv(categorical, null, Map.of(), command), workers, command)
                : readArrays(data, workers, command);
    }

    /** Reads another file of the same kind of data. */
    Table readMore(String file, DataFile.Options options, Workers workers, CommandLine command) {
        header.database().requireSense(command);
        boolean matrix = x == null && isLibsvm(file);
        if (matrix && z != null) {
            throw new ParameterException(
                    command,
                    "--z holds the wishes of the people in the first file, but '" + file
                            + "' has other people.\nMaybe give the wishes as a rule, " + "with --wish.");
        }
        return matrix ? readArrays(file, workers, command) : readCsv(file, options, workers, command);
    }

    /** Reads another file of the same kind of data for an existing model; all columns are read. */
    public Table readMore(
            String file,
            Set<String> categorical,
            @Nullable StackelbergModel model,
            Workers workers,
            CommandLine command) {
        Map<String, Notation> known = model == null ? Map.of() : notations(model);
        String id = model == null ? null : model.game().id();
        Table table = readMore(file, csv(categorical, id, known, command), workers, command);
        return model == null ? table : model.encoding().complete(table);
    }

    /** @param id the identifier column, if there is one */
    DataFile.Options csv(
            Set<String> categorical, @Nullable String id, Map<String, Notation> known, CommandLine command) {
        return DataFile.Options.DEFAULT
                .withHeader(header.header(command))
                .withDecimal(header.decimal(command))
                .withCategorical(categorical)
                .withNames(id == null ? Set.of() : Set.of(id))
                .withNotations(known);
    }

    private static Map<String, Notation> notations(StackelbergModel model) {
        return model.provenance().prepared().notations();
    }

    /** Selects the columns to read: those that the game uses, and those that an option other than {@code --ignore} names. */
    static Predicate<String> used(GameSpec game, CommandLine command) {
        Set<String> named = new HashSet<>();
        GameSpec wished = game;
        for (OptionSpec option : command.getParseResult().matchedOptions()) {
            boolean texts = option.type() == String.class || option.isMultiValue();
            if (texts && !NAMING_NO_COLUMN.contains(option.longestName())) {
                option.originalStringValues().forEach(value -> named.addAll(List.of(value.split(","))));
            }
            if (option.longestName().equals("--wish")) {
                wished = game.toBuilder().wish(option.getValue()).build();
            }
        }
        return wished.usedColumns().or(named::contains);
    }

    private Table readCsv(String data, DataFile.Options options, Workers workers, CommandLine command) {
        refuseArray(data, command);
        if (DatabaseOptions.areTyped(data)) {
            header.refuseAny("databases and Parquet files have typed columns with names", command);
            return header.database().read(data, options, workers, command);
        }
        return DataFile.read(Path.of(data), options, workers);
    }

    private void refuseArray(String data, CommandLine command) {
        if (isArray(data)) {
            boolean option = x == null && command.getCommandSpec().findOption("--x") != null;
            throw new ParameterException(
                    command,
                    "'" + data + "' is the name of an array, but a table is read here.\nMaybe "
                            + (option ? "use --x " + data + ", with --y and --z for the rest." : "write it as CSV."));
        }
    }

    private Table readArrays(@Nullable String data, Workers workers, CommandLine command) {
        header.refuseAny("arrays and LIBSVM files have no header line, and their decimal sign is the point", command);
        return x == null ? DataFile.arrays(Path.of(data), null, z, workers) : DataFile.arrays(x, y, z, workers);
    }

    /** Returns the files that will be read: data, x, y and z, in this order; absent where one is not given. */
    public @Nullable Object[] files(@Nullable String data) {
        return new Object[] {data, x, y, z};
    }

    private void requireOneSource(@Nullable String data, CommandLine command) {
        header.database().requireSense(command);
        if ((data == null) == (x == null)) {
            throw new ParameterException(
                    command,
                    data == null
                            ? "Which data?\nMaybe add a file, - for standard input, or --x X.npy."
                            : "Both '" + data + "' and --x are given.\nMaybe leave out one of them.");
        }
        if (data != null && (y != null || z != null && !isLibsvm(data))) {
            throw new ParameterException(command, "--y and --z go with --x.\nMaybe add --x X.npy.");
        }
    }

    private void refuseNamesOfColumns(ColumnOptions columns, CommandLine command) {
        if (columns.target() != null || !columns.categorical.isEmpty()) {
            throw new ParameterException(
                    command,
                    "Arrays and LIBSVM files have a fixed target and hold only numbers.\nMaybe leave out "
                            + (columns.target() != null ? "--target." : "--categorical."));
        }
    }

    private void refuseNames(ColumnOptions columns, CommandLine command) {
        refuseNamesOfColumns(columns, command);
        if (x != null && y == null) {
            throw new ParameterException(command, "What should be predicted?\nMaybe add --y Y.npy.");
        }
        refuseTwoWishes(columns, command);
        if (z == null && columns.wish() == null) {
            throw new ParameterException(
                    command,
                    "Which score do people want?\nMaybe add either --z Z.npy or --wish RULE, such as"
                            + " \"max(today,6)\".");
        }
    }

    private void refuseTwoWishes(ColumnOptions columns, CommandLine command) {
        if (z != null && columns.wish() != null) {
            throw new ParameterException(command, "Both --z and --wish are given.\nMaybe leave out one of them.");
        }
    }

    private boolean isCsv(String data) {
        return x == null && !isLibsvm(data);
    }

    private static boolean isLibsvm(String data) {
        return !isArray(data) && !Database.isAddress(data) && !DataFile.namesColumns(Path.of(data));
    }

    private static boolean isArray(String data) {
        return data.toLowerCase(Locale.ROOT).endsWith(".npy");
    }
}
