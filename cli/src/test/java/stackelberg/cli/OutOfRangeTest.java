package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.Message;
import stackelberg.data.io.NpyWriter;
import stackelberg.model.ModelFile;
import tools.jackson.databind.JsonNode;

/** {@code fit} reports how many people move out of the range seen in training, with the same words and count as {@code respond}. */
class OutOfRangeTest {
    @TempDir
    Path folder;

    private static List<String> warnings(Run run) {
        assertThat(run.code()).as(run.err()).isZero();
        List<String> warnings = new ArrayList<>();
        run.json().get("warnings").forEach(node -> warnings.add(node.asString()));
        return warnings.stream().filter(w -> w.contains("outside the range")).toList();
    }

    /** The rows that were inside the range of a column and end outside, counted from the moves that respond writes. */
    private static int counted(Samples.Game game, Path moves) {
        List<String[]> rows =
                Samples.read(moves).lines().skip(1).map(line -> line.split(",")).toList();
        int out = 0;
        for (int i = 0; i < game.x().rows(); i++) {
            boolean leaves = false;
            for (int j = 0; j < game.x().cols(); j++) {
                double[] column = game.x().column(j);
                double min = java.util.Arrays.stream(column).min().orElseThrow();
                double max = java.util.Arrays.stream(column).max().orElseThrow();
                double after = column[i] + Double.parseDouble(rows.get(i)[5 + j]);
                leaves |= after < min - 1e-9 * (max - min) || after > max + 1e-9 * (max - min);
            }
            out += leaves ? 1 : 0;
        }
        return out;
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 60, 200})
    void theCountIsThatOfRespondForEveryKindOfData(double gamma) {
        Samples.Game game = Samples.Game.random(400, 3);
        Path csv = Samples.file(folder, "game.csv", game.csv());
        Path svm = Samples.file(folder, "game.svm", game.libsvm());
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Path model = folder.resolve("model.json");
        Path moves = folder.resolve("moves.csv");

        List<String> table = warnings(
                Run.stackelberg("fit", csv, "--target", "y", "--wish", "z", "--gamma", gamma, "--json", "-o", model));
        List<String> responded = warnings(Run.stackelberg("respond", model, csv, "--json", "-o", moves));
        int out = counted(game, moves);

        assertThat(out).isBetween(1, 399);
        assertThat(table)
                .containsExactly(out + " of 400 people would end outside the range seen in training with at least one"
                        + " feature: the model sets no limits on moves.");
        assertThat(responded).isEqualTo(table);
        for (int threads = 1; threads <= 3; threads++) {
            assertThat(warnings(Run.stackelberg(
                            "fit", "--x", x, "--y", y, "--z", z, "--gamma", gamma, "--json", "--threads", threads)))
                    .isEqualTo(table);
        }
        assertThat(warnings(Run.stackelberg("fit", svm, "--z", z, "--gamma", gamma, "--json")))
                .isEqualTo(table);
        assertThat(ModelFile.load(model).warnings()).extracting(Message::text).containsAll(table);
    }

    /** The range of an indicator is 0 to 1. */
    @Test
    void categoriesThatPeopleCanChangeCountToo() {
        Path csv = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Object[] fit = {"fit", csv, "--target", "y", "--wish", "hope", "--immutable", "a,b", "--json", "-o", model};

        List<String> fitted = warnings(Run.stackelberg(fit));
        JsonNode responded = Run.stackelberg("respond", model, csv, "--json", "-o", folder.resolve("m.csv"))
                .json();

        assertThat(fitted).hasSize(1);
        assertThat(fitted.get(0))
                .startsWith(String.format(
                        Locale.ROOT,
                        "%d of %d people",
                        responded.get("peopleOutOfRange").asInt(),
                        Samples.ROWS));
    }

    @Test
    void noWarningWithoutRowsOutOfRangeOrWithoutARule() {
        Path csv = Samples.csv(folder);
        Object[] game = {"fit", csv, "--target", "y", "--hedge", "none", "--json"};
        Object[] hardly = {"--wish", "hope", "--gamma", 1e15};
        Object[] none = {"--wish", "y+1"};
        Object[] mixed = {"--wish", "hope", "--truthful-share", 0.5};
        for (Object[] more : new Object[][] {hardly, none, mixed}) {
            Run run = Run.stackelberg(
                    Stream.concat(Stream.of(game), Stream.of(more)).toArray());
            assertThat(run.json().get("warnings").toString()).doesNotContain("outside the range");
        }
    }

    @Test
    void theWarningIsInTheTerminalAndTheReport() {
        Path page = folder.resolve("fit.html");
        Run run = Run.stackelberg(
                "fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--gamma", "0.5", "--report", page);

        String line =
                run.err().lines().filter(l -> l.contains("outside")).findFirst().orElseThrow();
        assertThat(line).matches("Warning: \\d+ of 60 people would end outside the range .*");
        assertThat(Samples.read(page)).contains(line.substring("Warning: ".length()));
    }
}
