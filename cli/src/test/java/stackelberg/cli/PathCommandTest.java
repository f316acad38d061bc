package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.JsonNode;

class PathCommandTest {
    @TempDir
    Path folder;

    @Test
    void jsonHasExactlyTheStableKeys() {
        Run run = path("--gammas", "0.1,1,10", "--json");

        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.err()).isEmpty();
        assertThat(run.json().propertyNames())
                .containsExactly(
                        "seconds",
                        "passes",
                        "solver",
                        "truthfulShare",
                        "target",
                        "weight",
                        "totalWeight",
                        "immutable",
                        "today",
                        "path");
        assertThat(run.json().get("seconds").propertyNames())
                .containsExactly("read", "assemble", "solve", "certify", "recover", "judge");
        assertThat(run.json().get("path")).hasSize(3).allSatisfy(entry -> assertThat(entry.propertyNames())
                .containsExactly(
                        "objective",
                        "multiplier",
                        "gapBound",
                        "proof",
                        "certified",
                        "claim",
                        "finite",
                        "finiteness",
                        "unique",
                        "pullThrough",
                        "effects",
                        "earned",
                        "gamed",
                        "meanImprovement",
                        "incentives",
                        "iterations",
                        "status",
                        "gamma",
                        "gammaShare",
                        "ridge",
                        "hedge",
                        "balance",
                        "frontier",
                        "limits",
                        "oneSided",
                        "limited",
                        "between",
                        "rows",
                        "features",
                        "coefficients",
                        "intercept",
                        "solverNote",
                        "relativeGap",
                        "losses",
                        "rmse",
                        "loss",
                        "meanLoss",
                        "yes",
                        "standardErrors",
                        "rSquared",
                        "filled",
                        "warnings",
                        "warningCodes",
                        "notes",
                        "noteCodes"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "krylov", "direct", "cd-admm", "admm"})
    void everyGammaIsTheSingleFit(String solver) {
        JsonNode path = path("--gammas", "log:0.01:100:5", "--solver", solver, "--hedge", "none", "--json")
                .json()
                .get("path");

        assertThat(path).hasSize(5);
        for (JsonNode entry : path) {
            JsonNode single = Run.stackelberg(
                            command("fit", "--gamma", entry.get("gamma"), "--hedge", "none", "--json"))
                    .json();
            for (String key : List.of("objective", "pullThrough", "multiplier", "intercept")) {
                double expected = single.get(key).asDouble();
                assertThat(entry.get(key).asDouble())
                        .as(key)
                        .isCloseTo(expected, within(2e-4 * (1e-3 + Math.abs(expected))));
            }
            assertThat(entry.get("objective").asDouble())
                    .isCloseTo(single.get("objective").asDouble(), within(1e-8));
            assertThat(entry.get("coefficients").propertyNames())
                    .containsExactlyElementsOf(single.get("coefficients").propertyNames());
        }
    }

    @Test
    void solversThatShareGammasShareTheirPasses() {
        int one = path("--gammas", "1", "--solver", "krylov", "--json")
                .json()
                .get("passes")
                .asInt();
        JsonNode many = path("--gammas", "log:0.1:10:30", "--solver", "krylov", "--json")
                .json();

        // four columns: the space is exhausted after a few blocks, however many gammas there are
        assertThat(many.get("passes").asInt()).isBetween(one, one + 4);
    }

    @Test
    void theTableShowsEveryGammaAndTheLargestCoefficients() {
        Run run = path("--gammas", "0.1,1,10");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out())
                .containsPattern(
                        "gamma +in words +pull-through +RMSE +relative gap +certified +a +(b|kind=red) +(b|kind=red)\n")
                .containsPattern("\n  0\\.1 +[0-9.]+% +0\\.\\d+ +\\d\\.\\d+ +\\d\\.\\de-\\d+ +yes +[0-9.]+ ")
                .containsPattern("\n  10 +")
                .contains("Certified: globally optimal at every gamma.");
    }

    @Test
    void quietPrintsNothing() {
        Run run = path("--quiet");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEmpty();
    }

    @Test
    void aFileHasOneRowPerGammaWithAllCoefficients() throws Exception {
        Path file = folder.resolve("path.csv");
        JsonNode path =
                path("--gammas", "0.1,1,10", "--json", "-o", file).json().get("path");

        List<String> lines = Files.readAllLines(file);

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .isEqualTo("gamma,pullThrough,objective,multiplier,gapBound,relativeGap,proof,certified,finite,unique,"
                        + "iterations,status,intercept,coefficient.a,coefficient.b,coefficient.kind=red");
        for (int k = 0; k < 3; k++) {
            String[] cells = lines.get(k + 1).split(",");
            assertThat(Double.parseDouble(cells[0]))
                    .isEqualTo(path.get(k).get("gamma").asDouble());
            assertThat(Double.parseDouble(cells[12]))
                    .isEqualTo(path.get(k).get("intercept").asDouble());
            assertThat(Double.parseDouble(cells[14]))
                    .isEqualTo(path.get(k).get("coefficients").get("b").asDouble());
        }
    }

    @Test
    void aFileIsWrittenWholeOrNotAtAll() throws Exception {
        Path file = Files.writeString(folder.resolve("path.csv"), "mine");

        Run refused = path("-o", file, "--immutable", "unknown");
        Run nowhere = path("-o", folder.resolve("no/such/path.csv"));

        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(Files.readString(file)).isEqualTo("mine");
        assertThat(nowhere.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(nowhere.err()).contains("does not exist");
    }

    @Test
    void aColumnNameWithACommaIsQuoted() {
        Path data = Samples.file(
                folder,
                "comma.csv",
                Samples.read(Samples.csv(folder)).replaceFirst("a,b,kind", "\"a, first\",gamma,kind"));
        Path file = folder.resolve("path.csv");

        Run run = Run.stackelberg(
                "path", data, "--target", "y", "--wish", "hope", "--gammas", "1", "-o", file, "--quiet");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(Samples.read(file).lines().findFirst().orElseThrow())
                .contains("intercept,\"coefficient.a, first\",coefficient.gamma,");
    }

    @Test
    void oneGammaThatIsNotCertifiedIsExitCodeFour() {
        Run run = path(
                "--gammas",
                "0.1,1,10",
                "--solver",
                "cd-admm",
                "--plain",
                "--rho",
                "fixed:40",
                "--max-iterations",
                "20");

        JsonNode json = path(
                        "--gammas",
                        "0.1,1,10",
                        "--solver",
                        "cd-admm",
                        "--plain",
                        "--rho",
                        "fixed:40",
                        "--max-iterations",
                        "20",
                        "--json")
                .json();
        long open = Stream.of(0, 1, 2)
                .filter(k -> !json.get("path").get(k).get("certified").asBoolean())
                .count();
        assertThat(open).isBetween(1L, 2L);
        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("NOT certified at " + open + " of 3 gammas");
        assertThat(run.err()).contains("At " + open + " of 3 gammas, such as ");
    }

    @Test
    void withoutAFiniteEquilibriumThereAreNoCoefficients() {
        Path file = folder.resolve("path.csv");
        Run run = Run.stackelberg(
                "path",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "y+2",
                "--ignore",
                "hope",
                "--gammas",
                "1,2",
                "--hedge",
                "none",
                "-o",
                file);

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("not finite").doesNotContain("kind=red");
        assertThat(run.err().lines().filter(line -> line.contains("No finite equilibrium")))
                .hasSize(1);
        assertThat(Samples.read(file).lines().skip(1)).allMatch(row -> row.endsWith(",,,,"));
    }

    @Test
    void wrongGammasAreWrongUsage() {
        Run run = path("--gammas", "10:1:5");

        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(run.err())
                .contains("--gammas")
                .contains("from 10 to 1; the first must be the smaller")
                .doesNotContain("Exception");
    }

    @Test
    void arraysGiveTheResultOfTheSameCsvFile() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Path csv = Samples.file(folder, "game.csv", game.csv());

        JsonNode arrays = Run.stackelberg("path", "--x", x, "--y", y, "--z", z, "--gammas", "0.5,5", "--json")
                .json();
        JsonNode table = Run.stackelberg("path", csv, "--target", "y", "--wish", "z", "--gammas", "0.5,5", "--json")
                .json();

        for (int k = 0; k < 2; k++) {
            double expected = table.get("path").get(k).get("objective").asDouble();
            assertThat(arrays.get("path").get(k).get("objective").asDouble())
                    .isCloseTo(expected, within(1e-9 * expected));
        }
    }

    private Run path(Object... more) {
        return Run.stackelberg(command("path", more));
    }

    private Object[] command(String name, Object... more) {
        return Stream.concat(Stream.of(name, Samples.csv(folder), "--target", "y", "--wish", "hope"), Stream.of(more))
                .toArray();
    }
}
