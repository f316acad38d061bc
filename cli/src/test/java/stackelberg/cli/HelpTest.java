package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import stackelberg.model.StackelbergModel;
import stackelberg.solver.auto.Solvers;

class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "describe",
                "fit",
                "predict",
                "verify",
                "respond",
                "evaluate",
                "compare",
                "gamma",
                "effect",
                "summary",
                "path",
                "simulate",
                "tune",
                "export",
                "serve"
            })
    void everyCommandShowsExamples(String command) {
        Run run = Run.stackelberg(command, "--help");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("Examples:")
                .contains("  stackelberg " + command)
                .contains("Exit codes:");
    }

    @Test
    void helpListsTheCommandsAndTheSolvers() {
        assertThat(Run.stackelberg("--help").out())
                .contains("demo", "fit", "predict", "verify", "path", "tune", "generate-completion");
        assertThat(Run.stackelberg("fit", "--help").out().replaceAll("\\s+", " "))
                .contains(String.join(", ", Solvers.names()));
    }

    @Test
    void withoutACommandHelpIsPrinted() {
        Run bare = Run.stackelberg();

        assertThat(bare.code()).isZero();
        assertThat(bare.out()).isEqualTo(Run.stackelberg("--help").out()).contains("Commands:");
        assertThat(bare.err()).isEmpty();
    }

    @Test
    void theHelpOfCompareSaysWhatTheSeedDecides() {
        assertThat(Run.stackelberg("compare", "--help").out().replaceAll("\\s+", " "))
                .contains("--seed=N The seed of everything random")
                .contains("people that are held out")
                .contains("(default: 0)");
    }

    @Test
    void theVersionIsTheLibrarys() {
        assertThat(Run.stackelberg("--version").out().strip())
                .isEqualTo("stackelberg " + StackelbergModel.libraryVersion());
    }

    @Test
    void completionKnowsTheWordsOfOptions() {
        Run run = Run.stackelberg("generate-completion");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("\"standard\" \"range\" \"none\"").contains("--wish-noise");
    }
}
