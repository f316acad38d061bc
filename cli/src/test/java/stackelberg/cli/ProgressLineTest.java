package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import stackelberg.solver.ProgressListener.Progress;

class ProgressLineTest {
    private final StringWriter terminal = new StringWriter();
    private final AtomicLong clock = new AtomicLong(5);

    @Test
    void aQuickSolverShowsNothing() {
        try (ProgressLine line = line()) {
            iterate(line, 1, 0.5);
        }
        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void aSlowSolverShowsWhereItStandsAFewTimesASecondAndLeavesNothingBehind() {
        try (ProgressLine line = line()) {
            iterate(line, 1, 1.1);
            iterate(line, 2, 0.1);
            iterate(line, 3, 0.15);
        }
        assertThat(terminal.toString())
                .contains("iteration 1  loss 2.500  residuals 0.01000")
                .doesNotContain("iteration 2")
                .contains("iteration 3")
                .endsWith("\r\033[K");
    }

    private ProgressLine line() {
        return new ProgressLine(new PrintWriter(terminal), clock::get);
    }

    private void iterate(ProgressLine line, int iteration, double seconds) {
        clock.addAndGet((long) (1e9 * seconds));
        line.onIteration(new Progress(iteration, 2.5, 0.01, Double.NaN, 0));
    }
}
