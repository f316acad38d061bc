package stackelberg.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import stackelberg.model.TuningListener;

/**
 * How far a tuning is and how long it will take: one line on a terminal that is wiped in the end, a plain line now and then where standard error
 * is not one. Nothing in the first second.
 */
final class TuningLine implements TuningListener, AutoCloseable {
    private static final long FIRST_AFTER = 1_000_000_000L;
    private static final long ON_A_TERMINAL = 200_000_000L;
    private static final long ELSEWHERE = 5_000_000_000L;

    /** To the start of the line, and erase it. */
    private static final String WIPE = "\r\033[K";

    private final PrintWriter out;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final long start;
    private long next;
    private boolean shown;

    /**
     * A line that starts counting now.
     *
     * @param out where to write, null for nowhere
     */
    TuningLine(PrintWriter out, boolean terminal, LongSupplier nanoTime) {
        this.out = out;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.next = start + FIRST_AFTER;
    }

    @Override
    public boolean onProgress(String phase, double fraction) {
        long now = nanoTime.getAsLong();
        if (out != null && now >= next && fraction < 1) {
            String text = text(phase, fraction, (now - start) * 1e-9);
            out.print(terminal ? WIPE + text : text + System.lineSeparator());
            out.flush();
            next = now + (terminal ? ON_A_TERMINAL : ELSEWHERE);
            shown = true;
        }
        return true;
    }

    @Override
    public void close() {
        if (shown && terminal) {
            out.print(WIPE);
            out.flush();
        }
    }

    private static String text(String phase, double fraction, double seconds) {
        String remaining = fraction > 0 ? ", about " + time(seconds * (1 - fraction) / fraction) + " left" : "";
        return String.format(Locale.ROOT, "%s: %.0f%%%s", phase, 100 * fraction, remaining);
    }

    private static String time(double seconds) {
        long whole = Math.max(1, Math.round(seconds));
        return whole < 120 ? whole + " s" : whole < 7200 ? whole / 60 + " min" : whole / 3600 + " h";
    }
}
