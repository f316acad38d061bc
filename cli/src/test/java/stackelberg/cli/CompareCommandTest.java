package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

class CompareCommandTest {
    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void write() {
        data = Samples.csv(folder);
    }

    @Test
    void jsonHasExactlyTheStableKeysAndTheRulesTheirOrder() {
        JsonNode json = compare("--json").json();

        assertThat(json.propertyNames())
                .containsExactly(
                        "trainingPeople",
                        "judgedPeople",
                        "seed",
                        "gamma",
                        "gammaShare",
                        "today",
                        "wish",
                        "weight",
                        "totalWeight",
                        "certified",
                        "finite",
                        "finiteness",
                        "rules",
                        "saving",
                        "warnings",
                        "warningCodes",
                        "notes",
                        "noteCodes");
        assertThat(json.get("rules").get(0).propertyNames())
                .containsExactly(
                        "rule",
                        "pullThrough",
                        "nobodyMoves",
                        "peopleMove",
                        "lambda",
                        "hedge",
                        "nobodyMovesRmseInterval",
                        "peopleMoveRmseInterval",
                        "intercept",
                        "coefficients",
                        "groups");
        assertThat(json.get("rules").valueStream().map(r -> r.get("rule").asString()))
                .containsExactly("least squares", "ridge", "Stackelberg", "hedged");
        assertThat(json.get("trainingPeople").asInt()).isEqualTo(45);
        assertThat(json.get("judgedPeople").asInt()).isEqualTo(15);
    }

    @Test
    void onTheTrainingRowsTheNumbersAreThoseOfTheFit() {
        JsonNode json = compare("--test", data, "--json").json();
        JsonNode fit = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--hedge", "none", "--json")
                .json();

        double mse = json.get("rules").get(2).get("peopleMove").get("mse").asDouble();
        assertThat(mse * Samples.ROWS).isCloseTo(fit.get("objective").asDouble(), within(1e-9));
        assertThat(json.get("saving").get("share").asDouble()).isPositive();
    }

    @Test
    void theSeedDecidesWhichRowsAreHeldOut() {
        assertThat(compare("--seed", "1").out())
                .isEqualTo(compare("--seed", "1").out());
        assertThat(compare("--seed", "1").out())
                .isNotEqualTo(compare("--seed", "2").out());
    }

    @Test
    void theTextSaysWhatTheNaiveRuleLoses() {
        Run run = compare("--group", "kind", "--test-fraction", "0.5");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("tested on 30 held out")
                .contains("Least squares promises")
                .contains("The Stackelberg rule saves ")
                .contains("by kind");
    }

    @Test
    void withoutAFiniteRuleTheReasonIsPrinted() {
        Run run = Run.stackelberg("compare", data, "--target", "y", "--wish", "y+1");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("no Stackelberg rule to compare");
        assertThat(run.err()).contains("No finite equilibrium");
    }

    @Test
    void wrongSplitsAreRefused() {
        assertThat(compare("--test", data, "--test-fraction", "0.5").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(compare("--test-fraction", "1.5").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(compare("--test-fraction", "0.001").code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(compare("--bootstrap", "3").code()).isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void costsComeFromAFileToo() {
        Path costs = Samples.file(folder, "costs.csv", "feature,cost\na,4\nb,2\n");
        Path negative = Samples.file(folder, "negative.csv", "feature,cost\na,-4\n");
        String[] fit = {"fit", data.toString(), "--target", "y", "--wish", "hope", "--json"};

        double byFile = pullThrough(fit, "--costs", costs);
        double byOption = pullThrough(fit, "--cost", "a=4", "--cost", "b=2");
        double overridden = pullThrough(fit, "--costs", costs, "--cost", "a=40");
        assertThat(byFile).isEqualTo(byOption);
        assertThat(overridden).isEqualTo(pullThrough(fit, "--cost", "a=40", "--cost", "b=2"));
        Run refused = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--costs", negative);
        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(refused.err()).contains("negative.csv").contains("'a'");
    }

    private static double pullThrough(String[] fit, Object... more) {
        Object[] all = new Object[fit.length + more.length];
        System.arraycopy(fit, 0, all, 0, fit.length);
        System.arraycopy(more, 0, all, fit.length, more.length);
        return Run.stackelberg(all).json().get("pullThrough").asDouble();
    }

    private Run compare(Object... more) {
        Object[] all = new Object[6 + more.length];
        System.arraycopy(new Object[] {"compare", data, "--target", "y", "--wish", "hope"}, 0, all, 0, 6);
        System.arraycopy(more, 0, all, 6, more.length);
        return Run.stackelberg(all);
    }
}
