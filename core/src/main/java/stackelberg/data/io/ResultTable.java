package stackelberg.data.io;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** The rows of a result, streamed into columns; beside them no more is held than one column once more. */
final class ResultTable {
    /** What the content of a result is known by: the SHA-256 of its names and values, and how many bytes they are. */
    record Digested(String sha256, long bytes) {
        Table.Source source(String name) {
            return new Table.Source(name, sha256, bytes);
        }
    }

    private ResultTable() {}

    /** @param what to be named in messages */
    static Table read(ResultSet result, DataFile.Options options, String what, Function<Digested, Table.Source> source)
            throws SQLException {
        ResultSetMetaData meta = result.getMetaData();
        List<String> names = names(meta);
        refuseUnknown(options, names);
        List<ResultColumn> columns = new ArrayList<>();
        for (int j = 1; j <= names.size(); j++) {
            columns.add(ResultColumn.of(meta, j, options));
        }
        long kept = columns.stream().filter(column -> column.used).count();
        Memory.Budget budget = new Memory.Budget(what.replace("'", ""));
        MessageDigest digest = sha256();
        byte[] header = String.join("\n", names).getBytes(StandardCharsets.UTF_8);
        digest.update(header);
        long bytes = header.length;
        int rows = 0;
        int count;
        do {
            Workers.throwIfInterrupted();
            count = 0;
            while (count < ResultColumn.CHUNK && result.next()) {
                take(columns, result, count);
                count++;
            }
            for (ResultColumn column : columns) {
                bytes += count == 0 ? 0 : column.endChunk(count, rows, digest);
            }
            rows = Math.addExact(rows, count);
            budget.require((double) Double.BYTES * rows * kept);
        } while (count == ResultColumn.CHUNK);
        if (rows == 0) {
            throw new DataException(what + " has " + names.size() + (names.size() == 1 ? " column" : " columns")
                    + " but no rows.\nMaybe it is of data that are not there yet.");
        }
        List<Column> used = new ArrayList<>();
        for (ResultColumn column : columns) {
            if (column.used) {
                used.add(column.column(rows));
            }
        }
        Digested digested = new Digested(HexFormat.of().formatHex(digest.digest()), bytes);
        Table table = Table.read(used, null, Table.NO_LINES, source.apply(digested), null);
        return used.size() == names.size() ? table : table.without(names);
    }

    private static void take(List<ResultColumn> columns, ResultSet result, int place) throws SQLException {
        int j = 0;
        try {
            for (; j < columns.size(); j++) {
                columns.get(j).take(result, place);
            }
        } catch (SQLException | RuntimeException e) {
            // drivers do not always tell which
            throw new SQLException("column '" + columns.get(j).name + "': " + e.getMessage(), e);
        }
    }

    private static List<String> names(ResultSetMetaData meta) throws SQLException {
        List<String> names = new ArrayList<>();
        Set<String> different = new HashSet<>();
        for (int j = 1; j <= meta.getColumnCount(); j++) {
            String name = meta.getColumnLabel(j);
            if (!different.add(name)) {
                throw new DataException(
                        "There are two columns named '" + name + "'.\nMaybe rename one in the query, with as.");
            }
            names.add(name);
        }
        return names;
    }

    private static void refuseUnknown(DataFile.Options options, List<String> names) {
        for (String name : options.categorical()) {
            if (!names.contains(name)) {
                throw new DataException("There is no column '" + name + "' to be read as categories.\n"
                        + Table.suggestion(name, names, null));
            }
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
