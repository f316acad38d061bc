package stackelberg.data.io;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;

/**
 * Collects the values of one column of a query's result, chunk by chunk.
 *
 * <p>Numbers, decimals and booleans become numbers. Texts become categories, and so do dates and times, written as in a CSV file. Null is a missing value, as
 * are the texts that mark one in a CSV file: the same data give the same table from either source.
 *
 * <p>The digest is of the values in the database: it does not depend on which columns are kept or how they are read.
 */
abstract class ResultColumn {
    /** The number of rows in a chunk: 64 kB of numbers. */
    static final int CHUNK = 8192;

    final String name;
    /** The position in the result, from 1. */
    final int at;

    /** Whether the column is kept; others are only hashed. */
    final boolean used;

    private ResultColumn(String name, int at, boolean used) {
        this.name = name;
        this.at = at;
        this.used = used;
    }

    /** The collector for column {@code at} of a result; {@code options} say which columns are used and which are read as text. */
    static ResultColumn of(ResultSetMetaData result, int at, DataFile.Options options) throws SQLException {
        String name = result.getColumnLabel(at);
        boolean used = options.used().test(name);
        boolean declared = options.declaresText(name);
        Kind kind = Kind.of(result, at);
        if (kind == Kind.OTHER && used) {
            throw DataException.of(
                    "column-type",
                    "Column '{}' has the type {}, which is neither a number nor text.\n"
                            + "Maybe cast it in a query, or leave it out.",
                    name,
                    result.getColumnTypeName(at));
        }
        boolean text = kind == Kind.TEXT || kind.isTime() || used && declared;
        return kind == Kind.OTHER
                ? new Nothing(name, at)
                : text
                        ? new Texts(
                                name, at, used, kind, declared, options.names().contains(name))
                        : new Numbers(name, at, used, kind);
    }

    /** Stores the value of the result's current row at index {@code place} of the chunk. */
    abstract void take(ResultSet row, int place) throws SQLException;

    /**
     * Hashes and keeps the chunk, and begins a new one.
     *
     * @param count the number of rows in the chunk
     * @param firstRow the number of its first row, from 0
     * @return the number of bytes that were hashed
     */
    abstract long endChunk(int count, int firstRow, MessageDigest digest);

    /** The column with all rows; to be called once, at the end, because the arrays are handed over. */
    abstract Column column(int rows);

    /** What the values of a database type are. */
    enum Kind {
        NUMBER,
        /** A boolean, read as 1 or 0. */
        YES_OR_NO,
        TEXT,
        DATE,
        TIMESTAMP,
        /** A time with a time zone, written as the time in UTC. */
        INSTANT,
        /** Bytes, lists, and other types that a regression cannot use. */
        OTHER;

        boolean isTime() {
            return this == DATE || this == TIMESTAMP || this == INSTANT;
        }

        /** The kind of a column by its JDBC type and, where drivers differ, by the type's name. */
        static Kind of(ResultSetMetaData result, int at) throws SQLException {
            String name = String.valueOf(result.getColumnTypeName(at)).toLowerCase(Locale.ROOT);
            return switch (result.getColumnType(at)) {
                case Types.TINYINT,
                        Types.SMALLINT,
                        Types.INTEGER,
                        Types.BIGINT,
                        Types.REAL,
                        Types.FLOAT,
                        Types.DOUBLE,
                        Types.NUMERIC,
                        Types.DECIMAL,
                        Types.NULL -> NUMBER;
                case Types.BOOLEAN -> YES_OR_NO;
                // BIT is a boolean in some databases and a string of bits in others.
                case Types.BIT ->
                    Boolean.class.getName().equals(result.getColumnClassName(at)) && result.getPrecision(at) <= 1
                            ? YES_OR_NO
                            : TEXT;
                case Types.DATE -> DATE;
                case Types.TIMESTAMP -> name.contains("tz") || name.contains("with time zone") ? INSTANT : TIMESTAMP;
                case Types.TIMESTAMP_WITH_TIMEZONE -> INSTANT;
                case Types.BINARY,
                        Types.VARBINARY,
                        Types.LONGVARBINARY,
                        Types.BLOB,
                        Types.ARRAY,
                        Types.STRUCT,
                        Types.REF,
                        Types.DATALINK -> OTHER;
                // Types that only one database has.
                default -> ofClass(result.getColumnClassName(at), name);
            };
        }

        /** The kind by the Java class that the driver returns: a number, or text such as an enumeration, an address or JSON. */
        private static Kind ofClass(@Nullable String type, String name) {
            boolean number =
                    type != null && type.matches("java\\.math\\.Big.*|java\\.lang\\.(Long|Integer|Double|Float)");
            return number ? NUMBER : name.startsWith("map(") ? OTHER : TEXT;
        }
    }

    /** A column of numbers or booleans. */
    private static final class Numbers extends ResultColumn {
        private final Kind kind;
        private final List<double[]> chunks = new ArrayList<>();
        private double[] chunk = new double[CHUNK];
        private final ByteBuffer bytes =
                ByteBuffer.allocate(CHUNK * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Numbers(String name, int at, boolean used, Kind kind) {
            super(name, at, used);
            this.kind = kind;
        }

        @Override
        void take(ResultSet row, int place) throws SQLException {
            chunk[place] = number(row, at, kind);
        }

        /** The value, NaN for null: drivers return 0 for null, and {@code wasNull} says which it was. */
        static double number(ResultSet row, int at, Kind kind) throws SQLException {
            double value = kind == Kind.YES_OR_NO ? row.getBoolean(at) ? 1 : 0 : row.getDouble(at);
            return value == 0 && row.wasNull() || Double.isNaN(value) ? Double.NaN : value;
        }

        @Override
        long endChunk(int count, int firstRow, MessageDigest digest) {
            bytes.clear().asDoubleBuffer().put(chunk, 0, count);
            digest.update(bytes.limit(count * Double.BYTES));
            if (used) {
                for (int i = 0; i < count; i++) {
                    if (Double.isInfinite(chunk[i])) {
                        throw DataException.of(
                                "not-finite",
                                "Column '{}', row {}: {} is not a finite number.\n"
                                        + "Maybe it marks a missing value: use null for that.",
                                name,
                                firstRow + i + 1,
                                chunk[i]);
                    }
                }
                chunks.add(chunk);
                chunk = new double[CHUNK];
            }
            return (long) count * Double.BYTES;
        }

        @Override
        NumericColumn column(int rows) {
            // Short results become one array; long ones stay in chunks, so that they are not copied.
            if (rows <= CHUNK) {
                return new NumericColumn(name, rows == 0 ? new double[0] : Arrays.copyOf(chunks.get(0), rows));
            }
            double[][] pieces = chunks.subList(0, (rows + CHUNK - 1) / CHUNK).toArray(double[][]::new);
            int last = pieces.length - 1;
            pieces[last] = Arrays.copyOf(pieces[last], rows - last * CHUNK);
            return new NumericColumn(name, pieces, null);
        }
    }

    /** A column that is read as text. */
    private static final class Texts extends ResultColumn {
        /** 2024-01-31 12:30:59.5, as databases write times to CSV. */
        private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
                .append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendPattern(" HH:mm:ss")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                .toFormatter(Locale.ROOT);

        /** The code of a missing value, and its length in the digest. */
        private static final int MISSING = -1;

        private final Kind kind;
        /** Whether the user declared the column to be text. */
        private final boolean declared;
        /** Whether the column names rows, so that texts such as "NA" are names rather than missing values. */
        private final boolean naming;

        private final TextLevels levels = new TextLevels();
        private final List<int[]> chunks = new ArrayList<>();
        private int[] chunk = new int[CHUNK];
        private ByteBuffer bytes = ByteBuffer.allocate(CHUNK * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Texts(String name, int at, boolean used, Kind kind, boolean declared, boolean naming) {
            super(name, at, used);
            this.kind = kind;
            this.declared = declared;
            this.naming = naming;
        }

        @Override
        void take(ResultSet row, int place) throws SQLException {
            String text = text(row);
            if (kind == Kind.NUMBER || kind == Kind.YES_OR_NO) {
                room(Double.BYTES).putDouble(Numbers.number(row, at, kind));
            } else {
                byte[] content = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
                room(Integer.BYTES + content.length)
                        .putInt(text == null ? MISSING : content.length)
                        .put(content);
            }
            if (used) {
                String trimmed = text == null ? "" : text.strip();
                boolean missing = naming ? trimmed.isEmpty() : FieldText.isMissing(trimmed);
                chunk[place] = missing ? MISSING : levels.code(trimmed);
            }
        }

        /** The buffer of bytes to hash, with room for {@code more} bytes. */
        private ByteBuffer room(int more) {
            if (bytes.remaining() < more) {
                ByteBuffer larger = ByteBuffer.allocate(Math.addExact(2 * bytes.capacity(), more))
                        .order(ByteOrder.LITTLE_ENDIAN);
                bytes = larger.put(bytes.flip());
            }
            return bytes;
        }

        /** The value as it would be written in a CSV file, null for null. */
        private @Nullable String text(ResultSet row) throws SQLException {
            if (kind == Kind.TEXT) {
                return row.getString(at);
            }
            Object value =
                    switch (kind) {
                        case DATE -> row.getObject(at, LocalDate.class);
                        case TIMESTAMP -> row.getObject(at, LocalDateTime.class);
                        case INSTANT -> row.getObject(at, OffsetDateTime.class);
                        default -> row.getObject(at);
                    };
            if (value instanceof LocalDateTime time) {
                return TIMESTAMP.format(time);
            }
            if (value instanceof OffsetDateTime time) {
                return TIMESTAMP.format(time.withOffsetSameInstant(ZoneOffset.UTC)) + "+00";
            }
            if (value instanceof Double || value instanceof Float) {
                return NumericColumn.of(name, ((Number) value).doubleValue())
                        .text(0)
                        .orElse(null);
            }
            return value instanceof BigDecimal decimal
                    ? decimal.toPlainString()
                    : value == null ? null : value.toString();
        }

        @Override
        long endChunk(int count, int firstRow, MessageDigest digest) {
            digest.update(bytes.flip());
            long digested = bytes.limit();
            bytes.clear();
            if (used) {
                chunks.add(chunk);
                chunk = new int[CHUNK];
            }
            return digested;
        }

        /** The categories; a column without any text becomes a numeric one whose values are all missing, as in a CSV file. */
        @Override
        Column column(int rows) {
            if (levels.texts().isEmpty() && !declared) {
                double[] none = new double[rows];
                Arrays.fill(none, Double.NaN);
                return new NumericColumn(name, none);
            }
            // The texts were numbered in the order of the rows; the levels of the column have an order that does not
            // depend on it.
            List<String> sorted = new ArrayList<>(levels.texts());
            sorted.sort(CategoricalColumn.levelOrder(sorted));
            int[] place = new int[sorted.size()];
            for (int k = 0; k < place.length; k++) {
                place[levels.code(sorted.get(k))] = k;
            }
            int[] codes = new int[rows];
            for (int i = 0; i < rows; i++) {
                int code = chunks.get(i / CHUNK)[i % CHUNK];
                codes[i] = code == MISSING ? MISSING : place[code];
            }
            chunks.clear();
            return new CategoricalColumn(name, codes, sorted, declared);
        }
    }

    /** A column of an unsupported type that is not used: it is neither read nor hashed. */
    private static final class Nothing extends ResultColumn {
        Nothing(String name, int at) {
            super(name, at, false);
        }

        @Override
        void take(ResultSet row, int place) {}

        @Override
        long endChunk(int count, int firstRow, MessageDigest digest) {
            return 0;
        }

        @Override
        Column column(int rows) {
            throw new IllegalStateException("Column '" + name + "' was not read.");
        }
    }
}
