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
import stackelberg.cli.report.Browser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages about moves that really change the target: what respond and evaluate print is what they show, wherever the sliders are. */
@Tag("browser")
class EffectsReportTest {
    @TempDir
    static Path folder;

    private static Path people;
    private static Path model;
    private static Browser browser;

    @BeforeAll
    static void fit() {
        people = Samples.csv(folder);
        model = folder.resolve("model.json");
        Run run = learn("fit", "--gamma", "0.5", "-o", model, "--report", page("fit"));
        assertThat(run.code()).as(run.err()).isZero();
        browser = Browser.isInstalled() ? Browser.open() : null;
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Run learn(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, people, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--effect", "a=0.8", "--effect", "b=-0.1", "--wish-noise", "0.2"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    private static Path page(String name) {
        return folder.resolve(name + ".html");
    }

    private static JsonNode report(String name) {
        String page = Samples.read(page(name));
        int from = page.indexOf('>', page.indexOf("id=\"report-data\"")) + 1;
        return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
    }

    private static JsonNode evaluate(double gamma) {
        return Run.stackelberg("evaluate", model, people, "--json", "--gamma", gamma)
                .json()
                .get("rules")
                .get(0);
    }

    /** In a world of any gamma, not only the rule's own: tau stands where t did. */
    @Test
    void thePageShowsWhatEvaluatePrintsInEveryWorldOfItsSlider() {
        look("fit");
        for (double world : new double[] {0.02, 0.5, 7}) {
            browser.run("const s = document.getElementById('world'); s.value = " + Math.log10(world)
                    + "; s.dispatchEvent(new Event('input'))");
            JsonNode rule = evaluate(value("#world-value"));
            assertThat(value("#pull-value")).isCloseTo(rule.get("pullThrough").asDouble(), within(1e-12));
            assertThat(value("#earned-value")).isCloseTo(rule.get("earned").asDouble(), within(1e-12));
            assertThat(value("#gamed-value")).isCloseTo(rule.get("gamed").asDouble(), within(1e-12));
            assertThat(value("#pull-earned"))
                    .isCloseTo(rule.get("meanImprovement").asDouble(), within(1e-12));
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(rule.at("/peopleMove/rmse").asDouble(), within(1e-12));
            assertThat(value("#loss-believed"))
                    .isCloseTo(rule.at("/nobodyMoves/rmse").asDouble(), within(1e-12));
            assertThat(incentives()).usingRecursiveComparison().isEqualTo(incentives(rule));
        }
        assertThat(browser.console()).isEmpty();
    }

    /** Of each feature its effect, coefficient, and what it closes and earns, to ten digits; by name. */
    private static List<String> incentives() {
        List<String> rows = new ArrayList<>();
        List<?> said = (List<?>)
                browser.run(
                        "return [...document.querySelectorAll('#incentives tbody tr')].map(row =>"
                                + " [...row.cells].map((cell, k) => k ? Number(cell.dataset.value).toExponential(9) : cell.textContent).join(' '))");
        said.forEach(row -> rows.add(row.toString()));
        return rows.stream().sorted().toList();
    }

    private static List<String> incentives(JsonNode rule) {
        List<String> rows = new ArrayList<>();
        for (JsonNode one : rule.get("incentives")) {
            StringBuilder row = new StringBuilder(one.get("feature").asString());
            for (String key : List.of("effect", "coefficient", "closed", "earned")) {
                row.append(' ')
                        .append(browser.run(
                                "return Number(arguments[0]).toExponential(9)",
                                one.get(key).toString()));
            }
            rows.add(row.toString());
        }
        return rows.stream().sorted().toList();
    }

    /** Another rule of the path is certified by its own loss: in its own world the page computes what the solver minimised. */
    @Test
    void everyRuleOfTheSliderLosesInItsOwnWorldWhatItExpects() {
        look("fit");
        JsonNode points = report("fit").at("/path/points");
        // each balanced rule takes a search
        assertThat(points.size()).isEqualTo(13);
        for (int k : new int[] {0, points.size() / 3, points.size() - 1}) {
            browser.run("const s = document.getElementById('gamma'); s.value = " + k
                    + "; s.dispatchEvent(new Event('input'))");
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(points.get(k).get("expected").asDouble(), within(1e-9));
        }
    }

    @Test
    void theBarHasALegendForItsTwoColours() {
        look("fit");
        JsonNode rule = evaluate(0.5);
        double way = ((Number) browser.run("return document.querySelector('.track').clientWidth")).doubleValue() - 32;
        assertThat(width(".track .gone"))
                .isCloseTo(16 + way * rule.get("pullThrough").asDouble(), within(1.0));
        assertThat(width(".track .earned"))
                .isCloseTo(16 + way * rule.get("earned").asDouble(), within(1.0));
        assertThat(browser.find("#pull-key").getText()).contains("earned", "gamed");
        assertThat(browser.find("#pull-earned").getText()).contains("the target moves along", "On average y really");
        assertThat(browser.find("#answer").getText()).contains("is earned (the target moves along)");
        assertThat(browser.find("#incentives-words").getText()).contains("these data cannot prove them");
        assertThat(browser.find("#whatif").getText()).contains("half of the effects", "twice the effects");
    }

    private static double width(String selector) {
        browser.waitFor("return document.getAnimations().length === 0");
        return ((Number) browser.run("return document.querySelector('" + selector + "').getBoundingClientRect().width"))
                .doubleValue();
    }

    @Test
    void respondCompareTuneAndPathWritePagesToo() {
        for (Run run : List.of(
                Run.stackelberg("respond", model, people, "--report", page("respond")),
                learn("compare", "--report", page("compare")),
                learn("path", "--gammas", "0.1,0.5,3", "--report", page("path")),
                learn("tune", "--gammas", "0.1,0.5,3", "--world-gamma", "0.5", "--report", page("tune")))) {
            assertThat(run.code()).as(run.err()).isZero();
        }
        double earned = evaluate(0.5).get("earned").asDouble();
        assertThat(report("respond").at("/path/points/0/losses/earned").asDouble())
                .isPositive();
        assertThat(Samples.read(page("compare")))
                .containsPattern("<th[^>]*>pull-through \\(earned\\)</th>")
                .containsPattern(">0\\.\\d+ \\(0\\.[0-9]*[1-9][0-9]*\\)</td>");
        look("respond");
        assertThat(value("#earned-value")).isCloseTo(earned, within(1e-12));
        for (String name : List.of("compare", "path", "tune")) {
            look(name);
            assertThat(browser.find("#pull-key").isDisplayed()).as(name).isTrue();
            assertThat(browser.console()).as(name).isEmpty();
        }
    }

    @Test
    void withoutEffectsThePageShowsNone() {
        Run run = Run.stackelberg(
                "fit", people, "--target", "y", "--wish", "hope", "--gamma", "0.5", "--report", page("plain"));
        assertThat(run.code()).as(run.err()).isZero();
        look("plain");
        for (String id : List.of("#pull-key", "#pull-earned", "#incentives-figure")) {
            assertThat(browser.find(id).isDisplayed()).as(id).isFalse();
        }
        assertThat(width(".track .earned")).isZero();
        assertThat(browser.console()).isEmpty();
    }

    private static void look(String name) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.show(page(name));
    }

    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getAttribute("data-value"));
    }
}
