package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

class SimulateCommandTest {
    @TempDir
    Path folder;

    private Path data;

    @BeforeEach
    void write() {
        data = Samples.csv(folder);
    }

    private Run simulate(Object... more) {
        List<Object> words = new ArrayList<>(
                List.of("simulate", data, "--target", "y", "--wish", "hope", "--wish-noise", 0.5, "--gamma", 5));
        words.addAll(List.of(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void simulatePrintsHowRetrainingEndsAndItsCost() {
        Run run = simulate("--rounds", 60);

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out())
                .startsWith(
                        "y, retrained on 60 people for 60 rounds: people start each round from their original features and"
                                + " move fully.\n")
                .contains("Retraining settles at a rule that loses ")
                .contains("The rule that anticipates (certified) loses ")
                .contains(
                        "Verified: the rule is stable; least squares on people who have responded to it gives the same rule");
        // the first rounds and the last ones, and a line for those between
        assertThat(run.out()
                        .lines()
                        .filter(line -> line.matches("  (\\d+|\\.\\.\\.).*"))
                        .toList())
                .hasSize(9);
    }

    @Test
    void roundsThatDifferByRoundingAreNotReportedAsACycle() {
        Path page = folder.resolve("rounds.html");
        Object[] words = {
            "simulate", RealData.file("wine.csv"), "--target", "quality", "--wish", "max(y,7)", "--gamma", 0.5
        };
        Run run = Run.stackelberg(
                Stream.concat(Stream.of(words), Stream.of("--report", page)).toArray());
        JsonNode json = Run.stackelberg(
                        Stream.concat(Stream.of(words), Stream.of("--json")).toArray())
                .json();

        assertThat(run.out())
                .contains("Retraining runs away: after ", "because the next rule would be fitted to rounding errors.")
                .doesNotContain("no circle is seen", "1 - 1.0e-1");
        assertThat(Samples.read(page)).contains("because the next rule would be fitted to rounding errors.");
        assertThat(json.get("endsInRounding").asBoolean()).isTrue();
        assertThat(json.get("rounds").size()).isLessThan(30);
        json.get("rounds").forEach(round -> assertThat(round.get("pullThrough").asDouble())
                .isLessThan(1 - 1e-11));
    }

    @Test
    void theFirstRoundIsTodaysRuleOfFit() {
        JsonNode fit = Run.stackelberg(
                        "fit",
                        data,
                        "--target",
                        "y",
                        "--wish",
                        "hope",
                        "--wish-noise",
                        0.5,
                        "--gamma",
                        5,
                        "--hedge",
                        "none",
                        "--json")
                .json();
        JsonNode played = simulate("--rounds", 3, "--json").json();
        JsonNode first = played.get("rounds").get(0);

        assertThat(played.get("rounds").size()).isEqualTo(3);
        assertThat(first.get("promised").asDouble())
                .isCloseTo(fit.get("losses").get("naive").asDouble(), within(1e-9));
        assertThat(first.get("loss").asDouble())
                .isCloseTo(fit.get("losses").get("naiveAttacked").asDouble(), within(1e-9));
        assertThat(first.get("anticipated").asDouble())
                .isCloseTo(fit.get("losses").get("anticipated").asDouble(), within(1e-9));
        assertThat(played.get("model").get("objective").asDouble())
                .isEqualTo(fit.get("objective").asDouble());
        assertThat(played.get("memory").asString()).isEqualTo("original");
        assertThat(played.get("excess").asDouble()).isPositive();
    }

    @Test
    void roundsAreWrittenWithTheirCoefficients() {
        Path file = folder.resolve("rounds.csv");
        Run run = simulate("--rounds", 4, "--out", file, "--quiet");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEmpty();
        List<String> lines = Samples.read(file).lines().toList();
        assertThat(lines).hasSize(5);
        assertThat(lines.get(0))
                .isEqualTo("round,promised,loss,rmse,pullThrough,change,anticipated,intercept,a,b,kind=red");
        assertThat(lines.get(4)).startsWith("4,").doesNotContain(",,");
    }

    /** With memory (moves add up) or inertia (only part of each move) retraining ends elsewhere. */
    @Test
    void memoryAndInertiaChangeTheRounds() {
        double plain = last(simulate("--rounds", 5, "--json"));
        double onAndOn = last(simulate("--rounds", 5, "--json", "--memory", "present"));
        double slow = last(simulate("--rounds", 5, "--json", "--inertia", "50%"));

        assertThat(onAndOn).isNotCloseTo(plain, within(1e-3));
        assertThat(slow).isNotCloseTo(plain, within(1e-3));
        assertThat(slow).isNotCloseTo(onAndOn, within(1e-3));
    }

    private static double last(Run run) {
        assertThat(run.code()).as(run.err()).isZero();
        JsonNode rounds = run.json().get("rounds");
        return rounds.get(rounds.size() - 1).get("loss").asDouble();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --hedge 5%        | --hedge bounds a rule's loss if nobody moves, which retraining does not.
                    --rounds 0        | There are 0 rounds; there must be 1 to 100000.
                    --inertia 100%    | The inertia is 1.0; it must be 0 or more and less than 1.
                    --memory long     | "long" is not one of original, present
                    """)
    void contradictoryOptionsAreRefusedByName(String options, String why) {
        Run run = simulate((Object[]) options.split(" "));

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).contains(why);
    }

    /** Limits, gammas per row and truthful people are simulated too, the first two row by row. */
    @ParameterizedTest
    @CsvSource({
        "--limit a<=1, true, 4",
        "--one-sided up, true, 4",
        "--truthful-share 0.3, false, 0",
        "--effect a=0.5, false, 0",
        "--ridge 0.1, false, 0",
        "--intercept manipulable, false, 0",
        "--intercept none, false, 0",
        "--immutable none, false, 0",
        "--paper, false, 0"
    })
    void everyKindOfGameIsSimulated(String options, boolean rowByRow, int code) {
        Object[] words = (options + " --rounds 8 --json").split(" ");
        Run run = simulate(words);

        assertThat(run.code()).as(run.err()).isEqualTo(code);
        assertThat(run.json().get("rowByRow").asBoolean()).isEqualTo(rowByRow);
        assertThat(run.json().get("rounds").size()).isEqualTo(8);
    }

    @Test
    void gammasPerRowAreSimulatedRowByRow() {
        StringBuilder text = new StringBuilder("a,g,y\n");
        for (int i = 0; i < 40; i++) {
            text.append(i % 7 - 3)
                    .append(',')
                    .append(1 + i % 3)
                    .append(',')
                    .append(2 * (i % 7) + i % 5)
                    .append('\n');
        }
        Path file = Samples.file(folder, "own.csv", text.toString());
        Run run = Run.stackelberg(
                "simulate", file, "--target", "y", "--wish", "max(y,9)", "--row-gamma", "g", "--rounds", 6, "--json");

        assertThat(run.code()).as(run.err()).isIn(0, 4);
        assertThat(run.json().get("rowByRow").asBoolean()).isTrue();
    }

    @Test
    void retrainingOnWineWithWishNoiseCycles() {
        Run run = Run.stackelberg(
                "simulate",
                RealData.file("wine.csv"),
                "--target",
                "quality",
                "--wish",
                "max(y,6)",
                "--wish-noise",
                1,
                "--gamma",
                0.1,
                "--rounds",
                200);

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Retraining cycles: the same 2 rules repeat, and it loses 1,346.4 to 1,764.3 a round,")
                .contains("The rule that anticipates (certified) loses 782.8");
    }

    @Test
    void thePageIsOneFile() throws Exception {
        Path page = folder.resolve("rounds.html");
        Run run = simulate("--rounds", 10, "--report", page, "--quiet");

        assertThat(run.code()).isZero();
        String html = Files.readString(page);
        assertThat(html)
                .doesNotContain("{{")
                .doesNotContainPattern("<script[^>]+src=")
                .contains("id=\"play\"");
    }
}
