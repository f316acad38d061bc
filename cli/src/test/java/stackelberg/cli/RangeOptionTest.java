package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** {@code --gamma FROM..TO} and {@code --regret}: what is said, what is kept, and what does not go with them. */
class RangeOptionTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void sample() {
        data = Samples.csv(folder);
        model = folder.resolve("model.json");
    }

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "hope"));
        words.addAll(Arrays.asList(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void theLossAtBothEndsOfTheRangeIsPrintedAndVerified() throws Exception {
        Path page = folder.resolve("page.html");
        Run fit = run("fit", "--gamma", "10%..50%", "-o", model, "--report", page);
        assertThat(fit.out())
                .contains("gamma may be anywhere from 10% to 50%", "cost of not knowing gamma", "Certified:");
        assertThat(fit.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(Files.readString(page)).contains("\"between\":{\"low\":", "\"nominal\":");

        JsonNode json = run("fit", "--gamma", "10%..50%", "--json").json();
        JsonNode between = json.get("between");
        double worst = Math.max(
                between.get("low").get("loss").asDouble(),
                between.get("high").get("loss").asDouble());
        assertThat(json.get("objective").asDouble()).isCloseTo(worst, within(1e-9 * worst));
        assertThat(between.get("low").get("gammaShare").asDouble()).isEqualTo(0.5);
        assertThat(between.get("largestRegret").isNull()).isTrue();
        assertThat(run("fit", "--json").json().get("between").isNull()).isTrue();
        assertThat(Run.stackelberg("summary", model).out()).contains("gamma may be anywhere from 10% to 50%");
        assertThat(Run.stackelberg("verify", model, data).code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(Run.stackelberg("respond", model, data).code()).isEqualTo(ExitCode.CERTIFIED);
    }

    @Test
    void theRegretIsNoLargerThanThatOfTheOtherRule() {
        JsonNode worst = run("fit", "--gamma", "0.1..20", "--json").json().get("between");
        JsonNode regret =
                run("fit", "--gamma", "0.1..20", "--regret", "--json").json().get("between");
        assertThat(largest(regret)).isLessThanOrEqualTo(largest(worst) * (1 + 1e-9));
        assertThat(regret.get("largestRegret").get("most").asDouble())
                .isGreaterThanOrEqualTo(largest(regret) * (1 - 1e-9));
    }

    private static double largest(JsonNode between) {
        return Math.max(
                between.get("low").get("regret").asDouble(),
                between.get("high").get("regret").asDouble());
    }

    @Test
    void optionsThatExcludeAGammaRangeAreRefusedByName() {
        for (String[] with : new String[][] {
            {"--truthful-share", "0.2"}, {"--hedge", "5%"}, {"--row-gamma", "y"}, {"--limit", "data"}
        }) {
            Run run = run("fit", "--gamma", "10%..50%", with[0], with[1]);
            assertThat(run.code()).as(with[0]).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).as(with[0]).contains("--gamma").contains(with[0]);
        }
        assertRefused(run("fit", "--regret"), "--regret");
        assertRefused(run("fit", "--gamma", "50%..10%"), "10%..50%");
        assertRefused(run("fit", "--gamma", "10%..2"), "percent");
        assertRefused(run("fit", "--gamma", "10%.."), "must be a number");
        assertRefused(run("compare", "--gamma", "10%..50%"), "only fit finds a rule");
        assertRefused(run("fit", "--paper", "--gamma", "10%..50%"), "--paper");
    }

    /** The rule is much worse than today's if nobody moves, and a hedge is refused. */
    @Test
    void noHedgeIsSuggestedThatWouldBeRefused() {
        StringBuilder csv = new StringBuilder("x,y,hope\n");
        for (int i = 0; i < 40; i++) {
            double x = i / 10.0 - 2;
            csv.append(x + "," + (x + 0.3 * (i % 3 - 1)) + "," + Math.max(x, 0.5) + "\n");
        }
        data = Samples.file(folder, "people.csv", csv.toString());
        assertThat(run("fit", "--gamma", "0.5..1.5").out())
                .contains("If nobody moves, this rule's error is")
                .doesNotContain("--hedge");
        JsonNode without = run("fit", "--gamma", "0.5..1.5", "--json").json().get("withoutHedge");
        assertThat(without.get("worse").asDouble()).isGreaterThan(0.1);
    }

    @Test
    void judgingARuleOverManyGammasPrintsHow() {
        assertThat(run("fit", "--gamma", "10%..50%", "-o", model).code()).isEqualTo(ExitCode.CERTIFIED);
        assertRefused(Run.stackelberg("evaluate", model, data, "--gamma", "10%..50%"), "evaluate --gamma-range 0.2:2");
        assertThat(Run.stackelberg("evaluate", model, data, "--gamma-range", "0.2:2")
                        .code())
                .isEqualTo(ExitCode.CERTIFIED);
    }

    private static void assertRefused(Run run, String words) {
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains(words);
    }
}
