package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where an answer cannot be written, nothing is read and nothing is computed. */
class OutputsTest {
    @TempDir
    Path folder;

    /** Every command with every option that names an output, on data and models that are not there: the output is refused before anything is read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fit absent.csv --target y --wish hope -o",
                "fit absent.csv --target y --wish hope --report",
                "fit absent.csv --target y --wish hope --trace",
                "path absent.csv --target y --wish hope --gammas 1,2 -o",
                "path absent.csv --target y --wish hope --gammas 1,2 --report",
                "path absent.csv --target y --wish hope --gammas 1,2 --trace",
                "tune absent.csv --target y --wish hope --world-gamma 1 -o",
                "tune absent.csv --target y --wish hope --world-gamma 1 --model",
                "tune absent.csv --target y --wish hope --world-gamma 1 --report",
                "compare absent.csv --target y --wish hope --report",
                "compare absent.csv --target y --wish hope --trace",
                "predict absent.json absent.csv -o",
                "respond absent.json absent.csv -o",
                "respond absent.json absent.csv --report",
                "export absent.json --as pmml -o",
                "export absent.csv --target y --wish hope --as sdpa -o",
                "demo --report",
                "demo --no-report --write-data",
                "bench run table2 --max-n 1 -q --results",
            })
    void anOutputThatCannotBeWrittenIsRefusedBeforeTheWork(String words) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        boolean bench = words.startsWith("bench");
        List<Path> impossible = new ArrayList<>(List.of(file.resolve("out.x")));
        if (!bench) {
            impossible.add(folder.resolve("none").resolve("out.x"));
            impossible.add(folder);
        }
        for (Path output : impossible) {
            List<Object> args = new ArrayList<>(List.of(words.split(" ")));
            args.add(output);

            Run run = Run.stackelberg(args.toArray());

            assertThat(run.code()).as(run.err()).isIn(2, 3);
            assertThat(run.err()).contains("folder").doesNotContain("absent");
            assertThat(run.out()).isEmpty();
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).containsExactly(file);
            }
        }
    }

    @Test
    void theDemoWithoutAReportSucceeds() {
        Run run = Run.stackelberg("demo", "--no-report", "-q");

        assertThat(run.code()).isZero();
    }

    @Test
    void anOptionIsNotTakenForAFileName() {
        Run told = Run.stackelberg("fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--report", "--json");
        assertThat(told.code()).isEqualTo(2);
        assertThat(Path.of("--json")).doesNotExist();
        Run other = Run.stackelberg(
                "fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--report", "--test-fraction");
        assertThat(other.code()).isEqualTo(2);
        assertThat(other.err()).contains("--report --test-fraction: that is the name of an option");
        assertThat(Path.of("--test-fraction")).doesNotExist();
    }
}
