package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;
import stackelberg.game.GameSpec;
import stackelberg.model.ModelFile;
import stackelberg.model.StackelbergModel;

/** Model files of every kind that version 0.2.0 wrote, fitted to {@code people.csv}: they are verified as that version verified them. */
class OldModelsTest {
    @ParameterizedTest
    @CsvSource({
        "plain,0",
        "hedged,0",
        "mixed,0",
        "interval,0",
        "logistic,0",
        "limits,4",
        "effects,0",
        "nointercept,0",
    })
    void anOldModelIsVerifiedWithTheExitCodeOfItsTime(String kind, int code) {
        Run verify = Run.stackelberg("verify", resource(kind + ".json"), resource("people.csv"));

        assertThat(verify.code()).as(verify.out() + verify.err()).isEqualTo(code);
    }

    /** The check can fail. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "hedged", "mixed", "interval", "logistic", "effects", "nointercept"})
    void anOldModelWithAChangedCoefficientIsNotVerified(String kind, @TempDir Path folder) {
        String text = Samples.read(resource(kind + ".json"));
        Path changed = Samples.file(
                folder, "changed.json", text.replaceFirst("\"coefficient\" : (\\d)", "\"coefficient\" : 1$1"));

        assertThat(Run.stackelberg("verify", changed, resource("people.csv")).code())
                .isIn(ExitCode.BAD_DATA, ExitCode.NOT_CERTIFIED);
    }

    /** Files up to format version 2 do not say what a hedge is measured from: it was today's rule then. */
    @Test
    void theHedgeOfAnOldModelIsMeasuredFromTodaysRule(@TempDir Path folder) {
        StackelbergModel old = ModelFile.load(resource("hedged.json"));
        Path saved = folder.resolve("saved.json");
        ModelFile.save(old, saved);
        Path best = Samples.file(folder, "best.json", Samples.read(saved).replace("\"TODAY\"", "\"BEST\""));

        assertThat(old.game().hedgeOf()).isEqualTo(GameSpec.HedgeOf.TODAY);
        assertThat(ModelFile.load(resource("plain.json")).game().hedgeOf()).isEqualTo(GameSpec.HedgeOf.BEST);
        assertThat(Samples.read(saved)).contains("\"hedgeOf\" : \"TODAY\"");
        assertThat(ModelFile.load(saved).game()).isEqualTo(old.game());
        assertThat(Run.stackelberg("summary", saved).out())
                .contains("at most 5% worse than today's rule if nobody moves")
                .doesNotContain("worse than the best");
        // what another search proved is a claim of files that say so
        assertThat(Run.stackelberg("verify", best, resource("people.csv")).code())
                .isEqualTo(ExitCode.NOT_CERTIFIED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"bound\" : 5", "\"hedge\" : 0.0", "\"gapBound\" : 4.58446720585925", "\"relativeGap\" : 1"})
    void whatProvesTheHedgeOfAnOldModelIsChecked(String number, @TempDir Path folder) {
        String text = Samples.read(resource("hedged.json"));
        assertThat(text).contains(number);
        String smaller = number.startsWith("\"gapBound") ? "\"gapBound\" : 0.00000000000001" : number + "1";
        Path changed = Samples.file(folder, "changed.json", text.replace(number, smaller));

        assertThat(Run.stackelberg("verify", changed, resource("people.csv")).code())
                .isEqualTo(ExitCode.NOT_CERTIFIED);
    }

    private static Path resource(String name) {
        try {
            return Path.of(OldModelsTest.class.getResource("old/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
