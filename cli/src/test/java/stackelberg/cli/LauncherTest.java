package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** With a Maven and a Java that only say what they were asked. */
    @Test
    void theDriverOfParquetIsFetchedOnceAndOnlyWhereItIsNeeded(@TempDir Path home) throws Exception {
        Path launcher = Path.of("..", "stackelberg");
        assumeThat(launcher).exists();
        Path copy = Files.copy(launcher, home.resolve("stackelberg"));
        Path target = Files.createDirectories(home.resolve("cli/target"));
        Files.createDirectories(home.resolve("cli/src/main"));
        Files.createFile(home.resolve("pom.xml"));
        Files.createFile(home.resolve("cli/pom.xml"));
        Files.createFile(target.resolve("stackelberg.jar"));
        Path jdk = Files.createDirectories(home.resolve("jdk/bin")).getParent();
        script(jdk.resolve("bin/java"), "for word; do echo \"$word\"; done");
        script(
                Files.createDirectories(home.resolve("bin")).resolve("mvn"),
                "for word; do case $word in -DoutputDirectory=*) touch \"$(mkdir -p \"${word#*=}\" && echo \"${word#*=}\")/duckdb_jdbc-$(sed -n"
                        + " 's/^duckdb=.*:\\(.*\\)/\\1/p' '" + copy + "').jar\" ;; esac; done");
        Files.createFile(target.resolve("built"));
        String fetching = "Fetching DuckDB's driver";

        assertThat(launched(home, jdk, copy, "fit", "x.csv", "--query", "x"))
                .contains("-Dstackelberg.drivers=" + target.toRealPath().resolve("drivers"))
                .doesNotContain(fetching);
        assertThat(launched(home, jdk, copy, "fit", "x.parquet", "--driver", "x.jar"))
                .doesNotContain(fetching);
        assertThat(launched(home, jdk, copy, "predict", "m.json", "x.csv", "-o", "out.parquet"))
                .contains(fetching);
        assertThat(target.resolve("drivers")).isDirectoryContaining("glob:**/duckdb_jdbc-*.jar");
        assertThat(launched(home, jdk, copy, "fit", "jdbc:duckdb:x.db")).doesNotContain(fetching);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static String launched(Path home, Path jdk, Path launcher, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("sh", launcher.toString()));
        all.addAll(List.of(words));
        ProcessBuilder process = new ProcessBuilder(all).redirectErrorStream(true);
        process.environment().put("JAVA_HOME", jdk.toString());
        process.environment().merge("PATH", home.resolve("bin").toString(), (path, first) -> first + ":" + path);
        Process run = process.start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(run.waitFor()).as(said).isZero();
        return said;
    }
}
