package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** A rule that exists meets people who can go only so far: b is never below 0.5 and a only grows, in every command that looks at them. */
class LimitedPeopleTest {
    private static final double FLOOR = 0.5;

    @TempDir
    Path folder;

    private Path data;
    private Path rule;

    @BeforeEach
    void write() {
        data = Samples.csv(folder);
        rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,0.1\na,1.5\nb,-0.8\n");
    }

    /** What the rule predicts somebody after the best move: a only grows, b stays at the floor; by trying which of the two are stopped. */
    private static double after(double a, double b, double wish, double gamma, double scaleA, double scaleB) {
        double p = 0.1 + 1.5 * a - 0.8 * b;
        double[] beta = {1.5, -0.8};
        double[] cost = {1 / (scaleA * scaleA), 1 / (scaleB * scaleB)};
        double[] least = {a, Math.min(b, FLOOR)};
        double[] x = {a, b};
        double best = Math.pow(p - wish, 2);
        double found = p;
        for (int pattern = 0; pattern < 4; pattern++) {
            double[] at = {pattern % 2 == 0 ? Double.NaN : least[0], pattern / 2 == 0 ? Double.NaN : least[1]};
            double score = p;
            double free = 0;
            for (int j = 0; j < 2; j++) {
                score += Double.isNaN(at[j]) ? 0 : beta[j] * (at[j] - x[j]);
                free += Double.isNaN(at[j]) ? beta[j] * beta[j] / (gamma * cost[j]) : 0;
            }
            double open = (score - wish) / (1 + free);
            double value = Math.pow(open, 2);
            boolean inside = true;
            for (int j = 0; j < 2; j++) {
                double to = Double.isNaN(at[j]) ? x[j] - open * beta[j] / (gamma * cost[j]) : at[j];
                inside &= to >= least[j] - 1e-12;
                value += gamma * cost[j] * (to - x[j]) * (to - x[j]);
            }
            if (inside && value < best) {
                best = value;
                found = wish + open;
            }
        }
        return found;
    }

    private double[][] columns() {
        List<String> lines = Samples.read(data).lines().toList();
        double[][] columns = new double[4][lines.size() - 1];
        for (int i = 1; i < lines.size(); i++) {
            String[] cells = lines.get(i).split(",");
            columns[0][i - 1] = Double.parseDouble(cells[0]);
            columns[1][i - 1] = Double.parseDouble(cells[1]);
            columns[2][i - 1] = Double.parseDouble(cells[3]);
            columns[3][i - 1] = Double.parseDouble(cells[4]);
        }
        return columns;
    }

    private static double sd(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(Arrays.stream(values)
                .map(v -> (v - mean) * (v - mean))
                .average()
                .orElseThrow());
    }

    private Run evaluate(Object... more) {
        List<Object> words = new ArrayList<>(List.of("evaluate", "--rule", rule, data, "--target", "y"));
        words.addAll(List.of("--wish", "hope", "--gamma", "0.05"));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void evaluateCountsWhatPeopleCanDo() {
        Run run = evaluate("--limit", "b>=0.5", "--limit", "a up", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        double[][] c = columns();
        double[] scales = {sd(c[0]), sd(c[1])};
        double mse = IntStream.range(0, Samples.ROWS)
                .mapToDouble(i -> Math.pow(after(c[0][i], c[1][i], c[3][i], 0.05, scales[0], scales[1]) - c[2][i], 2))
                .average()
                .orElseThrow();
        JsonNode first = run.json().get("rules").get(0);
        assertThat(first.get("peopleMove").get("mse").asDouble()).isCloseTo(mse, within(1e-9));
        assertThat(first.get("sensitivity").get("gamma").get("searched").asBoolean())
                .isTrue();
        assertThat(run.json().get("limits")).hasSize(2);
        assertThat(evaluate("--limit", "b>=0.5", "--limit", "a up").out())
                .contains("limits (b>=0.5, a up)")
                .contains("searched for on a grid; it is not proven")
                .contains("all off by the same factor");
    }

    /** The columns of the answer that are the same without limits keep every digit. */
    @Test
    void limitsThatStopNoOneChangeNoDigit() {
        String limited =
                evaluate("--limit", "b>=-1e9", "--wish-noise", "0.3", "--json").out();
        String free = evaluate("--wish-noise", "0.3", "--json").out();

        assertThat(limited.replaceAll("(?s)\"limits\" : \\[[^]]*\\],\\s*\"oneSided\" : null,\\s*", ""))
                .isEqualTo(free);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "kind up          | 'kind'",
                "nothing>=0       | 'nothing', which is not a feature",
                "b>0              | cannot be read",
                "kind=red<=0.5    | 'kind=red', which people cannot change",
            })
    void anInvalidLimitIsRefusedByName(String limit, String why) {
        Path withKind = Samples.file(folder, "kind.csv", "term,coefficient\nintercept,0\na,1\nb,1\nkind=red,1\n");
        Run run = Run.stackelberg(
                "evaluate", "--rule", withKind, data, "--target", "y", "--wish", "hope", "--limit", limit);

        assertThat(run.code()).isIn(ExitCode.WRONG_USAGE, ExitCode.BAD_DATA);
        assertThat(run.err()).contains(why).contains("Maybe");
    }

    private Path model(Object... more) {
        Path file = folder.resolve("model.json");
        List<Object> words = new ArrayList<>(List.of("fit", data, "--target", "y", "--wish", "hope"));
        words.addAll(List.of("--gamma", "0.2", "--wish-noise", "0.5", "--hedge", "none", "-o", file, "-q"));
        words.addAll(List.of(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
        return file;
    }

    private static double[] column(Run run, String name) {
        List<String> lines = run.out().lines().toList();
        int at = List.of(lines.get(0).split(",")).indexOf(name);
        assertThat(at).as(name + " in " + lines.get(0)).isNotNegative();
        return lines.stream()
                .skip(1)
                .mapToDouble(line -> Double.parseDouble(line.split(",")[at]))
                .toArray();
    }

    @Test
    void respondCountsStoppedAndStuckRows() {
        Path model = model("--limit", "b>=0.5", "--limit", "a up");
        Run csv = Run.stackelberg("respond", model, data);
        double[][] c = columns();
        double[] a = column(csv, "move a");
        double[] b = column(csv, "move b");
        double[] p = column(csv, "prediction");
        double[] wish = column(csv, "wish");
        double[] after = column(csv, "after_response");
        double[] stopped = column(csv, "stopped");
        double[] stuck = column(csv, "stuck");
        int stops = 0;
        for (int i = 0; i < a.length; i++) {
            assertThat(a[i]).isNotNegative();
            assertThat(c[1][i] + b[i]).isGreaterThanOrEqualTo(Math.min(FLOOR, c[1][i]) - 1e-15);
            assertThat(stuck[i] == 1).isEqualTo(a[i] == 0 && b[i] == 0 && p[i] != wish[i]);
            assertThat((wish[i] - p[i]) * (after[i] - p[i])).isNotNegative();
            stops += stopped[i] > 0 ? 1 : 0;
        }
        assertThat(stops).isGreaterThan(5);
        JsonNode json =
                Run.stackelberg("respond", model, data, "--json", "--top", "60").json();
        assertThat(json.get("peopleStopped").asInt()).isEqualTo(stops);
        assertThat(json.get("peopleStuck").asInt())
                .isEqualTo((int) Arrays.stream(stuck).sum());
        int named = 0;
        for (JsonNode person : json.get("furthest")) {
            named += person.get("stopped").size();
            assertThat(person.has("stuck")).isTrue();
        }
        assertThat(named).isEqualTo((int) Arrays.stream(stopped).sum());
        int byFeature = 0;
        for (JsonNode feature : json.get("features")) {
            byFeature += feature.get("stopped").asInt();
        }
        assertThat(byFeature).isEqualTo(named);
        Path file = folder.resolve("moves.csv");
        assertThat(Run.stackelberg("respond", model, data, "-o", file).out())
                .contains("turn negative  stopped")
                .contains("stops " + stops + " in at least one feature")
                .contains("(limit)");
    }

    @Test
    void predictAndRespondAgreeUnderLimits() {
        Path model = model("--limit", "b>=0.5", "--limit", "a up", "--one-sided", "up");
        double[] predicted = column(Run.stackelberg("predict", model, data), "after_response");
        double[] responded = column(Run.stackelberg("respond", model, data), "after_response");

        assertThat(predicted).hasSize(Samples.ROWS);
        for (int i = 0; i < predicted.length; i++) {
            assertThat(predicted[i]).isCloseTo(responded[i], within(1e-12));
        }
        assertThat(Run.stackelberg("predict", model, data, "--wish", "p", "--json")
                        .json()
                        .get("predictions")
                        .get(3)
                        .get("afterResponse")
                        .asDouble())
                .isFinite();
    }

    @Test
    void predictWithLimitsThatStopNoOneChangesNoDigit() {
        Path free = model();
        String plain = Run.stackelberg("predict", free, data).out();
        String responses = Run.stackelberg("respond", free, data, "--json").out();
        Path limited = model("--limit", "b>=-1e9");

        assertThat(Run.stackelberg("predict", limited, data).out()).isEqualTo(plain);
        assertThat(Run.stackelberg("respond", limited, data, "--json")
                        .out()
                        .replaceAll("(?s)\"limits\" : \\[[^]]*\\],\\s*\"oneSided\" : null,\\s*", "")
                        .replaceAll("(?s),\\s*\"(stopped|stuck)\" : (0|false|\\[ \\])", "")
                        .replaceAll("(?s)\\s*\"people(Stopped|Stuck)\" : 0,", "")
                        .replace("no limit keeps them in", "the model sets no limits on moves"))
                .isEqualTo(responses);
    }

    @Test
    void compareJudgesEveryRuleUnderTheLimits() {
        Run limited = Run.stackelberg(
                "compare", data, "--target", "y", "--wish", "hope", "--gamma", "0.2", "--limit", "b>=0.5", "--json");
        Run free = Run.stackelberg("compare", data, "--target", "y", "--wish", "hope", "--gamma", "0.2", "--json");

        JsonNode one = limited.json().get("rules").get(0);
        JsonNode other = free.json().get("rules").get(0);
        assertThat(one.get("coefficients")).isEqualTo(other.get("coefficients"));
        assertThat(one.get("nobodyMoves")).isEqualTo(other.get("nobodyMoves"));
        assertThat(one.get("peopleMove").get("rmse").asDouble())
                .isLessThan(other.get("peopleMove").get("rmse").asDouble());
        assertThat(limited.json().get("limits").get(0).asString()).isEqualTo("b>=0.5");
    }

    /** Files of before have b>=0.0 and b<=2.5E8. */
    @ParameterizedTest
    @CsvSource({"b>=0, b>=0.0", "b>=-3, b>=-3.0", "b<=10000000, b<=1.0E7", "b<=250000000, b<=2.5E8"})
    void limitsArePrintedAsDeclaredAndOlderModelsLoad(String limit, String before) throws IOException {
        Path model = model("--limit", limit);
        String text = Files.readString(model);
        assertThat(text).contains(limit + "\"").doesNotContain(before);
        assertThat(Run.stackelberg("verify", model, data).out()).doesNotContain("NOT SO");

        Files.writeString(model, text.replace(limit + "\"", before + "\""));

        assertThat(Run.stackelberg("verify", model, data).out()).doesNotContain("NOT SO");
        assertThat(Run.stackelberg("summary", model).out()).contains("limits: " + limit);

        Files.writeString(model, text.replaceAll("(\"limits\"\\s*:\\s*\")" + Pattern.quote(limit), "$1" + limit + "1"));

        assertThat(Run.stackelberg("verify", model, data).out()).contains("NOT SO");
    }
}
