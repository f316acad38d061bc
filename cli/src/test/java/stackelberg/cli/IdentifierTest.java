package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;

/** A column that names people lets a rule learn them by heart: it is left out, refused or warned about, and never taken without a word. */
class IdentifierTest {
    @TempDir
    Path folder;

    @Test
    void anIdentifierIsLeftOutWithANote() {
        Path data = withColumn(i -> "p" + i);

        Run run = fit(data, "--json");

        assertThat(run.code()).isZero();
        assertThat(run.json().get("warnings").toString())
                .contains("Column 'id' has a value of its own in every row")
                .contains("is left out")
                .contains("--categorical id or name it in --features");
        assertThat(run.json().get("coefficients").size()).isEqualTo(3);
        assertThat(fit(data, "--ignore", "id").err()).doesNotContain("value of its own");
    }

    @Test
    void anIdentifierNamedInFeaturesIsKept() {
        Path data = withColumn(i -> "p" + i);
        for (Run run : new Run[] {
            fit(data, "--categorical", "id", "--json"),
            fit(data, "--features", "a,b,kind,id", "--json"),
            fit(data, "--immutable", "id,kind", "--json")
        }) {
            assertThat(run.json().get("coefficients").size()).isEqualTo(62);
            assertThat(run.json().get("warnings").toString())
                    .contains("memorise such rows")
                    .contains("There are fewer rows (60) than coefficients (63)");
        }
    }

    @Test
    void moreLevelsThanATenthOfTheRowsAreRefused() {
        Run run = fit(withColumn(i -> "p" + Math.max(i, 20)));

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err())
                .contains("Column 'id' has 40 different texts in 60 rows, more than a tenth")
                .contains("--ignore id")
                .contains("--categorical id or --features");
    }

    @Test
    void twentyLevelsAreCategories() {
        assertThat(fit(withColumn(i -> "p" + i / 3)).err()).doesNotContain("different");
    }

    @Test
    void allCommandsThatLearnNoteALeftOutIdentifier() {
        Path data = withColumn(i -> "p" + i);

        for (String command : new String[] {"path", "tune", "compare"}) {
            Run run = Run.stackelberg(command, data, "--target", "y", "--wish", "hope", "--immutable", "none");
            assertThat(run.err())
                    .as(command)
                    .contains("a value of its own in every row")
                    .contains("is left out");
        }
    }

    /** What fit left out need not be there when the rule is used, and may hold anything if it is. */
    @Test
    void aModelDoesNotNeedColumnsThatWereLeftOut() {
        Path model = folder.resolve("model.json");
        fit(withColumn(i -> "p" + i), "-o", model.toString());

        for (String command : new String[] {"predict", "respond", "evaluate", "verify"}) {
            // to verify, these are other data than the model's, whatever is in use of them
            int code = command.equals("verify") ? ExitCode.NOT_CERTIFIED : ExitCode.CERTIFIED;
            assertThat(Run.stackelberg(command, model, Samples.csv(folder)).code())
                    .as(command)
                    .isEqualTo(code);
            Run other = Run.stackelberg(command, model, withColumn(i -> i == 7 ? "slip" : "" + i));
            assertThat(other.code()).as(command + other.err()).isEqualTo(code);
        }
        assertThat(Samples.read(model)).contains("Column 'id' has a value of its own in every row");
    }

    private Run fit(Path data, String... more) {
        Object[] args = new Object[6 + more.length];
        System.arraycopy(new Object[] {"fit", data, "--target", "y", "--wish", "hope"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        return Run.stackelberg(args);
    }

    private Path withColumn(IntFunction<String> text) {
        String[] lines = Samples.read(Samples.csv(folder)).split("\\R");
        StringBuilder csv = new StringBuilder(lines[0] + ",id\n");
        for (int i = 1; i < lines.length; i++) {
            csv.append(lines[i]).append(',').append(text.apply(i - 1)).append('\n');
        }
        return Samples.file(folder, "id.csv", csv.toString());
    }
}
