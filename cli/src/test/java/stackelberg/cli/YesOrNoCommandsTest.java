package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.estimate.Loss;
import tools.jackson.databind.JsonNode;

/** What people read of a rule for a yes or no, and of one by Huber's loss: probabilities, and measures that are what their definitions say. */
class YesOrNoCommandsTest {
    private static final int ROWS = 160;

    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void people() {
        SplittableRandom random = new SplittableRandom(3);
        StringBuilder csv = new StringBuilder("income,debt,region,repaid,hope,amount\n");
        for (int i = 0; i < ROWS; i++) {
            double income = 30 + 12 * (random.nextDouble() + random.nextDouble() - 1);
            double debt = 5 * random.nextDouble();
            String region = random.nextBoolean() ? "north" : "south";
            double score = 0.2 * (income - 30) - 0.6 * (debt - 2.5) + (region.equals("north") ? 0.4 : 0);
            boolean repaid = random.nextDouble() < Loss.LOGISTIC.prediction(score);
            csv.append(String.format(
                    Locale.ROOT,
                    "%.3f,%.3f,%s,%s,%.3f,%.3f%n",
                    income,
                    debt,
                    region,
                    repaid ? "yes" : "no",
                    0.6 + 0.35 * random.nextDouble(),
                    3 * score + (i % 20 == 0 ? 40 : 0) + random.nextDouble()));
        }
        data = Samples.file(folder, "loans.csv", csv.toString());
    }

    private Object[] words(String command, String wish, Object... more) {
        List<Object> words = new ArrayList<>(
                List.of(command, data, "--target", "repaid", "--loss", "logistic", "--wish", wish, "--ignore"));
        words.add(wish.equals("hope") ? "amount" : "amount,hope");
        words.addAll(List.of(more));
        return words.toArray();
    }

    private Path model(String wish, Object... more) {
        Path model = folder.resolve("model.json");
        List<Object> options = new ArrayList<>(List.of("-o", model));
        options.addAll(List.of(more));
        Run run = Run.stackelberg(words("fit", wish, options.toArray()));
        // where wishes differ a rule need not be proven
        assertThat(run.code()).as(run.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
        return model;
    }

    private double[] truths() {
        return Samples.read(data)
                .lines()
                .skip(1)
                .mapToDouble(line -> line.contains(",yes,") ? 1 : 0)
                .toArray();
    }

    /** A column of what predict or respond wrote. */
    private static double[] column(String csv, String name) {
        List<String> lines = csv.lines().toList();
        int at = Arrays.asList(lines.get(0).split(",")).indexOf(name);
        assertThat(at).as(name + " in " + lines.get(0)).isNotNegative();
        return lines.stream()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",")[at]))
                .toArray();
    }

    /** The measures of probabilities by their definitions. */
    private record Measured(double logLoss, double brier, double auc, double accuracy, double predicted) {
        static Measured of(double[] p, double[] y, double cutoff) {
            double log = 0;
            double brier = 0;
            double pairs = 0;
            double all = 0;
            double right = 0;
            double predicted = 0;
            for (int i = 0; i < p.length; i++) {
                log -= Math.log(y[i] == 1 ? p[i] : 1 - p[i]) / p.length;
                brier += (p[i] - y[i]) * (p[i] - y[i]) / p.length;
                right += (p[i] >= cutoff) == (y[i] == 1) ? 1.0 / p.length : 0;
                predicted += p[i] >= cutoff ? 1.0 / p.length : 0;
                for (int j = 0; j < p.length; j++) {
                    if (y[i] == 1 && y[j] == 0) {
                        all++;
                        pairs += p[i] > p[j] ? 1 : p[i] == p[j] ? 0.5 : 0;
                    }
                }
            }
            return new Measured(log, brier, pairs / all, right, predicted);
        }

        void isIn(JsonNode node) {
            assertThat(node.get("logLoss").asDouble()).isCloseTo(logLoss, within(1e-9));
            assertThat(node.get("brier").asDouble()).isCloseTo(brier, within(1e-9));
            assertThat(node.get("auc").asDouble()).isCloseTo(auc, within(1e-9));
            assertThat(node.get("gini").asDouble()).isCloseTo(2 * auc - 1, within(1e-9));
            assertThat(node.get("accuracy").asDouble()).isCloseTo(accuracy, within(1e-9));
            assertThat(node.get("predictedYes").asDouble()).isCloseTo(predicted, within(1e-9));
        }
    }

    @Test
    void predictionsAreProbabilitiesAndScoresTheirLogOdds() {
        Path model = model("hope");
        Run run = Run.stackelberg("predict", model, data);
        double[] p = column(run.out(), "prediction");
        double[] score = column(run.out(), "score");
        double[] wish = column(run.out(), "wish");
        double[] after = column(run.out(), "after_response");
        double[] afterScore = column(run.out(), "after_score");
        JsonNode json = Run.stackelberg("predict", model, data, "--json").json();
        double t = json.get("pullThrough").asDouble();
        double[] hope = column(Samples.read(data).replaceAll("(north|south),(yes|no)", "0,0"), "hope");
        for (int i = 0; i < ROWS; i++) {
            assertThat(p[i])
                    .isCloseTo(1 / (1 + Math.exp(-score[i])), within(1e-15))
                    .isBetween(0.0, 1.0);
            assertThat(wish[i]).isEqualTo(hope[i]);
            assertThat(after[i]).isCloseTo(1 / (1 + Math.exp(-afterScore[i])), within(1e-15));
            double wished = Math.log(hope[i] / (1 - hope[i]));
            assertThat(afterScore[i]).isCloseTo((1 - t) * score[i] + t * wished, within(1e-9));
            JsonNode row = json.get("predictions").get(i);
            assertThat(row.get("prediction").asDouble()).isEqualTo(p[i]);
            assertThat(row.get("score").asDouble()).isEqualTo(score[i]);
            assertThat(row.get("wish").asDouble()).isEqualTo(wish[i]);
            assertThat(row.get("afterResponse").asDouble()).isEqualTo(after[i]);
            assertThat(row.get("afterScore").asDouble()).isEqualTo(afterScore[i]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9", "hope"})
    void evaluateMeasuresTheProbabilitiesThatPredictPrints(String wish) {
        Path model = model(wish);
        String csv = Run.stackelberg("predict", model, data).out();
        Run run = Run.stackelberg("evaluate", model, data, "--cutoff", "0.6", "--json");
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode rule = run.json().get("rules").get(0);
        Measured.of(column(csv, "prediction"), truths(), 0.6).isIn(rule.get("nobodyMoves"));
        Measured.of(column(csv, "after_response"), truths(), 0.6).isIn(rule.get("peopleMove"));
        assertThat(run.json().get("cutoff").asDouble()).isEqualTo(0.6);
        assertThat(run.json().get("rules").get(1).get("rule").asString()).isEqualTo("today's rule");
        assertThat(rule.get("nobodyMoves").has("rmse")).isFalse();
        int people = 0;
        for (JsonNode tenth : rule.get("peopleMove").get("calibration")) {
            people += tenth.get("people").asInt();
        }
        assertThat(people).isEqualTo(ROWS);

        String text =
                Run.stackelberg("evaluate", model, data, "--group", "region").out();
        assertThat(text)
                .contains("log loss", "AUC", "accuracy", "Gini", "KS", "Brier", "tenth 10", "by region")
                .contains("Log loss after the move, if the assumptions are wrong")
                .doesNotContain("RMSE")
                .doesNotContain("R2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.9", "hope", "max(today,0.8)"})
    void everyFigureThatFitPrintsIsInItsJson(String wish) {
        Run text = Run.stackelberg(words("fit", wish, "--cutoff", "0.4"));
        Run json = Run.stackelberg(words("fit", wish, "--cutoff", "0.4", "--json"));

        assertThat(FiguresTest.figuresKnown(text, json, wish)).isGreaterThan(30);
        assertThat(text.out())
                .contains("cut-off 0.4", "AUC", "accuracy", "log loss", "of the people are a yes")
                .doesNotContain("RMSE")
                .doesNotContain("least squares");
        JsonNode answers = json.json().get("yesOrNo");
        Run evaluated = Run.stackelberg("evaluate", model(wish), data, "--cutoff", "0.4", "--json");
        for (int k = 0; k < 2; k++) {
            JsonNode own = answers.get(k == 0 ? "rule" : "today");
            JsonNode judged = evaluated.json().get("rules").get(k);
            for (String when : List.of("nobodyMoves", "peopleMove")) {
                assertThat(own.get(when).get("auc").asDouble())
                        .isCloseTo(judged.get(when).get("auc").asDouble(), within(1e-9));
                assertThat(own.get(when).get("logLoss").asDouble())
                        .isCloseTo(judged.get(when).get("logLoss").asDouble(), within(1e-9));
            }
        }
        assertThat(answers.get("rule").get("peopleMove").get("logLoss").asDouble() * ROWS)
                .isCloseTo(json.json().get("losses").get("anticipated").asDouble(), within(1e-6));
    }

    @Test
    void respondCountsRowsPredictedYesOnlyBecauseOfMoves() {
        Path model = model("0.9");
        Path moves = folder.resolve("moves.csv");
        Run run = Run.stackelberg("respond", model, data, "--cutoff", "0.7", "--group", "region", "-o", moves);
        assertThat(run.code()).as(run.err()).isZero();
        String csv = Samples.read(moves);
        double[] before = column(csv, "prediction");
        double[] after = column(csv, "after_response");
        double[] predicted = column(csv, "repaid = yes");
        double[] later = column(csv, "repaid = yes after");
        int only = 0;
        for (int i = 0; i < ROWS; i++) {
            assertThat(predicted[i]).isEqualTo(before[i] >= 0.7 ? 1 : 0);
            assertThat(later[i]).isEqualTo(after[i] >= 0.7 ? 1 : 0);
            only += before[i] < 0.7 && after[i] >= 0.7 ? 1 : 0;
        }
        assertThat(column(csv, "wish")).containsOnly(0.9);
        JsonNode json = Run.stackelberg("respond", model, data, "--cutoff", "0.7", "--group", "region", "--json")
                .json();
        assertThat(only).isPositive();
        assertThat(json.get("predictedYesOnlyAfterMoving").asInt()).isEqualTo(only);
        assertThat(json.get("predictedYesBefore").asInt())
                .isEqualTo((int) Arrays.stream(predicted).sum());
        assertThat(json.get("predictedYesAfter").asInt())
                .isEqualTo((int) Arrays.stream(later).sum());
        assertThat(json.get("meanWish").asDouble()).isCloseTo(0.9, within(1e-12));
        assertThat(json.get("meanPrediction").asDouble())
                .isCloseTo(Arrays.stream(before).average().orElseThrow(), within(1e-12));
        assertThat(json.get("groups").get(0).get("predictedYesOnlyAfterMoving").asInt()
                        + json.get("groups")
                                .get(1)
                                .get("predictedYesOnlyAfterMoving")
                                .asInt())
                .isEqualTo(only);
        assertThat(run.out()).contains("At the cut-off 0.7, ").contains(only + " only because they move");
    }

    @Test
    void predictionsOfDenialAreNotPrintedAsApproval() {
        Path denied = Samples.file(folder, "denied.csv", Samples.read(data).replaceFirst("repaid", "deny"));
        Path model = folder.resolve("denied.json");
        Path moves = folder.resolve("moves.csv");
        Path page = folder.resolve("denied.html");
        Run fit = Run.stackelberg(
                "fit",
                denied,
                "--target",
                "deny",
                "--loss",
                "logistic",
                "--wish",
                "0.1",
                "--ignore",
                "amount,hope",
                "-o",
                model,
                "--report",
                page,
                "--json");

        Run respond = Run.stackelberg("respond", model, denied, "-o", moves);
        Run json = Run.stackelberg("respond", model, denied, "--json");
        Run evaluate = Run.stackelberg("evaluate", model, denied);

        assertThat(respond.out()).contains(" people are predicted deny = yes before the move and ");
        assertThat(json.json().get("event").asString()).isEqualTo("deny = yes");
        assertThat(fit.json().at("/yesOrNo/event").asString()).isEqualTo("deny = yes");
        assertThat(Samples.read(moves)).startsWith("row,prediction,").contains(",deny = yes,deny = yes after");
        assertThat(evaluate.out()).containsPattern("Brier +deny = yes");
        assertThat(List.of(
                        fit.out(), respond.out(), json.out(), evaluate.out(), Samples.read(moves), Samples.read(page)))
                .noneMatch(text -> text.toLowerCase(Locale.ROOT).contains("approv"));
    }

    @Test
    void rulesForAYesOrNoAreComparedWithLogisticRegression() {
        Object[] words = words("compare", "0.9", "--test", data, "--bootstrap", "60", "--json");
        Run run = Run.stackelberg(words);
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode json = run.json();
        JsonNode rules = json.get("rules");
        assertThat(IntStream.range(0, rules.size())
                        .mapToObj(k -> rules.get(k).get("rule").asString()))
                .containsExactly("logistic regression", "ridge logistic regression", "Stackelberg", "hedged");
        JsonNode evaluated = Run.stackelberg("evaluate", model("0.9", "--hedge", "none"), data, "--json")
                .json()
                .get("rules");
        for (String when : List.of("nobodyMoves", "peopleMove")) {
            for (String measure : List.of("logLoss", "auc", "accuracy")) {
                assertThat(rules.get(0).get(when).get(measure).asDouble())
                        .isCloseTo(evaluated.get(1).get(when).get(measure).asDouble(), within(1e-9));
                assertThat(rules.get(2).get(when).get(measure).asDouble())
                        .isCloseTo(evaluated.get(0).get(when).get(measure).asDouble(), within(1e-7));
            }
            for (String measure : List.of("LogLoss", "Auc", "Accuracy")) {
                for (JsonNode rule : rules) {
                    JsonNode ends = rule.get(when + measure + "Interval");
                    String key = measure.substring(0, 1).toLowerCase(Locale.ROOT) + measure.substring(1);
                    assertThat(rule.get(when).get(key).asDouble())
                            .isBetween(ends.get(0).asDouble(), ends.get(1).asDouble());
                }
            }
        }
        assertThat(json.get("saving").get("share").asDouble())
                .isCloseTo(
                        1
                                - rules.get(2).get("peopleMove").get("logLoss").asDouble()
                                        / rules.get(0)
                                                .get("peopleMove")
                                                .get("logLoss")
                                                .asDouble(),
                        within(1e-12));
        String text = Run.stackelberg(words("compare", "0.9", "--bootstrap", "40", "--group", "region"))
                .out();
        assertThat(text)
                .contains(
                        "AUC [95% interval]",
                        "accuracy at 0.5 [95% interval]", "Logistic regression promises a log loss")
                .contains("log loss after the move, by region")
                .doesNotContain("RMSE")
                .doesNotContain("Least squares");
    }

    @Test
    void aRuleInAFileIsJudgedByItsLogOdds() {
        Path rule = Samples.file(folder, "card.csv", "term,coefficient\nintercept,-6\nincome,0.2\n");
        JsonNode json = Run.stackelberg(
                        "evaluate",
                        "--rule",
                        rule,
                        data,
                        "--target",
                        "repaid",
                        "--loss",
                        "logistic",
                        "--wish",
                        "0.9",
                        "--json")
                .json();
        double[] income = column(Samples.read(data).replaceAll("(north|south),(yes|no)", "0,0"), "income");
        double[] p =
                Arrays.stream(income).map(x -> 1 / (1 + Math.exp(6 - 0.2 * x))).toArray();
        Measured.of(p, truths(), 0.5).isIn(json.get("rules").get(0).get("nobodyMoves"));
    }

    @Test
    void aCutOffWithoutAYesOrNoTargetIsRefused() {
        Path model = model("0.9");
        Object[] squared = {
            "fit", data, "--target", "amount", "--wish", "max(y,3)", "--cutoff", "0.4", "--ignore", "hope"
        };
        assertThat(Run.stackelberg(squared).code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg(squared).err()).contains("--cutoff is for targets that are yes or no");
        for (String command : List.of("evaluate", "respond")) {
            Run run = Run.stackelberg(command, model, data, "--cutoff", "1");
            assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains("The cut-off is 1.0");
        }
        Run twice = Run.stackelberg("evaluate", model, data, "--loss", "logistic");
        assertThat(twice.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(twice.err()).contains("--loss: the game is declared in the model");
    }

    @Test
    void errorsUnderHubersLossAreItsMean() {
        Path model = folder.resolve("huber.json");
        Object[] fit = {"fit", data, "--target", "amount", "--loss", "huber:1.5", "--wish", "max(today,4)", "--ignore"};
        List<Object> words = new ArrayList<>(List.of(fit));
        words.addAll(List.of("repaid,hope", "-o", model));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.out()).contains("Huber loss").doesNotContain("RMSE").doesNotContain("least squares");
        String csv = Run.stackelberg("predict", model, data).out();
        double[] amount = column(Samples.read(data).replaceAll("(north|south),(yes|no)", "0,0"), "amount");
        JsonNode judged = Run.stackelberg("evaluate", model, data, "--json").json();
        for (String when : List.of("nobodyMoves", "peopleMove")) {
            double[] p = column(csv, when.equals("nobodyMoves") ? "prediction" : "after_response");
            double lost = 0;
            double squares = 0;
            for (int i = 0; i < ROWS; i++) {
                double off = Math.abs(p[i] - amount[i]);
                lost += (off <= 1.5 ? off * off : 1.5 * (2 * off - 1.5)) / ROWS;
                squares += off * off / ROWS;
            }
            JsonNode score = judged.get("rules").get(0).get(when);
            assertThat(score.get("loss").asDouble()).isCloseTo(lost, within(1e-9));
            assertThat(score.get("rmse").asDouble()).isCloseTo(Math.sqrt(squares), within(1e-9));
        }
        assertThat(csv.lines().findFirst().orElseThrow()).doesNotContain("score");
        words.set(0, "compare");
        words = words.subList(0, 10);
        words.addAll(List.of("--bootstrap", "40", "--json"));
        JsonNode rules = Run.stackelberg(words.toArray()).json().get("rules");
        assertThat(rules.get(0).get("rule").asString()).startsWith("regression by the loss huber:1.5");
        assertThat(rules.get(1).get("rule").asString()).isEqualTo("ridge regression by the loss huber:1.5");
        assertThat(rules.get(2).get("peopleMoveLossInterval").size()).isEqualTo(2);
    }

    @Test
    void aTargetDefinedByAComparisonIsFittedAndEvaluated() {
        Path wine = RealData.file("wine.csv");
        Path model = folder.resolve("wine.json");
        Object[] fit = {
            "fit",
            wine,
            "--target",
            "quality",
            "--loss",
            "logistic",
            "--yes",
            ">=6",
            "--wish",
            "0.9",
            "--hedge",
            "none",
            "-o",
            model
        };
        Run run = Run.stackelberg(fit);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("log-odds of quality (a yes is >=6)").contains("53% of the people are a yes");
        Run judged = Run.stackelberg("evaluate", model, wine, "--json");
        JsonNode rule = judged.json().get("rules").get(0);
        JsonNode today = judged.json().get("rules").get(1);
        assertThat(rule.get("peopleMove").get("logLoss").asDouble())
                .isLessThan(today.get("peopleMove").get("logLoss").asDouble());
        // one wish for all keeps people in their order, and the best rule is calibrated where people end
        assertThat(rule.get("peopleMove").get("auc").asDouble())
                .isCloseTo(rule.get("nobodyMoves").get("auc").asDouble(), within(1e-9));
        assertThat(rule.get("peopleMove").get("meanProbability").asDouble())
                .isCloseTo(rule.get("peopleMove").get("shareOfYes").asDouble(), within(1e-6));
        assertThatCode(() -> Run.stackelberg("respond", model, wine, "--json").json())
                .doesNotThrowAnyException();
    }
}
