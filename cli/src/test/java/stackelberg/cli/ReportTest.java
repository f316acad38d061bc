package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.answer.Numbers;
import stackelberg.cli.report.ReportPage;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The numbers of a report are those that the commands print. */
class ReportTest {
    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"report-data\">(.*?)</script>", Pattern.DOTALL);
    private static final double WISH_NOISE = 0.4;

    @TempDir
    Path folder;

    private Path data;
    private Path page;

    /** A game with everything: weights, costs, an immutable column, noisy wishes. */
    @BeforeEach
    void sample() {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder("a,b,c,kind,y,hope,counts\n");
        for (int i = 0; i < 80; i++) {
            double a = random.nextGaussian();
            double b = 3 * random.nextDouble();
            double c = 10 * random.nextGaussian();
            double y = 2 * a - b + 0.2 * c + (i % 3 == 0 ? 1 : 0) + 0.5 * random.nextGaussian();
            text.append(String.format(
                    Locale.ROOT,
                    "%.4f,%.4f,%.4f,%s,%.4f,%.4f,%d%n",
                    a,
                    b,
                    c,
                    i % 3 == 0 ? "red" : "blue",
                    y,
                    y + 4 * random.nextDouble(),
                    1 + i % 4));
        }
        data = Samples.file(folder, "everything.csv", text.toString());
        page = folder.resolve("report.html");
    }

    @Test
    void everyPointEqualsThePathAtItsGamma() {
        Run run = run("path", "--gammas", "log:0.01:100:5", "--json", "--report", page);
        JsonNode path = run.json().get("path");
        JsonNode points = report().get("path").get("points");

        assertThat(points).hasSize(5);
        for (int k = 0; k < 5; k++) {
            JsonNode expected = path.get(k);
            JsonNode point = points.get(k);
            for (String key : new String[] {
                "gamma", "optimum/objective", "optimum/gapBound", "pullThrough", "rule/intercept", "optimum/certified"
            }) {
                assertThat(point.at("/" + key)).as(key).isEqualTo(expected.get(key.substring(key.indexOf('/') + 1)));
            }
            int j = 0;
            for (JsonNode feature : report().at("/path/features")) {
                assertThat(point.at("/rule/coefficients").get(j++))
                        .isEqualTo(expected.get("coefficients")
                                .get(feature.get("name").asString()));
            }
        }
    }

    @Test
    void theQuadraticIsTheObjectiveAtTheRulesOwnGamma() {
        run("fit", "--hedge", "none", "--report", page);
        JsonNode report = report();

        assertThat(report.get("path").get("points")).hasSize(61);
        assertThat(report.at("/path/selected").asInt()).isEqualTo(30);
        for (JsonNode point : report.get("path").get("points")) {
            double objective = point.at("/optimum/objective").asDouble();
            double gamma = point.get("gamma").asDouble();
            double a = point.at("/losses/stretch").asDouble();
            assertThat(a / (a + gamma)).isCloseTo(point.get("pullThrough").asDouble(), within(1e-12));
            assertThat(point.get("expected").asDouble())
                    .isCloseTo(Math.sqrt(objective / 200), within(1e-12 * objective));
            assertThat(loss(report, point.get("losses"), gamma)).isCloseTo(objective, within(1e-12 * objective));
        }
    }

    @Test
    void theQuadraticIsTheLossInEveryWorld() {
        Path model = folder.resolve("model.json");
        run("fit", "-o", model, "--report", page);
        JsonNode report = report();
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());
        double weight = report.at("/people/weight").asDouble();

        for (double world : new double[] {0.05, 2, 300}) {
            JsonNode rule = Run.stackelberg("evaluate", model, data, "--gamma", world, "--json")
                    .json()
                    .get("rules")
                    .get(0);
            double expected = rule.get("peopleMove").get("rmse").asDouble();
            assertThat(Math.sqrt(loss(report, point.get("losses"), world) / weight))
                    .isCloseTo(expected, within(1e-12 * expected));
        }
        assertThat(weight).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"immutable", "manipulable", "none"})
    void theModelIsComparedWithLeastSquares(String intercept) {
        Path model = folder.resolve("model.json");
        run("fit", "--gamma", 0.7, "--intercept", intercept, "--cost-units", "raw", "-o", model, "--report", page);
        JsonNode losses = Run.stackelberg("summary", model, "--json").json().get("losses");
        JsonNode report = report();

        double naive = losses.get("naive").asDouble();
        double attacked = losses.get("naiveAttacked").asDouble();
        assertThat(report.at("/path/leastSquares/losses").get("A").asDouble()).isCloseTo(naive, within(1e-10 * naive));
        assertThat(loss(report, report.at("/path/leastSquares/losses"), 0.7))
                .isCloseTo(attacked, within(1e-10 * attacked));
        assertThat(report.at("/path/leastSquares/honest").asDouble())
                .isCloseTo(Math.sqrt(naive / report.at("/people/weight").asDouble()), within(1e-10));
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());
        double objective = point.at("/optimum/objective").asDouble();
        assertThat(loss(report, point.get("losses"), 0.7)).isCloseTo(objective, within(1e-9 * objective));
    }

    @Test
    void movesEqualThoseThatRespondPrints() {
        Path model = folder.resolve("model.json");
        run("fit", "-o", model, "-q");
        JsonNode respond = Run.stackelberg(
                        "respond", model, data, "--gamma", 0.3, "--group", "kind", "--json", "--report", page)
                .json();
        JsonNode report = report();
        JsonNode point = report.get("path").get("points").get(0);

        double a = point.at("/losses/stretch").asDouble();
        double t = a / (a + 0.3);
        assertThat(t).isCloseTo(respond.get("pullThrough").asDouble(), within(1e-12));
        assertThat(report.at("/game/worldGamma").asDouble()).isEqualTo(0.3);
        // respond counts each person once; with weights the mean gap is another, so the shares are compared
        double firstShare = respond.get("features").get(0).get("meanScaledMove").asDouble();
        for (int j = 0; j < report.at("/path/features").size(); j++) {
            double expected = j < respond.get("features").size()
                    ? respond.get("features").get(j).get("meanScaledMove").asDouble() / firstShare
                    : 0;
            double moves = point.at("/reaction/moves").get(j).asDouble()
                    / point.at("/reaction/moves").get(0).asDouble();
            assertThat(moves).isCloseTo(expected, within(1e-5));
        }
        JsonNode furthest = report.at("/people/furthest");
        assertThat(furthest).hasSize(10);
        for (int k = 0; k < 5; k++) {
            JsonNode expected = respond.get("furthest").get(k);
            JsonNode person = furthest.get(k);
            assertThat(person.get("label").asString())
                    .isEqualTo("row " + expected.get("row").asInt());
            assertThat(person.get("after").asDouble())
                    .isCloseTo(expected.get("afterResponse").asDouble(), within(1e-10));
            for (JsonNode move : person.get("moves")) {
                double moved = move.get("to").asDouble() - move.get("from").asDouble();
                double size = expected.get("moves")
                        .get(move.get("feature").asString())
                        .asDouble();
                assertThat(moved)
                        .isCloseTo(
                                size,
                                within(1e-4 * (1 + Math.abs(move.get("from").asDouble()))));
            }
        }
        for (int g = 0; g < 2; g++) {
            JsonNode expected = respond.get("groups").get(g);
            JsonNode row = report.at("/people/groups").get("rows").get(g);
            assertThat(row.get("group")).isEqualTo(expected.get("group"));
            assertThat(row.get("meanAfter").asDouble())
                    .isCloseTo(expected.get("meanAfterResponse").asDouble(), within(1e-10));
        }
    }

    @Test
    void meanMovesEqualThoseOfRespondWithoutWeights() {
        Path csv = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Run.stackelberg(
                "fit", csv, "--target", "y", "--wish", "hope", "--cost", "b=3", "-o", model, "-q", "--report", page);
        JsonNode respond = Run.stackelberg("respond", model, csv, "--json").json();
        JsonNode report = report();
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());

        double reach = point.get("pullThrough").asDouble()
                * point.at("/reaction/meanWish").asDouble();
        for (int j = 0; j < respond.get("features").size(); j++) {
            double expected =
                    respond.get("features").get(j).get("meanScaledMove").asDouble();
            assertThat(reach * point.at("/reaction/moves").get(j).asDouble())
                    .isCloseTo(expected, within(1e-5 * expected));
        }
    }

    @Test
    void sampledPeopleHaveThePredictionsOfPredict() {
        Path model = folder.resolve("model.json");
        run("fit", "-o", model, "-q", "--report", page);
        String[] lines =
                Run.stackelberg("predict", model, data).out().lines().skip(1).toArray(String[]::new);
        JsonNode report = report();
        JsonNode people = report.at("/people/sample");
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());

        assertThat(people.get("sampled").asInt()).isEqualTo(80);
        for (int i = 0; i < 80; i++) {
            double expected = Double.parseDouble(lines[i].split(",")[1]);
            assertThat(people.get("label").get(i).asString()).isEqualTo("row " + (i + 1));
            assertThat(point.at("/reaction/predictions").get(i).asDouble())
                    .isCloseTo(expected, within(1e-5 * (1 + Math.abs(expected))));
        }
    }

    @Test
    void arraysGiveTheReportOfTheTable() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "--wish-noise", 1, "--hedge", "none", "--report", page);
        JsonNode arrays = report();
        Path csv = Samples.file(folder, "game.csv", game.csv());
        Run.stackelberg(
                "fit", csv, "--target", "y", "--wish", "z", "--wish-noise", 1, "--hedge", "none", "--report", page);
        JsonNode table = report();

        for (int k = 0; k < 61; k += 10) {
            JsonNode expected = table.get("path").get("points").get(k);
            JsonNode point = arrays.get("path").get("points").get(k);
            for (String key : new String[] {"/losses/stretch", "/losses/A", "/losses/E", "/reaction/meanWish"}) {
                double value = expected.at(key).asDouble();
                assertThat(point.at(key).asDouble()).as(key).isCloseTo(value, within(1e-6 * Math.abs(value)));
            }
        }
        assertThat(arrays.at("/people/furthest").get(0).get("label"))
                .isEqualTo(table.at("/people/furthest").get(0).get("label"));
    }

    @Test
    void aReportOfATuningShowsItsCurve() {
        JsonNode tune = run("tune", "--world-gamma", 2, "--gammas", "log:0.1:10:7", "--json", "--report", page)
                .json();
        JsonNode report = report();
        JsonNode curve = report.at("/judged/tuning");

        assertThat(report.at("/game/worldGamma").asDouble()).isEqualTo(2);
        assertThat(report.at("/game/gamma")).isEqualTo(tune.get("gamma"));
        assertThat(report.get("path").get("points")).hasSize(7);
        assertThat(curve.get("kind").asString()).isEqualTo("curve");
        for (int k = 0; k < 7; k++) {
            assertThat(curve.get("mean").get(k))
                    .isEqualTo(tune.get("curve").get(k).get("loss"));
        }
        assertThat(curve.get("gammas").get(curve.get("oneStandardError").asInt()))
                .isEqualTo(tune.get("gamma"));
    }

    @Test
    void aTuningWithoutAWorldGammaShowsTheRegretMap() {
        JsonNode tune = run("tune", "--gammas", "log:0.1:10:5", "--world-gammas", "1,3", "--json", "--report", page)
                .json();
        JsonNode regret = report().at("/judged/tuning");

        assertThat(regret.get("kind").asString()).isEqualTo("regret");
        assertThat(regret.get("worldGammas")).hasSize(2);
        for (int k = 0; k < 5; k++) {
            for (int world = 0; world < 2; world++) {
                double expected =
                        tune.get("table").get(k).get("regret").get(world).asDouble();
                assertThat(regret.get("regret").get(k).get(world).asDouble())
                        .isCloseTo(expected, within(1e-5 * expected));
            }
        }
        assertThat(regret.get("modelGammas").get(regret.get("chosen").asInt())).isEqualTo(tune.get("gamma"));
    }

    @Test
    void tuningSentencesAndChartUseTheSameWorldGamma() {
        run("tune", "--world-gamma", 2, "--gammas", "0.05,0.1", "--report", page);
        JsonNode report = report();
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());
        double weight = report.at("/people/weight").asDouble();
        double stretch = point.at("/losses/stretch").asDouble();
        String answer = report.at("/heading/answer").toString();

        assertThat(report.at("/game/gamma").asDouble()).isLessThan(2);
        assertThat(answer).contains("people close " + Numbers.percent(stretch / (stretch + 2)) + " of the gap");
        assertThat(answer)
                .contains("Once people move, its error is "
                        + Numbers.number(Math.sqrt(loss(report, point.get("losses"), 2) / weight))
                        + " and that of today's rule "
                        + Numbers.number(Math.sqrt(loss(report, report.at("/path/leastSquares/losses"), 2) / weight)))
                .contains("If nobody moves, its error is "
                        + Numbers.number(Math.sqrt(point.at("/losses/A").asDouble() / weight))
                        + " and that of today's rule "
                        + Numbers.number(report.at("/path/leastSquares/honest").asDouble()));
    }

    @Test
    void aTuningWithoutAModelFileShowsTheWarningsOfTheChosenRule() {
        data = Samples.file(folder, "constant.csv", withConstant());
        run("tune", "--gammas", "0.5,1", "--model", folder.resolve("model.json"), "--report", page);
        JsonNode expected = report().at("/heading/warnings");
        run("tune", "--gammas", "0.5,1", "--report", page);

        assertThat(report().at("/heading/warnings")).isEqualTo(expected);
        assertThat(expected.toString()).contains("same value in all rows");
    }

    @Test
    void aLargeMapOfRegretsIsThinnedAroundTheChoice() throws Exception {
        JsonNode tune = run("tune", "--folds", 2, "--gammas", "log:0.01:100:400", "--json", "--report", page)
                .json();
        JsonNode regret = report().at("/judged/tuning");

        assertThat(Files.size(page)).isLessThan(3_000_000);
        assertThat(regret.get("modelGammas").size()).isBetween(100, 120);
        assertThat(regret.get("worldGammas").size()).isBetween(100, 120);
        int chosen = regret.get("chosen").asInt();
        assertThat(regret.get("modelGammas").get(chosen)).isEqualTo(tune.get("gamma"));
        double worst = 0;
        for (JsonNode cell : regret.get("regret").get(chosen)) {
            worst = Math.max(worst, cell.asDouble());
        }
        assertThat(worst).isCloseTo(regret.get("worstRegret").get(chosen).asDouble(), within(1e-5 * worst));
        assertThat(report().at("/heading/warnings").toString())
                .contains("Of 400 rules")
                .contains("Of 400 worlds");
    }

    @Test
    void aLongTuningCurveKeepsItsMarks() {
        JsonNode tune = run(
                        "tune",
                        "--folds",
                        2,
                        "--world-gamma",
                        2,
                        "--gammas",
                        "log:0.1:10:1500",
                        "--hedge",
                        "none",
                        "--json",
                        "--report",
                        page)
                .json();
        JsonNode curve = report().at("/judged/tuning");

        assertThat(curve.get("mean").size()).isBetween(390, 400);
        for (String mark : new String[] {"minimum", "oneStandardError"}) {
            int index = curve.get(mark).asInt();
            assertThat(curve.get("gammas").get(index)).isEqualTo(tune.get(mark).get("gamma"));
            assertThat(curve.get("mean").get(index)).isEqualTo(tune.get(mark).get("loss"));
        }
        assertThat(report().at("/heading/warnings").toString()).contains("Of 1500 gammas the curve has");
    }

    @Test
    void theResponsePageDoesNotShowTheTrainingError() {
        Path model = folder.resolve("model.json");
        run("fit", "--gamma", "1", "-o", model, "-q");
        String some = Samples.read(data).lines().limit(21).collect(Collectors.joining("\n"));
        Path few = Samples.file(folder, "few.csv", some);
        Run.stackelberg("respond", model, few, "--report", page);
        JsonNode report = report();
        JsonNode point = report.get("path").get("points").get(0);
        double rmse = Run.stackelberg("evaluate", model, few, "--json")
                .json()
                .get("rules")
                .get(0)
                .get("peopleMove")
                .get("rmse")
                .asDouble();

        assertThat(report.at("/people/rows").asInt()).isEqualTo(20);
        assertThat(point.get("expected").isNull()).isTrue();
        double shown = loss(report, point.get("losses"), 1)
                / report.at("/people/weight").asDouble();
        assertThat(Math.sqrt(shown)).isCloseTo(rmse, within(1e-10));
    }

    @Test
    void gammasPerRowAreNamedByTheirColumn() {
        Run run = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "hope", "--row-gamma", "counts", "--json", "--report", page);
        JsonNode report = report();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report.at("/game/mixture").get("rowGamma").asString()).isEqualTo("counts");
        assertThat(report.get("path").get("points")).hasSize(1);
        assertThat(report.at("/heading/answer").toString())
                .contains(Numbers.percent(run.json().get("pullThrough").asDouble()) + " of the gap")
                .contains("on average");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mean", "drop"})
    void theReportUsesThePeopleOfTheFit(String missing) {
        String[] lines = Samples.read(data).lines().toArray(String[]::new);
        for (int i = 5; i < 10; i++) {
            lines[i] = lines[i].substring(lines[i].indexOf(','));
        }
        data = Samples.file(folder, "missing.csv", String.join("\n", lines));
        Run run = run("fit", "--gamma", "1", "--missing", missing, "--json", "--report", page);
        JsonNode report = report();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report.at("/people/rows").asInt()).isEqualTo(missing.equals("mean") ? 80 : 75);
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());
        double objective = run.json().get("objective").asDouble();
        assertThat(loss(report, point.get("losses"), 1)).isCloseTo(objective, within(1e-10 * objective));
    }

    @Test
    void aConstantColumnIsShownWithoutMoves() {
        data = Samples.file(folder, "constant.csv", withConstant());
        Run run = run("fit", "--gamma", "1", "--features", "same,a,b,c,kind", "--json", "--report", page);
        JsonNode report = report();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report.at("/heading/warnings").toString()).contains("same value in all rows");
        assertThat(report.at("/path/features").findValuesAsString("name")).contains("same");
        JsonNode point =
                report.get("path").get("points").get(report.at("/path/selected").asInt());
        double objective = run.json().get("objective").asDouble();
        assertThat(loss(report, point.get("losses"), 1)).isCloseTo(objective, within(1e-10 * objective));
        for (int j = 0; j < report.at("/path/features").size(); j++) {
            if (report.at("/path/features").get(j).get("name").asString().equals("same")) {
                assertThat(point.at("/reaction/moves").get(j).asDouble()).isZero();
            }
        }
    }

    private String withConstant() {
        return Samples.read(data)
                .lines()
                .map(line -> (line.startsWith("a,") ? "same," : "7,") + line + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void aPathOfOneGammaHasAPage() {
        run("path", "--gammas", "0.5", "--report", page);

        assertThat(report().get("path").get("points")).hasSize(1);
        assertThat(report().at("/game/gamma").asDouble()).isEqualTo(0.5);
    }

    @Test
    void aTraceIsNotOverwrittenByTheReport() throws Exception {
        Path alias = Files.createSymbolicLink(folder.resolve("alias"), folder);

        for (Path other : new Path[] {page, alias.resolve("report.html")}) {
            for (String command : new String[] {"fit", "path", "compare"}) {
                Run run = run(command, "--trace", other, "--report", page);
                assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
                assertThat(run.err()).contains("two outputs");
            }
            assertThat(run("fit", "-o", other, "--report", page).err()).contains("two outputs");
        }
        assertThat(run("fit", "--trace", data).err()).contains("is an input and would be overwritten");
        assertThat(page).doesNotExist();
    }

    @Test
    void aReportThatCannotBeWrittenIsRefusedBeforeTheWork() {
        Path model = folder.resolve("model.json");
        for (Path impossible : new Path[] {folder, folder.resolve("nowhere").resolve("report.html")}) {
            Run run = run("fit", "-o", model, "--report", impossible);
            assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains("--report").contains("Maybe");
            assertThat(run.out()).isEmpty();
        }
        assertThat(model).doesNotExist();
    }

    @Test
    void onlyAFitHasAWhatIfTable() {
        Run fit = run("fit", "--json", "--report", page);
        String section = whatIf();

        JsonNode printed = fit.json().get("whatIf");
        assertThat(section)
                .contains(", on " + fit.json().get("whatIfOn").asString() + ":")
                .contains(">weighted RMSE</th>")
                .contains("<p>Noisier: ");
        assertThat(section.split("<tr>")).hasSize(2 + 5);
        for (int k = 0; k < 5; k++) {
            assertThat(section.split("<tr>")[2 + k])
                    .contains(">" + Numbers.number(printed.get(k).get("rmse").asDouble()) + "</td>")
                    .contains(
                            ">" + Numbers.number(printed.get(k).get("todayRmse").asDouble()) + "</td>");
        }
        run("path", "--gammas", "0.5,1,2", "--report", page);
        assertThat(whatIf()).contains("hidden>").doesNotContain("<table>");
    }

    /** The section of the page, as it is. */
    private String whatIf() {
        String html = Samples.read(page);
        int from = html.indexOf("id=\"whatif-section\"");
        return html.substring(from, html.indexOf("<details id=\"hood\"", from));
    }

    @Test
    void aReportOfAComparisonShowsItsRules() {
        JsonNode compare =
                run("compare", "--bootstrap", 20, "--json", "--report", page).json();
        JsonNode report = report();

        assertThat(report.at("/people/rows").asInt())
                .isEqualTo(compare.get("trainingPeople").asInt());
        String html = Samples.read(page);
        String section = html.substring(html.indexOf("id=\"comparison\""), html.indexOf("id=\"answers-section\""));
        String[] rows = section.substring(section.indexOf("<tbody>"), section.indexOf("</tbody>"))
                .split("<tr>");
        assertThat(rows).hasSize(1 + 4);
        for (int k = 0; k < 4; k++) {
            JsonNode expected = compare.get("rules").get(k);
            assertThat(rows[1 + k])
                    .contains(">"
                            + Numbers.number(expected.at("/nobodyMoves/rmse").asDouble()) + " [")
                    .contains(
                            ">" + Numbers.number(expected.at("/peopleMove/rmse").asDouble()) + " [");
        }
    }

    @Test
    void theTraceOfAnIterativeSolverFallsToTheCertifiedLoss() {
        run("fit", "--solver", "cd-admm", "--plain", "--rho", "fixed:40", "--report", page);
        JsonNode report = report();

        JsonNode trace = report.at("/hood/trace");
        assertThat(trace.size()).isGreaterThan(2);
        double first = trace.get(0).get("gap").asDouble();
        assertThat(trace.get(trace.size() - 1).get("gap").asDouble()).isLessThan(first);
        assertThat(Samples.read(page)).contains("<p>Solver cd-admm");
    }

    /** Of the truthful the loss is A, of the others what it is where all move. */
    @Test
    void withATruthfulShareEveryPointHasTheSumsOfItsClosedForm() {
        Run run = run("fit", "--truthful-share", 0.3, "--wish-noise", 0, "--report", page);
        JsonNode report = report();

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report.get("path").get("points")).hasSize(13);
        assertThat(report.at("/path/selected").asInt()).isEqualTo(6);
        for (JsonNode point : report.get("path").get("points")) {
            double objective = point.at("/optimum/objective").asDouble();
            double moved = loss(report, point.get("losses"), point.get("gamma").asDouble());
            assertThat(0.3 * point.at("/losses/A").asDouble() + 0.7 * moved)
                    .isCloseTo(objective, within(1e-12 * objective));
        }
        assertThat(report.at("/game/mixture").get("truthfulShare").asDouble()).isEqualTo(0.3);
    }

    /** Each of its gammas would be a search of its own: more columns than the page looks at, and only the fitted rule is shown. */
    @Test
    void aMixedPopulationWithManyColumnsShowsOneRule() {
        Samples.Game game = Samples.Game.random(60, 31);
        Path csv = Samples.file(folder, "wide.csv", game.csv());
        Run run = Run.stackelberg(
                "fit", csv, "--target", "y", "--wish", "z", "--truthful-share", 0.3, "--gamma", 10, "--report", page);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report().get("path").get("points")).hasSize(1);
    }

    @Test
    void withoutAFiniteEquilibriumThereIsAReportWithoutARule() {
        Path csv = Samples.csv(folder);
        Run run = Run.stackelberg(
                "fit", csv, "--target", "y", "--wish", "y+2", "--ignore", "hope", "--hedge", "none", "--report", page);
        JsonNode report = report();

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(report.at("/heading/seal").get("certified").asBoolean()).isFalse();
        assertThat(report.get("path").get("points").get(30).get("rule").isNull())
                .isTrue();
        assertThat(report.at("/people/furthest").isNull()).isTrue();
    }

    @Test
    void textFromTheDataIsEscaped() {
        String evil = "</script><script>alert(1)</script>";
        Path csv = Samples.file(
                folder,
                "evil.csv",
                Samples.read(Samples.csv(folder))
                        .replace("a,b,kind,y,hope", evil + ",{{script}},$1&\u2028,<y>,hope")
                        .replace("red", "<b>red</b>"));
        Run run = Run.stackelberg("fit", csv, "--target", "<y>", "--wish", "hope", "--report", page);
        String html = Samples.read(page);

        assertThat(run.code()).as(run.err()).isZero();
        // not the page itself in the message, which is a megabyte
        assertThat(html.contains("alert(1)</script>")).isFalse();
        assertThat(html.contains("<b>red")).isFalse();
        assertThat(html.contains("\u2028")).isFalse();
        assertThat(html.contains("<title>Predicting &lt;y&gt; when people respond</title>"))
                .isTrue();
        assertThat(report().at("/path/features").get(0).get("name").asString()).isEqualTo(evil);
        assertThat(report().at("/path/features").get(1).get("name").asString()).isEqualTo("{{script}}");
    }

    @Test
    void thePageNeedsNoOtherFile() {
        run("fit", "--report", page);
        String html = Samples.read(page);

        assertThat(html.matches("(?s).*\\{\\{(title|style|echarts|data|script)}}.*"))
                .isFalse();
        assertThat(html.contains("echarts.init") || html.contains(".echarts={}"))
                .isTrue();
        assertThat(html.contains("src=\"http")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{{title}}", "{{style}}", "{{echarts}}", "{{data}}", "{{script}}"})
    void everyPlaceholderOccursOnceInTheTemplate(String place) throws Exception {
        String template;
        try (InputStream in = ReportPage.class.getResourceAsStream("page.html")) {
            template = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(template.split(Pattern.quote(place), -1)).hasSize(2);
    }

    @Test
    void theCommandCanBeRunAgain() {
        data = Samples.file(folder, "quoted.csv", Samples.read(data).replaceFirst("kind", "no one's \\$kind"));
        Run run = Run.stackelberg(
                "fit", data, "--target", "y", "--wish", "hope", "--immutable", "no one's $kind", "--report", page);
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(report().at("/hood/made/command").asString())
                .contains(" --immutable 'no one'\\''s $kind' --report ");

        data = folder.resolve("everything.csv");
        run("fit", "--gamma", 2, "--report", page);
        assertThat(report().at("/hood/made/command").asString())
                .startsWith("stackelberg fit ")
                .contains(" --gamma 2 ")
                .endsWith("report.html");
    }

    @Test
    void nothingIsWrittenWhenTheFitFails() throws Exception {
        Files.writeString(page, "mine");

        Run refused = run("fit", "--immutable", "unknown", "--report", page);

        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(Files.readString(page)).isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fit", "path", "tune", "compare"})
    void anInputIsNotOverwritten(String command) {
        String before = Samples.read(data);

        Run run = run(command, "--report", data);

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains("is an input and would be overwritten");
        assertThat(Samples.read(data)).isEqualTo(before);
    }

    @Test
    void theModelIsNotOverwrittenByTheReport() {
        Path model = folder.resolve("model.json");
        run("fit", "-o", model, "-q");
        String before = Samples.read(model);

        assertThat(Run.stackelberg("respond", model, data, "--report", model).code())
                .isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run("fit", "-o", page, "--report", page).err()).contains("two outputs");
        assertThat(Samples.read(model)).isEqualTo(before);
    }

    @Test
    @Tag("slow")
    void thePageStaysSmallForManyPeopleAndColumns() throws Exception {
        Path many = folder.resolve("many.npy");
        Path y = folder.resolve("y.npy");
        Samples.Game tall = Samples.Game.random(100_000, 3);
        NpyWriter.write(many, tall.x());
        NpyWriter.write(y, tall.y());
        Run.stackelberg("fit", "--x", many, "--y", y, "--wish", "max(y,2)", "--hedge", "none", "-q", "--report", page);
        assertThat(Files.size(page)).isLessThan(1_500_000);
        assertThat(report().at("/people/sample").get("sampled").asInt()).isEqualTo(300);
        assertThat(report().at("/people/sample").get("count").asInt()).isEqualTo(100_000);
        JsonNode arrays = report().get("path").get("points").get(30);
        Path tallCsv = Samples.file(folder, "tall.csv", tall.csv());
        Run.stackelberg(
                "fit",
                tallCsv,
                "--target",
                "y",
                "--wish",
                "max(y,2)",
                "--ignore",
                "z",
                "--hedge",
                "none",
                "-q",
                "--report",
                page);
        // the table comes in blocks of rows, the array in blocks of rules
        for (String key : new String[] {"/losses/A", "/losses/E"}) {
            double expected = report().get("path").get("points").get(30).at(key).asDouble();
            assertThat(arrays.at(key).asDouble()).isCloseTo(expected, within(1e-7 * Math.abs(expected)));
        }

        NpyWriter.write(many, Samples.Game.random(20, 2500).x());
        NpyWriter.write(y, Samples.Game.random(20, 2500).y());
        Run.stackelberg("fit", "--x", many, "--y", y, "--wish", "max(y,2)", "--hedge", "none", "-q", "--report", page);
        assertThat(report().at("/path/features")).hasSize(2000);
        assertThat(report().at("/heading/warnings").toString())
                .contains("Of 2500 columns")
                .contains("gammas instead of 61");
        assertThat(Files.size(page)).isLessThan(3_000_000);

        Samples.Game wide = Samples.Game.random(300, 281);
        Path csv = Samples.file(folder, "wide.csv", wide.csv());
        Run.stackelberg("fit", csv, "--target", "y", "--wish", "z", "--hedge", "none", "-q", "--report", page);
        assertThat(report().get("path").get("points")).hasSize(61);
        assertThat(Files.size(page)).isLessThan(2_500_000);

        Run.stackelberg(
                "path",
                csv,
                "--target",
                "y",
                "--wish",
                "z",
                "--gammas",
                "log:0.1:10:400",
                "--hedge",
                "none",
                "-q",
                "--report",
                page);
        assertThat(report().get("path").get("points").size()).isBetween(100, 200);
        assertThat(report().at("/heading/warnings").toString()).contains("Of 400 gammas");
        assertThat(Files.size(page)).isLessThan(3_000_000);
    }

    @Test
    void theDemoSaysWhereItsReportIs() {
        Run run = Run.stackelberg("demo", "--report", page);

        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("Report: " + page);
        assertThat(report().at("/people/groups").get("rows")).hasSize(3);
    }

    @Test
    void theDemoWritesItsPageWhereItIsRun() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process demo = new ProcessBuilder(
                        java.toString(), "-cp", System.getProperty("java.class.path"), Main.class.getName(), "demo")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said.txt").toFile())
                .start();

        assertThat(demo.waitFor()).as(Samples.read(folder.resolve("said.txt"))).isZero();
        page = folder.resolve("stackelberg-demo.html");
        assertThat(report().at("/heading/kind").asString()).isEqualTo("demo");
    }

    private Run run(String command, Object... more) {
        return Run.stackelberg(Stream.concat(
                        Stream.of(
                                command,
                                data,
                                "--target",
                                "y",
                                "--wish",
                                "hope",
                                "--weight",
                                "counts",
                                "--immutable",
                                "c,kind",
                                "--cost",
                                "b=2.5"),
                        Stream.concat(
                                Stream.of(more).anyMatch("--wish-noise"::equals)
                                        ? Stream.empty()
                                        : Stream.of("--wish-noise", WISH_NOISE),
                                Stream.of(more)))
                .toArray());
    }

    private JsonNode report() {
        Matcher matcher = DATA.matcher(Samples.read(page));
        assertThat(matcher.find()).isTrue();
        return JsonMapper.shared().readTree(matcher.group(1));
    }

    /** (1 - t)^2 A + 2t(1 - t) E + t^2 D. */
    private static double loss(JsonNode report, JsonNode rule, double world) {
        double a = rule.get("stretch").asDouble();
        double t = a / (a + world);
        double keep = world / (a + world);
        return keep * keep * rule.get("A").asDouble()
                + 2 * t * keep * rule.get("E").asDouble()
                + t * t * report.at("/people/wishLoss").asDouble();
    }
}
