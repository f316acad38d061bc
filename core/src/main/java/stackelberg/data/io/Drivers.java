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

/**
 * Drivers of databases: from jars that somebody names, from the class path, and from the folder into which the launcher fetches DuckDB's.
 *
 * <p>The driver manager gives nobody a driver that is not of its own class path, so a driver is asked directly.
 */
final class Drivers {
    /** The folder, as the launcher says. */
    private static final String FOLDER = "stackelberg.drivers";

    /** What Maven knows DuckDB's driver by, as the launcher says. */
    private static final String DUCKDB = "stackelberg.duckdb";

    /** Native code of a driver is loaded once for each class loader, which for DuckDB is 60 MB. */
    private static final Map<List<Path>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    private Drivers() {}

    static Driver find(String address, List<Path> jars) {
        for (Path jar : jars) {
            if (!Files.isRegularFile(jar)) {
                throw new DataException("There is no driver '" + jar + "'.\nMaybe the name is misspelt.");
            }
        }
        List<Path> more = new ArrayList<>(jars);
        more.addAll(fetched());
        return find(address, jars, jars).or(() -> find(address, more, jars)).orElseThrow(() -> missing(address, jars));
    }

    /** A driver may say only now that the address is not its own, by null. */
    static Connection connect(String address, List<Path> jars, Properties properties) throws SQLException {
        Connection connection = find(address, jars).connect(address, properties);
        if (connection == null) {
            throw missing(address, jars);
        }
        return connection;
    }

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
                    "A driver could not be loaded"
                            + (named.isEmpty() ? "" : " from " + named) + ": " + e.getMessage()
                            + ".\nMaybe the jar is damaged, or of another version of Java.",
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
            throw new IllegalStateException("Every file has an address.", e);
        }
    }

    /** What the launcher has fetched. */
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

    private static DataException missing(String address, List<Path> jars) {
        if (!jars.isEmpty() && !Database.isDuckDb(address)) {
            return new DataException("No driver in " + jars + " knows " + Database.kind(address)
                    + ".\nMaybe it is the jar of another database.");
        }
        if (!Database.isDuckDb(address)) {
            return new DataException("There is no driver for " + Database.kind(address)
                    + ".\nMaybe name its jar with driver(\"driver.jar\").");
        }
        String folder = System.getProperty(FOLDER);
        String artifact = System.getProperty(DUCKDB, "org.duckdb:duckdb_jdbc");
        return new DataException("DuckDB's driver, which reads and writes Parquet, is not here.\nMaybe "
                + (folder == null
                        ? "add " + artifact + " to the class path"
                        : "fetch it (80 MB) with mvn dependency:copy -Dartifact=" + artifact + " -DoutputDirectory="
                                + folder)
                + ", or name its jar with driver(\"duckdb_jdbc.jar\").");
    }
}
