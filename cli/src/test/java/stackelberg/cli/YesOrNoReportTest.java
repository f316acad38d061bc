package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.report.Browser;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Pages about games whose loss is not squared: every number is computed here by its definition, from the printed rule and all rows. */
@Tag("browser")
class YesOrNoReportTest {
    private static final int ROWS = 160;
    private static final int PHONE = 390;
    private static final double GAMMA = 0.5;
    private static final double WISH = 0.85;

    @TempDir
    static Path folder;

    private static final double[][] FIGURES = new double[ROWS][2];
    private static final double[] TRUTHS = new double[ROWS];
    private static Path people;
    private static JsonNode printed;
    private static Browser browser;

    @BeforeAll
    static void fit() {
        StringBuilder text = new StringBuilder("income,debt,region,repaid\n");
        Random random = new Random(20);
        for (int i = 0; i < ROWS; i++) {
            double income = Math.rint(100 * (30 + 6 * random.nextGaussian())) / 100;
            double debt = Math.rint(500 * random.nextDouble()) / 100;
            FIGURES[i] = new double[] {income, debt};
            TRUTHS[i] = random.nextDouble() < chance(0.2 * (income - 30) - 0.6 * (debt - 2.5) + 0.3) ? 1 : 0;
            text.append(String.format(
                    Locale.ROOT,
                    "%.2f,%.2f,%s,%s%n",
                    income,
                    debt,
                    i % 3 == 0 ? "north" : "south",
                    TRUTHS[i] == 1 ? "yes" : "no"));
        }
        people = Samples.file(folder, "loans.csv", text.toString());
        printed = made("fit", "fit", "--gamma", GAMMA, "-o", folder.resolve("model.json"));
        browser = Browser.isInstalled() ? Browser.open() : null;
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.close();
        }
    }

    /** A page by its name, and what is printed beside it. */
    private static JsonNode made(String name, String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, people, "--target", "repaid", "--ignore", "region"));
        words.addAll(List.of("--loss", "logistic", "--wish", WISH, "--json", "--report", page(name)));
        words.addAll(List.of(more));
        return ran(words);
    }

    private static JsonNode ran(List<Object> words) {
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
        return run.json();
    }

    private static Path page(String name) {
        return folder.resolve(name + ".html");
    }

    private static JsonNode data(String name) {
        String page = Samples.read(page(name));
        int from = page.indexOf('>', page.indexOf("id=\"report-data\"")) + 1;
        return JsonMapper.shared().readTree(page.substring(from, page.indexOf("</script>", from)));
    }

    private static double chance(double score) {
        return 1 / (1 + Math.exp(-score));
    }

    /** The log-odds of all rows under a printed rule. */
    private static double[] scores(JsonNode rule) {
        double income = rule.at("/coefficients/income").asDouble();
        double debt = rule.at("/coefficients/debt").asDouble();
        double constant = rule.get("intercept").asDouble();
        return all(i -> constant + income * FIGURES[i][0] + debt * FIGURES[i][1]);
    }

    private static double[] after(double[] scores, double t) {
        double z = Math.log(WISH / (1 - WISH));
        return all(i -> (1 - t) * scores[i] + t * z);
    }

    private static double[] all(IntToDoubleFunction value) {
        return IntStream.range(0, ROWS).mapToDouble(value).toArray();
    }

    private static double logLoss(double[] scores) {
        return IntStream.range(0, ROWS)
                .mapToDouble(i -> -Math.log(TRUTHS[i] == 1 ? chance(scores[i]) : 1 - chance(scores[i])))
                .average()
                .orElseThrow();
    }

    private static double share(IntPredicate those) {
        return IntStream.range(0, ROWS).filter(those).count() / (double) ROWS;
    }

    /** Over all pairs of a yes and a no. */
    private static double auc(double[] scores) {
        double won = 0;
        double pairs = 0;
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                if (TRUTHS[i] == 1 && TRUTHS[j] == 0) {
                    won += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
                    pairs++;
                }
            }
        }
        return won / pairs;
    }

    private static double ks(double[] scores) {
        double most = 0;
        double yes = share(i -> TRUTHS[i] == 1);
        for (double at : scores) {
            double below = share(i -> TRUTHS[i] == 1 && scores[i] <= at) / yes;
            most = Math.max(most, Math.abs(below - share(i -> TRUTHS[i] == 0 && scores[i] <= at) / (1 - yes)));
        }
        return most;
    }

    private static void look(String name) {
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.size(1200, 900);
        browser.console();
        browser.show(page(name));
    }

    private static void slide(String id, int to) {
        browser.run("const s = document.getElementById('" + id + "'); s.value = " + to
                + "; s.dispatchEvent(new Event('input'))");
    }

    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getAttribute("data-value"));
    }

    private static void assertMeasures(String column, double[] scores) {
        double[] expected = {
            auc(scores),
            2 * auc(scores) - 1,
            ks(scores),
            share(i -> TRUTHS[i] == 1 == scores[i] >= 0),
            share(i -> scores[i] >= 0),
            IntStream.range(0, ROWS)
                    .mapToDouble(i -> chance(scores[i]))
                    .average()
                    .orElseThrow(),
            share(i -> TRUTHS[i] == 1),
            logLoss(scores),
            IntStream.range(0, ROWS)
                    .mapToDouble(i -> Math.pow(chance(scores[i]) - TRUTHS[i], 2))
                    .average()
                    .orElseThrow()
        };
        for (int k = 0; k < expected.length; k++) {
            assertThat(value("#answers tbody tr:nth-child(" + (k + 1) + ") td:nth-child(" + column + ")"))
                    .as("measure " + k + " of column " + column)
                    .isCloseTo(expected[k], within(1e-9));
        }
    }

    @Test
    void theFirstScreenShowsTheLogLossesThatFitPrints() {
        look("fit");
        JsonNode means = printed.get("meanLoss");
        double[] before = scores(printed);
        double t = printed.get("pullThrough").asDouble();

        assertThat(value("#loss-believed"))
                .isCloseTo(means.get("honest").asDouble(), within(1e-12))
                .isCloseTo(logLoss(before), within(1e-9));
        assertThat(value("#loss-anticipated"))
                .isCloseTo(means.get("anticipated").asDouble(), within(1e-12))
                .isCloseTo(logLoss(after(before, t)), within(1e-9));
        assertThat(value("#loss-honest")).isCloseTo(means.get("naive").asDouble(), within(1e-12));
        assertThat(value("#loss-naive")).isCloseTo(means.get("naiveAttacked").asDouble(), within(1e-12));
        assertThat(browser.find("#answer").getText())
                .contains("its log loss is")
                .doesNotContain("error");
        assertThat(browser.find("#loss-caption").getText()).contains("log loss");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theLossAtEverySliderPositionEqualsItsDefinition() {
        JsonNode path = made("path", "path", "--gammas", "log:0.05:5:7").get("path");
        look("path");

        for (int k = 0; k < path.size(); k++) {
            slide("gamma", k);
            double[] before = scores(path.get(k));
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(path.get(k).at("/meanLoss/anticipated").asDouble(), within(1e-12));
            for (int w = 0; w < path.size(); w++) {
                slide("world", w);
                double world = value("#world-value");
                assertThat(world).isEqualTo(path.get(w).get("gamma").asDouble());
                double omega = path.get(k).get("pullThrough").asDouble();
                omega = path.get(k).get("gamma").asDouble() * omega / (1 - omega);
                assertThat(value("#pull-value")).isCloseTo(omega / (omega + world), within(1e-9));
                assertThat(value("#loss-anticipated"))
                        .isCloseTo(logLoss(after(before, omega / (omega + world))), within(1e-9));
            }
            browser.run("document.getElementById('world-follows').click()");
        }
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theMeasuresOfBothRulesEqualTheirDefinitionAtEveryGamma() {
        look("fit");
        double[] before = scores(printed);
        assertMeasures("2", before);
        assertMeasures("3", after(before, printed.get("pullThrough").asDouble()));
        assertThat(value("#answers tbody tr:nth-child(8) td:nth-child(4)"))
                .isCloseTo(printed.at("/meanLoss/naive").asDouble(), within(1e-12));
        assertThat(value("#answers tbody tr:nth-child(8) td:nth-child(5)"))
                .isCloseTo(printed.at("/meanLoss/naiveAttacked").asDouble(), within(1e-12));

        String[] keys = {
            "auc", "gini", "ks", "accuracy", "predictedYes", "meanProbability", "shareOfYes", "logLoss", "brier"
        };
        String[] places = {"rule/nobodyMoves", "rule/peopleMove", "today/nobodyMoves", "today/peopleMove"};
        for (int k = 0; k < keys.length; k++) {
            for (int j = 0; j < places.length; j++) {
                assertThat(value("#answers tbody tr:nth-child(" + (k + 1) + ") td:nth-child(" + (j + 2) + ")"))
                        .as(keys[k] + " of " + places[j])
                        .isCloseTo(
                                printed.at("/yesOrNo/" + places[j] + "/" + keys[k])
                                        .asDouble(),
                                within(1e-12));
            }
        }

        slide("world", 0);
        assertThat(value("#world-value")).isLessThan(GAMMA / 10);
        assertMeasures("3", after(before, value("#pull-value")));
        assertThat(browser.find("#answers-words").getText()).contains("repaid = yes");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void arrowKeysMoveTheGammaSlider() {
        look("fit");
        double world = value("#world-value");
        browser.find("#world").sendKeys(Keys.ARROW_RIGHT);
        assertThat(value("#world-value")).isGreaterThan(world);
        assertThat(browser.find("#world").getAttribute("aria-valuetext")).startsWith("gamma ");
        browser.find("#world").sendKeys(Keys.ARROW_LEFT, Keys.ARROW_LEFT);
        assertThat(value("#world-value")).isLessThan(world);
    }

    @Test
    void theChartsShowTenGroupsAndPredictedAnswers() {
        look("fit");
        double[] before = scores(printed);
        JsonNode honest = data("fit").at("/judged/answers/honest");
        assertThat(honest.get("calibration"))
                .hasSize(10)
                .isEqualTo(printed.at("/yesOrNo/rule/nobodyMoves/calibration"));
        List<?> drawn = (List<?>) browser.run("return window.stackelberg.charts.calibration.getOption().series"
                + ".find(s => s.name === 'before').data.map(d => d[1])");
        for (int g = 0; g < 10; g++) {
            assertThat(((Number) drawn.get(g)).doubleValue())
                    .isEqualTo(honest.at("/calibration/" + g + "/shareOfYes").asDouble());
        }
        List<?> shares = (List<?>) browser.run("return window.stackelberg.charts.scores.getOption().series"
                + ".find(s => s.name === 'before').data.map(d => d[1])");
        assertThat(shares).hasSize(21);
        for (int k = 0; k < 20; k++) {
            double low = k / 20.0;
            assertThat(((Number) shares.get(k)).doubleValue())
                    .isCloseTo(share(i -> chance(before[i]) >= low && chance(before[i]) < low + 0.05), within(1e-6));
        }
        assertThat(browser.run("return window.stackelberg.charts.scores.getOption().series.find(s => s.id === 'cutoff')"
                        + ".markLine.data[0].xAxis"))
                .isEqualTo(0.5);
        assertThat(browser.find("#chart-calibration").getAttribute("aria-label"))
                .contains("its numbers are in the table that follows");
        browser.run("document.querySelector('#scores-figure details').open = true");
        browser.waitFor("return document.querySelectorAll('#table-scores tbody tr').length === 20");
        browser.run("document.querySelector('#calibration-figure details').open = true");
        browser.waitFor("return document.querySelectorAll('#table-calibration tbody tr').length === 30");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void everyRowIsDrawnAsAProbability() {
        look("fit");
        double[] before = scores(printed);
        double[] moved = after(before, printed.get("pullThrough").asDouble());
        for (String name : List.of("before", "after")) {
            List<?> drawn = (List<?>) browser.run("return window.stackelberg.charts.people.getOption().series"
                    + ".find(s => s.name === '" + name + "').data.map(d => d[1])");
            for (int i = 0; i < ROWS; i++) {
                assertThat(((Number) drawn.get(i)).doubleValue())
                        .isCloseTo(chance((name.equals("before") ? before : moved)[i]), within(1e-5));
            }
        }
        // points with the same wish are spread sideways, but within 0 and 1
        assertThat((List<?>) browser.run("return window.stackelberg.charts.people.getOption().series"
                        + ".find(s => s.name === 'after').data.map(d => d[0]).filter(x => x < 0 || x > 1)"))
                .isEmpty();
        for (JsonNode mover : data("fit").at("/people/furthest")) {
            assertThat(mover.get("wish").asDouble()).isCloseTo(WISH, within(1e-12));
            assertThat(mover.get("before").asDouble()).isBetween(0.0, 1.0);
        }
        assertThat(browser.find("#furthest tbody td:nth-child(4)").getText()).isIn("yes", "no");
    }

    @Test
    void aPhoneScrollsOnlyDownwards() {
        look("fit");
        browser.size(PHONE, 800);
        browser.show(page("fit"));
        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) PHONE);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void thePageOfCompareShowsThePrintedHeldOutLosses() {
        JsonNode compared = made("compare", "compare", "--gamma", GAMMA, "--bootstrap", "50", "--cutoff", "0.7");
        assertThat(data("compare").at("/judged/answers/cutoff").asDouble()).isEqualTo(0.7);
        look("compare");
        JsonNode rules = compared.get("rules");
        for (int k = 0; k < rules.size(); k++) {
            assertCompared(1, k, "%.4f", rules.get(k), "Auc");
            assertCompared(2, k, "%.4f", rules.get(k), "Accuracy");
            assertThat(compared(0, k))
                    .startsWith(Numbers.number(
                                    rules.get(k).at("/peopleMove/logLoss").asDouble()) + " [");
        }
        assertThat(browser.console()).isEmpty();
    }

    /** The cell of a rule once people have moved, in one of the three tables. */
    private static String compared(int table, int rule) {
        return (String) browser.run(
                "return document.querySelectorAll('#comparison table')[arguments[0]].tBodies[0].rows[arguments[1]].cells[2].textContent",
                table,
                rule);
    }

    private static void assertCompared(int table, int k, String digits, JsonNode rule, String name) {
        JsonNode interval = rule.get("peopleMove" + name + "Interval");
        assertThat(compared(table, k))
                .isEqualTo(String.format(
                        Locale.ROOT,
                        digits + " [" + digits + ", " + digits + "]",
                        rule.at("/peopleMove/" + name.toLowerCase(Locale.ROOT)).asDouble(),
                        interval.get(0).asDouble(),
                        interval.get(1).asDouble()));
    }

    @Test
    void thePageOfTuneShowsTheHeldOutLogLoss() {
        JsonNode tuned = made("tune", "tune", "--gammas", "log:0.1:2:3", "--world-gamma", "0.4", "--folds", "4");
        look("tune");
        assertThat(browser.find("#tuning-words").getText()).startsWith("The log loss on people held out");
        assertThat(value("#world-value")).isEqualTo(0.4);
        assertThat(value("#gamma-value")).isEqualTo(tuned.get("gamma").asDouble());
        assertThat(data("tune").at("/judged/tuning/mean/0").asDouble())
                .isEqualTo(tuned.at("/curve/0/loss").asDouble());
        assertThat(value("#loss-anticipated")).isPositive();
        assertThat(browser.console()).isEmpty();
    }

    /** A noise of wishes is refused together with such a loss. */
    @Test
    void withoutARuleNoRefusedOptionIsSuggested() {
        Path numbers = Samples.csv(folder);
        List<Object> words = new ArrayList<>(List.of("fit", numbers, "--target", "y", "--wish", "y+1"));
        words.addAll(List.of("--ignore", "hope", "--loss", "huber:0.5", "--gamma", "0.2", "--json"));
        words.addAll(List.of("--hedge", "none", "--report", page("none")));
        JsonNode fitted = ran(words);
        look("none");
        assertThat(fitted.get("finite").asBoolean()).isFalse();
        assertThat(browser.find("#seal").getText()).contains("no best rule").doesNotContain("--wish-noise");
        assertThat(browser.find("#answer").getText())
                .contains("The Huber loss of today's rule is")
                .doesNotContain("are below");
        assertThat(browser.find("#none-section").isDisplayed()).isFalse();
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void thePageOfRespondHasOneRule() {
        ran(List.of(
                "respond",
                folder.resolve("model.json"),
                people,
                "--json",
                "--group",
                "region",
                "--gamma",
                "0.2",
                "--report",
                page("respond")));
        look("respond");
        double omega = GAMMA
                * printed.get("pullThrough").asDouble()
                / (1 - printed.get("pullThrough").asDouble());
        double[] moved = after(scores(printed), omega / (omega + 0.2));

        assertThat(value("#world-value")).isEqualTo(0.2);
        assertThat(value("#loss-anticipated")).isCloseTo(logLoss(moved), within(1e-9));
        assertMeasures("3", moved);
        assertThat(value("#groups tbody tr:nth-child(1) td:nth-child(5)"))
                .isCloseTo(
                        IntStream.range(0, ROWS)
                                .filter(i -> i % 3 == 0)
                                .mapToDouble(i -> chance(moved[i]))
                                .average()
                                .orElseThrow(),
                        within(1e-9));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void thePageForHuberLossShowsNoYesOrNoMeasures() {
        Path numbers = Samples.csv(folder);
        List<Object> words = new ArrayList<>(List.of("fit", numbers, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--loss", "huber:0.5", "--gamma", "0.2", "--json", "--report", page("huber")));
        JsonNode fitted = ran(words);
        look("huber");

        assertThat(value("#loss-anticipated"))
                .isCloseTo(fitted.at("/meanLoss/anticipated").asDouble(), within(1e-12));
        assertThat(value("#loss-naive"))
                .isCloseTo(fitted.at("/meanLoss/naiveAttacked").asDouble(), within(1e-12));
        assertThat(browser.find("#answers-section").isDisplayed()).isFalse();
        assertThat(browser.find("#loss-caption").getText()).contains("huber:0.5");
        assertThat(data("huber").at("/judged/answers").isNull()).isTrue();
        assertThat(browser.console()).isEmpty();
    }
}
