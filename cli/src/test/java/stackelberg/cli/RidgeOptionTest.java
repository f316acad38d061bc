package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;
import tools.jackson.databind.JsonNode;

/** {@code --ridge} and {@code --ridges} in every command that knows the game. */
class RidgeOptionTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void sample() {
        data = Samples.csv(folder);
        model = folder.resolve("model.json");
    }

    private Run run(String command, Object... more) {
        List<Object> words = new ArrayList<>(List.of(command, data, "--target", "y", "--wish", "hope"));
        words.addAll(Arrays.asList(more));
        return Run.stackelberg(words.toArray());
    }

    @Test
    void theLossIsWithoutTheRidgeAndTheProofWithIt() {
        Run told = run("fit", "--ridge", "0.5", "-o", model);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(told.out()).contains("The loss, with a ridge of 0.5 in it, is");
        StackelbergModel fitted = ModelFile.load(model);
        double penalty = 0.5 * fitted.rows() * fitted.gamma() * fitted.pullThrough();
        double objective = fitted.optimality().objective();
        assertThat(fitted.game().ridge()).isEqualTo(0.5);
        assertThat(fitted.losses().anticipated()).isCloseTo(objective - penalty, within(1e-10 * objective));
        assertThat(run("fit", "--ridge", "0.5", "--json").json().get("ridge").asDouble())
                .isEqualTo(0.5);
        assertThat(run("fit", "--json").json().get("pullThrough").asDouble()).isGreaterThan(fitted.pullThrough());
    }

    @Test
    void aModelKeepsItsRidgeAndVerifiesWithIt() {
        assertThat(run("fit", "--ridge", "0.5", "-o", model, "-q").code()).isZero();
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
        assertThat(Run.stackelberg("summary", model).out()).containsPattern("ridge +0.5");
        Path edited =
                Samples.file(folder, "edited.json", Samples.read(model).replace("\"ridge\" : 0.5", "\"ridge\" : 0.6"));
        assertThat(Run.stackelberg("verify", edited, data).code()).isEqualTo(4);
        Path before = Samples.file(
                folder,
                "before.json",
                Samples.read(model).replaceFirst(",\\s*\"ridge\" : 0.5", "").replaceFirst("\"ridge\" : \"0.5\",", ""));
        assertThat(ModelFile.load(before).game().ridge()).isZero();
        for (String command : List.of("respond", "evaluate")) {
            Run told = Run.stackelberg(command, model, data);
            assertThat(told.code()).as(told.err()).isZero();
        }
    }

    @Test
    void aShareOfTruthfulPeopleMayComeWithARidge() {
        Run told = run("fit", "--ridge", "0.5", "--truthful-share", "0.2", "-o", model);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
    }

    @Test
    void gammasPerRowMayComeWithARidge() {
        Run told = run("fit", "--ridge", "0.5", "--row-gamma", "b", "-o", model);
        assertThat(told.code()).as(told.err()).isZero();
        assertThat(Run.stackelberg("verify", model, data).code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "NaN", "1e400"})
    void anInvalidRidgeIsRefused(String value) {
        Run told = run("fit", "--ridge", value);
        assertThat(told.code()).isEqualTo(2);
        assertThat(told.err()).contains("ridge");
    }

    @Test
    void aPathTakesEveryGammaWithTheRidge() {
        Run told = run("path", "--ridge", "0.5", "--gammas", "0.1,1,10", "--json");
        assertThat(told.code()).as(told.err()).isZero();
        double alone = run("fit", "--ridge", "0.5", "--gamma", "1", "--json")
                .json()
                .get("objective")
                .asDouble();
        assertThat(told.out())
                .contains(String.format(Locale.ROOT, "%.4f", alone).substring(0, 4));
    }

    @Test
    void tuningChoosesARidgeForEveryGammaAndFitsTheChoice() {
        Run told = run(
                "tune",
                "--gammas",
                "0.1,1,10",
                "--ridges",
                "0,log:0.01:10:4",
                "--world-gamma",
                "1",
                "--folds",
                "5",
                "--model",
                model,
                "--json");
        assertThat(told.code()).as(told.err()).isZero();
        JsonNode json = told.json();
        assertThat(json.get("curve")).hasSize(3);
        double ridge = json.get("ridge").asDouble();
        assertThat(json.get("oneStandardError").get("ridge").asDouble()).isEqualTo(ridge);
        assertThat(ModelFile.load(model).game().ridge()).isEqualTo(ridge);
        assertThat(ModelFile.load(model).gamma()).isEqualTo(json.get("gamma").asDouble());
        assertThat(run("tune", "--gammas", "1,10", "--ridges", "0.1,1", "--folds", "5")
                        .out())
                .contains("ridge")
                .containsPattern("Choice: gamma [0-9.]+, ridge [0-9.]+");
        assertThat(run("tune", "--gammas", "1,10", "--folds", "5").out()).doesNotContain("ridge");
    }

    @Test
    void commandsThatFitNothingRefuseARidge() {
        assertThat(run("fit", "-o", model, "-q").code()).isZero();
        Run told = Run.stackelberg("evaluate", model, data, "--ridge", "5");
        assertThat(told.code()).isEqualTo(2);
        assertThat(told.err()).contains("--ridge: nothing is fitted here");
        assertThat(run("compare", "--ridge", "0.5").out()).contains("this rule with ridge 0.5");
    }

    @Test
    void ridgeAndRidgesTogetherAreRefused() {
        Run told = run("tune", "--ridge", "1", "--ridges", "1,2");
        assertThat(told.code()).isEqualTo(2);
        assertThat(told.err()).contains("--ridge and --ridges");
    }

    /** As many coefficients as people are learned by heart without a ridge; with one the rule is worth something to new people. */
    @Test
    void aRidgeHelpsWhereThereAreAsManyColumnsAsPeople() {
        Random random = new Random(17);
        StringBuilder text = new StringBuilder("y");
        for (int j = 0; j < 50; j++) {
            text.append(",x").append(j);
        }
        for (int i = 0; i < 60; i++) {
            double[] x = random.doubles(50).map(v -> 2 * v - 1).toArray();
            double y = 3 * x[0] - 2 * x[1] + x[2] + random.nextGaussian();
            text.append('\n').append(y);
            Arrays.stream(x).forEach(v -> text.append(',').append(v));
        }
        data = Samples.file(folder, "wide.csv", text + "\n");
        Object[] common = {"--wish-noise", "1", "--world-gamma", "100", "--gammas", "100", "--folds", "5", "--json"};
        List<Object> words = new ArrayList<>(List.of("tune", data, "--target", "y", "--wish", "max(y,1)"));
        words.addAll(Arrays.asList(common));
        double without = Run.stackelberg(words.toArray())
                .json()
                .get("minimum")
                .get("loss")
                .asDouble();
        words.addAll(List.of("--ridges", "0,log:1e-3:10:12"));
        double with = Run.stackelberg(words.toArray())
                .json()
                .get("minimum")
                .get("loss")
                .asDouble();
        assertThat(with).isLessThan(0.8 * without);
    }

    /** A line that can be acted on: the option with a number, and the command that finds a better one. */
    @Test
    void fitOnWideDataSuggestsARidge() {
        java.util.Random random = new java.util.Random(8);
        StringBuilder svm = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            svm.append(String.format(java.util.Locale.ROOT, "%.3f", 5 + random.nextGaussian()));
            for (int j = 1; j <= 200; j++) {
                svm.append(String.format(java.util.Locale.ROOT, " %d:%.3f", j, random.nextGaussian()));
            }
            svm.append('\n');
        }
        Path data = Samples.file(folder, "wide.svm", svm.toString());
        Run run = Run.stackelberg("fit", data, "--wish", "max(y,6)", "--wish-noise", "0.5", "--gamma", "50");

        assertThat(run.err())
                .containsPattern("the loss on new people is smallest with --ridge [0-9.]+\\.")
                .contains("with --ridges 0,log:1e-3:10:20");
        Run ridged = Run.stackelberg(
                "fit", data, "--wish", "max(y,6)", "--wish-noise", "0.5", "--gamma", "50", "--ridge", "1");
        assertThat(ridged.err()).doesNotContain("would lose least");
    }
}
