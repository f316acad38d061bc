package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

class LimitOptionTest {
    @TempDir
    private Path folder;

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(
                command,
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "max(y,2)",
                "--ignore",
                "hope",
                "--limit",
                "data"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void underLimitsThreeLossesArePrintedAndNothingIsCertified() {
        Path model = folder.resolve("limited.json");
        Run text = run("fit", "-o", model);
        JsonNode json = run("fit", "--json").json();
        JsonNode limited = json.get("limited");

        assertThat(text.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(text.out())
                .contains(
                        "best rule without limits: expected",
                        "best rule without limits: under the limits",
                        "this rule, fitted with limits")
                .contains("LOCAL, not certified")
                .doesNotContain("does not bound the loss with limits", "no rule is proven to be the best");
        assertThat(text.err())
                .containsOnlyOnce("This rule was found by a search")
                .containsOnlyOnce("does not bound the loss with limits")
                .doesNotContain("outside the range");
        assertThat(json.get("status").asString()).isEqualTo("LOCAL");
        assertThat(json.get("limits").get(0).asString()).isEqualTo("data");
        assertThat(json.get("certified").asBoolean()).isFalse();
        assertThat(limited.propertyNames())
                .containsExactly(
                        "promised",
                        "real",
                        "refitted",
                        "stopped",
                        "stoppedWithout",
                        "binding",
                        "starts",
                        "unlimitedCertified",
                        "unlimitedGapBound");
        assertThat(limited.get("refitted").asDouble())
                .isLessThanOrEqualTo(limited.get("real").asDouble());
        assertThat(limited.get("refitted").asDouble())
                .isEqualTo(json.get("losses").get("anticipated").asDouble());

        Run verify = Run.stackelberg("verify", model, Samples.csv(folder));
        assertThat(verify.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(verify.out())
                .contains("under limits no rule is proven to be")
                .doesNotContain("NOT SO");
        assertThat(Run.stackelberg("summary", model).out()).contains("LOCAL, not certified");
    }

    @Test
    void aWarningOfAPathNamesItsGamma() {
        Run path = run("path", "--gammas", "0.5,1");
        Run first = run("fit", "--gamma", "0.5");

        String loss = first.err().replaceAll("(?s).*without limits loses (\\S+), but.*", "$1");
        assertThat(path.err())
                .contains("At all 2 gammas, such as 0.5: This rule was found by a search")
                .contains("without limits loses " + loss + ", but");
    }

    @Test
    void aPathUnderLimitsIsMarkedLocal() {
        Run path = run("path", "--gammas", "0.5,1");

        assertThat(path.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(path.out()).contains("LOCAL");
    }

    @Test
    void commandsWithoutLimitsRefuseThemByName() {
        assertThat(run("tune").err()).contains("--limit");
        assertThat(run("tune").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("fit", "--hedge", "5%").err()).contains("--limit");
        assertThat(run("fit", "--hedge", "5%").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("export", "--as", "sdpa").err()).contains("--limit");
        assertThat(run("export", "--as", "sdpa").code()).isEqualTo(ExitCode.WRONG_USAGE);
        Path model = folder.resolve("model.json");
        run("fit", "-o", model);
        Run export = Run.stackelberg("export", model, Samples.csv(folder), "--as", "sdpa");
        assertThat(export.code()).isNotEqualTo(ExitCode.CERTIFIED);
        assertThat(export.err()).contains("limits");
    }

    @Test
    @Tag("slow")
    void wineWithFloorsIsRefitted() {
        List<Object> words = new ArrayList<>(List.of(
                "fit",
                RealData.file("wine.csv"),
                "--target",
                "quality",
                "--wish",
                "max(y,6)",
                "--gamma",
                "0.02",
                "--wish-noise",
                "0.5",
                "--json"));
        for (String column : List.of(
                "fixed acidity",
                "volatile acidity",
                "citric acid",
                "residual sugar",
                "chlorides",
                "free sulfur dioxide",
                "total sulfur dioxide",
                "density",
                "pH",
                "sulphates",
                "alcohol")) {
            words.addAll(List.of("--limit", column + ">=0"));
        }
        JsonNode limited = Run.stackelberg(words.toArray()).json().get("limited");

        assertThat(limited.get("promised").asDouble()).isBetween(744.53, 744.54);
        assertThat(limited.get("real").asDouble()).isBetween(759.17, 759.18);
        assertThat(limited.get("refitted").asDouble()).isBetween(749.0, 749.7);
    }
}
