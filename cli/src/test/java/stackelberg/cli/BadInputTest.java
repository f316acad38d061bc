package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.cli.terminal.Failures;
import stackelberg.data.io.DataFile;
import stackelberg.data.io.NpyWriter;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;

/** What cannot be used is refused with a message that names it, the right exit code and no stack trace. */
class BadInputTest {
    @TempDir
    Path folder;

    static Stream<Arguments> badFiles() {
        return Stream.of(
                Arguments.of("empty file", "", "empty"),
                Arguments.of(
                        "another delimiter in the header",
                        "\"a\";\"b\";\"y\",hope\n1;2;3;4\n2;3;4;5\n",
                        "line 1 cannot be split into fields"),
                Arguments.of("header only", "a,b,y,hope\n", "no rows"),
                Arguments.of("one row", "a,b,y,hope\n1,2,3,4\n", "1 row"),
                Arguments.of("ragged row", "a,b,y,hope\n1,2,3,4\n5,6,7\n8,9,1,2\n", "line 3"),
                Arguments.of(
                        "text in a numeric column",
                        "a,b,y,hope\n" + "1,2,3,4\n".repeat(30) + "1,oops,3,4\n" + "2,1,4,5\n".repeat(30),
                        "\"oops\""),
                Arguments.of("text in the target", "a,b,y,hope\n1,2,good,4\n1,3,bad,4\n2,2,good,5\n", "'y'"),
                Arguments.of("NaN", "a,b,y,hope\n1,2,3,4\n2,NaN,4,5\n3,1,5,6\n", "row 2 (line 3)"),
                Arguments.of("infinity", "a,b,y,hope\n1,2,3,4\n2,Infinity,4,5\n3,1,5,6\n", "Infinity"),
                Arguments.of("duplicate column names", "a,a,y,hope\n1,2,3,4\n2,3,4,5\n", "'a'"),
                Arguments.of("too large to square", "a,b,y,hope\n1,2,3e200,4\n2,1,4,5\n3,1,5,6\n", "other units"),
                Arguments.of("huge number", "a,b,y,hope\n1,2,3,4\n2,1e999,4,5\n3,1,5,6\n", "1e999"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badFiles")
    void badDataAreNamed(String what, String content, String inMessage) {
        Path file = Samples.file(folder, "data.csv", content);

        Run run = Run.stackelberg("fit", file, "--target", "y", "--wish", "hope");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.BAD_DATA);
        assertRefusedWith(run, inMessage);
    }

    @Test
    void aFileThatIsReadIsNotOverwritten() {
        String content = "a,b,y,hope\n1,2,3,4\n2,5,4,5\n3,1,5,6\n";
        Path file = Samples.file(folder, "data.csv", content);

        Run run = Run.stackelberg("fit", file, "--target", "y", "--wish", "hope", "-o", file);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(run, "would be overwritten");
        assertThat(file).hasContent(content);
    }

    @Test
    void anArrayThatIsReadIsNotOverwritten() {
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        NpyWriter.write(x, DenseMatrix.of(new double[][] {{1, 2}, {2, 5}, {3, 1}}));
        NpyWriter.write(y, new double[] {3, 4, 5});

        Run run = Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "max(y,4)", "-o", y);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(run, "would be overwritten");
        assertThat(DataFile.arrays(y, null, null, Workers.of(1)).numeric("1").values())
                .containsExactly(3, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fit -o", "tune -o", "tune --model", "path --report", "compare --report"})
    void theCostsAreNotOverwritten(String output) {
        Path file = Samples.file(folder, "data.csv", "a,b,y,hope\n1,2,3,4\n2,5,4,5\n3,1,5,6\n");
        Path costs = Samples.file(folder, "costs.csv", "feature,cost\na,2\n");
        String[] words = output.split(" ");

        Run run = Run.stackelberg(words[0], file, "--target", "y", "--wish", "hope", "--costs", costs, words[1], costs);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(run, "would be overwritten");
        assertThat(costs).hasContent("feature,cost\na,2\n");
    }

    @Test
    void exportOverwritesNoArray() {
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        NpyWriter.write(x, DenseMatrix.of(new double[][] {{1, 2}, {2, 5}, {3, 1}}));
        NpyWriter.write(y, new double[] {3, 4, 5});

        Run run = Run.stackelberg("export", "--as", "sdpa", "--x", x, "--y", y, "--wish", "max(y,4)", "-o", y);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(run, "would be overwritten");
        assertThat(DataFile.arrays(y, null, null, Workers.of(1)).numeric("1").values())
                .containsExactly(3, 4, 5);
    }

    @Test
    void tuneWritesTwoOutputsToTwoFiles() {
        Path file = Samples.file(folder, "data.csv", "a,b,y,hope\n1,2,3,4\n2,5,4,5\n3,1,5,6\n");
        Path out = folder.resolve("t.json");

        Run run = Run.stackelberg("tune", file, "--target", "y", "--wish", "hope", "-o", out, "--model", out);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(run, "two outputs");
    }

    static Stream<Arguments> badChoices() {
        return Stream.of(
                Arguments.of("unknown target", ExitCode.BAD_DATA, "There is no column 'yy'", "--target yy --wish hope"),
                Arguments.of("typo in the wish", ExitCode.BAD_DATA, "'mx'", "--target y --wish mx(y,6)"),
                Arguments.of("unfinished wish", ExitCode.BAD_DATA, "position 8", "--target y --wish max(y,6"),
                Arguments.of("unknown immutable", ExitCode.BAD_DATA, "'c'", "--target y --wish hope --immutable c"),
                Arguments.of(
                        "nothing to change",
                        ExitCode.BAD_DATA,
                        "no manipulable feature",
                        "--target y --wish hope --features a --immutable a"),
                Arguments.of("unknown cost", ExitCode.BAD_DATA, "'c'", "--target y --wish hope --cost c=2"),
                Arguments.of(
                        "weight and target",
                        ExitCode.BAD_DATA,
                        "'y' cannot be both the target and the weight",
                        "--target y --wish hope --weight y"),
                Arguments.of(
                        "gamma and target",
                        ExitCode.BAD_DATA,
                        "'y' cannot be both the target and the gamma of each row",
                        "--target y --wish hope --row-gamma y"),
                Arguments.of(
                        "group and target",
                        ExitCode.BAD_DATA,
                        "'y' cannot be both the target and the group",
                        "--target y --wish hope --group y"),
                Arguments.of(
                        "gamma and weight",
                        ExitCode.BAD_DATA,
                        "'b' cannot be both the weight (--weight) and the gamma of each row",
                        "--target y --wish hope --row-gamma b --weight b"),
                Arguments.of(
                        "wish and weight",
                        ExitCode.BAD_DATA,
                        "'hope' cannot be both the weight (--weight) and the wish",
                        "--target y --wish hope --weight hope"),
                Arguments.of(
                        "feature and ignored",
                        ExitCode.BAD_DATA,
                        "'a' is both among the features (--features) and to be ignored (--ignore)",
                        "--target y --wish hope --features a,b --ignore a"),
                Arguments.of(
                        "immutable and ignored",
                        ExitCode.BAD_DATA,
                        "'a' is declared immutable (--immutable) but is not a feature: it is to be ignored",
                        "--target y --wish hope --immutable a --ignore a"),
                Arguments.of(
                        "cost and immutable",
                        ExitCode.BAD_DATA,
                        "'a' has a cost of moving, but it is declared immutable (--immutable)",
                        "--target y --wish hope --immutable a --cost a=2"),
                Arguments.of(
                        "cost of categories",
                        ExitCode.BAD_DATA,
                        "'kind' has a cost of moving, but it holds categories",
                        "--target y --wish hope --cost kind=2"),
                Arguments.of(
                        "cost of the ignored",
                        ExitCode.BAD_DATA,
                        "'a', which is not a feature: it is to be ignored (--ignore)",
                        "--target y --wish hope --ignore a --cost a=2"),
                Arguments.of("negative weights", ExitCode.BAD_DATA, "'a', row", "--target y --wish hope --weight a"),
                Arguments.of(
                        "gamma 1e300",
                        ExitCode.WRONG_USAGE,
                        "gamma is 1.0E300",
                        "--target y --wish hope --gamma 1e300"),
                Arguments.of("gamma 0", ExitCode.WRONG_USAGE, "gamma is 0;", "--target y --wish hope --gamma 0"),
                Arguments.of("gamma -1", ExitCode.WRONG_USAGE, "gamma is -1;", "--target y --wish hope --gamma -1"),
                Arguments.of("gamma NaN", ExitCode.WRONG_USAGE, "gamma is NaN", "--target y --wish hope --gamma NaN"),
                Arguments.of(
                        "gamma x",
                        ExitCode.WRONG_USAGE,
                        "--gamma: \"x\" must be a number",
                        "--target y --wish hope --gamma x"),
                Arguments.of("cost 0", ExitCode.WRONG_USAGE, "The cost of 'a'", "--target y --wish hope --cost a=0"),
                Arguments.of("no threads", ExitCode.WRONG_USAGE, "threads", "--target y --wish hope --threads 0"),
                Arguments.of("tolerance 2", ExitCode.WRONG_USAGE, "tolerance", "--target y --wish hope --tolerance 2"),
                Arguments.of("no target", ExitCode.WRONG_USAGE, "--target", "--wish hope"),
                Arguments.of("no wish", ExitCode.WRONG_USAGE, "--wish", "--target y"),
                Arguments.of("unknown solver", ExitCode.WRONG_USAGE, "direct", "--target y --wish hope --solver magic"),
                Arguments.of("unknown scale", ExitCode.WRONG_USAGE, "range", "--target y --wish hope --scale log"),
                Arguments.of("unknown option", ExitCode.WRONG_USAGE, "--gamma", "--target y --wish hope --gama 1"),
                Arguments.of("two sources", ExitCode.WRONG_USAGE, "--x", "--target y --wish hope --x x.npy"),
                Arguments.of("z without x", ExitCode.WRONG_USAGE, "--x", "--target y --z z.npy"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badChoices")
    void badChoicesAreNamed(String what, int code, String inMessage, String options) {
        Object[] args = Stream.concat(Stream.of("fit", Samples.csv(folder)), Stream.of((Object[]) options.split(" ")))
                .toArray();

        Run run = Run.stackelberg(args);

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertRefusedWith(run, inMessage);
    }

    @Test
    void aMissingFileIsNamedWithTheNearestOne() {
        Samples.csv(folder);

        Run run = Run.stackelberg("fit", folder.resolve("sampel.csv"), "--target", "y", "--wish", "hope");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertRefusedWith(run, "'sample.csv'");
    }

    @Test
    void aModelFileCutInHalfIsRefusedByEveryCommandThatReadsOne() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model);
        String whole = Samples.read(model);
        Samples.file(folder, "model.json", whole.substring(0, whole.length() / 2));

        for (String command : new String[] {"predict", "verify"}) {
            Run run = Run.stackelberg(command, model, data);
            assertThat(run.code()).as(command + run.err()).isEqualTo(ExitCode.BAD_DATA);
            assertRefusedWith(run, "not a whole JSON file");
        }
    }

    @Test
    void anUnknownCommandIsWrongUsage() {
        Run unknown = Run.stackelberg("fti");
        assertThat(unknown.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertRefusedWith(unknown, "There is no command 'fti'");
    }

    @Test
    void anUnexpectedErrorIsOneLineWithExitCodeOne() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setErr(new PrintWriter(err));

        assertThat(Failures.onException(new IllegalStateException("odd\nvery"), command, null))
                .isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(Failures.onError(new StackOverflowError(), command)).isEqualTo(ExitCode.INTERNAL_ERROR);

        assertThat(err.toString().lines())
                .hasSize(2)
                .allMatch(line -> line.startsWith("Internal error: ") && line.contains("STACKELBERG_DEBUG=1"));
    }

    @Test
    void runningOutOfMemorySaysHowToAllowMore() {
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine().setErr(new PrintWriter(err));

        assertThat(Failures.onError(new OutOfMemoryError("Java heap space"), command))
                .isEqualTo(ExitCode.INTERNAL_ERROR);

        assertThat(err.toString()).contains("Java heap space").contains("STACKELBERG_JAVA_OPTS=-Xmx");
    }

    private static void assertRefusedWith(Run run, String inMessage) {
        assertThat(run.err()).startsWith("Error: ").contains(inMessage);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).doesNotContain("Exception").doesNotContain("\tat ");
    }
}
