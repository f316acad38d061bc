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
    void whatPeopleDidTellsHowHardItIsToMove() {
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
                        "warnings");
        assertThat(json.get("gamma").asDouble()).isCloseTo(WORLD, within(1e-6));
        assertThat(json.get("costs").get(1).get("feature").asString()).isEqualTo("b");
        assertThat(json.get("costs").get(1).get("cost").asDouble()).isCloseTo(2, within(1e-6));
        assertThat(json.get("costs").get(1).get("declared").asDouble()).isEqualTo(2);
    }

    @Test
    void peopleAreMatchedByTheirName() {
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
    void aScorecardCanHaveBeenThePublishedRule() {
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
    void dataThatCannotTellSaySo() {
        Run still = Run.stackelberg("gamma", file, "--before", data, "--after", data);

        assertThat(still.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(still.out()).contains("infinite");
        assertThat(still.err()).contains("Warning");
        Run changed = Run.stackelberg("gamma", file, "--before", data, "--after", after(0, true));
        assertThat(changed.err()).contains("Declared immutable, but changed: kind=red");
    }

    @Test
    void differentPeopleAreRefused() {
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
    void theSummaryTellsEverythingTheModelKnows() {
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
