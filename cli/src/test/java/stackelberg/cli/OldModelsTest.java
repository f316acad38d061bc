package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;

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

    private static Path resource(String name) {
        try {
            return Path.of(OldModelsTest.class.getResource("old/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
