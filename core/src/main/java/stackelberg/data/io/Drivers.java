package stackelberg.data.io;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import stackelberg.data.DataException;
import stackelberg.data.Message;

/**
 * Finds the JDBC driver for an address: in jars that the user names, on the class path, and in the folder into which DuckDB's driver is downloaded.
 *
 * <p>{@code DriverManager} returns only drivers that its caller's class loader can see, which excludes those in jars named at run time. So drivers are found
 * by {@code ServiceLoader} and called directly.
 */
final class Drivers {
    /** The system property with the folder of downloaded drivers; the launcher script sets it. */
    private static final String FOLDER = "stackelberg.drivers";

    /** The system property with the Maven coordinates of DuckDB's driver, for the message that it is missing; the launcher script sets it. */
    private static final String DUCKDB = "stackelberg.duckdb";

    /** One class loader per list of jars: each new one would load a driver's native code again, 60 MB for DuckDB. */
    private static final Map<List<Path>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    private Drivers() {}

    /** The driver for an address; the named jars are searched before the class path, and downloaded drivers last. */
    static Driver find(String address, List<Path> jars) {
        for (Path jar : jars) {
            if (!Files.isRegularFile(jar)) {
                throw DataException.of(
                        "driver-file-missing", "There is no driver file '{}'.\n" + "Maybe the name is misspelt.", jar);
            }
        }
        List<Path> more = new ArrayList<>(jars);
        more.addAll(fetched());
        return find(address, jars, jars).or(() -> find(address, more, jars)).orElseThrow(() -> missing(address, jars));
    }

    /** Opens a connection. A driver that accepted the address may still return null, which means that the address is not its own. */
    static Connection connect(String address, List<Path> jars, Properties properties) throws SQLException {
        Connection connection = find(address, jars).connect(address, properties);
        if (connection == null) {
            throw missing(address, jars);
        }
        return connection;
    }

    /** The first driver in the jars or on the class path that accepts the address; {@code named} are the jars that a message shows. */
    private static Optional<Driver> find(String address, List<Path> jars, List<Path> named) {
        try {
            for (Driver driver : ServiceLoader.load(Driver.class, loader(jars))) {
                if (driver.acceptsURL(address)) {
                    return Optional.of(driver);
                }
            }
            return Optional.empty();
        } catch (SQLException | ServiceConfigurationError | LinkageError e) {
            throw new DataException(
                    Message.of(
                            "driver-not-loaded",
                            "A driver could not be loaded{}: {}.\n"
                                    + "Maybe the jar is damaged, or needs another version of Java.",
                            named.isEmpty() ? "" : " from " + named,
                            e.getMessage()),
                    e);
        }
    }

    private static ClassLoader loader(List<Path> jars) {
        return LOADERS.computeIfAbsent(List.copyOf(jars), all -> {
            ClassLoader ours = Drivers.class.getClassLoader();
            return all.isEmpty() ? ours : new URLClassLoader(urls(all), ours);
        });
    }

    private static URL[] urls(List<Path> jars) {
        try {
            URL[] urls = new URL[jars.size()];
            for (int k = 0; k < urls.length; k++) {
                urls[k] = jars.get(k).toUri().toURL();
            }
            return urls;
        } catch (MalformedURLException e) {
            throw new IllegalStateException("Every path can be written as a URL.", e);
        }
    }

    /** The jars in the folder of downloaded drivers, none if there is no such folder. */
    private static List<Path> fetched() {
        String folder = System.getProperty(FOLDER);
        if (folder == null || !Files.isDirectory(Path.of(folder))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(f -> f.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The error that no driver accepts the address, with what to do: name a jar, or download DuckDB's driver. */
    private static DataException missing(String address, List<Path> jars) {
        if (!jars.isEmpty() && !Database.isDuckDb(address)) {
            return DataException.of(
                    "driver-of-other-database",
                    "No driver in {} accepts addresses that begin with {}.\n"
                            + "Maybe it is the jar of another database.",
                    jars,
                    Database.kind(address));
        }
        if (!Database.isDuckDb(address)) {
            return new DataException(Message.of(
                    "no-driver",
                    "There is no driver for {}.\nMaybe name its jar with {}.",
                    Database.kind(address),
                    Message.Choice.text("driver", "driver.jar")));
        }
        String folder = System.getProperty(FOLDER);
        String artifact = System.getProperty(DUCKDB, "org.duckdb:duckdb_jdbc");
        return new DataException(Message.of(
                "no-driver",
                "DuckDB's driver, which reads and writes Parquet, is not installed.\nMaybe {}, or name its jar with {}.",
                folder == null
                        ? "add " + artifact + " to the class path"
                        : "fetch it (80 MB) with mvn dependency:copy -Dartifact=" + artifact + " -DoutputDirectory="
                                + folder,
                Message.Choice.text("driver", "duckdb_jdbc.jar")));
    }
}
