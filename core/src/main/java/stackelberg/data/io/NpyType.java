package stackelberg.data.io;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** A number type of NumPy whose values can be read as float64. Whole numbers beyond 2^53, which would lose digits, are read as {@link #LOST}. */
enum NpyType {
    FLOAT64("f8", ByteBuffer::getDouble),
    FLOAT32("f4", ByteBuffer::getFloat),
    INT8("i1", ByteBuffer::get),
    INT16("i2", ByteBuffer::getShort),
    INT32("i4", ByteBuffer::getInt),
    INT64("i8", NpyType::exact),
    UINT8("u1", (bytes, at) -> bytes.get(at) & 0xff),
    UINT16("u2", (bytes, at) -> bytes.getShort(at) & 0xffff),
    UINT32("u4", (bytes, at) -> bytes.getInt(at) & 0xffffffffL),
    // As a long, a number from 2^63 on is negative; it is beyond 2^53 in any case.
    UINT64("u8", (bytes, at) -> bytes.getLong(at) < 0 ? NpyType.LOST : exact(bytes, at)),
    BOOL("b1", (bytes, at) -> bytes.get(at) == 0 ? 0 : 1);

    /** Marks a whole number that a float64 cannot hold exactly. It is not finite, so the check for finite numbers finds it. */
    static final double LOST = Double.NaN;

    /** 2^53: all whole numbers up to here are exact in a float64. */
    private static final long LARGEST_EXACT = 1L << 53;

    /** Reads one number of this type from a buffer. */
    @FunctionalInterface
    private interface Reading {
        double at(ByteBuffer bytes, int position);
    }

    private final String code;
    private final Reading reading;

    NpyType(String code, Reading reading) {
        this.code = code;
        this.reading = reading;
    }

    /** The type for NumPy's code of a letter and a number of bytes, such as f8; empty if the type is not supported. */
    static Optional<NpyType> of(String code) {
        return Stream.of(values()).filter(type -> type.code.equals(code)).findFirst();
    }

    /** The size of a number in bytes. */
    int bytes() {
        return code.charAt(1) - '0';
    }

    /** Reads {@code count} consecutive numbers, from number {@code first} on, into target[to], target[to + stride], ...; in the byte order of the buffer. */
    void read(ByteBuffer bytes, int first, int count, double[] target, int to, int stride) {
        int size = bytes();
        // The usual case is a bulk copy.
        if (this == FLOAT64 && stride == 1) {
            bytes.duplicate()
                    .order(bytes.order())
                    .position(first * size)
                    .asDoubleBuffer()
                    .get(target, to, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            target[to + i * stride] = reading.at(bytes, (first + i) * size);
        }
    }

    /** The first number with all its digits, for messages: as a float64 it may have lost some. */
    String text(ByteBuffer bytes) {
        return switch (this) {
            case FLOAT64, FLOAT32 -> String.valueOf(reading.at(bytes, 0));
            case UINT64 -> Long.toUnsignedString(bytes.getLong(0));
            default -> String.valueOf(bytes.getLong(0));
        };
    }

    /** Whether the type holds whole numbers only. */
    boolean whole() {
        return this != FLOAT64 && this != FLOAT32;
    }

    private static double exact(ByteBuffer bytes, int at) {
        long value = bytes.getLong(at);
        return value > LARGEST_EXACT || value < -LARGEST_EXACT ? LOST : value;
    }
}
