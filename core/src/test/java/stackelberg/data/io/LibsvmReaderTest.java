package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
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

class LibsvmReaderTest {
    @TempDir
    Path folder;

    private static LibsvmData read(String text) {
        return LibsvmReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "in.svm");
    }

    @Test
    void labelsAndSparseRows() {
        LibsvmData data = read("# made by hand\n+1 1:0.5 3:-2e1 # ünï\r\n\n-1.5\n0 qid:7 2:1 4:0\n");
        assertThat(data.labels()).containsExactly(1, -1.5, 0);
        SparseRows rows = data.rows();
        assertThat(rows.rows()).isEqualTo(3);
        assertThat(rows.cols()).isEqualTo(4);
        assertThat(rows.rowPointers()).containsExactly(0, 2, 2, 4);
        assertThat(rows.columns()).containsExactly(0, 2, 1, 3);
        assertThat(rows.values()).containsExactly(0.5, -20, 1, 0);
    }

    @Test
    void manyRowsThroughGzip() throws IOException {
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
        LibsvmData data = LibsvmReader.read(file);
        assertThat(data.labels()).isEqualTo(labels);
        assertThat(data.rows().cols()).isEqualTo(51);
        assertThat(data.source().bytes()).isEqualTo(plain.length);
        for (int i = 0; i < m; i++) {
            int k = data.rows().rowPointers()[i + 1] - 1;
            if (data.rows().values()[k] != last[i] || data.rows().columns()[k] != 1 + i % 50) {
                assertThat(data.rows().values()[k]).as("row %d", i).isEqualTo(last[i]);
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
    void badLinesAreNamed(String line, String why) {
        assertThatThrownBy(() -> read("1 1:1\n# comment\n" + line + "\n"))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("'in.svm', line 3: \"")
                .hasMessageContaining(why)
                .hasMessageContaining("Maybe");
    }

    @Test
    void anEmptyFileIsRefused() {
        assertThatThrownBy(() -> read("\n# nothing\n")).hasMessageContaining("holds no rows");
    }
}
