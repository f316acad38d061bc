package stackelberg.cli.terminal;

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
            iterate(line, 1, 0.5, 0.01);
        }
        assertThat(terminal.toString()).isEmpty();
    }

    @Test
    void aSlowSolverShowsItsProgressAndClearsItsLine() {
        try (ProgressLine line = line()) {
            iterate(line, 1, 1.1, 0.01);
            iterate(line, 2, 0.1, 0.01);
            iterate(line, 3, 0.15, 0.01);
        }
        assertThat(terminal.toString())
                .contains("solving: iteration 1, loss 2.500, residual 0.01000")
                .doesNotContain("iteration 2")
                .contains("iteration 3")
                .doesNotContain("left")
                .endsWith("\r\033[K");
    }

    /** Tolerance 1e-8: the residual must fall by 1e-4, of which 1e-1 took three seconds. */
    @Test
    void theRemainingTimeFollowsFromAGeometricResidual() {
        try (ProgressLine line = line()) {
            iterate(line, 1, 0.1, 0);
            iterate(line, 2, 0.1, 1);
            iterate(line, 3, 3, 0.1);
            iterate(line, 4, 3, 1);
        }
        assertThat(terminal.toString())
                .contains("iteration 3, loss 2.500, residual 0.1000, about 9 s left")
                .contains("iteration 4, loss 2.500, residual 1.000, about 18 s left");
    }

    private ProgressLine line() {
        return new ProgressLine(new StatusLine(new PrintWriter(terminal), true, clock::get), 1e-8, clock::get);
    }

    private void iterate(ProgressLine line, int iteration, double seconds, double residual) {
        clock.addAndGet((long) (1e9 * seconds));
        line.onIteration(new Progress(iteration, 2.5, residual, Double.NaN, 0));
    }
}
