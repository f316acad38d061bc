package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

class DataFileTest {
    private static final Workers ONE = Workers.of(1);

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        return Files.write(folder.resolve(name), name.endsWith(".gz") ? CsvReaderTest.gzip(plain) : plain);
    }

    private Path array(String name, double... values) {
        Path file = folder.resolve(name);
        NpyWriter.write(file, values);
        return file;
    }

    private Path matrix() {
        Path file = folder.resolve("X.npy");
        NpyWriter.write(file, DenseMatrix.of(new double[][] {{1, 2}, {3, 4}, {5, 6}}));
        return file;
    }

    private static Table read(Path file) {
        return DataFile.read(file, ONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"people.csv", "people.tsv", "people.csv.gz", "people.txt", "svm"})
    void csvFilesHaveNamedColumns(String name) throws IOException {
        Path file = file(name, "age\tbmi\n30\t21\n40\t24\n");
        assertThat(DataFile.namesColumns(file)).isTrue();
        assertThat(read(file).names()).containsExactly("age", "bmi");
        assertThat(read(file).block()).isEmpty();
        assertThat(read(file).source().map(Table.Source::name)).contains(file.toString());
    }

    @Test
    void aDashIsStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8)));
        try {
            Table table = read(Path.of("-"));
            assertThat(table.names()).containsExactly("a", "b");
            assertThat(table.source().map(Table.Source::name)).contains("standard input");
        } finally {
            System.setIn(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.svm", "x.libsvm", "x.SVM", "x.svm.gz"})
    void libsvmIsReadAsABlockWithLabelsBesideIt(String name) throws IOException {
        Path file = file(name, "1 1:0.5\n0 3:2\n");
        assertThat(DataFile.namesColumns(file)).isFalse();
        Table table = read(file);
        assertThat(table.names()).containsExactly("1", "2", "3", "y");
        assertThat(table.block().orElseThrow().matrix()).isInstanceOf(CsrMatrix.class);
        assertThat(table.numeric("3").values()).containsExactly(0, 2);
        assertThat(table.numeric(DataFile.TRUTH).values()).containsExactly(1, 0);
        Table wishing = DataFile.arrays(file, null, array("z.npy", 7, 8), ONE);
        assertThat(wishing.names()).containsExactly("1", "2", "3", "y", "z");
        assertThat(wishing.numeric(DataFile.WISH).values()).containsExactly(7, 8);
    }

    @Test
    void aLibsvmFileTakesNoSeparateTruth() throws IOException {
        Path file = file("x.svm", "1 1:0.5\n0 3:2\n");
        assertThatThrownBy(() -> DataFile.arrays(file, array("y.npy", 1, 0), null, ONE))
                .hasMessageContaining("is not a NumPy");
    }

    @Test
    void arraysAreReadAsABlockWithOptionalTruthAndWishes() {
        Path y = array("y.npy", 7, 8, 9);
        Path z = array("z.npy", 4, 5, 6);
        assertThat(DataFile.namesColumns(y)).isFalse();
        assertThat(read(matrix()).names()).containsExactly("1", "2");
        assertThat(DataFile.arrays(matrix(), y, null, ONE).names()).containsExactly("1", "2", "y");
        Table all = DataFile.arrays(matrix(), y, z, ONE);
        assertThat(all.names()).containsExactly("1", "2", "y", "z");
        assertThat(all.numeric("2").values()).containsExactly(2, 4, 6);
        assertThat(all.numeric("z").values()).containsExactly(4, 5, 6);
        assertThat(all.source()).isEmpty();
    }

    @Test
    void arraysOfDifferentLengthAreRefused() {
        assertThatThrownBy(() -> DataFile.arrays(matrix(), null, array("z.npy", 1, 2), ONE))
                .isInstanceOf(DataException.class)
                .hasMessage("The array z has 2 values, but x has 3 rows."
                        + "\nMaybe x is transposed, or the arrays are of different data.");
    }
}
