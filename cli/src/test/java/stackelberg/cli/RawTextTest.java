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

    /** Columns and categories are named in files too; path has a prefix before its columns, and tune writes numbers alone. */
    @Test
    void everyCsvFileEscapesColumnsAndCategoriesUnlessRawTextIsWanted() {
        Path named = Samples.file(
                folder,
                "named.csv",
                "\"=1+1\",kind,y,ok\n"
                        + "1,@SUM(A1),2,0\n2,b,5,1\n4,@SUM(A1),6,1\n5,b,9,0\n7,@SUM(A1),9,0\n9,b,12,1\n".repeat(3));
        Path fitted = folder.resolve("named.json");
        Object[] game = {named, "--target", "y", "--wish", "max(y,9)", "--ignore", "ok", "-q"};
        Object[] yesOrNo = {named, "--target", "ok", "--wish", "0.9", "--loss", "logistic", "--ignore", "y", "-q"};
        Run fit = run("fit", yesOrNo, "-o", fitted);
        assertThat(fit.code()).as(fit.err()).isIn(0, 4);
        Object[] ofModel = {fitted, "--as", "points", "-q"};
        Path csv = folder.resolve("names.csv");
        for (Object[] words : List.of(
                new Object[] {"describe", game}, new Object[] {"simulate", game}, new Object[] {"export", ofModel})) {
            String command = words[0].toString();
            Run safe = run(command, (Object[]) words[1], "-o", csv);
            String plain = Samples.read(csv);
            Run raw = run(command, (Object[]) words[1], "-o", csv, "--raw-text");
            Run nowhere = run(command, (Object[]) words[1], "--raw-text");

            assertThat(safe.code()).as(safe.err()).isIn(0, 4);
            assertThat(plain).as(command).contains("'=1+1").doesNotContainPattern("(?m)(^|[,\"])[=@]");
            assertThat(raw.code()).as(raw.err()).isEqualTo(safe.code());
            assertThat(Samples.read(csv)).as(command).doesNotContain("'=").isNotEqualTo(plain);
            assertThat(nowhere.code()).as(command).isEqualTo(2);
            assertThat(nowhere.err()).contains("--raw-text applies to the CSV file written with -o");
        }
        Run described = run("describe", new Object[] {named}, "-o", csv, "--raw-text");
        assertThat(described.out()).contains("stackelberg fit").doesNotContain("--raw-text");
        Run path = run("path", game, "--gammas", "30%", "-o", csv);
        assertThat(path.code()).as(path.err()).isIn(0, 4);
        assertThat(Samples.read(csv)).contains(",coefficient.=1+1").doesNotContainPattern("(?m)(^|[,\"])[=@]");
        assertThat(run("export", new Object[] {fitted}, "--as", "sql", "--raw-text")
                        .err())
                .contains("--raw-text: what --as sql writes is not CSV.");
    }

    private static Run run(String command, Object[] words, Object... more) {
        List<Object> all = new ArrayList<>(List.of(command));
        all.addAll(List.of(words));
        all.addAll(List.of(more));
        return Run.stackelberg(all.toArray());
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
