package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.LongRun;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Many mixed requests to one process with its default threads: neither threads nor memory grow after the first tenth.
 *
 * <p>{@code -Dstackelberg.long=N} sends N of them, with the options of the launcher.
 */
class ServeManyTest {
    private static final int IN_THE_SUITE = 300;

    /** In a long run; a process is still warming up in the suite, where only threads are compared. */
    private static final double GROWTH = 1.1;

    /** Those of the launcher that decide on memory, that of compiled code included. */
    private static final String[] LAUNCHER = {
        "-XX:+UseParallelGC",
        "-XX:MaxRAMPercentage=50",
        "-XX:MaxDirectMemorySize=1t",
        "-Dorg.bytedeco.javacpp.maxBytes=0",
        "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
        "-XX:MaxNewSize=64m",
        // not known to every version
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:-UsePSAdaptiveSurvivorSizePolicy",
        "-XX:Tier4InvocationThreshold=100000",
        "-XX:Tier4CompileThreshold=300000",
        "-XX:Tier4BackEdgeThreshold=800000",
        "-XX:Tier3BackEdgeThreshold=5000"
    };

    @TempDir
    Path folder;

    @Tag("slow")
    @Test
    void threadsAndMemoryDoNotGrowWithTheRequests() throws IOException {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "the figures are Linux's");
        data();
        long requests = LongRun.tries(IN_THE_SUITE);
        try (Serving serve = new Serving(LAUNCHER)) {
            long[] early = send(serve, 0, requests / 10);
            long[] late = send(serve, requests / 10, requests);
            LongRun.print(String.format(
                    Locale.ROOT,
                    "Requests to one process: after %d %d threads and %.1f MB, after %d %d threads and %.1f MB.",
                    requests / 10,
                    early[0],
                    early[1] / 1024.0,
                    requests,
                    late[0],
                    late[1] / 1024.0));
            assertThat((double) late[0]).isLessThanOrEqualTo(LongRun.wanted() ? GROWTH * early[0] : early[0] + 4);
            if (LongRun.wanted()) {
                assertThat((double) late[1]).isLessThanOrEqualTo(GROWTH * early[1]);
            }
        }
    }

    /** Threads and resident memory after requests of these numbers. */
    private long[] send(Serving serve, long from, long to) {
        for (long k = from; k < to; k++) {
            List<String> words = words(k);
            String line = JsonMapper.shared().writeValueAsString(Map.of("id", k, "run", words));
            assertThat(serve.ask(line).get("exit").asInt())
                    .as(String.join(" ", words))
                    .isIn(0, 2, 3, 4);
        }
        return new long[] {serve.status("Threads"), serve.status("VmRSS")};
    }

    private void data() throws IOException {
        Samples.file(folder, "small.csv", Samples.Game.random(60, 3).csv());
        Samples.file(folder, "large.csv", Samples.Game.random(5000, 8).csv());
        Samples.Game game = Samples.Game.random(2000, 60);
        NpyWriter.write(folder.resolve("x.npy"), game.x());
        NpyWriter.write(folder.resolve("y.npy"), game.y());
        for (String name : List.of("small", "large")) {
            assertThat(Run.stackelberg(
                                    "fit",
                                    folder.resolve(name + ".csv"),
                                    "--target",
                                    "y",
                                    "--wish",
                                    "z",
                                    "-o",
                                    folder.resolve(name + ".json"))
                            .code())
                    .isZero();
        }
    }

    private List<String> words(long k) {
        Random random = new Random(0x9E3779B9L * (k + 335));
        String name = random.nextInt(4) == 0 ? "large" : "small";
        String csv = folder.resolve(name + ".csv").toString();
        String model = folder.resolve(name + ".json").toString();
        String gamma = String.valueOf(0.1 + random.nextDouble());
        List<String> fit = List.of("fit", csv, "--target", "y", "--wish", "z", "--gamma", gamma, "--json");
        return switch (random.nextInt(16)) {
            case 0 -> List.of("describe", csv);
            case 1 -> List.of("predict", model, csv, "--json");
            case 2 -> List.of("respond", model, csv, "--json");
            case 3 -> List.of("evaluate", model, csv, "--json");
            case 4 -> List.of("verify", model, csv);
            case 5 -> List.of("summary", model);
            case 6 -> List.of("path", csv, "--target", "y", "--wish", "z", "--gammas", "0.1,1," + gamma, "--json");
            case 7 -> List.of("tune", csv, "--target", "y", "--wish", "z", "--gammas", "0.1,1", "--folds", "3");
            case 8 -> List.of("simulate", csv, "--target", "y", "--wish", "z", "--rounds", "10");
            case 9 ->
                List.of(
                        "fit",
                        "--x",
                        folder.resolve("x.npy").toString(),
                        "--y",
                        folder.resolve("y.npy").toString(),
                        "--wish",
                        "max(y,1)",
                        "--gamma",
                        gamma);
            case 10 -> with(fit, "--hedge", "5%");
            case 11 -> with(fit, "-o", folder.resolve("out.json").toString());
            case 12 -> with(fit, "--target", "nix");
            case 13 -> with(fit, "--nix");
            case 14 -> List.of("fit", csv, "--target", "y", "--wish", "z", "--loss", "huber:1");
            default -> fit;
        };
    }

    private static List<String> with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }
}
