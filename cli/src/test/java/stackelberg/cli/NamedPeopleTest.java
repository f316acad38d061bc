package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.JsonNode;

/** {@code --id}: people keep their names from the data to what is written about them. */
class NamedPeopleTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void people() {
        String[] lines = Samples.read(Samples.csv(folder)).split("\\R");
        StringBuilder csv = new StringBuilder("who," + lines[0] + "\n");
        for (int i = 1; i < lines.length; i++) {
            csv.append(name(i)).append(',').append(lines[i]).append('\n');
        }
        data = Samples.file(folder, "named.csv", csv.toString());
        model = folder.resolve("named.json");
    }

    /** Looks like a number, but is none. */
    private static String name(int i) {
        return String.format("%04d", 7 * i);
    }

    @Test
    void theIdColumnIsNeverAFeature() {
        Run named = fit("--id", "who", "--json");
        Run without = fit("--ignore", "who", "--json");

        assertThat(named.code()).as(named.err()).isZero();
        assertThat(named.json().get("coefficients")).isEqualTo(without.json().get("coefficients"));
        assertThat(fit("--id", "who", "--features", "a,who").err())
                .contains("'who'")
                .contains("identifier")
                .contains("cannot be a feature too");
        assertThat(fit("--id", "who", "--cost", "who=2").err()).contains("the identifier (--id)");
        assertThat(fit("--id", "who", "--immutable", "who").err()).contains("the identifier (--id)");
    }

    @Test
    void idColumnCannotHaveAnotherRole() {
        assertThat(fit("--id", "y").err()).contains("Column 'y' cannot be both the target and the identifier (--id)");
        assertThat(fit("--id", "hope").err()).contains("the identifier (--id) and the wish");
        assertThat(fit("--id", "b", "--weight", "b").err()).contains("the weight (--weight) and the identifier");
        assertThat(fit("--id", "whom").code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(fit("--id", "whom").err()).contains("Maybe you meant 'who'");
    }

    @Test
    void predictWritesIdsFirstAndUnchanged() {
        fit("--id", "who", "-o", model);
        List<String> lines =
                Run.stackelberg("predict", model, data).out().lines().toList();
        JsonNode rows = Run.stackelberg("predict", model, data, "--json").json().get("predictions");

        assertThat(lines.get(0)).isEqualTo("who,row,prediction,wish,after_response");
        assertThat(lines.get(1)).startsWith(name(1) + ",1,");
        assertThat(lines.get(60)).startsWith(name(60) + ",60,");
        assertThat(rows.get(9).get("id").asString()).isEqualTo(name(10));
        assertThat(rows.get(9).get("row").asInt()).isEqualTo(10);
        assertThat(Run.stackelberg("predict", model, data).err()).doesNotContain("who");
    }

    @Test
    void aModelWithoutAnIdentifierTakesItFromTheOption() {
        fit("--ignore", "who", "-o", model);

        assertThat(Run.stackelberg("predict", model, data).out()).startsWith("row,prediction");
        assertThat(Run.stackelberg("predict", model, data, "--id", "who").out())
                .startsWith("who,row,prediction")
                .contains("\n" + name(1) + ",1,");
        assertThat(Run.stackelberg("predict", model, data, "--id", "whom").code())
                .isEqualTo(ExitCode.BAD_DATA);
        for (String used : List.of("a", "y", "hope")) {
            Run run = Run.stackelberg("respond", model, data, "--id", used);
            assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
            assertThat(run.err()).contains("Column '" + used + "'").contains("cannot name people too");
        }
    }

    @Test
    void rowsWithoutTheIdColumnAreNumbered() {
        fit("--id", "who", "-o", model);
        Path other = Samples.csv(folder);

        assertThat(Run.stackelberg("predict", model, other).out()).startsWith("row,prediction");
        assertThat(Run.stackelberg("verify", model, data).out()).contains("Verified");
    }

    @Test
    void respondNamesRowsByTheirId() {
        fit("--id", "who", "-o", model);
        Path moves = folder.resolve("moves.csv");
        Path page = folder.resolve("page.html");
        Run run = Run.stackelberg("respond", model, data, "-o", moves, "--report", page);
        JsonNode furthest =
                Run.stackelberg("respond", model, data, "--json").json().get("furthest");

        String first = furthest.get(0).get("id").asString();
        assertThat(first).isEqualTo(name(furthest.get(0).get("row").asInt()));
        assertThat(run.out()).contains("  " + first + " ").doesNotContain("row ");
        assertThat(Samples.read(moves)).startsWith("who,row,prediction").contains("\n" + first + ",");
        assertThat(Samples.read(page)).contains("\"label\":\"" + first + "\"").doesNotContain("\"row 1\"");
    }

    @Test
    void theReportOfAFitNamesRowsByTheirId() {
        Path page = folder.resolve("fit.html");
        fit("--id", "who", "--report", page);

        assertThat(Samples.read(page)).contains("\"" + name(1) + "\"").doesNotContain("\"row 1\"");
    }

    @Test
    void everyCommandThatLearnsTakesAnId() {
        for (String command : List.of("path", "tune", "compare", "fit")) {
            Run run = Run.stackelberg(
                    command, data, "--target", "y", "--wish", "hope", "--id", "who", "--wish-noise", "1");
            assertThat(run.code()).as(command + run.err()).isZero();
            assertThat(run.err()).doesNotContain("who");
        }
        assertThat(Run.stackelberg("compare", data, "--target", "y", "--wish", "hope", "--id", "who", "--test", data)
                        .code())
                .isZero();
    }

    @Test
    void commandsThatShowNoRowsRefuseAnIdByName() {
        fit("-o", model, "--id", "who");
        for (List<Object> words : List.<List<Object>>of(
                List.of("evaluate", model, data), List.of("verify", model, data), List.of("summary", model))) {
            List<Object> all = new ArrayList<>(words);
            all.addAll(List.of("--id", "who"));
            Run run = Run.stackelberg(all.toArray());
            assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains("--id is not an option of " + words.get(0));
        }
        assertThat(Run.stackelberg("evaluate", model, data).err()).doesNotContain("who");
    }

    @Test
    void anIdColumnNamedLikeAHeadingIsWrittenAsId() {
        Path odd = Samples.file(folder, "odd.csv", Samples.read(data).replaceFirst("who", "row"));
        Run run = Run.stackelberg("fit", odd, "--target", "y", "--wish", "hope", "--id", "row", "-o", model);
        assertThat(run.code()).as(run.err()).isZero();

        assertThat(Run.stackelberg("predict", model, odd).out()).startsWith("id,row,prediction");
    }

    @Test
    void aColumnOfAnArrayCanBeTheId() {
        Samples.Game game = Samples.Game.random(40, 3);
        for (int i = 0; i < 40; i++) {
            game.x().set(i, 1, 1000 + i);
        }
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        Run fit = Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "max(y,1)", "--id", "2", "-o", model, "--json");
        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(fit.json().get("coefficients").propertyNames()).containsExactly("1", "3");

        Run run = Run.stackelberg("predict", model, "--x", x);
        assertThat(run.out()).as(run.err()).startsWith("2,row,prediction").contains("\n1039,40,");
    }

    private Run fit(Object... more) {
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y", "--wish", "hope"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }
}
