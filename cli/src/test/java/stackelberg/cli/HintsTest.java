package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;

/** What a message suggests works, and is about what was done. */
class HintsTest {
    @TempDir
    Path folder;

    @Test
    void aMissingTargetCannotBeFilledIn() {
        Path target = Samples.file(folder, "target.csv", "a,y,hope\n1,2,3\n2,NA,4\n3,4,5\n4,4,6\n");
        Path feature = Samples.file(folder, "feature.csv", "a,y,hope\n1,2,3\nNA,3,4\n3,4,5\n4,4,6\n");

        Run inTarget = Run.stackelberg("fit", target, "--target", "y", "--wish", "hope");
        Run inFeature = Run.stackelberg("fit", feature, "--target", "y", "--wish", "hope");

        assertThat(inTarget.err()).contains("--missing drop").doesNotContain("--missing mean");
        assertThat(inFeature.err()).contains("--missing drop or --missing mean");
    }

    @Test
    void readingAsCategoriesIsSuggestedForFeaturesOnly() {
        Path data = Samples.file(folder, "mixed.csv", "a;y;hope\n1;2,5;3\n2;3.5;4\n3;4,5;5\n4;4,5;6\n");

        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope");

        assertThat(run.err())
                .contains("not written like those before it")
                .contains("if it is a feature, read it as categories");
    }

    @Test
    void wishesOfArraysCanBeGivenAsNumbers() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        Path model = folder.resolve("model.json");
        Path csv = Samples.file(folder, "x.csv", "1,2,3\n1.5,2,3\n2,2.5,4\n");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "-o", model);

        assertThat(Run.stackelberg("respond", model, "--x", x).err())
                .contains("--wish")
                .contains("--z Z.npy");
        assertThat(Run.stackelberg("respond", model, csv).err())
                .contains("--wish")
                .doesNotContain("--z");
        assertThat(Run.stackelberg("respond", model, "--x", x, "--z", z).code()).isZero();
    }

    @Test
    void theMessageOnAnUnknownLevelNamesTheOptionThatAllowsIt() {
        Path data = Samples.csv(folder);
        Path odd = Samples.file(folder, "odd.csv", Samples.read(data).replaceFirst("blue", "green"));
        Path model = folder.resolve("model.json");
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model);

        for (String command : new String[] {"predict", "respond", "evaluate"}) {
            Run run = Run.stackelberg(command, model, odd);
            assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
            assertThat(run.err()).contains("\"green\"").contains("--unknown zero counts such levels as zero");
            assertThat(Run.stackelberg(command, model, odd, "--unknown", "zero").code())
                    .isZero();
        }
        assertThat(Run.stackelberg("verify", model, odd).err())
                .contains("\"green\"")
                .doesNotContain("unknown");
    }

    @Test
    void evaluateNamesAMissingTarget() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Path blind = Samples.file(folder, "blind.csv", Samples.read(data).replaceFirst(",y,", ",truth,"));
        for (String wish : new String[] {"hope", "max(y,1)"}) {
            Run.stackelberg("fit", data, "--target", "y", "--wish", wish, "-o", model);
            Run run = Run.stackelberg("evaluate", model, blind);

            assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
            assertThat(run.err()).contains("lack the target 'y'").contains("predict or respond");
        }
        Path rule = Samples.file(folder, "rule.csv", "term,coefficient\nintercept,1\na,2\n");
        assertThat(Run.stackelberg("evaluate", "--rule", rule, blind, "--target", "y", "--wish", "hope")
                        .err())
                .contains("lack the target 'y'");
    }

    @Test
    void theMessageOnAMisspeltColumnNamesTheNearest() {
        Path data = Samples.csv(folder);
        Path wide = Samples.file(folder, "wide.csv", Samples.read(data).replaceFirst("a,b", "income,debt"));

        assertThat(Run.stackelberg("fit", wide, "--target", "y", "--wish", "hope", "--cost", "incone=2")
                        .err())
                .contains("'incone', which is not a feature")
                .contains("Maybe you meant 'income'");
    }

    @Test
    void aTargetOfTextsNamesItsOption() {
        Run run = Run.stackelberg("fit", Samples.csv(folder), "--target", "kind", "--wish", "hope");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err())
                .contains("The target (--target) must hold numbers")
                .contains("Column 'kind'");
    }

    @Test
    void noFiniteEquilibriumNamesTheOptionThatHelps() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");

        assertThat(Run.stackelberg("fit", data, "--target", "y", "--wish", "y+1", "--hedge", "none", "-o", model)
                        .err())
                .contains("--wish-noise");
        for (String command : new String[] {"respond", "evaluate"}) {
            assertThat(Run.stackelberg(command, model, data).err()).contains("--wish-noise");
        }
        assertThat(Run.stackelberg("tune", data, "--target", "y", "--wish", "hope", "--folds", "100")
                        .err())
                .contains("Maybe use fewer --folds");
    }

    @Test
    void aModelFittedWithAnArrayOfWishesAsksForIt() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        Path z = folder.resolve("z.npy");
        Path model = folder.resolve("model.json");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());
        NpyWriter.write(z, game.z());
        Run.stackelberg("fit", "--x", x, "--y", y, "--z", z, "-o", model);

        Run run = Run.stackelberg("verify", model, "--x", x, "--y", y);
        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err())
                .contains("The wishes are not given")
                .contains("'z'")
                .doesNotContain("you meant");
        assertThat(Run.stackelberg("verify", model, "--x", x, "--y", y, "--z", z)
                        .code())
                .isZero();
    }

    @Test
    void theMissingOptionIsRefusedForArrays() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path x = folder.resolve("x.npy");
        Path y = folder.resolve("y.npy");
        NpyWriter.write(x, game.x());
        NpyWriter.write(y, game.y());

        for (String how : new String[] {"drop", "mean"}) {
            Run run = Run.stackelberg("fit", "--x", x, "--y", y, "--wish", "max(y,1)", "--missing", how);

            assertThat(run.code()).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains("--missing is for tables");
        }
    }
}
