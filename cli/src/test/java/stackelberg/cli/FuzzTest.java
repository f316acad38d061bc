package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.LongRun;
import stackelberg.data.io.NpyWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files, wishes and command lines that are nearly right: whatever they are, the command answers or refuses in words and soon, with exit code 0, 2, 3 or 4.
 *
 * <p>{@code -Dstackelberg.long=N} tries N of them.
 */
class FuzzTest {
    private static final int BY_DEFAULT = 200;
    private static final int IN_THE_SUITE = 1500;
    private static final int SECONDS_EACH = 60;
    private static final int SERVED_BY_DEFAULT = 100;
    private static final int SERVED_IN_THE_SUITE = 300;
    /** No answer comes later. */
    private static final int SERVED_SECONDS = 10;

    private static final List<String> TABLES = List.of(
            "a,b,kind,y,hope\n1,2,red,3,4\n2,1.5,blue,2,2.5\n-1,0,red,0.5,1\n4,2,green,5,5\n0,1,blue,1,3\n3,3,red,4,4\n",
            "\uFEFFa;b;y;hope\r\n1,5;2;3;4\r\n2,5;1;2;3\r\n0,5;7;1;2\r\n3,5;2;4;5\r\n",
            "\"a, b\"\t\"say \"\"x\"\"\"\ty\thope\n1\t\"2\"\t3\t4\n2\t\t5\t6\n3\t1\tNA\t8\n5\t4\t3\t2\n",
            "id,when,money,y,hope\nu1,2020-01-02,\"$1,234.50\",1,2\nu2,2020-01-03,\"$2,000.00\",2,3\n"
                    + "u3,2021-07-09,\"$17.00\",4,4\nu4,2022-01-01,\"$99.95\",3,5\n",
            "1,2,3,4\n2,3,4,5\n3,5,2,2\n4,1,1,6\n9,2,3,4\n");
    private static final String LIBSVM =
            "1.5 1:2 3:-1\n2 2:0.5 # a remark\n-1 1:1 2:1 3:1\n0.25\n3 qid:1 3:4\n2 1:-1 2:3\n";
    /** Which y of the tables are a yes. */
    private static final String YES = ">=1.5";

    private static final List<String> WISHES = List.of(
            "max(y,6)",
            "y+20",
            "hope",
            "2*y",
            "max(y,quantile(0.25))",
            "min(hope, -(a+b)/2)",
            "`a`*0.5",
            "if(y>2,3,y)",
            "abs(a-b)^2",
            "y",
            "7",
            "mean(y)+1e3",
            "clamp(y,1,3)",
            "sqrt(y)",
            "p+1");

    private static final List<String> HARD_IN_TABLES = List.of(
            "\"\"", "\"\n\"", "1,2\n", "\n\n\n", "a,a,a", "1.234,5", "1'000", "12%", "€36,583.42", "2020-02-30", "?");
    private static final List<String> HARD_IN_LIBSVM =
            List.of(" 1:", " :1", " 0:1", " 2147483647:1", " 2147483648:1", " -1:1", " 1:1 1:1", " 9:1 3:1", "#");
    private static final List<String> HARD_IN_ARRAYS = List.of(
            "'<f4'",
            "'>f8'",
            "'<i8'",
            "'|b1'",
            "'|O'",
            "True",
            "(6,)",
            "(3, 2)",
            "(0, 2147483647)",
            "(2147483647, 0)",
            "(9999999999, 9)",
            "(-1, 2)",
            "()",
            "(1, 2, 3)");
    private static final List<String> HARD_IN_REQUESTS = List.of(
            "\"run\"",
            "\"id\"",
            "\"id\":[[[[",
            "\"close\":false,",
            "\"run\":[],",
            "\"-\",",
            "\"/dev/stdin\",",
            "\"@/etc/passwd\",",
            "\"serve\",",
            "\"\\u0000\",",
            "\\ud800",
            "[".repeat(2000),
            "1e999999999",
            "{\"id\":1}");
    private static final List<String> HARD_IN_MODELS = List.of(
            "null",
            "true",
            "[]",
            "{}",
            "\"\"",
            "-1",
            "0",
            "1e999",
            "[null]",
            "[[[[",
            "\"NaN\"",
            "2",
            "\"version\":3,",
            "0.5");
    private static final List<String> HARD_IN_WISHES = List.of(
            "y",
            "hope",
            "max(",
            "min(",
            "quantile(",
            "quantile(2)",
            "*",
            "/0",
            "^",
            "^-1",
            "--",
            "((",
            "))",
            "`",
            "1e",
            ",",
            "today",
            "p",
            "(".repeat(300),
            "-".repeat(300),
            "+y".repeat(300));
    private static final List<String> COMMANDS = List.of(
            "describe",
            "fit",
            "predict",
            "verify",
            "respond",
            "evaluate",
            "compare",
            "gamma",
            "effect",
            "summary",
            "path",
            "simulate",
            "export",
            "tune",
            "help",
            "generate-completion",
            "ft");
    private static final List<String> WORDS = List.of(
            "IN/table.csv",
            "IN/model.json",
            "IN/data.svm",
            "IN/missing.csv",
            "--target",
            "y",
            "hope",
            "--wish",
            "max(y,2)",
            "--gamma",
            "0.5",
            "0",
            "-1",
            "1e-300",
            "1e300",
            "nan",
            "--gammas",
            "0.1,1",
            "1:2",
            "log:1:2:3",
            "2:1:3",
            "--folds",
            "2",
            "99",
            "--x",
            "IN/x.npy",
            "--y",
            "IN/y.npy",
            "--z",
            "--weight",
            "b",
            "--group",
            "kind",
            "--features",
            "a,b",
            "a,a",
            "--ignore",
            "--categorical",
            "--immutable",
            "none",
            "--cost",
            "a=2",
            "a=-1",
            "a",
            "--cost-units",
            "raw",
            "--wish-noise",
            "--intercept",
            "manipulable",
            "--scale",
            "range",
            "--missing",
            "mean",
            "drop",
            "--paper",
            "--solver",
            "direct",
            "cd-admm",
            "--tolerance",
            "--max-iterations",
            "--rho",
            "fixed:1",
            "--eps",
            "--plain",
            "--loss",
            "logistic",
            "huber:1",
            "--yes",
            ">=1",
            "--wish-units",
            "logodds",
            "--truthful-share",
            "0.3",
            "--row-gamma",
            "--json",
            "--quiet",
            "--no-header",
            "--header",
            "-o",
            "OUT/o",
            "--report",
            "OUT/r.html",
            "--trace",
            "--model",
            "--test",
            "--test-fraction",
            "--bootstrap",
            "20",
            "--unknown",
            "zero",
            "--as",
            "sql",
            "pmml",
            "sdpa",
            "--table",
            "--rule",
            "--before",
            "--after",
            "--id",
            "--top",
            "3",
            "--gamma-range",
            "--wish-error",
            "--cost-error",
            "--population",
            "--world-gamma",
            "--world-gammas",
            "--rounds",
            "--memory",
            "present",
            "--inertia",
            "0.5",
            "--out",
            "--seed",
            "--threads",
            "1",
            "--help",
            "-V",
            "--",
            "-",
            "@x",
            "--nonsense",
            "");

    @TempDir
    Path folder;

    private String model;
    private String yesOrNo;
    private byte[] features;
    private byte[] truths;
    private final Map<String, AtomicLong> counts = new ConcurrentSkipListMap<>();

    @BeforeEach
    void whatIsRight() throws IOException {
        Path table = Samples.file(folder, "table.csv", TABLES.get(0));
        Path fitted = folder.resolve("model.json");
        assertThat(Run.stackelberg(
                                "fit", table, "--target", "y", "--wish", "max(hope,2)", "--wish-noise", 1, "-o", fitted)
                        .code())
                .isZero();
        model = Files.readString(fitted);
        Path other = folder.resolve("yes.json");
        assertThat(Run.stackelberg(
                                "fit",
                                table,
                                "--features",
                                "a,b",
                                "--target",
                                "y",
                                "--loss",
                                "logistic",
                                "--yes",
                                YES,
                                "--wish",
                                "0.9",
                                "-o",
                                other)
                        .code())
                .isIn(0, 4);
        yesOrNo = Files.readString(other);
        Samples.Game game = Samples.Game.random(6, 2);
        NpyWriter.write(folder.resolve("x.npy"), game.x());
        NpyWriter.write(folder.resolve("y.npy"), game.y());
        features = Files.readAllBytes(folder.resolve("x.npy"));
        truths = Files.readAllBytes(folder.resolve("y.npy"));
        Samples.file(folder, "data.svm", LIBSVM);
    }

    /** What a try is: words of the command, and a file if one was made for it. */
    private record Try(String kind, List<String> words, byte[] file) {}

    /** A command line may ask for "-", standard input, which would wait for ever. */
    @BeforeAll
    static void nobodyTypes() {
        System.setIn(InputStream.nullInputStream());
    }

    @Test
    void anyInputIsAnsweredOrRefused() {
        long tries = LongRun.tries(BY_DEFAULT, IN_THE_SUITE);
        Collection<String> failures = LongRun.failures(tries, SECONDS_EACH, k -> {
            Random random = new Random(0x9E3779B9L * (k + 114));
            Path own = own();
            Try input = input(random, own);
            Run run = Run.oneOfMany(placed(input.words(), own));
            count(input.kind() + " " + run.code());
            return wrong(run)
                    .map(what -> what + ": " + String.join(" ", input.words())
                            + (input.file() == null ? "" : "\nwith the file " + escaped(input.file())) + "\n"
                            + run.err());
        });
        LongRun.print(
                "Fuzzers: " + tries + " inputs, by kind and exit code " + counts + ", wrong " + failures.size() + ".");
        assertThat(failures).isEmpty();
    }

    /** The same inputs as requests to one process, a third of the requests themselves nearly right. */
    @Test
    void anyRequestToServeIsAnsweredOrRefusedWithinTheTimeLimit() {
        long tries = LongRun.tries(SERVED_BY_DEFAULT, SERVED_IN_THE_SUITE);
        List<String> failures = new ArrayList<>();
        double slowest = 0;
        Path own = own();
        try (Serving serve = new Serving()) {
            for (long k = LongRun.first(); k < LongRun.first() + tries && failures.size() < 50; k++) {
                Random random = new Random(0x9E3779B9L * (k + 235));
                List<String> words = new ArrayList<>();
                for (Object word : placed(input(random, own).words(), own)) {
                    words.add(word.toString());
                }
                String right = JsonMapper.shared().writeValueAsString(Map.of("id", k, "run", words));
                String line = random.nextInt(3) > 0
                        ? right
                        : new Mutations(random, HARD_IN_REQUESTS).of(right).replace('\n', ' ');
                if (line.isBlank()) {
                    continue;
                }
                long start = System.nanoTime();
                JsonNode answer = serve.ask(line);
                double seconds = (System.nanoTime() - start) * 1e-9;
                slowest = Math.max(slowest, seconds);
                int code = answer.get("exit").asInt();
                count("serve " + code);
                // a line that is damaged may have no id, or another
                boolean answered = !line.equals(right) || answer.get("id").asLong() == k;
                if (!answered || !List.of(0, 2, 3, 4).contains(code) || seconds > SERVED_SECONDS) {
                    failures.add("try " + k + ": exit " + code + " after " + seconds + " s: " + line + "\n" + answer);
                }
            }
        }
        LongRun.print(String.format(
                Locale.ROOT,
                "Fuzzed requests: %d, by exit code %s, slowest %.2f s, wrong %d.",
                tries,
                counts,
                slowest,
                failures.size()));
        assertThat(failures).isEmpty();
    }

    private static Optional<String> wrong(Run run) {
        if (run.code() != 0 && run.code() != 2 && run.code() != 3 && run.code() != 4) {
            return Optional.of("exit code " + run.code());
        }
        if (run.err().contains("\tat ") || run.out().contains("\tat ")) {
            return Optional.of("a stack trace");
        }
        boolean silent = (run.code() == 2 || run.code() == 3) && run.err().isBlank();
        return silent ? Optional.of("refused without a word") : Optional.empty();
    }

    private Try input(Random random, Path own) {
        return switch (random.nextInt(6)) {
            case 0 -> {
                // half of them are as the model knows them
                int which = random.nextBoolean() ? 0 : random.nextInt(TABLES.size());
                byte[] table = new Mutations(random, HARD_IN_TABLES)
                        .of(TABLES.get(which).getBytes(StandardCharsets.UTF_8));
                String file = written(own, "t.csv", table);
                yield new Try("table", which == 0 ? onTable(random, file) : learning(random, file, which), table);
            }
            case 1 -> {
                byte[] rows = new Mutations(random, HARD_IN_LIBSVM).of(LIBSVM.getBytes(StandardCharsets.UTF_8));
                String file = written(own, "t.svm", rows);
                yield new Try(
                        "libsvm",
                        List.of(pick(random, List.of("fit", "path", "compare")), file, "--wish", "max(y,1)"),
                        rows);
            }
            case 2 -> {
                boolean known = random.nextBoolean();
                byte[] array = new Mutations(random, HARD_IN_ARRAYS).of(known ? truths : features);
                String file = written(own, "t.npy", array);
                List<String> words = List.of(
                        "fit",
                        "--x",
                        known ? "IN/x.npy" : file,
                        "--y",
                        known ? file : "IN/y.npy",
                        "--wish",
                        "max(y,1)");
                yield new Try("array", words, array);
            }
            case 3 -> {
                byte[] json = new Mutations(random, HARD_IN_MODELS)
                        .of((random.nextBoolean() ? model : yesOrNo).getBytes(StandardCharsets.UTF_8));
                yield new Try("model", onModel(random, written(own, "m.json", json)), json);
            }
            case 4 -> {
                String wish = new Mutations(random, HARD_IN_WISHES).of(pick(random, WISHES));
                yield new Try("wish", List.of("fit", "IN/table.csv", "--target", "y", "--wish", wish), null);
            }
            default -> new Try("command", commandLine(random), null);
        };
    }

    private static List<String> onTable(Random random, String file) {
        return switch (random.nextInt(9)) {
            case 8 -> List.of("describe", file);
            case 0 -> List.of("predict", "IN/model.json", file);
            case 1 -> List.of("respond", "IN/model.json", file);
            case 2 -> List.of("evaluate", "IN/model.json", file);
            case 3 -> List.of("verify", "IN/model.json", file);
            default -> learning(random, file, 0);
        };
    }

    private static List<String> learning(Random random, String file, int which) {
        List<String> words = new ArrayList<>(
                List.of(pick(random, List.of("fit", "fit", "tune", "path", "compare", "simulate")), file));
        words.addAll(
                which == TABLES.size() - 1
                        ? List.of("--no-header", "--target", "3", "--wish", "4")
                        : List.of("--target", "y", "--wish", random.nextBoolean() ? "hope" : "max(y,2)"));
        boolean compares = words.get(0).equals("compare");
        if (which < TABLES.size() - 1 && !compares && random.nextInt(4) == 0) {
            words.set(words.size() - 1, pick(random, List.of("0.9", "max(today,0.8)", "hope")));
            words.addAll(List.of("--loss", "logistic", "--yes", YES));
        }
        if (!words.get(0).equals("fit")) {
            words.addAll(
                    switch (words.get(0)) {
                        case "compare" -> List.of("--bootstrap", "20");
                        case "simulate" ->
                            List.of("--rounds", "20", "--memory", pick(random, List.of("original", "present")));
                        default -> List.of("--gammas", "0.1,1");
                    });
        }
        if (words.get(0).equals("tune")) {
            words.addAll(List.of("--folds", "2"));
        }
        words.addAll(pick(
                random,
                List.of(
                        List.of(),
                        List.of("--missing", "mean"),
                        List.of("--missing", "drop"),
                        List.of("--scale", "none"),
                        List.of("--missing", "mean", "--scale", "none"),
                        List.of("--paper"),
                        List.of("--json"))));
        return words;
    }

    private static List<String> onModel(Random random, String file) {
        return switch (random.nextInt(9)) {
            case 0 -> List.of("summary", file);
            case 1 -> List.of("export", file, "--as", "sql");
            case 2 -> List.of("export", file, "--as", "pmml");
            case 3 -> List.of("respond", file, "IN/table.csv");
            case 4 -> List.of("evaluate", file, "IN/table.csv");
            case 5 -> List.of("verify", file, "IN/table.csv");
            case 6 ->
                List.of("gamma", file, "--before", "IN/table.csv", "--after", "IN/table.csv", "--bootstrap", "20");
            case 7 ->
                List.of("effect", file, "--before", "IN/table.csv", "--after", "IN/table.csv", "--bootstrap", "20");
            default -> List.of("predict", file, "IN/table.csv");
        };
    }

    private static List<String> commandLine(Random random) {
        List<String> words = new ArrayList<>(List.of(pick(random, COMMANDS)));
        if (random.nextBoolean()) {
            words.addAll(List.of("IN/table.csv", "--target", "y", "--wish", "hope"));
        }
        for (int k = random.nextInt(6); k > 0; k--) {
            words.add(1 + random.nextInt(words.size()), pick(random, WORDS));
        }
        return words;
    }

    private static <T> T pick(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Each thread has a folder of its own. */
    private Path own() {
        try {
            return Files.createDirectories(
                    folder.resolve("own-" + Thread.currentThread().getId()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String written(Path own, String name, byte[] bytes) {
        try {
            return Files.write(own.resolve(name), bytes).toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Object[] placed(List<String> words, Path own) {
        return words.stream()
                .map(w -> w.startsWith("IN/")
                        ? folder.resolve(w.substring(3)).toString()
                        : w.startsWith("OUT/") ? own.resolve(w.substring(4)).toString() : w)
                .toArray();
    }

    private void count(String what) {
        counts.computeIfAbsent(what, key -> new AtomicLong()).incrementAndGet();
    }

    /** As it can be pasted into printf. */
    private static String escaped(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (byte b : bytes) {
            int value = b & 0xff;
            text.append(
                    value >= 32 && value < 127 && value != '\\'
                            ? String.valueOf((char) value)
                            : String.format("\\x%02x", value));
        }
        return text.toString();
    }
}
