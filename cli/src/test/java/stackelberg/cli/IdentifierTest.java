package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A column that names people lets a rule learn them by heart: a loss of 0 because of it does not come without a warning. */
class IdentifierTest {
    @TempDir
    Path folder;

    @Test
    void anIdentifierIsNamed() {
        Path data = withColumn(i -> "p" + i);

        Run run = fit(data);
        Run ignored = fit(data, "--ignore", "id");

        assertThat(run.err())
                .contains("Column 'id' has a value of its own in every row")
                .contains("Maybe --ignore id.");
        assertThat(ignored.err()).doesNotContain("value of its own");
    }

    @Test
    void soIsAColumnWithADifferentTextInMostRows() {
        assertThat(fit(withColumn(i -> "p" + Math.max(i, 20))).err())
                .contains("Column 'id' has 40 different values in 60 rows");
    }

    @Test
    void halfAsManyLevelsAsRowsAreCategories() {
        assertThat(fit(withColumn(i -> "p" + i / 2)).err()).doesNotContain("different values");
    }

    @Test
    void theOtherCommandsThatLearnSaySo() {
        Path data = withColumn(i -> "p" + i);

        for (String command : new String[] {"path", "tune"}) {
            Run run = Run.stackelberg(command, data, "--target", "y", "--wish", "hope", "--immutable", "none");
            assertThat(run.err()).as(command).contains("a value of its own in every row");
        }
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
