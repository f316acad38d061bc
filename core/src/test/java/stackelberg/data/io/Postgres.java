package stackelberg.data.io;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** Runs a PostgreSQL server of the operating system for the duration of a test, in a temporary folder and on the loopback address. */
public final class Postgres implements AutoCloseable {
    public static final String ABSENT = "There is no PostgreSQL here (Debian: postgresql).";
    public static final String USER = "clerk";
    public static final String PASSWORD = "correct horse's battery";

    private static final boolean ROOT = System.getProperty("user.name").equals("root");

    private final Path folder;
    private final Path programs;
    private final int port;

    private Postgres(Path folder, Path programs, int port) {
        this.folder = folder;
        this.programs = programs;
        this.port = port;
    }

    public static boolean present() {
        return programs().isPresent();
    }

    private static Optional<Path> programs() {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                    .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Postgres start() {
        try {
            Postgres server = new Postgres(
                    Files.createTempDirectory("postgres"), programs().orElseThrow(), freePort());
            Path secret = Files.writeString(server.folder.resolve("secret"), PASSWORD);
            if (ROOT) {
                run(List.of("chown", "-R", "postgres", server.folder.toString()));
            }
            server.run(
                    "initdb",
                    "-D",
                    server.data(),
                    "-U",
                    USER,
                    "-A",
                    "scram-sha-256",
                    "-E",
                    "UTF8",
                    "--locale=C",
                    "-N",
                    "--pwfile=" + secret);
            server.run(
                    "pg_ctl",
                    "-D",
                    server.data(),
                    "-w",
                    "-l",
                    server.folder.resolve("log").toString(),
                    "-o",
                    "-p " + server.port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + server.folder
                            + " -c fsync=off -c timezone=UTC",
                    "start");
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    /** Runs a command, as another user if the test runs as root, because the server refuses to run as root. */
    private void run(String program, String... arguments) {
        List<String> words = new ArrayList<>(ROOT ? List.of("runuser", "-u", "postgres", "--") : List.of());
        words.add(programs.resolve(program).toString());
        words.addAll(List.of(arguments));
        run(words);
    }

    private static void run(List<String> words) {
        try {
            Path said = Files.createTempFile("postgres", ".log");
            Process process = new ProcessBuilder(words)
                    .directory(Path.of("/tmp").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(words + ": " + Files.readString(said));
            }
            Files.delete(said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The address of the server, without credentials. */
    public String address() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public Connection connect() throws SQLException {
        Properties who = new Properties();
        who.setProperty("user", USER);
        who.setProperty("password", PASSWORD);
        return DriverManager.getConnection(address(), who);
    }

    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        run("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop");
        run(List.of("rm", "-r", folder.toString()));
    }
}
