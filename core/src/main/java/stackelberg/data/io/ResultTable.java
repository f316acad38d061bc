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
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

/** Reads the rows of a query's result into the columns of a table, chunk by chunk. Beyond the table itself this needs memory for one more column at most. */
final class ResultTable {
    /** The SHA-256 of the names and values of a result, in hexadecimal, and the number of bytes that were hashed. */
    record Digested(String sha256, long bytes) {
        Table.Source source(String name) {
            return new Table.Source(name, sha256, bytes);
        }
    }

    private ResultTable() {}

    /**
     * Reads a result to its end.
     *
     * @param what what messages call the result, such as "The query"
     * @param source makes the table's source from the digest of the content
     */
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
            throw DataException.of(
                    "no-rows",
                    "{} has {}{} but no rows.\n" + "Maybe its data do not exist yet.",
                    what,
                    names.size(),
                    names.size() == 1 ? " column" : " columns");
        }
        List<Column> used = new ArrayList<>();
        for (ResultColumn column : columns) {
            if (column.used) {
                used.add(column.column(rows));
            }
        }
        Digested digested = new Digested(HexFormat.of().formatHex(digest.digest()), bytes);
        Table table = Table.read(used, null, Table.NO_LINES, source.apply(digested), null);
        return used.size() == names.size() ? table : table.withNamesInFile(names);
    }

    /** Takes all values of the current row into place {@code place} of the chunk. */
    private static void take(List<ResultColumn> columns, ResultSet result, int place) throws SQLException {
        int j = 0;
        try {
            for (; j < columns.size(); j++) {
                columns.get(j).take(result, place);
            }
        } catch (SQLException | RuntimeException e) {
            // Drivers do not always name the column.
            throw new SQLException("column '" + columns.get(j).name + "': " + e.getMessage(), e);
        }
    }

    /** The names of the columns, which must differ. */
    private static List<String> names(ResultSetMetaData meta) throws SQLException {
        List<String> names = new ArrayList<>();
        Set<String> different = new HashSet<>();
        for (int j = 1; j <= meta.getColumnCount(); j++) {
            String name = meta.getColumnLabel(j);
            if (!different.add(name)) {
                throw DataException.of(
                        "column-twice",
                        "There are two columns named '{}'.\n" + "Maybe rename one in the query, with as.",
                        name);
            }
            names.add(name);
        }
        return names;
    }

    /** Refuses columns that were declared categorical but do not exist. */
    private static void refuseUnknown(DataFile.Options options, List<String> names) {
        for (String name : options.categorical()) {
            if (!names.contains(name)) {
                throw new DataException(Message.of(
                        "column-unknown",
                        "There is no column '{}' to read as categories.\n{}",
                        name,
                        Table.suggestion(name, names, null)));
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
