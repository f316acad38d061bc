package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.answer.Numbers;
import tools.jackson.databind.JsonNode;

/** What every command says of moves that really change the target. */
class EffectsCommandTest {
    @TempDir
    Path folder;

    private Path data;
    private Path file;
    private Run fitted;

    @BeforeEach
    void fit() {
        data = Samples.csv(folder);
        file = folder.resolve("model.json");
        fitted = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", "-o", file);
        assertThat(fitted.code()).as(fitted.err()).isZero();
    }

    @Test
    void fitPrintsTheEarnedAndTheGamedShare() {
        assertThat(fitted.out())
                .contains("is earned (the target moves along)", "is gamed", "what is rewarded", "twice the effects");
        JsonNode json = Run.stackelberg(
                        "fit",
                        data,
                        "--target",
                        "y",
                        "--wish",
                        "hope",
                        "--effect",
                        "a=1.5",
                        "--effect",
                        "b=0",
                        "--json")
                .json();
        assertThat(json.get("effects").get("a").asDouble()).isEqualTo(1.5);
        assertThat(json.get("earned").asDouble() + json.get("gamed").asDouble())
                .isCloseTo(json.get("pullThrough").asDouble(), within(1e-12));
        assertThat(json.get("earned").asDouble()).isPositive();
        assertThat(json.get("incentives").get(0).get("feature").asString()).isEqualTo("a");
        assertThat(json.get("incentives").get(0).get("effect").asDouble()).isEqualTo(1.5);
    }

    @Test
    void withoutEffectsTheImprovementIsZero() {
        JsonNode json = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--json")
                .json();
        assertThat(json.get("earned").asDouble()).isZero();
        assertThat(json.get("gamed").asDouble())
                .isEqualTo(json.get("pullThrough").asDouble());
        assertThat(json.get("effects").isEmpty()).isTrue();
        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "hope")
                        .out())
                .doesNotContain("earned");
    }

    @Test
    void respondSaysHowMuchTheTargetRises() {
        Run run = Run.stackelberg("respond", file, data);
        assertThat(run.err()).contains("is earned", "On average y really rises by", "target rises by");
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("row,prediction,wish,after_response,cost,improvement,move a,move b");
        double sum = 0;
        for (String line : lines.subList(1, lines.size())) {
            double[] cells = List.of(line.split(",")).stream()
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            assertThat(cells[5]).isCloseTo(1.5 * cells[6], within(1e-12));
            sum += cells[5];
        }
        JsonNode json = Run.stackelberg("respond", file, data, "--json").json();
        assertThat(json.get("meanImprovement").asDouble()).isCloseTo(sum / Samples.ROWS, within(1e-12));
        JsonNode a = json.get("incentives").get(0);
        assertThat(a.get("meanImprovement").asDouble()).isCloseTo(sum / Samples.ROWS, within(1e-12));
        assertThat(json.get("improving").asInt()).isPositive();
    }

    /** What each of them really gains, person by person, is what fit, path and summary say of all. */
    @Test
    void fitPathAndSummaryPrintTheMeanImprovement() {
        double mean = Run.stackelberg("respond", file, data, "--json")
                .json()
                .get("meanImprovement")
                .asDouble();
        assertThat(mean).isNotZero();
        assertThat(fitted.out()).contains("On average y really rises by " + Numbers.number(mean) + ".");
        Run summary = Run.stackelberg("summary", file);
        assertThat(summary.out()).contains("On average y really rises by " + Numbers.number(mean) + ".");
        JsonNode model = Run.stackelberg("summary", file, "--json").json();
        assertThat(model.get("meanImprovement").asDouble()).isCloseTo(mean, within(1e-12));
        Object[] game = {"--target", "y", "--wish", "hope", "--effect", "a=1.5", "--json", "--gammas"};
        JsonNode path = Run.stackelberg(Stream.concat(
                                Stream.of("path", data),
                                Stream.concat(
                                        Stream.of(game),
                                        Stream.of(model.get("gamma").asDouble() + ",7")))
                        .toArray())
                .json();
        assertThat(path.get("path").get(0).get("meanImprovement").asDouble()).isCloseTo(mean, within(1e-9));
        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--json")
                        .json()
                        .get("meanImprovement")
                        .asDouble())
                .isZero();
    }

    @Test
    void theMeanImprovementCountsPeopleByTheirWeight() {
        StringBuilder csv = new StringBuilder();
        List<String> lines = Samples.read(data).lines().toList();
        csv.append(lines.get(0)).append(",w\n");
        for (int i = 1; i < lines.size(); i++) {
            csv.append(lines.get(i)).append(',').append(1 + i % 4).append('\n');
        }
        Path counted = Samples.file(folder, "counted.csv", csv.toString());
        Path weighted = folder.resolve("weighted.json");
        Run fit = Run.stackelberg(
                "fit",
                counted,
                "--target",
                "y",
                "--wish",
                "hope",
                "--weight",
                "w",
                "--effect",
                "a=1.5",
                "-o",
                weighted,
                "--json");
        double expected = Run.stackelberg("evaluate", weighted, counted, "--json")
                .json()
                .get("rules")
                .get(0)
                .get("meanImprovement")
                .asDouble();
        assertThat(fit.json().get("meanImprovement").asDouble()).isCloseTo(expected, within(1e-12));
    }

    /** Models that were written before know their effects, but not the mean gap. */
    @Test
    void modelsOfEarlierVersionsHaveNoEffects() {
        Path older =
                Samples.file(folder, "older.json", Samples.read(file).replaceAll(",\\s*\"meanGap\" : [-0-9.Ee]+", ""));
        assertThat(Samples.read(older)).doesNotContain("meanGap");
        Run run = Run.stackelberg("summary", older);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("is earned").doesNotContain("really rises");
        assertThat(Run.stackelberg("summary", older, "--json")
                        .json()
                        .get("meanImprovement")
                        .isNull())
                .isTrue();
    }

    @Test
    void effectsComeFromAFileToo() {
        Path effects = Samples.file(folder, "effects.csv", "feature,effect\na,1.5\nb,-0.2\n");
        JsonNode byFile = fit("--effects", effects);
        assertThat(byFile.get("effects").get("b").asDouble()).isEqualTo(-0.2);
        assertThat(byFile.get("coefficients"))
                .isEqualTo(fit("--effect", "a=1.5", "--effect", "b=-0.2").get("coefficients"));
        assertThat(fit("--effects", effects, "--effect", "a=2").get("coefficients"))
                .isEqualTo(fit("--effect", "a=2", "--effect", "b=-0.2").get("coefficients"));
        Path wrong = Samples.file(folder, "wrong.csv", "feature,effect\na,NaN\n");
        Run refused = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--effects", wrong);
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).contains("wrong.csv");
        Run kept = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--effects", effects, "-o", effects);
        assertThat(kept.code()).isEqualTo(2);
        assertThat(kept.err()).contains("would be overwritten");
        Run declared = Run.stackelberg("evaluate", file, data, "--effects", effects);
        assertThat(declared.code()).isEqualTo(2);
        assertThat(declared.err()).contains("--effects");
    }

    private JsonNode fit(Object... more) {
        return Run.stackelberg(Stream.concat(
                                Stream.of("fit", data, "--target", "y", "--wish", "hope", "--json"), Stream.of(more))
                        .toArray())
                .json();
    }

    @Test
    void evaluateComparesWithTheTargetAfterTheMove() {
        Run run = Run.stackelberg("evaluate", file, data);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("is earned", "half of the effects", "twice the effects", "what is rewarded");
        JsonNode rule = Run.stackelberg("evaluate", file, data, "--json")
                .json()
                .get("rules")
                .get(0);
        JsonNode model = Run.stackelberg("summary", file, "--json").json();
        assertThat(rule.get("peopleMove").get("rmse").asDouble())
                .isCloseTo(model.get("rmse").get("moved").asDouble(), within(1e-9));
        assertThat(rule.get("earned").asDouble()).isCloseTo(model.get("earned").asDouble(), within(1e-12));
        assertThat(rule.get("sensitivity")
                        .get("effects")
                        .get("halved")
                        .get("rmse")
                        .asDouble())
                .isNotEqualTo(rule.get("peopleMove").get("rmse").asDouble());
        Run costs = Run.stackelberg("evaluate", file, data, "--cost-error", "3");
        assertThat(costs.code()).isEqualTo(2);
        assertThat(costs.err()).contains("--cost-error", "--effect");
    }

    @Test
    void pathCompareSummaryAndVerifySupportEffects() {
        Run path = Run.stackelberg(
                "path", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", "--gammas", "log:0.1:10:3");
        assertThat(path.code()).as(path.err()).isZero();
        assertThat(path.out()).contains("pull-through (earned)", "y rises by");
        Path csv = folder.resolve("path.csv");
        Run.stackelberg(
                "path", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", "--gammas", "1,2", "-o", csv);
        assertThat(Samples.read(csv).lines().findFirst().orElseThrow())
                .contains("intercept,earned,gamed,meanImprovement");
        Run compare = Run.stackelberg("compare", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5");
        assertThat(compare.code()).as(compare.err()).isZero();
        assertThat(compare.out())
                .contains("pull-through (earned)", "y rises by")
                .doesNotContain("Of the gap");
        assertThat(Run.stackelberg("summary", file).out()).contains("is earned", "what is rewarded");
        assertThat(Run.stackelberg("verify", file, data).code()).isZero();
        Run tune = Run.stackelberg(
                "tune", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", "--gammas", "1,2,5", "--json");
        assertThat(tune.code()).as(tune.err()).isZero();
    }

    @Test
    void aPageWithLimitsAndEffectsIsRefused() {
        Run run = Run.stackelberg(
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope",
                "--effect",
                "a=1.5",
                "--limit",
                "data",
                "--report",
                folder.resolve("both.html"));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--report", "--effect", "limits");
    }

    @Test
    void underLimitsEveryCommandPrintsTheRealImprovement() {
        Path model = folder.resolve("limited.json");
        Run fit = Run.stackelberg(
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope",
                "--effect",
                "a=1.5",
                "--limit",
                "data",
                "-o",
                model,
                "--json");
        assertThat(fit.code()).as(fit.err()).isEqualTo(4);
        JsonNode found = fit.json();
        assertThat(found.get("limited").get("stopped").asInt()).isPositive();
        assertThat(found.get("earned").asDouble() + found.get("gamed").asDouble())
                .isCloseTo(found.get("pullThrough").asDouble(), within(1e-12));

        assertThat(Run.stackelberg("summary", model).out())
                .contains("is earned", "The columns closes and earned ignore the limits.", "Limits hold back");
        assertThat(Run.stackelberg("verify", model, data).code()).isEqualTo(4);
        Path moves = folder.resolve("moves.csv");
        JsonNode respond =
                Run.stackelberg("respond", model, data, "-o", moves, "--json").json();
        List<String> lines = Samples.read(moves).lines().toList();
        List<String> names = List.of(lines.get(0).split(","));
        double improvement = 0;
        double earned = 0;
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = List.of(line.split(","));
            double own = 1.5 * Double.parseDouble(cells.get(names.indexOf("move a")));
            double gap = Double.parseDouble(cells.get(names.indexOf("wish")))
                    - Double.parseDouble(cells.get(names.indexOf("prediction")));
            assertThat(Double.parseDouble(cells.get(names.indexOf("improvement"))))
                    .isCloseTo(own, within(1e-9));
            improvement += own / (lines.size() - 1);
            earned += own / gap / (lines.size() - 1);
        }
        assertThat(respond.get("meanImprovement").asDouble()).isCloseTo(improvement, within(1e-9));
        assertThat(respond.get("earned").asDouble()).isCloseTo(earned, within(1e-9));
        assertThat(found.get("earned").asDouble()).isCloseTo(earned, within(1e-9));
        Run evaluate = Run.stackelberg("evaluate", model, data, "--json");
        assertThat(evaluate.code()).as(evaluate.err()).isZero();
        JsonNode rule = evaluate.json().get("rules").get(0);
        assertThat(rule.get("earned").asDouble()).isCloseTo(earned, within(1e-9));
        assertThat(rule.get("meanImprovement").asDouble()).isCloseTo(improvement, within(1e-9));
        Run text = Run.stackelberg("evaluate", model, data, "--gamma-range", "0.5:2");
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out()).contains("on average people close", "was searched for on a grid");
        Run compare = Run.stackelberg(
                "compare", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", "--limit", "data");
        assertThat(compare.out()).as(compare.err()).contains("rises by");
    }

    @Test
    void fitRefusesEffectsWithTruthfulShareOrRowGamma() {
        for (String[] other : new String[][] {{"--truthful-share", "0.2"}, {"--row-gamma", "a"}}) {
            Run run = Run.stackelberg(
                    "fit", data, "--target", "y", "--wish", "hope", "--effect", "a=1.5", other[0], other[1]);
            assertThat(run.code()).as(other[0] + ": " + run.err()).isEqualTo(2);
            assertThat(run.err()).contains(other[0], "--effect", "Maybe");
        }
    }

    @Test
    void fitRefusesAnEffectOfACategory() {
        Run kind = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--effect", "kind=1");
        assertThat(kind.code()).isNotZero();
        assertThat(kind.err()).contains("kind");
    }
}
