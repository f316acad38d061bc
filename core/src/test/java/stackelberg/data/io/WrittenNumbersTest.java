package stackelberg.data.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.data.CategoricalColumn;
import stackelberg.data.NumericColumn.Notation;
import stackelberg.data.Table;

/** Amounts of money, percentages, thousands and decimal commas are read as numbers if the whole column has one notation. */
class WrittenNumbersTest {
    private static double[] a(String csv) {
        return a(csv, DataFile.Options.DEFAULT);
    }

    private static double[] a(String csv, DataFile.Options options) {
        return CsvReaderTest.read(csv, options).numeric("a").values();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "€36,583.42#€1,200.00#36583.42#1200",
                "$1,200#$-35.5#1200#-35.5",
                "-$1,200.5#$7#-1200.5#7",
                "12%#7.5 %#12#7.5",
                "1 234,50#12,5#1234.5#12.5",
                "1.234,50 €#-12,5 €#1234.5#-12.5",
                "1'234.50#12#1234.5#12",
                "1\u00A0234\u00A0567 EUR#5 EUR#1234567#5",
                "USD 1,234,567.8#USD 5#1234567.8#5",
                "\u221212,5#,5#-12.5#0.5",
                "1,5e3#2#1500#2",
            })
    void commonNotationsOfNumbersAreRead(String first, String second, double one, double two) {
        assertThat(a("a;b\n" + first + ";1\nNA;2\n" + second + ";3\n")).containsExactly(one, Double.NaN, two);
    }

    @Test
    void aCommaIsInterpretedByTheWholeColumn() {
        assertThat(a("a;b\n1,234;2\n0,500;3\n")).containsExactly(1.234, 0.5);
        assertThat(a("a;b\n1,234;2\n2,5;3\n")).containsExactly(1.234, 2.5);
        assertThat(a("a;b\n1,234;2\n2,500.5;3\n")).containsExactly(1234, 2500.5);
        assertThat(a("a;b\n1,234;2\n2,500,000;3\n")).containsExactly(1234, 2500000);
    }

    @Test
    void otherColumnsDecideIfTheColumnIsAmbiguous() {
        assertThat(a("a;b\n1,234;2,5\n2,500;3\n")).containsExactly(1.234, 2.5);
        assertThat(a("a;b\n1,234;2.5\n2,500;3\n")).containsExactly(1234, 2500);
    }

    /** 1.234 is 1234 in a column with decimal commas. */
    @Test
    void aPointBesideDecimalCommasSeparatesThousands() {
        assertThat(a("a;b\n1.234;2,5\n800;3\n")).containsExactly(1234, 800);
        assertThat(a("a;b\n0.5;2,5\n800;3\n")).containsExactly(0.5, 800);
        assertThat(a("a;b\n1.234;2.5\n800;3\n")).containsExactly(1.234, 800);
    }

    @Test
    void inACommaSeparatedFileAQuotedCommaSeparatesThousands() {
        assertThat(a("a,b\n\"1,234\",2\n\"2,500\",3\n")).containsExactly(1234, 2500);
        assertThat(a("a,b\n\"1,5\",2\n\"2,5\",3\n")).containsExactly(1.5, 2.5);
    }

    @Test
    void aDeclaredDecimalSignIsUsed() {
        DataFile.Options comma = DataFile.Options.DEFAULT.withDecimal(',');
        DataFile.Options point = DataFile.Options.DEFAULT.withDecimal('.');
        assertThat(a("a;b\n1,234;2\n2,500;3\n", comma)).containsExactly(1.234, 2.5);
        assertThat(a("a;b\n1,234;2\n2,500;3\n", point)).containsExactly(1234, 2500);
        assertThat(a("a;b\n1.234;2\n2.500;3\n", comma)).containsExactly(1234, 2500);
        assertThat(a("a,b\n\"1,234\",2\n\"2,500\",3\n", comma)).containsExactly(1.234, 2.5);
        assertThatThrownBy(() -> DataFile.Options.DEFAULT.withDecimal(';'))
                .hasMessageContaining("must be a point or a comma");
    }

    /** Half of the values are whole numbers, which have no comma: the column must still be numeric. */
    @Test
    void decimalCommasFarBelowTheFirstLinesAreRead() {
        String whole = "1;2\n".repeat(40_000);
        double[] values = a("a;b\n" + whole + "2,5;3\n");
        assertThat(values).hasSize(40_001);
        assertThat(values[40_000]).isEqualTo(2.5);
        assertThat(values[0]).isEqualTo(1);
        // 1.234 was taken for a number before the comma was seen
        double[] points =
                CsvReaderTest.read("a;b\n" + whole + "2,5;1.234\n").numeric("b").values();
        assertThat(points[40_000]).isEqualTo(1234);
    }

    @Test
    void thousandsSeparatorsFarBelowTheFirstLinesAreRead() {
        double[] values = a("a,b\n" + "€5,2\n".repeat(40_000) + "\"€1,200\",3\n");
        assertThat(values[40_000]).isEqualTo(1200);
    }

    @Test
    void notationsAreDetectedInAFileWithoutAHeader() {
        Table table = CsvReaderTest.read("1,5;2,7;3,1\n2,5;3,7;4,1\n");
        assertThat(table.names()).containsExactly("1", "2", "3");
        assertThat(table.numeric("2").values()).containsExactly(2.7, 3.7);
        assertThat(CsvReaderTest.read("size, m;weight, kg\n1,5;70,2\n1,6;80,5\n")
                        .numeric("size, m")
                        .values())
                .containsExactly(1.5, 1.6);
    }

    @Test
    void columnsDeclaredCategoricalAreNotReadAsNumbers() {
        Table table = CsvReaderTest.read("a;b\n5%;2\n7%;3\n", DataFile.Options.DEFAULT.withCategorical(Set.of("a")));
        assertThat(((CategoricalColumn) table.column("a")).levels()).containsExactly("5%", "7%");
    }

    @Test
    void anAmbiguousColumnIsReadInItsEarlierNotation() {
        Table before = CsvReaderTest.read("a;b\n€1.234,50;2\n€2,5;3\n");
        Map<String, Notation> known = before.notations();
        DataFile.Options options = DataFile.Options.DEFAULT.withNotations(known);

        assertThat(known.get("a").decimal()).isEqualTo(',');
        assertThat(known.get("a").sign()).isEqualTo("€");
        assertThat(a("a;b\n€1.234;2\n€2.500;3\n", options)).containsExactly(1234, 2500);
        assertThat(a("a;b\n1,234;2\n2,500;3\n", options)).containsExactly(1.234, 2.5);
        assertThat(a("a;b\n1.25;2\n2.5;3\n", options)).containsExactly(1.25, 2.5);
        assertThatThrownBy(() -> a("a;b\n$1,25;2\n$2,5;3\n", options))
                .hasMessageContaining("Column 'a' is in $ here (\"$1,25\") but was in € before");
    }

    /** A number is read back from every notation in which it can be written. */
    @Test
    void randomNumbersInAllNotationsAreReadBack() {
        Random random = new Random(7);
        String[] signs = {"", "€", "$ ", "%", " EUR"};
        for (int k = 0; k < 200; k++) {
            char[] marks = {",.'\u00A0".charAt(random.nextInt(4)), ".,".charAt(random.nextInt(2))};
            if (marks[0] == marks[1]) {
                continue;
            }
            String sign = signs[random.nextInt(signs.length)];
            boolean before = sign.startsWith("€") || sign.startsWith("$");
            StringBuilder csv = new StringBuilder("a;b\n");
            double[] values = new double[8];
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.round(random.nextGaussian() * Math.pow(10, random.nextInt(8)) * 100) / 100.0;
                String text = String.format(Locale.ROOT, "%,.2f", values[i])
                        .replace(',', '_')
                        .replace('.', marks[1])
                        .replace('_', marks[0]);
                csv.append(before ? sign + text : text + sign).append(";x\n");
            }
            assertThat(a(csv.toString())).as(csv.toString()).containsExactly(values, within(1e-9));
        }
    }

    @Test
    void anUnusedColumnMayHoldAnything() {
        String csv = "a,bad,b\n" + "1,2,3\n".repeat(20) + "1,slip,3\n";
        assertThatThrownBy(() -> CsvReaderTest.read(csv)).hasMessageContaining("\"slip\" is not a number");

        Table table = CsvReaderTest.read(csv, DataFile.Options.DEFAULT.withColumns(name -> !name.equals("bad")));

        assertThat(table.names()).containsExactly("a", "bad", "b");
        assertThat(table.has("bad")).isTrue();
        assertThat(table.columns()).hasSize(2);
        assertThat(table.numeric("b").value(20)).isEqualTo(3);
        assertThatThrownBy(() -> table.column("bad")).hasMessageContaining("Column 'bad' was not read");
        assertThat(table.select(new int[] {0}).has("bad")).isTrue();
    }
}
