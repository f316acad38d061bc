package stackelberg.data.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Reads and writes Parquet files with DuckDB, which keeps the order of the rows. */
final class Parquet {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** The folder in which Delta Lake logs which files are part of the table; files that it has replaced stay beside the others. */
    private static final String DELTA = "_delta_log";

    private static final String READ_HINT =
            "Maybe it is damaged, or the files of the folder have different columns: write it again.";

    private static final String WRITE_HINT = "Maybe the disk is full, or write CSV instead.";

    private Parquet() {}

    /** Reads the used columns of a Parquet file, or of all Parquet files in a folder. */
    static Table read(Database duckDb, Path file, DataFile.Options options, Workers workers) {
        List<Path> parts = parts(file);
        Table.Source source = source(file, parts);
        Set<String> inside = inside(file, parts);
        String from = from(parts, !inside.isEmpty());
        String failed = "'" + file + "' could not be read by DuckDB";
        return duckDb.asking(failed, READ_HINT, workers, statement -> {
            // DuckDB looks for folders named key=value in the whole path; those outside the folder that is read are not
            // columns of the data.
            List<String> names = new ArrayList<>(names(statement, from));
            Map<String, Path> around = inside.isEmpty() ? Map.of() : columns(file);
            if (!around.isEmpty()) {
                refuseHidden(file, around, inside, names(statement, from(parts, false)));
                names.removeIf(name -> around.containsKey(name.toLowerCase(Locale.ROOT)));
            }
            List<String> used = names.stream()
                    .filter(options.used().or(options.categorical()::contains))
                    .map(Parquet::identifier)
                    .toList();
            List<String> asked =
                    used.isEmpty() ? names.stream().map(Parquet::identifier).toList() : used;
            try (ResultSet count = statement.executeQuery("select count(*) " + from)) {
                count.next();
                Memory.requireCells(file.toString(), count.getLong(1), asked.size());
            }
            String query = "select " + String.join(", ", asked) + " " + from;
            try (ResultSet result = statement.executeQuery(query)) {
                Table table = ResultTable.read(result, options, "'" + file + "'", digested -> source);
                return used.size() == names.size() ? table : table.withNamesInFile(names);
            }
        });
    }

    /** The from clause for some files; {@code folders} says whether folders named key=value become columns. */
    private static String from(List<Path> parts, boolean folders) {
        return "from read_parquet(["
                + parts.stream().map(part -> quoted(literal(part))).collect(Collectors.joining(", "))
                + "], hive_partitioning = " + folders + ")";
    }

    /** The names, in lower case, of the columns that DuckDB makes of folders named key=value below the one that is read. */
    private static Set<String> inside(Path file, List<Path> parts) {
        Set<String> keys = new HashSet<>();
        for (Path part : parts) {
            Path folders = part.equals(file) ? null : file.relativize(part).getParent();
            keys.addAll(folders == null ? Set.of() : columns(folders).keySet());
        }
        return keys;
    }

    /** The elements of a path that are named key=value, by their key in lower case. */
    private static Map<String, Path> columns(Path path) {
        Map<String, Path> columns = new HashMap<>();
        for (Path element : path) {
            String name = element.toString();
            if (name.indexOf('=') > 0) {
                columns.put(name.substring(0, name.indexOf('=')).toLowerCase(Locale.ROOT), element);
            }
        }
        return columns;
    }

    /** Refuses a column with the same name as a folder around the data: DuckDB would take the folder's value instead of the column's. */
    private static void refuseHidden(Path file, Map<String, Path> around, Set<String> inside, List<String> own) {
        for (String name : Stream.concat(inside.stream(), own.stream()).toList()) {
            Path folder = around.get(name.toLowerCase(Locale.ROOT));
            if (folder != null) {
                throw DataException.of(
                        "parquet-column-named-as-folder",
                        "'{}' has a column '{}', which DuckDB confuses with the folder '{}'.\n"
                                + "Maybe rename that folder, or read from within it.",
                        file,
                        name,
                        folder);
            }
        }
    }

    private static List<String> names(Statement statement, String from) throws SQLException {
        try (ResultSet none = statement.executeQuery("select * " + from + " limit 0")) {
            return names(none.getMetaData());
        }
    }

    private static List<String> names(ResultSetMetaData meta) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int j = 1; j <= meta.getColumnCount(); j++) {
            names.add(meta.getColumnLabel(j));
        }
        return names;
    }

    /** The Parquet files in a folder and its subfolders, in the order of their names, without hidden ones; for a file, the file itself. */
    private static List<Path> parts(Path file) {
        if (!Files.isDirectory(file)) {
            return List.of(file);
        }
        if (Files.exists(file.resolve(DELTA))) {
            throw DataException.of(
                    "parquet-is-delta",
                    "The folder '{}' has a '{}': it is a table of Delta Lake, whose log says which of its files count.\n"
                            + "Maybe write it as plain Parquet first.",
                    file,
                    DELTA);
        }
        try (Stream<Path> files = Files.walk(file)) {
            List<Path> parts = files.filter(f -> DataFile.isParquet(f) && Files.isRegularFile(f))
                    .filter(f -> !isHidden(file.relativize(f)))
                    .sorted()
                    .toList();
            if (parts.isEmpty()) {
                throw DataException.of(
                        "parquet-folder-empty",
                        "The folder '{}' has no .parquet files in it.\n" + "Maybe another folder was meant.",
                        file);
            }
            return parts;
        } catch (IOException e) {
            throw new DataException(
                    Message.of("file-unreadable", "The folder '{}' could not be read: {}.", file, e.getMessage()), e);
        }
    }

    /** Whether a path has a hidden element by Spark's rule: it begins with a dot, or with an underscore unless it is of the form _key=value. */
    private static boolean isHidden(Path part) {
        for (Path element : part) {
            if (element.toString().matches("(?s)\\..*|_[^=]*")) {
                return true;
            }
        }
        return false;
    }

    /** The source of the data: the SHA-256 of the bytes of all files, one after the other; refuses files that are not Parquet. */
    private static Table.Source source(Path file, List<Path> parts) {
        var digest = ResultTable.sha256();
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        for (Path part : parts) {
            try (Input input = Input.open(part)) {
                int count = input.read(buffer, 0, buffer.length);
                if (count < MAGIC.length || !Arrays.equals(MAGIC, Arrays.copyOf(buffer, MAGIC.length))) {
                    throw DataException.of(
                            "parquet-misnamed",
                            "'{}' is named as Parquet, but its content is not.\n"
                                    + "Maybe it is a table in another format: rename it accordingly.",
                            part);
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

    /** Writes a Parquet file by way of a temporary CSV file, which DuckDB converts; see {@link Database#writeParquet}. */
    static void write(Database duckDb, Path file, Map<String, String> types, AtomicFile.Content csv, Workers workers) {
        Path text = AtomicFile.scratch(".csv");
        try {
            AtomicFile.write(text, csv);
            write(duckDb, file, types, text, workers);
        } finally {
            AtomicFile.discard(text);
        }
    }

    /** Converts a CSV file into a Parquet file with the given column types, by DuckDB. */
    private static void write(Database duckDb, Path file, Map<String, String> types, Path text, Workers workers) {
        Path parquet = AtomicFile.scratch(".parquet");
        try {
            String all = "select * from read_csv(" + quoted(literal(text))
                    + ", header = true, delim = ',', quote = '\"', escape = '\"', nullstr = '', auto_detect = false";
            String failed = "'" + file + "' could not be written by DuckDB";
            Map<String, String> names = duckDb.asking(failed, WRITE_HINT, workers, statement -> {
                Map<String, String> written = written(file, header(statement, all));
                String columns = written.entrySet().stream()
                        .map(name ->
                                quoted(name.getKey()) + ": " + quoted(types.getOrDefault(name.getValue(), "DOUBLE")))
                        .collect(Collectors.joining(", "));
                statement.execute(
                        "copy (" + all + ", columns = {" + columns + "})) to " + quoted(parquet) + " (format parquet)");
                return written;
            });
            boolean own =
                    names.entrySet().stream().allMatch(name -> name.getKey().equals(name.getValue()));
            AtomicFile.write(file, out -> {
                if (own) {
                    Files.copy(parquet, out);
                } else {
                    ParquetNames.copy(parquet, names, out);
                }
            });
        } finally {
            AtomicFile.discard(parquet);
        }
    }

    /** The names in the header of the CSV file, read as data: names that DuckDB reads as a header it changes in part. */
    private static List<String> header(Statement statement, String all) throws SQLException {
        String first =
                all.replace("header = true", "header = false").replace("auto_detect = false", "all_varchar = true");
        try (ResultSet line = statement.executeQuery(first + ") limit 1")) {
            List<String> names = new ArrayList<>();
            line.next();
            for (int j = 1; j <= line.getMetaData().getColumnCount(); j++) {
                names.add(line.getString(j));
            }
            return names;
        }
    }

    /**
     * The final names by the names under which DuckDB writes the columns. These are the same, unless some differ only in case, which DuckDB takes for equal:
     * then it writes placeholders, and {@link ParquetNames} replaces them.
     */
    private static Map<String, String> written(Path file, List<String> names) {
        Map<String, String> placeholders = new LinkedHashMap<>();
        Map<String, String> own = new LinkedHashMap<>();
        Set<String> folded = new HashSet<>();
        for (String name : names) {
            placeholders.put("column " + placeholders.size(), name);
            folded.add(name.toLowerCase(Locale.ROOT));
            if (own.put(name, name) != null) {
                throw DataException.of(
                        "column-twice",
                        "'{}' would have two columns '{}'.\n" + "Maybe rename one of them.",
                        file,
                        name);
            }
        }
        return folded.size() < names.size() ? placeholders : own;
    }

    /** A glob pattern that matches this path only; DuckDB reads paths as patterns. */
    private static String literal(Path path) {
        return path.toString().replaceAll("[\\[*?]", "[$0]");
    }

    /** A string literal of SQL. */
    static String quoted(Object text) {
        return "'" + String.valueOf(text).replace("'", "''") + "'";
    }

    /** A quoted identifier of SQL. */
    private static String identifier(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
