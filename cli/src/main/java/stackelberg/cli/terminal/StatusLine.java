package stackelberg.cli.terminal;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where long work stands: on a terminal one line that is rewritten and wiped in the end, elsewhere a plain line now and then. Quick work
 * shows nothing.
 */
public final class StatusLine implements AutoCloseable {
    /** Nothing is shown in the first second, in which users do not yet expect a report. */
    private static final long FIRST_ON_A_TERMINAL = 1_000_000_000L;

    private static final long ON_A_TERMINAL = 200_000_000L;
    private static final long ELSEWHERE = 5_000_000_000L;

    /** To the start of the line, and erase it. */
    private static final String WIPE = "\r\033[K";

    private final @Nullable PrintWriter out;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final long start;
    private long next;
    private boolean shown;

    /** The text to show between two reports, with the seconds counted on; absent if nothing is shown. */
    private @Nullable Supplier<String> activity;

    /** Refreshes the line regularly; null for a line that is not shown. */
    private @Nullable ScheduledExecutorService ticker;

    /**
     * A line that starts counting now.
     *
     * @param out where to write; null to show nothing
     */
    StatusLine(@Nullable PrintWriter out, boolean terminal, LongSupplier nanoTime) {
        this.out = out;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.next = start + (terminal ? FIRST_ON_A_TERMINAL : ELSEWHERE);
    }

    /** A line that also counts the seconds of work that reports nothing itself. */
    public static StatusLine ticking(@Nullable PrintWriter out, boolean terminal) {
        StatusLine line = new StatusLine(out, terminal, System::nanoTime);
        if (out != null) {
            line.ticker = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "status line");
                thread.setDaemon(true);
                return thread;
            });
            line.ticker.scheduleAtFixedRate(line::tick, ON_A_TERMINAL, ON_A_TERMINAL, TimeUnit.NANOSECONDS);
        }
        return line;
    }

    /** Starts work of unknown length: the line shows for how long it has been running. */
    public synchronized void doing(String what) {
        long since = nanoTime.getAsLong();
        activity = () -> what + ", " + time((nanoTime.getAsLong() - since) * 1e-9);
    }

    /**
     * Shows how much of the work since this line began is done, and how long the rest will take: the time so far times (1 - fraction)/fraction.
     *
     * @param fraction the share that is done, from 0 to 1
     */
    public synchronized void doing(String what, double fraction) {
        double seconds = (nanoTime.getAsLong() - start) * 1e-9;
        activity = null;
        if (fraction < 1) {
            doing(what, fraction, fraction > 0 ? seconds * (1 - fraction) / fraction : 0);
        }
    }

    /** The same for work that estimates its own remaining seconds, which are counted down until the next report. */
    public synchronized void doing(String what, double fraction, double secondsLeft) {
        long now = nanoTime.getAsLong();
        String done = String.format(Locale.ROOT, "%s: %.0f%%", what, 100 * fraction);
        activity = () -> {
            double left = secondsLeft - (nanoTime.getAsLong() - now) * 1e-9;
            // the estimate has run out, so no other number is invented
            return left > 0 ? done + ", " + left(left) : done;
        };
        tick();
    }

    /** Shows a text; within the shortest interval between two texts it is skipped and not computed. */
    synchronized void show(Supplier<String> text) {
        activity = null;
        print(text);
    }

    /** Refreshes the text of work that does not report itself. */
    synchronized void tick() {
        if (activity != null) {
            print(activity);
        }
    }

    private void print(Supplier<String> text) {
        if (out == null) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (now >= next) {
            String line = Visible.line(text.get());
            out.print(terminal ? WIPE + line : line + System.lineSeparator());
            out.flush();
            next = now + (terminal ? ON_A_TERMINAL : ELSEWHERE);
            shown = true;
        }
    }

    @Override
    public synchronized void close() {
        if (ticker != null) {
            ticker.shutdownNow();
        }
        activity = null;
        if (shown && terminal && out != null) {
            out.print(WIPE);
            out.flush();
        }
    }

    /** "about 6 s left". */
    static String left(double seconds) {
        return "about " + time(seconds) + " left";
    }

    private static String time(double seconds) {
        long whole = Math.max(1, Math.round(seconds));
        return whole < 120 ? whole + " s" : whole < 7200 ? whole / 60 + " min" : whole / 3600 + " h";
    }
}
