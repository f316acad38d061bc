package stackelberg.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.io.AtomicFile;

@DisabledOnOs(OS.WINDOWS)
class SignalsTest {
    @TempDir
    Path folder;

    /** A process in the middle of a file whose exit would wait for ever, as it does for OpenBLAS's threads inside a decomposition. */
    static final class Stubborn {
        private Stubborn() {}

        public static void main(String[] args) {
            Signals.endAtOnce(AtomicFile::abandon);
            Runtime.getRuntime().addShutdownHook(new Thread(Stubborn::waitForEver));
            AtomicFile.write(Path.of(args[0]), out -> {
                out.write("half".getBytes(StandardCharsets.UTF_8));
                out.flush();
                System.out.write('!');
                System.out.flush();
                waitForEver();
            });
        }

        private static void waitForEver() {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130", "HUP, 129"})
    void aSignalEndsAProcessWhoseExitWouldHang(String signal, int code) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("model.json"), "old");
        Process process = start(file);
        try {
            assertThat(process.getInputStream().read()).isEqualTo('!');
            try (Stream<Path> beside = Files.list(folder)) {
                assertThat(beside).hasSize(2);
            }

            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();

            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(code);
            assertThat(file).hasContent("old");
            try (Stream<Path> beside = Files.list(folder)) {
                assertThat(beside).containsExactly(file);
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** kill -9 leaves its neighbour behind, and the next write beside it removes it. */
    @ParameterizedTest
    @CsvSource("KILL, 137")
    void temporaryFilesOfAKilledProcessAreDeletedByTheNextWrite(String signal, int code)
            throws IOException, InterruptedException {
        Path file = folder.resolve("model.json");
        Process process = start(file);
        try {
            assertThat(process.getInputStream().read()).isEqualTo('!');
            Path half;
            try (Stream<Path> beside = Files.list(folder)) {
                half = beside.findFirst().orElseThrow();
            }
            Files.setLastModifiedTime(half, java.nio.file.attribute.FileTime.fromMillis(0));
            AtomicFile.write(folder.resolve("other.json"), new byte[0]);
            assertThat(half).as("of a process that lives").exists();

            new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            process.waitFor();
            assertThat(process.exitValue()).isEqualTo(code);
            AtomicFile.write(folder.resolve("other.json"), new byte[0]);

            assertThat(half).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(afresh());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Stubborn.class.getName(),
                file.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Where the tests themselves run in the background or under nohup, signals are ignored by the processes they start: GNU's env undoes that. */
    private static List<String> afresh() throws IOException, InterruptedException {
        List<String> env = List.of("env", "--default-signal");
        List<String> trial = new ArrayList<>(env);
        trial.add("true");
        boolean possible = new ProcessBuilder(trial)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        return possible ? env : List.of();
    }
}
