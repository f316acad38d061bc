package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.command.EffectCommand;
import stackelberg.cli.command.GammaCommand;
import stackelberg.cli.terminal.ExitCode;

/** Options that a command cannot honour, or that contradict each other, are refused by name; those that it never honours are not listed. */
class OptionsThatAreNotMeantTest {
    @TempDir
    Path folder;

    @Test
    void gammaDoesNotIgnoreWeights() {
        Path data = Samples.csv(folder);
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\nb,1\n");
        List<Object> words =
                new ArrayList<>(List.of("gamma", "--rule", rule, "--wish", "p+1", "--before", data, "--after", data));
        Run fine = Run.stackelberg(words.toArray());
        words.addAll(List.of("--weight", "a"));
        Run run = Run.stackelberg(words.toArray());

        assertThat(fine.code()).as(fine.err()).isNotEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("--weight: what moving costs is told by what people did");
    }

    @Test
    void helpDoesNotListWhatTheCommandRefuses() {
        String effect = Run.stackelberg("effect", "--help").out();
        assertThat(effect).contains("--rule", "--effect", "--bootstrap");
        EffectCommand.MEANINGLESS.forEach(
                option -> assertThat(effect).as(option).doesNotContainPattern("(?m)^ +" + option + "[ =]"));
        String gamma = Run.stackelberg("gamma", "--help").out();
        assertThat(gamma).containsPattern("(?m)^ +--gamma[ =]").containsPattern("(?m)^ +--limit[ =]");
        GammaCommand.MEANINGLESS.forEach(
                option -> assertThat(gamma).as(option).doesNotContainPattern("(?m)^ +" + option + "[ =]"));
        assertThat(Run.stackelberg("fit", "--help").out()).containsPattern("(?m)^ +--ridge[ =]");
    }

    @Test
    void whatIsNotListedIsStillRefusedByName() {
        Path data = Samples.csv(folder);
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\nb,1\n");
        for (String option : EffectCommand.MEANINGLESS) {
            Run run = Run.stackelberg(
                    "effect",
                    "--rule",
                    rule,
                    "--target",
                    "y",
                    "--wish",
                    "p+1",
                    "--before",
                    data,
                    "--after",
                    data,
                    option,
                    option.equals("--limit") ? "a>=0" : option.equals("--one-sided") ? "up" : "1");
            assertThat(run.code()).as(option).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains(option + ":");
        }
    }

    @Test
    void oneColumnIsNotGivenTwoEffectsOrCosts() {
        Path data = Samples.csv(folder);
        for (String option : List.of("--effect", "--cost")) {
            for (String command : List.of("fit", "path", "compare", "tune")) {
                Run run = Run.stackelberg(
                        command, data, "--target", "y", "--wish", "hope", option, "a=1", option, "b=3", option, "a=2");
                assertThat(run.code()).as(command + run.err()).isEqualTo(ExitCode.WRONG_USAGE);
                assertThat(run.err()).contains(option + " is given twice for 'a'");
            }
        }
        assertThat(Run.stackelberg(
                                "fit", data, "--target", "y", "--wish", "hope", "--cost", "a=1", "--cost", "b=3", "-q")
                        .code())
                .isZero();
    }
}
