package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;

/** A header made of numbers looks like data, so it can be declared one, and a missing name gives a hint. */
class HeaderTest {
    private static final String ROWS = "1,2,3,4\n2,5,4,6\n3,1,5,5\n4,4,4,7\n5,2,7,8\n";

    @TempDir
    Path folder;

    private Path years;
    private Path letters;
    private Path none;

    @BeforeEach
    void write() {
        years = Samples.file(folder, "years.csv", "2019,2020,2021,2022\n" + ROWS);
        letters = Samples.file(folder, "letters.csv", "a,b,c,d\n" + ROWS);
        none = Samples.file(folder, "none.csv", ROWS);
    }

    @Test
    void aHeaderOfNumbersCanBeDeclared() {
        Run named = Run.stackelberg("fit", letters, "--target", "c", "--wish", "d", "--json");
        Run numbered = Run.stackelberg("fit", years, "--header", "--target", "2021", "--wish", "2022", "--json");

        assertThat(numbered.code()).as(numbered.err()).isEqualTo(named.code());
        assertThat(numbered.json().get("rows").asInt()).isEqualTo(5);
        assertThat(numbered.json().get("coefficients").propertyNames()).containsExactly("2019", "2020");
        assertThat(numbered.json().get("objective")).isEqualTo(named.json().get("objective"));
    }

    @Test
    void aNameInAFirstLineReadAsDataGivesAHint() {
        Run run = Run.stackelberg("fit", years, "--target", "2021", "--wish", "y+1");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err())
                .contains("There is no column '2021'")
                .contains("first line was taken as data, and it holds 2021")
                .contains("--header");
    }

    @Test
    void aNameAskedOfAFileWithoutHeaderGivesAHint() {
        Run run = Run.stackelberg("fit", none, "--target", "quality", "--wish", "y+1");
        Run categories = Run.stackelberg("fit", none, "--target", "3", "--wish", "4", "--categorical", "kind");

        assertThat(run.err()).contains("first line was taken as data").contains("--header");
        assertThat(categories.err()).contains("first line was taken as data").contains("--header");
    }

    @Test
    void aMissingPositionGivesNoHintAboutTheHeader() {
        Run run = Run.stackelberg("fit", none, "--target", "9", "--wish", "4");

        assertThat(run.err())
                .contains("There is no column '9'")
                .contains("4 columns")
                .doesNotContain("--header");
    }

    @Test
    void aModelWithNamedColumnsAsksForAHeader() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", years, "--header", "--target", "2021", "--wish", "2022", "-o", model);

        Run without = Run.stackelberg("predict", model, years);
        Run with = Run.stackelberg("predict", model, years, "--header");

        assertThat(without.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(without.err()).contains("'2019', '2020'").contains("--header");
        assertThat(with.out().lines()).hasSize(6);
    }

    @Test
    void headerAndNoHeaderContradictEachOther() {
        Run run = Run.stackelberg("fit", years, "--header", "--no-header", "--target", "3", "--wish", "4");
        Run gamma = Run.stackelberg(
                "gamma",
                "--before",
                years,
                "--after",
                years,
                "--header",
                "--no-header",
                "--rule",
                rule(),
                "--wish",
                "p+1");

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("Both --header and --no-header");
        assertThat(gamma.err()).contains("Both --header and --no-header");
    }

    private Path rule() {
        return Samples.file(folder, "rule.csv", "term,coefficient\n2019,1\n");
    }
}
