package stackelberg.data.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Parquet files by way of DuckDB, which reads their rows in their order. */
final class Parquet {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private Parquet() {}

    /** Only the columns that are used are read. */
    static Table read(Database duckDb, Path file, CsvOptions options, Workers workers) {
        List<Path> parts = parts(file);
        Table.Source source = source(file, parts);
        String from =
                "from read_parquet([" + parts.stream().map(Parquet::quoted).collect(Collectors.joining(", ")) + "])";
        return duckDb.asking("'" + file + "'", workers, statement -> {
            List<String> names;
            try (ResultSet none = statement.executeQuery("select * " + from + " limit 0")) {
                names = names(none.getMetaData());
            }
            List<String> used = names.stream()
                    .filter(options.used().or(options.categorical()::contains))
                    .map(Parquet::identifier)
                    .toList();
            String query = "select " + (used.isEmpty() ? "*" : String.join(", ", used)) + " " + from;
            try (ResultSet result = statement.executeQuery(query)) {
                Table table = ResultTable.read(result, options, "'" + file + "'", digested -> source);
                return used.size() == names.size() ? table : table.without(names);
            }
        });
    }

    private static List<String> names(ResultSetMetaData meta) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int j = 1; j <= meta.getColumnCount(); j++) {
            names.add(meta.getColumnLabel(j));
        }
        return names;
    }

    /** The files of a folder in the order of their names, without those that are hidden; a file is its only part. */
    private static List<Path> parts(Path file) {
        if (!Files.isDirectory(file)) {
            return List.of(file);
        }
        try (Stream<Path> files = Files.walk(file)) {
            List<Path> parts = files.filter(f -> DataFile.isParquet(f) && Files.isRegularFile(f))
                    .filter(f -> !f.getFileName().toString().matches("[._].*"))
                    .sorted()
                    .toList();
            if (parts.isEmpty()) {
                throw new DataException("The folder '" + file + "' has no .parquet files in it.\nMaybe name another.");
            }
            return parts;
        } catch (IOException e) {
            throw new DataException("The folder '" + file + "' could not be read: " + e.getMessage() + ".", e);
        }
    }

    /** The SHA-256 of the bytes of all parts, one after the other. */
    private static Table.Source source(Path file, List<Path> parts) {
        var digest = ResultTable.sha256();
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        for (Path part : parts) {
            try (Input input = Input.open(part)) {
                int count = input.read(buffer, 0, buffer.length);
                if (count < MAGIC.length || !Arrays.equals(MAGIC, Arrays.copyOf(buffer, MAGIC.length))) {
                    throw new DataException("'" + part + "' is named as Parquet, but its content is not.\nMaybe it is"
                            + " a table of another kind: name it so.");
                }
                while (count > 0) {
                    digest.update(buffer, 0, count);
                    bytes += count;
                    count = input.read(buffer, 0, buffer.length);
                }
            }
        }
        return new Table.Source(file.toString(), HexFormat.of().formatHex(digest.digest()), bytes);
    }

    static void write(Database duckDb, Path file, Map<String, String> types, AtomicFile.Content csv, Workers workers) {
        Path text = AtomicFile.scratch(".csv");
        Path parquet = AtomicFile.scratch(".parquet");
        try {
            AtomicFile.write(text, csv);
            String all = "select * from read_csv(" + quoted(text)
                    + ", header = true, delim = ',', quote = '\"', escape = '\"', nullstr = '', auto_detect = false";
            duckDb.asking("'" + file + "'", workers, statement -> {
                String columns;
                try (ResultSet none = statement.executeQuery(
                        all.replace("auto_detect = false", "all_varchar = true") + ") limit 0")) {
                    columns = names(none.getMetaData()).stream()
                            .map(name -> quoted(name) + ": " + quoted(types.getOrDefault(name, "DOUBLE")))
                            .collect(Collectors.joining(", "));
                }
                return statement.execute(
                        "copy (" + all + ", columns = {" + columns + "})) to " + quoted(parquet) + " (format parquet)");
            });
            AtomicFile.write(file, out -> Files.copy(parquet, out));
        } finally {
            AtomicFile.discard(text);
            AtomicFile.discard(parquet);
        }
    }

    private static String quoted(Object text) {
        return "'" + String.valueOf(text).replace("'", "''") + "'";
    }

    private static String identifier(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
