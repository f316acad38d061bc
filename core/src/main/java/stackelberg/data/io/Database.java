package stackelberg.data.io;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Pattern;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * Tables from where they live: what a query of a database gives, and Parquet files, which DuckDB reads and writes.
 *
 * <p>Rows stream into columns of primitives as they arrive. Nothing is written to a database. A password stands in no message and in no table's source, and an address that
 * holds one is refused, because addresses are kept.
 *
 * <pre>{@code
 * Database loans = Database.at("jdbc:postgresql://localhost/bank").withCredentials("clerk", password);
 * Table people = loans.read("select * from loans order by id", DataFile.Options.DEFAULT, workers);
 * }</pre>
 */
public final class Database {
    private static final String JDBC = "jdbc:";
    private static final String DUCKDB = "jdbc:duckdb:";
    private static final String FILE = ".duckdb";
    private static final String IN_MEMORY = ":memory:";

    /** Rows to a round trip, where a server would send all of them at once otherwise. */
    private static final int FETCH = 2000;

    private static final String SECRET =
            "passw|passphrase|passcode|pwd|secret|token|credential|private_?key|access_?key|api_?key";

    /** A property of a name that is somebody's, or a secret's. */
    private static final Pattern PROPERTY =
            Pattern.compile("(?i)[?&;:,(\\s]\\w*(user|uid|login|" + SECRET + ")\\w*(\\s\\w+)?\\s*=");

    /** Somebody before an @, as in //clerk@host, //clerk:sec/ret@host and oracle:thin:clerk/secret@host. */
    private static final Pattern SOMEBODY = Pattern.compile("(?is)//[^/?;]*@|//.*:.*@|^jdbc:oracle:[^@]*/[^@]*@");

    /** A text inside a query that holds what opens another database. */
    private static final Pattern SECRET_TEXT =
            Pattern.compile("(?i)'[^']*\\b\\w*(" + SECRET + ")\\w*\\s*=[^']*'|'[^']*://[^']*:[^']*@[^']*'");

    /** Surely one statement, and one that asks: for the others DuckDB's parser is asked, which takes a pivot for two. */
    private static final Pattern ASKS = Pattern.compile("(?is)(\\s++|--[^\\r\\n]*[\\r\\n])*+"
            + "(select|from|pivot|with(?!.*\\b(insert|update|delete|merge)\\b))\\b[^;]*;?\\s*");

    private final String address;
    private final List<Path> drivers;
    private final String user;
    private final String password;

    private Database(String address, List<Path> drivers, String user, String password) {
        this.address = address;
        this.drivers = List.copyOf(drivers);
        this.user = user;
        this.password = password;
    }

    /** Whether data of that name are in a database: jdbc:..., or a file of DuckDB's (.duckdb). */
    public static boolean isAddress(String data) {
        String lower = data.toLowerCase(Locale.ROOT);
        return lower.startsWith(JDBC) || lower.endsWith(FILE);
    }

    /** The database at an address as its driver's documentation has it, without user and password. */
    public static Database at(String address) {
        if (!isAddress(address)) {
            throw new IllegalArgumentException(
                    "'" + address + "' is no address of a database; those begin with jdbc:.");
        }
        String decoded = decoded(address);
        for (String written : List.of(address, decoded)) {
            if (PROPERTY.matcher(written).find() || SOMEBODY.matcher(written).find()) {
                throw new IllegalArgumentException(
                        "The address of the database has a user or a password in it, which would be kept in models and"
                                + " reports, and shown to everybody who lists processes.\nMaybe leave it out, and give"
                                + " both with credentials(...).");
            }
        }
        boolean file = !address.toLowerCase(Locale.ROOT).startsWith(JDBC);
        return new Database(file ? DUCKDB + address : address, List.of(), null, null);
    }

    /** DuckDB in memory, which reads and writes Parquet files. */
    public static Database ofFiles() {
        return at(DUCKDB);
    }

    /** Jars to look into for the driver, before the class path. */
    public Database withDrivers(List<Path> jars) {
        return new Database(address, jars, user, password);
    }

    /** Who asks; null for what the driver finds out by itself. */
    public Database withCredentials(String name, String secret) {
        return new Database(address, drivers, name, secret);
    }

    /** The file that data of that name are in, if they are in one: also a database may be a file. */
    public static Optional<Path> file(String data) {
        if (!data.toLowerCase(Locale.ROOT).startsWith(JDBC)) {
            return Optional.of(Path.of(data));
        }
        String rest = isDuckDb(data) ? data.substring(DUCKDB.length()).split("[?;]", 2)[0] : "";
        return rest.isEmpty() || rest.startsWith(IN_MEMORY) || rest.startsWith("md:")
                ? Optional.empty()
                : Optional.of(Path.of(rest));
    }

    /** Refuses to go on without the driver. */
    public void requireDriver() {
        Drivers.find(address, drivers);
    }

    /**
     * The rows of a query, in the order in which they come. DuckDB is given nothing but one statement that asks; other databases are asked within a
     * transaction that is said to read only, and is rolled back.
     *
     * @param options which columns to keep, and which are text whatever their type
     */
    public Table read(String query, DataFile.Options options, Workers workers) {
        if (SECRET_TEXT.matcher(query).find()) {
            throw new IllegalArgumentException(
                    "The query has a password in it, which would be kept in models and reports.\nMaybe let the database"
                            + " keep it, as a view or a foreign table.");
        }
        String name = shown() + ": " + query.strip().replaceAll("\\s+", " ");
        return asking("The query was not answered by " + shown(), "Maybe mend the query.", workers, statement -> {
            if (isDuckDb(address)) {
                requireQuestion(statement, query);
            }
            try (ResultSet result = statement.executeQuery(query)) {
                return ResultTable.read(result, options, "The query", digested -> digested.source(name));
            }
        });
    }

    /** DuckDB runs all statements of a query, and those that write files also where its own are read only. */
    private static void requireQuestion(Statement statement, String query) throws SQLException {
        if (ASKS.matcher(query).matches()) {
            return;
        }
        String parsed = "with p as (select json_serialize_sql(" + Parquet.quoted(query) + ") as j) select"
                + " j->>'error_type' = 'not implemented' or json_array_length(j->'statements') > 1 from p";
        try (ResultSet result = statement.executeQuery(parsed)) {
            // null where it is wrong, which it is told when it is asked
            if (result.next() && result.getBoolean(1)) {
                throw new DataException("The query is not one statement that asks; nothing else is run.\nMaybe leave"
                        + " all but one select out.");
            }
        }
    }

    /** A Parquet file, or a folder of them, as Spark writes it: all of its parts by name. */
    public Table readParquet(Path file, DataFile.Options options, Workers workers) {
        return Parquet.read(this, file, options, workers);
    }

    /**
     * Writes a Parquet file, whole or not at all.
     *
     * @param types the type of every column that is not DOUBLE, as BIGINT or VARCHAR
     * @param csv writes the rows as CSV with a header, an empty cell for null
     */
    public void writeParquet(Path file, Map<String, String> types, AtomicFile.Content csv, Workers workers) {
        Parquet.write(this, file, types, csv, workers);
    }

    /** What is asked of a database. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Statement statement) throws SQLException;
    }

    /** The answer; what the database says against it is told as it says it, but for the credentials. */
    <T> T asking(String failed, String hint, Workers workers, Question<T> question) {
        try (Connection connection = open(workers)) {
            try (Statement statement = connection.createStatement()) {
                suggest(() -> statement.setFetchSize(FETCH));
                return question.ask(statement);
            } finally {
                suggest(() -> rollBack(connection));
            }
        } catch (SQLException e) {
            throw new DataException(failed + ": " + message(e) + "\n" + hint);
        }
    }

    private Connection open(Workers workers) {
        Properties properties = new Properties();
        if (isDuckDb(address)) {
            properties.setProperty("jdbc_stream_results", "true");
            properties.setProperty("threads", String.valueOf(workers.threads()));
            if (file(address).isPresent()) {
                properties.setProperty("duckdb.read_only", "true");
            }
        } else {
            set(properties, "user", user);
            set(properties, "password", password);
            if (kind(address).equals("jdbc:postgresql")) {
                // numbers as the eight bytes that they are, a fifth of the time of their digits
                properties.setProperty("prepareThreshold", "-1");
            }
        }
        try {
            Connection connection = Drivers.connect(address, drivers, properties);
            if (!isDuckDb(address)) {
                prepare(connection);
            }
            return connection;
        } catch (SQLException e) {
            throw new DataException(shown() + " could not be opened: " + message(e)
                    + "\nMaybe the address, the user or the password is wrong.");
        }
    }

    /** To read, and, where there are cursors, from one: PostgreSQL has them only within a transaction. */
    private static void prepare(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
            suggest(() -> connection.setReadOnly(true));
        } catch (SQLException | RuntimeException e) {
            suggest(connection::close);
            throw e;
        }
    }

    /** Some drivers close no connection within a transaction, and others would commit it. */
    private static void rollBack(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    private interface Suggestion {
        void make() throws SQLException;
    }

    /** What not all drivers take, and no answer depends on. */
    private static void suggest(Suggestion suggestion) {
        try {
            suggestion.make();
        } catch (SQLException e) {
            // then not
        }
    }

    private static void set(Properties properties, String name, String value) {
        if (value != null) {
            properties.setProperty(name, value);
        }
    }

    /** In one line, without what the driver says of itself and without the credentials, which some of them repeat. */
    private String message(SQLException e) {
        String text = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
        text = text.replaceFirst("^Invalid Input Error: Attempting to execute an unsuccessful .* result Error: ", "");
        text = password == null || password.isEmpty() ? text : text.replace(password, "***");
        text = user == null || user.isEmpty()
                ? text
                : text.replaceAll("(?<!\\w)" + Pattern.quote(user) + "(?!\\w)", "***");
        return text.endsWith(".") || text.endsWith("!") ? text : text + ".";
    }

    /** The address as it may be shown and kept: without properties. */
    private String shown() {
        return address.split("[?;]", 2)[0];
    }

    /** Whether the database of that address is DuckDB's, which has no users. */
    public static boolean isDuckDb(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        return lower.startsWith(DUCKDB) || !lower.startsWith(JDBC) && lower.endsWith(FILE);
    }

    /** jdbc:postgresql. */
    static String kind(String address) {
        String[] parts = address.split(":", 3);
        return (parts[0] + ":" + parts[1]).toLowerCase(Locale.ROOT);
    }

    private static String decoded(String address) {
        try {
            return URLDecoder.decode(address, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // a percent sign that is none of these
            return address;
        }
    }
}
