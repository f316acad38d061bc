package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import stackelberg.cli.terminal.Failures;

/** Names out of a file may hold what a terminal obeys: clearing the screen, turning text red, changing the window's title. */
class ControlCharactersTest {
    private static final String EVIL = "a\u001b[2J\u001b]0;owned\u0007\u009b31m\u202E";
    private static final String SHOWN = "a\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202e";

    @TempDir
    Path folder;

    private static void assertHarmless(String text) {
        assertThat(text.chars().filter(c -> c != '\n' && (Character.isISOControl(c) || c == 0x202E)))
                .isEmpty();
    }

    private Path data() {
        StringBuilder csv = new StringBuilder(EVIL + ",b,y\n");
        for (int i = 0; i < 20; i++) {
            csv.append(Math.sin(i))
                    .append(',')
                    .append(Math.cos(3 * i))
                    .append(',')
                    .append(i % 7)
                    .append('\n');
        }
        return Samples.file(folder, "data.csv", csv.toString());
    }

    @Test
    void theSummaryAndTheWarningsShowThemEscaped() {
        Path model = folder.resolve("model.json");
        Run fit = Run.stackelberg("fit", data(), "--target", "y", "--wish", "y+b", "-o", model);
        Run summary = Run.stackelberg("summary", model);
        Run verify = Run.stackelberg("verify", model, data(), "--full");
        Run respond = Run.stackelberg("respond", model, data(), "--wish", "5", "-o", folder.resolve("moves.csv"));

        for (Run run : new Run[] {fit, summary, verify, respond}) {
            assertThat(run.code()).as(run.err()).isIn(0, 4);
            assertThat(run.out()).contains(SHOWN);
            assertHarmless(run.out());
            assertHarmless(run.err());
        }
        assertThat(Samples.read(model)).contains("\\u001B[2J").contains("\u202E");
    }

    @Test
    void messagesShowThemEscaped() {
        Run wish = Run.stackelberg("fit", data(), "--target", "y", "--wish", "'" + EVIL + "x'");
        Run command = Run.stackelberg(EVIL);
        Run option = Run.stackelberg("fit", data(), "--" + EVIL);
        Run file = Run.stackelberg("fit", EVIL + ".csv", "--target", "y", "--wish", "y");

        for (Run run : new Run[] {wish, command, option, file}) {
            assertThat(run.code()).isIn(2, 3);
            assertThat(run.err()).contains(SHOWN);
            assertHarmless(run.err());
        }
    }

    @Test
    void filesForOtherProgramsKeepControlCharacters() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", data(), "--target", "y", "--wish", "y+b", "-o", model);

        Run json = Run.stackelberg("fit", data(), "--target", "y", "--wish", "y+b", "--json");
        Run moves = Run.stackelberg("respond", model, data(), "--wish", "5", "-o", folder.resolve("moves.csv"));

        assertThat(json.json().get("coefficients").has(EVIL)).isTrue();
        assertThat(moves.code()).isIn(0, 4);
        assertThat(Samples.read(folder.resolve("moves.csv"))).contains("move " + EVIL);
    }

    @Test
    void runningOutOfMemoryHasAMessageWithoutNull() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setErr(new PrintWriter(err));

        Failures.onError(new OutOfMemoryError(), command);

        assertThat(err.toString()).startsWith("Error: There is not enough memory.\nMaybe allow more");
    }
}
