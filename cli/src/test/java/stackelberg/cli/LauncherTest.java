package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
    /** A file where the build would go stops everybody, the superuser too. */
    @Test
    void aCheckoutThatIsNotBuiltAndCannotBeSaysSo(@TempDir Path home) throws IOException, InterruptedException {
        Path launcher = Path.of("..", "stackelberg");
        assumeThat(launcher).exists();
        Path copy = Files.copy(launcher, home.resolve("stackelberg"));
        Files.createDirectories(home.resolve("cli"));
        Files.writeString(home.resolve("cli/target"), "in the way");
        ProcessBuilder process = new ProcessBuilder("sh", copy.toString(), "--version").redirectErrorStream(true);
        process.environment().put("JAVA_HOME", System.getProperty("java.home"));

        Process run = process.start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(run.waitFor()).isEqualTo(1);
        assertThat(said)
                .startsWith("Error: Stackelberg cannot be built: it is not built yet, and ")
                .contains("cannot be written")
                .hasLineCount(1);
    }
}
