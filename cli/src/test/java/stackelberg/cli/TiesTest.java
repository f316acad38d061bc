package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;

/** One wish for everyone: other rules are as good, and every command says what the one it takes is. */
class TiesTest {
    private static final String NOTE =
            "Everyone wants the same score, at least among people with the same immutable columns, and the"
                    + " rule cancels that: it is a multiple of least squares, ";

    @TempDir
    Path folder;

    private Run run(String command, String... more) {
        String[] all = new String[more.length + 9];
        Object[] first = {command, Samples.csv(folder), "--target", "y", "--wish", "5", "--gamma", "100", "--ignore"};
        for (int i = 0; i < first.length; i++) {
            all[i] = first[i].toString();
        }
        System.arraycopy(more, 0, all, first.length, more.length);
        return Run.stackelberg((Object[]) all);
    }

    @Test
    void fitReportsATieAndIsCertified() {
        Path file = folder.resolve("model.json");
        Run text = run("fit", "hope", "--hedge", "none", "-o", file.toString());
        assertThat(text.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(text.out()).contains(NOTE).contains("Certified: globally optimal");
        assertThat(text.err()).doesNotContain("unique");
        Run json = run("fit", "hope", "--hedge", "none", "--json");
        assertThat(json.json().get("unique").asBoolean()).isFalse();
        assertThat(json.json().get("pullThrough").asDouble()).isLessThan(0.1);
        assertThat(json.json().get("notes").get(0).asString()).startsWith(NOTE);
        assertThat(Run.stackelberg("summary", file).out()).contains(NOTE);
        Run verified = Run.stackelberg("verify", file, Samples.csv(folder));
        assertThat(verified.code()).as(verified.out() + verified.err()).isEqualTo(ExitCode.CERTIFIED);
    }

    @Test
    void compareReportsATie() {
        assertThat(run("compare", "hope").out()).contains(NOTE);
        assertThat(run("compare", "hope", "--json").json().get("notes").get(0).asString())
                .startsWith(NOTE);
    }

    @Test
    void pathReportsATieOnceWithAGamma() {
        Run run = Run.stackelberg(
                "path",
                Samples.csv(folder),
                "--target",
                "y",
                "--wish",
                "5",
                "--gammas",
                "0.1,50,100",
                "--ignore",
                "hope",
                "--hedge",
                "none");
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.out()).containsOnlyOnce(NOTE).contains("At 2 of 3 gammas, such as 50: " + NOTE);
    }
}
