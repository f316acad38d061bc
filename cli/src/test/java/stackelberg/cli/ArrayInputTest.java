package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import stackelberg.linalg.DenseMatrix;

/** The same game as CSV, as NumPy arrays and as LIBSVM is the same game. */
class ArrayInputTest {
    @TempDir
    Path folder;

    private Path x;
    private Path y;
    private Path z;
    private Path csv;
    private Path svm;

    @BeforeEach
    void write() {
        Samples.Game game = Samples.Game.random(40, 3);
        x = folder.resolve("x.npy");
        y = folder.resolve("y.npy");
        z = folder.resolve("z.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        csv = Samples.file(folder, "game.csv", game.csv());
        svm = Samples.file(folder, "game.svm", game.libsvm());
    }

    @Test
    void arraysWithWishesGiveTheResultOfTheSameCsvFile() {
        assertSame(
                Run.stackelberg("fit", csv, "--target", "y", "--wish", "z", "--json"),
                Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "--json"));
    }

    @Test
    void arraysWithAWishRuleGiveTheResultOfTheSameCsvFile() {
        assertSame(
                Run.stackelberg(
                        "fit", csv, "--target", "y", "--wish", "max(y,quantile(0.5))", "--ignore", "z", "--json"),
                Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "max(y,quantile(0.5))", "--json"));
    }

    @Test
    void columnsOfArraysAreNamedByPosition() {
        assertSame(
                Run.stackelberg(
                        "fit", csv, "--target", "y", "--wish", "z", "--immutable", "2", "--cost", "3=4", "--json"),
                Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "--immutable", "2", "--cost", "3=4", "--json"));
        assertSame(
                Run.stackelberg("fit", csv, "--target", "y", "--wish", "max(y,2)", "--features", "3,1", "--json"),
                Run.stackelberg("fit", svm, "--wish", "max(y,2)", "--features", "3,1", "--json"));
    }

    /** A wish of 2 is a constant, whatever the number of columns of an array: no option refers to columns. */
    @Test
    void aWishThatIsANumberIsNotAColumnOfAnArray() {
        Run number = Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "2", "--wish-noise", "1", "--json");
        Run sum = Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "1+1", "--wish-noise", "1", "--json");

        assertSame(number, sum);
        assertThat(number.out()).contains("\"2\"");
    }

    @Test
    void libsvmLabelsAreTheTarget() {
        assertSame(
                Run.stackelberg("fit", csv, "--target", "y", "--wish", "max(y,2)", "--ignore", "z", "--json"),
                Run.stackelberg("fit", svm, "--wish", "max(y,2)", "--json"));
    }

    @Test
    void paperModeIsTheSameOnArrays() {
        assertSame(
                Run.stackelberg("fit", csv, "--target", "y", "--wish", "z", "--paper", "--json"),
                Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "--paper", "--json"));
    }

    @Test
    void aModelOfArraysPredictsAndVerifies() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "-o", model);

        Run verified = Run.stackelberg("verify", model, "--x", x, "--y", y, "--z", z);
        Run byArrays = Run.stackelberg("predict", model, "--x", x, "--z", z);
        Run byCsv = Run.stackelberg("predict", model, csv);

        assertThat(verified.code()).as(verified.out() + verified.err()).isZero();
        assertThat(byArrays.out())
                .startsWith("row,prediction,wish,after_response\n1,")
                .isEqualTo(byCsv.out());
    }

    @Test
    void arraysOfDifferentLengthsAreRefused() {
        NpyWriter.write(y, new double[] {1, 2, 3});

        Run run = Run.stackelberg("fit", "--x", x, "--y", y, "--z", z);

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("y has 3 values, but x has 40 rows");
    }

    @Test
    void anArrayWithAnotherNumberOfColumnsThanTheModelIsRefused() {
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "-o", model);
        Path wide = folder.resolve("wide.npy");
        Path narrow = folder.resolve("narrow.npy");
        Path transposed = folder.resolve("transposed.npy");
        NpyWriter.write(wide, DenseMatrix.zeros(40, 5));
        NpyWriter.write(narrow, DenseMatrix.zeros(40, 2));
        NpyWriter.write(transposed, DenseMatrix.zeros(3, 40));

        for (String command : new String[] {"predict", "respond", "evaluate", "verify"}) {
            Run tooWide = Run.stackelberg(command, model, "--x", wide);
            Run tooNarrow = Run.stackelberg(command, model, "--x", narrow);
            Run turned = Run.stackelberg(command, model, "--x", transposed);

            assertThat(tooWide.code()).as(command + tooWide.err()).isEqualTo(ExitCode.BAD_DATA);
            assertThat(tooWide.err())
                    .contains("5 columns, but the model has 3 features")
                    .doesNotContain("transposed");
            assertThat(tooNarrow.err()).contains("2 columns, but the model has 3 features");
            assertThat(turned.err()).contains("40 columns, but the model has 3").contains("Maybe x is transposed.");
        }
    }

    @Test
    void aModelOfSomeColumnsOfAnArrayTakesTheWholeArray() {
        Path model = folder.resolve("model.json");
        for (String[] some : new String[][] {{"--features", "1,2"}, {"--ignore", "3"}, {"--group", "3"}}) {
            Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, some[0], some[1], "-o", model);

            assertThat(Run.stackelberg("predict", model, "--x", x).out().lines())
                    .as(some[0])
                    .hasSize(41);
        }
    }

    @Test
    void arraysNeedTheirTruthAndOneKindOfWish() {
        for (Object[] args : new Object[][] {
            {"fit", "--x", x, "--z", z},
            {"fit", "--x", x, "--y", y},
            {"fit", "--x", x, "--y", y, "--z", z, "--wish", "y+1"},
            {"fit", "--x", x, "--y", y, "--z", z, "--target", "1"}
        }) {
            Run run = Run.stackelberg(args);
            assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.WRONG_USAGE);
        }
    }

    @Test
    void messagesNameArraysAndNotClasses() {
        Run run = Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "--target", "1");

        assertThat(run.err()).startsWith("Error: Arrays and LIBSVM files have a fixed target");
    }

    private static void assertSame(Run csv, Run arrays) {
        assertThat(csv.code()).as(csv.err()).isZero();
        assertThat(arrays.code()).as(arrays.err()).isZero();
        for (String key : new String[] {"objective", "multiplier", "pullThrough", "intercept"}) {
            double expected = csv.json().get(key).asDouble();
            assertThat(arrays.json().get(key).asDouble())
                    .as(key)
                    .isCloseTo(expected, within(1e-9 * (1 + Math.abs(expected))));
        }
        assertThat(arrays.json().get("coefficients").propertyNames())
                .containsExactlyElementsOf(csv.json().get("coefficients").propertyNames());
    }
}
