package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** Files as spreadsheets write them: money, percentages, decimal commas, dates, columns that are not asked for. */
class RealFilesTest {
    private static final int ROWS = 60;

    @TempDir
    Path folder;

    /** The same people, with or without what spreadsheets add. */
    private Path people(String name, boolean plain, String more) {
        Random random = new Random(5);
        StringBuilder csv = new StringBuilder(plain ? "income;share;pay" : "income;share;pay;day;junk").append("\n");
        for (int i = 0; i < ROWS; i++) {
            double income = 20_000 + 60_000 * random.nextDouble();
            double share = 100 * random.nextDouble();
            double pay = 0.05 * income + 3 * share + 100 * random.nextGaussian();
            csv.append(
                    plain
                            ? String.format(Locale.ROOT, "%.2f;%.1f;%.2f%n", income, share, pay)
                            : String.format(
                                    Locale.GERMANY,
                                    "%,.2f €;%.1f%%;%,.2f €;%02d.03.2024;%s%n",
                                    income,
                                    share,
                                    pay,
                                    1 + i % 28,
                                    more));
        }
        return Samples.file(folder, name, csv.toString());
    }

    private Run fit(Path data, String... more) {
        Object[] args = new Object[6 + more.length];
        System.arraycopy(new Object[] {"fit", data, "--target", "pay", "--wish", "max(y,3000)"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        return Run.stackelberg(args);
    }

    @Test
    void moneyPercentagesAndDatesGiveTheRuleOfPlainNumbers() {
        Path model = folder.resolve("model.json");
        JsonNode plain = fit(people("plain.csv", true, ""), "--json").json();
        JsonNode written = fit(people("written.csv", false, "1"), "--json", "--ignore", "junk", "-o", model.toString())
                .json();

        assertThat(written.get("objective").asDouble())
                .isEqualTo(plain.get("objective").asDouble());
        assertThat(written.get("coefficients")).isEqualTo(plain.get("coefficients"));
        assertThat(written.get("warnings").toString())
                .contains("Column 'day' holds dates or times")
                .contains("Read as numbers: 'income' (")
                .contains("€\\\", decimal comma)")
                .contains("'share' (");
        assertThat(Samples.read(model)).contains("Read as numbers").contains("\"sign\" : \"€\"");
    }

    /** A few rows do not show how a column is written; the model knows. */
    @Test
    void newRowsAreReadInTheNotationOfTheTrainingRows() {
        Path model = folder.resolve("model.json");
        fit(people("written.csv", false, "1"), "--ignore", "junk", "-o", model.toString());
        Path few = Samples.file(folder, "few.csv", "income;share\n31.500 €;5%\n45.250 €;10%\n");
        Path plain = Samples.file(folder, "plain2.csv", "income;share\n31500;5\n45250;10\n");
        Path point = Samples.file(folder, "point.csv", "income;share\n31500;5\n45250.5;10\n");
        Path dollars = Samples.file(folder, "dollars.csv", "income;share\n$31500;5\n$45250;10\n");

        String expected = Run.stackelberg("predict", model, plain).out();
        assertThat(Run.stackelberg("predict", model, few).out()).isEqualTo(expected);
        assertThat(Run.stackelberg("predict", model, few, "--decimal", ".").out())
                .isNotEqualTo(expected);
        assertThat(Run.stackelberg("predict", model, point).code()).isZero();
        Run other = Run.stackelberg("predict", model, dollars);
        assertThat(other.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(other.err()).contains("Column 'income' is in $ here").contains("in € before");
        for (String command : new String[] {"respond", "evaluate", "verify"}) {
            assertThat(Run.stackelberg(command, model, people("written.csv", false, "1"))
                            .code())
                    .as(command)
                    .isZero();
        }
    }

    @Test
    void aColumnThatIsIgnoredOrNotAFeatureIsNeverParsed() {
        StringBuilder csv = new StringBuilder("a,b,bad,y\n");
        Random random = new Random(1);
        for (int i = 0; i < 40; i++) {
            csv.append(random.nextDouble())
                    .append(',')
                    .append(random.nextDouble())
                    .append(',');
            csv.append(i == 30 ? "slip" : "" + i)
                    .append(',')
                    .append(random.nextDouble())
                    .append('\n');
        }
        Path data = Samples.file(folder, "bad.csv", csv.toString());
        Path model = folder.resolve("model.json");
        List<Object> base = List.of("--target", "y", "--wish", "max(y,0.5)", "--hedge", "none");
        for (String command : new String[] {"fit", "path", "tune", "compare"}) {
            Run refused = ran(base, command, data);
            assertThat(refused.code()).as(command).isEqualTo(ExitCode.BAD_DATA);
            assertThat(refused.err()).contains("Column 'bad', row 31").contains("\"slip\" is not a number");
            for (String[] without : new String[][] {{"--ignore", "bad"}, {"--features", "a,b"}}) {
                Run run = ran(base, command, data, without[0], without[1]);
                assertThat(run.err()).as(command).doesNotContain("slip").doesNotContain("Error");
            }
        }
        ran(base, "fit", data, "--ignore", "bad", "-o", model);
        for (String command : new String[] {"predict", "respond", "evaluate", "verify"}) {
            assertThat(Run.stackelberg(command, model, data).code()).as(command).isZero();
        }
        // what the wish is about is read, ignored or not
        Run wished = Run.stackelberg("fit", data, "--target", "y", "--wish", "y+b", "--ignore", "bad,b", "--json");
        assertThat(wished.code()).as(wished.err()).isZero();
        assertThat(wished.json().get("coefficients").size()).isEqualTo(1);
        // and so is what an option of the command is about
        Run grouped = Run.stackelberg("respond", model, data, "--group", "bad");
        assertThat(grouped.err()).contains("slip");
    }

    /** Runs a command with further words at its end. */
    private static Run ran(List<Object> further, Object... words) {
        return Run.stackelberg(
                Stream.concat(Arrays.stream(words), further.stream()).toArray());
    }

    @Test
    void decimalCommasAreAnOption() {
        Path data = Samples.file(folder, "comma.csv", "a;y\n1,234;1\n2,500;2\n3,125;4\n5,250;3\n4,125;5\n");
        Run asked = Run.stackelberg("fit", data, "--target", "y", "--wish", "y+1");
        Run comma = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "y+1", "--hedge", "none", "--decimal", ",", "--json");
        Run point = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "y+1", "--hedge", "none", "--decimal", ".", "--json");

        assertThat(asked.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(asked.err()).contains("\"1,234\" may be 1.234").contains("--decimal , or --decimal .");
        double slope = comma.json().get("coefficients").get("a").asDouble();
        assertThat(point.json().get("coefficients").get("a").asDouble()).isCloseTo(slope / 1000, within(1e-12));
        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "y+1", "--decimal", "x")
                        .code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        Path svm = Samples.file(folder, "a.svm", "1 1:2\n2 1:3\n3 1:5\n");
        Run refused = Run.stackelberg("fit", svm, "--wish", "y+1", "--decimal", ",");
        assertThat(refused.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(refused.err()).contains("--decimal is for CSV");
    }

    @Test
    void filledInValuesAreCounted() {
        Path data =
                Samples.file(folder, "gaps.csv", "a,kind,y\n1,u,1\nNA,u,2\n3,v,4\n5,NA,3\n,v,5\n6,u,6\n7,v,7\n8,u,9\n");
        Path model = folder.resolve("model.json");
        Run run = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "max(y,5)", "--missing", "mean", "--json", "-o", model);

        assertThat(run.json().get("warnings").toString())
                .contains("Missing values were filled in: 2 of 'a' with the mean 5.00000, 1 of 'kind' with the most"
                        + " frequent level");
        assertThat(run.json().get("filled").get("a").get("count").asInt()).isEqualTo(2);
        assertThat(run.json().get("filled").get("a").get("value").asDouble()).isEqualTo(5);
        assertThat(run.json().get("filled").get("kind").get("value").asString()).isEqualTo("u");
        for (String command : new String[] {"predict", "respond", "evaluate"}) {
            Run applied = Run.stackelberg(command, model, data, "--json");
            assertThat(applied.json().get("filled").get("a").get("count").asInt())
                    .as(command)
                    .isEqualTo(2);
            assertThat(Run.stackelberg(command, model, data).err()).as(command).contains("2 of 'a' with the mean");
        }
        for (String command : new String[] {"path", "compare"}) {
            assertThat(Run.stackelberg(command, data, "--target", "y", "--wish", "max(y,5)", "--missing", "mean")
                            .err())
                    .as(command)
                    .contains("Missing values were filled in: ");
        }
        assertThat(Run.stackelberg(
                                "tune",
                                data,
                                "--target",
                                "y",
                                "--wish",
                                "max(y,5)",
                                "--missing",
                                "mean",
                                "--folds",
                                "4")
                        .err())
                .contains(
                        "Missing values were filled in, those of each fold with what the others have: 2 of 'a', 1 of");
    }
}
