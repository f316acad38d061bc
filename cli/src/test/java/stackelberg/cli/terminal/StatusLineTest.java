package stackelberg.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StatusLineTest {
    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(5);

    @Test
    void onATerminalOneLineSaysHowMuchTimeRemainsAndIsWipedInTheEnd() {
        try (StatusLine line = line(true)) {
            after(2, line, "reading", 0.25);
            after(0.1, line, "unseen", 0.26);
            after(7.9, line, "solving", 0.5);
            after(1, line, "done", 1);
        }
        assertThat(err.toString())
                .isEqualTo("\r\033[Kreading: 25%, about 6 s left\r\033[Ksolving: 50%, about 10 s left\r\033[K");
    }

    @Test
    void withoutATerminalAPlainLineIsPrintedNowAndThen() {
        try (StatusLine line = line(false)) {
            after(2, line, "unseen", 0.001);
            after(4, line, "reading", 0.02);
            after(3, line, "unseen", 0.2);
            after(3, line, "solving", 0.5);
        }
        assertThat(err.toString().lines())
                .containsExactly("reading: 2%, about 4 min left", "solving: 50%, about 12 s left");
        assertThat(err.toString()).doesNotContain("\r\033");
    }

    @Test
    void workThatReportsNothingIsCountedInSeconds() {
        try (StatusLine line = line(true)) {
            line.doing("reading");
            tick(0.9, line);
            tick(2.1, line);
            line.show(() -> "iteration 1");
            tick(1, line);
            line.doing("certifying");
            tick(1, line);
        }
        assertThat(err.toString()).isEqualTo("\r\033[Kreading, 3 s\r\033[Kcertifying, 1 s\r\033[K");
    }

    @Test
    void theTimeThatIsLeftIsCountedDownUntilTheWorkReportsAgain() {
        try (StatusLine line = line(true)) {
            line.doing("table2", 0.37, 20);
            tick(5, line);
            tick(10, line);
            tick(10, line);
            after(5, line, "table3", 0.5);
            tick(1, line);
        }
        assertThat(err.toString().split("\r\033\\[K", -1))
                .containsExactly(
                        "",
                        "table2: 37%, about 15 s left",
                        "table2: 37%, about 5 s left",
                        "table2: 37%",
                        "table3: 50%, about 30 s left",
                        "table3: 50%, about 29 s left",
                        "");
    }

    @Test
    void withoutATerminalOneLongRunIsReported() {
        try (StatusLine line = line(false)) {
            line.doing("table2", 0, 600);
            tick(3, line);
            tick(3, line);
        }
        assertThat(err.toString().lines()).containsExactly("table2: 0%, about 9 min left");
    }

    @Test
    void aQuietStatusLineWritesNothing() {
        try (StatusLine quiet = new StatusLine(null, true, clock::get);
                StatusLine early = line(true)) {
            for (StatusLine line : new StatusLine[] {quiet, early}) {
                line.show(() -> {
                    throw new AssertionError("not shown");
                });
            }
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void quickWorkShowsNothing() {
        try (StatusLine line = line(true)) {
            after(0.1, line, "reading", 0);
            after(0.5, line, "solving", 0.5);
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void quietWritesNowhere() {
        try (StatusLine line = new StatusLine(null, true, clock::get)) {
            line.doing("reading");
            tick(10, line);
            after(10, line, "solving", 0.5);
        }
        assertThat(err.toString()).isEmpty();
    }

    private StatusLine line(boolean terminal) {
        return new StatusLine(new PrintWriter(err), terminal, clock::get);
    }

    private void after(double seconds, StatusLine line, String phase, double fraction) {
        clock.addAndGet((long) (1e9 * seconds));
        line.doing(phase, fraction);
    }

    private void tick(double seconds, StatusLine line) {
        clock.addAndGet((long) (1e9 * seconds));
        line.tick();
    }
}
