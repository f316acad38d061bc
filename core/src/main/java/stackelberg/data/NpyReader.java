package stackelberg.data;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import stackelberg.linalg.DenseMatrix;

/** Reads NumPy arrays (.npy, formats 1 to 3): float64 and float32 of either byte order, stored by rows or by columns, 1-D and 2-D. */
public final class NpyReader {
    private static final int BUFFER = 1 << 20;

    private final Path file;
    private final NpyHeader header;

    private NpyReader(Path file, NpyHeader header) {
        this.file = file;
        this.header = header;
    }

    /**
     * A 2-D array; a 1-D array becomes one column. An array that lies in the file as a matrix lies in memory (float64, little endian, by rows)
     * is mapped, not read, so that numbers that are not finite show only when they are used; others are converted and checked here.
     */
    public static DenseMatrix readMatrix(Path file) {
        NpyReader reader = open(file);
        return reader.header.isMappable() ? reader.mapped() : reader.converted();
    }

    /** A 1-D array, or a 2-D array with one row or one column. All numbers must be finite. */
    public static double[] readVector(Path file) {
        NpyReader reader = open(file);
        if (reader.header.rows() != 1 && reader.header.cols() != 1) {
            throw new DataException("'" + file + "' is a matrix of " + reader.header.rows() + " x "
                    + reader.header.cols() + ", but a vector is needed.\nMaybe it was swapped with another file.");
        }
        double[] values = new double[Math.toIntExact((long) reader.header.rows() * reader.header.cols())];
        reader.forEach((index, value) -> values[(int) index] = value);
        return values;
    }

    private static NpyReader open(Path file) {
        if (!Files.isRegularFile(file)) {
            // The same words as for any other file.
            Input.open(file).close();
        }
        try (InputStream raw = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(raw)) {
            NpyHeader header = NpyHeader.read(in, file.toString());
            long needed = header.offset() + (long) header.bytesPerNumber() * header.rows() * header.cols();
            if (Files.size(file) < needed) {
                throw NpyHeader.truncated(
                        file.toString(), "it has " + Files.size(file) + " bytes, but its shape needs " + needed);
            }
            return new NpyReader(file, header);
        } catch (EOFException e) {
            throw NpyHeader.truncated(file.toString(), "it ends within the header");
        } catch (IOException e) {
            throw new DataException("'" + file + "' could not be read: " + e.getMessage() + ".", e);
        }
    }

    /** The numbers as they lie in the file: pages are read when they are needed, nothing is copied. */
    private DenseMatrix mapped() {
        try {
            return DenseMatrix.map(file, header.offset(), header.rows(), header.cols());
        } catch (IOException e) {
            throw new DataException("'" + file + "' could not be mapped: " + e.getMessage() + ".", e);
        }
    }

    private DenseMatrix converted() {
        DenseMatrix matrix = DenseMatrix.zeros(header.rows(), header.cols());
        boolean fortran = header.fortran();
        int run = fortran ? header.rows() : header.cols();
        forEach((index, value) -> {
            int outer = (int) (index / run);
            int inner = (int) (index % run);
            matrix.set(fortran ? inner : outer, fortran ? outer : inner, value);
        });
        return matrix;
    }

    private interface Sink {
        void accept(long index, double value);
    }

    /** All numbers in the order of the file. */
    private void forEach(Sink sink) {
        long total = (long) header.rows() * header.cols();
        int size = header.bytesPerNumber();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER).order(header.order());
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.position(header.offset());
            for (long index = 0; index < total; ) {
                buffer.clear().limit((int) Math.min(BUFFER, (total - index) * size));
                while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                    // until the buffer is full
                }
                buffer.flip();
                while (buffer.remaining() >= size) {
                    double value = size == 8 ? buffer.getDouble() : buffer.getFloat();
                    if (!Double.isFinite(value)) {
                        throw notFinite(index, value);
                    }
                    sink.accept(index++, value);
                }
            }
        } catch (IOException e) {
            throw new DataException("'" + file + "' could not be read: " + e.getMessage() + ".", e);
        }
    }

    private DataException notFinite(long index, double value) {
        long run = header.fortran() ? header.rows() : header.cols();
        long row = header.fortran() ? index % run : index / run;
        long col = header.fortran() ? index / run : index % run;
        return new DataException("'" + file + "', row " + (row + 1) + ", column " + (col + 1) + ": " + value
                + " is not a finite number.\nMaybe it marks a missing value: drop or fill such rows before saving.");
    }
}
