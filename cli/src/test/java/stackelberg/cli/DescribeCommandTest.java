package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.RealData;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import stackelberg.linalg.DenseMatrix;
import tools.jackson.databind.JsonNode;

/** What is said of data, and that the command which is proposed can be copied and answers. */
class DescribeCommandTest {
    @TempDir
    Path folder;

    private static JsonNode describe(Object... more) {
        List<Object> words = new ArrayList<>(List.of("describe", "--json"));
        words.addAll(Arrays.asList(more));
        Run run = Run.stackelberg(words.toArray());
        assertThat(run.code()).as(run.err()).isZero();
        return run.json();
    }

    /** The words as a shell makes them of what is printed. */
    private static List<String> words(String line) {
        try {
            Process shell = new ProcessBuilder(
                            "bash", "-c", "set -o noglob; for w in " + line + "; do printf '%s\\0' \"$w\"; done")
                    .start();
            String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return List.of(out.split("\0", -1)).subList(0, out.split("\0", -1).length - 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Copies the proposed command into a shell and runs what comes out. */
    private static Run next(JsonNode described) {
        List<String> typed = words(described.get("next").asString());
        List<String> meant = new ArrayList<>(List.of("stackelberg"));
        described.get("nextWords").forEach(word -> meant.add(word.asString()));
        assertThat(typed).isEqualTo(meant);
        List<String> words = new ArrayList<>(typed.subList(1, typed.size()));
        var fit = Main.commandLine().getSubcommands().get("fit").getCommandSpec();
        if (fit.findOption("--today") == null) {
            words.replaceAll(word -> word.replace("(today,", "(y,"));
        }
        if (fit.findOption("--hedge") == null && words.contains("--hedge")) {
            words.subList(words.indexOf("--hedge"), words.indexOf("--hedge") + 2)
                    .clear();
        }
        return Run.stackelberg(words.toArray());
    }

    private static void assertAnswers(JsonNode described) {
        Run run = next(described);
        assertThat(run.code())
                .as(described.get("next") + "\n" + run.err())
                .isIn(ExitCode.CERTIFIED, ExitCode.NOT_CERTIFIED);
    }

    @Test
    @Tag("slow")
    void largeRealFileHasATargetAWishAndACommandThatAnswers() {
        realFilesHaveATargetAWishAndACommandThatAnswers("blog.csv.gz", "281", "max(today,8)");
    }

    @ParameterizedTest
    @CsvSource({
        "wine.csv, quality, 'max(today,6)'",
        "insurance.csv, charges, 'max(today,17000)'",
        "building.csv, V-10, 'max(today,330)'"
    })
    void realFilesHaveATargetAWishAndACommandThatAnswers(String file, String target, String wish) {
        Path data = RealData.file(file);
        JsonNode described = describe(data);

        assertThat(described.get("target").asString()).isEqualTo(target);
        assertThat(described.get("wish").asString()).isEqualTo(wish);
        assertThat(words(described.get("next").asString()))
                .containsExactly("stackelberg", "fit", data.toString(), "--target", target, "--wish", wish);
        assertAnswers(described);
    }

    /** Once more through the front door: what fit uses, warns of and counts. */
    @ParameterizedTest
    @ValueSource(strings = {"wine.csv", "insurance.csv", "building.csv"})
    void fitUsesTheFeaturesThatWereAnnounced(String file) {
        Path data = RealData.file(file);
        JsonNode described = describe(data);
        JsonNode fitted = Run.stackelberg(
                        "fit",
                        data,
                        "--target",
                        described.get("target").asString(),
                        "--wish",
                        "max(y,7)",
                        "--wish-noise",
                        "1",
                        "--json")
                .json();

        assertThat(fitted.get("rows").asInt()).isEqualTo(described.get("rows").asInt());
        assertThat(fitted.get("features").asInt() + 1)
                .isEqualTo(described.get("coefficients").asInt());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two words",
                "-x",
                "--jso",
                "it's",
                "say \"hi\"",
                "$HOME",
                "a`b",
                "back\\slash",
                "now!",
                "a, b",
                "ü€",
                "tab\there",
                "esc\u001b[31m",
                "rtl\u202e",
                "*",
                "~",
                "#",
                "y",
                "today",
                "a=b",
                "%",
                ";",
                "a&b"
            })
    void oddNamesSurviveTheShell(String name) {
        String quoted = "\"" + name.replace("\"", "\"\"") + "\"";
        StringBuilder csv = new StringBuilder("b,c," + quoted + "\n");
        Random random = new Random(2);
        for (int i = 0; i < 30; i++) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%.3f,%.3f,%.3f%n",
                    random.nextGaussian(),
                    random.nextGaussian(),
                    random.nextGaussian()));
        }
        Path data = Samples.file(folder, "it's an \"odd\" $name.csv", csv.toString());
        JsonNode described = describe(data, "--target=" + name);

        assertThat(described.get("target").asString()).isEqualTo(name);
        assertAnswers(described);
        String text = Run.stackelberg("describe", data).out();
        assertThat(text).doesNotContain("\u001b", "\u202e", "\t");
        assertThat(text).contains(described.get("next").asString().substring(0, 20));
    }

    /** The file that the demo writes has an income, which is not what is predicted. */
    @Test
    void aScoreIsALikelierTargetThanAnIncome() {
        Path loans = folder.resolve("loans.csv");
        assertThat(Run.stackelberg("demo", "--no-report", "--write-data", loans).code())
                .isZero();
        assertThat(describe(loans).get("target").asString()).isEqualTo("score");
        Path incomes = Samples.file(folder, "incomes.csv", "age,income,town\n31,2000,a\n42,3100,b\n57,1200,a\n");
        assertThat(describe(incomes).get("target").asString()).isEqualTo("income");
    }

    /** In an expression today is the score, whatever columns are called. */
    @Test
    void aColumnCalledTodayIsNotTakenForTheScore() {
        Random random = new Random(4);
        StringBuilder csv = new StringBuilder("today,b,score\n");
        for (int i = 0; i < 30; i++) {
            csv.append(String.format(
                    Locale.ROOT, "%.3f,%.3f,%.3f%n", random.nextDouble(), random.nextDouble(), random.nextDouble()));
        }
        JsonNode described = describe(Samples.file(folder, "dated.csv", csv.toString()));
        assertThat(described.get("next").asString()).contains("max(today,");
        assertAnswers(described);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b,y\n1,2,3\n1,2,4\n1,2,6\n1,2,8\n",
                "a,kind,y\n1,u,3\n1,v,4\n1,u,6\n1,v,8\n1,u,9\n",
                "kind,y\nu,3\nv,4\nu,6\nv,8\nu,9\n"
            })
    void noCommandIsProposedWhereNobodyCanMove(String csv) {
        Path data = Samples.file(folder, "constant.csv", csv);
        assertThat(describe(data).get("next").isNull()).isTrue();
        assertThat(Run.stackelberg("describe", data).out()).contains("differs from row to row");
    }

    @Test
    void aConstantTargetIsNotProposed() {
        Path data = Samples.file(folder, "constant.csv", "a,y\n1,2\n2,2\n4,2\n");
        assertThat(describe(data, "--target", "y").get("next").isNull()).isTrue();
    }

    /** Every kind of trouble that a file may have, and the command still answers. */
    @Test
    void columnsThatWouldBeRefusedAreLeftOutOfTheCommand() {
        StringBuilder csv = new StringBuilder("id,when,empty,town,amount,kind,gap,score\n");
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            csv.append(String.format(
                    Locale.ROOT,
                    "%d,2024-01-%02d,,t%d,(%d.5%d),%s,%s,%.2f%n",
                    i,
                    1 + i % 28,
                    random.nextInt(40),
                    random.nextInt(900),
                    i % 10,
                    i % 2 == 0 ? "red" : "blue",
                    i % 3 == 0 ? "" : random.nextInt(100),
                    random.nextGaussian()));
        }
        Path data = Samples.file(folder, "trouble.csv", csv.toString());
        JsonNode described = describe(data);

        List<String> becomes = new ArrayList<>();
        described
                .get("columns")
                .forEach(column -> becomes.add(column.get("becomes").asString()));
        assertThat(becomes)
                .containsExactly(
                        "left out",
                        "left out",
                        "refused",
                        "refused",
                        "refused",
                        "immutable feature",
                        "feature",
                        "target");
        assertThat(described.get("columns").get(3).get("why").asString()).contains("--ignore town");
        assertThat(described.get("next").asString()).contains("--ignore empty,town,amount --missing mean");
        assertAnswers(described);
        assertThat(Run.stackelberg("describe", data).out())
                .contains("20 of 60 rows lack a value")
                .contains("Refused: Column 'empty' has no value at all.")
                .contains("Column 'when' holds dates or times");
        assertThat(Run.stackelberg("fit", data, "--target", "score", "--wish", "max(y,1)")
                        .code())
                .isEqualTo(ExitCode.BAD_DATA);
    }

    @ParameterizedTest
    @CsvSource({"2, --missing drop", "15, --missing mean"})
    void gapsAreDroppedWhereFewAndFilledInWhereMany(int gaps, String expected) {
        StringBuilder csv = new StringBuilder("a,y\n");
        for (int i = 0; i < 40; i++) {
            csv.append(i < gaps ? "" : i * i % 17).append(',').append(i % 5).append('\n');
        }
        JsonNode described = describe(Samples.file(folder, "gaps.csv", csv.toString()));

        assertThat(described.get("completeRows").asInt()).isEqualTo(40 - gaps);
        assertThat(described.get("next").asString()).contains(expected);
        assertAnswers(described);
    }

    /** A target that is not known cannot be filled in. */
    @Test
    void gapsInTheTargetAreDropped() {
        StringBuilder csv = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 40; i++) {
            csv.append(i * i % 17 + ",")
                    .append(i % 7 + ",")
                    .append(i < 15 ? "NA" : i % 5)
                    .append('\n');
        }
        JsonNode described = describe(Samples.file(folder, "gaps.csv", csv.toString()));

        assertThat(described.get("next").asString()).contains("--missing drop");
        assertAnswers(described);
    }

    @Test
    void givenOptionsAreInTheSuggestedCommand() {
        Path data = Samples.csv(folder);
        JsonNode described = describe(
                data,
                "--target",
                "a",
                "--wish",
                "max(y,1)",
                "--ignore",
                "hope",
                "--cost",
                "b=2",
                "--scale",
                "range",
                "--threads",
                "1",
                "--intercept",
                "manipulable",
                "--missing",
                "drop");

        List<String> next = new ArrayList<>();
        described.get("nextWords").forEach(word -> next.add(word.asString()));
        assertThat(next)
                .startsWith("fit", data.toString(), "--target", "a", "--wish", "max(y,1)")
                .containsSequence("--ignore", "hope")
                .containsSequence("--cost", "b=2")
                .containsSequence("--scale", "range")
                .containsSequence("--intercept", "manipulable")
                .containsSequence("--missing", "drop")
                .doesNotContain("--threads", "--json");
        assertThat(described.get("wish").isNull()).isTrue();
        assertAnswers(described);
        assertThat(described.get("columns").get(4).get("kind").asString()).isEqualTo("not read");
    }

    @Test
    void theDeclaredTargetIsUsed() {
        Path data = Samples.csv(folder);

        assertThat(describe(data).get("target").asString()).isEqualTo("y");
        JsonNode described = describe(data, "--target", "b", "--features", "a,kind");
        assertThat(described.get("target").asString()).isEqualTo("b");
        assertThat(described.get("targets").size()).isEqualTo(1);
        assertAnswers(described);
        // red or blue is a yes or a no
        JsonNode texts = describe(data, "--target", "kind");
        assertAnswers(texts);
        assertThat(texts.get("next").asString()).contains("--wish 0.9 --loss logistic");
        assertThat(Run.stackelberg("describe", data, "--target", "why").code()).isEqualTo(ExitCode.BAD_DATA);
    }

    @Test
    void everyFormOfDataIsDescribedAlike() throws IOException {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Path csv = Samples.file(folder, "game.csv", game.csv());
        Path bare = Samples.file(
                folder,
                "bare.tsv",
                game.csv().substring(game.csv().indexOf('\n') + 1).replace(',', '\t'));
        Path svm = Samples.file(folder, "game.svm", game.libsvm());
        Path packed = folder.resolve("game.csv.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(Files.readAllBytes(csv));
        }
        JsonNode expected = describe(csv, "--target", "y", "--ignore", "z");
        InputStream usual = System.in;
        JsonNode piped;
        try {
            System.setIn(new ByteArrayInputStream(Files.readAllBytes(csv)));
            piped = describe("-", "--target", "y", "--ignore", "z");
        } finally {
            System.setIn(usual);
        }
        assertThat(piped.get("next").asString()).startsWith("stackelberg fit - --target y");
        List<JsonNode> others = List.of(
                piped,
                describe(packed, "--target", "y", "--ignore", "z"),
                describe(bare, "--no-header", "--target", "4", "--ignore", "5"),
                describe(svm),
                describe("--x", x, "--y", y));
        for (JsonNode other : others) {
            assertThat(other.get("rows")).isEqualTo(expected.get("rows"));
            assertThat(other.get("wish")).isEqualTo(expected.get("wish"));
            assertThat(other.get("coefficients")).isEqualTo(expected.get("coefficients"));
            assertThat(other.get("targets").get(0).get("median"))
                    .isEqualTo(expected.get("targets").get(0).get("median"));
            for (int j = 0; j < 3; j++) {
                for (String key : List.of("kind", "becomes", "missing", "min", "max")) {
                    assertThat(other.get("columns").get(j).get(key))
                            .as(key)
                            .isEqualTo(expected.get("columns").get(j).get(key));
                }
            }
        }
        for (JsonNode other : others.subList(1, others.size())) {
            assertAnswers(other);
        }
        assertThat(others.get(2).get("next").asString()).contains("--no-header");
        JsonNode wished = describe("--x", x, "--y", y, "--z", z);
        assertThat(wished.get("next").asString()).contains("--z " + z).doesNotContain("--wish");
        assertAnswers(wished);
        JsonNode untold = describe("--x", x);
        assertThat(untold.get("next").isNull()).isTrue();
        assertThat(untold.get("whyNoNext").asString()).contains("--y");
    }

    @Test
    void arraysThatAreNotFiniteAreRefusedColumnByColumn() {
        Samples.Game game = Samples.Game.random(40, 3);
        DenseMatrix x = game.x();
        x.set(7, 1, Double.NaN);
        NpyWriter.write(folder.resolve("x.npy"), x);
        NpyWriter.write(folder.resolve("y.npy"), game.y());
        JsonNode described = describe("--x", folder.resolve("x.npy"), "--y", folder.resolve("y.npy"));

        assertThat(described.get("columns").get(1).get("becomes").asString()).isEqualTo("refused");
        assertThat(described.get("next").asString()).contains("--ignore 2");
        assertAnswers(described);
    }

    /** Thousands of lines would be too many: the first columns and the oddest ones are shown, and all of them in the file. */
    @Test
    void wideDataAreSummarised() {
        int columns = 3000;
        StringBuilder csv = new StringBuilder();
        for (int j = 0; j < columns; j++) {
            csv.append("c").append(j).append(',');
        }
        csv.append("outcome\n");
        Random random = new Random(4);
        for (int i = 0; i < 25; i++) {
            for (int j = 0; j < columns; j++) {
                csv.append(j == 2500 ? "same" : j == 2600 && i == 3 ? "" : random.nextInt(50))
                        .append(',');
            }
            csv.append(random.nextInt(9)).append('\n');
        }
        Path data = Samples.file(folder, "wide.csv", csv.toString());
        Path all = folder.resolve("columns.csv");
        Run run = Run.stackelberg("describe", data, "-o", all);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines().count()).isLessThan(60);
        assertThat(run.out())
                .contains("3,001 columns (3,000 numbers, 1 categories)")
                .contains("c2500", "c2600", "outcome")
                .contains("more columns, numbers from 0 to 49")
                .contains("There are fewer rows (25) than coefficients");
        assertThat(Samples.read(all).lines().count()).isEqualTo(columns + 2);
        assertThat(Samples.read(all)).startsWith("column,kind,becomes,looksLike,missing,different");
        assertThat(describe(data).get("next").asString()).doesNotContain("--hedge");
    }

    @Test
    void keysAreStable() {
        JsonNode described = describe(Samples.csv(folder));

        assertThat(described.propertyNames())
                .containsExactly(
                        "data",
                        "rows",
                        "completeRows",
                        "coefficients",
                        "columns",
                        "target",
                        "targets",
                        "moreTargets",
                        "wish",
                        "next",
                        "nextWords",
                        "whyNoNext");
        assertThat(described.get("columns").get(0).propertyNames())
                .containsExactly(
                        "column",
                        "kind",
                        "becomes",
                        "looksLike",
                        "missing",
                        "different",
                        "differentMoreThan",
                        "min",
                        "max",
                        "mean",
                        "sd",
                        "levels",
                        "example",
                        "why");
        assertThat(described.get("targets").get(0).propertyNames())
                .containsExactly("column", "min", "lowerQuartile", "median", "upperQuartile", "max", "mean", "sd");
    }

    @Test
    void quietPrintsNothing() {
        Run run = Run.stackelberg("describe", Samples.csv(folder), "--quiet");

        assertThat(run.code()).isZero();
        assertThat(run.out() + run.err()).isEmpty();
    }

    @Test
    void filesWithoutATargetAreDescribedToo() {
        JsonNode texts = describe(Samples.file(folder, "texts.csv", "a,b\nred,x\nblue,y\nred,x\n"));
        JsonNode one = describe(Samples.file(folder, "one.csv", "a,y\n1,2\n"));

        JsonNode option = describe(Samples.file(folder, "option.csv", "a,--gamma\n1,2\n3,1\n2,2\n"));

        assertThat(option.get("target").asString()).isEqualTo("--gamma");
        assertThat(option.get("whyNoNext").asString()).contains("'--gamma' has the name of an option");
        assertThat(texts.get("target").isNull()).isTrue();
        assertThat(texts.get("whyNoNext").asString()).contains("No column looks like a target");
        assertThat(one.get("next").isNull()).isTrue();
        assertThat(Run.stackelberg("describe", folder.resolve("texts.csv")).out())
                .contains("No column looks like a target");
    }

    @Test
    void wrongUsageIsRefused() {
        Path data = Samples.csv(folder);

        assertThat(Run.stackelberg("describe").code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("describe", data, "-o", data).code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("describe", folder.resolve("none.csv")).code())
                .isEqualTo(ExitCode.BAD_DATA);
        assertThat(Run.stackelberg("describe", folder.resolve("x.npy")).code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(Run.stackelberg("describe", data, "--wish", "max(y,nothing)").code())
                .isEqualTo(ExitCode.BAD_DATA);
    }

    /** What cannot be followed is not advised: a column to choose, a ridge to tune. */
    @Test
    void tooFewRowsAreReported() {
        Path one = Samples.file(folder, "one.csv", "a,b,y\n1,2,3\n");
        Path two = Samples.file(folder, "two.csv", "a,b,y\n1,2,3\n2,3,5\n");

        for (Run run : List.of(Run.stackelberg("describe", one), Run.stackelberg("describe", one, "--target", "y"))) {
            assertThat(run.out())
                    .contains("There is 1 row to learn from; a rule needs at least 2.")
                    .doesNotContain("--ridge", "--target", "says nothing");
        }
        assertThat(Run.stackelberg("describe", two).out())
                .contains("a rule needs --ridge, or fewer features.")
                .contains("Try next:")
                .doesNotContain("tune");
    }
}
