package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guides' sessions print what the guides say, command by command, in one folder and in a shell as their readers have it. */
@Tag("slow")
class GuidesTest {
    private static final Path SHELL = Path.of("/bin/bash");

    private static final Pattern SESSION = Pattern.compile("```console\n(.+?)```", Pattern.DOTALL);

    /** A command and what it prints. */
    private static final Pattern STEP = Pattern.compile("^\\$ (.+)\n((?:(?!\\$ ).*\n)*)", Pattern.MULTILINE);

    /** Bounds on what rounding may do, which differ between machines. */
    private static final Pattern ROUNDING = Pattern.compile("by more than \\S+\\.\n|after \\d+ iterations");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"guide-effects.md", "guide-groups.md"})
    void aGuidePrintsWhatItSays(String guide) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(SHELL), "There is no " + SHELL + ".");
        String text = Samples.read(Path.of("..", "docs", guide));
        int steps = 0;
        for (MatchResult session : SESSION.matcher(text).results().toList()) {
            for (MatchResult step : STEP.matcher(session.group(1)).results().toList()) {
                assertThat(sure(printed(step.group(1)))).as(step.group(1)).isEqualTo(sure(step.group(2)));
                steps++;
            }
        }
        assertThat(steps).isGreaterThan(3);
    }

    private String printed(String line) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = "stackelberg() { \"$JAVA\" -XX:TieredStopAtLevel=1 -cp \"$CLASSES\" " + Main.class.getName()
                + " \"$@\"; }\n" + line;
        File out = folder.resolve("printed.txt").toFile();
        ProcessBuilder builder = new ProcessBuilder(SHELL.toString(), "-c", command)
                .directory(folder.toFile())
                .redirectOutput(out)
                .redirectErrorStream(true);
        builder.environment().put("JAVA", java);
        builder.environment().put("CLASSES", System.getProperty("java.class.path"));
        Process process = builder.start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return Samples.read(out.toPath());
    }

    private static String sure(String text) {
        return ROUNDING.matcher(text).replaceAll("");
    }
}
