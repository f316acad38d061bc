package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

class GammaAndSummaryTest {
    private static final double WORLD = 3;

    @TempDir
    Path folder;

    private Path data;
    private Path file;

    @BeforeEach
    void fit() {
        data = Samples.csv(folder);
        file = folder.resolve("model.json");
        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--cost", "b=2", "-o", file, "-q");
        assertThat(run.code()).as(run.err()).isZero();
    }

    @Test
    void gammaIsEstimatedFromObservedMoves() {
        Run run = Run.stackelberg("gamma", file, "--before", data, "--after", after(0, false), "--json");

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode json = run.json();
        assertThat(json.propertyNames())
                .containsExactly(
                        "people",
                        "identified",
                        "gamma",
                        "gammaInterval",
                        "gammaShare",
                        "pullThrough",
                        "pullThroughInterval",
                        "explained",
                        "costs",
                        "immutableButChanged",
                        "behaviour",
                        "warnings",
                        "warningCodes");
        assertThat(json.get("behaviour").propertyNames())
                .containsExactly("moved", "against", "satisfied", "immutableChanges", "limits");
        assertThat(json.get("gamma").asDouble()).isCloseTo(WORLD, within(1e-6));
        assertThat(json.get("costs").get(1).get("feature").asString()).isEqualTo("b");
        assertThat(json.get("costs").get(1).get("cost").asDouble()).isCloseTo(2, within(1e-6));
        assertThat(json.get("costs").get(1).get("declared").asDouble()).isEqualTo(2);
    }

    @Test
    void rowsAreMatchedByTheirIdentifier() {
        Path before = withIds(Samples.read(data), 0, "before.csv");
        Path shuffled = withIds(Samples.read(after(0, false)), 11, "shuffled.csv");

        Run run = Run.stackelberg("gamma", file, "--before", before, "--after", shuffled, "--id", "who", "--json");

        assertThat(run.json().get("gamma").asDouble()).isCloseTo(WORLD, within(1e-6));
        // in the order of the rows they are different people
        assertThat(Run.stackelberg("gamma", file, "--before", before, "--after", shuffled, "--json")
                        .json()
                        .get("gamma")
                        .asDouble(0))
                .isNotCloseTo(WORLD, within(0.1));
    }

    @Test
    void aScorecardCanBeThePublishedRule() {
        Path scorecard = Samples.file(folder, "scorecard.csv", "term,coefficient\na,2\nb,-1\nkind=red,1\n");

        Run run = Run.stackelberg(
                "gamma",
                "--rule",
                scorecard,
                "--before",
                data,
                "--after",
                after(0.1, false),
                "--wish",
                "hope",
                "--json");

        assertThat(run.json().get("people").asInt()).isEqualTo(Samples.ROWS);
        assertThat(run.json().get("pullThrough").asDouble()).isPositive();
    }

    @Test
    void dataThatDoNotIdentifyGammaAreReported() {
        Run still = Run.stackelberg("gamma", file, "--before", data, "--after", data);

        assertThat(still.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(still.out()).contains("infinite");
        assertThat(still.err()).contains("Warning");
        Run changed = Run.stackelberg("gamma", file, "--before", data, "--after", after(0, true));
        assertThat(changed.err()).contains("Declared immutable, but changed: kind=red");
    }

    /** a is 0 for rows that would go below it, as with a floor; b moves as far as a leaves it. */
    @Test
    void rowsThatEndAtAFloorAreCountedAndDoNotRaiseGamma() {
        Path scorecard = Samples.file(folder, "scorecard.csv", "term,coefficient\na,2\nb,-1\nkind=red,1\n");
        StringBuilder before = new StringBuilder("a,b,kind,hope\n");
        StringBuilder after = new StringBuilder("a,b,kind,hope\n");
        Random random = new Random(3);
        double gamma = 2;
        for (int i = 0; i < 400; i++) {
            double a = 2 * random.nextDouble();
            double b = random.nextGaussian();
            double p = 2 * a - b;
            double hope = p - 1 - 5 * random.nextDouble();
            // in raw units: v (1 + 4/gamma + 1/gamma) = gap, or v (1 + 1/gamma) = gap - 2 a if a stops
            double gap = p - hope;
            double open = gap / (1 + 5 / gamma);
            boolean stops = 2 * open / gamma > a;
            open = stops ? (gap - 2 * a) / (1 + 1 / gamma) : open;
            before.append(a + "," + b + ",blue," + hope + "\n");
            after.append((stops ? 0 : a - 2 * open / gamma) + "," + (b + open / gamma) + ",blue," + hope + "\n");
        }
        Path one = Samples.file(folder, "one.csv", before + "0.5,0,red,1\n");
        Path two = Samples.file(folder, "two.csv", after + "0.5,0,red,1\n");
        List<Object> asked = List.of("gamma", "--rule", scorecard, "--before", one, "--after", two, "--scale", "none");
        List<Object> options = new ArrayList<>(asked);
        options.addAll(List.of("--wish", "hope", "--bootstrap", "50"));

        Run blind = Run.stackelberg(options.toArray());
        assertThat(blind.err()).contains("looks like a floor").contains("--limit \"a>=0\"");
        options.addAll(List.of("--limit", "a>=0"));
        Run text = Run.stackelberg(options.toArray());
        assertThat(text.code()).as(text.err()).isZero();
        assertThat(text.out()).contains("at the floor").contains("in between");
        options.add("--json");
        JsonNode json = Run.stackelberg(options.toArray()).json();
        assertThat(json.get("gamma").asDouble()).isCloseTo(gamma, within(0.01));
        JsonNode limit = json.get("behaviour").get("limits").get(0);
        assertThat(limit.get("feature").asString()).isEqualTo("a");
        assertThat(limit.get("atFloor").asInt()).isGreaterThan(150);
        options.addAll(List.of("--population", "kind"));
        JsonNode parts = Run.stackelberg(options.toArray()).json().get("populations");
        assertThat(parts.get(0)
                        .get("behaviour")
                        .get("limits")
                        .get(0)
                        .get("atFloor")
                        .asInt())
                .isEqualTo(limit.get("atFloor").asInt());
        options.remove("--json");
        assertThat(Run.stackelberg(options.toArray()).out()).contains("at the floor");
    }

    @Test
    void filesOfDifferentPeopleAreRefused() {
        Path fewer = Samples.file(
                folder,
                "fewer.csv",
                String.join("\n", Samples.read(data).lines().limit(20).toList()) + "\n");

        Run run = Run.stackelberg("gamma", file, "--before", data, "--after", fewer);

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("60 people before and 19 after").contains("--id");
        assertThat(Run.stackelberg("gamma", file, "--before", data).code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("gamma", "--before", data, "--after", data).code())
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void theSummaryPrintsEverythingInTheModel() {
        Run run = Run.stackelberg("summary", file);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Certified")
                .contains("Categories are immutable unless --immutable says otherwise: kind.")
                .contains("sample.csv")
                .contains("SHA-256")
                .contains("seen in training")
                .contains("cost b")
                .contains("hope");
        JsonNode json = Run.stackelberg("summary", file, "--json").json();
        assertThat(json.propertyNames())
                .contains(
                        "objective", "coefficients", "target", "wish", "terms", "losses", "data", "version", "options");
        JsonNode a = json.get("terms").get(0);
        assertThat(a.propertyNames()).containsExactly("term", "feature", "manipulable", "moveCost", "min", "max");
        double[] values = Samples.read(data)
                .lines()
                .skip(1)
                .mapToDouble(l -> Double.parseDouble(l.split(",")[0]))
                .toArray();
        assertThat(a.get("min").asDouble())
                .isEqualTo(java.util.Arrays.stream(values).min().orElseThrow());
        assertThat(a.get("max").asDouble())
                .isEqualTo(java.util.Arrays.stream(values).max().orElseThrow());
    }

    /** The same people after they have answered the rule in a world of gamma WORLD, with noise of their own. */
    private Path after(double noise, boolean paint) {
        Run moves = Run.stackelberg("respond", file, data, "--gamma", WORLD, "-q");
        List<String> moved = moves.out().lines().skip(1).toList();
        List<String> lines = Samples.read(data).lines().toList();
        Random random = new Random(5);
        StringBuilder text = new StringBuilder(lines.get(0)).append('\n');
        for (int i = 0; i < moved.size(); i++) {
            String[] cells = lines.get(i + 1).split(",");
            String[] move = moved.get(i).split(",");
            double a = Double.parseDouble(cells[0]) + Double.parseDouble(move[5]) + noise * random.nextGaussian();
            double b = Double.parseDouble(cells[1]) + Double.parseDouble(move[6]) + noise * random.nextGaussian();
            String kind = paint && i == 1 ? "red" : cells[2];
            text.append(a + "," + b + "," + kind + "," + cells[3] + "," + cells[4] + "\n");
        }
        return Samples.file(folder, "after.csv", text.toString());
    }

    private Path withIds(String csv, long shuffle, String name) {
        List<String> lines = csv.lines().toList();
        List<String> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            rows.add(lines.get(i) + ",p" + i);
        }
        if (shuffle > 0) {
            Collections.shuffle(rows, new Random(shuffle));
        }
        return Samples.file(folder, name, lines.get(0) + ",who\n" + String.join("\n", rows) + "\n");
    }
}
