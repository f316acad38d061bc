package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's example on data of one's own runs as it is printed, on data that everybody can write. */
class ReadmeTest {
    /** Two commands and what the second prints. */
    private static final Pattern EXAMPLE = Pattern.compile(
            "```\n\\$ \\./stackelberg (demo [^\n]+)\n\\$ \\./stackelberg (fit [^\n]+)\n(.+?)```", Pattern.DOTALL);

    /** Bounds on what rounding may do, which differ between machines. */
    private static final Pattern ROUNDING = Pattern.compile("by more than \\S+\\.\n|after \\d+ iterations");

    @TempDir
    Path folder;

    @Test
    void theExampleOfOnesOwnDataPrintsWhatTheReadmeSays() {
        Matcher example = EXAMPLE.matcher(Samples.read(Path.of("..", "README.md")));
        assertThat(example.find()).isTrue();

        assertThat(run(example.group(1)).code()).isZero();
        Run fit = run(example.group(2));

        assertThat(fit.code()).isZero();
        assertThat(sure(fit.out() + fit.err())).isEqualTo(sure(example.group(3)));
    }

    private Run run(String line) {
        Object[] words = Pattern.compile("\"([^\"]*)\"|(\\S+)")
                .matcher(line)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .map(word -> word.equals("loans.csv") ? folder.resolve(word).toString() : word)
                .toArray();
        return Run.stackelberg(words);
    }

    private static String sure(String text) {
        return ROUNDING.matcher(text).replaceAll("");
    }
}
