package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.DataException;
import stackelberg.data.Table;
import stackelberg.linalg.CsrMatrix;

class LibsvmReaderTest {
    @TempDir
    Path folder;

    private static Table read(String text) {
        return LibsvmReader.read(Input.of(text.getBytes(StandardCharsets.UTF_8), "in.svm"));
    }

    @Test
    void labelsAndSparseRowsAreRead() {
        Table data = read("# made by hand\n+1 1:0.5 3:-2e1 # ünï\r\n\n-1.5\n0 qid:7 2:1 4:0\n");
        assertThat(data.names()).containsExactly("1", "2", "3", "4", "y");
        assertThat(data.numeric("y").values()).containsExactly(1, -1.5, 0);
        CsrMatrix rows = (CsrMatrix) data.block().orElseThrow().matrix();
        assertThat(rows.rows()).isEqualTo(3);
        assertThat(rows.cols()).isEqualTo(4);
        assertThat(rows.nonzeros()).isEqualTo(4);
        double[][] expected = {{0.5, 0, -20, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++) {
                assertThat(rows.get(i, j)).isEqualTo(expected[i][j]);
            }
        }
    }

    @Test
    void manyRowsAreReadFromGzip() throws IOException {
        Random random = new Random(3);
        int m = 30_000;
        double[] labels = new double[m];
        double[] last = new double[m];
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < m; i++) {
            labels[i] = random.nextGaussian();
            last[i] = random.nextDouble();
            text.append(labels[i])
                    .append(" 1:1 ")
                    .append(2 + i % 50)
                    .append(':')
                    .append(last[i])
                    .append('\n');
        }
        byte[] plain = text.toString().getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(folder.resolve("x.svm.gz"), CsvReaderTest.gzip(plain));
        Table data = LibsvmReader.read(file);
        CsrMatrix rows = (CsrMatrix) data.block().orElseThrow().matrix();
        assertThat(data.numeric("y").values()).isEqualTo(labels);
        assertThat(rows.cols()).isEqualTo(51);
        assertThat(rows.nonzeros()).isEqualTo(2 * m);
        for (int i = 0; i < m; i++) {
            if (rows.get(i, 0) != 1 || rows.get(i, 1 + i % 50) != last[i]) {
                assertThat(rows.get(i, 1 + i % 50)).as("row %d", i).isEqualTo(last[i]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "abc 1:2, is not a finite number",
                "1 0:2, count from 1",
                "1 3:1 2:1, must increase",
                "1 3:1 3:1, must increase",
                "1 3, is not index:value",
                "1 x:3, is not index:value",
                "1 :3, is not index:value",
                "1 3:, is not a finite number",
                "1 3:nan, is not a finite number",
                "1 3:inf, is not a finite number",
                "1 99999999999999999999:1, too large"
            })
    void malformedLinesAreRefusedWithTheirNumber(String line, String why) {
        assertThatThrownBy(() -> read("1 1:1\n# comment\n" + line + "\n"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'in.svm', line 3: \"")
                .hasMessageContaining(why)
                .hasMessageContaining("Maybe");
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> read("\n# nothing\n")).hasMessageContaining("has no rows");
    }
}
