package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

class TuneCommandTest {
    private static final String[] KEYS = {
        "gamma",
        "ridge",
        "choice",
        "worldGamma",
        "curve",
        "minimum",
        "oneStandardError",
        "worldGammas",
        "table",
        "gammaShare",
        "truthfulShare",
        "hedge",
        "loss",
        "rows",
        "folds",
        "seed",
        "group",
        "method",
        "settled",
        "seconds",
        "warnings",
        "warningCodes",
        "model"
    };

    @TempDir
    Path folder;

    @Test
    void withAWorldGammaTheJsonIsACurveWithMinimumAndCautiousChoice() {
        Run run = tune("--world-gamma", "0.5", "--gammas", "log:0.01:100:9", "--json");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.err()).isEmpty();
        JsonNode json = run.json();
        assertThat(json.propertyNames()).containsExactly(KEYS);
        assertThat(json.get("settled").asBoolean()).isTrue();
        assertThat(json.get("seconds").propertyNames()).containsExactly("read", "tune");
        assertThat(json.get("choice").asString()).isEqualTo("one-standard-error");
        assertThat(json.get("table").isNull()).isTrue();
        assertThat(json.get("curve")).hasSize(9).allSatisfy(point -> assertThat(point.propertyNames())
                .containsExactly("gamma", "ridge", "loss", "standardError", "pullThrough"));
        JsonNode minimum = json.get("minimum");
        JsonNode cautious = json.get("oneStandardError");
        double best = minimum.get("loss").asDouble();
        double limit = best + minimum.get("standardError").asDouble();
        assertThat(json.get("gamma")).isEqualTo(cautious.get("gamma"));
        for (JsonNode point : json.get("curve")) {
            double loss = point.get("loss").asDouble();
            assertThat(loss).isGreaterThanOrEqualTo(best);
            if (loss <= limit) {
                assertThat(point.get("pullThrough").asDouble())
                        .isGreaterThanOrEqualTo(cautious.get("pullThrough").asDouble());
            }
        }
        assertThat(cautious.get("loss").asDouble()).isLessThanOrEqualTo(limit);
    }

    @Test
    void withoutAWorldGammaTheJsonIsATableWithTheSmallestWorstRegret() {
        Run run = tune("--gammas", "log:0.01:100:5", "--world-gammas", "0.1,1,10", "--json");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        JsonNode json = run.json();
        assertThat(json.propertyNames()).containsExactly(KEYS);
        assertThat(json.get("choice").asString()).isEqualTo("least-worst-regret");
        assertThat(json.get("curve").isNull()).isTrue();
        assertThat(json.get("worldGammas")).hasSize(3);
        assertThat(json.get("table")).hasSize(5);
        double least = Double.POSITIVE_INFINITY;
        double choice = 0;
        for (JsonNode row : json.get("table")) {
            assertThat(row.propertyNames())
                    .containsExactly("gamma", "ridge", "worstRegret", "worstWorldGamma", "loss", "regret");
            double worst = 0;
            for (int k = 0; k < 3; k++) {
                double best = Double.POSITIVE_INFINITY;
                for (JsonNode other : json.get("table")) {
                    best = Math.min(best, other.get("loss").get(k).asDouble());
                }
                double regret = row.get("loss").get(k).asDouble() - best;
                assertThat(row.get("regret").get(k).asDouble()).isCloseTo(regret, within(1e-12));
                worst = Math.max(worst, regret);
            }
            assertThat(row.get("worstRegret").asDouble()).isCloseTo(worst, within(1e-12));
            if (worst < least) {
                least = worst;
                choice = row.get("gamma").asDouble();
            }
        }
        assertThat(json.get("gamma").asDouble()).isEqualTo(choice);
    }

    @Test
    void theTableHasTheCurvesLosses() {
        JsonNode curve =
                tune("--world-gamma", "0.5", "--gammas", "0.1,1,10", "--json").json();
        JsonNode table = tune("--world-gammas", "0.5,2", "--gammas", "0.1,1,10", "--json")
                .json();

        for (int j = 0; j < 3; j++) {
            assertThat(table.get("table").get(j).get("loss").get(0))
                    .isEqualTo(curve.get("curve").get(j).get("loss"));
        }
    }

    @Test
    void onlyTheSeedDeterminesTheFolds() {
        String[] options = {"--world-gamma", "0.5", "--gammas", "0.1,1,10", "--json", "--seed"};

        JsonNode one = tune(options, "3").json().get("curve");

        assertThat(tune(options, "3").json().get("curve")).isEqualTo(one);
        assertThat(tune(options, "4").json().get("curve")).isNotEqualTo(one);
    }

    @Test
    void withAWorldGammaTheCurveTheChoiceAndItsReasonArePrinted() {
        Run run = tune("--world-gamma", "0.5", "--gammas", "log:0.01:100:9");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("who respond with the world's gamma 0.5")
                .containsPattern("model gamma +mean loss +standard error +pull-through\n")
                .contains("<- ")
                .contains("respond with the world's gamma, not with the gamma that the rule was fitted for")
                .contains("Smallest loss: gamma ")
                .containsPattern("\nChoice: gamma [0-9.]+\n");
    }

    @Test
    void withoutAWorldGammaTheWorstRegretAndItsReasonArePrinted() {
        Run run = tune("--gammas", "log:0.01:100:9", "--world-gammas", "log:0.1:10:21");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("in 21 worlds where moving costs from 0.1 to 10")
                .containsPattern("model gamma +worst regret +in world +loss in 0.1 +loss in [0-9.]+ +loss in 1 ")
                .contains("Gamma " + winnerByOwnGamma("log:0.01:100:9") + " would win here")
                .contains("smallest worst-case regret")
                .containsPattern("\nChoice: gamma [0-9.]+\n");
    }

    /** The diagonal of the table: every rule among people who respond with its own gamma. */
    private String winnerByOwnGamma(String gammas) {
        JsonNode table = tune("--gammas", gammas, "--json").json().get("table");
        int winner = 0;
        for (int j = 1; j < table.size(); j++) {
            double loss = table.get(j).get("loss").get(j).asDouble();
            winner = loss < table.get(winner).get("loss").get(winner).asDouble() ? j : winner;
        }
        // among the largest: a world in which the rule supposes nobody moves
        assertThat(table.get(winner).get("gamma").asDouble()).isGreaterThan(10);
        return Numbers.gamma(table.get(winner).get("gamma").asDouble());
    }

    @Test
    void aChoiceAtTheEdgeOfTheGridIsReported() {
        Run run = tune("--world-gamma", "5", "--gammas", "0.0001,0.0002");

        assertThat(run.out()).containsPattern("It is the (smallest|largest) gamma that was tried");
    }

    /** The largest gamma is the smallest share, and only one of them is shown. */
    @Test
    void aShareAtTheEdgeIsPrintedAsInTheTable() {
        Run low = tune("--world-gamma", "5%", "--gammas", "30%,40%");
        Run high = tune("--world-gamma", "80%", "--gammas", "30%,40%");

        assertThat(low.out()).contains("Choice: gamma 30%").contains("It is the smallest share that was tried");
        assertThat(high.out()).contains("Choice: gamma 40%").contains("It is the largest share that was tried");
        assertThat(low.out()).contains("a larger gamma, which is a smaller share,");
    }

    @Test
    void aChosenShareIsTheOneThatWasGiven() {
        for (int percent = 5; percent <= 80; percent += 5) {
            Run run = tune("--world-gamma", "30%", "--gammas", percent + "%", "--json");

            assertThat(run.json().get("gammaShare").asDouble()).isEqualTo(percent / 100.0);
        }
    }

    @Test
    void quietPrintsNothing() {
        Run run = tune("--gammas", "0.1,1", "--quiet");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void theModelIsTheFitOfTheChosenGammaToAllData() {
        Path file = folder.resolve("model.json");

        JsonNode json = tune("--world-gamma", "0.5", "--gammas", "0.1,1,10", "--seed", "3", "--model", file, "--json")
                .json();

        StackelbergModel model = ModelFile.load(file);
        JsonNode fit = Run.stackelberg(command("fit", "--gamma", json.get("gamma"), "--json"))
                .json();
        assertThat(model.gamma()).isEqualTo(json.get("gamma").asDouble());
        assertThat(model.provenance().seed()).isEqualTo(3);
        assertThat(json.get("model").get("coefficients")).isEqualTo(fit.get("coefficients"));
        assertThat(model.intercept()).isEqualTo(fit.get("intercept").asDouble());
    }

    @ParameterizedTest
    @CsvSource({
        "--world-gamma, 0.5, 'gamma,loss,standardError,pullThrough,ridge', 3",
        "--world-gammas, '0.5,2', 'gamma,worldGamma,loss,regret,ridge', 6"
    })
    void theNumbersCanBeWrittenAsCsv(String option, String worlds, String header, int rows) throws Exception {
        Path file = folder.resolve("table.csv");

        tune(option, worlds, "--gammas", "0.1,1,10", "-o", file);

        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0)).isEqualTo(header);
        assertThat(lines).hasSize(1 + rows).last().asString().startsWith("10.0,");
    }

    @Test
    void groupsStayTogetherAndAreNotAFeature() {
        String text = Samples.read(Samples.csv(folder));
        List<String> lines = new ArrayList<>();
        text.lines().forEach(line -> lines.add(line + (lines.isEmpty() ? ",family" : "," + (lines.size() / 5))));
        Path file = Samples.file(folder, "grouped.csv", String.join("\n", lines) + "\n");
        Object[] grouped = {
            "tune",
            file,
            "--target",
            "y",
            "--wish",
            "hope",
            "--group",
            "family",
            "--gammas",
            "0.1,1",
            "--model",
            folder.resolve("m.json"),
            "--json"
        };

        Run run = Run.stackelberg(grouped);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.json().get("group").asString()).isEqualTo("family");
        assertThat(run.json().get("model").get("coefficients").propertyNames()).containsExactly("a", "b", "kind=red");
        Run tooMany = Run.stackelberg(
                Stream.concat(Stream.of(grouped), Stream.of("--folds", "20")).toArray());
        assertThat(tooMany.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(tooMany.err()).contains("only 13 groups in column 'family'");
    }

    @Test
    void twoGroupsAreTwoFoldsByDefault() {
        Run run = Run.stackelberg(
                "tune",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "hope",
                "--group",
                "kind",
                "--gammas",
                "0.1,1",
                "--json");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.json().get("folds").asInt()).isEqualTo(2);
    }

    @Test
    void arraysAndLibsvmGiveTheTuningOfTheSameCsvFile() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        Path csv = Samples.file(folder, "game.csv", game.csv());
        Path svm = Samples.file(folder, "game.svm", game.libsvm());
        Object[] same = {"--wish", "max(y,quantile(0.75))", "--gammas", "0.5,5", "--world-gamma", "1", "--json"};

        JsonNode table =
                run(same, "tune", csv, "--target", "y", "--ignore", "z").get("curve");

        for (JsonNode other : List.of(run(same, "tune", "--x", x, "--y", y), run(same, "tune", svm))) {
            for (int j = 0; j < 2; j++) {
                double expected = table.get(j).get("loss").asDouble();
                assertThat(other.get("curve").get(j).get("loss").asDouble())
                        .isCloseTo(expected, within(1e-9 * expected));
            }
        }
    }

    @Test
    void rulesWithoutAFiniteEquilibriumAreExitCodeFour() {
        Run run = Run.stackelberg(
                "tune",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "y+2",
                "--ignore",
                "hope",
                "--gammas",
                "1,2",
                "--hedge",
                "none");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.err()).contains("Warning: With 20 of the 20 rules people get the score they want");
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("--gammas 5:1:3", ExitCode.WRONG_USAGE, "the first must be the smaller"),
                Arguments.of("--world-gammas x", ExitCode.WRONG_USAGE, "--world-gammas"),
                Arguments.of("--world-gamma 0", ExitCode.WRONG_USAGE, "--world-gamma: gamma is 0; it must be positive"),
                Arguments.of("--world-gamma 1 --world-gammas 1,2", ExitCode.WRONG_USAGE, "Both --world-gamma"),
                Arguments.of("--folds 1", ExitCode.WRONG_USAGE, "at least 2"),
                Arguments.of("--folds 0", ExitCode.WRONG_USAGE, "at least 2"),
                Arguments.of("--tolerance 2", ExitCode.WRONG_USAGE, "tolerance"),
                Arguments.of("--folds 61", ExitCode.BAD_DATA, "only 60 rows"),
                Arguments.of("--group absent", ExitCode.BAD_DATA, "'absent'"),
                Arguments.of("--id a --features a,b", ExitCode.BAD_DATA, "cannot be a feature"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void settingsThatCannotBeTunedAreRefused(String options, int code, String inMessage) {
        Run run = tune((Object[]) options.split(" "));

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.err()).startsWith("Error: ").contains(inMessage).doesNotContain("Exception");
        assertThat(run.out()).isEmpty();
    }

    /** Where wishes are hardly known and worlds may be easy, every rule that says something may be ruined, so the choice says next to nothing. */
    @Test
    void aChoiceHardlyBetterThanTheMeanIsReported() {
        String[] fearful = {"--wish-noise", "50", "--gammas", "log:1e-3:1e3:40"};
        JsonNode json = tune(fearful, "--json").json();
        double[] losses = losses(json, json.get("gamma").asDouble());
        Path page = folder.resolve("tune.html");

        Run told = tune("--wish-noise", "50", "--gammas", "log:1e-3:1e3:40", "--report", page);

        assertThat(Arrays.stream(losses).min().orElseThrow()).isGreaterThan(0.9 * variance());
        String warning = json.get("warnings").get(0).asString();
        assertThat(warning)
                .startsWith("The chosen rule predicts little better than the mean")
                .contains("--world-gamma");
        assertThat(told.err()).contains("Warning: " + warning);
        assertThat(Samples.read(page)).contains(warning);
    }

    @Test
    void aChoiceBetterThanTheMeanIsNotReported() {
        JsonNode json = tune("--json").json();
        double[] losses = losses(json, json.get("gamma").asDouble());

        assertThat(Arrays.stream(losses).min().orElseThrow()).isLessThan(0.8 * variance());
        assertThat(json.get("warnings").toString()).doesNotContain("the mean");
        assertThat(tune("--wish-noise", "50", "--world-gamma", "1e-3").err()).doesNotContain("beyond the mean");
    }

    /** A steep rule for one easy world counts on moves: where people hardly move it is worse than the mean, though it does well in its own world. */
    @Test
    void aChoiceWorseThanTheMeanAtMostGammasIsReported() {
        JsonNode json = tune("--gammas", "1e-3", "--hedge", "none", "--world-gammas", "1,1e-3,10,100", "--json")
                .json();
        double[] losses = losses(json, 1e-3);

        assertThat(losses[1]).isLessThan(0.9 * variance());
        assertThat(List.of(losses[0], losses[2], losses[3]))
                .allSatisfy(loss -> assertThat(loss).isGreaterThan(1.1 * variance()));
        assertThat(json.get("warnings").toString())
                .contains("worse than the mean in 3 of 4 worlds: from world gamma 1.")
                .contains("--world-gamma,")
                .doesNotContain("says little");
    }

    /** A rule that takes off what its people add, no more and no less, is wrong where they add more of it and where they add less. */
    @Test
    void worldsWhereTheChoiceIsWorseThanTheMeanMayLieAtBothEnds() {
        Run run = Run.stackelberg(
                "tune",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "y+5",
                "--wish-noise",
                "3",
                "--gammas",
                "1",
                "--world-gammas",
                "100,1e-3,1,1e-2",
                "--hedge",
                "none",
                "--json");
        double[] losses = losses(run.json(), 1);

        assertThat(losses[2]).isLessThan(0.9 * variance());
        assertThat(List.of(losses[0], losses[1], losses[3]))
                .allSatisfy(loss -> assertThat(loss).isGreaterThan(1.1 * variance()));
        assertThat(run.json().get("warnings").toString())
                .contains("in 3 of 4 worlds: up to world gamma 0.01 and from world gamma 100.");
    }

    @Test
    void aChoiceWorseThanTheMeanEverywhereIsReported() {
        JsonNode json = tune("--gammas", "1e-3", "--hedge", "none", "--world-gammas", "1,10,100", "--json")
                .json();

        assertThat(json.get("warnings")).hasSize(1);
        assertThat(json.get("warnings").get(0).asString())
                .contains("it explains nothing in the world where it does best")
                .contains("no gamma that was tried gives a rule that explains more than nothing.")
                .contains("in 3 of 3 worlds: all of them.");
    }

    @Test
    void aChoiceWorseThanTheMeanAtHalfOfTheGammasIsNotReported() {
        JsonNode json = tune("--gammas", "1e-3", "--hedge", "none", "--world-gammas", "1e-3,100", "--json")
                .json();
        double[] losses = losses(json, 1e-3);

        assertThat(losses[0]).isLessThan(0.9 * variance());
        assertThat(losses[1]).isGreaterThan(1.1 * variance());
        assertThat(json.get("warnings")).isEmpty();
    }

    private static double[] losses(JsonNode json, double gamma) {
        for (JsonNode row : json.get("table")) {
            if (row.get("gamma").asDouble() == gamma) {
                return row.get("loss")
                        .valueStream()
                        .mapToDouble(JsonNode::asDouble)
                        .toArray();
            }
        }
        throw new AssertionError("no row for gamma " + gamma);
    }

    private double variance() {
        double[] y = Samples.read(Samples.csv(folder))
                .lines()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",")[3]))
                .toArray();
        double mean = Arrays.stream(y).average().orElseThrow();
        return Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElseThrow();
    }

    private Run tune(String[] first, String last) {
        return tune(Stream.concat(Stream.of(first), Stream.of(last)).toArray());
    }

    private Run tune(Object... more) {
        return Run.stackelberg(command("tune", more));
    }

    private Object[] command(String name, Object... more) {
        return Stream.concat(Stream.of(name, Samples.csv(folder), "--target", "y", "--wish", "hope"), Stream.of(more))
                .toArray();
    }

    private static JsonNode run(Object[] last, Object... first) {
        Run run =
                Run.stackelberg(Stream.concat(Stream.of(first), Stream.of(last)).toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run.json();
    }
}
