package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

class EvaluateCommandTest {
    @TempDir
    Path folder;

    private Path data;
    private Path file;
    private StackelbergModel model;

    @BeforeEach
    void fit() {
        data = Samples.csv(folder);
        file = folder.resolve("model.json");
        Run run = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "hope", "--wish-noise", "0.5", "-o", file, "-q");
        assertThat(run.code()).as(run.err()).isZero();
        model = ModelFile.load(file);
    }

    @Test
    void onItsTrainingDataTheModelHasTheLossOfTheFit() {
        Run run = Run.stackelberg("evaluate", file, data, "--json");

        assertThat(run.code()).isZero();
        assertThat(run.json().propertyNames())
                .containsExactly("people", "gamma", "wish", "wishNoise", "weight", "totalWeight", "filled", "rules");
        JsonNode rule = run.json().get("rules").get(0);
        assertThat(rule.propertyNames())
                .containsExactly("rule", "pullThrough", "nobodyMoves", "peopleMove", "groups", "sensitivity");
        assertThat(rule.get("peopleMove").propertyNames()).containsExactly("mse", "rmse", "mae", "r2");
        assertThat(mse(rule, "peopleMove") * Samples.ROWS)
                .isCloseTo(model.losses().anticipated(), within(1e-9));
        assertThat(mse(rule, "nobodyMoves") * Samples.ROWS)
                .isCloseTo(model.losses().honest(), within(1e-9));
    }

    @Test
    void aScorecardIsJudgedInTheModelsGame() {
        // the same rule with another base level: blue counts -1, and red the rest
        var c = model.coefficients();
        Path scorecard = Samples.file(
                folder,
                "scorecard.csv",
                "term,coefficient\nintercept," + (model.intercept() + 1) + "\na," + c.get("a") + "\nb," + c.get("b")
                        + "\nkind=blue,-1\nkind=red," + (c.get("kind=red") - 1) + "\n");

        JsonNode rules = Run.stackelberg("evaluate", file, data, "--rule", scorecard, "--json")
                .json()
                .get("rules");

        assertThat(rules.get(1).get("rule").asString()).isEqualTo("scorecard.csv");
        for (String key : new String[] {"nobodyMoves", "peopleMove"}) {
            assertThat(mse(rules.get(1), key)).isCloseTo(mse(rules.get(0), key), within(1e-9));
        }
        assertThat(Run.stackelberg("evaluate", file, data, "--rule", scorecard).out())
                .contains("scorecard.csv")
                .contains("this rule");
    }

    /** Fit leaves such a column out, and a card that was there before has a coefficient for it. */
    @Test
    void aConstantColumnIsPartOfTheScorecardsConstant() throws IOException {
        List<String> lines = Files.readAllLines(data);
        Path more = Samples.file(
                folder,
                "more.csv",
                lines.get(0) + ",fee,place\n"
                        + lines.stream().skip(1).map(line -> line + ",7,here\n").collect(Collectors.joining()));
        Path bare = Samples.file(folder, "bare.csv", "term,coefficient\nintercept,22\na,2\nb,-1\n");
        Path card = Samples.file(folder, "card.csv", "term,coefficient\nintercept,0\na,2\nb,-1\nfee,3\nplace=here,1\n");

        Run run = Run.stackelberg("evaluate", file, more, "--rule", card, "--json");

        assertThat(run.err()).isEmpty();
        JsonNode same = Run.stackelberg("evaluate", file, more, "--rule", bare, "--json")
                .json()
                .get("rules")
                .get(1);
        for (String key : new String[] {"nobodyMoves", "peopleMove"}) {
            assertThat(run.json().get("rules").get(1).get(key)).isEqualTo(same.get(key));
        }
    }

    @Test
    void aScorecardAloneNeedsADeclaredGame() {
        Path scorecard = Samples.file(folder, "scorecard.csv", "term,coefficient\na,2\nb,-1\nkind=red,1\n");
        Object[] alone = {"evaluate", "--rule", scorecard, data, "--json", "--target", "y", "--wish", "hope"};

        JsonNode rule = Run.stackelberg(alone).json().get("rules").get(0);

        // y was made by this very rule, with noise of 0.3
        assertThat(rule.get("nobodyMoves").get("rmse").asDouble()).isBetween(0.2, 0.4);
        assertThat(rule.get("pullThrough").asDouble()).isBetween(0.7, 0.95);
        Run undeclared = Run.stackelberg("evaluate", "--rule", scorecard, data);
        assertThat(undeclared.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(undeclared.err()).contains("--target");
        Run costly = Run.stackelberg(
                "evaluate",
                "--rule",
                scorecard,
                data,
                "--json",
                "--target",
                "y",
                "--wish",
                "hope",
                "--cost",
                "a=100",
                "--immutable",
                "b,kind");
        assertThat(costly.json().get("rules").get(0).get("pullThrough").asDouble())
                .isLessThan(0.1);
    }

    @Test
    void theWorstGammaIsAtAnEnd() {
        JsonNode gamma = Run.stackelberg("evaluate", file, data, "--gamma-range", "0.1:10", "--json")
                .json()
                .get("rules")
                .get(0)
                .get("sensitivity")
                .get("gamma");
        double worst = mse(gamma, gamma.get("worstAt").asString().equals("from") ? "atFrom" : "atTo");

        assertThat(gamma.propertyNames()).containsExactly("from", "to", "atFrom", "atTo", "worstAt");
        for (double g : new double[] {0.1, 0.3, 1, 3, 10}) {
            JsonNode at = Run.stackelberg("evaluate", file, data, "--gamma", g, "--json")
                    .json();
            assertThat(mse(at.get("rules").get(0), "peopleMove")).isLessThanOrEqualTo(worst * (1 + 1e-12));
        }
        assertThat(Run.stackelberg("evaluate", file, data, "--gamma-range", "1:2:3")
                        .code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("evaluate", file, data, "--gamma-range", "3").code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("evaluate", file, data, "--gamma-range", "3:1")
                        .code())
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void groupsAreEvaluatedToo() {
        Run run = Run.stackelberg("evaluate", file, data, "--group", "kind", "--json");

        JsonNode groups = run.json().get("rules").get(0).get("groups");
        double whole = mse(run.json().get("rules").get(0), "peopleMove");
        assertThat(groups.get(0).get("group").asString()).isEqualTo("blue");
        assertThat((40 * mse(groups.get(0), "peopleMove") + 20 * mse(groups.get(1), "peopleMove")) / 60)
                .isCloseTo(whole, within(1e-12));
        assertThat(Run.stackelberg("evaluate", file, data, "--group", "kind").out())
                .contains("by kind");
    }

    @Test
    void badRulesAreRefusedByName() {
        Path typo = Samples.file(folder, "typo.csv", "term,coefficient\nA,2\n");
        Path headless = Samples.file(folder, "headless.csv", "name,value\na,2\n");
        Path twice = Samples.file(folder, "twice.csv", "term,coefficient\na,2\na,3\n");
        Path whole = Samples.file(folder, "whole.csv", "term,coefficient\nkind,2\n");

        assertRefused(typo, "'A'");
        assertRefused(headless, "term,coefficient");
        assertRefused(twice, "twice");
        Run categorical = Run.stackelberg("evaluate", "--rule", whole, data, "--target", "y", "--wish", "hope");
        assertThat(categorical.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(categorical.err()).contains("kind=blue");
        Run both = Run.stackelberg("evaluate", file, data, "--target", "y");
        assertThat(both.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(both.err()).contains("--target");
        assertThat(Run.stackelberg("evaluate").code()).isEqualTo(ExitCode.WRONG_USAGE);
    }

    private void assertRefused(Path rule, String named) {
        Run run = Run.stackelberg("evaluate", file, data, "--rule", rule);
        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains(named);
    }

    private static double mse(JsonNode node, String key) {
        return node.get(key).get("mse").asDouble();
    }
}
