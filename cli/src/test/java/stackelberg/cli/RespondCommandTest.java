package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

class RespondCommandTest {
    @TempDir
    Path folder;

    private Path data;
    private Path file;
    private StackelbergModel model;

    @BeforeEach
    void fit() {
        data = Samples.csv(folder);
        file = folder.resolve("model.json");
        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--cost", "b=2", "-o", file, "-q");
        assertThat(run.code()).as(run.err()).isZero();
        model = ModelFile.load(file);
    }

    @Test
    void everyMoveGivesThePrintedPrediction() {
        Run run = Run.stackelberg("respond", file, data);

        assertThat(run.code()).isZero();
        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("row,prediction,wish,after_response,cost,move a,move b");
        assertThat(lines).hasSize(1 + Samples.ROWS);
        var c = model.coefficients();
        for (String line : lines.subList(1, lines.size())) {
            double[] cells = List.of(line.split(",")).stream()
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            assertThat(cells[1] + c.get("a") * cells[5] + c.get("b") * cells[6]).isCloseTo(cells[3], within(1e-10));
        }
        assertThat(run.err()).contains("60 people").contains("furthest");
    }

    @Test
    void withAnOutputFileTheSummaryGoesToStandardOutput() {
        Path moves = folder.resolve("moves.csv");

        Run run = Run.stackelberg("respond", file, data, "-o", moves, "--top", "2", "--group", "kind");

        assertThat(Samples.read(moves).lines()).hasSize(1 + Samples.ROWS);
        assertThat(run.out()).contains("by kind").contains("blue (40)").contains("red (20)");
        assertThat(run.out().lines().filter(l -> l.startsWith("  row "))).hasSize(2);
    }

    @Test
    void jsonHasExactlyTheStableKeys() {
        Run run = Run.stackelberg("respond", file, data, "--json", "--group", "kind", "--top", "3");

        JsonNode json = run.json();
        assertThat(run.err()).isEmpty();
        assertThat(json.propertyNames())
                .containsExactly(
                        "gamma",
                        "pullThrough",
                        "people",
                        "meanPrediction",
                        "meanWish",
                        "meanAfterResponse",
                        "meanCost",
                        "peopleOutOfRange",
                        "features",
                        "groups",
                        "furthest",
                        "filled",
                        "warnings",
                        "warningCodes");
        assertThat(json.get("features").get(0).propertyNames())
                .containsExactly("feature", "meanMove", "meanScaledMove", "largestMove", "leaveRange", "turnNegative");
        assertThat(json.get("furthest")).hasSize(3);
        assertThat(json.get("furthest").get(0).get("cost").asDouble())
                .isGreaterThanOrEqualTo(json.get("furthest").get(1).get("cost").asDouble());
        double t = model.pullThrough();
        assertThat(json.get("meanAfterResponse").asDouble())
                .isCloseTo(
                        (1 - t) * json.get("meanPrediction").asDouble()
                                + t * json.get("meanWish").asDouble(),
                        within(1e-10));
    }

    @Test
    void rowsFarAwayLeaveTheRangeSeenInTraining() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind,hope\n0,0.1,red,50\n0,1.5,red,0\n");

        JsonNode json = Run.stackelberg("respond", file, people, "--json").json();

        assertThat(json.get("peopleOutOfRange").asInt()).isEqualTo(1);
        assertThat(json.get("warnings").get(0).asString()).contains("1 of 2 people");
        // b counts negatively, so a row that wants 50 lowers it below 0
        assertThat(json.get("features").get(1).get("turnNegative").asInt()).isEqualTo(1);
    }

    @Test
    void aHarderWorldMovesPeopleLess() {
        double usual = Run.stackelberg("respond", file, data, "--json")
                .json()
                .get("pullThrough")
                .asDouble();
        double harder = Run.stackelberg("respond", file, data, "--json", "--gamma", "100")
                .json()
                .get("pullThrough")
                .asDouble();

        assertThat(harder).isLessThan(usual / 2);
        assertThat(Run.stackelberg("respond", file, data, "--gamma", "-1").code())
                .isEqualTo(ExitCode.WRONG_USAGE);
    }

    @Test
    void respondWithoutWishesIsRefused() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind\n1,2,red\n");

        Run refused = Run.stackelberg("respond", file, people);
        Run given = Run.stackelberg("respond", file, people, "--wish", "p+1");

        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(refused.err()).contains("hope").contains("--wish");
        assertThat(given.code()).isZero();
    }

    @Test
    void unknownLevelsMissingValuesAndAbsentColumnsAreNamed() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind,hope\n1,2,green,3\n1,,red,3\n");
        Path fewer = Samples.file(folder, "fewer.csv", "kind,b,hope\nred,40,3\n");

        assertThat(Run.stackelberg("respond", file, people, "--missing", "drop").err())
                .contains("green");
        assertThat(Run.stackelberg("respond", file, people, "--unknown", "zero").err())
                .contains("'b', row 2");
        assertThat(Run.stackelberg("respond", file, fewer).err()).contains("'a'");
        Run policy = Run.stackelberg("respond", file, people, "--unknown", "zero", "--missing", "drop");
        assertThat(policy.code()).isZero();
        assertThat(policy.out().lines()).hasSize(2);
        assertThat(policy.err()).contains("left out because a value is missing: 1");
    }

    @Test
    void withoutAFiniteRuleThereIsNothingToRespondTo() {
        Path none = folder.resolve("none.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "y+1", "--hedge", "none", "-o", none, "-q");

        Run respond = Run.stackelberg("respond", none, data);
        Run evaluate = Run.stackelberg("evaluate", none, data, "--json");

        assertThat(respond.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(respond.out()).isEmpty();
        assertThat(respond.err()).contains("no finite equilibrium");
        assertThat(evaluate.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(evaluate.json().get("rules")).isEmpty();
    }

    @Test
    void aFailureLeavesTheOldFileUnchanged() {
        Path moves = Samples.file(folder, "moves.csv", "old\n");
        Path people = Samples.file(folder, "people.csv", "a,b,kind,hope\n1,2,green,3\n");

        assertThat(Run.stackelberg("respond", file, people, "-o", moves).code()).isEqualTo(ExitCode.BAD_DATA);

        assertThat(Samples.read(moves)).isEqualTo("old\n");
    }

    @Test
    void theGroupColumnOfTheModelIsTheDefault() throws Exception {
        Path grouped = folder.resolve("grouped.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--group", "kind", "-o", grouped, "-q");
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(Files.readString(data).getBytes(StandardCharsets.UTF_8)));
            Run run = Run.stackelberg("respond", grouped, "-", "--json");
            assertThat(run.json().get("groups")).hasSize(2);
        } finally {
            System.setIn(before);
        }
        assertThat(ModelFile.load(grouped).coefficients()).doesNotContainKey("kind=red");
    }
}
