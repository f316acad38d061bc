package stackelberg.data;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.linalg.DenseMatrix;

class NpyTest {
    @TempDir
    Path folder;

    /** A file as the format's description has it, independent of the writer. */
    private Path file(int version, String descr, boolean fortran, String shape, double... values) throws IOException {
        String header = "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': "
                + shape + ", }";
        int prefix = version == 1 ? 10 : 12;
        header += " ".repeat(63 - (prefix + header.length()) % 64) + "\n";
        boolean single = descr.contains("f4");
        ByteBuffer bytes = ByteBuffer.allocate(prefix + header.length() + (single ? 4 : 8) * values.length);
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
        for (double v : values) {
            if (single) {
                bytes.putFloat((float) v);
            } else {
                bytes.putDouble(v);
            }
        }
        return Files.write(folder.resolve("x.npy"), bytes.array());
    }

    @ParameterizedTest
    @CsvSource({"1, <f8", "2, <f8", "3, <f8", "1, >f8", "1, <f4", "1, >f4", "2, =f8"})
    void rowsAndColumnsInEveryTypeAndOrder(int version, String type) throws IOException {
        DenseMatrix byRows =
                NpyReader.readMatrix(file(version, "'" + type + "'", false, "(2, 3)", 1, 2, 3, 4, 5, -6.5));
        assertThat(byRows.row(0)).containsExactly(1, 2, 3);
        assertThat(byRows.row(1)).containsExactly(4, 5, -6.5);
        DenseMatrix byColumns =
                NpyReader.readMatrix(file(version, "'" + type + "'", true, "(2, 3)", 1, 4, 2, 5, 3, -6.5));
        assertThat(byColumns.row(0)).containsExactly(1, 2, 3);
        assertThat(byColumns.row(1)).containsExactly(4, 5, -6.5);
        double[] vector = NpyReader.readVector(file(version, "'" + type + "'", false, "(3,)", 1, 2, 0.25));
        assertThat(vector).containsExactly(1, 2, 0.25);
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(2);
        DenseMatrix matrix = DenseMatrix.zeros(700, 301);
        for (int i = 0; i < 700; i++) {
            matrix.setRow(i, random.doubles(301).toArray());
        }
        Path file = folder.resolve("m.npy");
        NpyWriter.write(file, matrix);
        DenseMatrix back = NpyReader.readMatrix(file);
        assertThat(back.cols()).isEqualTo(301);
        for (int i = 0; i < 700; i++) {
            assertThat(back.row(i)).isEqualTo(matrix.row(i));
        }
        double[] vector = random.doubles(20_000).toArray();
        NpyWriter.write(file, vector);
        assertThat(NpyReader.readVector(file)).isEqualTo(vector);
        assertThat(NpyReader.readMatrix(file).rows()).isEqualTo(20_000);
    }

    @Test
    void notAnArrayFile() throws IOException {
        Path file = Files.writeString(folder.resolve("x.npy"), "a,b\n1,2\n");
        assertThatThrownBy(() -> NpyReader.readMatrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("not a NumPy array file");
        assertThatThrownBy(() -> NpyReader.readMatrix(folder.resolve("none.npy")))
                .hasMessageContaining("There is no file");
    }

    /** Wherever the file is cut. */
    @Test
    void cutOff() throws IOException {
        byte[] whole = Files.readAllBytes(file(1, "'<f8'", false, "(2, 3)", 1, 2, 3, 4, 5, 6));
        for (int length : new int[] {6, 7, 9, 40, whole.length - 48, whole.length - 1}) {
            Path cut = Files.write(folder.resolve("cut.npy"), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> NpyReader.readMatrix(cut))
                    .as("%d bytes", length)
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("cut off");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"'|O'", "'<i8'", "'<c16'", "'<f2'", "[('a', '<f8'), ('b', '<f8')]"})
    void otherTypes(String descr) throws IOException {
        Path file = file(1, descr, false, "(1,)", 1);
        assertThatThrownBy(() -> NpyReader.readMatrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("float64 and float32")
                .hasMessageContaining("astype");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(1, 1, 1)", "()"})
    void otherDimensions(String shape) throws IOException {
        Path file = file(1, "'<f8'", false, shape, 1);
        assertThatThrownBy(() -> NpyReader.readMatrix(file))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("dimensions");
    }

    @Test
    void numbersThatAreNotFiniteAreFound() throws IOException {
        Path file = file(1, "'<f8'", true, "(2, 3)", 1, 2, 3, Double.NaN, 5, 6);
        assertThatThrownBy(() -> NpyReader.readMatrix(file)).hasMessageContaining("row 2, column 2: NaN");
        Path matrix = file(1, "'<f8'", false, "(2, 3)", 1, 2, 3, 4, 5, 6);
        assertThatThrownBy(() -> NpyReader.readVector(matrix)).hasMessageContaining("matrix of 2 x 3");
    }
}
