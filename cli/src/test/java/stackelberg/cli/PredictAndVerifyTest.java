package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.data.io.NpyWriter;
import stackelberg.model.ModelFile;
import tools.jackson.databind.JsonNode;

class PredictAndVerifyTest {
    @TempDir
    Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void fit() {
        data = Samples.csv(folder);
        model = folder.resolve("model.json");
        Run run = Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "-o", model, "-q");
        assertThat(run.code()).as(run.err()).isZero();
    }

    @Test
    void predictionsAreTheRuleAndEveryRowClosesTheSameShare() {
        Path people = Samples.file(folder, "people.csv", "kind,hope,b,a\nred,9,2,1\nblue,-1,0,0.5\n");
        var fitted = ModelFile.load(model);
        var c = fitted.coefficients();

        Run run = Run.stackelberg("predict", model, people, "--json");

        assertThat(run.code()).isZero();
        JsonNode rows = run.json().get("predictions");
        double red = fitted.intercept() + c.get("a") + 2 * c.get("b") + c.get("kind=red");
        double blue = fitted.intercept() + 0.5 * c.get("a");
        double t = fitted.pullThrough();
        assertThat(rows.get(0).get("prediction").asDouble()).isCloseTo(red, within(1e-12));
        assertThat(rows.get(1).get("prediction").asDouble()).isCloseTo(blue, within(1e-12));
        assertThat(rows.get(0).get("afterResponse").asDouble()).isCloseTo((1 - t) * red + t * 9, within(1e-12));
        assertThat(rows.get(1).get("afterResponse").asDouble()).isCloseTo((1 - t) * blue - t, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({"p.npy, not an array", "p.csv.gz, not compressed", "p.CSV.GZ, not compressed"})
    void fileSuffixesOfOtherFormatsAreRefused(String name, String message) {
        Run run = Run.stackelberg("predict", model, data, "-o", folder.resolve(name));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(folder.resolve(name)).doesNotExist();
    }

    @Test
    void withoutWishesThereAreOnlyPredictions() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind\n1,2,red\n");

        Run run = Run.stackelberg("predict", model, people);

        List<String> lines = run.out().lines().toList();
        assertThat(lines.get(0)).isEqualTo("row,prediction");
        assertThat(lines.get(1)).matches("1,-?[0-9.E-]+");
    }

    @Test
    void aWishOptionReplacesTheModelsWish() {
        Run run = Run.stackelberg("predict", model, data, "--wish", "p+1", "--json");

        JsonNode first = run.json().get("predictions").get(0);
        assertThat(first.get("wish").asDouble())
                .isCloseTo(first.get("prediction").asDouble() + 1, within(1e-12));
    }

    @Test
    void aWishThatUsesTheTargetIsRefusedWithoutIt() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind\n1,2,red\n");

        Run run = Run.stackelberg("predict", model, people, "--wish", "max(y,2)");

        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("y, the target, which is not known here");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aNewWishTakesItsStatisticsFromTheseRows() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind,y\n1,2,red,4\n1,2,red,8\n");

        Run run = Run.stackelberg("predict", model, people, "--wish", "mean(y)", "--json");

        assertThat(run.json().get("predictions").get(0).get("wish").asDouble()).isEqualTo(6);
    }

    @Test
    void columnsThatAreNoFeaturesAreNotedAndAbsentOnesNamed() {
        Path more = Samples.file(folder, "more.csv", "a,b,kind,shoe size\n1,2,red,40\n");
        Path fewer = Samples.file(folder, "fewer.csv", "kind,B\nred,40\n");

        assertThat(Run.stackelberg("predict", model, more).err()).contains("shoe size");
        Run lacking = Run.stackelberg("predict", model, fewer);
        assertThat(lacking.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(lacking.err()).contains("'a', 'b'");
    }

    @Test
    void unknownLevelsAreRefusedUnlessTheyCountAsNone() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind\n1,2,green\n1,2,blue\n");

        Run refused = Run.stackelberg("predict", model, people);
        Run zero = Run.stackelberg("predict", model, people, "--unknown", "zero", "--json");

        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(refused.err()).contains("green");
        // blue is the base level, so its indicators are all zero too
        JsonNode rows = zero.json().get("predictions");
        assertThat(rows.get(0).get("prediction")).isEqualTo(rows.get(1).get("prediction"));
    }

    @Test
    void missingValuesAreRefusedDroppedOrFilled() {
        Path people = Samples.file(folder, "people.csv", "a,b,kind\n1,,red\n1,2,blue\n");

        Run refused = Run.stackelberg("predict", model, people);
        Run dropped = Run.stackelberg("predict", model, people, "--missing", "drop");
        Run filled = Run.stackelberg("predict", model, people, "--missing", "mean");

        assertThat(refused.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(refused.err()).contains("'b', row 1");
        assertThat(dropped.out().lines()).hasSize(2).last().asString().startsWith("2,");
        assertThat(dropped.err()).contains("left out");
        assertThat(filled.out().lines()).hasSize(3);
    }

    @Test
    void predictionsAreWrittenToAFileIfRequested() {
        Path file = folder.resolve("predictions.csv");

        Run run = Run.stackelberg("predict", model, data, "-o", file);

        assertThat(run.out()).isEmpty();
        assertThat(Samples.read(file).lines()).hasSize(1 + Samples.ROWS);
    }

    @Test
    void aModelVerifiesOnItsOwnDataAndNotOnOthers() {
        String changed = Samples.read(data).replaceFirst("\n[^,]*,", "\n9,");
        Path other = Samples.file(folder, "other.csv", changed);

        Run own = Run.stackelberg("verify", model, data);
        Run others = Run.stackelberg("verify", model, other);

        assertThat(own.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(own.out()).contains("byte for byte").contains("Verified: ");
        assertThat(others.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(others.out()).contains("NOT the data").contains("NOT verified");
    }

    @Test
    void aSparseFileIsRecognisedButNotWishesBesideIt() {
        Samples.Game game = Samples.Game.random(40, 3);
        Path svm = Samples.file(folder, "game.svm", game.libsvm());
        Path wishes = folder.resolve("z.npy");
        NpyWriter.write(wishes, game.z());
        Path other = Samples.file(folder, "other.svm", game.libsvm() + "# the same, and one line more\n");

        Run.stackelberg("fit", svm, "--wish", "max(y,1)", "--wish-noise", "1", "-o", model);
        assertThat(Run.stackelberg("verify", model, svm).out()).contains("byte for byte", "Verified: ");
        Run others = Run.stackelberg("verify", model, other);
        assertThat(others.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(others.out())
                .contains(
                        "NOT the data",
                        "on these data, which are not those it was fitted to",
                        "provenance.data.sha256");
        Run fit = Run.stackelberg("fit", svm, "--z", wishes, "-o", model);
        assertThat(fit.code()).as(fit.err()).isZero();
        assertThat(Run.stackelberg("verify", model, svm, "--z", wishes).out()).contains("is not known", "Verified: ");
    }

    @Test
    void aVerifiedModelPrintsThreeLinesAndEveryClaimWithFull() {
        Run own = Run.stackelberg("verify", model, data);
        Run full = Run.stackelberg("verify", model, data, "--full");

        assertThat(own.out().lines()).hasSize(3);
        assertThat(full.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(full.out()).startsWith(own.out()).doesNotContain("NOT SO");
        assertThat(full.out().lines().filter(line -> line.startsWith("  "))).hasSizeGreaterThan(30);
    }

    @Test
    void onlyWhatDiffersIsPrintedWhereOneClaimIsWrong() {
        String text = Samples.read(model);
        double intercept = ModelFile.load(model).intercept();
        Samples.file(
                folder,
                "model.json",
                text.replace("\"intercept\" : " + intercept, "\"intercept\" : " + (intercept + 1)));

        assertThat(Run.stackelberg("verify", model, data).out().lines().filter(line -> line.startsWith("  ")))
                .hasSize(2)
                .last()
                .asString()
                .contains("intercept", "NOT SO");
    }

    @Test
    void onOtherDataTenClaimsArePrintedAndTheOthersCounted() {
        Path other = Samples.file(folder, "other.csv", Samples.read(data).replaceFirst("\\R[^\n]+(?=\n)", ""));

        Run run = Run.stackelberg("verify", model, other);
        Run full = Run.stackelberg("verify", model, other, "--full");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out())
                .contains("claims of the model do not hold.", "more that do not hold; --full prints every claim");
        assertThat(run.out().lines().filter(line -> line.endsWith("NOT SO"))).hasSize(10);
        assertThat(full.out().lines().filter(line -> line.endsWith("NOT SO"))).hasSizeGreaterThan(10);
    }

    @Test
    void aChangedRuleDoesNotVerify() {
        String text = Samples.read(model);
        double a = ModelFile.load(model).coefficients().get("a");
        String tampered = text.replace("\"coefficient\" : " + a, "\"coefficient\" : " + 1.01 * a);
        assertThat(tampered).isNotEqualTo(text);
        Samples.file(folder, "model.json", tampered);

        Run run = Run.stackelberg("verify", model, data, "--json");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.json().get("certified").asBoolean()).isFalse();
        assertThat(run.json().get("sameData").asBoolean()).isTrue();
        assertThat(run.json().get("ruleDifference").asDouble()).isGreaterThan(1e-6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "0.3"})
    void aChangedPullThroughDoesNotVerify(String truthful) {
        Run.stackelberg("fit", data, "--target", "y", "--wish", "hope", "--truthful-share", truthful, "-o", model);
        assertThat(Run.stackelberg("verify", model, data).code()).isEqualTo(ExitCode.CERTIFIED);
        String text = Samples.read(model);
        String tampered = text.replaceFirst("\"pullThrough\" : [0-9.E-]+", "\"pullThrough\" : 0.01");
        assertThat(tampered).isNotEqualTo(text);
        Samples.file(folder, "model.json", tampered);

        Run run = Run.stackelberg("verify", model, data);

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("NOT verified").contains("This claim of the model does not hold: pullThrough.");
    }

    @Test
    void claimedAndRecomputedValuesArePrintedSideBySide() {
        String text = Samples.read(model);
        double intercept = ModelFile.load(model).intercept();
        Samples.file(
                folder,
                "model.json",
                text.replace("\"intercept\" : " + intercept, "\"intercept\" : " + (intercept + 1)));

        Run run = Run.stackelberg("verify", model, data);
        Run json = Run.stackelberg("verify", model, data, "--json");

        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out())
                .contains("This claim of the model does not hold: intercept.")
                .containsPattern("(?m)^  intercept +" + (intercept + 1) + " +-?[0-9.E-]+ +NOT SO$");
        assertThat(json.json().get("refuted").get(0).asString()).isEqualTo("intercept");
        JsonNode claim = json.json()
                .get("claims")
                .valueStream()
                .filter(one -> one.get("name").asString().equals("intercept"))
                .findFirst()
                .orElseThrow();
        assertThat(claim.get("claimed").asDouble()).isEqualTo(intercept + 1);
        assertThat(claim.get("found").asDouble()).isCloseTo(intercept, within(1e-9 * Math.abs(intercept)));
        assertThat(claim.get("holds").asBoolean()).isFalse();
    }

    @Test
    void verifyTakesItsOwnTolerance() {
        Samples.file(
                folder, "model.json", Samples.read(model).replace("\"tolerance\" : 1.0E-9", "\"tolerance\" : 0.9"));

        Run edited = Run.stackelberg("verify", model, data);
        Run wrong = Run.stackelberg("verify", model, data, "--tolerance", "2");

        assertThat(edited.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(edited.out()).contains("optimality.tolerance");
        assertThat(wrong.code()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(wrong.err()).contains("2");
    }
}
