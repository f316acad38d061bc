package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import org.openqa.selenium.Keys;
import stackelberg.cli.report.Browser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The page of retraining as its readers see it: from disk, without the network, played and turned by hand, on columns whose names are an attack. */
@Tag("browser")
class RoundsInBrowserTest {
    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final int ROUNDS = 30;

    private static Browser browser;
    private static Path page;
    private static JsonNode json;

    @BeforeAll
    static void play(@TempDir Path folder) {
        if (!Browser.isInstalled()) {
            return;
        }
        StringBuilder text = new StringBuilder(SCRIPT + ",savings,kind,score\n");
        Random random = new Random(5);
        for (int i = 0; i < 80; i++) {
            double a = random.nextGaussian();
            double b = 1000 * random.nextDouble();
            text.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.1f,%s,%.4f%n",
                    a,
                    b,
                    i % 3 == 0 ? "</script><b>red" : "blue",
                    2 * a + 0.002 * b + 0.3 * random.nextGaussian()));
        }
        Path data = Samples.file(folder, "people.csv", text.toString());
        page = folder.resolve("rounds.html");
        Run run = Run.stackelberg(
                "simulate",
                data,
                "--target",
                "score",
                "--wish",
                "max(y,2)",
                "--wish-noise",
                1,
                "--gamma",
                1,
                "--rounds",
                ROUNDS,
                "--report",
                page,
                "--json");
        assertThat(run.code()).as(run.err()).isZero();
        json = run.json();
        browser = Browser.open();
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
        browser.console();
        browser.events();
        browser.show(page);
    }

    @Test
    void thePageLoadsWithoutConsoleMessagesAndWithoutTheNetwork() {
        assertThat(browser.console()).isEmpty();
        List<String> requested = browser.events().stream()
                .map(event -> JsonMapper.shared().readTree(event).get("message"))
                .filter(message -> message.get("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.get("params").get("request").get("url").asString())
                // the browser's own start page
                .filter(url -> !url.startsWith("chrome:"))
                .toList();
        assertThat(requested).isNotEmpty().allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
        assertThat(browser.find("#coefficients").getText()).contains(SCRIPT);
    }

    @Test
    void theSliderShowsTheRoundsThatWerePrinted() {
        for (int round : new int[] {1, 2, 17, ROUNDS}) {
            browser.run(
                    "const slider = document.getElementById('round'); slider.value = arguments[0];"
                            + " slider.dispatchEvent(new Event('input'))",
                    round);
            JsonNode told = json.get("rounds").get(round - 1);
            assertThat(browser.find("#round-value").getText()).isEqualTo(String.valueOf(round));
            assertThat(error(round)).isCloseTo(told.get("rmse").asDouble(), within(1e-12));
            // what comes later is not drawn yet
            Object drawn = browser.run("return stackelberg.charts.rounds.getOption().series[0].data"
                    + ".filter(point => point[1] !== null).length");
            assertThat(drawn).isEqualTo((long) round);
            String words = browser.find("#round-words").getText();
            assertThat(words).startsWith(round == 1 ? "Today's rule" : "Rule " + round);
        }
    }

    private static double error(int round) {
        Object value = browser.run("return stackelberg.data.rounds.error[arguments[0] - 1]", round);
        return ((Number) value).doubleValue();
    }

    @Test
    void theButtonPlaysTheRoundsToTheirEnd() {
        browser.find("#play").click();
        assertThat(browser.find("#play").getText()).isEqualTo("Pause");
        browser.waitFor("return stackelberg.shown() > 0 && stackelberg.shown() < " + (ROUNDS - 1));

        browser.waitFor("return stackelberg.shown() === " + (ROUNDS - 1));
        browser.waitFor("return document.getElementById('play').textContent === 'Play'");
        assertThat(browser.find("#round-value").getText()).isEqualTo(String.valueOf(ROUNDS));
    }

    @Test
    void theButtonPausesTheRounds() {
        browser.find("#play").click();
        browser.waitFor("return stackelberg.shown() > 1");
        browser.find("#play").click();
        Object at = browser.run("return stackelberg.shown()");

        assertThat(browser.find("#play").getText()).isEqualTo("Play");
        browser.find("#round").sendKeys(Keys.ARROW_LEFT);
        assertThat(browser.run("return stackelberg.shown()")).isEqualTo((Long) at - 1);
    }

    @Test
    void theNumbersOfTheRoundsAreInATable() {
        browser.run("document.querySelector('#rounds-section details').open = true");
        browser.waitFor("return document.querySelectorAll('#table-rounds tbody tr').length === " + ROUNDS);
        Object last =
                browser.run("return Number(document.querySelector('#table-rounds tbody tr:last-child td:nth-child(3)')"
                        + ".dataset.value)");

        assertThat(((Number) last).doubleValue())
                .isCloseTo(json.get("rounds").get(ROUNDS - 1).get("rmse").asDouble(), within(1e-12));
    }

    @Test
    void onAPhoneAndInTheDarkNothingOverflows() {
        browser.dark(true);
        browser.size(390, 800);
        browser.show(page);

        assertThat(browser.console()).isEmpty();
        assertThat(browser.run("return document.documentElement.scrollWidth <= 390"))
                .isEqualTo(true);
    }
}
