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

    /** Properties of an address of DuckDB's: what can neither run SQL nor write a file. */
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

    /** Properties of an address of PostgreSQL's: where it is, how the line to it is secured, and how long it may take. */
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

    /** Properties of other addresses that run SQL or code, write a file, or let one call hold several statements. */
    private static final Pattern DANGEROUS =
            Pattern.compile("(?i)init\\w*|run_?script|options|service|session_?variables"
                    + "|\\w*(interceptor|factory|plugin|class_?name|class_?path|infile|multi_?quer|deserialize|jndi|logg|log_?file|log_?dir"
                    + "|trace|profile_?sql|init_?sql|connection_?init|readonly_?mode|query_?mode)\\w*");

    /** Functions that PostgreSQL calls volatile although they change nothing. */
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
        if (!file) {
            List.of(address, decoded).forEach(Database::refuseDangerousProperties);
        }
        return new Database(file ? DUCKDB + address : address, List.of(), null, null);
    }

    /** Drivers take from the address what runs SQL, loads classes or writes logs. */
    private static void refuseDangerousProperties(String address) {
        SqlQuery.Dialect dialect = SqlQuery.Dialect.of(address);
        // others may have properties within the host, as (host=a,property=b) of MySQL, or behind a colon, as Db2
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
                        + "', which is not passed on: properties can run SQL, load classes or write files.\nMaybe leave"
                        + " it out.");
            }
        }
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
     * The rows of a query, in the order in which they come. The query must be one statement that reads, which is checked before it is sent; it runs in a
     * read-only transaction that is rolled back.
     *
     * @param options which columns to keep, and which are text whatever their type
     */
    public Table read(String query, DataFile.Options options, Workers workers) {
        if (SECRET_TEXT.matcher(query).find()) {
            throw new IllegalArgumentException(
                    "The query has a password in it, which would be kept in models and reports.\nMaybe let the database"
                            + " keep it, as a view or a foreign table.");
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
     * Refuses functions that PostgreSQL calls volatile: some of them write files of the server, change settings or end other sessions, also in a read-only
     * transaction. This is the first query of the transaction, after which nothing can make it read-write.
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
                        throw new DataException(
                                "PostgreSQL began no read-only transaction.\nMaybe its driver is too old.");
                    }
                    if (function != null && !HARMLESS.contains(function)) {
                        throw new DataException(
                                "The query calls '" + function + "', which PostgreSQL lists as volatile: it"
                                        + " may do more than read.\nMaybe leave the call out, or declare a function of your own"
                                        + " stable if it only reads.");
                    }
                }
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
            // a driver that runs what a query asks for loads no code and keeps its settings
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
