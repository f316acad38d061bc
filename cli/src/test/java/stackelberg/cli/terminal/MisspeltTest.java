package stackelberg.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.Run;
import stackelberg.cli.Samples;

/** Values that an option does not take: what, which value, what rule, and what was maybe meant. */
class MisspeltTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--gamma abc | --gamma: \"abc\" must be a number, or a share in percent | Maybe write 30%",
                "--gamma 0,5 | --gamma: \"0,5\" must be a number, or a share in percent | Maybe 0.5.",
                "--gamma 130% | --gamma: gamma is 130%; a share must lie between 0% and 100% | Maybe",
                "--truthful-share 30% | --truthful-share is \"30%\"; it must be a number | Maybe 0.3.",
                "--cost alcohol | --cost is \"alcohol\"; it must be COL=VALUE | Maybe write --cost alcohol=2.",
                "--cost a=0,5 | --cost: \"0,5\" after = must be a number | Maybe 0.5.",
                "--threads two | --threads is \"two\"; it must be a whole number | Maybe",
                "--solver magic | --solver: \"magic\" is not one of auto | direct"
            })
    void valuesAreNamedWithTheRule(String options, String what, String maybe) {
        Run run = fit(options.split(" "));

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).startsWith("Error: " + what).contains(maybe).doesNotContain("double");
    }

    @ParameterizedTest
    @ValueSource(strings = {"path", "tune"})
    void gammasPerRowAreForFitAndCompare(String command) {
        Run own = Run.stackelberg(command, Samples.csv(folder), "--target", "y", "--wish", "hope", "--row-gamma", "b");

        assertThat(own.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(own.err())
                .contains("--row-gamma is not an option of " + command)
                .contains("Maybe run fit --row-gamma")
                .doesNotContain("for each gamma");
    }

    @Test
    void mixedPopulationsAreNotDescribed() {
        Run run = Run.stackelberg("describe", Samples.csv(folder), "--target", "y", "--truthful-share", "0.3");

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err())
                .contains("--truthful-share is not an option of describe")
                .contains("mixed populations are for fit, path, tune and compare")
                .doesNotContain("--trace");
    }

    @Test
    void anUnknownOptionStillSuggestsTheNearest() {
        assertThat(fit("--gama", "1").err())
                .contains("--gama is not an option of fit")
                .contains("Maybe --gamma");
        assertThat(fit("--whish", "hope").err()).contains("Maybe --wish.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fitt", "help fitt", "Fit"})
    void anUnknownCommandSuggestsTheNearest(String words) {
        Run run = Run.stackelberg((Object[]) words.split(" "));

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).startsWith("Error: There is no command '").contains("'.\nMaybe fit.\n");
    }

    @Test
    void aCommandThatResemblesNoneListsAll() {
        assertThat(Run.stackelberg("regression").err()).contains("Maybe one of demo, describe, fit,");
    }

    @Test
    void aSecondFileIsRefused() {
        Run run = fit("other.csv");

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).startsWith("Error: 'other.csv' is one word too many for fit.\nMaybe");
    }

    private Run fit(String... options) {
        return Run.stackelberg(Stream.concat(
                        Stream.of("fit", Samples.csv(folder), "--target", "y", "--wish", "hope"), Stream.of(options))
                .toArray());
    }
}
