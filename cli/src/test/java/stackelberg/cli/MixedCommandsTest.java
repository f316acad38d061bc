package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.data.Encoding.EncodedColumn;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

/** respond, evaluate and gamma for people who differ: against answers that are searched for, not computed. */
class MixedCommandsTest {
    private static final double SHARE = 0.3;
    private static final double GAMMA = 0.4;
    private static final double[] EFFORTS = {0.1, 0.5, 2, 1e30};

    @TempDir
    Path folder;

    private Path data;
    private Path byRow;
    private Path truthful;
    private final List<Person> people = new ArrayList<>();

    /** A row of the sample; kind is text. */
    private record Person(double a, double b, String kind, double y, double hope, double effort) {}

    @BeforeEach
    void fit() {
        StringBuilder text = new StringBuilder("a,b,kind,y,hope,effort\n");
        for (String line : Samples.read(Samples.csv(folder)).lines().skip(1).toList()) {
            String[] cells = line.split(",");
            double effort = EFFORTS[people.size() % EFFORTS.length];
            people.add(new Person(
                    number(cells[0]), number(cells[1]), cells[2], number(cells[3]), number(cells[4]), effort));
            text.append(line).append(',').append(effort).append('\n');
        }
        data = Samples.file(folder, "efforts.csv", text.toString());
        byRow = folder.resolve("by-row.json");
        truthful = folder.resolve("truthful.json");
        run(0, "fit", data, "--target", "y", "--wish", "hope", "--cost", "b=2", "--row-gamma", "effort", "-o", byRow);
        run(
                0,
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope",
                "--cost",
                "b=2",
                "--ignore",
                "effort",
                "--gamma",
                GAMMA,
                "--truthful-share",
                SHARE,
                "-o",
                truthful);
    }

    @Test
    void everyRowMovesAtItsOwnGamma() {
        List<String> lines = run(0, "respond", byRow, data).out().lines().toList();

        assertThat(lines.get(0)).isEqualTo("row,prediction,wish,pull_through,after_response,cost,move a,move b");
        Rule rule = new Rule(byRow);
        for (int i = 0; i < people.size(); i++) {
            double[] cells = numbers(lines.get(i + 1));
            double[] best = rule.bestAnswer(i, people.get(i).effort);
            assertThat(cells[4]).isCloseTo(rule.predict(i, best), within(1e-6));
            assertThat(cells[5]).isCloseTo(rule.cost(best, people.get(i).effort), within(1e-6));
            assertThat(cells[6]).isCloseTo(best[0], within(1e-6));
            assertThat(cells[7]).isCloseTo(best[1], within(1e-6));
        }
        List<String> predicted = run(0, "predict", byRow, data).out().lines().toList();
        for (int i = 1; i < lines.size(); i++) {
            assertThat(numbers(lines.get(i))[3]).isEqualTo(numbers(predicted.get(i))[3]);
        }
    }

    @Test
    void withoutAColumnOfTruthfulRowsBothEstimatesAreShown() {
        Run run = run(0, "respond", truthful, data);
        List<String> lines = run.out().lines().toList();

        assertThat(lines.get(0))
                .isEqualTo("row,prediction,wish,after_response,cost,after_if_moving,cost_if_moving,move a,move b");
        Rule rule = new Rule(truthful);
        for (int i = 0; i < people.size(); i++) {
            double[] cells = numbers(lines.get(i + 1));
            double[] best = rule.bestAnswer(i, GAMMA);
            double moved = rule.predict(i, best);
            double stays = rule.predict(i, new double[2]);
            assertThat(cells[1]).isCloseTo(stays, within(1e-9));
            assertThat(cells[3]).isCloseTo(SHARE * stays + (1 - SHARE) * moved, within(1e-6));
            assertThat(cells[4]).isCloseTo((1 - SHARE) * rule.cost(best, GAMMA), within(1e-6));
            assertThat(cells[5]).isCloseTo(moved, within(1e-6));
            assertThat(cells[6]).isCloseTo(rule.cost(best, GAMMA), within(1e-6));
            assertThat(cells[7]).isCloseTo(best[0], within(1e-6));
        }
        assertThat(run.err())
                .contains("30% truthful")
                .contains("It is not known who is truthful")
                .contains("truthful (30% of 60)")
                .contains("gamma 0.4 (70% of 60)")
                .contains("furthest, if they move");
    }

    @Test
    void respondPrintsEachPopulation() {
        JsonNode json = run(0, "respond", byRow, data, "--json", "--top", "1").json();

        assertThat(json.get("rowGamma").asString()).isEqualTo("effort");
        assertThat(json.get("truthfulShare").asDouble()).isZero();
        assertThat(json.get("populations")).hasSize(4);
        Rule rule = new Rule(byRow);
        for (int k = 0; k < 4; k++) {
            JsonNode part = json.get("populations").get(k);
            int which = k;
            double after = mean(which, i -> rule.predict(i, rule.bestAnswer(i, EFFORTS[which])));
            assertThat(part.get("people").asInt()).isEqualTo(15);
            assertThat(part.get("meanAfterResponse").asDouble()).isCloseTo(after, within(1e-6));
        }
        JsonNode never = json.get("populations").get(3);
        assertThat(never.get("population").asString()).isEqualTo("never move");
        assertThat(never.get("gammaFrom").isNull()).isTrue();
        assertThat(never.get("meanCost").asDouble()).isZero();
        JsonNode furthest = run(0, "respond", truthful, data, "--json", "--top", "1")
                .json()
                .get("furthest")
                .get(0);
        assertThat(furthest.get("cost").asDouble())
                .isCloseTo((1 - SHARE) * furthest.get("costIfMoving").asDouble(), within(1e-12));
    }

    /** With a small gamma long moves are cheap: the longest move is not the most expensive one. */
    @Test
    void respondListsTheLargestMovesNotTheLargestCosts() {
        JsonNode furthest = run(0, "respond", byRow, data, "--json", "--top", people.size())
                .json()
                .get("furthest");
        List<EncodedColumn> columns = ModelFile.load(byRow).encoding().columns();
        List<Double> distances = new ArrayList<>();
        List<Double> costs = new ArrayList<>();
        for (JsonNode person : furthest) {
            distances.add(-Math.sqrt(columns.stream()
                    .mapToDouble(c -> square(person.get("moves").path(c.name()).asDouble(0) / c.scale()))
                    .sum()));
            costs.add(-person.get("cost").asDouble());
        }
        List<Integer> rows = new ArrayList<>();
        furthest.forEach(person -> rows.add(person.get("row").asInt()));
        List<String> shown = run(0, "respond", byRow, data, "--top", "3")
                .err()
                .lines()
                .filter(line -> line.startsWith("  row "))
                .map(line -> line.strip().split(" +")[1])
                .toList();

        assertThat(distances).isSorted();
        assertThat(costs).isNotEqualTo(costs.stream().sorted().toList());
        assertThat(shown)
                .containsExactlyElementsOf(
                        rows.subList(0, 3).stream().map(String::valueOf).toList());
    }

    @Test
    void evaluatePrintsTheLossOfEveryPopulation() {
        JsonNode rowRule =
                run(0, "evaluate", byRow, data, "--json").json().get("rules").get(0);
        Rule rule = new Rule(byRow);
        double all = 0;
        for (int k = 0; k < 4; k++) {
            int which = k;
            double before = mean(which, i -> square(rule.predict(i, new double[2]) - people.get(i).y));
            double after =
                    mean(which, i -> square(rule.predict(i, rule.bestAnswer(i, EFFORTS[which])) - people.get(i).y));
            JsonNode part = rowRule.get("populations").get(k);
            assertThat(part.path("nobodyMoves").path("mse").asDouble()).isCloseTo(before, within(1e-9));
            assertThat(part.path("peopleMove").path("mse").asDouble()).isCloseTo(after, within(1e-5));
            all += after / 4;
        }
        assertThat(rowRule.path("peopleMove").path("mse").asDouble()).isCloseTo(all, within(1e-5));
        assertThat(rowRule.path("peopleMove").path("mse").asDouble() * people.size())
                .as("what fit minimised")
                .isCloseTo(rule.model.optimality().objective(), within(1e-8));
        assertThat(rowRule.path("sensitivity").get("gamma").isNull()).isTrue();
        assertThat(rowRule.path("sensitivity").path("costs").path("worstAt").asString())
                .isNotEmpty();

        JsonNode shared =
                run(0, "evaluate", truthful, data, "--json").json().get("rules").get(0);
        JsonNode stays = shared.get("populations").get(0);
        JsonNode moves = shared.get("populations").get(1);
        assertThat(stays.get("population").asString()).isEqualTo("truthful");
        assertThat(stays.get("peopleMove")).isEqualTo(stays.get("nobodyMoves"));
        for (String score : List.of("mse", "mae", "r2")) {
            assertThat(shared.path("peopleMove").path(score).asDouble())
                    .as(score)
                    .isCloseTo(
                            SHARE * stays.path("peopleMove").path(score).asDouble()
                                    + (1 - SHARE)
                                            * moves.path("peopleMove")
                                                    .path(score)
                                                    .asDouble(),
                            within(1e-12));
        }
        Run text = run(0, "evaluate", byRow, data, "--gamma-range", "0.1:1", "--group", "kind");
        assertThat(text.out())
                .contains("a gamma per row (column effort)")
                .contains("this rule, by population")
                .contains("this rule, by kind")
                .contains("all at one gamma, 0.1 to 1")
                .contains("costs or gammas off by a factor 2");
        assertThat(text.err()).doesNotContain("effort");
    }

    @Test
    void theSummaryNamesTheColumnOfGammas() {
        assertThat(run(0, "summary", byRow).out())
                .contains("per row (column effort); costs below are at the median, 0.5");
        assertThat(run(0, "summary", truthful).out()).doesNotContain("per row").containsPattern("gamma +0\\.4");
    }

    @Test
    void oneGammaForAllReplacesTheColumn() {
        Path strangers = Samples.file(folder, "strangers.csv", "a,b,kind,y,hope\n1,2,red,1,3\n0,1,blue,1,2\n");

        Run refused = run(3, "respond", byRow, strangers);
        Run alike = run(0, "respond", byRow, strangers, "--gamma", "0.5", "--json");
        Run still = run(0, "respond", truthful, strangers, "--gamma", "0.5", "--json");

        assertThat(refused.err()).contains("'effort'").contains("--gamma");
        assertThat(run(3, "evaluate", byRow, strangers).err()).contains("'effort'");
        assertThat(run(0, "evaluate", byRow, strangers, "--gamma", "0.5").out())
                .contains("2 people, gamma 0.5, wishes");
        assertThat(alike.json().has("populations")).isFalse();
        double omega = ModelFile.load(truthful).omega();
        assertThat(still.json().get("pullThrough").asDouble())
                .isCloseTo((1 - SHARE) * omega / (0.5 + omega), within(1e-12));
    }

    @Test
    void missingGammasFollowThePolicy() {
        Path some = Samples.file(folder, "some.csv", "a,b,kind,y,hope,effort\n1,2,red,1,3,0.5\n0,1,blue,1,2,\n");

        assertThat(run(3, "respond", byRow, some).err()).contains("'effort', row 2");
        assertThat(run(0, "respond", byRow, some, "--missing", "drop").out().lines())
                .hasSize(2);
    }

    /** People of every declared gamma turn out to have another, by which they give their best answers. */
    @Test
    void gammaIsEstimatedForEachPopulation() {
        double[] truth = {0.3, 0.2, 1, 1e30};
        Rule rule = new Rule(byRow);
        Path after = after(i -> rule.bestAnswer(i, truth[i % 4]));

        JsonNode json = run(0, "gamma", byRow, "--before", data, "--after", after, "--json")
                .json();

        assertThat(json.get("population").asString()).isEqualTo("effort");
        assertThat(json.get("identified").asBoolean()).isTrue();
        assertThat(json.get("warnings")).isEmpty();
        for (int k = 0; k < 3; k++) {
            JsonNode part = json.get("populations").get(k);
            assertThat(part.get("gamma").asDouble()).isCloseTo(truth[k], within(1e-4 * truth[k]));
            assertThat(part.get("declaredGamma").asDouble()).isEqualTo(EFFORTS[k]);
            assertThat(part.get("costs").get(1).get("cost").asDouble()).isCloseTo(2, within(1e-4));
        }
        assertThat(json.get("populations").get(3).get("gamma").isNull()).isTrue();
        assertThat(run(0, "gamma", byRow, "--before", data, "--after", after).out())
                .contains("by effort")
                .contains("never move");
    }

    @Test
    void aColumnThatMarksTruthfulRowsGivesTheGammaOfTheOthers() {
        Rule rule = new Rule(truthful);
        Path after = after(i -> people.get(i).kind.equals("red") ? new double[2] : rule.bestAnswer(i, 0.7));

        Run refused = run(3, "gamma", truthful, "--before", data, "--after", after);
        Run told = run(0, "gamma", truthful, "--before", data, "--after", after, "--population", "kind", "--json");

        assertThat(refused.err())
                .contains("30% of the people are truthful")
                .contains("but not who they are")
                .contains("--population");
        JsonNode blue = told.json().get("populations").get(0);
        JsonNode red = told.json().get("populations").get(1);
        assertThat(blue.get("population").asString()).isEqualTo("blue");
        assertThat(blue.get("gamma").asDouble()).isCloseTo(0.7, within(1e-4));
        assertThat(blue.get("identified").asBoolean()).isTrue();
        assertThat(red.get("identified").asBoolean()).isFalse();
        assertThat(told.json().get("warnings")).isEmpty();
    }

    @Test
    void aColumnThatMixesTruthfulAndOtherRowsIsNotUsed() {
        Rule rule = new Rule(truthful);
        Path after = after(i -> i % 10 < 3 ? new double[2] : rule.bestAnswer(i, 0.7));

        Run told = run(4, "gamma", truthful, "--before", data, "--after", after, "--population", "kind", "--json");

        assertThat(told.json().get("identified").asBoolean()).isFalse();
        assertThat(told.json().get("warnings").get(0).asString())
                .startsWith("The model says that 30% of the people are truthful, but every population of 'kind' moves");
    }

    @Test
    void declaredGammasAreReadPerRow() {
        Rule rule = new Rule(byRow);
        Path after = after(i -> rule.bestAnswer(i, 0.7));

        Run text = run(0, "gamma", byRow, "--before", data, "--after", after, "--population", "kind");
        JsonNode json = run(0, "gamma", byRow, "--before", data, "--after", after, "--population", "kind", "--json")
                .json();

        assertThat(text.out()).contains("0.1 to infinite");
        assertThat(json.get("populations").get(0).get("declaredGamma").isNull()).isTrue();
    }

    @Test
    void rowsDeclaredNeverToMoveThatMoveAreNamed() {
        Rule rule = new Rule(byRow);
        Path after = after(i -> {
            double[] answer = rule.bestAnswer(i, 0.7);
            return i % 4 < 3 ? answer : new double[] {-answer[0], -answer[1]};
        });

        Run run = run(0, "gamma", byRow, "--before", data, "--after", after);

        assertThat(run.err())
                .contains("never move: according to the model these people never move, but they move away");
    }

    @Test
    void gammaReportsMissingInputAndDoubtfulEstimates() {
        Path plain = Samples.csv(folder);
        Run lacks = run(3, "gamma", byRow, "--before", plain, "--after", plain);
        assertThat(lacks.err()).contains("'effort'").contains("--population");

        Path both = folder.resolve("both.json");
        run(
                0,
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope",
                "--row-gamma",
                "effort",
                "--truthful-share",
                SHARE,
                "-o",
                both);
        assertThat(run(3, "gamma", both, "--before", data, "--after", data, "--population", "effort")
                        .err())
                .as("the column of gammas does not mark truthful rows")
                .contains("but not who they are");

        Rule rule = new Rule(byRow);
        Path after = after(i -> rule.bestAnswer(i, 0.4));
        Run moving = run(0, "gamma", byRow, "--before", data, "--after", after);
        assertThat(moving.err()).contains("never move: according to the model these people never move, but they do");

        StringBuilder text = new StringBuilder();
        int row = 0;
        for (String line : Samples.read(data).lines().toList()) {
            text.append(line)
                    .append(row == 0 ? ",who" : row == 1 ? ",lonely" : ",many")
                    .append('\n');
            row++;
        }
        Path who = Samples.file(folder, "who.csv", text.toString());
        Run lonely = run(4, "gamma", byRow, "--before", who, "--after", after, "--population", "who");
        assertThat(lonely.err()).contains("lonely: 1 person is too few");
        assertThat(run(3, "gamma", byRow, "--before", who, "--after", after, "--population", "whom")
                        .err())
                .contains("whom");
    }

    @Test
    void theReportOfAMixedPopulationNamesIt() throws Exception {
        Path page = folder.resolve("page.html");

        run(0, "respond", truthful, data, "--report", page, "-o", folder.resolve("moves.csv"));

        assertThat(Files.readString(page)).contains("They close").contains("30% truthful");
    }

    /** The rule of a model file in the units of the data, with what moving a and b costs. */
    private final class Rule {
        private final StackelbergModel model;
        private final double[] scale = new double[2];
        private final double[] costs = {1, 2};

        Rule(Path file) {
            model = ModelFile.load(file);
            for (EncodedColumn column : model.encoding().columns()) {
                int j = List.of("a", "b").indexOf(column.name());
                if (j >= 0) {
                    scale[j] = column.scale();
                }
            }
        }

        double predict(int i, double[] moves) {
            Map<String, Double> c = model.coefficients();
            Person person = people.get(i);
            double kind = c.getOrDefault("kind=" + person.kind, 0.0);
            return model.intercept() + c.get("a") * (person.a + moves[0]) + c.get("b") * (person.b + moves[1]) + kind;
        }

        double cost(double[] moves, double gamma) {
            return gamma * (costs[0] * square(moves[0] / scale[0]) + costs[1] * square(moves[1] / scale[1]));
        }

        /** The moves with the least (prediction - wish)^2 + cost, by a grid of 21 x 21 that closes in on its best point. */
        double[] bestAnswer(int i, double gamma) {
            double[] best = {0, 0};
            double least = square(predict(i, best) - people.get(i).hope);
            for (double reach = 20; reach > 1e-9; reach *= 0.3) {
                double[] centre = best.clone();
                for (int k = -10; k <= 10; k++) {
                    for (int l = -10; l <= 10; l++) {
                        double[] moves = {centre[0] + reach * k / 10, centre[1] + reach * l / 10};
                        double value = square(predict(i, moves) - people.get(i).hope) + cost(moves, gamma);
                        if (value < least) {
                            least = value;
                            best = moves;
                        }
                    }
                }
            }
            return best;
        }
    }

    private Path after(java.util.function.IntFunction<double[]> moves) {
        StringBuilder text = new StringBuilder("a,b,kind,y,hope,effort\n");
        for (int i = 0; i < people.size(); i++) {
            Person person = people.get(i);
            double[] move = moves.apply(i);
            text.append(person.a + move[0]).append(',').append(person.b + move[1]);
            text.append(',').append(person.kind).append(",0,0,0\n");
        }
        return Samples.file(folder, "after.csv", text.toString());
    }

    /** Over the people whose effort is EFFORTS[k]. */
    private double mean(int k, IntToDoubleFunction value) {
        double sum = 0;
        int count = 0;
        for (int i = k; i < people.size(); i += EFFORTS.length) {
            sum += value.applyAsDouble(i);
            count++;
        }
        return sum / count;
    }

    private static Run run(int code, Object... args) {
        Run run = Run.stackelberg(args);
        assertThat(run.code()).as(run.err()).isEqualTo(code);
        return run;
    }

    private static double[] numbers(String line) {
        return List.of(line.split(",")).stream()
                .mapToDouble(Double::parseDouble)
                .toArray();
    }

    private static double number(String cell) {
        return Double.parseDouble(cell);
    }

    private static double square(double value) {
        return value * value;
    }
}
