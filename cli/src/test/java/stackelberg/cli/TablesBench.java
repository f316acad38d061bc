package stackelberg.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.PGConnection;
import stackelberg.data.io.Postgres;

/**
 * What it takes to fit a rule to a table from where it lives: the whole command on CSV, PostgreSQL and Parquet of the same numbers, one after the other, so often,
 * as ratios of one run. Not a test; run on a quiet machine.
 *
 * <p>Arguments: rows, columns, how often, an empty folder for 1 GB (1000000 30 5 /tmp/tables).
 */
public final class TablesBench {
    private TablesBench() {}

    public static void main(String[] arguments) throws Exception {
        int rows = Integer.parseInt(arguments[0]);
        int columns = Integer.parseInt(arguments[1]);
        int often = Integer.parseInt(arguments[2]);
        Path folder = Files.createDirectories(Path.of(arguments[3]));
        try (Postgres server = Postgres.start()) {
            Map<String, List<String>> data = prepare(server, folder, rows, columns);
            Map<String, List<double[]>> times = new LinkedHashMap<>();
            for (int k = 0; k <= often; k++) {
                for (Map.Entry<String, List<String>> one : data.entrySet()) {
                    double[] took = fit(one.getValue(), folder);
                    if (k > 0) {
                        times.computeIfAbsent(one.getKey(), name -> new ArrayList<>())
                                .add(took);
                    }
                }
            }
            double[] csv = median(times.get("CSV"));
            for (Map.Entry<String, List<double[]>> one : times.entrySet()) {
                double[] median = median(one.getValue());
                double[] all =
                        one.getValue().stream().mapToDouble(t -> t[0]).sorted().toArray();
                System.out.printf(
                        Locale.ROOT,
                        "%-10s command %6.2f s (%.2f to %.2f), %.2f times CSV; reading %6.2f s, %.2f times CSV%n",
                        one.getKey(),
                        median[0],
                        all[0],
                        all[all.length - 1],
                        median[0] / csv[0],
                        median[1],
                        median[1] / csv[1]);
            }
        }
    }

    private static Map<String, List<String>> prepare(Postgres server, Path folder, int rows, int columns)
            throws SQLException, IOException {
        Path csv = folder.resolve("people.csv");
        Path parquet = folder.resolve("people.parquet");
        String features = IntStream.rangeClosed(1, columns - 2)
                .mapToObj(j -> "random() * " + j + " as x" + j)
                .collect(Collectors.joining(", "));
        server.execute(
                "create table people as select " + features
                        + ", random() as y, 1 + random() as z from generate_series(1, " + rows + ")",
                "analyze people");
        try (Connection connection = server.connect();
                OutputStream out = Files.newOutputStream(csv)) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyOut("copy people to stdout (format csv, header)", out);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (select * from '" + csv + "') to '" + parquet + "' (format parquet)");
        }
        Map<String, List<String>> data = new LinkedHashMap<>();
        data.put("CSV", List.of(csv.toString()));
        data.put("PostgreSQL", List.of(server.address(), "--query", "select * from people"));
        data.put("Parquet", List.of(parquet.toString()));
        return data;
    }

    /** Seconds of the command, and of its reading. */
    private static double[] fit(List<String> data, Path folder) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseParallelGC",
                "-XX:MaxRAMPercentage=50",
                "-XX:MaxDirectMemorySize=1t",
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-cp",
                System.getProperty("java.class.path"),
                "stackelberg.cli.Main",
                "fit"));
        words.addAll(data);
        words.addAll(List.of("--target", "y", "--wish", "z", "--gamma", "30%", "--json", "-q"));
        Path out = folder.resolve("out.json");
        ProcessBuilder process =
                new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(ProcessBuilder.Redirect.INHERIT);
        process.environment().put("STACKELBERG_DB_USER", Postgres.USER);
        process.environment().put("STACKELBERG_DB_PASSWORD", Postgres.PASSWORD);
        long start = System.nanoTime();
        int code = process.start().waitFor();
        double seconds = (System.nanoTime() - start) * 1e-9;
        if (code != 0) {
            throw new IllegalStateException(data + ": exit code " + code);
        }
        String read = Files.readString(out).replaceAll("(?s).*\"read\"\\s*:\\s*([0-9.eE-]+).*", "$1");
        return new double[] {seconds, Double.parseDouble(read)};
    }

    private static double[] median(List<double[]> times) {
        return new double[] {median(times, 0), median(times, 1)};
    }

    private static double median(List<double[]> times, int which) {
        double[] sorted = times.stream().mapToDouble(t -> t[which]).sorted().toArray();
        return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow();
    }
}
