package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.report.Browser;
import tools.jackson.databind.JsonNode;

/** What a page says of groups is what fit prints, with its intervals, whatever the groups are called. */
@Tag("browser")
class GroupsInBrowserTest {
    private static Browser browser;
    private static Path page;
    private static Path many;
    private static JsonNode printed;
    private static String terminal;

    @BeforeAll
    static void report(@TempDir Path folder) {
        if (!Browser.isInstalled()) {
            return;
        }
        Random random = new Random(2);
        StringBuilder csv = new StringBuilder("a,b,place,family,y,hope\n");
        for (int i = 0; i < 120; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            csv.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%s,f%d,%.4f,%.4f%n",
                    a,
                    b,
                    i < 9 ? "</script><b>hills" : i % 2 == 0 ? "north" : "south",
                    i / 4,
                    a - b + random.nextGaussian(),
                    1 + random.nextGaussian()));
        }
        Path data = Samples.file(folder, "people.csv", csv.toString());
        page = folder.resolve("fit.html");
        many = folder.resolve("many.html");
        printed =
                fit(data, "place", "family", "--json", "--report", page).json().get("groups");
        terminal = fit(data, "place", "family").out();
        fit(data, "family", "place", "--report", many);
        browser = Browser.open();
    }

    private static Run fit(Path data, String group, String other, Object... more) {
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--group", group, "--ignore", other, "--truthful-share", "0.2"));
        words.addAll(List.of(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void onADesk() {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.size(1200, 900);
        browser.dark(false);
    }

    @Test
    void theTableShowsTheNumbersThatFitPrints() {
        browser.console();
        browser.show(page);
        assertThat(browser.console()).isEmpty();

        // the tables are those of the terminal, whose figures other tests compare with the JSON
        List<String> lines =
                terminal.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
        List<?> rows = (List<?>) browser.run("return [...document.querySelectorAll('#group-figures tr')]"
                + ".map(row => [...row.cells].map(cell => cell.textContent).filter(text => text).join(' '))");
        assertThat(rows).hasSize(2 + 3 * 2 + 1 + 3 * 2);
        for (Object row : rows) {
            assertThat(lines).contains(row.toString());
        }
        for (JsonNode row : printed.get("rows")) {
            assertThat(rows.toString())
                    .contains(row.get("group").asString() + " ("
                            + row.get("people").asInt() + ")" + (row.get("few").asBoolean() ? " *" : "")
                            + " this rule ");
        }
        assertThat(browser.find("#group-figures").getText())
                .contains("95% intervals")
                .contains("It is not known who is truthful")
                .contains("* Fewer than 30 people");
    }

    @Test
    void aPhoneScrollsTheTableAndNotThePage() {
        browser.size(390, 800);
        browser.show(page);
        Object wider = browser.run("return document.documentElement.scrollWidth > innerWidth");
        assertThat(wider).isEqualTo(false);
    }

    @Test
    void thePageShowsTheLargestOfManyGroups() {
        browser.show(many);
        assertThat(browser.run("return document.querySelectorAll('#group-figures tbody tr').length"))
                .isEqualTo(80L);
        assertThat(browser.find("#group-figures").getText()).contains("20 largest of 30 groups");
    }
}
