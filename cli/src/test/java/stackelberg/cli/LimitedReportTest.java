package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.report.Browser;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages about people who can go only so far: what respond and evaluate print is what they show. */
@Tag("browser")
class LimitedReportTest {
    private static final String ONE = "one";
    private static final String MIXED = "mixed";

    @TempDir
    static Path folder;

    private static Path people;
    private static Browser browser;

    @BeforeAll
    static void fit() {
        people = Samples.csv(folder);
        fit(ONE);
        fit(MIXED, "--truthful-share", "0.3");
        browser = Browser.isInstalled() ? Browser.open() : null;
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private static void fit(String name, Object... more) {
        List<Object> words = new ArrayList<>(List.of("fit", people, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--gamma", "0.2", "--limit", "b>=0.5", "--limit", "a up", "--limit", "a<=1"));
        words.addAll(List.of(more));
        words.addAll(List.of("-o", model(name), "--report", page(name)));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
    }

    private static Path model(String name) {
        return folder.resolve(name + ".json");
    }

    private static Path page(String name) {
        return folder.resolve(name + ".html");
    }

    private static JsonNode report(String name) {
        String page = Samples.read(page(name));
        int from = page.indexOf('>', page.indexOf("id=\"report-data\"")) + 1;
        return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
    }

    private static JsonNode respond(String name) {
        Run run = Run.stackelberg(
                "respond", model(name), people, "--json", "--top", "10", "--report", page(name + "-respond"));
        assertThat(run.code()).as(run.err()).isZero();
        return run.json();
    }

    private static JsonNode evaluate(String name, Object... more) {
        List<Object> words = new ArrayList<>(List.of("evaluate", model(name), people, "--json"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray()).json().get("rules").get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE, MIXED})
    void thePageMarksRowsThatLimitsStop(String name) {
        JsonNode printed = respond(name);
        JsonNode page = report(name + "-respond");

        assertThat(page.at("/game/limits/stopped").asInt())
                .isEqualTo(printed.get("peopleStopped").asInt())
                .isPositive();
        assertThat(page.at("/game/limits/stuck").asInt())
                .isEqualTo(printed.get("peopleStuck").asInt());
        assertThat(page.at("/game/limits/words")).hasSize(3);
        for (int k = 0; k < 10; k++) {
            JsonNode person = page.at("/people/furthest").get(k);
            JsonNode expected = printed.get("furthest").get(k);
            assertThat(person.get("label").asString())
                    .isEqualTo("row " + expected.get("row").asInt());
            List<String> stopped = new ArrayList<>();
            expected.get("stopped").forEach(column -> stopped.add(column.asString()));
            for (JsonNode move : person.get("moves")) {
                assertThat(move.at("/doubt/kind").asString("").equals("limit"))
                        .isEqualTo(stopped.contains(move.get("feature").asString()));
                double from = move.get("from").asDouble();
                double to = move.get("to").asDouble();
                assertThat(to - from)
                        .isCloseTo(
                                expected.get("moves")
                                        .get(move.get("feature").asString())
                                        .asDouble(),
                                // the page has six digits of each
                                within(5e-6 * (Math.abs(from) + Math.abs(to))));
            }
        }
        int here = page.at("/game/worlds/factors").size() / 2;
        assertThat(page.at("/game/worlds/factors").get(here).asDouble()).isEqualTo(0.2);
        assertThat(page.at("/game/worlds/moved").get(here).asDouble())
                .isCloseTo(evaluate(name).at("/peopleMove/rmse").asDouble(), within(1e-12));
    }

    /** The page of the fit knows the people it was fitted to, who are the same. */
    @ParameterizedTest
    @ValueSource(strings = {ONE, MIXED})
    void thePageShowsWhatEvaluatePrintsInEveryWorldOfItsSlider(String name) {
        look(name);
        for (double world : new double[] {0.02, 0.2, 2}) {
            browser.run("const s = document.getElementById('world'); s.value = " + Math.log10(world)
                    + "; s.dispatchEvent(new Event('input'))");
            double shown = value("#world-value");
            JsonNode rule = evaluate(name, "--gamma", shown);
            assertThat(shown).isCloseTo(world, within(1e-9 * world));
            assertThat(value("#pull-value")).isCloseTo(rule.get("pullThrough").asDouble(), within(1e-12));
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(rule.at("/peopleMove/rmse").asDouble(), within(1e-12));
            assertThat(value("#loss-believed"))
                    .isCloseTo(rule.at("/nobodyMoves/rmse").asDouble(), within(1e-12));
        }
        assertThat(browser.find("#gamma").isDisplayed()).isFalse();
        assertThat(browser.find("#pull-caption").getText())
                .contains("The limits hold back", "a limit stops")
                .contains("b>=0.5");
        assertThat(browser.find("#rule-words").getText()).contains("under limits, each gamma needs a separate search");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void everyRowIsDrawnWhereItsLimitsLetItMove() {
        List<String> lines =
                Run.stackelberg("respond", model(ONE), people).out().lines().toList();
        int at = List.of(lines.get(0).split(",")).indexOf("after_response");
        look(ONE);
        browser.waitFor("return window.stackelberg.charts.people !== undefined");

        List<?> drawn = (List<?>) browser.run("return window.stackelberg.charts.people.getOption().series"
                + ".find(s => s.name === 'after').data.map(d => d[1])");
        for (int i = 0; i < Samples.ROWS; i++) {
            double after = Double.parseDouble(lines.get(i + 1).split(",")[at]);
            assertThat(((Number) drawn.get(i)).doubleValue()).isCloseTo(after, within(1e-5 * (1 + Math.abs(after))));
        }
    }

    @Test
    void anUnknownGapIsNotPrintedAs100Percent() {
        look(ONE);
        assertThat(browser.find("#point-gap").getText()).isEqualTo("not known");
        assertThat(report(ONE).at("/heading/seal/exact").asString())
                .endsWith("it is not known how much better a rule could be.");
    }

    private static void look(String name) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.show(page(name));
    }

    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getAttribute("data-value"));
    }
}
