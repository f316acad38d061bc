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
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Column;
import stackelberg.data.DataException;
import stackelberg.data.NumericColumn;

/**
 * One column of a result as its rows arrive, chunk by chunk: numbers, decimals and yes or no as numbers; text as categories, and so dates and times, as they
 * would stand in a CSV file; null as missing, and so what marks a missing value in a CSV file.
 *
 * <p>The digest is of what the database holds: it does not depend on which columns are kept, nor as what.
 */
abstract class ResultColumn {
    /** Rows to a chunk. */
    static final int CHUNK = 8192;

    final String name;
    /** The place in the result, from 1. */
    final int at;

    final boolean used;

    private ResultColumn(String name, int at, boolean used) {
        this.name = name;
        this.at = at;
        this.used = used;
    }

    /** @param options which columns are used, and which hold text, whatever their type */
    static ResultColumn of(ResultSetMetaData result, int at, DataFile.Options options) throws SQLException {
        String name = result.getColumnLabel(at);
        boolean used = options.used().test(name);
        boolean said = options.saysText(name);
        Kind kind = Kind.of(result, at);
        if (kind == Kind.OTHER && used) {
            throw new DataException("Column '" + name + "' is of type " + result.getColumnTypeName(at)
                    + ", which is neither a number nor a text.\nMaybe cast it in a query, or leave it out.");
        }
        boolean text = kind == Kind.TEXT || kind.isTime() || used && said;
        return kind == Kind.OTHER
                ? new Nothing(name, at)
                : text
                        ? new Texts(name, at, used, kind, said, options.names().contains(name))
                        : new Numbers(name, at, used, kind);
    }

    /** Takes the value of the row that the result is at, into a place of the chunk. */
    abstract void take(ResultSet row, int place) throws SQLException;

    /**
     * Takes the chunk into account.
     *
     * @param firstRow the number of its first row, from 0
     * @return how many bytes were digested
     */
    abstract long endChunk(int count, int firstRow, MessageDigest digest);

    /** All rows; what was kept of them is given away. */
    abstract Column column(int rows);

    /** What the values of a type are. */
    enum Kind {
        NUMBER,
        YES_OR_NO,
        TEXT,
        DATE,
        TIMESTAMP,
        /** With a time zone: as the time it is in UTC. */
        INSTANT,
        /** Bytes, lists, and what else a regression cannot use. */
        OTHER;

        boolean isTime() {
            return this == DATE || this == TIMESTAMP || this == INSTANT;
        }

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
                // a single bit, or a string of them
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
                // types of one database only
                default -> ofClass(result.getColumnClassName(at), name);
            };
        }

        private static Kind ofClass(String type, String name) {
            boolean number =
                    type != null && type.matches("java\\.math\\.Big.*|java\\.lang\\.(Long|Integer|Double|Float)");
            return number ? NUMBER : name.startsWith("map(") ? OTHER : TEXT;
        }
    }

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

        /** NaN for null, which drivers give as zero. */
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
                        throw new DataException("Column '" + name + "', row " + (firstRow + i + 1) + ": " + chunk[i]
                                + " is not a finite number.\nMaybe it marks a missing value: use null for that.");
                    }
                }
                chunks.add(chunk);
                chunk = new double[CHUNK];
            }
            return (long) count * Double.BYTES;
        }

        @Override
        NumericColumn column(int rows) {
            if (rows <= CHUNK) {
                return new NumericColumn(name, rows == 0 ? new double[0] : Arrays.copyOf(chunks.get(0), rows));
            }
            double[][] pieces = chunks.subList(0, (rows + CHUNK - 1) / CHUNK).toArray(double[][]::new);
            int last = pieces.length - 1;
            pieces[last] = Arrays.copyOf(pieces[last], rows - last * CHUNK);
            return new NumericColumn(name, pieces, null);
        }
    }

    private static final class Texts extends ResultColumn {
        /** 2024-01-31 12:30:59.5, as databases write CSV. */
        private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
                .append(DateTimeFormatter.ISO_LOCAL_DATE)
                .appendPattern(" HH:mm:ss")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                .toFormatter(Locale.ROOT);

        private static final int MISSING = -1;

        private final Kind kind;
        private final boolean declared;
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

        private ByteBuffer room(int more) {
            if (bytes.remaining() < more) {
                ByteBuffer larger = ByteBuffer.allocate(Math.addExact(2 * bytes.capacity(), more))
                        .order(ByteOrder.LITTLE_ENDIAN);
                bytes = larger.put(bytes.flip());
            }
            return bytes;
        }

        /** As it would stand in a CSV file, null for null. */
        private String text(ResultSet row) throws SQLException {
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

        /** In an order of levels that does not depend on the rows; numbers that are all missing if there is no text, as in a CSV file. */
        @Override
        Column column(int rows) {
            if (levels.texts().isEmpty() && !declared) {
                double[] none = new double[rows];
                Arrays.fill(none, Double.NaN);
                return new NumericColumn(name, none);
            }
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

    /** A column of a type that nobody can use, which nobody does. */
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
