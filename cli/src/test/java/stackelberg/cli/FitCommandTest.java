package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.RealData;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

class FitCommandTest {
    @TempDir
    Path folder;

    @Test
    void wineModestHasTheKnownOptimumInPaperMode() {
        Path wine = RealData.file("wine.csv");

        Run run = Run.stackelberg(
                "fit", wine, "--target", "quality", "--wish", "max(y,6)", "--gamma", "0.1", "--paper", "--json");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.json().get("objective").asDouble()).isCloseTo(571.168302720, within(5e-9));
        assertThat(run.json().get("multiplier").asDouble()).isCloseTo(25.8533372, within(5e-7));
    }

    @Test
    void jsonHasExactlyTheStableKeys() {
        Run run = fit("--json");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.err()).isEmpty();
        JsonNode json = run.json();
        assertThat(json.propertyNames())
                .containsExactly(
                        "objective",
                        "multiplier",
                        "gapBound",
                        "proof",
                        "certified",
                        "claim",
                        "finite",
                        "finiteness",
                        "unique",
                        "pullThrough",
                        "effects",
                        "earned",
                        "gamed",
                        "meanImprovement",
                        "incentives",
                        "solver",
                        "iterations",
                        "passes",
                        "status",
                        "gamma",
                        "gammaShare",
                        "today",
                        "ridge",
                        "hedge",
                        "balance",
                        "frontier",
                        "limits",
                        "oneSided",
                        "limited",
                        "between",
                        "rows",
                        "features",
                        "coefficients",
                        "intercept",
                        "target",
                        "immutable",
                        "solverNote",
                        "relativeGap",
                        "weight",
                        "losses",
                        "rmse",
                        "loss",
                        "meanLoss",
                        "yes",
                        "standardErrors",
                        "rSquared",
                        "totalWeight",
                        "filled",
                        "warnings",
                        "warningCodes",
                        "notes",
                        "noteCodes",
                        "withoutHedge",
                        "yesOrNo",
                        "whatIf",
                        "whatIfOn",
                        "whatIfNoise",
                        "groups",
                        "seconds");
        assertThat(json.get("seconds").propertyNames())
                .containsExactly("start", "read", "assemble", "solve", "certify", "recover", "judge", "doubt", "write");
        assertThat(json.get("coefficients").propertyNames()).containsExactly("a", "b", "kind=red");
        assertThat(json.get("rows").asInt()).isEqualTo(Samples.ROWS);
        assertThat(json.get("features").asInt()).isEqualTo(3);
        assertThat(json.get("certified").asBoolean()).isTrue();
    }

    @Test
    void thePhasesThatTheModelHasAreTheSameInItsFile() {
        Path file = folder.resolve("model.json");
        JsonNode seconds = fit("-o", file, "--json").json().get("seconds");
        StackelbergModel.Phases phases = ModelFile.load(file).solver().seconds();

        assertThat(seconds.get("judge").asDouble()).isEqualTo(phases.judge());
        assertThat(seconds.get("solve").asDouble()).isEqualTo(phases.solve());
    }

    @Test
    void withoutAFiniteEquilibriumTheReasonIsPrintedAndTheRuleIsNull() {
        Run run = Run.stackelberg(
                "fit",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "y+2",
                "--ignore",
                "hope",
                "--hedge",
                "none",
                "--json");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.json().get("finite").asBoolean()).isFalse();
        assertThat(run.json().get("intercept").isNull()).isTrue();
        assertThat(run.json().get("coefficients").get("a").isNull()).isTrue();
        assertThat(run.json().get("finiteness").asString()).isEqualTo("NONE");
        assertThat(run.json().get("warnings").valueStream().map(JsonNode::asString))
                .anyMatch(warning -> warning.startsWith("No finite equilibrium"))
                .filteredOn(warning -> warning.contains("learns the target from the wishes"))
                .singleElement()
                .asString()
                .contains("--wish-noise");
    }

    @Test
    void theSummaryShowsTheRuleThePullThroughTheLossesAndTheCertificate() {
        Run run = fit();

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out())
                .containsPattern("kind=red +-?[0-9.]+ .*immutable")
                .contains("of the gap to the score they want")
                .contains("With gamma 30% (")
                .contains("under today's rule, least squares, people would close 30% of the gap to the score they want")
                .containsPattern("today's rule +[0-9.]+ +[0-9.]+")
                .containsPattern("this rule +[0-9.]+ +[0-9.]+")
                .contains("Certified: globally optimal");
    }

    @Test
    void theSummaryEndsWithTheFiguresOfTheJsonAndNamesWhatHurtsMost() {
        String out = fit().out();
        JsonNode json = fit("--json", "-o", folder.resolve("model.json")).json();

        assertThat(json.get("whatIfOn").asString()).isEqualTo("held-out people, 5 folds");
        assertThat(out).contains("Errors once people have moved, on held-out people, 5 folds:");
        List<String> names =
                List.of("as declared", "half of gamma", "twice gamma", "noisier wishes", "a third truthful");
        JsonNode worst = json.get("whatIf").get(0);
        for (int k = 0; k < names.size(); k++) {
            JsonNode row = json.get("whatIf").get(k);
            assertThat(row.propertyNames()).containsExactly("world", "rmse", "todayRmse", "more");
            assertThat(out)
                    .containsPattern(names.get(k) + " +"
                            + Pattern.quote(Numbers.number(row.get("rmse").asDouble())) + " +"
                            + Pattern.quote(Numbers.number(row.get("todayRmse").asDouble())) + "\n");
            worst = row.get("rmse").asDouble() > worst.get("rmse").asDouble() ? row : worst;
        }
        assertThat(json.get("whatIf").valueStream().map(row -> row.get("world").asString()))
                .containsExactly("AS_DECLARED", "HALF_GAMMA", "DOUBLE_GAMMA", "NOISIER_WISHES", "THIRD_TRUTHFUL");
        assertThat(out.lines().reduce((before, last) -> last).orElseThrow())
                .startsWith("The worst case for this rule is that ")
                .contains("an error of " + Numbers.number(worst.get("rmse").asDouble()) + " instead of "
                        + Numbers.number(json.get("whatIf").get(0).get("rmse").asDouble()));
    }

    @Test
    void byDefaultTheWhatIfTableOfWineHasTruthfulPeople() {
        Path wine = RealData.file("wine.csv");

        Run run = Run.stackelberg("fit", wine, "--target", "quality", "--wish", "max(today,6)", "--hedge", "none");

        assertThat(run.out())
                .containsPattern("as declared +0\\.6\\d+ +0\\.6\\d+\n")
                .contains(
                        "The worst case for this rule is that a third of the people stay truthful: it then has an error of 0.7");
    }

    @Test
    void withoutARuleThereIsNoWhatIfTable() {
        Object[] believing = {
            "fit", Samples.csv(folder), "--target", "y", "--wish", "y+2", "--ignore", "hope", "--hedge", "none"
        };
        Object[] asJson = Arrays.copyOf(believing, believing.length + 1);
        asJson[believing.length] = "--json";

        assertThat(Run.stackelberg(believing).out()).doesNotContain("What if");
        JsonNode json = Run.stackelberg(asJson).json();
        assertThat(json.get("whatIf").isNull()).isTrue();
        assertThat(json.get("whatIfOn").isNull()).isTrue();
    }

    @Test
    void sparseDataAndGammasPerRowHaveAWhatIfTable() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append(i % 5 + 0.3 * (i % 7)).append(" 1:").append(i % 5 + 1);
            text.append(i % 2 == 0 ? " 2:" + (i % 7 + 1) : "").append('\n');
        }
        Path svm = Samples.file(folder, "people.svm", text.toString());

        JsonNode sparse =
                Run.stackelberg("fit", svm, "--wish", "max(today,3)", "--json").json();
        assertThat(sparse.get("whatIfOn").asString()).isEqualTo("held-out people, 5 folds");
        assertThat(sparse.get("whatIf")).hasSize(5);
        Run own = Run.stackelberg(
                "fit", Samples.csv(folder), "--target", "y", "--wish", "hope", "--ignore", "kind", "--row-gamma", "b");
        assertThat(own.out()).contains("half of every gamma");
    }

    @Test
    void quietPrintsNothing() {
        Run run = fit("--quiet");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void constantColumnsAreNamedInAWarning() {
        String text = Samples.read(Samples.csv(folder)).replace("\n", ",5\n").replaceFirst(",5\n", ",always five\n");
        Path file = Samples.file(folder, "constant.csv", text);

        Run run = Run.stackelberg("fit", file, "--target", "y", "--wish", "hope");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.err()).startsWith("Warning: ").contains("always five");
    }

    @Test
    void aFileItsGzipAndStandardInputGiveTheSameRule() throws Exception {
        Path file = Samples.csv(folder);
        Path gzip = folder.resolve("sample.csv.gz");
        try (var out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(gzip))) {
            Files.copy(file, out);
        }
        JsonNode fromFile = rule(file);

        assertThat(rule(gzip)).isEqualTo(fromFile);
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(Samples.read(file).getBytes(StandardCharsets.UTF_8)));
            assertThat(rule("-")).isEqualTo(fromFile);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void theGameOptionsReachTheGame() {
        double plain = objective("--gamma", "1");

        // the fewer can be moved, the less people get of what they want
        assertThat(number("pullThrough", "--immutable", "a,kind", "--gamma", "1"))
                .isLessThan(number("pullThrough", "--gamma", "1"));
        // a scaled cost is a scaled gamma
        assertThat(objective("--cost", "a=3", "--cost", "b=3", "--gamma", "1"))
                .isCloseTo(objective("--gamma", "3"), within(1e-9 * plain));
        // without scaling, raw and scaled units are the same
        assertThat(objective("--scale", "none", "--cost-units", "raw"))
                .isCloseTo(objective("--scale", "none"), within(1e-9 * plain));
        assertThat(objective("--cost-units", "raw")).isCloseTo(objective("--scale", "none"), within(1e-9 * plain));
        // noise of the wishes can only hurt the leader, and so does losing the intercept
        assertThat(objective("--wish-noise", "1", "--gamma", "1")).isGreaterThan(plain);
        assertThat(objective("--intercept", "none", "--features", "a,b", "--gamma", "1"))
                .isGreaterThan(objective("--features", "a,b", "--gamma", "1"));
        // unless an immutable category has a coefficient for each of its levels, which is a constant for all rows
        assertThat(objective("--intercept", "none", "--gamma", "1")).isCloseTo(plain, within(1e-9 * plain));
        assertThat(objective("--intercept", "manipulable", "--gamma", "1")).isGreaterThan(plain);
        // everything is a feature people can move
        assertThat(fit("--immutable", "none", "--json")
                        .json()
                        .get("coefficients")
                        .propertyNames())
                .containsExactly("a", "b", "kind=blue", "kind=red");
        // fewer features, larger loss
        assertThat(objective("--features", "a,kind")).isGreaterThan(plain);
        assertThat(objective("--ignore", "b")).isEqualTo(objective("--features", "a,kind"));
    }

    @Test
    void aTraceHasOneRowPerIteration() {
        Path trace = folder.resolve("trace.csv");

        Run run = fit("--trace", trace, "--json");

        var lines = Samples.read(trace).lines().toList();
        assertThat(lines.get(0)).isEqualTo("iteration,objective,primalResidual,dualResidual,multiplier");
        assertThat(lines).hasSize(1 + run.json().get("iterations").asInt());
        assertThat(lines.get(1)).startsWith("1,");
    }

    @Test
    void aModelIsWrittenWholeOrNotAtAll() throws Exception {
        Path model = folder.resolve("model.json");
        fit("-o", model);
        String written = Samples.read(model);

        Run refused = fit("-o", model, "--target", "absent");
        Run nowhere = fit("-o", folder.resolve("no/such/folder/model.json"));

        assertThat(refused.code()).isNotZero();
        assertThat(Samples.read(model)).isEqualTo(written);
        assertThat(nowhere.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(nowhere.err()).contains("does not exist");
        try (var files = Files.list(folder)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("model.json", "sample.csv");
        }
    }

    private Run fit(Object... more) {
        Object[] args = new Object[6 + more.length];
        System.arraycopy(new Object[] {"fit", Samples.csv(folder), "--target", "y", "--wish", "hope"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        return Run.stackelberg(args);
    }

    private double objective(Object... more) {
        return number("objective", more);
    }

    private double number(String key, Object... more) {
        List<Object> words = new ArrayList<>(List.of(more));
        words.addAll(List.of("--hedge", "none", "--json"));
        Run run = fit(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run.json().get(key).asDouble();
    }

    private static JsonNode rule(Object data) {
        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--json");
        assertThat(run.code()).as(run.err()).isZero();
        return run.json().get("coefficients");
    }
}
