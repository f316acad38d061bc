package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;

/** What a LIBSVM file does not hold is zero, also behind its highest index, and never takes any room. */
class SparseDataTest {
    @TempDir
    Path folder;

    private Path svm(String name, int rows, int columns, int perRow, int last) {
        Random random = new Random(rows + columns);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows; i++) {
            StringBuilder row = new StringBuilder();
            double y = random.nextGaussian();
            for (int k = 0; k < perRow; k++) {
                int from = k * (columns / perRow);
                int column = 1 + from + random.nextInt(columns / perRow);
                double value = Math.rint(100 * random.nextGaussian()) / 100;
                y += column % 7 * value;
                row.append(' ').append(column).append(':').append(value);
            }
            if (last > 0 && i == 0) {
                row.append(' ').append(last).append(":1");
            }
            text.append(String.format(Locale.ROOT, "%.3f", y)).append(row).append('\n');
        }
        return Samples.file(folder, name, text.toString());
    }

    @Test
    void aFileWithoutTheHighestIndexIsScored() {
        Path model = folder.resolve("model.json");
        assertThat(Run.stackelberg("fit", svm("fit.svm", 60, 30, 6, 31), "--wish", "max(y,1)", "-o", model)
                        .code())
                .isZero();
        Path fewer = svm("new.svm", 8, 30, 5, 0);
        Path padded = Samples.file(folder, "padded.svm", Samples.read(fewer).replaceFirst("\n", " 31:0\n"));

        for (String command : new String[] {"predict", "respond", "evaluate"}) {
            Run run = Run.stackelberg(command, model, fewer, "--json");
            assertThat(run.code()).as(command + run.err()).isZero();
            assertThat(run.out())
                    .isEqualTo(Run.stackelberg(command, model, padded, "--json").out());
        }
        // of other people the rule is not the best, which is all that is wrong with them
        assertThat(Run.stackelberg("verify", model, fewer).code()).isEqualTo(ExitCode.NOT_CERTIFIED);
    }

    @Test
    void anIndexThatTheRuleLacksIsNamed() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", svm("fit.svm", 60, 30, 6, 30), "--wish", "max(y,1)", "-o", model);
        Path more = svm("more.svm", 8, 30, 5, 41);
        Path known = Samples.file(folder, "known.svm", Samples.read(more).replace(" 41:1", ""));

        for (String command : new String[] {"predict", "respond", "evaluate"}) {
            Run run = Run.stackelberg(command, model, more, "--json");
            assertThat(run.code()).as(command).isEqualTo(ExitCode.BAD_DATA);
            assertThat(run.err())
                    .contains("The data have a column 41 (row 1), but the rule was learned from the columns 1 to 30")
                    .contains("--unknown zero");
            assertThat(Run.stackelberg(command, model, more, "--json", "--unknown", "zero")
                            .out())
                    .isEqualTo(Run.stackelberg(command, model, known, "--json").out());
        }
    }

    /** As a table of numbers these people would take 16 GB, more than the tests have. */
    @Test
    @Tag("slow")
    void sparseRowsStaySparse() {
        Path model = folder.resolve("model.json");
        Path data = svm("wide.svm", 60, 20_000, 10, 20_000);
        assertThat(Run.stackelberg("fit", data, "--wish", "max(y,1)", "-q", "-o", model)
                        .code())
                .isZero();
        Path many = svm("many.svm", 100_000, 20_000, 10, 0);

        assertThat(Run.stackelberg("predict", model, many).out().lines()).hasSize(100_001);
        assertThat(Run.stackelberg("evaluate", model, many).code()).isZero();
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
        Path some = svm("some.svm", 500, 20_000, 10, 0);
        assertThat(Run.stackelberg("respond", model, some, "--json").code()).isZero();
    }
}
