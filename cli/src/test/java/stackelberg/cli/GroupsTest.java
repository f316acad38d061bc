package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What fit and evaluate say of groups. */
class GroupsTest {
    private static final int ROWS = 240;

    @TempDir
    Path folder;

    private final double[] a = new double[ROWS];
    private final double[] y = new double[ROWS];
    private final double[] hope = new double[ROWS];
    private Path data;

    @BeforeEach
    void write() {
        Random random = new Random(8);
        StringBuilder csv = new StringBuilder("a,b,region,household,count,y,hope\n");
        for (int i = 0; i < ROWS; i++) {
            a[i] = random.nextGaussian();
            double b = random.nextGaussian();
            y[i] = 1 + a[i] + 0.5 * b + 0.6 * random.nextGaussian();
            hope[i] = 2 + random.nextGaussian();
            csv.append(String.format(
                    java.util.Locale.ROOT,
                    "%.17g,%.17g,%s,%d,%d,%.17g,%.17g%n",
                    a[i],
                    b,
                    region(i),
                    i / 2,
                    1 + i % 3,
                    y[i],
                    hope[i]));
        }
        data = Samples.file(folder, "people.csv", csv.toString());
    }

    private static String region(int i) {
        return i < 10 ? "hills" : i % 2 == 0 ? "north" : "south";
    }

    private Run fit(Object... more) {
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--ignore", "household,count"));
        words.addAll(List.of(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run;
    }

    @Test
    void fitPrintsThisRuleAndTodaysByGroup() {
        JsonNode groups = fit("--group", "region", "--json").json().get("groups");
        assertThat(groups.propertyNames()).containsExactly("column", "groups", "error", "level", "threshold", "rows");
        assertThat(groups.get("column").asString()).isEqualTo("region");
        assertThat(groups.get("groups").asInt()).isEqualTo(3);
        assertThat(groups.get("level").asDouble()).isEqualTo(0.95);
        assertThat(groups.get("rows"))
                .extracting(row -> row.get("group").asString())
                .containsExactly("hills", "north", "south");
        JsonNode hills = groups.get("rows").get(0);
        assertThat(hills.propertyNames())
                .containsExactly("group", "people", "weight", "effectivePeople", "few", "rule", "today");
        assertThat(hills.get("few").asBoolean()).isTrue();
        assertThat(hills.get("people").asInt()).isEqualTo(10);
        assertThat(groups.get("rows").get(1).get("few").asBoolean()).isFalse();
        for (String rule : List.of("rule", "today")) {
            JsonNode does = hills.get(rule);
            assertThat(does.propertyNames()).containsExactly("error", "bias", "cost", "distance", "moving", "move");
            assertThat(does.get("error").propertyNames()).containsExactly("nobodyMoves", "peopleMove");
            JsonNode bias = does.get("bias").get("peopleMove");
            assertThat(bias.get("value").asDouble())
                    .isBetween(
                            bias.get("interval").get(0).asDouble(),
                            bias.get("interval").get(1).asDouble());
        }
    }

    @Test
    void theFiguresAreThoseOfTheScoresByHand() {
        Path model = folder.resolve("model.json");
        Path moves = folder.resolve("moves.csv");
        JsonNode rows = fit("--group", "region", "--json", "-o", model)
                .json()
                .get("groups")
                .get("rows");
        Run.stackelberg("respond", model, data, "-o", moves, "-q");
        List<String> lines = Samples.read(moves).lines().toList();
        List<String> head = List.of(lines.get(0).split(","));
        int before = head.indexOf("prediction");
        int after = head.indexOf("after_response");
        double[] sums = new double[5];
        for (int i = 0; i < 10; i++) {
            String[] cells = lines.get(i + 1).split(",");
            double p = Double.parseDouble(cells[before]);
            double q = Double.parseDouble(cells[after]);
            sums[0] += (p - y[i]) * (p - y[i]) / 10;
            sums[1] += (q - y[i]) * (q - y[i]) / 10;
            sums[2] += (p - y[i]) / 10;
            sums[3] += (q - y[i]) / 10;
            sums[4] += (q - p) / 10;
        }
        JsonNode rule = rows.get(0).get("rule");
        assertThat(value(rule.at("/error/nobodyMoves"))).isCloseTo(Math.sqrt(sums[0]), within(1e-9));
        assertThat(value(rule.at("/error/peopleMove"))).isCloseTo(Math.sqrt(sums[1]), within(1e-9));
        assertThat(value(rule.at("/bias/nobodyMoves"))).isCloseTo(sums[2], within(1e-9));
        assertThat(value(rule.at("/bias/peopleMove"))).isCloseTo(sums[3], within(1e-9));
        assertThat(value(rule.get("move"))).isCloseTo(sums[4], within(1e-9));
    }

    private static double value(JsonNode figure) {
        return figure.get("value").asDouble();
    }

    @Test
    void evaluatePrintsTheGroupTableOfTheFit() {
        Path model = folder.resolve("model.json");
        JsonNode fitted = fit("--group", "region", "--json", "-o", model).json().get("groups");
        // the model knows its groups
        JsonNode said = Run.stackelberg("evaluate", model, data, "--json").json();
        JsonNode byGroup = said.get("byGroup");
        assertThat(byGroup.propertyNames()).containsExactly("column", "groups", "error", "level", "threshold", "today");
        assertThat(byGroup.get("threshold")).isEqualTo(fitted.get("threshold"));
        JsonNode groups = said.get("rules").get(0).get("groups");
        for (int g = 0; g < 3; g++) {
            for (String figure : List.of("error", "bias", "cost", "distance", "moving", "move")) {
                assertSame(
                        groups.get(g).get(figure),
                        fitted.get("rows").get(g).get("rule").get(figure));
                assertSame(
                        byGroup.get("today").get(g).get(figure),
                        fitted.get("rows").get(g).get("today").get(figure));
            }
            assertThat(groups.get(g).at("/error/peopleMove/value").asDouble())
                    .isCloseTo(groups.get(g).at("/peopleMove/rmse").asDouble(), within(1e-12));
        }
        assertThat(Run.stackelberg("evaluate", model, data).out())
                .contains("this rule, by region", "By region, on these people; in brackets 95% intervals")
                .contains("hills (10) *", "today's rule", "* Fewer than 30 people");
    }

    private static void assertSame(JsonNode one, JsonNode other) {
        assertThat(one.toString().replaceAll("[-0-9.E]+", "#"))
                .isEqualTo(other.toString().replaceAll("[-0-9.E]+", "#"));
        List<Double> first = numbers(one);
        List<Double> second = numbers(other);
        for (int k = 0; k < first.size(); k++) {
            assertThat(first.get(k)).isCloseTo(second.get(k), within(1e-9));
        }
    }

    private static List<Double> numbers(JsonNode node) {
        List<Double> all = new ArrayList<>();
        if (node.isNumber()) {
            all.add(node.asDouble());
        }
        node.forEach(child -> all.addAll(numbers(child)));
        return all;
    }

    @Test
    void withoutAGroupColumnNoGroupsArePrinted() {
        Run run = fit("--json");
        assertThat(run.json().get("groups").isNull()).isTrue();
        assertThat(fit().out()).doesNotContain("95% intervals");
    }

    @Test
    void theLargestOfManyGroupsArePrintedWithANote() {
        Run run = fit("--group", "household", "--ignore", "count,region");
        assertThat(run.out())
                .contains("These are the 20 largest of 120 groups, 17% of the people.")
                .contains("too few to trust the intervals");
        JsonNode groups = fit("--group", "household", "--ignore", "count,region", "--json")
                .json()
                .get("groups");
        assertThat(groups.get("groups").asInt()).isEqualTo(120);
        assertThat(groups.get("rows")).hasSize(100);
        Path model = folder.resolve("model.json");
        fit("-o", model);
        Run evaluated = Run.stackelberg("evaluate", model, data, "--group", "household");
        assertThat(evaluated.code()).as(evaluated.err()).isZero();
        assertThat(evaluated.out()).contains("20 largest of 120 groups");
    }

    @Test
    void aTruthfulShareGivesExpectedValuesByGroup() {
        assertThat(fit("--group", "region", "--truthful-share", "0.3").out())
                .contains("It is not known who is truthful: all figures are expected values.");
        JsonNode rows = fit("--group", "region", "--truthful-share", "0.3", "--json")
                .json()
                .get("groups")
                .get("rows");
        rows.forEach(row -> assertThat(row.at("/rule/moving/value").asDouble()).isLessThanOrEqualTo(0.7));
    }

    @Test
    void theGroupTablesAreExplained() {
        String out = fit("--group", "region", "--weight", "count", "--ignore", "household")
                .out();
        assertThat(out)
                .contains("By region, on the training sample; in brackets 95% intervals")
                .contains("pays for moving", "how far", "moves by > 0.1", "score rises by")
                .contains("Bias: mean of score minus truth.");
    }
}
