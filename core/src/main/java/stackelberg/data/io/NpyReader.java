package stackelberg.data.io;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Consumer;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/**
 * Reads NumPy arrays (.npy, versions 1 to 3): floats, whole numbers and bools of either byte order, stored by rows or by columns, with one or two
 * dimensions.
 *
 * <p>Whole numbers beyond 2^53 are refused, because as float64 they would silently lose digits.
 *
 * <p>In this class a "run" is a contiguous line of the array: a row, or a column of an array that is stored by columns.
 */
final class NpyReader {
    /** The number of values converted at once: 512 kB, which stay in the cache. */
    private static final int BLOCK = 1 << 16;

    /** The rows converted at once of an array stored by columns: so few that a block has at least 16 columns and fills whole cache lines of the matrix. */
    private static final int ROWS_OF_COLUMNS = BLOCK / 16;

    /** The most columns. Each has a name, a scale and a coefficient, which for this many take some GB. */
    private static final int MAX_COLUMNS = 1 << 24;

    private final Path file;
    private final NpyHeader header;

    private NpyReader(Path file, NpyHeader header) {
        this.file = file;
        this.header = header;
    }

    /**
     * Reads an array as a matrix; a 1-D array becomes one column.
     *
     * <p>An array whose bytes are those of a matrix in memory (float64, little endian, by rows) is mapped instead of read. Its numbers are not checked here:
     * one that is not finite is found when it is used. Other arrays are converted and checked.
     */
    static DenseMatrix readMatrix(Path file, Workers workers) {
        NpyReader reader = open(file);
        if (reader.header.cols() > MAX_COLUMNS) {
            throw DataException.of(
                    "npy-too-many-columns",
                    "'{}' has {} columns; at most {} can be used.\n" + "Maybe it is transposed, or damaged.",
                    file,
                    reader.header.cols(),
                    MAX_COLUMNS);
        }
        Memory.requireColumns(
                file.toString(), reader.header.cols(), (long) reader.header.rows() * reader.header.cols());
        return reader.header.isMappable() ? reader.mapped() : reader.converted(workers);
    }

    /** Reads a 1-D array, or a 2-D array with one row or one column, as a vector. All numbers must be finite. */
    static double[] readVector(Path file) {
        NpyReader reader = open(file);
        if (reader.header.rows() != 1 && reader.header.cols() != 1) {
            throw DataException.of(
                    "npy-not-a-vector",
                    "'{}' is a matrix of {} x {}, but a vector is needed.\n"
                            + "Maybe it was swapped with another file.",
                    file,
                    reader.header.rows(),
                    reader.header.cols());
        }
        Memory.requireCells(file.toString(), reader.header.rows(), reader.header.cols());
        double[] values = new double[Math.toIntExact((long) reader.header.rows() * reader.header.cols())];
        // One of the two lengths is 1, so each block is a contiguous part of the vector.
        reader.convert(
                Workers.of(1),
                block -> System.arraycopy(
                        block.numbers,
                        0,
                        values,
                        block.firstRun * reader.runLength() + block.first,
                        block.numbers.length));
        return values;
    }

    /** Reads the header and checks that the file has as many bytes as the shape needs. */
    private static NpyReader open(Path file) {
        if (!Files.isRegularFile(file)) {
            // Throws the same message as for any other file that does not exist.
            Input.open(file).close();
        }
        try (InputStream raw = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(raw)) {
            NpyHeader header = NpyHeader.read(in, file.toString());
            // Computed as a double, because the product of two lengths can overflow a long.
            double needed = header.offset() + (double) header.type().bytes() * header.rows() * header.cols();
            if (Files.size(file) < needed) {
                throw NpyHeader.truncated(
                        file.toString(),
                        String.format(
                                Locale.ROOT, "it has %d bytes, but its shape needs %.0f", Files.size(file), needed));
            }
            return new NpyReader(file, header);
        } catch (EOFException e) {
            throw NpyHeader.truncated(file.toString(), "it ends within the header");
        } catch (IOException e) {
            throw new DataException(
                    Message.of("file-unreadable", "'{}' could not be read: {}.", file, e.getMessage()), e);
        }
    }

    /** The array mapped into memory: pages are read when they are first used, and nothing is copied. */
    private DenseMatrix mapped() {
        try {
            return DenseMatrix.map(file, header.offset(), header.rows(), header.cols());
        } catch (IOException e) {
            throw new DataException(
                    Message.of("file-not-mapped", "'{}' could not be mapped: {}.", file, e.getMessage()), e);
        }
    }

    /** The array converted to a matrix of float64. */
    private DenseMatrix converted(Workers workers) {
        Memory.requireOutsideTheHeap(file.toString(), header.rows(), header.cols());
        DenseMatrix matrix = DenseMatrix.zeros(header.rows(), header.cols());
        convert(workers, block -> {
            if (header.fortran()) {
                matrix.setTile(block.first, block.count, block.firstRun, block.runs, block.numbers);
            } else {
                matrix.setTile(block.firstRun, block.runs, block.first, block.count, block.numbers);
            }
        });
        return matrix;
    }

    /** The number of runs. */
    private int runs() {
        return header.fortran() ? header.cols() : header.rows();
    }

    /** The length of a run. */
    private int runLength() {
        return header.fortran() ? header.rows() : header.cols();
    }

    /** A tile of the array: the numbers {@code first} to {@code first + count - 1} of each of {@code runs} runs. A run is a row, or a column if the file is in Fortran order; the numbers are stored in row-major order of the matrix. */
    private record Block(int firstRun, int runs, int first, int count, double[] numbers) {}

    /** Passes all numbers to {@code taker}, in blocks. An error names the first number of the file that cannot be used, whichever thread meets it. */
    private void convert(Workers workers, Consumer<Block> taker) {
        if (runs() == 0 || runLength() == 0) {
            return;
        }
        int count = Math.min(runLength(), header.fortran() ? ROWS_OF_COLUMNS : BLOCK);
        int runs = Math.min(runs(), BLOCK / count);
        int blocksPerRun = (runLength() - 1) / count + 1;
        int blocks = Math.multiplyExact((runs() - 1) / runs + 1, blocksPerRun);
        LongAccumulator unusable = new LongAccumulator(Math::min, Long.MAX_VALUE);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            workers.run(blocks, b -> {
                int firstRun = b / blocksPerRun * runs;
                int first = b % blocksPerRun * count;
                Block block = read(
                        channel,
                        firstRun,
                        Math.min(runs, runs() - firstRun),
                        first,
                        Math.min(count, runLength() - first));
                unusable.accumulate(firstUnusable(block));
                taker.accept(block);
            });
            if (unusable.get() < Long.MAX_VALUE) {
                throw unusable(channel, unusable.get());
            }
        } catch (UncheckedIOException | IOException e) {
            throw new DataException(
                    Message.of("file-unreadable", "'{}' could not be read: {}.", file, e.getMessage()), e);
        }
    }

    /** Reads and converts one block. Whole runs are adjacent in the file and are read at once; parts of runs are read one by one. */
    private Block read(FileChannel channel, int firstRun, int runs, int first, int count) {
        double[] numbers = new double[runs * count];
        ByteBuffer all = count == runLength() ? bytes(channel, (long) firstRun * count, numbers.length) : null;
        if (all != null && !header.fortran()) {
            header.type().read(all, 0, numbers.length, numbers, 0, 1);
        } else {
            for (int k = 0; k < runs; k++) {
                long from = (long) (firstRun + k) * runLength() + first;
                ByteBuffer run = all != null ? all : bytes(channel, from, count);
                int to = header.fortran() ? k : k * count;
                header.type().read(run, all != null ? k * count : 0, count, numbers, to, header.fortran() ? runs : 1);
            }
        }
        return new Block(firstRun, runs, first, count, numbers);
    }

    /** The bytes of {@code count} numbers of the file, from number {@code from} on. */
    private ByteBuffer bytes(FileChannel channel, long from, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * header.type().bytes()).order(header.order());
        long position = header.offset() + from * header.type().bytes();
        try {
            while (bytes.hasRemaining()) {
                if (channel.read(bytes, position + bytes.position()) < 0) {
                    throw NpyHeader.truncated(file.toString(), "it ends while it is read");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    /** The index in the file, counted in numbers, of the block's first number that is not finite or would lose digits; the largest long if there is none. */
    private long firstUnusable(Block block) {
        long smallest = Long.MAX_VALUE;
        for (int i = 0; i < block.numbers.length; i++) {
            if (!Double.isFinite(block.numbers[i])) {
                int run = header.fortran() ? i % block.runs : i / block.count;
                int within = header.fortran() ? i / block.runs : i % block.count;
                smallest = Math.min(smallest, (long) (block.firstRun + run) * runLength() + block.first + within);
            }
        }
        return smallest;
    }

    /** The error about the number at an index of the file. */
    private DataException unusable(FileChannel channel, long index) {
        long run = index / runLength();
        long within = index % runLength();
        String what = "'" + file + "', row " + ((header.fortran() ? within : run) + 1) + ", column "
                + ((header.fortran() ? run : within) + 1) + ": "
                + header.type().text(bytes(channel, index, 1));
        return header.type().whole()
                ? DataException.of(
                        "integer-too-large",
                        "{} is beyond 2^53, where a float64 loses digits.\nMaybe it is an identifier: leave it out; or save"
                                + " a.astype(float) if its last digits do not matter.",
                        what)
                : DataException.of(
                        "not-finite",
                        "{} is not a finite number.\nMaybe it marks a missing value: drop or fill such rows before saving.",
                        what);
    }
}
