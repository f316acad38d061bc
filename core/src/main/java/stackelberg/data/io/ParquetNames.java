package stackelberg.data.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Renames the columns of a Parquet file, because DuckDB cannot write names that differ only in case.
 *
 * <p>A Parquet file ends with its metadata in Thrift's compact protocol, their length, and PAR1. Names occur only in the metadata, and all offsets are counted
 * from the beginning of the file. So it is enough to copy the data pages as they are and to write changed metadata of another length after them. The metadata
 * are copied token by token; only the values in {@link #NAMES} change.
 */
final class ParquetNames {
    /** The paths of field numbers at which column names occur: (schema, name) and (row groups, columns, metadata, path in schema). */
    private static final Set<List<Integer>> NAMES = Set.of(List.of(2, 4), List.of(4, 1, 3, 3));

    /** The bytes after the metadata: their length (4) and PAR1 (4). */
    private static final int TAIL = 8;

    // The type codes of Thrift's compact protocol; all other codes are whole numbers, written as varints.
    private static final int BOOLEAN_TRUE = 1;
    private static final int BOOLEAN_FALSE = 2;
    private static final int BYTE = 3;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int STRUCT = 12;

    private final ByteBuffer in;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, String> names;

    private ParquetNames(ByteBuffer in, Map<String, String> names) {
        this.in = in;
        this.names = names;
    }

    /**
     * Copies a file with new column names.
     *
     * @param names the new name of each column, by its name in the file
     */
    static void copy(Path file, Map<String, String> names, OutputStream to) throws IOException {
        try (RandomAccessFile from = new RandomAccessFile(file.toFile(), "r")) {
            byte[] tail = new byte[TAIL];
            from.seek(from.length() - TAIL);
            from.readFully(tail);
            byte[] metadata = new byte
                    [ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt()];
            long pages = from.length() - TAIL - metadata.length;
            from.seek(pages);
            from.readFully(metadata);
            ParquetNames named = new ParquetNames(ByteBuffer.wrap(metadata), names);
            named.struct(List.of());
            ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).putInt(named.out.size());
            WritableByteChannel channel = Channels.newChannel(to);
            for (long done = 0; done < pages; ) {
                done += from.getChannel().transferTo(done, pages - done, channel);
            }
            named.out.writeTo(to);
            to.write(tail);
        }
    }

    /** Copies a struct: fields up to a zero byte. Each has a header of four bits with the step from the previous field number and four with the type. */
    private void struct(List<Integer> path) {
        int field = 0;
        for (int header = octet(); header != 0; header = octet()) {
            int step = header >> 4;
            // A step of 0 means that the field number itself follows, in zigzag coding (0, -1, 1, -2, ... as 0, 1, 2,
            // 3, ...).
            long zigzag = step == 0 ? varint() : 0;
            field = step == 0 ? (int) (zigzag >>> 1 ^ -(zigzag & 1)) : field + step;
            int type = header & 15;
            // The type of a boolean field is its value; nothing follows.
            if (type != BOOLEAN_TRUE && type != BOOLEAN_FALSE) {
                value(type, Stream.concat(path.stream(), Stream.of(field)).toList());
            }
        }
    }

    /** Copies a value of the given type; {@code path} are the field numbers that lead to it. */
    private void value(int type, List<Integer> path) {
        switch (type) {
            case BOOLEAN_TRUE, BOOLEAN_FALSE, BYTE -> octet();
            case DOUBLE -> IntStream.range(0, Double.BYTES).forEach(k -> octet());
            case BINARY -> binary(NAMES.contains(path));
            case LIST, SET -> {
                // Four bits of size and four of type; size 15 means that the size follows as a varint.
                int header = octet();
                long size = header >> 4 == 15 ? varint() : header >> 4;
                for (long k = 0; k < size; k++) {
                    value(header & 15, path);
                }
            }
            case MAP -> {
                long size = varint();
                int types = size == 0 ? 0 : octet();
                for (long k = 0; k < size; k++) {
                    value(types >> 4, path);
                    value(types & 15, path);
                }
            }
            case STRUCT -> struct(path);
            default -> varint();
        }
    }

    /** Copies a text, renamed if it is a column name. */
    private void binary(boolean isName) {
        byte[] bytes = new byte[(int) readVarint()];
        in.get(bytes);
        if (isName) {
            String name = new String(bytes, StandardCharsets.UTF_8);
            bytes = names.getOrDefault(name, name).getBytes(StandardCharsets.UTF_8);
        }
        writeVarint(bytes.length);
        out.writeBytes(bytes);
    }

    /** Copies a byte and returns it. */
    private int octet() {
        int octet = in.get() & 0xff;
        out.write(octet);
        return octet;
    }

    /** Copies a whole number of variable length and returns it. */
    private long varint() {
        long value = readVarint();
        writeVarint(value);
        return value;
    }

    /** Reads seven bits per byte, the lowest first; the top bit says that another byte follows. */
    private long readVarint() {
        long value = 0;
        int octet = 0x80;
        for (int shift = 0; octet >= 0x80; shift += 7) {
            octet = in.get() & 0xff;
            value |= (octet & 0x7fL) << shift;
        }
        return value;
    }

    private void writeVarint(long value) {
        long left = value;
        for (; left >>> 7 != 0; left >>>= 7) {
            out.write((int) (left & 0x7f | 0x80));
        }
        out.write((int) left);
    }
}
