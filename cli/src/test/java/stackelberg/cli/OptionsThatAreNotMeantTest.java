package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.command.EffectCommand;
import stackelberg.cli.command.GammaCommand;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.JsonNode;

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
        assertThat(run.err()).contains("--weight: gamma is estimated from observed moves");
    }

    @Test
    void helpDoesNotListWhatTheCommandRefuses() {
        String effect = Run.stackelberg("effect", "--help").out();
        assertThat(effect).contains("--rule", "--effect", "--bootstrap");
        EffectCommand.REFUSED.forEach(
                option -> assertThat(effect).as(option).doesNotContainPattern("(?m)^ +" + option + "[ =]"));
        String gamma = Run.stackelberg("gamma", "--help").out();
        assertThat(gamma).containsPattern("(?m)^ +--gamma[ =]").containsPattern("(?m)^ +--limit[ =]");
        GammaCommand.REFUSED.forEach(
                option -> assertThat(gamma).as(option).doesNotContainPattern("(?m)^ +" + option + "[ =]"));
        assertThat(Run.stackelberg("fit", "--help").out()).containsPattern("(?m)^ +--ridge[ =]");
    }

    @Test
    void optionsThatHelpDoesNotListAreRefusedByName() {
        Path data = Samples.csv(folder);
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\nb,1\n");
        for (String option : EffectCommand.REFUSED) {
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

    private static void assertRefused(String words, Object... command) {
        Run run = Run.stackelberg(command);
        assertThat(run.code())
                .as(String.join(" ", List.of(command).toString(), run.out(), run.err()))
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains(words);
    }

    @Test
    void exportTakesTheGameFromTheModel() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("m.json");
        Run fit = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--hedge", "none", "-q", "-o", model);
        assertThat(fit.code()).as(fit.err()).isZero();

        assertRefused(
                "--gamma: the game is declared in the model", "export", model, data, "--as", "sdpa", "--gamma", "0.1");
        assertRefused(
                "--immutable, --ridge: the game", "export", model, "--as", "sql", "--immutable", "a", "--ridge", "5");
        assertRefused("--no-header: a rule is exported without data", "export", model, "--as", "pmml", "--no-header");
        assertRefused("--json: what --as sql writes is not JSON", "export", model, "--as", "sql", "--json");
        assertRefused(
                "--unknown: unknown categories play no role",
                "export",
                model,
                data,
                "--as",
                "sdpa",
                "--unknown",
                "zero");
        assertRefused("--missing: the model says", "export", model, data, "--as", "sdpa", "--missing", "drop");
        assertThat(Run.stackelberg("export", model, "--as", "sql", "--missing", "mean")
                        .code())
                .isZero();
        assertThat(Run.stackelberg("export", model, data, "--as", "sdpa", "--threads", "1")
                        .code())
                .isZero();
        assertThat(Run.stackelberg("export", data, "--as", "sdpa", "--target", "y", "--wish", "hope", "--gamma", "0.1")
                        .code())
                .isZero();
    }

    @Test
    void unusedWishesAreRefused() {
        Path data = Samples.file(folder, "d.svm", "1 1:2\n2 1:3 2:1\n3 2:1\n2.5 1:1 2:3\n");
        Path z = folder.resolve("z.npy");
        NpyWriter.write(z, new double[] {2, 3, 4, 5});
        Path model = folder.resolve("m.json");
        Run fit = Run.stackelberg("fit", data, "--wish", "max(y,2)", "--gamma", "1", "-q", "-o", model);
        assertThat(model).as(fit.err()).exists();

        for (String command : List.of("respond", "predict", "evaluate", "verify")) {
            assertRefused(
                    "--z is given, but the model already says what people want: max(y,2)",
                    command,
                    model,
                    data,
                    "--z",
                    z);
        }
        assertRefused("Both --wish and --z are given", "evaluate", model, data, "--z", z, "--wish", "p+1");
        Run used = Run.stackelberg("evaluate", model, data, "--z", z, "--wish", "z");
        assertThat(used.code()).as(used.err()).isZero();
        assertRefused(
                "--z holds the wishes of the people in the first file", "compare", data, "--z", z, "--test", data);
        assertRefused("--no-header is for CSV", "fit", data, "--z", z, "--no-header");
    }

    @Test
    void optionsWithoutAnEffectAreRefused() {
        Path data = Samples.csv(folder);
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\nb,1\n");
        for (String option : List.of("--wish-noise", "--effect")) {
            assertRefused(
                    option + ": gamma is estimated from observed moves",
                    "gamma",
                    "--rule",
                    rule,
                    "--wish",
                    "p+1",
                    "--before",
                    data,
                    "--after",
                    data,
                    option,
                    option.equals("--effect") ? "a=1" : "1");
        }
        assertRefused(
                "--group: retraining is reported", "simulate", data, "--target", "y", "--wish", "hope", "--group", "b");
        assertRefused("Both --report and --no-report", "demo", "--no-report", "--report", folder.resolve("p.html"));
        assertRefused(
                "The test fraction is 2.0",
                "compare",
                folder.resolve("none.csv"),
                "--target",
                "y",
                "--wish",
                "hope",
                "--test-fraction",
                "2");
    }

    @Test
    void describeProposesACommandThatRuns() {
        Path data = Samples.csv(folder);

        for (List<String> options : List.of(
                List.<String>of(), List.of("--limit", "a>=0"), List.of("--effect", "a=1"), List.of("--ridge", "0.5"))) {
            List<Object> words = new ArrayList<>(List.of("describe", data, "--target", "y", "--json"));
            words.addAll(options);
            Run described = Run.stackelberg(words.toArray());
            Object[] next = described
                    .json()
                    .get("nextWords")
                    .valueStream()
                    .map(JsonNode::asString)
                    .toArray();
            Run fit = Run.stackelberg(next);
            assertThat(fit.code()).as(fit.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
            assertThat(Arrays.asList(next)).contains("fit", "--wish").containsAll(options);
        }
    }

    /** Decimal fractions of a percent are what they are written as. */
    @Test
    void percentagesHaveNoRoundingErrors() {
        Path data = Samples.csv(folder);

        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--hedge", "1.1%")
                        .out())
                .contains("at most 1.1% worse");
        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--gamma", "57%..29%")
                        .err())
                .contains("Maybe 29%..57%.");
    }

    /** What is filled in would be a move. */
    @Test
    void gammaFillsNothingIn() {
        Path before = Samples.file(folder, "b.csv", "a,b,hope\n1,2,9\n2,,9\n3,1,9\n4,3,8\n");
        Path after = Samples.file(folder, "a.csv", "a,b,hope\n2,2,9\n3,2,9\n4,1,9\n5,3,8\n");
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\nb,1\n");
        Run run = Run.stackelberg(
                "gamma", "--rule", rule, "--wish", "hope", "--before", before, "--after", after, "--missing", "mean");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("Column 'b' lacks 1 value; a value that was filled in would count as a move");
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
