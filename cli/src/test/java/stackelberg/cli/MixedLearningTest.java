package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.answer.Numbers;
import stackelberg.game.Hedge;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code --truthful-share} in path, compare and tune, and {@code --hedge} in tune: what they find, what they say. */
class MixedLearningTest {
    private static final double SHARE = 0.3;

    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void sample() {
        data = Samples.csv(folder);
    }

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "hope"));
        words.addAll(Arrays.asList(more));
        return Run.stackelberg(words.toArray());
    }

    private static double number(JsonNode node, String... way) {
        JsonNode at = node;
        for (String step : way) {
            at = at.get(step);
        }
        return at.asDouble();
    }

    @Test
    void aPathOfMixedPopulationsIsAFitAtEveryGamma() {
        JsonNode path = run("path", "--truthful-share", SHARE, "--gammas", "0.3,3", "--json")
                .json();
        assertThat(number(path, "truthfulShare")).isEqualTo(SHARE);
        assertThat(number(run("path", "--gammas", "0.3,3", "--json").json(), "truthfulShare"))
                .isZero();
        int passes = 0;
        for (JsonNode at : path.get("path")) {
            JsonNode fit = run("fit", "--truthful-share", SHARE, "--gamma", at.get("gamma"), "--json")
                    .json();
            for (String key : List.of("objective", "pullThrough", "intercept")) {
                assertThat(number(at, key)).isCloseTo(number(fit, key), within(1e-9 * Math.abs(number(fit, key))));
            }
            assertThat(at.get("certified").asBoolean()).isTrue();
            passes += fit.get("passes").asInt();
        }
        assertThat(path.get("passes").asInt()).isEqualTo(passes);
        Run told = run("path", "--truthful-share", SHARE, "--gammas", "10%,50%");
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out()).contains("30% of whom are truthful");
    }

    @Test
    void comparedRulesAreJudgedWithTheTruthfulShare() {
        JsonNode compared = run("compare", "--test", data, "--truthful-share", SHARE, "--json")
                .json();
        JsonNode fit = run("fit", "--truthful-share", SHARE, "--json").json();
        JsonNode all = run("compare", "--test", data, "--json").json();
        JsonNode rules = compared.get("rules");

        assertThat(number(compared, "truthfulShare")).isEqualTo(SHARE);
        assertThat(compared.get("rowGamma").isNull()).isTrue();
        assertThat(rules).hasSize(3);
        // least squares and ridge do not know that anybody moves; only how they are judged changes
        for (int k = 0; k < 2; k++) {
            JsonNode rule = rules.get(k);
            double honest = number(rule, "nobodyMoves", "mse");
            double moved = number(all.get("rules").get(k), "peopleMove", "mse");
            assertThat(number(rule, "peopleMove", "mse"))
                    .isCloseTo(SHARE * honest + (1 - SHARE) * moved, within(1e-12 * moved));
        }
        assertThat(number(rules.get(2), "peopleMove", "mse") * Samples.ROWS)
                .isCloseTo(number(fit, "objective"), within(1e-9 * number(fit, "objective")));
        assertThat(number(rules.get(2), "pullThrough")).isCloseTo(number(fit, "pullThrough"), within(1e-9));
        Run told = run("compare", "--truthful-share", SHARE);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out()).contains("and 30% truthful").doesNotContain("hedged");
    }

    @Test
    void comparedRulesAreJudgedWithGammasPerRow() {
        StringBuilder csv = new StringBuilder("x,gamma,y,hope\n");
        for (int i = 0; i < 40; i++) {
            double x = i / 10.0 - 2;
            String gamma = i % 5 == 0 ? "1e30" : i % 2 == 0 ? "0.5" : "2";
            csv.append(x + "," + gamma + "," + (x + 0.3 * (i % 3 - 1)) + "," + Math.max(x, 0.5) + "\n");
        }
        data = Samples.file(folder, "own.csv", csv.toString());
        JsonNode compared =
                run("compare", "--test", data, "--row-gamma", "gamma", "--json").json();
        JsonNode fit = run("fit", "--row-gamma", "gamma", "--json").json();

        assertThat(compared.get("rowGamma").asString()).isEqualTo("gamma");
        assertThat(number(compared.get("rules").get(2), "peopleMove", "mse") * 40)
                .isCloseTo(number(fit, "objective"), within(1e-9 * number(fit, "objective")));
        assertThat(run("compare", "--row-gamma", "gamma").out()).contains("a gamma per row (column gamma)");
        Run both = run("compare", "--row-gamma", "gamma", "--gamma", "0.5");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("Both --gamma and --row-gamma");
    }

    @Test
    void tuningWithATruthfulShareFitsTheChosenRule() {
        Path model = folder.resolve("model.json");
        Path page = folder.resolve("page.html");
        Object[] asked = {
            "--truthful-share", SHARE, "--gammas", "0.1,1,10", "--world-gamma", "1", "--folds", "3", "--model", model
        };
        Object[] withPage = Arrays.copyOf(asked, asked.length + 2);
        withPage[asked.length] = "--report";
        withPage[asked.length + 1] = page;
        Run told = run("tune", withPage);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out())
                .contains("who respond with the world's gamma 1, 30% of them truthful")
                .contains("and 30% truthful");
        StackelbergModel chosen = ModelFile.load(model);
        assertThat(chosen.game().truthfulShare()).isEqualTo(SHARE);
        assertThat(Samples.read(page)).contains("and 30% are truthful");

        JsonNode json = run("tune", "--truthful-share", SHARE, "--gammas", "0.1,1,10", "--folds", "3", "--json")
                .json();
        assertThat(number(json, "truthfulShare")).isEqualTo(SHARE);
        assertThat(json.get("hedge").isNull()).isTrue();
        assertThat(json.get("settled").asBoolean()).isTrue();
        assertThat(run("tune", "--truthful-share", SHARE, "--gammas", "0.1,10", "--folds", "2")
                        .out())
                .contains("30% of them truthful");
        JsonNode none = run("tune", "--truthful-share", 0, "--gammas", "0.1,1,10", "--folds", "3", "--json")
                .json();
        JsonNode before =
                run("tune", "--gammas", "0.1,1,10", "--folds", "3", "--json").json();
        assertThat(none.get("table")).isEqualTo(before.get("table"));
    }

    @Test
    void tuningAHedgedRuleFitsTheChosenHedgedRule() {
        Path model = folder.resolve("model.json");
        Run told = run(
                "tune",
                "--hedge",
                "2%",
                "--gammas",
                "20%,50%",
                "--world-gamma",
                "30%",
                "--folds",
                "2",
                "--model",
                model);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out())
                .contains("at most 2% worse than\nthat of the best rule")
                .contains("all rules that are at most 2% worse than the best rule if nobody moves");
        StackelbergModel chosen = ModelFile.load(model);
        assertThat(chosen.game().hedge()).isEqualTo(Hedge.atMost(0.02));
        assertThat(Math.sqrt(chosen.losses().honest() / chosen.losses().naive()))
                .isLessThanOrEqualTo(1.02 * (1 + 1e-9));
        JsonNode json = run("tune", "--hedge", "0.02", "--gammas", "20%,50%", "--folds", "2", "--json")
                .json();
        assertThat(number(json, "hedge")).isEqualTo(0.02);
        assertThat(json.get("method").asString()).contains("one decomposition for each of 2 folds");
    }

    @Test
    void optionsThatExcludeEachOtherAreRefusedByName() {
        record Refused(List<Object> words, List<String> names) {}
        for (Refused refused : List.of(
                new Refused(
                        List.of("tune", "--hedge", "5%", "--truthful-share", "0.3"), List.of("--hedge", "--truthful")),
                new Refused(
                        List.of("path", "--hedge", "5%", "--truthful-share", "0.3"), List.of("--hedge", "--truthful")),
                new Refused(
                        List.of("compare", "--hedge", "5%", "--truthful-share", "0.3"),
                        List.of("--hedge", "--truthful")),
                new Refused(List.of("tune", "--truthful-share", "1.3"), List.of("share is 1.3")),
                new Refused(List.of("tune", "--row-gamma", "a"), List.of("--row-gamma", "a gamma for each person")),
                new Refused(List.of("path", "--row-gamma", "a"), List.of("--row-gamma", "a gamma for each person")))) {
            Run told = run(
                    refused.words.get(0).toString(),
                    refused.words.subList(1, refused.words.size()).toArray());
            assertThat(told.code()).as(refused + told.err()).isEqualTo(2);
            assertThat(told.err()).contains(refused.names);
        }
    }

    /** The people of the page move at the gamma of the rule that it shows, which need not be the declared one. */
    @Test
    void thePageOfAPathShowsThePopulationOfItsRule() {
        Path page = folder.resolve("page.html");
        Run told = run("path", "--truthful-share", SHARE, "--gammas", "0.2,1,5", "--report", page);
        assertThat(told.code()).as(told.err()).isZero();
        JsonNode report = report(page);
        assertThat(number(report.at("/game"), "gamma")).isEqualTo(1);
        assertThat(report.at("/path/points")).hasSize(3);
        assertThat(number(report.at("/game/mixture"), "truthfulShare")).isEqualTo(SHARE);
        assertThat(report.at("/game/mixture/populations/1/population").asString())
                .startsWith("gamma 1 (");
    }

    @Test
    void thePageOfAComparisonShowsThePopulation() {
        Path page = folder.resolve("page.html");
        Run told = run("compare", "--truthful-share", SHARE, "--report", page);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(Samples.read(page)
                        .split("id=\"comparison\"")[1]
                        .split("</tbody>")[0]
                        .split("<tr>"))
                .hasSize(2 + 3);
        assertThat(number(report(page).at("/game/mixture"), "truthfulShare")).isEqualTo(SHARE);
    }

    /** Chosen for one gamma, met by people of another: the first sentences are about the world. */
    @Test
    void thePageOfATuningIsAboutTheWorld() {
        Path page = folder.resolve("page.html");
        Path model = folder.resolve("model.json");
        Run told = run(
                "tune",
                "--truthful-share",
                SHARE,
                "--gammas",
                "0.1,0.5",
                "--world-gamma",
                "3",
                "--folds",
                "2",
                "--model",
                model,
                "--report",
                page);
        assertThat(told.code()).as(told.err()).isZero();
        JsonNode report = report(page);
        assertThat(number(report.at("/game"), "worldGamma")).isEqualTo(3);
        assertThat(report.at("/game/mixture/populations/1/population").asString())
                .startsWith("gamma 3 (");
        JsonNode there = Run.stackelberg("evaluate", model, data, "--gamma", "3", "--json")
                .json()
                .at("/rules/0");
        String rmse = Numbers.number(number(there, "peopleMove", "rmse"));
        assertThat(report.at("/heading/answer").toString()).contains(rmse);
    }

    private static JsonNode report(Path page) {
        String html = Samples.read(page);
        String open = "<script type=\"application/json\" id=\"report-data\">";
        int from = html.indexOf(open) + open.length();
        return JsonMapper.shared().readTree(html.substring(from, html.indexOf("</script>", from)));
    }
}
