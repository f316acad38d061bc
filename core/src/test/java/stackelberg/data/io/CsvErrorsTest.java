package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.DataException;
import stackelberg.linalg.Workers;

class CsvErrorsTest {
    @TempDir
    Path folder;

    private static AbstractThrowableAssert<?, ? extends Throwable> reading(String csv) {
        return assertThatThrownBy(() -> CsvReaderTest.read(csv)).isInstanceOf(DataException.class);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> readingFile(String name, byte[] content)
            throws IOException {
        Path file = Files.write(folder.resolve(name), content);
        return assertThatThrownBy(() -> CsvReader.read(file, DataFile.Options.DEFAULT, Workers.of(2)))
                .isInstanceOf(DataException.class);
    }

    private static String numbers(int rows, int odd, String text) {
        StringBuilder csv = new StringBuilder("age,bmi\n");
        for (int i = 1; i <= rows; i++) {
            csv.append(i).append(',').append(i == odd ? text : "27.5").append('\n');
        }
        return csv.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "\r\n\r\n", "\uFEFF"})
    void anEmptyFileIsRefused(String csv) {
        reading(csv).hasMessageContaining("is empty").hasMessageContaining("Maybe");
    }

    @Test
    void aHeaderWithoutRowsIsRefused() {
        reading("a,b,c\n").hasMessageContaining("header of 3 columns but no rows");
    }

    @Test
    void aRowWithAnotherNumberOfFieldsIsRefusedWithItsLine() {
        reading("a,b,c\n1,2,3\n4,5\n")
                .hasMessageContaining("row 2 (line 3)")
                .hasMessageContaining("2 fields instead of 3");
        reading("a,b,c\n1,2,3\n4,5,6,7\n8\n")
                .hasMessageContaining("row 2 (line 3)")
                .hasMessageContaining("4 fields instead of 3");
    }

    /** The first broken row of the file is reported, whichever thread meets one first. */
    @Test
    void theFirstBrokenRowIsReportedForAnyNumberOfThreads() {
        String good = "1.25,2.5,3.75\n".repeat(150_000);
        String csv = "a,b,c\n" + good + "4,5\n" + good + "6\n";
        for (int threads = 1; threads <= 3; threads++) {
            Workers workers = Workers.of(threads);
            byte[] bytes = csv.getBytes(StandardCharsets.UTF_8);
            assertThatThrownBy(() -> CsvReader.read(
                            new java.io.ByteArrayInputStream(bytes), "in", DataFile.Options.DEFAULT, workers))
                    .hasMessageContaining("row 150001 (line 150002)");
        }
    }

    @Test
    void textInANumericColumnIsRefused() {
        reading(numbers(1338, 17, "abc"))
                .hasMessageContaining(
                        "Column 'bmi', row 17 (line 18): \"abc\" is not a number, although the other 1337 values are.")
                .hasMessageContaining("Maybe")
                .hasMessageContaining("categorical(\"bmi\")");
    }

    @Test
    void textFarDownInANumericColumnIsRefused() {
        reading(numbers(200_000, 199_999, "abc"))
                .hasMessageContaining("Column 'bmi', row 199999 (line 200000): \"abc\"")
                .hasMessageContaining("other 199999 values");
    }

    @Test
    void textAmongNumbersIsALevelIfTheColumnIsDeclaredCategorical() {
        assertThatCode(() -> CsvReaderTest.read(
                        numbers(100, 17, "abc"), DataFile.Options.DEFAULT.withCategorical(Set.of("bmi"))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> CsvReaderTest.read(
                        numbers(100, 17, "abc"), DataFile.Options.DEFAULT.withCategorical(Set.of("bim"))))
                .hasMessageContaining("no column 'bim'")
                .hasMessageContaining("Maybe you meant 'bmi'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"inf", "-Infinity", "1e999"})
    void infiniteNumbersAreRefused(String text) {
        reading(numbers(30, 4, text))
                .hasMessageContaining("Column 'bmi', row 4 (line 5): \"" + text + "\" is not a finite number");
    }

    @Test
    void numbersInDifferentNotationsAreRefused() {
        reading("a;b\n1,5;2\n2.5;3\n")
                .hasMessageContaining("Column 'a', row 2 (line 3): \"2.5\" is a number, but not written like")
                .hasMessageContaining("\"1,5\"")
                .hasMessageContaining("categorical(\"a\")");
        reading("a;b\n$5;2\n€5;3\n").hasMessageContaining("row 2 (line 3): \"€5\" is a number, but not written");
        reading("a;b\n5%;2\n0.05;3\n").hasMessageContaining("row 2 (line 3): \"0.05\" is a number, but not written");
        reading("a;b\n" + "1;2\n".repeat(40_000) + "$2;3\n")
                .hasMessageContaining("row 40001 (line 40002): \"$2\" is a number, but not written");
    }

    @Test
    void textAmongDecimalCommasIsRefused() {
        reading("a;b\n" + "1,5;2\n".repeat(20) + "NA;2\nabout 3;3\n")
                .hasMessageContaining(
                        "row 22 (line 23): \"about 3\" is not a number, although the other 20 values are");
    }

    /** 1,234 is one number in Berlin and another in London; if nothing else in the file shows which, it is refused. */
    @Test
    void commasThatMayBeDecimalOrSeparateThousandsAreRefused() {
        reading("a;b\n12;2\n1,234;2\n2,500;3\n")
                .hasMessageContaining(
                        "Column 'a', row 2 (line 3): \"1,234\" may be 1.234 with a decimal comma, or 1234")
                .hasMessageContaining("Maybe state it: decimal(\",\") or decimal(\".\").");
    }

    private static List<String> levels(String csv) {
        return ((CategoricalColumn) CsvReaderTest.read(csv).column("a")).levels();
    }

    @Test
    void commasOutsideOfNumbersAreText() {
        assertThat(levels("a;b\nx, y;1\nz, y;2\n")).containsExactly("x, y", "z, y");
        assertThat(levels("a;b\n1,2,3;1\n1,2;2\n7;2\n")).hasSize(3);
        assertThat(CsvReaderTest.read("a,b,c\n1,5;2,7\n2,6;3,8\n").names()).containsExactly("a", "b", "c");
    }

    @Test
    void duplicateColumnNamesAreRefused() {
        reading("a,b,a\n1,2,3\n").hasMessageContaining("Columns 1 and 3 are both named 'a'");
    }

    @Test
    void anUnclosedQuoteIsRefusedWithItsLine() {
        reading("a,b\n1,x\n2,\"y\n3,z\n")
                .hasMessageContaining("row 2 (line 3)")
                .hasMessageContaining("quote that opens there is never closed");
        reading("a,b\n1,\"x\" y\n").hasMessageContaining("row 1 (line 2)").hasMessageContaining("not well-formed");
    }

    @Test
    void filesThatCannotBeReadAreReported() throws IOException {
        Files.writeString(folder.resolve("wine.csv"), "a\n1\n");
        assertThatThrownBy(() -> CsvReader.read(folder.resolve("wime.csv"), DataFile.Options.DEFAULT, Workers.of(1)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("There is no file")
                .hasMessageContaining("Maybe you meant 'wine.csv'");
        assertThatThrownBy(() -> CsvReader.read(folder, DataFile.Options.DEFAULT, Workers.of(1)))
                .hasMessageContaining("is a folder");
        assertThatThrownBy(() -> CsvReader.read(folder.resolve("no/x.csv"), DataFile.Options.DEFAULT, Workers.of(1)))
                .hasMessageContaining("folder is misspelt");
    }

    @Test
    void damagedGzipIsRefused() throws IOException {
        readingFile("x.csv.gz", "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8)).hasMessageContaining("not gzip");
        byte[] large = CsvReaderTest.gzip(numbers(400_000, 0, "").getBytes(StandardCharsets.UTF_8));
        readingFile("far.csv.gz", Arrays.copyOf(large, large.length - 9)).hasMessageContaining("damaged gzip");
        byte[] packed = CsvReaderTest.gzip(numbers(1000, 0, "").getBytes(StandardCharsets.UTF_8));
        readingFile("cut.csv.gz", Arrays.copyOf(packed, packed.length / 2)).hasMessageContaining("damaged gzip");
    }

    @Test
    void contentThatIsNotTextIsRefused() throws IOException {
        readingFile("latin.csv", "name,n\nRot,1\nGr\u00fcn,2\nBlau,3\n".getBytes(StandardCharsets.ISO_8859_1))
                .hasMessageContaining("row 2 (line 3): its text is not UTF-8")
                .hasMessageContaining("iconv");
        readingFile("utf16.csv", "a,b\n1,2\n".getBytes(StandardCharsets.UTF_16)).hasMessageContaining("zero bytes");
    }
}
