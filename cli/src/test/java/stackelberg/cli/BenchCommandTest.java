package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;

class BenchCommandTest {
    @TempDir
    Path folder;

    @Test
    void listNamesEveryTableAndFigure() {
        Run run = Run.stackelberg("bench", "list");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("table1", "table2", "table2-gamma0.01", "table3", "sparse-gamma0.1", "sparse-gamma0.01")
                .contains("errors-dense", "errors-sparse", "figure-wine", "figure-building", "figure-insurance")
                .contains("figure-blog", "figure-rho", "path", "tune", "adaptive", "scaling", "memory");
    }

    @Test
    void runWritesRowsAndReportAndResumesLater() throws Exception {
        String[] command = {
            "bench",
            "run",
            "table2",
            "--quick",
            "--max-n",
            "200",
            "--solvers",
            "krylov,direct",
            "--results",
            folder.toString()
        };
        Run first = Run.stackelberg((Object[]) command);
        assertThat(first.code()).as(first.err()).isZero();
        List<String> rows = Files.readAllLines(folder.resolve("rows.csv"));
        assertThat(rows).hasSize(1 + 3 * 2 * 2);
        assertThat(Files.readString(folder.resolve("report.md"))).contains("krylov");

        Run second = Run.stackelberg((Object[]) command);
        assertThat(second.out()).startsWith("0 runs made");
        assertThat(Files.readAllLines(folder.resolve("rows.csv"))).isEqualTo(rows);
    }

    @Test
    void compressedRowsAreReadAndExtended() throws Exception {
        List<Object> command = List.of("bench", "run", "path", "--quick", "--quiet", "--results", folder, "--trials");
        Run.stackelberg(Stream.concat(command.stream(), Stream.of("1")).toArray());
        byte[] report = Files.readAllBytes(folder.resolve("report.md"));
        List<String> rows = Files.readAllLines(folder.resolve("rows.csv"));
        try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve("rows.csv.gz")))) {
            Files.copy(folder.resolve("rows.csv"), out);
        }
        Files.delete(folder.resolve("rows.csv"));

        assertThat(Run.stackelberg("bench", "report", "--results", folder).code())
                .isZero();
        assertThat(Files.readAllBytes(folder.resolve("report.md"))).isEqualTo(report);
        Run more =
                Run.stackelberg(Stream.concat(command.stream(), Stream.of("2")).toArray());
        assertThat(more.out()).startsWith("2 runs made");
        assertThat(Files.readAllLines(folder.resolve("rows.csv")))
                .startsWith(rows.toArray(String[]::new))
                .hasSize(rows.size() + 2);
    }

    @Test
    void reportIsAFunctionOfTheRows() throws Exception {
        Run.stackelberg("bench", "run", "path", "--quick", "--quiet", "--results", folder.toString());
        byte[] before = Files.readAllBytes(folder.resolve("report.md"));
        Files.delete(folder.resolve("report.md"));
        Run run = Run.stackelberg("bench", "report", "--results", folder.toString());
        assertThat(run.code()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("report.md"))).isEqualTo(before);
    }

    @Test
    void unknownNamesAndEmptyFoldersAreReported() {
        Run unknown = Run.stackelberg("bench", "run", "table9", "--results", folder.toString());
        assertThat(unknown.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(unknown.err()).contains("table9").contains("bench list");
        Run empty = Run.stackelberg("bench", "report", "--results", folder.toString());
        assertThat(empty.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(empty.err()).contains("no results").contains("bench run --quick");
        Run nothing = Run.stackelberg("bench");
        assertThat(nothing.code()).isEqualTo(ExitCode.WRONG_USAGE);
        Run typo = Run.stackelberg("bench", "run", "path", "--solvers", "krilov", "--results", folder.toString());
        assertThat(typo.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(typo.err()).contains("krilov").contains("krylov");
        Run noTrials = Run.stackelberg("bench", "run", "path", "--trials", "0", "--results", folder.toString());
        assertThat(noTrials.code()).isEqualTo(ExitCode.WRONG_USAGE);
        Run noTime = Run.stackelberg("bench", "run", "path", "--budget", "0", "--results", folder.toString());
        assertThat(noTime.code()).isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void aFileInPlaceOfTheFolderIsReported() throws Exception {
        Path file = Files.writeString(folder.resolve("taken"), "text");
        Run run = Run.stackelberg(
                "bench",
                "run",
                "path",
                "--quick",
                "--max-n",
                "1000",
                "--solvers",
                "krylov",
                "--trials",
                "1",
                "--results",
                file);
        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("taken").contains("--results");
        assertThat(file).hasContent("text");
    }

    @Test
    void runningNothingIsAnError() {
        Run run = Run.stackelberg("bench", "run", "table2", "--max-n", "10", "--results", folder);
        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("--max-n");
    }

    @Test
    void missingRealDataIsReportedWithItsSource() {
        Run run = Run.stackelberg(
                "bench", "run", "figure-wine", "--data", folder.toString(), "--results", folder.toString());
        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("wine.csv").contains("UCI");
    }
}
