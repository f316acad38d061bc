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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages about people who differ: what respond, evaluate and fit print is what they show. */
@Tag("browser")
class MixedReportTest {
    private static final double[] EFFORTS = {0.1, 0.5, 2, 1e30};
    private static final String OWN = "own";
    private static final String SHARE = "share";
    private static final String BOTH = "both";

    @TempDir
    static Path folder;

    private static Path people;
    private static Path few;
    private static Browser browser;

    @BeforeAll
    static void fit() {
        List<String> lines = Samples.read(Samples.csv(folder)).lines().toList();
        StringBuilder text = new StringBuilder(lines.get(0) + ",effort,counts\n");
        for (int i = 1; i < lines.size(); i++) {
            text.append(lines.get(i))
                    .append(',')
                    .append(EFFORTS[i % 4])
                    .append(',')
                    .append(1 + i % 3)
                    .append('\n');
        }
        people = Samples.file(folder, "efforts.csv", text.toString());
        few = Samples.file(
                folder,
                "few.csv",
                String.join("\n", text.toString().lines().limit(24).toList()) + "\n");
        fit(OWN, "--ignore", "counts", "--row-gamma", "effort");
        fit(SHARE, "--ignore", "counts,effort", "--gamma", "0.4", "--truthful-share", "0.3");
        fit(BOTH, "--weight", "counts", "--row-gamma", "effort", "--truthful-share", "0.3");
        browser = Browser.isInstalled() ? Browser.open() : null;
    }

    private static void fit(String name, Object... more) {
        List<Object> words =
                new ArrayList<>(List.of("fit", people, "--target", "y", "--wish", "hope", "--cost", "b=2"));
        words.addAll(List.of(more));
        words.addAll(List.of("-o", model(name), "--report", page(name)));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    /** Distances below 1e-10 had no place on the axis, and the browser said so. */
    @ParameterizedTest
    @ValueSource(strings = {OWN, SHARE, BOTH})
    void theDetailsOpenWithoutConsoleMessages(String name) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.show(page(name));
        browser.console();
        browser.run("document.getElementById('hood').open = true");
        boolean drawn = (boolean) browser.run("return (window.stackelberg.data.hood.trace || []).some(s => s.gap > 0)");
        if (drawn) {
            browser.waitFor("return window.stackelberg.charts.convergence !== undefined");
        }

        assertThat(browser.find("#convergence-figure").isDisplayed()).isEqualTo(drawn);
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, SHARE, BOTH})
    void theResponsePageOfAMixedPopulationShowsWhatTheTerminalPrints(String name) {
        JsonNode printed = respond(name, "--group", "kind", "--top", "10");
        JsonNode report = report(name + "-respond");
        JsonNode mixture = report.at("/game/mixture");

        assertThat(mixture.get("pullThrough").asDouble())
                .isCloseTo(printed.get("pullThrough").asDouble(), within(1e-12));
        assertThat(mixture.get("moved").asDouble())
                .isCloseTo(evaluate(name).path("peopleMove").path("rmse").asDouble(), within(1e-12));
        assertThat(mixture.get("populations")).hasSameSizeAs(printed.get("populations"));
        for (int k = 0; k < printed.get("populations").size(); k++) {
            JsonNode expected = printed.get("populations").get(k);
            JsonNode row = mixture.get("populations").get(k);
            assertThat(row.get("population").asString())
                    .startsWith(expected.get("population").asString() + " (");
            same(row, "meanWish", expected, "meanWish");
            same(row, "meanBefore", expected, "meanPrediction");
            same(row, "meanAfter", expected, "meanAfterResponse");
            same(row, "meanCost", expected, "meanCost");
        }
        for (int k = 0; k < 10; k++) {
            JsonNode expected = printed.get("furthest").get(k);
            JsonNode person = report.at("/people/furthest").get(k);
            assertThat(person.get("label").asString())
                    .isEqualTo("row " + expected.get("row").asInt());
            same(person, "after", expected, expected.has("afterIfMoving") ? "afterIfMoving" : "afterResponse");
            for (JsonNode move : person.get("moves")) {
                assertThat(move.get("to").asDouble() - move.get("from").asDouble())
                        .isCloseTo(
                                expected.get("moves")
                                        .get(move.get("feature").asString())
                                        .asDouble(),
                                within(1e-4));
            }
        }
        for (int g = 0; g < 2; g++) {
            JsonNode row = report.at("/people/groups").get("rows").get(g);
            same(row, "meanAfter", printed.get("groups").get(g), "meanAfterResponse");
        }
        assertThat(report.at("/heading/warnings").toString()).doesNotContain("fitted to");
        assertThat(report.at("/people/fittedRows").asInt()).isEqualTo(Samples.ROWS);
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, SHARE})
    void meanMovesEqualThoseOfRespondWithoutWeights(String name) {
        JsonNode printed = respond(name).get("features");
        JsonNode report = report(name + "-respond");

        for (int j = 0; j < printed.size(); j++) {
            double moves = report.get("path")
                    .get("points")
                    .get(0)
                    .at("/reaction/moves")
                    .get(j)
                    .asDouble();
            assertThat(report.at("/game/mixture").get("meanWay").asDouble() * moves)
                    .isCloseTo(printed.get(j).get("meanScaledMove").asDouble(), within(1e-5));
        }
    }

    @Test
    void oneGammaForAllReplacesGammasPerRow() {
        JsonNode printed = respond(OWN, "--gamma", "0.7");
        JsonNode report = report(OWN + "-respond");

        assertThat(report.at("/game/worldGamma").asDouble()).isEqualTo(0.7);
        assertThat(report.at("/game/mixture").get("pullThrough").asDouble())
                .isCloseTo(printed.get("pullThrough").asDouble(), within(1e-12));
        assertThat(report.at("/game/mixture").get("populations")).isEmpty();
        look(OWN + "-respond");
        assertThat(text("#pull-words")).contains("at gamma 0.7").doesNotContain("effort");
        assertThat(text("#rule-words"))
                .contains("from the column effort")
                .contains("Here all who move do so at gamma 0.7");
        assertThat(browser.find("#populations-figure").isDisplayed()).isFalse();
    }

    /** The error is of the training sample; the sum of its weights is not known here. */
    @Test
    void theExpectedErrorIsANumberOrHidden() {
        double objective = Run.stackelberg("summary", model(OWN), "--json")
                .json()
                .get("objective")
                .asDouble();
        respond(OWN);
        respond(BOTH);

        look(OWN + "-respond");
        assertThat(value("#expected")).isCloseTo(Math.sqrt(objective / Samples.ROWS), within(1e-12));
        assertThat(text("#facts")).doesNotContain("–");
        assertThat(text("#rule-words")).contains("the 60 people the rule was fitted to");
        look(BOTH + "-respond");
        assertThat(browser.find("#expected").isDisplayed()).isFalse();
        assertThat(text("#facts")).doesNotContain("–").contains("Loss it expects");
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, SHARE, BOTH})
    void thePageOfAResponseShowsWhatItCostsAndWhoMoves(String name) {
        JsonNode printed = respond(name);
        look(name + "-respond");

        JsonNode rule = evaluate(name);
        assertThat(value("#loss-believed"))
                .isCloseTo(rule.path("nobodyMoves").path("rmse").asDouble(), within(1e-12));
        assertThat(value("#loss-anticipated"))
                .isCloseTo(rule.path("peopleMove").path("rmse").asDouble(), within(1e-12));
        assertThat(value("#pull-value")).isCloseTo(printed.get("pullThrough").asDouble(), within(1e-12));
        assertThat(browser.run("return document.querySelectorAll('#populations tbody tr').length"))
                .isEqualTo((long) printed.get("populations").size());
        assertThat(browser.run("return document.querySelectorAll('#furthest tbody tr').length"))
                .isEqualTo(10L);
        assertThat(browser.find("#chart-moves").isDisplayed()).isTrue();
        assertThat(browser.find("#untouched").isDisplayed()).isTrue();
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, SHARE, BOTH})
    void thePageOfAFitShowsWhatLeastSquaresLosesOncePeopleMove(String name) {
        JsonNode losses =
                Run.stackelberg("summary", model(name), "--json").json().get("losses");
        look(name);

        double weight = report(name).at("/people/weight").asDouble();
        assertThat(value("#loss-naive"))
                .isCloseTo(Math.sqrt(losses.get("naiveAttacked").asDouble() / weight), within(1e-12));
        assertThat(value("#loss-anticipated"))
                .isCloseTo(Math.sqrt(losses.get("anticipated").asDouble() / weight), within(1e-9));
        assertThat(browser.find("#populations-figure").isDisplayed()).isTrue();
        assertThat(browser.console()).isEmpty();
    }

    /** The share of the truthful does not depend on what moving costs the others. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.4, 10})
    void inAnotherWorldTheErrorsAreThoseThatEvaluatePrints(double world) {
        look(SHARE);
        slide("world", Math.log10(world));
        double shown = value("#world-value");
        JsonNode rule = Run.stackelberg("evaluate", model(SHARE), people, "--gamma", shown, "--json")
                .json()
                .get("rules")
                .get(0);

        assertThat(shown).isCloseTo(world, within(0.03 * world));
        assertThat(value("#pull-value")).isCloseTo(rule.get("pullThrough").asDouble(), within(1e-12));
        assertThat(value("#loss-anticipated"))
                .isCloseTo(rule.at("/peopleMove/rmse").asDouble(), within(1e-12));
        assertThat(value("#loss-believed"))
                .isCloseTo(rule.at("/nobodyMoves/rmse").asDouble(), within(1e-12));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theSliderOfTheRuleShowsWhatAFitAtThatGammaPrints() {
        look(SHARE);
        for (int k : new int[] {3, 8}) {
            slide("gamma", k);
            JsonNode printed = Run.stackelberg(
                            "fit",
                            people,
                            "--target",
                            "y",
                            "--wish",
                            "hope",
                            "--cost",
                            "b=2",
                            "--ignore",
                            "counts,effort",
                            "--gamma",
                            value("#gamma-value"),
                            "--truthful-share",
                            "0.3",
                            "--json")
                    .json();
            double objective = printed.get("objective").asDouble();
            assertThat(value("#objective")).isCloseTo(objective, within(1e-9 * objective));
            assertThat(value("#loss-anticipated")).isCloseTo(Math.sqrt(objective / Samples.ROWS), within(1e-9));
            assertThat(value("#pull-value"))
                    .isCloseTo(printed.get("pullThrough").asDouble(), within(1e-6));
        }
    }

    /** Each row's gamma times a factor: the same as a column with the products. */
    @ParameterizedTest
    @ValueSource(strings = {OWN, BOTH})
    void withScaledGammasTheErrorsAreThoseThatEvaluatePrints(String name) {
        look(name);
        for (double exponent : new double[] {-1.5, 0, 0.7}) {
            slide("world", exponent);
            double factor = value("#world-value");
            assertThat(factor).isCloseTo(Math.pow(10, exponent), within(1e-12 * factor));
            JsonNode rule = Run.stackelberg("evaluate", model(name), times(factor), "--json")
                    .json()
                    .get("rules")
                    .get(0);

            assertThat(value("#pull-value")).isCloseTo(rule.get("pullThrough").asDouble(), within(1e-12));
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(rule.at("/peopleMove/rmse").asDouble(), within(1e-12));
            assertThat(text("#pull-words")).contains("gamma of column effort");
        }
        assertThat(browser.find("#gamma").isDisplayed()).isFalse();
        assertThat(text("#rule-words")).contains("people have no common gamma");
        assertThat(browser.find("#chart-people").isDisplayed()).isTrue();
        assertThat(browser.find("#chart-loss").isDisplayed()).isTrue();
        assertThat(browser.console()).isEmpty();
    }

    private static Path times(double factor) {
        List<String> lines = Samples.read(people).lines().toList();
        StringBuilder text = new StringBuilder(lines.get(0) + "\n");
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            cells[5] = String.valueOf(factor * Double.parseDouble(cells[5]));
            text.append(String.join(",", cells)).append('\n');
        }
        return Samples.file(folder, "harder.csv", text.toString());
    }

    /** In the chart of people each point ends where the row's own gamma leads. */
    @Test
    void everyRowIsDrawnWhereItsOwnGammaMovesIt() {
        JsonNode report = report(OWN);
        look(OWN);
        JsonNode point = report.at("/path/points/0");
        double omega = point.at("/losses/stretch").asDouble();

        List<?> drawn = (List<?>) browser.run("return window.stackelberg.charts.people.getOption().series"
                + ".find(s => s.name === 'after').data.map(d => d[1])");
        for (int i = 0; i < Samples.ROWS; i++) {
            double t = omega / (omega + EFFORTS[(i + 1) % 4]);
            double p = point.at("/reaction/predictions").get(i).asDouble();
            double z = report.at("/people/sample/z").get(i).asDouble();
            assertThat(((Number) drawn.get(i)).doubleValue()).isCloseTo(p + t * (z - p), within(1e-9));
        }
    }

    private static void slide(String id, double position) {
        browser.run(
                "const slider = document.getElementById(arguments[0]); slider.value = arguments[1];"
                        + "slider.dispatchEvent(new Event('input', {bubbles: true}));",
                id,
                position);
    }

    @Test
    void everyKindOfMixedPopulationIsNamed() {
        look(OWN);
        assertThat(text("#pull-caption")).contains("some more easily than others");
        assertThat(text("#pull-words")).contains("gamma of column effort").doesNotContain("truthful");
        assertThat(text("#asked")).contains("a gamma of their own (column effort)");
        assertThat(text("#rule-section"))
                .contains("their own gamma, from the column effort")
                .doesNotContain("one gamma");
        look(SHARE);
        assertThat(text("#pull-caption")).contains("Some are truthful").doesNotContain("easily");
        assertThat(text("#pull-words")).contains("at gamma 0.4, 30% truthful");
        assertThat(text("#asked")).contains("gamma 0.4 and 30% are truthful");
        assertThat(text("#rule-section"))
                .contains("of whom 30% are truthful, while the others move at gamma 0.4")
                .doesNotContain("one gamma")
                .doesNotContain("at this gamma");
        assertThat(text("#furthest-figure")).contains("if they move");
        look(BOTH);
        assertThat(text("#pull-caption")).contains("Some are truthful").contains("some more easily than others");
        assertThat(text("#pull-words")).contains("gamma of column effort, 30% truthful");
    }

    private static void look(String name) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.console();
        browser.size(1200, 900);
        browser.show(page(name));
    }

    private static String text(String selector) {
        return browser.find(selector).getText();
    }

    /** The full precision of what an element shows. */
    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getDomAttribute("data-value"));
    }

    private static void same(JsonNode shown, String key, JsonNode printed, String as) {
        assertThat(shown.get(key).asDouble()).as(key).isCloseTo(printed.get(as).asDouble(), within(1e-10));
    }

    /** What respond prints of some people, with a page beside it. */
    private static JsonNode respond(String name, Object... more) {
        List<Object> words =
                new ArrayList<>(List.of("respond", model(name), few, "--json", "--report", page(name + "-respond")));
        words.addAll(List.of(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run.json();
    }

    private static JsonNode evaluate(String name) {
        return Run.stackelberg("evaluate", model(name), few, "--json")
                .json()
                .get("rules")
                .get(0);
    }

    private static JsonNode report(String name) {
        String html = Samples.read(page(name));
        String open = "<script type=\"application/json\" id=\"report-data\">";
        int from = html.indexOf(open) + open.length();
        return JsonMapper.shared().readTree(html.substring(from, html.indexOf("</script>", from)));
    }

    private static Path model(String name) {
        return folder.resolve(name + ".json");
    }

    private static Path page(String name) {
        return folder.resolve(name + ".html");
    }
}
