package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.report.Browser;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports as their readers see them: in a browser, from disk, on data whose column names are an attack. */
@Tag("browser")
class ReportInBrowserTest {
    private static final String SCRIPT = "<script>alert(1)</script>";
    private static final String IMAGE = "\"><img src=x onerror=alert(1)>";
    private static final String GAMMAS = "log:1e-3:1e3:13";
    private static final int ROWS = 80;
    private static final int PHONE = 390;

    private static Browser browser;
    private static Path data;
    private static Path fitted;
    private static Path path;

    @BeforeAll
    static void report(@TempDir Path folder) {
        if (!Browser.isInstalled()) {
            return;
        }
        data = Samples.file(folder, "people.csv", csv());
        fitted = folder.resolve("fit.html");
        path = folder.resolve("path.html");
        assertThat(stackelberg("fit", "--gamma", "0.5", "--report", fitted).code())
                .isZero();
        assertThat(stackelberg("path", "--gammas", GAMMAS, "--report", path).code())
                .isZero();
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
        // here and not once for all, because only skipped tests are reported, with the reason
        Assumptions.assumeTrue(browser != null, Browser.missing());
        browser.size(1200, 900);
        browser.dark(false);
    }

    private static String csv() {
        StringBuilder text =
                new StringBuilder(SCRIPT + ",\"" + IMAGE.replace("\"", "\"\"") + "\",savings,kind,score,hope\n");
        Random random = new Random(5);
        for (int i = 0; i < ROWS; i++) {
            double a = random.nextGaussian();
            double b = 3 * random.nextDouble();
            double c = 1000 * random.nextDouble();
            double y = 2 * a - b + 0.002 * c + (i % 3 == 0 ? 1 : 0) + 0.3 * random.nextGaussian();
            text.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%.1f,%s,%.4f,%.4f%n",
                    a,
                    b,
                    c,
                    i % 3 == 0 ? "</script><b>red" : "blue",
                    y,
                    y + 2 * random.nextDouble()));
        }
        return text.toString();
    }

    private static Run stackelberg(String command, Object... more) {
        List<Object> words = new ArrayList<>(
                List.of(command, data, "--target", "score", "--wish", "hope", "--wish-noise", "0.2", "--quiet"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void thePageLoadsWithoutConsoleMessagesAndWithoutTheNetwork() {
        browser.console();
        browser.events();

        browser.show(fitted);

        assertThat(browser.console()).isEmpty();
        List<String> requested = browser.events().stream()
                .map(event -> JsonMapper.shared().readTree(event).get("message"))
                .filter(message -> message.get("method").asString().equals("Network.requestWillBeSent"))
                .map(message -> message.get("params").get("request").get("url").asString())
                // the browser's own start page
                .filter(url -> !url.startsWith("chrome:"))
                .toList();
        assertThat(requested).isNotEmpty().allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
    }

    @Test
    void theSliderShowsWhatThePathPrints() {
        JsonNode printed =
                stackelberg("path", "--gammas", GAMMAS, "--json").json().get("path");
        browser.show(path);

        for (int i = 0; i < printed.size(); i++) {
            slide("gamma", i);
            JsonNode point = printed.get(i);
            assertThat(value("#gamma-value")).isEqualTo(point.get("gamma").asDouble());
            assertThat(value("#objective")).isEqualTo(point.get("objective").asDouble());
            assertThat(value("#pull-value")).isCloseTo(point.get("pullThrough").asDouble(), within(1e-12));
            double rmse = Math.sqrt(point.get("objective").asDouble() / ROWS);
            assertThat(value("#loss-anticipated")).isCloseTo(rmse, within(1e-9 * rmse));
            assertThat(value("#coefficients tfoot td"))
                    .isEqualTo(point.get("intercept").asDouble());
            JsonNode coefficients = point.get("coefficients");
            assertThat(numbers("return [document.querySelectorAll('#coefficients tbody tr').length]"))
                    .containsExactly((double) coefficients.size());
            coefficients.properties().forEach(term -> assertThat(coefficient(term.getKey()))
                    .isEqualTo(term.getValue().asDouble()));
        }
    }

    @Test
    void theFitStartsAtItsGammaAndItsSliderShowsWhatAPathOfThatGammaPrints() {
        browser.show(fitted);

        for (int steps = 0; steps < 3; steps++) {
            double gamma = value("#gamma-value");
            if (steps == 0) {
                assertThat(gamma).isEqualTo(0.5);
            }
            JsonNode point = stackelberg("path", "--gammas", gamma, "--json")
                    .json()
                    .get("path")
                    .get(0);
            double objective = point.get("objective").asDouble();
            assertThat(value("#objective")).isCloseTo(objective, within(1e-9 * objective));
            point.get("coefficients").properties().forEach(term -> assertThat(coefficient(term.getKey()))
                    .isCloseTo(term.getValue().asDouble(), within(1e-6)));
            browser.find("#gamma").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
        }
    }

    @Test
    void inAnotherWorldTheErrorsAreThoseThatEvaluatePrints(@TempDir Path folder) {
        Path model = folder.resolve("model.json");
        stackelberg("fit", "--gamma", "0.5", "-o", model);
        browser.show(fitted);

        for (double world : new double[] {0.02, 0.5, 8}) {
            slide("world", Math.log10(world));
            double shown = value("#world-value");
            JsonNode rule = Run.stackelberg("evaluate", model, data, "--gamma", shown, "--json")
                    .json()
                    .get("rules")
                    .get(0);
            assertThat(value("#pull-value")).isCloseTo(rule.get("pullThrough").asDouble(), within(1e-9));
            assertThat(value("#loss-anticipated"))
                    .isCloseTo(rule.get("peopleMove").get("rmse").asDouble(), within(1e-9));
            assertThat(value("#loss-believed"))
                    .isCloseTo(rule.get("nobodyMoves").get("rmse").asDouble(), within(1e-9));
        }
        assertThat(browser.find("#world-follows").isSelected()).isFalse();
        browser.find("#world-follows").click();
        assertThat(value("#world-value")).isEqualTo(0.5);
    }

    @Test
    void arrowKeysMoveTheSlidersAndEndAndHomeReachTheEnds() {
        browser.show(path);
        double start = numbers("return [Number(document.getElementById('gamma').value)]")
                .get(0);

        browser.find("#gamma").sendKeys(Keys.ARROW_RIGHT);
        assertThat(numbers("return [Number(document.getElementById('gamma').value)]"))
                .containsExactly(start + 1);
        browser.find("#gamma").sendKeys(Keys.END);
        assertThat(value("#gamma-value")).isCloseTo(1e3, within(1e-9));
        assertThat(browser.find("#gamma").getDomAttribute("aria-valuetext"))
                .startsWith("gamma 1,000, people would close ")
                .endsWith("% of the gap to the score they want under today's rule");
        browser.find("#gamma").sendKeys(Keys.HOME);
        assertThat(value("#gamma-value")).isCloseTo(1e-3, within(1e-15));

        double world = value("#world-value");
        browser.find("#world").sendKeys(Keys.ARROW_RIGHT);
        assertThat(value("#world-value")).isGreaterThan(world);
        assertThat(value("#gamma-value")).isCloseTo(1e-3, within(1e-15));
    }

    @Test
    void theFocusIsVisible() {
        browser.show(path);
        browser.find("#gamma").sendKeys(Keys.TAB);

        assertThat(browser.run("const style = getComputedStyle(document.activeElement);"
                        + "return document.activeElement.id + ' ' + style.outlineStyle"))
                .isEqualTo("world solid");
    }

    @Test
    void chartsHaveAPointForEveryRowAndEveryGamma() {
        browser.show(path);

        assertThat(numbers("return series('path').filter(s => s.name).map(s => s.data.length)"))
                .hasSize(4)
                .containsOnly(13.0);
        assertThat(numbers("return series('people').filter(s => s.type === 'scatter').map(s => s.data.length)"))
                .containsExactly((double) ROWS, (double) ROWS);
        assertThat(numbers("return [series('moves')[0].data.length]")).containsExactly(3.0);
        // those after the move are filled: they can be counted in the picture, beside the one of the legend
        assertThat(
                        numbers(
                                "const colour = getComputedStyle(document.documentElement).getPropertyValue('--pull').trim();"
                                        + "return [document.querySelectorAll('#chart-people path[fill=\"' + colour + '\"]').length]"))
                .containsExactly(ROWS + 1.0);
    }

    @Test
    void tablesBehindTheChartsHoldTheirNumbers() {
        browser.show(path);
        slide("gamma", 4);
        open();

        for (int column = 1; column <= 4; column++) {
            assertThat(column("path", column))
                    .isEqualTo(numbers(
                            "return series('path').filter(s => s.name)[arguments[0]].data.map(d => d[1])", column - 1));
        }
        assertThat(column("loss", 1))
                .isEqualTo(numbers("return series('loss').find(s => s.name === 'this rule').data.map(d => d[1])"));
        assertThat(column("loss", 2))
                .isEqualTo(numbers("return series('loss').find(s => s.name === \"today's rule\").data.map(d => d[1])"));
        assertThat(column("people", 3))
                .isEqualTo(numbers("return series('people').find(s => s.name === 'before').data.map(d => d[1])"));
        assertThat(column("people", 4))
                .isEqualTo(numbers("return series('people').find(s => s.name === 'after').data.map(d => d[1])"));
        assertThat(column("moves", 1)).isEqualTo(numbers("return series('moves')[0].data"));
    }

    @Test
    void namesThatHoldScriptsAreShownAndNotRun() {
        browser.show(fitted);
        open();

        assertThat(browser.find("#coefficients").getText()).contains(SCRIPT).contains(IMAGE);
        assertThat(browser.find("#chart-moves").getText()).contains("<script>");
        String names = (String) browser.run("const chart = window.stackelberg.charts.moves;"
                + "return [0, 1, 2].map(i => {"
                + "  chart.dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: i});"
                + "  return document.querySelector('#chart-moves .tip').textContent;"
                + "}).join()");
        assertThat(names).contains(SCRIPT).contains(IMAGE);
        assertThat(numbers("return ['img', 'script', 'b:not([id])'].map(tag => document.querySelectorAll(tag).length)"))
                .containsExactly(0.0, 3.0, 0.0);
        // an open alert would have failed every command above
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theTuningCurveMarksWhatTunePrints(@TempDir Path folder) {
        Path report = folder.resolve("tune.html");
        Object[] options = {"--gammas", "log:1e-2:1e2:7", "--world-gamma", "0.5", "--json", "--report", report};
        JsonNode printed = stackelberg("tune", options).json();
        browser.show(report);

        assertThat(value("#world-value")).isEqualTo(0.5);
        assertThat(browser.find("#world-follows").isSelected()).isFalse();
        assertThat(value("#gamma-value"))
                .isEqualTo(printed.get("oneStandardError").get("gamma").asDouble());
        List<Double> losses = new ArrayList<>();
        printed.get("curve").forEach(point -> losses.add(point.get("loss").asDouble()));
        assertThat(numbers("return series('tuning').find(s => s.name === 'mean loss').data.map(d => d[1])"))
                .isEqualTo(losses);
        assertThat(numbers("return series('tuning').find(s => s.name === 'smallest').data[0]"))
                .containsExactly(
                        printed.get("minimum").get("gamma").asDouble(),
                        printed.get("minimum").get("loss").asDouble());
        assertThat(numbers("return series('tuning').find(s => s.name === 'chosen').data[0]"))
                .containsExactly(
                        printed.get("oneStandardError").get("gamma").asDouble(),
                        printed.get("oneStandardError").get("loss").asDouble());
        open();
        assertThat(column("tuning", 1)).isEqualTo(losses);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theRegretMapHasACellForEveryRuleInEveryWorld(@TempDir Path folder) {
        Path report = folder.resolve("tune.html");
        Object[] options = {
            "--gammas", "log:1e-2:1e2:7", "--world-gammas", "log:1e-1:1e1:5", "--json", "--report", report
        };
        JsonNode printed = stackelberg("tune", options).json();
        browser.show(report);
        open();

        List<Double> regrets = new ArrayList<>();
        printed.get("table").forEach(row -> row.get("regret").forEach(cell -> regrets.add(cell.asDouble())));
        assertThat(regrets).hasSize(35);
        List<Double> drawn = numbers("return series('tuning')[0].data.map(d => d[3])");
        for (int i = 0; i < regrets.size(); i++) {
            assertThat(drawn.get(i)).isCloseTo(regrets.get(i), within(1e-5 * regrets.get(i)));
        }
        assertThat(numbers("return [...document.querySelectorAll('#table-tuning tbody tr')]"
                        + ".flatMap(r => [...r.cells].slice(2).map(c => Number(c.dataset.value)))"))
                .isEqualTo(drawn);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void unknownValuesAreNotDrawn(@TempDir Path folder) {
        Path report = folder.resolve("tune.html");
        stackelberg("tune", "--gammas", "log:1e-2:1e2:5", "--report", report);
        Samples.file(
                folder,
                "tune.html",
                Samples.read(report).replaceFirst("\"regret\":\\[\\[[^,]+,", "\"regret\":[[null,"));
        browser.show(report);
        assertThat(numbers("return [series('tuning')[0].data.length]")).containsExactly(24.0);

        stackelberg("tune", "--gammas", "log:1e-2:1e2:5", "--world-gamma", 1, "--report", report);
        Samples.file(
                folder,
                "tune.html",
                Samples.read(report)
                        .replaceFirst("\"mean\":\\[[^,]+,", "\"mean\":[null,")
                        .replaceFirst("(\"standardError\":\\[[^,]+),[^,]+,", "$1,null,"));
        browser.show(report);
        open();
        assertThat(numbers("return [series('tuning').find(s => s.name === 'within').data.length]"))
                .containsExactly(9.0);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void aMapOfManyRegretsIsDrawn(@TempDir Path folder) {
        Path report = folder.resolve("tune.html");
        stackelberg("tune", "--folds", 2, "--gammas", "log:1e-2:1e2:400", "--report", report);
        browser.show(report);

        assertThat(numbers("return [series('tuning')[0].data.length]").get(0)).isBetween(10_000.0, 14_400.0);
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void rowsWithoutATargetValueAreShown(@TempDir Path folder) {
        Path model = folder.resolve("model.json");
        Path report = folder.resolve("respond.html");
        stackelberg("fit", "--gamma", "0.5", "-o", model);
        Path unknown = Samples.file(folder, "unknown.csv", csv().replaceFirst(",score,", ",other,"));
        Run run = Run.stackelberg("respond", model, unknown, "--group", "kind", "--report", report);
        assertThat(run.code()).as(run.err()).isZero();
        browser.show(report);
        open();

        String tip = (String) browser.run("window.stackelberg.charts.people.dispatchAction("
                + "{type: 'showTip', seriesIndex: 3, dataIndex: 1});"
                + "return document.querySelector('#chart-people .tip').textContent");
        assertThat(tip).contains("wants: ").doesNotContain("truth");
        for (String table : List.of("#table-people", "#furthest", "#groups")) {
            assertThat(browser.find(table).getText()).contains("After").doesNotContain("Truth");
        }
        assertThat(value("#expected"))
                .as("of those it was fitted to, whose truth was known")
                .isCloseTo(Math.sqrt(value("#objective") / ROWS), within(1e-12));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void whereOnlyTheFittedGammaHasNoRuleTheOthersAreShown(@TempDir Path folder) {
        // wishes that no feature explains are worth more than the feature where moving is hard, and both together where
        // it is easy
        StringBuilder text = new StringBuilder("x,truth,hoped\n");
        for (int i = 0; i < 40; i++) {
            int x = (i & 1) * 2 - 1;
            int y = 3 * x + 3 * ((i & 2) - 1);
            text.append(x)
                    .append(',')
                    .append(y)
                    .append(',')
                    .append(y + (i & 4) / 2 - 1)
                    .append('\n');
        }
        Path csv = Samples.file(folder, "orthogonal.csv", text.toString());
        Path report = folder.resolve("orthogonal.html");
        Run.stackelberg(
                "fit",
                csv,
                "--target",
                "truth",
                "--wish",
                "hoped",
                "--gamma",
                100,
                "--hedge",
                "none",
                "--report",
                report);
        browser.show(report);

        assertThat(browser.find("#pull-words").getText()).contains("none to publish");
        assertThat(browser.find("#rule-section").isDisplayed()).isTrue();
        assertThat(browser.find("#world").isDisplayed()).isTrue();
        slide("gamma", 0);
        assertThat(value("#pull-value")).isBetween(0.01, 0.99);
        assertThat(coefficient("x")).isNotZero();
        open();
        assertThat(browser.console()).isEmpty();

        Run.stackelberg(
                "path",
                csv,
                "--target",
                "truth",
                "--wish",
                "hoped",
                "--gammas",
                "0.1,1,100,1000,1e4",
                "--hedge",
                "none",
                "--report",
                report);
        browser.show(report);
        assertThat(value("#gamma-value")).isLessThan(100);
    }

    @Test
    void namesFromTheDataAreNotTemplates(@TempDir Path folder) {
        Path csv = Samples.file(folder, "template.csv", csv().replaceFirst("savings", "{c} {b}"));
        Path report = folder.resolve("template.html");
        Run.stackelberg("fit", csv, "--target", "score", "--wish", "hope", "--wish-noise", "0.2", "--report", report);
        browser.show(report);

        assertThat(browser.find("#chart-path").getText()).contains("{c} {b}");
    }

    @Test
    void gammasPerRowAreNotShownAsOneGamma(@TempDir Path folder) {
        Path report = folder.resolve("own.html");
        Run run = Run.stackelberg(
                "fit", data, "--target", "score", "--wish", "hope", "--row-gamma", "savings", "--report", report);
        assertThat(run.code()).as(run.err()).isZero();
        browser.show(report);

        assertThat(browser.find("#pull-words").getText())
                .contains("gamma of column savings")
                .doesNotContain("at gamma");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void aComparisonShowsTheErrorsThatComparePrints(@TempDir Path folder) {
        Path report = folder.resolve("compare.html");
        JsonNode rules = stackelberg("compare", "--gamma", "0.5", "--json", "--report", report)
                .json()
                .get("rules");
        browser.show(report);

        for (int k = 0; k < rules.size(); k++) {
            String cell = "#comparison tbody tr:nth-child(" + (k + 1) + ") td:nth-child(3)";
            assertThat(browser.find(cell).getText())
                    .startsWith(
                            Numbers.number(rules.get(k).at("/peopleMove/rmse").asDouble()) + " [");
        }
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void theResponsePageHasNoRuleSlider(@TempDir Path folder) {
        Path model = folder.resolve("model.json");
        Path report = folder.resolve("respond.html");
        stackelberg("fit", "--gamma", "0.5", "-o", model);
        assertThat(Run.stackelberg("respond", model, data, "--group", "kind", "--report", report)
                        .code())
                .isZero();
        browser.show(report);

        assertThat(browser.find("#gamma").isDisplayed()).isFalse();
        double before = value("#pull-value");
        browser.find("#world").sendKeys(Keys.PAGE_UP);
        assertThat(value("#pull-value")).isLessThan(before);
        assertThat(browser.find("#groups").getText())
                .contains("</script><b>red")
                .contains("blue");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void withoutAFiniteEquilibriumThePageSaysSoAndShowsNoRule(@TempDir Path folder) {
        Path report = folder.resolve("none.html");
        // a wish that is the truth plus a constant: pull-through 1, then subtract
        assertThat(Run.stackelberg(
                                "fit",
                                data,
                                "--target",
                                "score",
                                "--ignore",
                                "hope",
                                "--wish",
                                "y+1",
                                "--gamma",
                                "1",
                                "--hedge",
                                "none",
                                "--report",
                                report)
                        .code())
                .isEqualTo(ExitCode.NOT_CERTIFIED);
        browser.show(report);

        assertThat(browser.find("#seal").getText()).contains("There is no best rule");
        assertThat(browser.find("#rule-section").isDisplayed()).isFalse();
        assertThat(browser.find("#none-why").getText())
                .contains("Everyone wants the truth plus 1.")
                .contains("reveals the truth: subtract 1.")
                .contains("of the 61 gammas on this page, from 0.001 to 1000, none has a rule");
        assertThat(browser.find("#none-facts").getText())
                .contains("as coefficients grow 0, to rounding")
                .contains("gets the score they want 1.0000")
                .contains("Standard deviation of score " + Numbers.number(spreadOfTheTruth()));
        assertThat(browser.find("#none-tries").getText())
                .contains("--wish-noise")
                .contains("--intercept manipulable")
                .contains("immutable");
        assertThat(browser.console()).isEmpty();

        // what is advised gives a rule
        String noise = browser.find("#none-command").getText().replaceAll(".* --wish-noise ", "");
        Object[] again = {"fit", data, "--target", "score", "--ignore", "hope", "--wish", "y+1", "--wish-noise", noise};
        assertThat(Run.stackelberg(again).code()).isZero();
    }

    private static double spreadOfTheTruth() {
        double[] y = Samples.read(data)
                .lines()
                .skip(1)
                .map(line -> line.split(","))
                .mapToDouble(cells -> Double.parseDouble(cells[cells.length - 2]))
                .toArray();
        double mean = Arrays.stream(y).average().orElseThrow();
        return Math.sqrt(
                Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElseThrow());
    }

    /** Wishes that differ from the truth by what an immutable column says: no constant shift, and still nothing to publish. */
    @Test
    void aShiftThatImmutableColumnsExplainIsNotCalledConstant(@TempDir Path folder) {
        Path shifted = Samples.file(folder, "shifted.csv", withShift());
        Path report = folder.resolve("none.html");
        Run run = Run.stackelberg(
                "fit",
                shifted,
                "--target",
                "y",
                "--wish",
                "z",
                "--immutable",
                "v",
                "--gamma",
                "2",
                "--hedge",
                "none",
                "--report",
                report);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.NOT_CERTIFIED);
        browser.show(report);

        assertThat(browser.find("#none-why").getText())
                .contains("differ from the truth by ")
                .contains("the constant and the immutable columns")
                .doesNotContain("Everyone wants the truth");
        assertThat(browser.find("#none-facts").getText()).contains("as coefficients grow 0, to rounding");
    }

    private static String withShift() {
        Random random = new Random(9);
        StringBuilder text = new StringBuilder("x,v,y,z\n");
        for (int i = 0; i < ROWS; i++) {
            double x = random.nextGaussian();
            int v = random.nextInt(5);
            double y = Math.rint(100 * (x + random.nextGaussian())) / 100;
            text.append(String.format(Locale.ROOT, "%.4f,%d,%.2f,%.2f%n", x, v, y, y + 1 + 0.5 * v));
        }
        return text.toString();
    }

    @Test
    void withARuleThePageDoesNotExplainItsAbsence() {
        browser.show(fitted);

        assertThat(browser.find("#none-section").isDisplayed()).isFalse();
    }

    @Test
    void aMixedPopulationHasTheSlidersAndChartsOfTheRest(@TempDir Path folder) {
        Path report = folder.resolve("mixed.html");
        Object[] options = {"--gamma", "0.5", "--truthful-share", "0.3", "--json", "--report", report};
        JsonNode printed = stackelberg("fit", options).json();
        browser.show(report);

        for (String part : List.of("#gamma", "#world", "#chart-path", "#chart-loss", "#chart-people", "#chart-moves")) {
            assertThat(browser.find(part).isDisplayed()).as(part).isTrue();
        }
        assertThat(browser.find("#pull-caption").getText()).contains("on average");
        assertThat(value("#pull-value")).isCloseTo(printed.get("pullThrough").asDouble(), within(1e-15));
        assertThat(value("#loss-anticipated"))
                .isCloseTo(Math.sqrt(printed.get("objective").asDouble() / ROWS), within(1e-12));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    void aTraceIsDrawnWhenTheDetailsAreOpened(@TempDir Path folder) {
        Path report = folder.resolve("admm.html");
        stackelberg("fit", "--gamma", "0.5", "--solver", "cd-admm", "--plain", "--rho", "fixed:50", "--report", report);
        browser.show(report);
        open();

        int steps = ((Number) browser.run("return window.stackelberg.data.hood.trace.length")).intValue();
        assertThat(steps).isGreaterThan(1);
        browser.waitFor("return window.stackelberg.charts.convergence !== undefined");
        assertThat(numbers("return [series('convergence')[0].data.length]")).containsExactly((double) steps);
        assertThat(browser.console()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyTextHasEnoughContrast(boolean dark) {
        browser.dark(dark);
        browser.show(fitted);
        open();

        assertThat(numbers("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
                        .get(0))
                .matches(red -> dark ? red < 60 : red > 200);
        List<?> faint = (List<?>) browser.run(CONTRAST);
        assertThat(faint).isEmpty();
    }

    @Test
    void nothingSticksOutOnAPhone() {
        browser.size(PHONE, 844);
        for (Path report : List.of(fitted, path)) {
            browser.show(report);
            open();

            assertThat(numbers("return [document.documentElement.scrollWidth]")).containsExactly((double) PHONE);
            assertThat(
                            (List<?>)
                                    browser.run(
                                            "return [...document.querySelectorAll('main *, header *')]"
                                                    + ".filter(e => !e.closest('.scroll, .chart, .unseen, .traveller')"
                                                    + " && e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.outerHTML.slice(0, 80))"))
                    .isEmpty();
        }
    }

    /** Rows of the table of coefficients across whose middle its box ends. */
    private static final String CUT_ROWS = """
            const end = document.querySelector('#rule-section .scroll').getBoundingClientRect().bottom;
            return [...document.querySelectorAll('#coefficients tr')].map(row => row.getBoundingClientRect())
              .filter(row => row.top < end - 2 && row.bottom > end + 2).length;
            """;

    @ParameterizedTest
    @ValueSource(ints = {12, 16, 40})
    void theTableOfTheRuleEndsWithAWholeRow(int columns, @TempDir Path folder) {
        Random random = new Random(columns);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i <= ROWS; i++) {
            for (int j = 0; j < columns; j++) {
                text.append(i == 0 ? "a long name of " + j : String.valueOf(random.nextGaussian()))
                        .append(',');
            }
            text.append(i == 0 ? "score,hope\n" : random.nextGaussian() + "," + random.nextGaussian() + "\n");
        }
        Path report = folder.resolve("columns.html");
        Run run = Run.stackelberg(
                "fit",
                Samples.file(folder, "columns.csv", text.toString()),
                "--target",
                "score",
                "--wish",
                "hope",
                "--report",
                report,
                "--quiet");
        assertThat(run.code()).as(run.err()).isZero();
        for (int width : new int[] {PHONE, 1200}) {
            browser.size(width, 844);
            browser.show(report);

            assertThat(browser.run(CUT_ROWS)).as("at " + width).isEqualTo(0L);
            assertThat(numbers("return [document.querySelector('#rule-section .scroll').clientHeight]")
                            .get(0))
                    .isBetween(250.0, 800.0);
        }
    }

    @Test
    void onAPhoneTheMovesAreOnTheFirstScreen() {
        browser.size(PHONE, 844);
        browser.show(fitted);

        assertThat(numbers("const row = document.querySelector('#furthest tbody tr');"
                        + "return [1, 2].map(k => row.cells[k].getBoundingClientRect().right)"))
                .allSatisfy(right -> assertThat(right).isLessThanOrEqualTo(PHONE));
        assertThat(browser.find("#furthest thead").getText()).startsWith("Who Distance Largest changes");
    }

    /** Words of the picture of the worlds on which the name of the marked world stands. */
    private static final String COLLISIONS = """
            const words = [...document.querySelectorAll('#chart-loss text')].filter(t => t.textContent.trim());
            const name = words.find(t => t.textContent.startsWith('people move at'));
            const a = name.getBoundingClientRect();
            return words.filter(t => t !== name).filter(t => {
              const b = t.getBoundingClientRect();
              return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
            }).map(t => t.textContent).concat(a.left < 0 || a.right > innerWidth ? ['the edge'] : []);
            """;

    @Test
    void theLabelOfTheMarkedGammaOverlapsNothing() {
        browser.size(PHONE, 844);
        browser.show(path);

        for (double world : new double[] {-3, -2.7, -1.2, 0, 1.5, 3}) {
            slide("world", world);
            browser.run("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
            assertThat((List<?>) browser.run(COLLISIONS)).as("world 1e" + world).isEmpty();
        }
    }

    @Test
    void aLegendDrawsADashedLineDashed() {
        browser.show(path);

        List<Double> solid = numbers("const types = Object.fromEntries(series('loss').filter(s => s.lineStyle)"
                + ".map(s => [s.name, s.lineStyle.type]));"
                + "return window.stackelberg.charts.loss.getOption().legend[0].data"
                + ".map(item => (types[item.name] === 'dashed') === item.icon.startsWith('path://') ? 1 : 0)");
        assertThat(solid).containsExactly(1.0, 1.0, 1.0);
    }

    /** The edge behind which a table goes on is shaded, the other is not; in the dark the shade is light. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTableWiderThanAPhoneShowsThatItScrolls(boolean dark) throws IOException {
        browser.size(PHONE, 844);
        browser.dark(dark);
        browser.show(fitted);
        browser.run("document.querySelector('#controls').style.position = 'static';"
                + "document.querySelector('#furthest-figure .scroll').scrollIntoView({block: 'center'})");
        double sign = dark ? -1 : 1;

        scrollFurthestTo(0);
        double leftAtTheStart = sign * brightness(true);
        double rightAtTheStart = sign * brightness(false);
        scrollFurthestTo(1_000_000);
        double leftAtTheEnd = sign * brightness(true);
        double rightAtTheEnd = sign * brightness(false);

        assertThat(rightAtTheEnd).isEqualTo(leftAtTheStart);
        assertThat(rightAtTheStart).isLessThan(rightAtTheEnd - 20);
        assertThat(leftAtTheEnd).isLessThan(leftAtTheStart - 20);
    }

    private static void scrollFurthestTo(int x) {
        browser.run("document.querySelector('#furthest-figure .scroll').scrollLeft = " + x);
    }

    /** Of the paper, which is the most frequent colour, two pixels from an edge of the table of those who move furthest; 0 to 255. */
    private static double brightness(boolean left) throws IOException {
        List<Double> box =
                numbers("const box = document.querySelector('#furthest-figure .scroll').getBoundingClientRect();"
                        + "const body = document.querySelector('#furthest tbody').getBoundingClientRect();"
                        + "return [box.left, box.right, Math.max(body.top, 0), Math.min(body.bottom, innerHeight)]");
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(browser.screenshot()));
        int x = (int) (left ? box.get(0) + 2 : box.get(1) - 3);
        double[] greens = IntStream.range(box.get(2).intValue() + 2, box.get(3).intValue() - 2)
                .mapToDouble(y -> image.getRGB(x, y) >> 8 & 0xff)
                .sorted()
                .toArray();
        return greens[greens.length / 2];
    }

    @Test
    void theLayoutDoesNotShiftWhileThePageLoads() {
        browser.show(fitted);

        assertThat((Number) browser.run("return new Promise(done => new PerformanceObserver(list =>"
                        + " done(list.getEntries().reduce((sum, shift) => sum + shift.value, 0)))"
                        + ".observe({type: 'layout-shift', buffered: true}) ?? setTimeout(() => done(0), 300))"))
                .satisfies(shift -> assertThat(shift.doubleValue()).isLessThan(0.02));
    }

    @Test
    void thePrintedPageIsLightAndUnfolded() {
        browser.dark(true);
        browser.show(fitted);

        browser.run("dispatchEvent(new Event('beforeprint'))");
        assertThat(browser.run("return document.getElementById('hood').open")).isEqualTo(true);
        assertThat(numbers("return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
                        .get(0))
                .isGreaterThan(200);
        browser.run("dispatchEvent(new Event('afterprint'))");
        assertThat(browser.run("return document.getElementById('hood').open")).isEqualTo(false);
        assertThat(browser.print()).startsWith("%PDF".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    /** Text nodes that are seen, with the WCAG contrast of their colour and the first opaque background behind them, if under 4.5. */
    private static final String CONTRAST = """
            const rgb = c => (c.match(/[\\d.]+/g) ?? []).map(Number);
            const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length && (c[3] ?? 1) > 0) return c; } return [255, 255, 255]; };
            const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            const faint = [];
            let seen = 0;
            while (words.nextNode()) {
              const e = words.currentNode.parentElement;
              if (!words.currentNode.data.trim() || e.closest('script, noscript, .skip, .unseen') || !e.checkVisibility()) continue;
              const style = getComputedStyle(e);
              const [a, b] = [light(rgb(e.closest('svg') ? style.fill : style.color).slice(0, 3)), light(ground(e).slice(0, 3))];
              const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
              seen++;
              if (!(ratio >= 4.5)) faint.push(ratio.toFixed(2) + ' ' + words.currentNode.data.trim().slice(0, 40));
            }
            return seen > 100 ? faint : ['only ' + seen + ' words seen'];
            """;

    /** Unfolds everything and waits for what is only written then. */
    private static void open() {
        browser.run("document.querySelectorAll('details').forEach(d => d.open = true)");
        browser.waitFor("return [...document.querySelectorAll('details.behind table')]"
                + ".every(table => !table.checkVisibility() || table.rows.length > 1)");
    }

    private static void slide(String id, double position) {
        browser.run(
                "const slider = document.getElementById(arguments[0]); slider.value = arguments[1];"
                        + "slider.dispatchEvent(new Event('input', {bubbles: true}));",
                id,
                position);
    }

    /** The full precision of what an element shows. */
    private static double value(String selector) {
        return Double.parseDouble(browser.find(selector).getDomAttribute("data-value"));
    }

    private static double coefficient(String name) {
        return numbers(
                        "const row = [...document.querySelectorAll('#coefficients tbody tr')]"
                                + ".find(r => r.querySelector('.name').textContent === arguments[0]);"
                                + "return [Number(row.cells[1].dataset.value)]",
                        name)
                .get(0);
    }

    /** A column of the table behind a chart. */
    private static List<Double> column(String chart, int column) {
        return numbers(
                "return [...document.querySelectorAll('#table-' + arguments[0] + ' tbody tr')]"
                        + ".map(r => Number(r.cells[arguments[1]].dataset.value))",
                chart,
                column);
    }

    /** A list of numbers from the page; series(chart) are those of a chart once it has been drawn. */
    private static List<Double> numbers(String script, Object... arguments) {
        List<?> found = (List<?>) browser.run(
                "const series = name => window.stackelberg.charts[name].getOption().series;" + script, arguments);
        return found.stream().map(number -> ((Number) number).doubleValue()).toList();
    }
}
