package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.Table;
import stackelberg.linalg.Workers;

class CsvReaderTest {
    @TempDir
    Path folder;

    static Table read(String csv) {
        return read(csv, DataFile.Options.DEFAULT);
    }

    static Table read(String csv, DataFile.Options options) {
        return read(csv.getBytes(StandardCharsets.UTF_8), options, 1);
    }

    private static Table read(byte[] csv, DataFile.Options options, int threads) {
        return CsvReader.read(new ByteArrayInputStream(csv), "standard input", options, Workers.of(threads));
    }

    private static CategoricalColumn categories(Table table, String name) {
        return (CategoricalColumn) table.column(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", "|"})
    void delimiterAndQuotedHeaderAreDetected(String delimiter) {
        Table table = read("\"fixed acidity\",\"p,H;|\tx\",quality\n7.4,3.51,5\n7.8,3.2,6\n"
                .replace(",", delimiter)
                .replace("p" + delimiter + "H", "p,H"));
        assertThat(table.names()).hasSize(3).startsWith("fixed acidity").endsWith("quality");
        assertThat(table.numeric("fixed acidity").values()).containsExactly(7.4, 7.8);
        assertThat(table.numeric("quality").values()).containsExactly(5, 6);
    }

    @Test
    void aFileOfNumbersHasNoHeader() {
        Table table = read("1,2,3\n4,5,6\n");
        assertThat(table.names()).containsExactly("1", "2", "3");
        assertThat(table.rows()).isEqualTo(2);
        assertThat(table.where(1)).isEqualTo("row 2 (line 2)");
        assertThat(read("19,female,27.9\n18,male,33.7\n").names()).containsExactly("1", "2", "3");
    }

    @Test
    void textAboveNumbersMakesAHeader() {
        Table table = read("name,age,2019\nann,3,4\nbob,5,6\n");
        assertThat(table.names()).containsExactly("name", "age", "2019");
        assertThat(table.rows()).isEqualTo(2);
    }

    @Test
    void withNoHeaderTheFirstLineIsData() {
        Table table = read("a,b\nc,d\n", DataFile.Options.DEFAULT.withNoHeader(true));
        assertThat(table.names()).containsExactly("1", "2");
        assertThat(table.rows()).isEqualTo(2);
    }

    @Test
    void byteOrderMarkCarriageReturnsBlankLinesAndAMissingLastLineEndAreTolerated() {
        Table table = read("\uFEFFa,b\r\n1, 2 \r\n\r\n3,4");
        assertThat(table.names()).containsExactly("a", "b");
        assertThat(table.numeric("b").values()).containsExactly(2, 4);
        assertThat(table.where(0)).isEqualTo("row 1 (line 2)");
        assertThat(table.where(1)).isEqualTo("row 2 (line 4)");
    }

    /** The parsing library refuses more than 16,384 fields by default, which once was reported as a missing quote. */
    @Test
    void moreThan16384ColumnsAreRead() {
        int columns = 40_000;
        String names = IntStream.range(0, columns).mapToObj(j -> "c" + j).collect(Collectors.joining(","));
        String row = IntStream.range(0, columns).mapToObj(j -> j + ".5").collect(Collectors.joining(","));
        for (String delimiter : new String[] {",", ";"}) {
            Table table = read((names + "\n" + row + "\n" + row + "\n").replace(",", delimiter));
            assertThat(table.names()).hasSize(columns);
            assertThat(table.numeric("c39999").values()).containsExactly(39999.5, 39999.5);
        }
    }

    @Test
    void aFileWithOneColumnIsRead() {
        assertThat(read("a\n1\n2\n").numeric("a").values()).containsExactly(1, 2);
    }

    @Test
    void aColumnWithTextIsCategorical() {
        Table table = read("sex,n\nm,1\nf,2\n NA,3\nm ,4\n");
        assertThat(categories(table, "sex").levels()).containsExactly("f", "m");
        assertThat(categories(table, "sex").level(3)).isEqualTo("m");
        assertThat(table.column("sex").isMissing(2)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "?", "-", "\"\"", " "})
    void missingValueMarksAreNotText(String mark) {
        Table table = read("a,b,c\n1," + mark + ",x\n2,3," + mark + "\n");
        assertThat(table.numeric("b").values()).containsExactly(Double.NaN, 3);
        assertThat(table.column("c").isMissing(1)).isTrue();
    }

    @Test
    void numbersDeclaredCategoricalKeepTheirSpelling() {
        Table table = read("zip,n\n01,1\n10,2\n01,3\n", DataFile.Options.DEFAULT.withCategorical(Set.of("zip")));
        assertThat(categories(table, "zip").levels()).containsExactly("01", "10");
    }

    @Test
    void quotedFieldsMayContainDelimitersQuotesAndLineEnds() {
        Table table = read("t,n\n\"a,\"\"b\"\"\nc\",1\nplain 5\" x,2\n");
        assertThat(categories(table, "t").level(0)).isEqualTo("a,\"b\"\nc");
        assertThat(categories(table, "t").level(1)).isEqualTo("plain 5\" x");
        assertThat(table.where(1)).isEqualTo("row 2 (line 4)");
    }

    /** In several megabytes some texts with delimiters, quotes and line ends lie on block boundaries. */
    @Test
    @Tag("slow")
    void theTableDoesNotDependOnTheNumberOfThreads() {
        Random random = new Random(7);
        int rows = 60_000;
        double[] numbers = new double[rows];
        String[] texts = new String[rows];
        String[] levels = {"plain", "with, comma", "a \"quoted\" word", "two\nlines", "ünïcödé", "inch 5\""};
        StringBuilder csv = new StringBuilder("number,text,late\n");
        for (int i = 0; i < rows; i++) {
            numbers[i] = random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4);
            texts[i] = levels[random.nextInt(levels.length)];
            String padding = " ".repeat(random.nextInt(60));
            // The first half of "late" are numbers: only the second reading keeps how they were spelt.
            csv.append(numbers[i])
                    .append(padding)
                    .append(",\"")
                    .append(texts[i].replace("\"", "\"\""))
                    .append("\",");
            csv.append(i < rows / 2 ? "1.0" : "x").append('\n');
        }
        byte[] bytes = csv.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).isGreaterThan(3 << 20);
        for (int threads = 1; threads <= 4; threads++) {
            Table table = read(bytes, DataFile.Options.DEFAULT, threads);
            assertThat(table.numeric("number").values()).isEqualTo(numbers);
            assertThat(categories(table, "late").levels()).containsExactly("1.0", "x");
            for (int i = 0; i < rows; i++) {
                if (!texts[i].equals(categories(table, "text").level(i))) {
                    assertThat(categories(table, "text").level(i))
                            .as("row %d", i)
                            .isEqualTo(texts[i]);
                }
            }
            int lastLine = 1 + rows;
            for (int i = 0; i < rows - 1; i++) {
                lastLine += texts[i].contains("\n") ? 1 : 0;
            }
            assertThat(table.where(rows - 1)).isEqualTo("row " + rows + " (line " + lastLine + ")");
        }
    }

    @Test
    void gzipIsDetectedByItsContentAndHashedDecompressed() throws Exception {
        byte[] plain = "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8);
        Path file = Files.write(folder.resolve("packed.csv"), gzip(plain));
        Table table = CsvReader.read(file, DataFile.Options.DEFAULT, Workers.of(1));
        assertThat(table.numeric("b").values()).containsExactly(2);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(plain));
        assertThat(table.source()).contains(new Table.Source(file.toString(), hash, plain.length));
    }

    static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return packed.toByteArray();
    }
}
