package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/** Every numeric option of every command at extreme values: the answer is one of the documented exit codes, within seconds, and never an internal error. */
@Tag("slow")
class NumericOptionsTest {
    /** The slowest, a cost of 1e9 in compare, takes some 20 on a busy machine: its hedged rule is searched for at many weights. */
    private static final int SECONDS = 60;

    private static final List<String> EXTREMES = List.of(
            "0",
            "-1",
            "1",
            "1e308",
            "-1e308",
            "1e-320",
            "1e16",
            "NaN",
            "Infinity",
            "2147483647",
            "-2147483648",
            "99999999999999999999",
            "1e400",
            "100%",
            "1e308%",
            "");

    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, Integer.class, long.class, Long.class, double.class, Double.class);

    /** Options that hold a number among other things, with # for it. */
    private static final Map<String, List<String>> HOLDING = Map.ofEntries(
            Map.entry("--gamma", List.of("#", "#%", "#..2", "1..#")),
            Map.entry("--world-gamma", List.of("#", "#%")),
            Map.entry("--gammas", List.of("#", "#:2:3", "1:#:3", "1:2:#")),
            Map.entry("--world-gammas", List.of("#", "1:#:3", "1:2:#")),
            Map.entry("--ridges", List.of("#", "1:#:3", "1:2:#")),
            Map.entry("--gamma-range", List.of("#:2", "1:#")),
            Map.entry("--cost", List.of("a=#")),
            Map.entry("--effect", List.of("a=#")),
            Map.entry("--limit", List.of("a<=#", "a>=#")),
            Map.entry("--loss", List.of("huber:#")),
            Map.entry("--se", List.of("bootstrap:#")),
            Map.entry("--rho", List.of("fixed:#", "#")));

    /** What an option needs beside it to be looked at. */
    private static final Map<String, List<String>> BESIDE = Map.of(
            "--rho", List.of("--solver", "admm"),
            "--eps", List.of("--solver", "admm", "--plain", "--rho", "fixed:1"),
            "--max-iterations", List.of("--solver", "admm"),
            "--world-gammas", List.of("--gammas", "1:3:3"));

    @TempDir
    static Path folder;

    private static Path data;
    private static Path model;
    private static Path yesOrNo;

    @BeforeAll
    static void models() {
        data = Samples.csv(folder);
        model = folder.resolve("model.json");
        yesOrNo = folder.resolve("yes.json");
        Object[] linear = {"fit", data, "--target", "y", "--wish", "hope", "-q", "-o", model};
        Object[] logistic = {
            "fit", data, "--target", "y", "--yes", ">=0", "--loss", "logistic", "--wish", "0.9", "-q", "-o", yesOrNo
        };
        assertThat(Run.stackelberg(linear).code()).isIn(0, 4);
        assertThat(Run.stackelberg(logistic).code()).isIn(0, 4);
    }

    /** Command lines that are right, at least one for each command that has such options. */
    static Stream<List<String>> commandLines() {
        String game = "DATA --target y --wish hope";
        String gains = "DATA --target y --yes >=0 --loss logistic --wish 0.9";
        return Stream.of(
                        "demo",
                        "describe " + game,
                        "fit " + game,
                        "fit " + gains,
                        "predict MODEL DATA",
                        "verify MODEL DATA",
                        "respond MODEL DATA",
                        "respond YES DATA",
                        "evaluate MODEL DATA",
                        "evaluate YES DATA",
                        "compare " + game,
                        "gamma MODEL --before DATA --after DATA --wish hope",
                        "effect MODEL --before DATA --after DATA --wish hope",
                        "path " + game,
                        "simulate " + game,
                        "export YES --as points",
                        "export " + game + " --as sdpa",
                        "tune " + game)
                .map(line -> List.of(line.split(" ")));
    }

    private static List<String> values(OptionSpec option) {
        List<String> patterns =
                HOLDING.getOrDefault(option.longestName(), NUMBERS.contains(option.type()) ? List.of("#") : List.of());
        return patterns.stream()
                .flatMap(pattern -> EXTREMES.stream().map(value -> pattern.replace("#", value)))
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    void anExtremeNumberIsAnsweredOrRefusedAndNeverAnInternalError(List<String> line) throws Exception {
        List<String> wrong = new ArrayList<>();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        for (OptionSpec option : Main.commandLine()
                .getSubcommands()
                .get(line.get(0))
                .getCommandSpec()
                .options()) {
            for (String value : values(option)) {
                List<Object> words = new ArrayList<>();
                for (String word : line) {
                    words.add(
                            switch (word) {
                                case "DATA" -> data;
                                case "MODEL" -> model;
                                case "YES" -> yesOrNo;
                                default -> word;
                            });
                }
                words.addAll(BESIDE.getOrDefault(option.longestName(), List.of()));
                if (Set.of("path", "tune").contains(line.get(0))
                        && !option.longestName().contains("gammas")) {
                    // one is enough
                    words.add("--gammas=30%");
                }
                words.add(option.longestName() + "=" + value);
                String asked = line.get(0) + " ... " + option.longestName() + "=" + value;
                long start = System.nanoTime();
                Future<Run> run = thread.submit(() -> Run.oneOfMany(words.toArray()));
                try {
                    Run answer = run.get(SECONDS, TimeUnit.SECONDS);
                    if (!Set.of(0, 2, 3, 4).contains(answer.code())) {
                        wrong.add(asked + ": exit " + answer.code() + ", " + answer.err());
                    }
                } catch (TimeoutException e) {
                    run.cancel(true);
                    wrong.add(asked + ": not after " + (System.nanoTime() - start) / 1_000_000_000 + " s");
                    thread.shutdownNow();
                    thread = Executors.newSingleThreadExecutor();
                }
            }
        }
        thread.shutdownNow();
        assertThat(wrong).isEmpty();
    }

    /** A command with such options has a command line here. */
    @Test
    void everyCommandWithNumericOptionsIsTried() {
        List<String> tried = commandLines().map(line -> line.get(0)).toList();
        Main.commandLine().getSubcommands().forEach((name, command) -> {
            boolean numeric = command.getCommandSpec().options().stream()
                    .anyMatch(option -> !values(option).isEmpty());
            assertThat(!numeric || tried.contains(name)).as(name).isTrue();
        });
    }
}
