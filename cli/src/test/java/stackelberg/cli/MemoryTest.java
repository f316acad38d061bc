package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;

/** Small files that would take much memory, read by a process that has little; and processes in long work that are asked to end. */
class MemoryTest {
    private static final int SECONDS = 120;

    /** The last resort is two seconds after SIGTERM; the rest is for machines that are busy. */
    private static final int SECONDS_TO_END = 20;

    @TempDir
    Path folder;

    private Process start(String heap, Object... words) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseParallelGC",
                "-cp",
                System.getProperty("java.class.path"),
                "stackelberg.cli.Main"));
        for (Object word : words) {
            all.add(word.toString());
        }
        return new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
    }

    private void refusedBySize(Path file, String... messages) throws Exception {
        refusedBySize(List.of("describe", file), messages);
    }

    private void refusedBySize(List<Object> words, String... messages) throws Exception {
        refusedBySize("-Xmx128m", words, messages);
    }

    private void refusedBySize(String heap, List<Object> words, String... messages) throws Exception {
        Process process = start(heap, words.toArray());
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
            String said = Files.readString(folder.resolve("said"));
            assertThat(said).contains(messages).doesNotContain("well-formed");
            assertThat(process.exitValue()).as(said).isEqualTo(ExitCode.BAD_DATA);
        } finally {
            process.destroyForcibly();
        }
    }

    private Path gzip(String name, String head, String piece, int times) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(head.getBytes(StandardCharsets.UTF_8));
            byte[] bytes = piece.repeat(100_000).getBytes(StandardCharsets.UTF_8);
            for (int k = 0; k < times; k++) {
                out.write(bytes);
            }
        }
        return file;
    }

    @Test
    void threeLinesWithALargeIndexAreRefusedBeforeTheyTakeGigabytes() throws Exception {
        refusedBySize(
                Files.writeString(folder.resolve("x.svm"), "1 1:1\n2 2:1\n3 99999999:1\n"),
                "99999999 columns but only 3 entries");
    }

    @Tag("slow")
    @Test
    void gzipThatUnpacksToFarMoreThanTheMemoryIsRefusedBySize() throws Exception {
        refusedBySize(
                "-Xmx256m",
                List.of("describe", gzip("rows.csv.gz", "a,b,y\n", "1,2,3\n", 400)),
                "too large for the memory");
        refusedBySize(
                "-Xmx256m", List.of("describe", gzip("rows.svm.gz", "", "1 1:1\n", 400)), "too large for the memory");
        refusedBySize(
                "-Xmx256m",
                List.of("describe", gzip("line.csv.gz", "a,b,y\n", "1111111111", 300)),
                "too large for the memory");
        // of comments nothing is kept
        refusedBySize(gzip("comments.svm.gz", "1 1:1\n", "# nothing\n", 600), "gzip that unpacks to more than");
    }

    @Test
    void millionsOfColumnsAreRefusedBeforeTheyAreNamed() throws Exception {
        String line = ",".repeat(3_000_000) + "\n";
        refusedBySize(Files.writeString(folder.resolve("wide.csv"), "y" + line + "1" + line), "3000001 columns");
    }

    @Test
    void parquetOfMoreRowsThanFitIsRefusedBeforeTheyAreRead() throws Exception {
        Path file = folder.resolve("long.parquet");
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("copy (select 1 as a, 2 as y from range(20000000)) to '" + file + "' (format parquet)");
        }
        refusedBySize(file, "20000000 rows of 2 columns");
    }

    /** The number of rows is not known in advance. */
    @Test
    void aQueryOfMoreRowsThanFitIsRefusedWhileTheyAreRead() throws Exception {
        refusedBySize(
                List.of("describe", "jdbc:duckdb:", "--query", "select range as a, 2 as y from range(200000000)"),
                "The query' is too large for the memory");
    }

    /** A terabyte of bytes that are no disk space: as numbers eight times as many. */
    @Test
    void anArrayThatIsConvertedToMoreThanTheMachineHasIsRefusedBySize() throws Exception {
        Path x = sparse("x.npy", "|u1", "(1000000000, 1000)", 1_000_000_000_000L);
        Path y = sparse("y.npy", "<f8", "(1000000000,)", 8_000_000_000L);
        refusedBySize(List.of("describe", "--x", x), "1000000000 rows of 1000 columns");
        refusedBySize(List.of("describe", "--x", y, "--y", y), "1000000000 rows of 1 column");
    }

    private Path sparse(String name, String type, String shape, long bytes) throws IOException {
        Path file = folder.resolve(name);
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
        header += " ".repeat(117 - header.length()) + "\n";
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
            out.write(header.getBytes(StandardCharsets.US_ASCII));
            out.setLength(128 + bytes);
        }
        return file;
    }

    /** Each works for minutes, or waits for ever. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "describe jdbc:duckdb: --query QUERY",
                "describe -",
                "compare DATA --target y --wish max(y,50) --bootstrap 1000000",
                "fit DATA --target y --wish b --features a,c --se bootstrap:100000"
            })
    void aProcessInLongWorkEndsSoonAfterSigterm(String line) throws Exception {
        StringBuilder text = new StringBuilder("a,b,c,y\n");
        for (int i = 0; i < 20_000; i++) {
            text.append(i * 7 % 101 + "," + i * 13 % 97 + "," + i * 5 % 89 + "," + i * 31 % 83 + "\n");
        }
        Path data = Files.writeString(folder.resolve("data.csv"), text);
        List<Object> words = new ArrayList<>();
        for (String word : line.split(" ")) {
            words.add(
                    switch (word) {
                        case "QUERY" ->
                            "select count(*) c from range(10000000) a, range(10000000) b where a.range + b.range = 7";
                        case "DATA" -> data;
                        default -> word;
                    });
        }
        Process process = start("-Xmx1g", words.toArray());
        try {
            assertThat(process.waitFor(4, TimeUnit.SECONDS))
                    .as("it works, rather than to say: " + Files.readString(folder.resolve("said")))
                    .isFalse();
            // the handle, because the process would also have its input closed, which ends a command that reads it
            process.toHandle().destroy();
            assertThat(process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS))
                    .as("it has ended")
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + 15);
        } finally {
            process.destroyForcibly();
        }
    }
}
