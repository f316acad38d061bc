package stackelberg.data.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import stackelberg.linalg.DenseMatrix;

/** Writes NumPy arrays (.npy, version 1): float64, little-endian, by rows; completely or not at all. */
public final class NpyWriter {
    /** The alignment of the numbers that NumPy uses; mapping needs at least 8. */
    private static final int ALIGNMENT = 64;

    private NpyWriter() {}

    public static void write(Path file, DenseMatrix matrix) {
        AtomicFile.write(file, out -> {
            header(out, "(" + matrix.rows() + ", " + matrix.cols() + ")");
            for (int i = 0; i < matrix.rows(); i++) {
                numbers(out, matrix.row(i));
            }
        });
    }

    public static void write(Path file, double[] vector) {
        AtomicFile.write(file, out -> {
            header(out, "(" + vector.length + ",)");
            numbers(out, vector);
        });
    }

    private static void header(OutputStream out, String shape) throws IOException {
        String text = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
        int prefix = 10;
        int length = (prefix + text.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT - prefix;
        String padded = text + " ".repeat(length - text.length() - 1) + "\n";
        out.write(0x93);
        out.write("NUMPY\u0001\u0000".getBytes(StandardCharsets.US_ASCII));
        out.write(length & 0xff);
        out.write(length >> 8);
        out.write(padded.getBytes(StandardCharsets.US_ASCII));
    }

    private static void numbers(OutputStream out, double[] values) throws IOException {
        int atOnce = 8192;
        for (int from = 0; from < values.length; from += atOnce) {
            int count = Math.min(atOnce, values.length - from);
            ByteBuffer bytes = ByteBuffer.allocate(8 * count).order(ByteOrder.LITTLE_ENDIAN);
            bytes.asDoubleBuffer().put(values, from, count);
            out.write(bytes.array());
        }
    }
}
