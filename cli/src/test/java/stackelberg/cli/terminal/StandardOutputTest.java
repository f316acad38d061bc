package stackelberg.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import stackelberg.cli.Main;

/** The exit code if the reader closes the pipe, and if the disk is full. */
class StandardOutputTest {
    @Test
    void aReaderThatClosesThePipeIsNotAnError() throws Exception {
        Process process = process().start();
        process.getInputStream().close();

        assertThat(errors(process)).isEmpty();
        assertThat(process.waitFor()).isEqualTo(ExitCode.CERTIFIED);
    }

    @Test
    void aFullDiskIsAnError() throws Exception {
        File full = new File("/dev/full");
        assumeThat(full).exists();
        Process process = process().redirectOutput(full).start();

        assertThat(errors(process)).startsWith("Error: Not everything could be written to standard output: ");
        assertThat(process.waitFor()).isEqualTo(ExitCode.BAD_DATA);
    }

    /** A virtual machine of its own, because only there standard output is a file or a pipe. */
    private static ProcessBuilder process() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "fit",
                "--help");
    }

    private static String errors(Process process) throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
