package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

/** The paper's algorithms from the command line, over the ball and as published. */
class AdmmOptionsTest {
    @TempDir
    Path folder;

    /** Known for wine modest at gamma 0.1, eps 1e-8 and the paper's start. */
    @ParameterizedTest
    @CsvSource({"admm, 50, 65", "cd-admm, 50, 65", "cd-admm, 5, 579"})
    void plainWineTakesAsManyIterationsAsPublished(String solver, String rho, int iterations) {
        Run run = wine("--solver", solver, "--plain", "--rho", "fixed:" + rho, "--eps", "1e-8");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.json().get("solver").asString()).isEqualTo(solver);
        assertThat(run.json().get("iterations").asInt()).isCloseTo(iterations, within(iterations / 50));
        assertThat(run.json().get("objective").asDouble()).isCloseTo(571.168302720, within(5e-9));
    }

    @Test
    void epsOfThePlainAlgorithmDefaultsToTheKnownOne() {
        JsonNode spelledOut = wine("--solver", "cd-admm", "--plain", "--rho", "fixed:50", "--eps", "1e-8")
                .json();
        JsonNode implied =
                wine("--solver", "cd-admm", "--plain", "--rho", "fixed:50").json();
        JsonNode rough = wine("--solver", "cd-admm", "--plain", "--rho", "fixed:50", "--eps", "1e-3")
                .json();

        assertThat(implied.get("iterations")).isEqualTo(spelledOut.get("iterations"));
        assertThat(rough.get("iterations").asInt())
                .isLessThan(spelledOut.get("iterations").asInt());
    }

    /** 0.5 takes the published algorithm 5,718 iterations, 1e-3 and 1e6 more than the limit. */
    @ParameterizedTest
    @CsvSource({"admm, 50", "cd-admm, 0.5", "cd-admm, 1e-3", "cd-admm, 1e6"})
    void aFixedRhoWithoutPlainEndsAtTheOptimumForAnyRho(String solver, String rho) {
        JsonNode fixed = wine("--solver", solver, "--rho", "fixed:" + rho).json();

        assertThat(fixed.get("certified").asBoolean()).isTrue();
        assertThat(fixed.get("objective").asDouble()).isCloseTo(571.168302720, within(1e-6));
        assertThat(fixed.get("solverNote").asString()).doesNotContain("plain");
    }

    /** The two rows of docs/solvers.md: as published it stops at a point that is not optimal, or never; over the ball it ends at the minimum. */
    @ParameterizedTest
    @CsvSource({"10, CONVERGED, 1.91993", "1, ITERATION_LIMIT, 1.48077"})
    void thePlainAlgorithmFailsOnTheCounterexampleAndTheDefaultDoesNot(String rho, String status, double published) {
        Path rows = Samples.file(folder, "rows.csv", "x,y,hope\n-1,0,2\n3,2,1\n");
        Object[] game = {
            "fit",
            rows,
            "--target",
            "y",
            "--wish",
            "hope",
            "--gamma",
            "4",
            "--scale",
            "none",
            "--intercept",
            "none",
            "--json",
            "--se",
            "none",
            "--solver",
            "cd-admm",
            "--rho",
            "fixed:" + rho
        };

        Run plain = Run.stackelberg(
                Stream.concat(Stream.of(game), Stream.of("--plain")).toArray());
        Run repaired = Run.stackelberg(game);

        assertThat(plain.code()).as(plain.err()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(plain.json().get("status").asString()).isEqualTo(status);
        assertThat(plain.json().get("solverNote").asString())
                .startsWith("plain: ")
                .doesNotContain("moved");
        assertThat(plain.json().get("objective").asDouble()).isCloseTo(published, within(1e-5));
        assertThat(repaired.code()).as(repaired.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(repaired.json().get("objective").asDouble()).isCloseTo(0.164688594760854, within(1e-9));
        assertThat(repaired.json().get("solverNote").asString()).startsWith("H shifted by -1.2215");
    }

    @ParameterizedTest
    @ValueSource(strings = {"admm", "cd-admm"})
    void theDefaultRhoIsAdaptive(String solver) {
        JsonNode tuned = wine("--solver", solver).json();
        JsonNode adaptive = wine("--solver", solver, "--rho", "adaptive").json();

        assertThat(tuned.get("certified").asBoolean()).isTrue();
        assertThat(tuned.get("iterations").asInt()).isLessThan(60);
        assertThat(adaptive.get("iterations")).isEqualTo(tuned.get("iterations"));
    }

    @Test
    void theTraceHasObjectiveResidualsAndMultiplierInEveryRow() {
        Path trace = folder.resolve("trace.csv");

        Run run = wine("--solver", "cd-admm", "--plain", "--rho", "fixed:50", "--trace", trace);

        List<double[]> rows = Samples.read(trace)
                .lines()
                .skip(1)
                .map(line -> Arrays.stream(line.split(","))
                        .mapToDouble(Double::parseDouble)
                        .toArray())
                .toList();
        assertThat(rows).hasSize(run.json().get("iterations").asInt()).allMatch(row -> row.length == 5);
        double[] last = rows.get(rows.size() - 1);
        assertThat(last[1]).isCloseTo(run.json().get("objective").asDouble(), within(1e-6));
        assertThat(Math.max(last[2], last[3])).isLessThanOrEqualTo(1e-8);
        assertThat(last[4]).isCloseTo(run.json().get("multiplier").asDouble(), within(1e-5));
    }

    /** The reference experiments stop at 1e-5 of the first gradient: near the optimum, but not to 1e-9. */
    @Test
    void plainNewtonStopsByItsOwnRuleAndTheCertificateSaysHowFarOff() {
        Run plain = wine("--solver", "rtr-newton", "--plain");
        Run tuned = wine("--solver", "rtr-newton");

        assertThat(tuned.code()).as(tuned.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(plain.code()).as(plain.err()).isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
        assertThat(plain.json().get("gapBound").asDouble())
                .isGreaterThan(1e3 * tuned.json().get("gapBound").asDouble());
        assertThat(plain.json().get("objective").asDouble()).isCloseTo(571.168302720, within(1e-4));
    }

    @Test
    void aPlainRunEndedByTheIterationLimitIsNotCertified() {
        Run run = wine("--solver", "admm", "--plain", "--rho", "fixed:0.5", "--max-iterations", "100");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.json().get("status").asString()).isEqualTo("ITERATION_LIMIT");
    }

    static Stream<Arguments> wrongUsage() {
        return Stream.of(
                Arguments.of("--rho fixed:50", "no solver is named"),
                Arguments.of("--solver krylov --rho fixed:50", "the solver is krylov"),
                Arguments.of("--solver auto --plain", "--plain is about the solvers admm and cd-admm"),
                Arguments.of("--solver rtr-newton --plain --rho fixed:50", "the solver is rtr-newton"),
                Arguments.of("--solver rtr-newton --eps 1e-6", "--eps is about the solvers admm and cd-admm"),
                Arguments.of("--solver direct --eps 1e-6", "--eps is about the solvers admm and cd-admm"),
                Arguments.of("--solver admm --plain", "needs a rho"),
                Arguments.of("--solver admm --plain --rho adaptive", "not adaptive"),
                Arguments.of("--solver admm --eps 1e-6", "--tolerance"),
                Arguments.of("--solver admm --rho adaptive --eps 1e-6", "--tolerance"),
                Arguments.of("--solver admm --rho fixed:0", "rho is 0.0"),
                Arguments.of("--solver admm --rho fixed:-3", "rho is -3.0"),
                Arguments.of("--solver admm --rho fixed:NaN", "rho is NaN"),
                Arguments.of(
                        "--solver admm --rho fixed:1e-30", "rho is 1.0E-30; on this problem it should lie between"),
                Arguments.of(
                        "--solver cd-admm --rho fixed:1e30", "rho is 1.0E30; on this problem it should lie between"),
                Arguments.of("--solver admm --rho fixed:", "\"\" is not a number"),
                Arguments.of("--solver admm --rho fixed:big", "\"big\" is not a number"),
                Arguments.of("--solver admm --rho 50", "fixed:50"),
                Arguments.of("--solver admm --rho fixed:5 --eps 1e-6", "or add --plain."),
                Arguments.of("--solver admm --plain --rho fixed:5 --eps 0", "eps is 0.0"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongUsage")
    void wrongCombinationsAreWrongUsage(String options, String inMessage) {
        Object[] args = Stream.concat(
                        Stream.of("fit", Samples.csv(folder), "--target", "y", "--wish", "hope"),
                        Stream.of((Object[]) options.split(" ")))
                .toArray();

        Run run = Run.stackelberg(args);

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).startsWith("Error: ").contains(inMessage).doesNotContain("Exception");
        assertThat(run.out()).isEmpty();
    }

    /** Only the solver sees that this rho is of no use on these data; it was an internal error. */
    @ParameterizedTest
    @ValueSource(strings = {"fit", "path", "compare"})
    void optionsThatTheSolverRefusesAreWrongUsage(String command) {
        Run run = Run.stackelberg(
                command,
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "hope",
                "--solver",
                "cd-admm",
                "--rho",
                "fixed:1e30");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err()).startsWith("Error: rho is 1.0E30; on this problem it should lie between ");
    }

    private static Run wine(Object... more) {
        Object[] wine = {
            "fit",
            RealData.file("wine.csv"),
            "--target",
            "quality",
            "--wish",
            "max(y,6)",
            "--gamma",
            "0.1",
            "--paper",
            "--json"
        };
        return Run.stackelberg(Stream.concat(Stream.of(wine), Stream.of(more)).toArray());
    }
}
