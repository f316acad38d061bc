package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.OptionSpec;
import stackelberg.LongRun;
import stackelberg.data.io.NpyWriter;
import stackelberg.linalg.DenseMatrix;

/**
 * Every two options of the commands that learn, on small data: answered or refused by name, never an internal error.
 *
 * <p>The suite tries some of the pairs, {@code -Dstackelberg.long=1} all of them.
 */
class OptionPairsTest {
    private static final List<String> COMMANDS = List.of("describe", "fit", "tune", "compare", "path", "simulate");
    private static final int BY_DEFAULT = 100;
    private static final int IN_THE_SUITE = 500;
    private static final int ROWS = 18;

    /** What options take that do not say it themselves, files in the folder IN or OUT; an option that is not here and takes a value fails the test. */
    private static final Map<String, List<String>> VALUES = new TreeMap<>(Map.ofEntries(
            Map.entry("--target", List.of("y", "b")),
            Map.entry("--wish", List.of("hope", "y+2", "max(y,quantile(0.5))")),
            Map.entry("--weight", List.of("w")),
            Map.entry("--group", List.of("kind", "g")),
            Map.entry("--features", List.of("a,kind", "2")),
            Map.entry("--ignore", List.of("b", "1")),
            Map.entry("--categorical", List.of("g")),
            Map.entry("--immutable", List.of("none", "b", "1")),
            Map.entry("--cost", List.of("a=2", "1=3")),
            Map.entry("--costs", List.of("IN/costs.csv")),
            Map.entry("--query", List.of("select 1")),
            Map.entry("--credentials", List.of("IN/costs.csv")),
            Map.entry("--driver", List.of("IN/driver.jar")),
            Map.entry("--wish-noise", List.of("0.5")),
            Map.entry("--ridge", List.of("0.5")),
            Map.entry("--yes", List.of("1", ">=0.5")),
            Map.entry("--cutoff", List.of("0.6")),
            Map.entry("--limit", List.of("data", "a>=0", "1 up")),
            Map.entry("--effect", List.of("a=0.5", "1=-0.2")),
            Map.entry("--effects", List.of("IN/effects.csv")),
            Map.entry("--hedge", List.of("5%", "0.5", "balanced", "none")),
            Map.entry("--ridges", List.of("0,0.1,10")),
            Map.entry("--x", List.of("IN/x.npy")),
            Map.entry("--y", List.of("IN/y.npy")),
            Map.entry("--z", List.of("IN/z.npy")),
            Map.entry("--threads", List.of("1")),
            Map.entry("--gamma", List.of("0.5", "1e-9", "0.2..2")),
            Map.entry("--gammas", List.of("0.2,2", "log:0.1:10:3")),
            Map.entry("--row-gamma", List.of("w")),
            Map.entry("--truthful-share", List.of("0.3", "1")),
            Map.entry("--world-gamma", List.of("0.5")),
            Map.entry("--world-gammas", List.of("0.2,2")),
            Map.entry("--folds", List.of("2", "18")),
            Map.entry("--model", List.of("OUT/chosen.json")),
            Map.entry("--test", List.of("IN/data.csv")),
            Map.entry("--test-fraction", List.of("0.4")),
            Map.entry("--bootstrap", List.of("20")),
            Map.entry("--tolerance", List.of("1e-6", "0.1")),
            Map.entry("--max-iterations", List.of("2")),
            Map.entry("--seed", List.of("3")),
            Map.entry("--se", List.of("hc0", "bootstrap:20", "none")),
            Map.entry("--decimal", List.of(",")),
            Map.entry("--id", List.of("kind")),
            Map.entry("--rho", List.of("adaptive", "fixed:2")),
            Map.entry("--eps", List.of("1e-4")),
            Map.entry("--trace", List.of("OUT/trace.csv")),
            Map.entry("--report", List.of("OUT/page.html")),
            Map.entry("--rounds", List.of("1", "7")),
            Map.entry("--inertia", List.of("20%", "0.9")),
            Map.entry("--out", List.of("OUT/rounds.csv")),
            Map.entry("-o", List.of("OUT/out"))));

    /** What makes a command quick enough to be asked thousands of times, unless the pair says otherwise. */
    private static final Map<String, Map<String, String>> QUICK = Map.of(
            "describe", Map.of(),
            "fit", Map.of(),
            "tune", Map.of("--gammas", "0.2,2", "--folds", "3"),
            "compare", Map.of("--bootstrap", "20"),
            "path", Map.of("--gammas", "0.2,2"),
            "simulate", Map.of("--rounds", "5"));

    @TempDir
    Path folder;

    /** An option as it is written: a name and, where it takes one, a value. */
    private record Given(String name, String value) {
        void addTo(List<String> words) {
            words.add(name);
            if (value != null) {
                words.add(value);
            }
        }
    }

    /** Where the data come from. */
    enum Source {
        TABLE,
        ARRAYS,
        LIBSVM
    }

    private record Pair(String command, Source source, Given one, Given other) {
        boolean has(String name) {
            return one.name.equals(name) || other.name.equals(name);
        }

        boolean hasWord(String name, String value) {
            return one.equals(new Given(name, value)) || other.equals(new Given(name, value));
        }

        List<String> words() {
            List<String> words = new ArrayList<>(List.of(command));
            // values are missing where the pair says what becomes of them
            boolean yesOrNo = hasWord("--loss", "logistic") || has("--yes") || has("--wish-units") || has("--cutoff");
            String kind = yesOrNo ? "yes-" : "";
            String wish = yesOrNo ? "0.9" : "max(y,1)";
            String gap = has("--missing") && !hasWord("--missing", "error") ? "gaps" : "data";
            switch (source) {
                case TABLE -> {
                    words.add("IN/" + kind + gap + ".csv");
                    addUnlessGiven("--target", "y", words);
                    addUnlessGiven("--wish", wish, words);
                }
                case ARRAYS -> {
                    addUnlessGiven("--x", "IN/x.npy", words);
                    addUnlessGiven("--y", "IN/" + kind + "y.npy", words);
                    if (!has("--wish")) {
                        addUnlessGiven("--z", "IN/" + kind + "z.npy", words);
                    }
                }
                default -> {
                    words.add("IN/" + kind + "data.svm");
                    addUnlessGiven("--wish", wish, words);
                }
            }
            if (yesOrNo) {
                addUnlessGiven("--loss", "logistic", words);
            }
            QUICK.get(command).forEach((name, value) -> addUnlessGiven(name, value, words));
            one.addTo(words);
            other.addTo(words);
            return words;
        }

        private void addUnlessGiven(String name, String value, List<String> words) {
            if (!has(name)) {
                new Given(name, value).addTo(words);
            }
        }
    }

    @BeforeEach
    void data() throws IOException {
        data("", false);
        data("yes-", true);
    }

    /** @param yesOrNo whether y is, and hope a probability */
    private void data(String prefix, boolean yesOrNo) throws IOException {
        Random random = new Random(114);
        StringBuilder table = new StringBuilder("a,b,kind,g,w,y,hope\n");
        StringBuilder gaps = new StringBuilder(table);
        StringBuilder libsvm = new StringBuilder();
        DenseMatrix x = DenseMatrix.zeros(ROWS, 2);
        double[] y = new double[ROWS];
        double[] z = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double a = Math.rint(100 * random.nextGaussian()) / 100;
            double b = Math.rint(300 * random.nextDouble()) / 100;
            x.set(i, 0, a);
            x.set(i, 1, b);
            y[i] = Math.rint(100 * (2 * a - b + random.nextGaussian())) / 100;
            z[i] = y[i] + Math.rint(200 * random.nextDouble()) / 100;
            if (yesOrNo) {
                y[i] = y[i] > -1 ? 1 : 0;
                z[i] = 0.5 + i / 40.0;
            }
            String end = String.format(Locale.ROOT, "%d,%s,%s,%s%n", i % 4, 1 + i % 2, y[i], z[i]);
            String kind = i % 3 == 0 ? "red" : "blue";
            table.append(a + "," + b + "," + kind + "," + end);
            gaps.append(i % 5 == 1 ? "," : a + ",").append(b + ",").append(i == 7 ? "," : kind + ",");
            gaps.append(end);
            libsvm.append(y[i] + " 1:" + a + " 2:" + b + "\n");
        }
        Samples.file(folder, prefix + "data.csv", table.toString());
        Samples.file(folder, prefix + "gaps.csv", gaps.toString());
        Samples.file(folder, prefix + "data.svm", libsvm.toString());
        Samples.file(folder, "costs.csv", "feature,cost\nb,3\n");
        Samples.file(folder, "effects.csv", "feature,effect\na,0.4\n");
        NpyWriter.write(folder.resolve("x.npy"), x);
        NpyWriter.write(folder.resolve(prefix + "y.npy"), y);
        NpyWriter.write(folder.resolve(prefix + "z.npy"), z);
    }

    @Test
    void everyPairOfOptionsIsAnsweredOrRefused() {
        List<Pair> pairs = pairs();
        // the long run takes all, the suite the first of a shuffled list
        Collections.shuffle(pairs, new Random(114));
        int tries = LongRun.wanted() ? pairs.size() : (int) LongRun.tries(BY_DEFAULT, IN_THE_SUITE);
        Map<Integer, Integer> codes = new ConcurrentHashMap<>();
        Collection<String> failures = LongRun.failures(tries, 60, k -> {
            List<String> words = pairs.get((int) k).words();
            Run run = Run.oneOfMany(placed(words).toArray());
            codes.merge(run.code(), 1, Integer::sum);
            boolean silent = run.code() != 0 && run.code() != 4 && run.err().isBlank();
            return run.code() == 1 || silent || run.err().contains("\tat ")
                    ? Optional.of(String.join(" ", words) + "\n" + run.code() + " " + run.err())
                    : Optional.empty();
        });
        LongRun.print("Option pairs: " + tries + " of " + pairs.size() + " command lines, exit codes " + codes
                + ", internal errors " + failures.size() + ".");
        assertThat(failures).isEmpty();
    }

    /** Otherwise pairs would be refused for what is not theirs. */
    @ParameterizedTest
    @EnumSource
    void theBaseCommandsOfThePairsAreAnswered(Source source) {
        for (String command : COMMANDS) {
            Given quiet = new Given("--quiet", null);
            Run run = Run.stackelberg(placed(new Pair(command, source, quiet, new Given("--json", null)).words())
                    .toArray());
            assertThat(run.code()).as(command + " " + run.err()).isIn(0, 4);
        }
    }

    /** Once a NullPointerException, where this pair was tried by hand. */
    @ParameterizedTest
    @ValueSource(strings = {"gaps.csv", "data.csv"})
    void tuneFillsInMissingValuesWithoutScaling(String file) {
        Run run = Run.stackelberg(placed(List.of(
                        "tune",
                        "IN/" + file,
                        "--target",
                        "y",
                        "--wish",
                        "max(y,1)",
                        "--gammas",
                        "0.2,2",
                        "--folds",
                        "3",
                        "--missing",
                        "mean",
                        "--scale",
                        "none"))
                .toArray());
        assertThat(run.code()).as(run.err()).isIn(0, 4);
    }

    /** The words with files where they are; each thread writes into a folder of its own. */
    private List<String> placed(List<String> words) {
        Path out = folder.resolve("out-" + Thread.currentThread().getId());
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return words.stream()
                .map(w -> w.startsWith("IN/")
                        ? folder.resolve(w.substring(3)).toString()
                        : w.startsWith("OUT/") ? out.resolve(w.substring(4)).toString() : w)
                .toList();
    }

    private static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (String command : COMMANDS) {
            List<Given> all = given(command);
            for (Source source : Source.values()) {
                for (int i = 0; i < all.size(); i++) {
                    for (int j = i + 1; j < all.size(); j++) {
                        if (!all.get(i).name.equals(all.get(j).name)) {
                            pairs.add(new Pair(command, source, all.get(i), all.get(j)));
                        }
                    }
                }
            }
        }
        return pairs;
    }

    /** Every option of the command, with everything it is tried with. */
    private static List<Given> given(String command) {
        List<Given> all = new ArrayList<>();
        for (OptionSpec option : Main.commandLine()
                .getSubcommands()
                .get(command)
                .getCommandSpec()
                .options()) {
            String name = option.longestName();
            if (option.arity().max() == 0) {
                all.add(new Given(name, null));
            } else if (option.completionCandidates() != null) {
                StreamSupport.stream(option.completionCandidates().spliterator(), false)
                        .forEach(word -> all.add(new Given(name, word)));
            } else {
                assertThat(VALUES)
                        .as("Option %s has no value to try: add one to VALUES in this test", name)
                        .containsKey(name);
                VALUES.get(name).forEach(value -> all.add(new Given(name, value)));
            }
        }
        return all;
    }
}
