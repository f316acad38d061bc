package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** Today's rule and gamma in percent, from the command line through every command that knows the game. */
class TodayOptionTest {
    @TempDir
    Path folder;

    private Path data;
    private Path card;

    @BeforeEach
    void files() {
        data = Samples.csv(folder);
        // nearly least squares, but for a column that the games below do not have
        card = Samples.file(folder, "card.csv", "term,coefficient\nintercept,0.1\na,2\nb,-1\nkind=red,1\n");
    }

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y"));
        Collections.addAll(words, more);
        return Run.stackelberg(words.toArray());
    }

    @Test
    void aGammaShareIsMeasuredUnderTheGivenRule() {
        JsonNode json = run(
                        "fit",
                        "--wish",
                        "max(today,3)",
                        "--today",
                        card,
                        "--gamma",
                        "40%",
                        "--ignore",
                        "hope",
                        "--json")
                .json();

        assertThat(json.get("gammaShare").asDouble()).isEqualTo(0.4);
        assertThat(json.get("today").get("coefficients").get("a").asDouble()).isEqualTo(2);
        assertThat(json.get("today").get("source").asString()).endsWith("card.csv");
        assertThat(json.get("certified").asBoolean()).isTrue();
    }

    /** A misspelt level changes no prediction, so that no error would show it. */
    @Test
    void aLevelThatNoRowHasIsNamed() {
        Path misspelt = Samples.file(folder, "misspelt.csv", "term,coefficient\nintercept,0.1\na,2\nkind=rde,1\n");
        String said = "has a coefficient for 'kind=rde', a level that no row of the data has. Maybe it is misspelt;"
                + " 'kind' is ";
        Run fit = run("fit", "--wish", "max(today,3)", "--today", misspelt, "--ignore", "hope");
        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(fit.err()).contains("Today's rule " + said);
        Run evaluated = run("evaluate", "--rule", misspelt, "--wish", "max(y,3)", "--gamma", "2");
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(evaluated.err()).contains(said);
        assertThat(run("evaluate", "--rule", card, "--wish", "max(y,3)", "--gamma", "2")
                        .err())
                .doesNotContain("a level that no row of the data has");
    }

    @Test
    void crossFittedScoresAreReported() {
        Object[] words = {"--wish", "max(today,3)", "--ignore", "hope"};
        List<Object> crossed = new ArrayList<>(List.of(words));
        Collections.addAll(crossed, "--today", "cross-fitted");
        assertThat(run("fit", crossed.toArray()).out()).contains("Today's rule is cross-fitted");
        assertThat(run("fit", words).out()).doesNotContain("cross-fitted");
    }

    /** A rule in force that knows more than the game has: no rule of the game may come near it if nobody moves. */
    @Test
    void aRuleWithColumnsOutsideTheGameIsAccepted() {
        Object[] few = {"--wish", "max(today,3)", "--today", card, "--features", "b", "--gamma", "1"};
        Path model = folder.resolve("model.json");
        List<Object> saved = new ArrayList<>(List.of(few));
        Collections.addAll(saved, "-o", model);

        Run fit = run("fit", saved.toArray());
        assertThat(fit.code()).as(fit.err()).isZero();
        Run compare = run("compare", few);
        assertThat(compare.code()).as(compare.err()).isZero();
        assertThat(compare.out()).contains("today's rule");
        Run path = run("path", "--wish", "max(today,3)", "--today", card, "--features", "b", "--gammas", "1,10");
        assertThat(path.code()).as(path.err()).isZero();
        Run share = run("path", "--wish", "max(today,3)", "--today", card, "--features", "b");
        assertThat(share.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(share.err()).contains("not a feature of this game");
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
        // who lacks what only the wish needs is predicted all the same
        Path lacking = Samples.file(folder, "lacking.csv", "b\n0.5\n1.5\n");
        Run predict = Run.stackelberg("predict", model, lacking, "--json");
        assertThat(predict.code()).as(predict.err()).isZero();
        assertThat(predict.json().get("predictions")).hasSize(2);
    }

    @Test
    void commandsThatLearnNothingNeedTodaysRule() {
        Run share =
                Run.stackelberg("evaluate", "--rule", card, data, "--target", "y", "--wish", "hope", "--gamma", "30%");
        assertThat(share.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(share.err()).contains("--today");
        Run wish = Run.stackelberg("evaluate", "--rule", card, data, "--target", "y", "--wish", "max(today,3)");
        assertThat(wish.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(wish.err()).contains("--today");
        Run both = Run.stackelberg(
                "evaluate",
                "--rule",
                card,
                data,
                "--target",
                "y",
                "--wish",
                "max(today,3)",
                "--gamma",
                "30%",
                "--today",
                card,
                "--json");
        assertThat(both.code()).as(both.err()).isZero();
        assertThat(both.json().get("rules").get(0).get("pullThrough").asDouble())
                .isCloseTo(0.3, org.assertj.core.api.Assertions.within(1e-12));
    }

    @Test
    void paperModeAndGammasPerRowTakeNumbers() {
        assertThat(run("fit", "--wish", "hope", "--paper", "--gamma", "30%").code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("path", "--wish", "hope", "--paper", "--gammas", "5%:80%:4")
                        .code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("fit", "--wish", "hope", "--paper", "--json")
                        .json()
                        .get("gamma")
                        .asDouble())
                .isEqualTo(1);
    }

    @Test
    void worldGammaIsAShareIfTheGammasAreShares() {
        Run mixed = run("tune", "--wish", "hope", "--gammas", "0.1,1", "--world-gamma", "30%");
        assertThat(mixed.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(mixed.err()).contains("same form");
        JsonNode shares = run(
                        "tune",
                        "--wish",
                        "max(today,3)",
                        "--ignore",
                        "hope",
                        "--gammas",
                        "20%,60%",
                        "--world-gamma",
                        "30%",
                        "--json")
                .json();
        assertThat(shares.get("gammaShare").asDouble()).isIn(0.2, 0.6);
    }

    @Test
    void aModelMayBeTheRuleInForce() throws java.io.IOException {
        Path model = folder.resolve("first.json");
        assertThat(run("fit", "--wish", "hope", "-o", model, "--quiet").code()).isZero();
        JsonNode json = run("fit", "--wish", "today+1", "--today", model, "--ignore", "hope", "--json")
                .json();

        assertThat(Files.exists(model)).isTrue();
        assertThat(json.get("today").get("source").asString()).endsWith("first.json");
    }
}
