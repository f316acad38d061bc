package stackelberg.data.io;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/**
 * Reads the result of a query as a table, and reads and writes Parquet files with DuckDB.
 *
 * <p>Rows are stored in columns as they arrive. Nothing is written to a database: a query must be a single statement
 * that reads ({@link SqlQuery}), and runs in a read-only transaction. Passwords appear in no message and no table's
 * source. An address that contains one is refused, because models and reports store the address.
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

    /** The rows per round trip; without it some drivers load the whole result into memory. */
    private static final int FETCH = 2000;

    /** Parts of the names of properties that hold a secret. */
    private static final String SECRET =
            "passw|passphrase|passcode|pwd|secret|token|credential|private_?key|access_?key|api_?key";

    /** A property of an address whose name is that of a user or a secret. */
    private static final Pattern PROPERTY =
            Pattern.compile("(?i)[?&;:,(\\s]\\w*(user|uid|login|" + SECRET + ")\\w*(\\s\\w+)?\\s*=");

    /** A user name before an @, as in //clerk@host, //clerk:sec/ret@host and oracle:thin:clerk/secret@host. */
    private static final Pattern USER_IN_ADDRESS =
            Pattern.compile("(?is)//[^/?;]*@|//.*:.*@|^jdbc:oracle:[^@]*/[^@]*@");

    /** A string literal in a query that contains a secret, such as the connection string of another database. */
    private static final Pattern SECRET_TEXT =
            Pattern.compile("(?i)'[^']*\\b\\w*(" + SECRET + ")\\w*\\s*=[^']*'|'[^']*://[^']*:[^']*@[^']*'");

    /** The properties that an address of DuckDB may have: those that can neither run SQL nor write a file. */
    private static final Set<String> DUCKDB_PROPERTIES = Set.of(
            "memory_limit",
            "max_memory",
            "threads",
            "worker_threads",
            "timezone",
            "default_collation",
            "default_order",
            "default_null_order",
            "preserve_insertion_order",
            "duckdb.read_only",
            "jdbc_stream_results");

    /** The properties that an address of PostgreSQL may have: host, encryption of the connection, and timeouts. */
    private static final Set<String> POSTGRESQL_PROPERTIES = Set.of(
            "ssl",
            "sslmode",
            "sslrootcert",
            "sslcert",
            "sslkey",
            "sslnegotiation",
            "channelbinding",
            "gssencmode",
            "currentschema",
            "applicationname",
            "connecttimeout",
            "sockettimeout",
            "tcpkeepalive",
            "targetservertype",
            "loadbalancehosts",
            "hostrecheckseconds");

    /**
     * Properties of other databases' addresses that run SQL or code, write a file, or allow several statements in one
     * call.
     */
    private static final Pattern DANGEROUS =
            Pattern.compile("(?i)init\\w*|run_?script|options|service|session_?variables"
                    + "|\\w*(interceptor|factory|plugin|class_?name|class_?path|infile|multi_?quer|deserialize|jndi|logg|log_?file|log_?dir"
                    + "|trace|profile_?sql|init_?sql|connection_?init|readonly_?mode|query_?mode)\\w*");

    /**
     * Functions that PostgreSQL lists as volatile because they return something new at each call, although they change
     * nothing.
     */
    private static final Set<String> HARMLESS = Set.of(
            "random",
            "random_normal",
            "setseed",
            "clock_timestamp",
            "timeofday",
            "gen_random_uuid",
            "uuidv4",
            "uuidv7");

    private final String address;
    private final List<Path> drivers;
    private final @Nullable String user;
    private final @Nullable String password;

    private Database(String address, List<Path> drivers, @Nullable String user, @Nullable String password) {
        this.address = address;
        this.drivers = List.copyOf(drivers);
        this.user = user;
        this.password = password;
    }

    /** Whether a name of data is the address of a database: jdbc:..., or a DuckDB file (.duckdb). */
    public static boolean isAddress(String data) {
        String lower = data.toLowerCase(Locale.ROOT);
        return lower.startsWith(JDBC) || lower.endsWith(FILE);
    }

    /**
     * The database at an address in its driver's syntax; refuses an address with a user or a password, and dangerous
     * properties.
     */
    public static Database at(String address) {
        if (!isAddress(address)) {
            throw new IllegalArgumentException(
                    "'" + address + "' is not the address of a database; those begin with jdbc:.");
        }
        String decoded = decoded(address);
        for (String written : List.of(address, decoded)) {
            if (PROPERTY.matcher(written).find()
                    || USER_IN_ADDRESS.matcher(written).find()) {
                throw Message.Refused.of(
                        "credentials-in-address",
                        "The address of the database contains a user or a password, which would be stored in models and reports and"
                                + " be visible in the list of processes.\nMaybe leave it out, and give both with {}.",
                        Message.Choice.any("credentials"));
            }
        }
        boolean file = !address.toLowerCase(Locale.ROOT).startsWith(JDBC);
        if (!file) {
            List.of(address, decoded).forEach(Database::refuseDangerousProperties);
        }
        return new Database(file ? DUCKDB + address : address, List.of(), null, null);
    }

    /** Refuses properties in an address by which some drivers run SQL, load classes or write files. */
    private static void refuseDangerousProperties(String address) {
        SqlQuery.Dialect dialect = SqlQuery.Dialect.of(address);
        // Some databases have properties within the host, as (host=a,property=b) in MySQL, or after a colon, as Db2.
        boolean listed = dialect == SqlQuery.Dialect.DUCKDB || dialect == SqlQuery.Dialect.POSTGRESQL;
        String[] parts = address.split(listed ? "[?;]" : "[?;:]", 2);
        for (String property : parts.length == 1 ? new String[0] : parts[1].split(listed ? "[?;&]" : "[?;&:(),]")) {
            String name = property.split("=", 2)[0].strip();
            String known = name.toLowerCase(Locale.ROOT);
            boolean refused =
                    switch (dialect) {
                        case DUCKDB -> !DUCKDB_PROPERTIES.contains(known);
                        case POSTGRESQL -> !POSTGRESQL_PROPERTIES.contains(known);
                        default ->
                            property.contains("=") && DANGEROUS.matcher(known).matches();
                    };
            if (refused && !name.isEmpty()) {
                throw new IllegalArgumentException("The address of the database has the property '" + name
                        + "', which is not allowed: properties can run SQL, load classes or write files.\nMaybe leave"
                        + " it out.");
            }
        }
    }

    /** DuckDB without a database, which reads and writes Parquet files. */
    public static Database ofFiles() {
        return at(DUCKDB);
    }

    /** Returns a copy with jars that are searched for the driver before the class path. */
    public Database withDrivers(List<Path> jars) {
        return new Database(address, jars, user, password);
    }

    /**
     * Returns a copy with a user name and a password.
     *
     * @param name null if the driver finds the name itself
     * @param secret null if the driver finds the password itself, such as in a password file
     */
    public Database withCredentials(@Nullable String name, @Nullable String secret) {
        return new Database(address, drivers, name, secret);
    }

    /**
     * The file that a name of data stands for: a path, or the file of a DuckDB database; empty for a database on a
     * server or in memory.
     */
    public static Optional<Path> file(String data) {
        if (!data.toLowerCase(Locale.ROOT).startsWith(JDBC)) {
            return Optional.of(Path.of(data));
        }
        String rest = isDuckDb(data) ? data.substring(DUCKDB.length()).split("[?;]", 2)[0] : "";
        return rest.isEmpty() || rest.startsWith(IN_MEMORY) || rest.startsWith("md:")
                ? Optional.empty()
                : Optional.of(Path.of(rest));
    }

    /** Refuses if there is no driver for the address, so that commands can report it before a long computation. */
    public void requireDriver() {
        Drivers.find(address, drivers);
    }

    /**
     * Reads the rows of a query, in the order in which the database returns them.
     *
     * <p>The query must be a single statement that reads, which is checked before it is sent. It runs in a read-only
     * transaction that is rolled back.
     *
     * @param options which columns to keep, and which to read as text whatever their type
     */
    public Table read(String query, DataFile.Options options, Workers workers) {
        if (SECRET_TEXT.matcher(query).find()) {
            throw new IllegalArgumentException(
                    "The query contains a password, which would be stored in models and reports.\nMaybe store it in the"
                            + " database, with a view or a foreign table.");
        }
        SqlQuery.Dialect dialect = SqlQuery.Dialect.of(address);
        Set<String> called = SqlQuery.requireOne(query, dialect);
        String name = shown() + ": " + query.strip().replaceAll("\\s+", " ");
        return asking("The query was not answered by " + shown(), "Maybe correct the query.", workers, statement -> {
            if (dialect == SqlQuery.Dialect.POSTGRESQL) {
                requireReading(statement.getConnection(), called);
            }
            try (ResultSet result = statement.executeQuery(query)) {
                return ResultTable.read(result, options, "The query", digested -> digested.source(name));
            }
        });
    }

    /**
     * Refuses functions that PostgreSQL lists as volatile: even in a read-only transaction some of them write files of
     * the server, change settings or end other sessions. This is the first query of the transaction; after it, the
     * transaction cannot be made read-write.
     */
    private static void requireReading(Connection connection, Set<String> called) throws SQLException {
        String volatiles =
                "select p.proname, pg_catalog.current_setting('transaction_read_only') from (select 1) one left join"
                        + " pg_catalog.pg_proc p on p.provolatile = 'v' and p.proname = any (?)";
        try (PreparedStatement asked = connection.prepareStatement(volatiles)) {
            asked.setArray(1, connection.createArrayOf("text", called.toArray()));
            try (ResultSet result = asked.executeQuery()) {
                while (result.next()) {
                    String function = result.getString(1);
                    if (!"on".equals(result.getString(2))) {
                        throw DataException.of(
                                "database-not-read-only",
                                "PostgreSQL did not begin a read-only transaction.\n" + "Maybe its driver is too old.");
                    }
                    if (function != null && !HARMLESS.contains(function)) {
                        throw DataException.of(
                                "query-calls-volatile",
                                "The query calls '{}', which PostgreSQL lists as volatile: it may do more than read.\n"
                                        + "Maybe leave the call out, or declare your own function stable if it only reads.",
                                function);
                    }
                }
            }
        }
    }

    /** Reads a Parquet file, or a folder of them as Spark writes it: all of its files, in the order of their names. */
    public Table readParquet(Path file, DataFile.Options options, Workers workers) {
        return Parquet.read(this, file, options, workers);
    }

    /**
     * Writes a Parquet file, completely or not at all.
     *
     * @param types the SQL type of every column that is not DOUBLE, such as BIGINT or VARCHAR
     * @param csv writes the rows as CSV with a header; an empty cell becomes null
     */
    public void writeParquet(Path file, Map<String, String> types, AtomicFile.Content csv, Workers workers) {
        Parquet.write(this, file, types, csv, workers);
    }

    /** A computation with an open connection. */
    @FunctionalInterface
    interface Question<T> {
        T ask(Statement statement) throws SQLException;
    }

    /**
     * Opens a connection, runs a computation and rolls back.
     *
     * @param failed how the message begins if the database reports an error; the driver's own text follows, with user name and password masked
     * @param hint the advice at the end of that message
     */
    <T> T asking(String failed, String hint, Workers workers, Question<T> question) {
        try (Connection connection = open(workers)) {
            try (Statement statement = connection.createStatement()) {
                suggest(() -> statement.setFetchSize(FETCH));
                return question.ask(statement);
            } finally {
                suggest(() -> rollBack(connection));
            }
        } catch (SQLException e) {
            throw DataException.of("database-refuses", "{}: {}\n{}", failed, message(e), hint);
        }
    }

    /** A connection that is restricted to reading as far as the database allows. */
    private Connection open(Workers workers) {
        Properties properties = new Properties();
        if (isDuckDb(address)) {
            properties.setProperty("jdbc_stream_results", "true");
            properties.setProperty("threads", String.valueOf(workers.threads()));
            // A query cannot make DuckDB load extensions or change settings.
            properties.setProperty("autoinstall_known_extensions", "false");
            properties.setProperty("autoload_known_extensions", "false");
            properties.setProperty("lock_configuration", "true");
            if (file(address).isPresent()) {
                properties.setProperty("duckdb.read_only", "true");
                properties.setProperty("enable_external_access", "false");
            }
        } else {
            set(properties, "user", user);
            set(properties, "password", password);
            if (kind(address).equals("jdbc:postgresql")) {
                // Transfers numbers in binary instead of as digits, which takes a fifth of the time.
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
            throw DataException.of(
                    "database-not-opened",
                    "{} could not be opened: {}\n" + "Maybe the address, the user or the password is wrong.",
                    shown(),
                    message(e));
        }
    }

    /** Begins a read-only transaction. PostgreSQL sends rows in portions only within a transaction. */
    private static void prepare(Connection connection) throws SQLException {
        try {
            connection.setAutoCommit(false);
            suggest(() -> connection.setReadOnly(true));
        } catch (SQLException | RuntimeException e) {
            suggest(connection::close);
            throw e;
        }
    }

    /** Ends the transaction: some drivers refuse to close a connection within one, and others would commit it. */
    private static void rollBack(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
    }

    /** A call that a driver may not support. */
    private interface Suggestion {
        void make() throws SQLException;
    }

    /** Calls a method that not all drivers support and on which no result depends; ignores its errors. */
    private static void suggest(Suggestion suggestion) {
        try {
            suggestion.make();
        } catch (SQLException e) {
            // The driver does not support it.
        }
    }

    private static void set(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.setProperty(name, value);
        }
    }

    /**
     * A driver's message in one line, without its internal prefix and without credentials, which some drivers repeat.
     */
    private String message(SQLException e) {
        String text = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
        text = text.replaceFirst("^Invalid Input Error: Attempting to execute an unsuccessful .* result Error: ", "");
        text = password == null || password.isEmpty() ? text : text.replace(password, "***");
        text = user == null || user.isEmpty()
                ? text
                : text.replaceAll("(?<!\\w)" + Pattern.quote(user) + "(?!\\w)", "***");
        return text.endsWith(".") || text.endsWith("!") ? text : text + ".";
    }

    /** The address without its properties, as messages show it and tables store it. */
    private String shown() {
        return address.split("[?;]", 2)[0];
    }

    /** Whether an address is that of DuckDB, which has no users and passwords. */
    public static boolean isDuckDb(String address) {
        String lower = address.toLowerCase(Locale.ROOT);
        return lower.startsWith(DUCKDB) || !lower.startsWith(JDBC) && lower.endsWith(FILE);
    }

    /** The first two parts of an address, which name the kind of database: jdbc:postgresql. */
    static String kind(String address) {
        String[] parts = address.split(":", 3);
        return (parts[0] + ":" + parts[1]).toLowerCase(Locale.ROOT);
    }

    /** The address with percent codes (%40 for @) decoded. */
    private static String decoded(String address) {
        try {
            return URLDecoder.decode(address, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // A percent sign that does not begin a code.
            return address;
        }
    }
}
