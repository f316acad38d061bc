package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;

/** Files at the wrong place or of the wrong kind are told apart from damaged ones. */
class WrongFilesTest {
    @TempDir
    Path folder;

    @Test
    void theModelComesFirst() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model);

        for (String command : new String[] {"predict", "respond", "evaluate", "verify"}) {
            Run run = Run.stackelberg(command, data, model);

            assertThat(run.code()).as(command).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err())
                    .startsWith("Error: The model comes first")
                    .contains("Maybe " + command + " " + model + " " + data);
        }
    }

    @Test
    void dataGivenAsAModelAreRefused() {
        Path x = folder.resolve("x.npy");
        NpyWriter.write(x, new double[] {1, -2, 3e300});

        for (Path data : new Path[] {Samples.csv(folder), x}) {
            Run run = Run.stackelberg("predict", data, data);

            assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
            assertThat(run.err())
                    .contains("is not a Stackelberg model: it is not JSON")
                    .contains("fit -o");
        }
    }

    @Test
    void anArrayGivenAsATableIsRefused() {
        Path x = folder.resolve("X.npy");
        NpyWriter.write(x, new double[] {1, 2, 3});

        Run run = Run.stackelberg("fit", x);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("use --x " + x);
    }

    @Test
    void blanksAreNotADelimiter() {
        Path data = Samples.file(folder, "blanks.txt", "a b y\n1 2 3\n2 5 4\n3 1  5\n");

        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "y+1");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("blanks between its fields").contains("comma, a semicolon, a tab or |");
    }

    @Test
    void oneColumnMayHaveBlanksInItsNameAndItsTexts() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Path named = Samples.file(folder, "named.csv", Samples.read(data).replaceFirst("a,b", "body mass,b"));
        Run.stackelberg("fit", named, "--target", "y", "--wish", "max(y,1)", "--features", "body mass", "-o", model);
        Path one = Samples.file(folder, "one.csv", "body mass\n1\n2\n");

        assertThat(Run.stackelberg("predict", model, one).out().lines()).hasSize(3);
    }

    @Test
    void outputsNamedAsArraysAreRefused() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Path array = folder.resolve("p.npy");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model);

        Run run = Run.stackelberg("predict", model, data, "-o", array);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("-o " + array + ": the output is CSV");
        assertThat(array).doesNotExist();
    }
}
