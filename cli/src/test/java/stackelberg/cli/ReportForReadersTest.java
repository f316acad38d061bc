package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.report.Browser;
import tools.jackson.databind.JsonNode;

/** The first screen of a report: plain words, the price beside the gain, and moves that are impossible. */
@Tag("browser")
class ReportForReadersTest {
    private static final int ROWS = 90;
    private static final String NEGATIVE = "No one in training was below zero.";

    @TempDir
    static Path folder;

    private static Browser browser;
    private static Path data;
    private static Path fitted;
    private static JsonNode printed;

    @BeforeAll
    static void fit() {
        if (!Browser.isInstalled()) {
            return;
        }
        data = Samples.file(folder, "people.csv", csv());
        fitted = folder.resolve("fit.html");
        printed = stackelberg("fit", "--gamma", "20", "--hedge", "none", "--json", "--report", fitted)
                .json();
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
        browser.size(1280, 900);
        browser.dark(false);
        browser.console();
    }

    /** Savings are never negative, children are counted, and a kind is one or another. */
    private static String csv() {
        StringBuilder text = new StringBuilder("income,savings,children,kind,score,hope\n");
        Random random = new Random(12);
        for (int i = 0; i < ROWS; i++) {
            double income = 3 + random.nextGaussian();
            double savings = 2 * random.nextDouble();
            int children = random.nextInt(4);
            double y = income - 2 * savings + 0.5 * children + (i % 3 == 0 ? 1 : 0) + 0.3 * random.nextGaussian();
            text.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%d,%s,%.4f,%.4f%n",
                    income,
                    savings,
                    children,
                    i % 3 == 0 ? "red" : "blue",
                    y,
                    y + 3 * random.nextDouble()));
        }
        return text.toString();
    }

    private static Run stackelberg(String command, Object... more) {
        List<Object> words = new ArrayList<>(
                List.of(command, data, "--target", "score", "--wish", "hope", "--wish-noise", "0.2", "--quiet"));
        words.addAll(List.of(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    @Test
    void theFirstScreenHasNoNumberWithAnExponent() {
        browser.show(fitted);

        assertThat(text("#title")).isEqualTo("Predicting score when people respond");
        assertThat(text("#seal")).contains("Proven: no better rule exists");
        for (String part : List.of("header", "#first", "#facts")) {
            assertThat(text(part)).as(part).doesNotContainPattern("\\de[-−]?\\d");
        }
    }

    @Test
    void thePageEndsWithTheWhatIfTable() {
        browser.show(fitted);

        JsonNode whatIf = printed.get("whatIf");
        assertThat(text("#whatif")).contains("on " + printed.get("whatIfOn").asString() + ":");
        for (int k = 0; k < whatIf.size(); k++) {
            String row = "#whatif tbody tr:nth-child(" + (k + 1) + ") ";
            assertThat(text(row + "td:nth-child(2)"))
                    .isEqualTo(Numbers.number(whatIf.get(k).get("rmse").asDouble()));
            assertThat(text(row + "td:nth-child(3)"))
                    .isEqualTo(Numbers.number(whatIf.get(k).get("todayRmse").asDouble()));
        }
        assertThat(text("#whatif > .answer section > p:last-child"))
                .startsWith("The worst case for this rule is that ");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theExactGapIsInTheDetails() {
        browser.show(fitted);
        browser.find("#seal summary").click();

        String gap = String.format(Locale.ROOT, "%.1e", printed.get("gapBound").asDouble());
        assertThat(text("#seal details")).contains("no rule can be better by more than " + gap);
        assertThat(value("#point-gap")).isEqualTo(printed.get("gapBound").asDouble());
        assertThat(browser.find("#point-gap").getDomAttribute("title")).startsWith("At most ");
    }

    @Test
    void theCostWithoutMovesIsShownBesideTheGain() {
        browser.show(fitted);

        JsonNode losses = printed.get("losses");
        double honest = rmse(losses, "naive");
        double naive = rmse(losses, "naiveAttacked");
        double believed = rmse(losses, "honest");
        double anticipated = rmse(losses, "anticipated");
        assertThat(value("#loss-honest")).isCloseTo(honest, within(1e-9));
        assertThat(value("#loss-naive")).isCloseTo(naive, within(1e-9));
        assertThat(value("#loss-believed")).isCloseTo(believed, within(1e-9));
        assertThat(value("#loss-anticipated")).isCloseTo(anticipated, within(1e-9));
        String price = "costs " + twoDigits(believed / honest - 1);
        String gain = "gains " + twoDigits(1 - anticipated / naive);
        assertThat(text("#cost-words")).isEqualTo(price);
        assertThat(text("#gain-words")).isEqualTo(gain);
        assertThat(text("#answer"))
                .contains("If nobody moves, its error is ")
                .contains(twoDigits(believed / honest - 1) + " larger")
                .contains(twoDigits(1 - anticipated / naive) + " smaller");
        assertThat(numbers("return ['honest-name', 'moved-name'].map(id =>"
                        + " document.getElementById(id).getBoundingClientRect().bottom)"))
                .allSatisfy(bottom -> assertThat(bottom).isLessThan(900));
    }

    /** What the rule is held against has one name, which one place decides. */
    @Test
    void theBaselineRuleIsNamedEverywhere(@TempDir Path other) {
        Path renamed =
                Samples.file(other, "renamed.html", Samples.read(fitted).replace("oday's rule", "he score of 2019"));
        browser.show(renamed);
        browser.run("document.querySelectorAll('details').forEach(d => d.open = true)");
        browser.waitFor("return document.querySelectorAll('#table-loss th').length > 2");

        assertThat(text("#loss-figure"))
                .contains("\nThis rule")
                .contains("that of the score of 2019")
                .doesNotContain("oday's rule");
        assertThat(text("#loss-section")).contains("the score of 2019").doesNotContain("oday's rule");
    }

    @Test
    void impossibleMovesAreFlaggedAndCounted(@TempDir Path other) {
        Path page = other.resolve("far.html");
        Path model = other.resolve("far.json");
        stackelberg("fit", "--gamma", "2", "--immutable", "none", "-o", model, "--report", page);
        JsonNode responded = Run.stackelberg(
                        "respond", model, data, "--top", "10", "--json", "-o", other.resolve("m.csv"))
                .json();
        browser.show(page);

        int flaggedRows = 0;
        int fractionRows = 0;
        String[][] rows =
                Samples.read(data).lines().skip(1).map(line -> line.split(",")).toArray(String[][]::new);
        for (int k = 0; k < 10; k++) {
            JsonNode person = responded.get("furthest").get(k);
            String[] before = rows[person.get("row").asInt() - 1];
            List<String> outside = new ArrayList<>();
            List<String> between = new ArrayList<>();
            person.get("moves").properties().forEach(move -> {
                int column = List.of("income", "savings", "children").indexOf(move.getKey());
                double from = column < 0
                        ? before[3].equals(move.getKey().substring("kind=".length())) ? 1 : 0
                        : Double.parseDouble(before[column]);
                double to = from + move.getValue().asDouble();
                double min = column < 0 ? 0 : extreme(rows, column, -1);
                double max = column < 0 ? 1 : extreme(rows, column, 1);
                if (to < min || to > max) {
                    outside.add(move.getKey());
                } else if (column < 0 || column == 2) {
                    between.add(move.getKey());
                }
            });
            assertThat(flagged(k, "outside")).as("row " + k).containsExactlyInAnyOrderElementsOf(outside);
            assertThat(between).as("row " + k).containsAll(flagged(k, "between"));
            flaggedRows += outside.isEmpty() ? 0 : 1;
            fractionRows += flagged(k, "between").isEmpty() ? 0 : 1;
        }
        assertThat(flaggedRows).isBetween(1, 9);
        assertThat(fractionRows).isPositive();
        assertThat(text("#furthest-doubts"))
                .contains(flaggedRows + " of these 10 would need a value that no one in training had")
                .contains((fractionRows == 10 ? "All of these 10" : fractionRows + " of these 10")
                        + " would need a fraction")
                .contains(
                        "Of all 90 people " + responded.get("peopleOutOfRange").asInt() + " would need");
        assertThat(browser.console()).isEmpty();
    }

    private static double extreme(String[][] rows, int column, int sign) {
        return sign
                * java.util.Arrays.stream(rows)
                        .mapToDouble(row -> sign * Double.parseDouble(row[column]))
                        .max()
                        .orElseThrow();
    }

    /** Names of the columns with a flag of that kind in row k of those who move furthest. */
    private static List<String> flagged(int k, String kind) {
        return words(
                "return [...document.querySelectorAll('#furthest tbody tr')[arguments[0]]"
                        + ".querySelectorAll('details.doubt.' + arguments[1] + ' summary')]"
                        + ".map(summary => summary.textContent.split(' ')[1])",
                k,
                kind);
    }

    @Test
    void aFlagExplainsItselfOnHoverAndTap(@TempDir Path other) {
        Path page = other.resolve("far.html");
        stackelberg("fit", "--gamma", "2", "--report", page);
        browser.show(page);

        assertThat(words("return [...document.querySelectorAll('#furthest details.outside summary')]"
                        + ".map(summary => summary.title)"))
                .isNotEmpty()
                .allMatch(why -> why.equals(NEGATIVE) || why.matches("No one in training had (more|less) than .*\\."));
        assertThat(words("return [...document.querySelectorAll('#furthest details.outside')]"
                        + ".filter(d => / savings .* → −/.test(d.textContent)).map(d => d.lastChild.data)"))
                .isNotEmpty()
                .containsOnly(NEGATIVE);
        browser.find("#furthest details.outside summary").click();
        assertThat(text("#furthest details.outside")).contains("No one in training");
    }

    @Test
    void withTinyMovesNothingIsFlagged(@TempDir Path other) {
        Path page = other.resolve("near.html");
        Path model = other.resolve("near.json");
        stackelberg("fit", "--gamma", "2", "--immutable", "none", "-o", model);
        Run run = Run.stackelberg("respond", model, data, "--gamma", "1e15", "--report", page);
        assertThat(run.code()).as(run.err()).isZero();
        browser.show(page);

        assertThat(browser.run("return document.querySelectorAll('#furthest .doubt').length"))
                .isEqualTo(0L);
        assertThat(text("#furthest-doubts"))
                .isEqualTo("Of all 90 people no one would need a value that no one in training had.");
    }

    /** omega_today/(omega_today + gamma), where omega_today is measured by letting people answer least squares itself. */
    @Test
    void gammaIsShownAsAShareUnderTheBaselineRuleToo(@TempDir Path other) {
        Path model = other.resolve("model.json");
        stackelberg("fit", "--gamma", "20", "-o", model);
        JsonNode rules = Run.stackelberg(
                        "compare",
                        data,
                        "--test",
                        data,
                        "--target",
                        "score",
                        "--wish",
                        "hope",
                        "--wish-noise",
                        "0.2",
                        "--gamma",
                        "20",
                        "--json")
                .json()
                .get("rules");
        double t = rules.get(0).get("pullThrough").asDouble();
        double omega = 20 * t / (1 - t);
        browser.show(fitted);

        assertThat(value("#gamma-share")).isCloseTo(t, within(1e-9));
        assertThat(text("#gamma-share"))
                .isEqualTo("would close " + Math.round(100 * t)
                        + "% of the gap to the score they want under today's rule");
        assertThat(browser.find("#gamma-share").getDomAttribute("title")).startsWith("people would close ");
        for (int k : new int[] {12, 44}) {
            browser.run(
                    "const slider = document.getElementById('gamma'); slider.value = arguments[0];"
                            + "slider.dispatchEvent(new Event('input', {bubbles: true}));",
                    k);
            double gamma = value("#gamma-value");
            assertThat(value("#gamma-share")).isCloseTo(omega / (omega + gamma), within(1e-9));
            assertThat(value("#world-share")).isCloseTo(omega / (omega + gamma), within(1e-9));
        }
        assertThat(text("#rule-words"))
                .contains("people would close " + Math.round(100 * t)
                        + "% of the gap to the score they want under today's rule");
    }

    /** A page of people whom the rule was not learned from does not know least squares. */
    @Test
    void withoutABaselineGammaIsANumber(@TempDir Path other) {
        Path model = other.resolve("model.json");
        Path page = other.resolve("respond.html");
        stackelberg("fit", "--gamma", "20", "-o", model);
        Run.stackelberg("respond", model, data, "--report", page);
        browser.show(page);

        assertThat(browser.find("#world").isDisplayed()).isTrue();
        assertThat(browser.find("#world-share").isDisplayed()).isFalse();
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void thePageOfABalancedRuleHasItsFrontierAndOtherGammas(@TempDir Path other) {
        Path page = other.resolve("balanced.html");
        stackelberg("fit", "--gamma", "20", "--report", page);
        browser.show(page);

        assertThat(text("#seal")).contains("Proven: no better rule within the hedge");
        assertThat(browser.find("#frontier-section").isDisplayed()).isTrue();
        assertThat(browser.find("#gamma").isDisplayed()).isTrue();
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theFrontierIsDrawnOnlyWhereItIsKnown(@TempDir Path other) {
        browser.show(fitted);
        assertThat(browser.find("#frontier-section").isDisplayed()).isFalse();

        double honest = rmse(printed.get("losses"), "naive");
        double moved = rmse(printed.get("losses"), "naiveAttacked");
        String points = String.format(
                Locale.ROOT,
                "[{\"share\":0,\"honest\":%s,\"moved\":%s},{\"share\":0.1,\"honest\":%s,\"moved\":%s},{\"share\":1,\"honest\":%s,\"moved\":%s}]",
                1.5 * honest,
                0.5 * moved,
                1.1 * honest,
                0.6 * moved,
                honest,
                moved);
        String html = Samples.read(fitted);
        assertThat(html).contains("\"frontier\":null");
        browser.show(Samples.file(other, "frontier.html", html.replace("\"frontier\":null", "\"frontier\":" + points)));

        assertThat(numbers("return window.stackelberg.charts.frontier.getOption().series[0].data.flat()"))
                .containsExactly(1.5 * honest, 0.5 * moved, 1.1 * honest, 0.6 * moved, honest, moved);
        assertThat(numbers("return [\"today's rule\", 'this rule'].flatMap(name =>"
                        + " window.stackelberg.charts.frontier.getOption().series.find(s => s.name === name).data[0])"))
                .usingComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : Double.compare(a, b), Double.class)
                .containsExactly(
                        honest,
                        moved,
                        rmse(printed.get("losses"), "honest"),
                        rmse(printed.get("losses"), "anticipated"));
        browser.run("const slider = document.getElementById('hedge'); slider.value = 1;"
                + "slider.dispatchEvent(new Event('input', {bubbles: true}));");
        assertThat(text("#hedge-value")).isEqualTo("10%");
        assertThat(text("#hedge-words"))
                .contains("10% larger than that of today's rule")
                .contains("40% smaller");
        assertThat(
                        numbers(
                                "return window.stackelberg.charts.frontier.getOption().series.find(s => s.id === 'hedged').data[0]"))
                .containsExactly(1.1 * honest, 0.6 * moved);
        assertThat(browser.console()).isEmpty();
    }

    private static double rmse(JsonNode losses, String key) {
        return Math.sqrt(losses.get(key).asDouble() / ROWS);
    }

    private static String twoDigits(double share) {
        return new java.math.BigDecimal(100 * share)
                        .round(new java.math.MathContext(2))
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    private static String text(String selector) {
        return browser.find(selector).getText();
    }

    /** The full precision of what an element shows. */
    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getDomAttribute("data-value"));
    }

    private static List<String> words(String script, Object... arguments) {
        return ((List<?>) browser.run(script, arguments))
                .stream().map(Object::toString).toList();
    }

    private static List<Double> numbers(String script, Object... arguments) {
        return ((List<?>) browser.run(script, arguments))
                .stream().map(number -> ((Number) number).doubleValue()).toList();
    }
}
