package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import stackelberg.cli.terminal.ExitCode;
import tools.jackson.databind.JsonNode;

class DemoCommandTest {
    @TempDir
    Path folder;

    @Test
    void theDemoIsCertifiedWithAModeratePullThrough() {
        Run run = Run.stackelberg("demo", "--json", "--no-report");

        assertThat(run.code()).isEqualTo(ExitCode.CERTIFIED);
        assertThat(run.json().get("pullThrough").asDouble()).isBetween(0.2, 0.6);
    }

    @Test
    void theDemoPrintsASummary() {
        Run run = Run.stackelberg("demo", "--no-report");

        assertThat(run.out()).contains("500 people").contains("immutable").contains("Certified");
        assertThat(run.err()).isEmpty();
    }

    @Test
    void fittingTheWrittenDataGivesTheSameRule() {
        Path file = folder.resolve("loans.csv");
        JsonNode demo = Run.stackelberg("demo", "--json", "--no-report", "--write-data", file)
                .json();

        JsonNode fit = Run.stackelberg(
                        "fit",
                        file,
                        "--target",
                        "score",
                        "--wish",
                        "hoped_for",
                        "--immutable",
                        "age,region",
                        "--gamma",
                        "30%",
                        "--json")
                .json();

        assertThat(fit.get("coefficients")).isEqualTo(demo.get("coefficients"));
        assertThat(fit.get("objective")).isEqualTo(demo.get("objective"));
    }

    @Test
    void demoDataAreWrittenOnlyToAFile() {
        Path file = Samples.file(folder, "loans.csv", "old\n");
        Run.stackelberg("demo", "--no-report", "--write-data", file);
        assertThat(file).content().startsWith("income,");

        for (String none : new String[] {
            "-", folder.toString(), folder.resolve("no/loans.csv").toString()
        }) {
            Run run = Run.stackelberg("demo", "--no-report", "--write-data", none);
            assertThat(run.code()).as(none).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(run.err()).contains("--write-data");
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void anImpossibleGammaIsWrongUsage() {
        assertThat(Run.stackelberg("demo", "--gamma", "-1").code()).isEqualTo(ExitCode.WRONG_USAGE);
    }
}
