package stackelberg.cli.terminal;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where long work stands: on a terminal one line that is rewritten and wiped in the end, elsewhere a plain line now and then. Quick work
 * shows nothing.
 */
public final class StatusLine implements AutoCloseable {
    /** Nothing in the first second: whoever waits that long does not wonder yet. */
    private static final long FIRST_ON_A_TERMINAL = 1_000_000_000L;

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

    /** What to say while nobody reports, null if nothing. */
    private Supplier<String> activity;

    private ScheduledExecutorService ticker;

    /**
     * A line that starts counting now.
     *
     * @param out where to write, null for nowhere
     */
    StatusLine(PrintWriter out, boolean terminal, LongSupplier nanoTime) {
        this.out = out;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.next = start + (terminal ? FIRST_ON_A_TERMINAL : ELSEWHERE);
    }

    /** A line that also counts the seconds of work that reports nothing itself. */
    public static StatusLine ticking(PrintWriter out, boolean terminal) {
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

    /** Work of unknown length begins: it is told for how long it has been going on. */
    public synchronized void doing(String what) {
        long since = nanoTime.getAsLong();
        activity = () -> what + ", " + time((nanoTime.getAsLong() - since) * 1e-9);
    }

    /** So much of all work since this line began is done, from 0 to 1: it is told how long the rest will take. */
    public synchronized void doing(String what, double fraction) {
        double seconds = (nanoTime.getAsLong() - start) * 1e-9;
        activity = null;
        if (fraction < 1) {
            doing(what, fraction, fraction > 0 ? seconds * (1 - fraction) / fraction : 0);
        }
    }

    /** The same where the work knows how many seconds the rest will take: they are counted down until it reports again. */
    public synchronized void doing(String what, double fraction, double secondsLeft) {
        long now = nanoTime.getAsLong();
        String done = String.format(Locale.ROOT, "%s: %.0f%%", what, 100 * fraction);
        activity = () -> {
            double left = secondsLeft - (nanoTime.getAsLong() - now) * 1e-9;
            // who guessed too little has no idea
            return left > 0 ? done + ", " + left(left) : done;
        };
        tick();
    }

    /** Shows the text, unless the last one was shown just now: then it is not even made. */
    synchronized void show(Supplier<String> text) {
        activity = null;
        print(text);
    }

    /** Counts on, where nobody else reports. */
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
        if (shown && terminal) {
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
