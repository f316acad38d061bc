package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.Table;
import stackelberg.data.io.DataFile;
import stackelberg.linalg.Workers;

/** Text of the data that goes to CSV, which people open in spreadsheets. */
class RawTextTest {
    private static final List<String> FORMULAS =
            List.of("=HYPERLINK(\"x\")", "=1+1", "@SUM(A1)", "+cmd", "-cmd|' /C calc'!A0", "-(1)");
    private static final List<String> TEXTS =
            List.of("-", "NULL", "nan", "NA", "?", "-5", "+49 30 1", "a=b", "--", "O'Hara");

    @TempDir
    Path folder;

    private Path data;
    private Path model;
    private final List<String> names = new ArrayList<>();

    @BeforeEach
    void peopleWithSuchNames() throws Exception {
        names.addAll(FORMULAS);
        names.addAll(TEXTS);
        StringBuilder text = new StringBuilder("who,a,y\n");
        for (int i = 0; i < names.size(); i++) {
            text.append("\"" + names.get(i).replace("\"", "\"\"") + "\"," + i * i % 7 + "," + i + "\n");
        }
        data = Files.writeString(folder.resolve("people.csv"), text);
        model = folder.resolve("model.json");
        Run fit = Run.stackelberg(
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "max(y,9)",
                "--features",
                "a",
                "--id",
                "who",
                "-q",
                "-o",
                model);
        assertThat(fit.code()).as(fit.err()).isIn(0, 4);
    }

    /** The first cell of every row, as CSV has it. */
    private List<String> first(String csv) throws Exception {
        Path file = Files.writeString(folder.resolve("out.csv"), csv);
        Table table = DataFile.read(file, DataFile.Options.DEFAULT.withNames(Set.of("who")), Workers.of(1));
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < table.rows(); i++) {
            cells.add(table.column("who").text(i).orElse(null));
        }
        return cells;
    }

    @Test
    void aFormulaOfASpreadsheetGetsAnApostropheUnlessRawTextIsWanted() throws Exception {
        List<String> safe = new ArrayList<>();
        FORMULAS.forEach(formula -> safe.add("'" + formula));
        safe.addAll(TEXTS);
        for (String command : List.of("predict", "respond")) {
            Run plain = Run.stackelberg(command, model, data);
            Run raw = Run.stackelberg(command, model, data, "--raw-text");

            assertThat(first(plain.out())).as(command + plain.err()).isEqualTo(safe);
            assertThat(first(raw.out())).as(command).isEqualTo(names);
        }
    }

    @Test
    void parquetHasTheNamesAsTheyAre() {
        Path typed = folder.resolve("out.parquet");
        Run run = Run.stackelberg("predict", model, data, "-o", typed);

        assertThat(run.code()).as(run.err()).isIn(0, 4);
        Table table = DataFile.read(typed, DataFile.Options.DEFAULT.withNames(Set.of("who")), Workers.of(1));
        for (int i = 0; i < names.size(); i++) {
            assertThat(table.column("who").text(i)).contains(names.get(i));
        }
    }

    @Test
    void theSqlOfARuleNamesItsDialect() {
        assertThat(Run.stackelberg("export", model, "--as", "sql").out())
                .startsWith("-- Standard SQL. In MySQL first: ")
                .contains("ANSI_QUOTES,NO_BACKSLASH_ESCAPES");
    }
}
