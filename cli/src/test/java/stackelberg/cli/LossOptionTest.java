package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.data.io.NpyWriter;
import stackelberg.linalg.DenseMatrix;
import stackelberg.model.ModelFile;
import tools.jackson.databind.JsonNode;

/** {@code --loss}, {@code --yes} and {@code --wish-units} in every command that knows the game. */
class LossOptionTest {
    private static final int ROWS = 80;

    @TempDir
    Path folder;

    private Path data;
    private Path model;
    private final double[] income = new double[ROWS];
    private final double[] debt = new double[ROWS];
    private final double[] answer = new double[ROWS];

    /** repaid and answer are the same, as a text and as a number. */
    @BeforeEach
    void sample() {
        Random random = new Random(20);
        StringBuilder text = new StringBuilder("income,debt,region,score,repaid,answer,hope\n");
        for (int i = 0; i < ROWS; i++) {
            income[i] = Math.rint(1000 * (30 + 8 * random.nextGaussian())) / 1000;
            debt[i] = Math.rint(5000 * random.nextDouble()) / 1000;
            double score = 0.1 * (income[i] - 30) - 0.5 * (debt[i] - 2.5) + random.nextGaussian();
            answer[i] = score > 0 ? 1 : 0;
            text.append(String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%.3f,%s,%.0f,%.3f%n",
                    income[i],
                    debt[i],
                    i % 3 == 0 ? "north" : "south",
                    score,
                    answer[i] == 1 ? "yes" : "no",
                    answer[i],
                    0.5 + 0.45 * random.nextDouble()));
        }
        data = Samples.file(folder, "loans.csv", text.toString());
        model = folder.resolve("model.json");
    }

    private Run run(String command, Object... more) {
        List<Object> words =
                new ArrayList<>(List.of(command, data, "--features", "income,debt,region", "--loss", "logistic"));
        List<Object> rest = Arrays.asList(more);
        if (!rest.contains("--target")) {
            words.addAll(List.of("--target", "repaid"));
        }
        if (!rest.contains("--wish")) {
            words.addAll(List.of("--wish", "0.9"));
        }
        words.addAll(rest);
        return Run.stackelberg(words.toArray());
    }

    private Run huber(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(
                command,
                data,
                "--features",
                "income,debt,region",
                "--loss",
                "huber:0.5",
                "--target",
                "score",
                "--wish",
                "max(today,1)"));
        words.addAll(Arrays.asList(more));
        return Run.stackelberg(words.toArray());
    }

    private static void isCertified(Run run) {
        assertThat(run.code()).as(run.out() + run.err()).isZero();
    }

    private static void isRefused(int code, Run run, String... words) {
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(code);
        assertThat(run.err()).contains(words);
    }

    /** Where moving is dear the rule is one of two, where it is cheap there is one. */
    @Test
    void aNoteOfAPathCountsItsGammas() {
        String gammas = "1%,50%,80%";
        long two = run("path", "--gammas", gammas, "--hedge", "none", "--json")
                .json()
                .get("path")
                .valueStream()
                .filter(point -> point.get("pullThrough").asDouble() < 0.499)
                .count();
        assertThat(two).isBetween(1L, 2L);
        assertThat(run("path", "--gammas", gammas, "--hedge", "none").out())
                .contains("At all 3 gammas, such as ")
                .containsPattern(
                        "At " + two + " of 3 gammas, such as [0-9.]+: Of the two rules that undo it, this is the one");
    }

    /** R2 is a part of squares, which no other loss is. */
    @Test
    void standardErrorsUnderTheLogisticLossHaveNoR2() {
        for (Run run : List.of(run("fit", "--gamma", "20", "-o", model), huber("fit", "--gamma", "20"))) {
            assertThat(run.out())
                    .containsPattern("coefficient +std. error +t +P>")
                    .contains("Standard errors: HC1; " + ROWS + " people, 4 coefficients")
                    .doesNotContain("R2");
        }
        JsonNode json = run("fit", "--gamma", "20", "--json").json();
        assertThat(json.get("standardErrors")
                        .get("pullThrough")
                        .get("standardError")
                        .asDouble())
                .isPositive();
        assertThat(json.get("rSquared").isNull()).isTrue();
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"repaid,yes", "answer,1"})
    void aYesOrNoTargetIsFittedSavedAndVerified(String target, String yes) {
        Run fitted = run("fit", "--target", target, "--hedge", "none", "-o", model);
        isCertified(fitted);
        assertThat(fitted.out())
                .contains("log loss", "Certified: globally optimal", "Because everyone wants the same score")
                .doesNotContain("--hedge");
        JsonNode json =
                run("fit", "--target", target, "--hedge", "none", "--json").json();
        assertThat(json.get("loss").asString()).isEqualTo("logistic");
        assertThat(json.get("yes").asString()).isEqualTo(yes);
        assertThat(json.get("rmse").isNull()).isTrue();
        assertThat(json.get("meanLoss").get("anticipated").asDouble()).isBetween(0.0, Math.log(2));
        isCertified(Run.stackelberg("verify", model, data));
        assertThat(Run.stackelberg("summary", model).out())
                .containsPattern("loss +logistic")
                .containsPattern("wishUnits +probability");
    }

    @Test
    void theTextAndTheNumberAreTheSameGame() {
        assertThat(run("fit", "--json").json().get("coefficients"))
                .isEqualTo(run("fit", "--target", "answer", "--json").json().get("coefficients"));
    }

    @Test
    void aHuberLossIsFittedSavedAndVerified() {
        isCertified(huber("fit", "-o", model));
        isCertified(Run.stackelberg("verify", model, data));
        assertThat(Run.stackelberg("summary", model).out())
                .contains("Huber loss")
                .containsPattern("loss +huber:0.5");
        Path edited = Samples.file(folder, "edited.json", Samples.read(model).replace("huber:0.5", "huber:0.6"));
        assertThat(Run.stackelberg("verify", edited, data).code()).isEqualTo(4);
    }

    /** Whatever is changed in a file that bears on the game or its proof is found. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    "yes" : "yes", | "yes" : "no",
                    "wishUnits" : "PROBABILITY" | "wishUnits" : "LOGODDS"
                    "loss" : "logistic" | "loss" : "huber:1.0"
                    "wish" : "0.9" | "wish" : "0.8"
                    "proof" : "PROVEN" | "proof" : "REFUTED"
                    """)
    void editedModelsAreCaught(String one, String other) {
        isCertified(run("fit", "-o", model));
        String file = Samples.read(model);
        String changed = file.replace(one, other);
        assertThat(changed).isNotEqualTo(file);
        Run verified = Run.stackelberg("verify", Samples.file(folder, "edited.json", changed), data);
        assertThat(verified.code()).as(verified.out() + verified.err()).isIn(3, 4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "objective",
                "relativeGap",
                "anticipated",
                "honest",
                "naive",
                "pullThrough",
                "intercept",
                "coefficient"
            })
    void editedNumbersAreCaught(String key) {
        isCertified(run("fit", "-o", model));
        String file = Samples.read(model);
        String changed = file.replaceFirst("\"" + key + "\" : [-0-9.Ee]+", "\"" + key + "\" : 0.0123");
        assertThat(changed).isNotEqualTo(file);
        Run verified = Run.stackelberg("verify", Samples.file(folder, "edited.json", changed), data);
        assertThat(verified.code()).as(key + verified.out() + verified.err()).isIn(3, 4);
    }

    /** A rule that is not proven says so, and nothing of what it says is refuted. */
    @Test
    void anUncertifiedModelIsVerifiedAsUncertified() {
        Run fitted = run("fit", "--wish", "max(today,0.8)", "--gamma", "5%", "--hedge", "none", "-o", model);
        assertThat(fitted.code()).as(fitted.out() + fitted.err()).isEqualTo(4);
        assertThat(fitted.err()).contains("When wishes differ, this can be proven only if");
        Run verified = Run.stackelberg("verify", model, data);
        assertThat(verified.code()).isEqualTo(4);
        assertThat(verified.out()).doesNotContain("does not hold").contains("not proven optimal");
    }

    @Test
    void aPathIsPrintedInLogLoss() {
        Run path = run("path", "--gammas", "10%:60%:3");
        isCertified(path);
        assertThat(path.out()).contains("log loss").doesNotContain("RMSE");
        JsonNode json = run("path", "--gammas", "10%:60%:3", "--json").json();
        for (JsonNode one : json.get("path")) {
            assertThat(one.get("loss").asString()).isEqualTo("logistic");
            assertThat(one.get("meanLoss").get("anticipated").asDouble()).isPositive();
        }
        assertThat(huber("path", "--gammas", "0.1,1").out()).contains("Huber loss");
    }

    @Test
    void retrainingIsPrintedInLogLoss() {
        Path rounds = folder.resolve("rounds.csv");
        Path page = folder.resolve("rounds.html");
        Run played = run("simulate", "--rounds", 12, "--out", rounds, "--report", page);
        isCertified(played);
        assertThat(played.out()).contains("log loss").doesNotContain("RMSE", "least squares");
        assertThat(Samples.read(rounds)).startsWith("round,promised,loss,meanLoss,");
        assertThat(Samples.read(page)).contains("mean log loss");
        JsonNode json = run("simulate", "--rounds", 12, "--json").json();
        JsonNode fit = json.get("model");
        JsonNode first = json.get("rounds").get(0);
        assertThat(first.get("rmse").isNull()).isTrue();
        assertThat(first.get("meanLoss").asDouble())
                .isCloseTo(fit.get("meanLoss").get("naiveAttacked").asDouble(), within(1e-9));
        assertThat(first.get("promised").asDouble() / ROWS)
                .isCloseTo(fit.get("meanLoss").get("naive").asDouble(), within(1e-9));
        assertThat(first.get("anticipated").asDouble() / ROWS)
                .isCloseTo(fit.get("meanLoss").get("anticipated").asDouble(), within(1e-9));
        assertThat(json.get("rowByRow").asBoolean()).isTrue();
        assertThat(huber("simulate", "--rounds", 5).out())
                .contains("Huber loss")
                .doesNotContain("RMSE", "least squares");
    }

    @Test
    void groupsArePrintedInLogLossAndProbabilities() {
        Path page = folder.resolve("page.html");
        Run fitted = run("fit", "--group", "region", "--report", page, "-o", model);
        isCertified(fitted);
        assertThat(fitted.out())
                .contains("By region", "log loss", "probability rises by", "mean probability minus share of yes")
                .doesNotContain("RMSE");
        assertThat(Samples.read(page)).contains("log loss", "mean probability minus share of yes");
        JsonNode json = run("fit", "--group", "region", "--json").json();
        JsonNode groups = json.get("groups");
        assertThat(groups.get("error").asString()).isEqualTo("log loss");
        assertThat(mean(groups.get("rows"), "rule", "error", "peopleMove"))
                .isCloseTo(json.get("meanLoss").get("anticipated").asDouble(), within(1e-9));
        assertThat(mean(groups.get("rows"), "today", "error", "nobodyMoves"))
                .isCloseTo(json.get("meanLoss").get("naive").asDouble(), within(1e-9));
        // logistic regression with an intercept says as many yes as there are
        assertThat(mean(groups.get("rows"), "today", "bias", "nobodyMoves")).isCloseTo(0, within(1e-6));
        Run evaluated = Run.stackelberg("evaluate", model, data, "--group", "region");
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(evaluated.out())
                .contains("By region", "probability rises by")
                .doesNotContain("RMSE");
        JsonNode rule = Run.stackelberg("evaluate", model, data, "--group", "region", "--json")
                .json()
                .get("rules")
                .get(0);
        for (JsonNode group : rule.get("groups")) {
            for (String when : List.of("nobodyMoves", "peopleMove")) {
                JsonNode measures = group.get(when);
                assertThat(group.get("error").get(when).get("value").asDouble())
                        .isCloseTo(measures.get("logLoss").asDouble(), within(1e-12));
            }
        }
        Run huber = huber("fit", "--group", "region");
        assertThat(huber.out()).contains("Huber loss", "score rises by");
    }

    /** Over the people of all groups. */
    private static double mean(JsonNode groups, String rule, String figure, String when) {
        double sum = 0;
        for (JsonNode group : groups) {
            sum += group.get("people").asDouble()
                    * group.get(rule).get(figure).get(when).get("value").asDouble();
        }
        return sum / ROWS;
    }

    @Test
    void tuneJudgesByTheLoss() {
        Run tuned = run("tune", "--gammas", "10%:60%:3", "--folds", "4", "--model", model);
        isCertified(tuned);
        assertThat(tuned.out())
                .contains("The log loss of held-out people (4 folds)")
                .doesNotContain("squared");
        isCertified(Run.stackelberg("verify", model, data));
        JsonNode json = run(
                        "tune",
                        "--gammas",
                        "0.2,2",
                        "--world-gamma",
                        "1",
                        "--ridges",
                        "0,0.1",
                        "--folds",
                        "3",
                        "--json")
                .json();
        assertThat(json.get("loss").asString()).isEqualTo("logistic");
        assertThat(json.get("curve").get(0).get("loss").asDouble()).isBetween(0.1, 2.0);
        Run other = huber("tune", "--gammas", "0.2,2", "--folds", "3");
        assertThat(other.code()).as(other.err()).isIn(0, 4);
        assertThat(other.out()).contains("The Huber loss of held-out people");
    }

    @Test
    void aHedgeCanBeCombinedWithLogisticLoss() {
        Run fitted = run("fit", "--wish", "hope", "--hedge", "5%", "-o", model);
        assertThat(fitted.code()).as(fitted.err()).isZero();
        assertThat(fitted.out()).contains("Hedged: ", "log loss up to", "Certified: globally optimal within the hedge");
        JsonNode json = run("fit", "--wish", "hope", "--hedge", "5%", "--json").json();
        assertThat(json.get("losses").get("honest").asDouble())
                .isLessThanOrEqualTo(json.get("hedge").get("bound").asDouble() * (1 + 1e-9));
        assertThat(json.get("hedge").get("boundRmse").isNull()).isTrue();
        isCertified(Run.stackelberg("verify", model, data));
        Run tune = run("tune", "--wish", "hope", "--hedge", "5%", "--gammas", "1,2", "--folds", "2");
        assertThat(tune.code()).as(tune.err()).isZero();
        assertThat(tune.out()).contains("at most 5% worse");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --truthful-share | 0.2
                    --wish-noise | 0.1
                    --effect | debt=0.5
                    --limit | data
                    --one-sided | up
                    --solver | krylov
                    """)
    void optionsThatExcludeEachOtherAreRefusedByName(String option, String value) {
        isRefused(2, run("fit", option, value), option, "logistic", "Maybe");
    }

    @Test
    void optionsOfTheLogisticLossAreRefusedUnderOthers() {
        Object[] squared = {"fit", data, "--target", "score", "--wish", "1", "--features", "income,debt"};
        for (String[] option : new String[][] {
            {"--yes", "1"},
            {"--wish-units", "logodds"},
            {"--wish-units", "probability"}
        }) {
            List<Object> words = new ArrayList<>(List.of(squared));
            words.addAll(List.of(option));
            isRefused(2, Run.stackelberg(words.toArray()), option[0], "Maybe add --loss logistic");
        }
        isRefused(2, run("fit", "--loss", "hinge"), "hinge", "huber:DELTA");
    }

    @Test
    void traceAndSolverOptionsUnderTheLogisticLossAreAnswered() {
        Path trace = folder.resolve("trace.csv");
        isCertified(run("fit", "--solver", "auto", "--trace", trace));
        assertThat(Samples.read(trace).lines().count()).isGreaterThan(2);
        Run few = run("fit", "--wish", "hope", "--max-iterations", "1", "--hedge", "none");
        assertThat(few.code()).as(few.out()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "answer", "1.5", "0-0.1"})
    void wishesThatNoScoreReachesAreRefusedWithTheirRow(String wish) {
        isRefused(3, run("fit", "--wish", wish), "row 1 (line 2)", "probability between 0 and 1");
    }

    @Test
    void wishesMayBeColumnsOrAboutTodaysProbabilities() {
        for (String wish : List.of("hope", "max(today,0.8)", "0.5+today/2")) {
            Run fitted = run("fit", "--wish", wish, "-o", model);
            assertThat(fitted.code()).as(fitted.err()).isIn(0, 4);
            Run verified = Run.stackelberg("verify", model, data);
            assertThat(verified.out()).doesNotContain("does not hold");
        }
        double odds = Math.log(9);
        double byProbability =
                run("fit", "--gamma", "1", "--json").json().get("pullThrough").asDouble();
        double byOdds = run("fit", "--gamma", "1", "--wish", odds, "--wish-units", "logodds", "--json")
                .json()
                .get("pullThrough")
                .asDouble();
        assertThat(byOdds).isCloseTo(byProbability, within(1e-9));
    }

    /** --z holds probabilities too. */
    @Test
    void arraysWishForProbabilities() {
        DenseMatrix x = DenseMatrix.zeros(ROWS, 2);
        double[] z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            x.set(i, 0, income[i]);
            x.set(i, 1, debt[i]);
            z[i] = 0.9;
        }
        NpyWriter.write(folder.resolve("x.npy"), x);
        NpyWriter.write(folder.resolve("y.npy"), answer);
        NpyWriter.write(folder.resolve("z.npy"), z);
        Object[] arrays = {
            "fit", "--x", folder.resolve("x.npy"), "--y", folder.resolve("y.npy"), "--z", folder.resolve("z.npy")
        };
        List<Object> words = new ArrayList<>(List.of(arrays));
        words.addAll(List.of("--loss", "logistic", "--gamma", "1", "--json"));
        Run fitted = Run.stackelberg(words.toArray());
        isCertified(fitted);
        JsonNode table = Run.stackelberg(
                        "fit",
                        data,
                        "--features",
                        "income,debt",
                        "--target",
                        "answer",
                        "--wish",
                        "0.9",
                        "--loss",
                        "logistic",
                        "--gamma",
                        "1",
                        "--json")
                .json();
        assertThat(fitted.json().get("objective").asDouble())
                .isCloseTo(table.get("objective").asDouble(), within(1e-7));
        z[4] = 1;
        NpyWriter.write(folder.resolve("z.npy"), z);
        isRefused(3, Run.stackelberg(words.toArray()), "row 5", "probability");
    }

    @Test
    void todaysRuleScoresLogOdds() {
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,-2\nincome,0.1\ndebt,-0.3\n");
        isCertified(run("fit", "--today", rule, "--wish", "max(today,0.7)", "-o", model));
        double[] scores = ModelFile.load(model).game().today().rule().coefficients().values().stream()
                .mapToDouble(Double::doubleValue)
                .toArray();
        assertThat(scores).contains(0.1, -0.3);
        isCertified(run("fit", "--today", model));
        Path numbers = folder.resolve("numbers.json");
        isCertified(huber("fit", "-o", numbers));
        isRefused(3, run("fit", "--today", numbers), "numbers.json", "log-odds", "--loss");
        isRefused(3, huber("fit", "--today", model), "model.json", "log-odds");
    }

    @Test
    void aNumericZeroOneTargetGetsANote() {
        Run fitted = Run.stackelberg(
                "fit", data, "--features", "income,debt", "--target", "answer", "--wish", "max(today,1)");
        assertThat(fitted.err()).contains("0 or 1 in every row", "--loss logistic");
        Run text = Run.stackelberg("fit", data, "--features", "income,debt", "--target", "repaid", "--wish", "1");
        isRefused(3, text, "must hold numbers", "--loss logistic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"repaid", "answer"})
    void describeProposesACommandThatRuns(String target) {
        Run described =
                Run.stackelberg("describe", data, "--target", target, "--features", "income,debt,region", "--json");
        isCertified(described);
        List<Object> words = new ArrayList<>();
        described.json().get("nextWords").forEach(word -> words.add(word.asString()));
        assertThat(words).contains("--loss", "logistic", "--wish", "0.9").doesNotContain("--hedge");
        isCertified(Run.stackelberg(words.toArray()));
        Run told = Run.stackelberg("describe", data, "--target", target, "--features", "income,debt,region");
        assertThat(told.out()).contains("want a yes, with a probability of 0.9", "--wish=0.1");
        Run given = Run.stackelberg("describe", data, "--target", "answer", "--wish", "hope");
        assertThat(given.out()).doesNotContain("--loss");
        assertThat(run("describe", "--wish-units", "logodds", "--wish", "1").out())
                .contains("--loss logistic", "--wish-units logodds");
    }

    /** A third text, or none, is neither a yes nor a no. */
    @Test
    void valuesThatAreNeitherYesNorNoAreRefusedWithTheirRow() {
        isCertified(run("fit", "-o", model));
        String text = Samples.read(data);
        Path third = Samples.file(folder, "third.csv", text.replaceFirst(",(yes|no),", ",perhaps,"));
        isRefused(3, Run.stackelberg("verify", model, third), "'perhaps' is neither 'yes' nor 'no'", "line 2");
        isRefused(3, Run.stackelberg("evaluate", model, third), "'perhaps' is neither 'yes' nor 'no'");
        Path gap = Samples.file(folder, "gap.csv", text.replaceFirst(",(yes|no),", ",,"));
        Object[] words = {
            "fit", gap, "--target", "repaid", "--wish", "0.9", "--features", "income,debt", "--loss", "logistic"
        };
        isRefused(3, Run.stackelberg(words), "repaid", "--missing drop");
        List<Object> dropping = new ArrayList<>(List.of(words));
        dropping.addAll(List.of("--missing", "drop"));
        isCertified(Run.stackelberg(dropping.toArray()));
    }

    @Test
    void targetsWithOneAnswerAreRefusedWithAReason() {
        StringBuilder text = new StringBuilder("a,b,c,w,one,apart\n");
        Random random = new Random(3);
        for (int i = 0; i < 40; i++) {
            double a = random.nextGaussian();
            text.append(String.format(
                    Locale.ROOT, "%.4f,%.4f,5,%d,1,%d%n", a, random.nextGaussian(), a > 0 ? 0 : 1, a > 0 ? 1 : 0));
        }
        Path odd = Samples.file(folder, "odd.csv", text.toString());
        Object[] fit = {"fit", odd, "--wish", "0.9", "--loss", "logistic", "--target"};
        isRefused(3, with(fit, "one", "--features", "a,b"), "'1' in every row", "nothing to predict");
        isRefused(3, with(fit, "apart", "--features", "a,b", "--weight", "w"), "Everybody who counts is 0");
        Run apart = with(fit, "apart", "--features", "a,b,c");
        isCertified(apart);
        assertThat(apart.out()).contains("logistic regression with ridge");
        assertThat(apart.err()).contains("no information: c");
        isRefused(3, with(fit, "apart", "--features", "a,b", "--yes", "2"), "Every row", "is a no", "--yes");
    }

    private static Run with(Object[] words, Object... more) {
        List<Object> all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return Run.stackelberg(all.toArray());
    }

    @Test
    void gammaAndEffectAcceptOrRefuseALoss() {
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,-2\nincome,0.1\ndebt,-0.3\n");
        StringBuilder moved = new StringBuilder("income,debt,answer\n");
        StringBuilder before = new StringBuilder("income,debt,answer\n");
        double wish = Math.log(9);
        for (int i = 0; i < ROWS; i++) {
            // all rows close 30% of the gap in log-odds, by income alone
            double gap = wish - (-2 + 0.1 * income[i] - 0.3 * debt[i]);
            before.append(income[i] + "," + debt[i] + "," + answer[i] + "\n");
            moved.append((income[i] + 3 * gap * 0.09 / 0.1) + "," + (debt[i] - 0.3 * gap) + "," + answer[i] + "\n");
        }
        Path first = Samples.file(folder, "before.csv", before.toString());
        Path second = Samples.file(folder, "after.csv", moved.toString());
        Object[] gamma = {"gamma", "--rule", rule, "--before", first, "--after", second, "--scale", "none"};
        Run estimated = with(gamma, "--wish", "0.9", "--loss", "logistic", "--json");
        assertThat(estimated.code()).as(estimated.err()).isIn(0, 4);
        Run odds = with(gamma, "--wish", wish, "--json");
        assertThat(estimated.json().get("gamma").asDouble())
                .isCloseTo(odds.json().get("gamma").asDouble(), within(1e-9));
        isRefused(2, with(gamma, "--wish", "0.9", "--loss", "huber:1"), "--loss huber:1", "Maybe");
        isRefused(3, with(gamma, "--wish", "1", "--loss", "logistic"), "probability between 0 and 1");
        Object[] effect = {"effect", "--rule", rule, "--before", first, "--after", second, "--target", "answer"};
        isRefused(2, with(effect, "--wish", "0.9", "--loss", "logistic"), "--loss", "Maybe");
        isCertified(run("fit", "-o", model));
        isRefused(
                2,
                Run.stackelberg("gamma", model, "--before", first, "--after", second, "--loss", "logistic"),
                "--loss");
        isRefused(3, Run.stackelberg("effect", model, "--before", data, "--after", data), "yes or no");
        isRefused(3, Run.stackelberg("export", model, data, "--as", "sdpa", "-o", folder.resolve("x")), "logistic");
    }
}
