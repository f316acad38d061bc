package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.cli.terminal.ExitCode;

/** What is printed of a rule is what is proven of it. */
class ClaimsTest {
    @TempDir
    Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("data.csv"), text).toString();
    }

    @Test
    void aHugeWishCertifiesNothing() throws IOException {
        Run run = Run.stackelberg(
                "fit",
                file("x,z,y\n1,1e15,0.9\n2,2e15,0.2\n-1,1.5e15,0.4\n0.5,0.7e15,0.7\n"),
                "--target",
                "y",
                "--wish",
                "z",
                "--scale",
                "none",
                "--intercept",
                "none");
        assertThat(run.code()).isEqualTo(ExitCode.NOT_CERTIFIED);
        assertThat(run.out()).contains("NOT certified");
    }

    @Test
    void twiceTheTargetIsCertified() throws IOException {
        Run run =
                Run.stackelberg("fit", file("a,b,y\n1,1,3\n2,2,5\n4,4,4.1\n7,7,1\n"), "--target", "y", "--wish", "2*y");
        assertThat(run.code()).as(run.out() + run.err()).isEqualTo(ExitCode.CERTIFIED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cd-admm", "admm", "auto"})
    void aConstantFeatureIsNotAnInternalError(String solver) throws IOException {
        Run run = Run.stackelberg(
                "fit",
                file("x,z,y\n1,5,2\n1,5,3\n1,5,4\n"),
                "--target",
                "y",
                "--wish",
                "z",
                "--features",
                "x",
                "--gamma",
                "1",
                "--solver",
                solver);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.CERTIFIED);
    }

    @Test
    void dataWithConstantColumnsOnlyAreReported() throws IOException {
        Run run = Run.stackelberg("fit", file("x,y\n1,2\n1,3\n1,4\n"), "--target", "y", "--wish", "3");
        assertThat(run.code()).isEqualTo(ExitCode.BAD_DATA);
        assertThat(run.err()).contains("No column is left that could be a feature", "left out: x", "--features");
    }
}
