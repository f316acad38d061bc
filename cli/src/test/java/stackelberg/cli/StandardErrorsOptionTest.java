package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.report.Browser;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** {@code --se}: the table of a regression in fit, summary, JSON, model file and page, or why there is none. */
class StandardErrorsOptionTest {
    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void people() {
        data = Samples.csv(folder);
    }

    private Run fit(String... more) {
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y"));
        words.addAll(List.of(more).contains("--wish") ? List.of() : List.of("--wish", "hope"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void fitAndSummaryShowATableOfStandardErrors() {
        Path model = folder.resolve("model.json");
        Run run = fit("-o", model.toString());

        assertThat(run.out())
                .containsPattern("coefficient +std. error +t +P>\\|t\\| +95% from +to +today's")
                .contains("Standard errors: HC1; 60 people, 4 coefficients, 56 degrees of freedom.")
                .contains("treat today's rule, gamma and the scales of the columns as known")
                .contains("The pull-through has a standard error of")
                .containsPattern("R2 +nobody moves +people move");
        assertThat(Run.stackelberg("summary", model).out()).contains(run.out().split("\n\n")[0]);
        JsonNode json = fit("--json").json();
        assertThat(Run.stackelberg("summary", model, "--json").json().get("standardErrors"))
                .isEqualTo(json.get("standardErrors"));
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
        JsonNode errors = json.get("standardErrors");
        assertThat(errors.propertyNames())
                .containsExactly(
                        "method",
                        "reason",
                        "givenTodaysRule",
                        "people",
                        "parameters",
                        "degreesOfFreedom",
                        "replicates",
                        "level",
                        "intercept",
                        "coefficients",
                        "pullThrough",
                        "earned");
        assertThat(errors.get("coefficients").get("a").propertyNames())
                .containsExactly("standardError", "low", "high", "t", "p");
        double a = json.get("coefficients").get("a").asDouble();
        assertThat(errors.get("coefficients").get("a").get("t").asDouble())
                .isCloseTo(
                        a
                                / errors.get("coefficients")
                                        .get("a")
                                        .get("standardError")
                                        .asDouble(),
                        within(1e-12));
        assertThat(json.get("rSquared").propertyNames())
                .containsExactly("anticipated", "honest", "naive", "naiveAttacked");
    }

    @Test
    void declaredNumbersAreNotedAsTakenAsKnown() {
        assertThat(fit("--gamma", "2").out())
                .contains("They treat gamma, the wishes and the scales of the columns as known.");
    }

    @Test
    void theChosenMethodIsUsed() {
        JsonNode hc1 = fit("--json", "--se", "hc1").json().get("standardErrors");
        JsonNode hc0 = fit("--json", "--se", "HC0").json().get("standardErrors");
        double ratio = hc1.get("pullThrough").get("standardError").asDouble()
                / hc0.get("pullThrough").get("standardError").asDouble();

        assertThat(ratio).isCloseTo(Math.sqrt(60.0 / 56), within(1e-12));
        Run drawn = fit("--se", "bootstrap:30", "--seed", "4");
        assertThat(drawn.out())
                .contains("Standard errors: bootstrap, 30 samples")
                .contains("are recomputed in every sample");
        assertThat(fit("--se", "bootstrap:30", "--seed", "4").out()).isEqualTo(drawn.out());
        Run none = fit("--se", "none");
        assertThat(none.out()).doesNotContain("tandard error").doesNotContain("R2");
        JsonNode nothing = fit("--se", "none", "--json").json();
        assertThat(nothing.get("standardErrors").isNull()).isTrue();
        assertThat(nothing.get("rSquared").isNull()).isTrue();
    }

    @Test
    void otherWordsAreWrongUsage() {
        assertThat(fit("--se", "hc3").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(fit("--se", "hc3").err()).contains("hc1, hc0, bootstrap:N or none");
        assertThat(fit("--se", "bootstrap:5").err()).contains("at least 20");
    }

    @Test
    void withoutStandardErrorsTheReasonIsPrinted() {
        Run tied = fit("--wish", "today+1", "--hedge", "none");
        assertThat(tied.code()).as(tied.err()).isZero();
        assertThat(tied.out())
                .contains("No standard errors: the best rule is not unique")
                .contains("--se bootstrap:200")
                .containsPattern("R2 +nobody moves");
        assertThat(fit("--limit", "a>=0").out()).contains("No standard errors: under limits");
        assertThat(fit("--limit", "a>=0", "--json")
                        .json()
                        .get("standardErrors")
                        .get("reason")
                        .asString())
                .startsWith("No standard errors: under limits");
    }

    @Test
    void thePageHasStandardErrors() {
        Path page = folder.resolve("page.html");
        fit("--report", page.toString());

        assertThat(Samples.read(page))
                .contains("id=\"sure-section\"")
                .contains("<th scope=\"row\" class=\"text\">intercept</th>")
                .contains("<p>The pull-through has a standard error of")
                .contains("Standard errors: HC1; 60 people");
    }

    /** Twenty-five columns are more rows than the box is high. */
    @ParameterizedTest
    @ValueSource(ints = {13, 25, 60})
    void theTableOfStandardErrorsFitsThePage(int columns) {
        Assumptions.assumeTrue(Browser.isInstalled(), Browser.missing());
        Random random = new Random(3);
        StringBuilder csv = new StringBuilder();
        for (int j = 0; j < columns; j++) {
            csv.append("c").append(j).append(',');
        }
        csv.append("y,hope\n");
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j <= columns; j++) {
                csv.append(random.nextGaussian()).append(',');
            }
            csv.append(random.nextGaussian()).append('\n');
        }
        data = Samples.file(folder, "many.csv", csv.toString());
        Path page = folder.resolve("page.html");
        fit("--report", page.toString());

        try (Browser browser = Browser.open()) {
            browser.show(page);
            Object cut = browser.run("const box = document.querySelector('#sure .scroll');"
                    + " const end = box.getBoundingClientRect().top + box.clientTop + box.clientHeight;"
                    + " return [...box.firstElementChild.rows].filter(row => { const r = row.getBoundingClientRect();"
                    + " return r.top < end - 1 && r.bottom > end + 1; }).length");
            assertThat(((Number) cut).intValue()).isZero();
        }
    }
}
