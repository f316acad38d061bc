package stackelberg.data.io;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** A number type of NumPy that becomes a float64 without loss; {@link #LOST} is what a whole number beyond 2^53 would be. */
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
    // from 2^63 on the long is negative, and beyond 2^53 either way
    UINT64("u8", (bytes, at) -> bytes.getLong(at) < 0 ? NpyType.LOST : exact(bytes, at)),
    BOOL("b1", (bytes, at) -> bytes.get(at) == 0 ? 0 : 1);

    /** Not a finite number, so that one check finds it. */
    static final double LOST = Double.NaN;

    private static final long LARGEST_EXACT = 1L << 53;

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

    /** The type that NumPy writes as a letter and a number of bytes; empty if its numbers cannot be read. */
    static Optional<NpyType> of(String code) {
        return Stream.of(values()).filter(type -> type.code.equals(code)).findFirst();
    }

    int bytes() {
        return code.charAt(1) - '0';
    }

    /** Numbers that lie one after the other in the bytes, in the byte order of the buffer, to target[to], target[to + stride], ... */
    void read(ByteBuffer bytes, int first, int count, double[] target, int to, int stride) {
        int size = bytes();
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

    /** The first number as it stands in the file, digit by digit. */
    String text(ByteBuffer bytes) {
        return switch (this) {
            case FLOAT64, FLOAT32 -> String.valueOf(reading.at(bytes, 0));
            case UINT64 -> Long.toUnsignedString(bytes.getLong(0));
            default -> String.valueOf(bytes.getLong(0));
        };
    }

    boolean whole() {
        return this != FLOAT64 && this != FLOAT32;
    }

    private static double exact(ByteBuffer bytes, int at) {
        long value = bytes.getLong(at);
        return value > LARGEST_EXACT || value < -LARGEST_EXACT ? LOST : value;
    }
}
