package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** fit, respond and gamma count in the same words whom limits hold back. */
class HeldBackTest {
    private static final Pattern HELD = Pattern.compile("hold back (\\d+) of 60 people");

    @TempDir
    Path folder;

    @Test
    void peopleOnTheDeclaredSideAreCountedInTheSameWords() {
        Path data = Samples.csv(folder);
        Path model = folder.resolve("model.json");
        Run fit = Run.stackelberg(
                "fit",
                data,
                "--target",
                "y",
                "--wish",
                "hope-1",
                "--wish-noise",
                "1",
                "--one-sided",
                "up",
                "-o",
                model);
        Run respond = Run.stackelberg("respond", model, data, "-o", folder.resolve("moves.csv"));
        Run gamma = Run.stackelberg("gamma", model, "--before", data, "--after", data);

        String held = held(fit.out());
        assertThat(Integer.parseInt(held)).isBetween(1, 59);
        assertThat(held(respond.out())).isEqualTo(held);
        assertThat(respond.out()).contains("The limits hold back ");
        assertThat(held(gamma.out())).isEqualTo(held);
        assertThat(gamma.out())
                .contains("people because their score is already as good as they want; they are left out.");
    }

    private static String held(String text) {
        Matcher matcher = HELD.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }
}
