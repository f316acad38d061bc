package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    @TempDir
    Path folder;

    @Test
    void rowsComeBackAsTheyWere() {
        Row row = Rows.certified("dense", "krylov", "", 1, 0.25);
        Row awkward = Rows.skipped("dense", "socp", 1, "needs \"much\" memory, really;\nmore than there is");
        Results.in(folder).add(row);
        Results.in(folder).add(awkward);
        assertThat(Results.in(folder).rows()).containsExactly(row, awkward);
    }

    @Test
    void tracesComeBackAsTheyWere() {
        List<TracePoint> trace =
                List.of(new TracePoint("rho", "rho=5", 1, 2.5, 1.5), new TracePoint("rho", "rho=5", 2, 2, 1.5));
        Results.in(folder).add(trace);
        assertThat(Results.in(folder).traces()).isEqualTo(trace);
    }

    @Test
    void theLastRowOfARunCounts() {
        Results.in(folder).add(Rows.skipped("dense", "socp", 1, "no time"));
        Row made = Rows.certified("dense", "socp", "", 1, 9);
        Results.in(folder).add(made);
        assertThat(Results.in(folder).rows()).containsExactly(made);
    }

    @Test
    void aHalfWrittenLineIsDropped() throws IOException {
        Row first = Rows.certified("dense", "krylov", "", 1, 0.25);
        Row second = Rows.certified("dense", "krylov", "", 2, 0.5);
        Results.in(folder).add(first);
        Files.writeString(folder.resolve("rows.csv"), "dense,both,den", StandardOpenOption.APPEND);
        assertThat(Results.in(folder).rows()).containsExactly(first);
        Results.in(folder).add(second);
        assertThat(Results.in(folder).rows()).containsExactly(first, second);
    }

    @Test
    void aHalfWrittenHeaderIsWrittenAgain() throws IOException {
        Files.writeString(folder.resolve("rows.csv"), "experiment,proto");
        Row row = Rows.certified("dense", "krylov", "", 1, 0.25);
        Results.in(folder).add(row);
        assertThat(Results.in(folder).rows()).containsExactly(row);
    }

    @Test
    void theLastTraceOfARunCounts() {
        Results.in(folder).add(List.of(new TracePoint("rho", "rho=5", 1, 9, 1)));
        List<TracePoint> again =
                List.of(new TracePoint("rho", "rho=5", 1, 2.5, 1.5), new TracePoint("rho", "rho=5", 2, 2, 1.5));
        Results.in(folder).add(again);
        assertThat(Results.in(folder).traces()).isEqualTo(again);
    }

    @Test
    void noFileIsNoRows() {
        assertThat(Results.in(folder.resolve("nowhere")).rows()).isEmpty();
    }

    @Test
    void foreignFilesAreRefused() throws IOException {
        Files.writeString(folder.resolve("rows.csv"), "a,b\n1,2\n");
        assertThatThrownBy(() -> Results.in(folder).rows())
                .isInstanceOf(stackelberg.data.DataException.class)
                .hasMessageContaining("rows.csv")
                .hasMessageContaining("Maybe");
    }
}
