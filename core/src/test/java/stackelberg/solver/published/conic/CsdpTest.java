package stackelberg.solver.published.conic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import stackelberg.RealGame;
import stackelberg.RealSphere;
import stackelberg.linalg.Workers;
import stackelberg.solver.PlantedGame;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereProblem;

/** Exported files are solved by CSDP, an independent program: its optimal value is that of sdp and of direct. */
class CsdpTest {
    private static final Workers ONE = Workers.of(1);

    /** Its own tolerances are relative to the largest numbers of the file, of the size of y'y; f* can be 1e-5 of that. */
    private static final String PARAMETERS = """
            axtol=1.0e-12
            atytol=1.0e-12
            objtol=1.0e-11
            pinftol=1.0e8
            dinftol=1.0e8
            maxiter=200
            minstepfrac=0.90
            maxstepfrac=0.97
            minstepp=1.0e-12
            minstepd=1.0e-12
            usexzgap=1
            tweakgap=0
            affine=0
            printlevel=1
            perturbobj=0
            fastmode=0
            """;

    @TempDir
    private Path folder;

    @BeforeAll
    static void csdpIsInstalled() {
        boolean found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "csdp")));
        Assumptions.assumeTrue(found, "No csdp on the PATH: install Debian's coinor-csdp to run this cross-check.");
    }

    static List<RealGame> realGames() {
        // blog alone takes as long to read as all the others to read and solve
        return RealGame.all().stream()
                .filter(real -> !real.name().startsWith("blog"))
                .toList();
    }

    static List<PlantedGame> plantedGames() {
        List<PlantedGame> list = new ArrayList<>();
        Random random = new Random(77);
        for (PlantedGame.Case kind : PlantedGame.Case.values()) {
            list.add(PlantedGame.of(random, 20, 5, 10, 0.5, kind, 0.8));
            list.add(PlantedGame.of(random, 60, 30, 100, 4, kind, 0.5));
        }
        return list;
    }

    @ParameterizedTest
    @MethodSource("realGames")
    @Tag("slow")
    void agreesOnRealGames(RealGame real) throws Exception {
        assertAgreement(RealSphere.of(real, 0.1));
    }

    @ParameterizedTest
    @MethodSource("plantedGames")
    void agreesOnPlantedGames(PlantedGame planted) throws Exception {
        assertAgreement(
                Reduction.of(planted.game(), ONE).family().at(planted.game().gamma()));
    }

    private void assertAgreement(SphereProblem problem) throws Exception {
        double csdp = solveByCsdp(problem);
        assertThat(csdp).isCloseTo(objective(new DirectSolver(ONE), problem), within(1e-6 * Math.abs(csdp)));
        assertThat(csdp).isCloseTo(objective(new SdpSolver(ONE), problem), within(1e-6 * Math.abs(csdp)));
    }

    private static double objective(SphereSolver solver, SphereProblem problem) {
        double[] r = solver.solve(problem, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
        return problem.evaluate(r).objective();
    }

    /** f* = -(the file's optimal value), from the line "Dual objective value: ..." of the feasible side. */
    private double solveByCsdp(SphereProblem problem) throws IOException, InterruptedException {
        Path file = folder.resolve("game.dat-s");
        SdpaFile.write(problem, file);
        Files.writeString(folder.resolve("param.csdp"), PARAMETERS);
        Path output = folder.resolve("csdp.log");
        Process process = new ProcessBuilder(
                        "csdp", file.toString(), folder.resolve("game.sol").toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("csdp did not end within a minute");
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        return lines.stream()
                .filter(line -> line.startsWith("Dual objective value:"))
                .map(line -> -Double.parseDouble(
                        line.substring(line.indexOf(':') + 1).trim()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("csdp said: " + String.join("\n", lines)));
    }
}
