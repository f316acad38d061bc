package stackelberg;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Tests that try very many things: a few by default, a bounded number in the whole suite, as many as {@code -Dstackelberg.long=N} says in a long run.
 *
 * <p>Try k depends on k alone, so what fails in a long run fails again alone, with {@code -Dstackelberg.first=K -Dstackelberg.long=1}.
 */
public final class LongRun {
    private static final long WANTED = Long.getLong("stackelberg.long", 0);
    private static final boolean FULL = Boolean.getBoolean("stackelberg.full");
    private static final long FIRST = Long.getLong("stackelberg.first", 0);
    /** More are not read by anybody. */
    private static final int TOLD = 50;

    private LongRun() {}

    /** Whether a long run is wanted. */
    public static boolean wanted() {
        return WANTED > 0;
    }

    /** How many things to try. */
    public static long tries(long inTheSuite) {
        return wanted() ? WANTED : inTheSuite;
    }

    /** The number of the first of them. */
    public static long first() {
        return FIRST;
    }

    /** How many things to try: a few with {@code mvn verify}, more in the whole suite, {@code mvn verify -Pfull}. */
    public static long tries(long byDefault, long inTheWholeSuite) {
        return tries(FULL ? inTheWholeSuite : byDefault);
    }

    /** The figures of a long run, to be copied; the suite prints nothing. */
    public static void print(String summary) {
        if (wanted()) {
            System.out.println(summary);
        }
    }

    /**
     * What went wrong in this many tries, on all processors.
     *
     * @param secondsEach a try that takes longer hangs, which ends the run
     * @param one what is wrong with try k, if anything; what it throws is wrong as well
     */
    public static Collection<String> failures(long tries, int secondsEach, LongFunction<Optional<String>> one) {
        int threads = Runtime.getRuntime().availableProcessors();
        Map<Long, String> wrong = new ConcurrentSkipListMap<>();
        Map<Long, Long> started = new ConcurrentHashMap<>();
        AtomicLong next = new AtomicLong(FIRST);
        long end = FIRST + tries;
        CountDownLatch working = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            Thread worker = new Thread(() -> {
                for (long k = next.getAndIncrement(); k < end && wrong.size() < TOLD; k = next.getAndIncrement()) {
                    started.put(k, System.nanoTime());
                    tell(k, one, wrong);
                    started.remove(k);
                }
                working.countDown();
            });
            worker.setDaemon(true);
            worker.start();
        }
        while (!ended(working)) {
            long now = System.nanoTime();
            List<Long> hanging = started.entrySet().stream()
                    .filter(e -> now - e.getValue() > TimeUnit.SECONDS.toNanos(secondsEach))
                    .map(Map.Entry::getKey)
                    .toList();
            if (!hanging.isEmpty()) {
                hanging.forEach(k -> wrong.put(k, "try " + k + " hangs for more than " + secondsEach + " s"));
                break;
            }
        }
        return wrong.values();
    }

    private static void tell(long k, LongFunction<Optional<String>> one, Map<Long, String> wrong) {
        try {
            one.apply(k).ifPresent(what -> wrong.put(k, "try " + k + ": " + what));
        } catch (Throwable e) {
            StringWriter trace = new StringWriter();
            e.printStackTrace(new PrintWriter(trace));
            wrong.put(k, "try " + k + ": " + trace);
        }
    }

    private static boolean ended(CountDownLatch working) {
        try {
            return working.await(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
