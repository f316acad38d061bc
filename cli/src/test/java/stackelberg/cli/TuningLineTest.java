package stackelberg.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TuningLineTest {
    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(5);

    @Test
    void onATerminalOneLineSaysHowMuchTimeRemainsAndIsWipedInTheEnd() {
        try (TuningLine line = line(true)) {
            after(2, line, "reading", 0.25);
            after(0.1, line, "unseen", 0.26);
            after(7.9, line, "solving", 0.5);
            after(1, line, "done", 1);
        }
        assertThat(err.toString())
                .isEqualTo("\r\033[Kreading: 25%, about 6 s left\r\033[Ksolving: 50%, about 10 s left\r\033[K");
    }

    @Test
    void elsewhereAPlainLineNowAndThen() {
        try (TuningLine line = line(false)) {
            after(2, line, "reading", 0.01);
            after(3, line, "unseen", 0.2);
            after(5, line, "solving", 0.5);
        }
        assertThat(err.toString().lines())
                .containsExactly("reading: 1%, about 3 min left", "solving: 50%, about 10 s left");
        assertThat(err.toString()).doesNotContain("\r\033");
    }

    @Test
    void aQuickTuningShowsNothing() {
        try (TuningLine line = line(true)) {
            after(0.1, line, "reading", 0);
            after(0.5, line, "solving", 0.5);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void quietWritesNowhere() {
        try (TuningLine line = new TuningLine(null, true, clock::get)) {
            after(10, line, "solving", 0.5);
        }
        assertThat(err.toString()).isEmpty();
    }

    private TuningLine line(boolean terminal) {
        return new TuningLine(new PrintWriter(err), terminal, clock::get);
    }

    private void after(double seconds, TuningLine line, String phase, double fraction) {
        clock.addAndGet((long) (1e9 * seconds));
        assertThat(line.onProgress(phase, fraction)).isTrue();
    }
}
