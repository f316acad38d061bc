package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

class NpyTest {
    @TempDir
    Path folder;

    /** A file built from the description of the format, independently of the writer. */
    private Path file(int version, String descr, boolean fortran, String shape, double... values) throws IOException {
        boolean single = descr.contains("f4");
        return file(version, descr, fortran, shape, (single ? 4 : 8) * values.length, bytes -> {
            for (double v : values) {
                if (single) {
                    bytes.putFloat((float) v);
                } else {
                    bytes.putDouble(v);
                }
            }
        });
    }

    private static DenseMatrix matrix(Path file) {
        return NpyReader.readMatrix(file, Workers.of(2));
    }

    /** Whole numbers of the given number of bytes, or bools. */
    private Path wholes(String descr, boolean fortran, String shape, long... values) throws IOException {
        int size = descr.charAt(descr.length() - 2) - '0';
        return file(1, descr, fortran, shape, size * values.length, bytes -> {
            for (long v : values) {
                switch (size) {
                    case 1 -> bytes.put((byte) v);
                    case 2 -> bytes.putShort((short) v);
                    case 4 -> bytes.putInt((int) v);
                    default -> bytes.putLong(v);
                }
            }
        });
    }

    private Path file(
            int version, String descr, boolean fortran, String shape, int length, Consumer<ByteBuffer> numbers)
            throws IOException {
        String header = "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': "
                + shape + ", }";
        int prefix = version == 1 ? 10 : 12;
        header += " ".repeat(63 - (prefix + header.length()) % 64) + "\n";
        ByteBuffer bytes = ByteBuffer.allocate(prefix + header.length() + length);
        bytes.put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) version)
                .put((byte) 0);
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        if (version == 1) {
            bytes.putShort((short) header.length());
        } else {
            bytes.putInt(header.length());
        }
        bytes.put(header.getBytes(StandardCharsets.US_ASCII));
        bytes.order(descr.contains(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        numbers.accept(bytes);
        return Files.write(folder.resolve("x.npy"), bytes.array());
    }

    @ParameterizedTest
    @CsvSource({"1, <f8", "2, <f8", "3, <f8", "1, >f8", "1, <f4", "1, >f4", "2, =f8"})
    void everyTypeAndStorageOrderIsRead(int version, String type) throws IOException {
        DenseMatrix byRows = matrix(file(version, "'" + type + "'", false, "(2, 3)", 1, 2, 3, 4, 5, -6.5));
        assertThat(byRows.row(0)).containsExactly(1, 2, 3);
        assertThat(byRows.row(1)).containsExactly(4, 5, -6.5);
        DenseMatrix byColumns = matrix(file(version, "'" + type + "'", true, "(2, 3)", 1, 4, 2, 5, 3, -6.5));
        assertThat(byColumns.row(0)).containsExactly(1, 2, 3);
        assertThat(byColumns.row(1)).containsExactly(4, 5, -6.5);
        double[] vector = NpyReader.readVector(file(version, "'" + type + "'", false, "(3,)", 1, 2, 0.25));
        assertThat(vector).containsExactly(1, 2, 0.25);
    }

    @Test
    void writtenArraysAreReadBackUnchanged() {
        Random random = new Random(2);
        DenseMatrix matrix = DenseMatrix.zeros(700, 301);
        for (int i = 0; i < 700; i++) {
            matrix.setRow(i, random.doubles(301).toArray());
        }
        Path file = folder.resolve("m.npy");
        NpyWriter.write(file, matrix);
        DenseMatrix back = matrix(file);
        assertThat(back.cols()).isEqualTo(301);
        for (int i = 0; i < 700; i++) {
            assertThat(back.row(i)).isEqualTo(matrix.row(i));
        }
        double[] vector = random.doubles(20_000).toArray();
        NpyWriter.write(file, vector);
        assertThat(NpyReader.readVector(file)).isEqualTo(vector);
        assertThat(matrix(file).rows()).isEqualTo(20_000);
    }

    @Test
    void aFileThatIsNotAnArrayIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("x.npy"), "a,b\n1,2\n");
        assertThatThrownBy(() -> matrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("not a NumPy array file");
        assertThatThrownBy(() -> matrix(folder.resolve("none.npy"))).hasMessageContaining("There is no file");
    }

    /** Every prefix of a file is refused. */
    @Test
    void aTruncatedFileIsRefusedWhereverItIsCut() throws IOException {
        byte[] whole = Files.readAllBytes(file(1, "'<f8'", false, "(2, 3)", 1, 2, 3, 4, 5, 6));
        for (int length : new int[] {6, 7, 9, 40, whole.length - 48, whole.length - 1}) {
            Path cut = Files.write(folder.resolve("cut.npy"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> matrix(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("cut off");
        }
    }

    @Test
    void aShapeWhoseSizeOverflowsALongIsRefused() throws IOException {
        Path file = file(1, "'<f8'", false, "(2147483647, 2147483647)", 1);
        assertThatThrownBy(() -> matrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("its shape needs 36893488")
                .hasMessageContaining("cut off");
    }

    /** The smallest and the largest number of every type, in both orders of bytes and of storage. */
    @ParameterizedTest
    @CsvSource({
        "|i1, -128, 127",
        "<i2, -32768, 32767",
        ">i2, -32768, 32767",
        "<i4, -2147483648, 2147483647",
        ">i4, -2147483648, 2147483647",
        "<i8, -9007199254740992, 9007199254740992",
        ">i8, -9007199254740992, 9007199254740992",
        "|u1, 0, 255",
        "<u2, 0, 65535",
        ">u2, 0, 65535",
        "<u4, 0, 4294967295",
        ">u4, 0, 4294967295",
        "<u8, 0, 9007199254740992",
        ">u8, 0, 9007199254740992",
        "|b1, 0, 1"
    })
    void theExtremeWholeNumbersOfEveryTypeAreRead(String type, long smallest, long largest) throws IOException {
        String descr = "'" + type + "'";
        DenseMatrix byRows = matrix(wholes(descr, false, "(2, 3)", 0, 1, smallest, 1, largest, 0));
        assertThat(byRows.row(0)).containsExactly(0, 1, smallest);
        assertThat(byRows.row(1)).containsExactly(1, largest, 0);
        DenseMatrix byColumns = matrix(wholes(descr, true, "(2, 3)", 0, 1, 1, largest, smallest, 0));
        assertThat(byColumns.row(0)).containsExactly(0, 1, smallest);
        assertThat(byColumns.row(1)).containsExactly(1, largest, 0);
        assertThat(NpyReader.readVector(wholes(descr, false, "(3,)", largest, smallest, 1)))
                .containsExactly(largest, smallest, 1);
        assertThat(NpyReader.readVector(wholes(descr, false, "(3, 1)", largest, smallest, 1)))
                .containsExactly(largest, smallest, 1);
    }

    /** Arrays larger than a block in both directions, so that every kind of block edge occurs. */
    @ParameterizedTest
    @CsvSource({"5000, 40", "40, 5000", "3, 70000", "70000, 3", "1, 200000", "200000, 1"})
    void arraysOfManyBlocksAreReadByAnyNumberOfThreads(int rows, int cols) throws IOException {
        long[] byRows = new long[rows * cols];
        long[] byColumns = new long[rows * cols];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cols; j++) {
                byRows[i * cols + j] = byColumns[j * rows + i] = 7L * i - 3L * j;
            }
        }
        String shape = "(" + rows + ", " + cols + ")";
        for (boolean fortran : new boolean[] {false, true}) {
            Path file = wholes("'<i4'", fortran, shape, fortran ? byColumns : byRows);
            for (int threads : new int[] {1, 3}) {
                DenseMatrix matrix = NpyReader.readMatrix(file, Workers.of(threads));
                for (int i = 0; i < rows; i++) {
                    double[] row = matrix.row(i);
                    for (int j = 0; j < cols; j++) {
                        if (row[j] != 7.0 * i - 3.0 * j) {
                            throw new AssertionError("by columns " + fortran + ", (" + i + ", " + j + "): " + row[j]);
                        }
                    }
                }
            }
            if (rows == 1 || cols == 1) {
                assertThat(NpyReader.readVector(file))
                        .isEqualTo(Arrays.stream(byRows).asDoubleStream().toArray());
            }
        }
    }

    /** 2^53 + 1 is the first whole number that a float64 cannot hold. */
    @ParameterizedTest
    @CsvSource({
        "<i8, 9007199254740993, 9007199254740993",
        ">i8, 9007199254740993, 9007199254740993",
        "<i8, -9007199254740993, -9007199254740993",
        "<i8, -9223372036854775808, -9223372036854775808",
        "<u8, 9007199254740993, 9007199254740993",
        "<u8, -1, 18446744073709551615"
    })
    void wholeNumbersThatWouldLoseDigitsAreRefused(String type, long value, String shown) throws IOException {
        Path matrix = wholes("'" + type + "'", true, "(2, 3)", 1, 2, 3, value, value, 6);
        assertThatThrownBy(() -> matrix(matrix))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("row 2, column 2: " + shown + " is beyond 2^53")
                .hasMessageContaining("astype(float)");
        Path vector = wholes("'" + type + "'", false, "(3,)", 1, 2, value);
        assertThatThrownBy(() -> NpyReader.readVector(vector)).hasMessageContaining("row 3, column 1: " + shown);
    }

    /** The first one in the order of the file, whichever block is converted first. */
    @Test
    void theFirstUnusableNumberOfTheFileIsReported() throws IOException {
        long[] values = new long[500_000];
        values[123_456] = Long.MAX_VALUE;
        values[123_457] = Long.MIN_VALUE;
        values[499_999] = Long.MAX_VALUE;
        Path file = wholes("'<i8'", false, "(1000, 500)", values);
        for (int threads = 1; threads <= 4; threads++) {
            Workers workers = Workers.of(threads);
            assertThatThrownBy(() -> NpyReader.readMatrix(file, workers))
                    .hasMessageContaining("row 247, column 457: 9223372036854775807");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"'|O'\" | Python objects | a.astype(float)",
                "'<c16' | complex numbers | [a.real, a.imag]",
                "'<U12' | text | a.astype(float)",
                "\"'|S3'\" | text | a.astype(float)",
                "'<M8[ns]' | dates | astype('int64')",
                "'<f2' | unsupported type | a.astype(float)",
                "'<f16' | unsupported type | a.astype(float)",
                "[('a', '<f8'), ('b', '<i8')] | named fields | structured_to_unstructured(a, dtype=float)"
            })
    void unsupportedTypesAreRefusedWithTheConversionInNumPy(String descr, String what, String remedy)
            throws IOException {
        Path file = file(1, descr, false, "(1,)", 1);
        assertThatThrownBy(() -> matrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining(what)
                .hasMessageContaining("(dtype " + descr + ")")
                .hasMessageContaining(remedy);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(1, 1, 1)", "()"})
    void arraysOfOtherDimensionsAreRefused(String shape) throws IOException {
        Path file = file(1, "'<f8'", false, shape, 1);
        assertThatThrownBy(() -> matrix(file)).isInstanceOf(DataException.class).hasMessageContaining("dimensions");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(-2, 3)", "(-2, -3)", "(+2, 3)", "(2147483648, 3)", "(2, x)"})
    void malformedLengthsAreRefused(String shape) throws IOException {
        Path file = file(1, "'<f8'", false, shape, 1, 2, 3, 4, 5, 6);
        assertThatThrownBy(() -> matrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("in its shape; 0 to 2147483647 can be used")
                .hasMessageContaining("Maybe the file is damaged");
    }

    @Test
    void numbersThatAreNotFiniteAreRefused() throws IOException {
        Path file = file(1, "'<f8'", true, "(2, 3)", 1, 2, 3, Double.NaN, 5, 6);
        assertThatThrownBy(() -> matrix(file)).hasMessageContaining("row 2, column 2: NaN");
        Path matrix = file(1, "'<f8'", false, "(2, 3)", 1, 2, 3, 4, 5, 6);
        assertThatThrownBy(() -> NpyReader.readVector(matrix)).hasMessageContaining("matrix of 2 x 3");
    }

    @Test
    void tooManyColumnsAreRefusedEvenWithoutRows() throws IOException {
        for (String type : new String[] {"'<f8'", "'<f4'"}) {
            Path file = file(1, type, false, "(0, 2147483647)");
            assertThatThrownBy(() -> NpyReader.readMatrix(file, Workers.of(1)))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("has 2147483647 columns");
        }
    }
}
