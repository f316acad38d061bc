package stackelberg.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import stackelberg.solver.ProgressListener;

/** One line on a terminal that says where a solver stands; only if it takes longer than a second, and wiped in the end. */
final class ProgressLine implements ProgressListener, AutoCloseable {
    private static final long FIRST_AFTER = 1_000_000_000;
    private static final long THEN_EVERY = 200_000_000;

    /** To the start of the line, and erase it. */
    private static final String WIPE = "\r\033[K";

    private final PrintWriter terminal;
    private final LongSupplier nanoTime;
    private long next;
    private boolean shown;

    /**
     * A line that starts waiting now.
     *
     * @param terminal where to write, null for nowhere
     */
    ProgressLine(PrintWriter terminal, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.next = nanoTime.getAsLong() + FIRST_AFTER;
    }

    @Override
    public Decision onIteration(Progress progress) {
        long now = nanoTime.getAsLong();
        if (terminal != null && now >= next) {
            terminal.print(WIPE + text(progress));
            terminal.flush();
            next = now + THEN_EVERY;
            shown = true;
        }
        return Decision.CONTINUE;
    }

    @Override
    public void close() {
        if (shown) {
            terminal.print(WIPE);
            terminal.flush();
        }
    }

    private static String text(Progress progress) {
        StringBuilder text = new StringBuilder("iteration " + progress.iteration());
        append(text, "loss", progress.objective());
        append(text, "residuals", progress.primalResidual());
        append(text, "and", progress.dualResidual());
        return text.toString();
    }

    private static void append(StringBuilder text, String name, double value) {
        if (!Double.isNaN(value)) {
            text.append(String.format(Locale.ROOT, "  %s %.4g", name, value));
        }
    }
}
