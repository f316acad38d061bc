package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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
        Run run = fit(data, "place", "family", page);
        printed = run.json().get("groups");
        fit(data, "family", "place", many);
        browser = Browser.open();
    }

    private static Run fit(Path data, String group, String other, Path page) {
        Run run = Run.stackelberg(
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope",
                "--group",
                group,
                "--ignore",
                other,
                "--truthful-share",
                "0.2",
                "--json",
                "--report",
                page);
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
    void theTableHasWhatFitPrints() {
        browser.console();
        browser.show(page);
        assertThat(browser.console()).isEmpty();

        List<String> figures = List.of(
                "/error/nobodyMoves",
                "/error/peopleMove",
                "/bias/nobodyMoves",
                "/bias/peopleMove",
                "/cost",
                "/distance",
                "/moving",
                "/move");
        JsonNode rows = printed.get("rows");
        assertThat(rows).hasSize(3);
        for (int g = 0; g < 3; g++) {
            for (int r = 0; r < 2; r++) {
                String row = "#group-figures tbody tr:nth-child(" + (2 * g + r + 1) + ") ";
                assertThat(browser.find(row + "th").getText())
                        .isEqualTo(rows.get(g).get("group").asString() + " ("
                                + rows.get(g).get("people").asInt() + ")"
                                + (rows.get(g).get("few").asBoolean() ? " *" : ""));
                assertThat(browser.find(row + "td:nth-child(2)").getText())
                        .isEqualTo(r == 0 ? "this rule" : "today's rule");
                for (int k = 0; k < figures.size(); k++) {
                    JsonNode figure = rows.get(g).get(r == 0 ? "rule" : "today").at(figures.get(k));
                    String cell = row + "td:nth-child(" + (k + 3) + ")";
                    assertThat(Double.parseDouble(browser.find(cell).getDomAttribute("data-value")))
                            .isEqualTo(figure.get("value").asDouble());
                    assertThat(browser.find(cell + " .between").getText()).contains(" to ");
                }
            }
        }
        assertThat(browser.find("#group-figures-words").getText())
                .contains("95% interval")
                .contains("Who is truthful is not known")
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
    void ofManyGroupsThePageHasTheLargest() {
        browser.show(many);
        assertThat(browser.run("return document.querySelectorAll('#group-figures tbody tr').length"))
                .isEqualTo(40L);
        assertThat(browser.find("#group-figures-words").getText()).contains("20 largest of 30 groups");
    }
}
