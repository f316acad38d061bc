package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A run builds only the command that it runs, and prints the same as with all commands. */
class CommandsTest {
    private static final CommandLine WHOLE = Main.commandLine();

    static Iterable<String> names() {
        return Main.COMMANDS.keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theHelpOfACommandIsTheSameAloneAndAmongAll(String name) {
        assertThat(run(Main.commandLineFor(name, "--help"), name, "--help")).isEqualTo(run(WHOLE, name, "--help"));
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCommandIsRegisteredUnderItsOwnName(String name) {
        assertThat(Main.COMMANDS.get(name).getAnnotation(Command.class).name()).isEqualTo(name);
    }

    @Test
    void fittingMakesNoOtherCommand() {
        assertThat(Main.commandLineFor("fit", "predict").getSubcommands()).containsOnlyKeys("fit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "--help", "-V fit", "help fit", "fti", "generate-completion", "--version --help", "@no-such"
            })
    void withoutACommandNameAllCommandsAreCreated(String line) {
        String[] words = line.isEmpty() ? new String[0] : line.split(" ");

        assertThat(Main.commandLineFor(words).getSubcommands()).containsOnlyKeys(Main.COMMANDS.keySet());
        assertThat(run(Main.commandLineFor(words), words)).isEqualTo(run(WHOLE, words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--version",
                "-V",
                "fit --gama 3",
                "fit --version",
                "predict",
                "bench",
                "bench run --help",
                "gamma --hedge 3"
            })
    void wrongWordsAndVersionsAreAnsweredAlike(String line) {
        String[] words = line.split(" ");

        assertThat(run(Main.commandLineFor(words), words)).isEqualTo(run(WHOLE, words));
    }

    @Test
    void describingKnowsTheOptionsOfFit() {
        CommandLine alone = Main.commandLineFor("describe");

        assertThat(stackelberg.cli.terminal.Commands.beside(
                        alone.getSubcommands().get("describe")))
                .containsOnlyKeys(Main.COMMANDS.keySet());
    }

    private static String run(CommandLine command, String... words) {
        StringWriter said = new StringWriter();
        PrintWriter both = new PrintWriter(said);
        int code = Main.execute(command.setOut(both).setErr(both), words);
        return code + "\n" + said;
    }
}
