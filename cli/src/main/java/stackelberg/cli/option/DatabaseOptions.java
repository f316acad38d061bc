package stackelberg.cli.option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.data.io.AtomicFile;
import stackelberg.data.io.DataFile;
import stackelberg.data.io.Database;
import stackelberg.linalg.Workers;

/** Options for databases: query, credentials and driver; only the driver applies to Parquet files. */
public final class DatabaseOptions {
    private static final String USER = "user";
    private static final String PASSWORD = "password";

    /** Options that name a table, in addition to DATA. */
    private static final Set<String> TABLES = Set.of("--test", "--before", "--after");

    @Option(
            names = "--query",
            paramLabel = "SQL",
            description =
                    "The SQL query that reads the data from the database that DATA names (jdbc:..., FILE.duckdb); given once for each table from a "
                            + "database, in the order DATA, --test or --before, --after.")
    private List<String> queries = new ArrayList<>();

    @Option(
            names = "--credentials",
            paramLabel = "FILE",
            description = "A file with the lines user=... and password=..., readable by its owner only (default:"
                    + " STACKELBERG_DB_USER and STACKELBERG_DB_PASSWORD; PGUSER and PGPASSWORD for PostgreSQL).")
    private @Nullable Path credentials;

    @Option(
            names = "--driver",
            paramLabel = "FILE.jar",
            description = "The JDBC driver of the database; DuckDB's, which also reads Parquet, is fetched where it is"
                    + " needed.")
    private List<Path> drivers = new ArrayList<>();

    /** The number of queries of this command line that have been run. */
    private int asked;

    private @Nullable List<String> askedOf;

    /** Whether the data of this name have typed columns: a database or a Parquet file. */
    static boolean areTyped(String data) {
        return Database.isAddress(data) || DataFile.isParquet(Path.of(data));
    }

    /** Reads the table with that name. */
    Table read(String data, DataFile.Options options, Workers workers, CommandLine command) {
        if (!Database.isAddress(data)) {
            return files().readParquet(Path.of(data), options, workers);
        }
        Database database = Failures.asUsage(command, () -> Database.at(data)).withDrivers(drivers);
        Map<String, @Nullable String> who = credentials(data, credentials, System.getenv());
        String query = next();
        return Failures.asUsage(command, () -> database.withCredentials(who.get(USER), who.get(PASSWORD))
                .read(query, options, workers));
    }

    /** Returns the next query; each command line has its own list. */
    private String next() {
        asked = queries == askedOf ? asked + 1 : 0;
        askedOf = queries;
        return queries.get(asked);
    }

    private Database files() {
        return Database.ofFiles().withDrivers(drivers);
    }

    /** Refuses an output in Parquet, before anything is computed, if its driver is missing. */
    public void requireParquet(@Nullable Path file) {
        if (isParquet(file)) {
            files().requireDriver();
        }
    }

    /** Whether the name of an output ends as that of a Parquet file; false if there is no output. */
    public static boolean isParquet(@Nullable Path file) {
        return file != null && DataFile.isParquet(file);
    }

    /**
     * Writes a table, as Parquet if that is what its name says, as CSV otherwise.
     *
     * @param types the type of every column of the Parquet file that is not DOUBLE
     */
    public void write(Path file, Map<String, String> types, AtomicFile.Content csv, Workers workers) {
        if (isParquet(file)) {
            files().writeParquet(file, types, csv, workers);
        } else {
            AtomicFile.write(file, csv);
        }
    }

    /** Refuses queries, credentials and drivers that would not be used, and a database without a query. */
    public void requireSense(CommandLine command) {
        List<String> tables = tables(command);
        List<String> databases = tables.stream().filter(Database::isAddress).toList();
        databases.forEach(address -> Failures.asUsage(command, () -> Database.at(address)));
        if (databases.isEmpty() && (!queries.isEmpty() || credentials != null)) {
            throw new ParameterException(
                    command,
                    (queries.isEmpty() ? "--credentials" : "--query") + " is for databases, but "
                            + (tables.isEmpty() ? "none is given" : "'" + tables.get(0) + "' is not one")
                            + ".\nMaybe leave it out, or name a database: jdbc:..., or FILE.duckdb.");
        }
        if (queries.size() != databases.size()) {
            throw new ParameterException(
                    command,
                    queries.isEmpty()
                            ? "Which data should be read from the database?\nMaybe add --query \"select * from ...\"."
                            : "--query is given " + times(queries.size()) + " for tables from databases, of which there"
                                    + (databases.size() == 1 ? " is " : " are ") + databases.size()
                                    + ".\nMaybe give it once for each, in the order DATA, --test or --before, --after.");
        }
        if (credentials != null && databases.stream().allMatch(Database::isDuckDb)) {
            throw new ParameterException(
                    command, "--credentials: a DuckDB database takes no user or password.\nMaybe leave it out.");
        }
        boolean driven = Stream.concat(tables.stream(), outputs(command)).anyMatch(DatabaseOptions::areTyped);
        if (!drivers.isEmpty() && !driven) {
            throw new ParameterException(
                    command, "--driver is for databases and Parquet files, but neither is given.\nMaybe leave it out.");
        }
    }

    private static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }

    /** The names that are given as data. */
    private static List<String> tables(CommandLine command) {
        return command.getParseResult().matchedArgs().stream()
                .filter(arg -> arg.isPositional() || TABLES.contains(((OptionSpec) arg).longestName()))
                .map(ArgSpec::originalStringValues)
                .flatMap(List::stream)
                .toList();
    }

    private static Stream<String> outputs(CommandLine command) {
        OptionSpec output = command.getCommandSpec().findOption("-o");
        return command.getParseResult().hasMatchedOption("-o") ? output.originalStringValues().stream() : Stream.of();
    }

    /** The user and the password, each absent if it is not given. */
    static Map<String, @Nullable String> credentials(
            String address, @Nullable Path file, Map<String, String> environment) {
        if (file != null) {
            return credentials(file);
        }
        boolean postgres = address.toLowerCase(Locale.ROOT).startsWith("jdbc:postgresql:");
        Map<String, @Nullable String> found = new HashMap<>();
        for (String word : List.of(USER, PASSWORD)) {
            String name = word.toUpperCase(Locale.ROOT);
            String own = environment.get("STACKELBERG_DB_" + name);
            found.put(word, own == null && postgres ? environment.get("PG" + name) : own);
        }
        return found;
    }

    private static Map<String, @Nullable String> credentials(Path file) {
        Map<String, @Nullable String> found = new HashMap<>();
        try {
            refuseReadableByOthers(file);
            for (String line : Files.readAllLines(file)) {
                String[] parts = line.split("=", 2);
                String word = parts[0].strip();
                if (parts.length == 2 && (word.equals(USER) || word.equals(PASSWORD))) {
                    found.put(word, parts[1]);
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    // the message does not repeat the line, which may be a password
                    throw DataException.of(
                            "credentials-line",
                            "The credentials '{}' have a line that is neither user=... nor password=....\n"
                                    + "Maybe write it so, without anything around it.",
                            file);
                }
            }
        } catch (IOException e) {
            throw new DataException(
                    Message.of(
                            "credentials-unreadable",
                            "The credentials '{}' could not be read.\n" + "Maybe the name is misspelt.",
                            file),
                    e);
        }
        return found;
    }

    private static void refuseReadableByOthers(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        Set<PosixFilePermission> permissions = view.readAttributes().permissions();
        if (permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.OTHERS_READ)) {
            throw DataException.of(
                    "credentials-readable-by-others",
                    "The credentials '{}' may be read by others.\n" + "Maybe chmod 600 {}.",
                    file,
                    file);
        }
    }
}
