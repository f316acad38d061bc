package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process loads native code only once, so each test starts processes. */
class OpenBlasFilesTest {
    @TempDir
    private Path folder;

    private Path note;

    @BeforeEach
    void nameANote() {
        note = folder.resolve("openblas");
    }

    @Test
    void aProcessLoadsTheLibrariesThatAnEarlierOneListed() throws IOException, InterruptedException {
        assertThat(answer()).isEqualTo("looked 14.0 0");
        List<String> noted = Files.readAllLines(note);

        assertThat(noted).doesNotHaveDuplicates().allMatch(file -> Files.exists(Path.of(file)));
        assertThat(answer()).isEqualTo("loaded 14.0 0");
        assertThat(Files.readAllLines(note)).isEqualTo(noted);
    }

    @Test
    void missingLibrariesAreSearchedForAndListedAgain() throws IOException, InterruptedException {
        answer();
        List<String> noted = Files.readAllLines(note);
        // the last, so that some are loaded already
        Files.write(note, List.of(noted.get(0), folder.resolve("gone.so").toString()));

        assertThat(answer()).isEqualTo("looked 14.0 0");
        assertThat(Files.readAllLines(note)).isEqualTo(noted);
    }

    private String answer() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dstackelberg.openblas=" + note,
                        "-Dorg.bytedeco.javacpp.maxBytes=0",
                        "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Computing.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said.strip();
    }

    /** (1, 2, 3)'(1, 2, 3) by BLAS, and whether LAPACK factors the matrix 4. */
    static final class Computing {
        private Computing() {}

        public static void main(String[] args) {
            OpenBlasFiles.load();
            boolean looks = !"false".equals(System.getProperty("org.bytedeco.javacpp.loadlibraries"));
            double[] x = {1, 2, 3};
            double product = org.bytedeco.openblas.global.openblas_nolapack.cblas_ddot(3, x, 1, x, 1);
            int info = org.bytedeco.openblas.global.openblas.LAPACKE_dpotrf(
                    org.bytedeco.openblas.global.openblas.LAPACK_COL_MAJOR, (byte) 'U', 1, new double[] {4}, 1);
            System.out.println((looks ? "looked " : "loaded ") + product + " " + info);
        }
    }
}
