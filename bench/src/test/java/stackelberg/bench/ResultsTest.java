package stackelberg.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
    @TempDir
    Path folder;

    @Test
    void rowsAreReadBackUnchanged() {
        Row row = Rows.certified("dense", "krylov", "", 1, 0.25);
        Row awkward = Rows.skipped("dense", "socp", 1, "needs \"much\" memory, really;\nmore than there is");
        Results.in(folder).add(row);
        Results.in(folder).add(awkward);
        assertThat(Results.in(folder).rows()).containsExactly(row, awkward);
    }

    @Test
    void tracesAreReadBackUnchanged() {
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

    /** A line as it stands in the published results. */
    @Test
    void theOrderOfColumnsIsFixed() {
        List<String> fields =
                List.of(("rho,paper,real,wine modest,1599,11,1.0,0.1,7,1,3,cd-admm,rho=0.5,CONVERGED,true,"
                                + "0.0004104,0.0006612,0.002968,0.0002468,0.00004071,5718,2,571.1683027200182,2.711E-10,4.747E-13,"
                                + "212.6,212.8,4,Java 17.0.15,a processor,272ebbc,a note")
                        .split(","));
        Row row = RecordFields.read(Row.class, fields.iterator());
        assertThat(RecordFields.of(row)).isEqualTo(fields);
        assertThat(row.task())
                .isEqualTo(new Row.Task(
                        "rho", Row.Protocol.PAPER, new Row.Game("real", "wine modest", 1599, 11, 1, 0.1), 7, 1, 3));
        assertThat(row.player()).isEqualTo(new Row.Player("cd-admm", "rho=0.5"));
        assertThat(row.outcome())
                .isEqualTo(new Row.Outcome(
                        "CONVERGED",
                        true,
                        new Row.Seconds(0.0004104, 0.0006612, 0.002968, 0.0002468, 0.00004071),
                        5718,
                        2,
                        new Row.Proof(571.1683027200182, 2.711E-10, 4.747E-13)));
        assertThat(row.note()).isEqualTo("a note");
        assertThat(row.memory()).isEqualTo(new Row.Memory(212.6, 212.8));
        assertThat(row.machine()).isEqualTo(new Row.Machine(4, "Java 17.0.15", "a processor", "272ebbc"));
    }

    @Test
    void compressedFilesAreRead() throws IOException {
        Row row = Rows.certified("dense", "krylov", "", 1, 0.25);
        List<TracePoint> trace = List.of(new TracePoint("rho", "rho=5", 1, 2.5, 1.5));
        Results.in(folder).add(row);
        Results.in(folder).add(trace);
        pack("rows.csv");
        pack("traces.csv");
        assertThat(Results.in(folder).rows()).containsExactly(row);
        assertThat(Results.in(folder).traces()).isEqualTo(trace);
        assertThat(folder.resolve("rows.csv")).doesNotExist();
    }

    @Test
    void aCompressedFileIsUnpackedBeforeRowsAreAppended() throws IOException {
        Row first = Rows.certified("dense", "krylov", "", 1, 0.25);
        Row second = Rows.certified("dense", "krylov", "", 2, 0.5);
        Results.in(folder).add(first);
        String before = Files.readString(folder.resolve("rows.csv"));
        Files.writeString(folder.resolve("rows.csv"), "dense,both,den", StandardOpenOption.APPEND);
        pack("rows.csv");
        Results.in(folder).add(second);
        assertThat(Results.in(folder).rows()).containsExactly(first, second);
        assertThat(Files.readString(folder.resolve("rows.csv")))
                .isEqualTo(before + String.join(",", RecordFields.of(second)) + "\n");
    }

    @Test
    void aDamagedCompressedFileIsReportedAndKept() throws IOException {
        Results.in(folder).add(Rows.certified("dense", "krylov", "", 1, 0.25));
        pack("rows.csv");
        Path packed = folder.resolve("rows.csv.gz");
        byte[] half = Arrays.copyOf(Files.readAllBytes(packed), 40);
        Files.write(packed, half);
        Results results = Results.in(folder);
        assertThatThrownBy(results::rows)
                .isInstanceOf(stackelberg.data.DataException.class)
                .hasMessageContaining("rows.csv.gz");
        assertThatThrownBy(() -> results.add(Rows.certified("dense", "krylov", "", 2, 0.25)))
                .isInstanceOf(stackelberg.data.DataException.class);
        assertThat(packed).hasBinaryContent(half);
        assertThat(folder.resolve("rows.csv")).doesNotExist();
    }

    private void pack(String name) throws IOException {
        Path file = folder.resolve(name);
        try (var out = new GZIPOutputStream(Files.newOutputStream(folder.resolve(name + ".gz")))) {
            Files.copy(file, out);
        }
        Files.delete(file);
    }

    @Test
    void aMissingFileHasNoRows() {
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
