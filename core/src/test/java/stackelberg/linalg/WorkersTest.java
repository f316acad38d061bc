package stackelberg.linalg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkersTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void theNumberOfThreadsIsBounded() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        for (int k = 0; k < 500; k++) {
            Workers.of(2 + k % 7).run(40, i -> {});
            Workers.available().run(40, i -> {});
        }

        Set<Thread> more = ConcurrentHashMap.newKeySet();
        more.addAll(Thread.getAllStackTraces().keySet());
        more.removeAll(before);
        assertThat(more).hasSizeLessThanOrEqualTo(Runtime.getRuntime().availableProcessors() + 2);
        assertThat(more).allMatch(Thread::isDaemon);
    }

    @Test
    void everyTaskRunsExactlyOnce() {
        for (int threads : new int[] {1, 2, 3, 16}) {
            for (int tasks : new int[] {0, 1, 2, 3, 17, 1000}) {
                AtomicIntegerArray times = new AtomicIntegerArray(tasks);

                Workers.of(threads).run(tasks, times::incrementAndGet);

                for (int i = 0; i < tasks; i++) {
                    assertThat(times.get(i)).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void nestedTasksDoNotDeadlock() {
        AtomicIntegerArray times = new AtomicIntegerArray(20 * 20 * 20);

        assertTimeoutPreemptively(SOON, () -> {
            Workers workers = Workers.of(4);
            workers.run(
                    20,
                    i -> workers.run(
                            20, j -> Workers.of(3).run(20, k -> times.incrementAndGet((20 * i + j) * 20 + k))));
        });

        for (int i = 0; i < times.length(); i++) {
            assertThat(times.get(i)).isEqualTo(1);
        }
    }

    @Test
    void aRunFinishesEvenIfAllThreadsAreBusy() {
        CountDownLatch release = new CountDownLatch(1);
        int many = Runtime.getRuntime().availableProcessors() + 3;
        Thread[] busy = new Thread[many];
        for (int t = 0; t < many; t++) {
            busy[t] = new Thread(() -> Workers.of(2).run(2, i -> await(release)));
            busy[t].setDaemon(true);
            busy[t].start();
        }
        AtomicIntegerArray times = new AtomicIntegerArray(1);

        assertTimeoutPreemptively(SOON, () -> {
            for (int k = 0; k < 1000; k++) {
                Workers.of(4).run(10, i -> times.incrementAndGet(0));
            }
        });

        assertThat(times.get(0)).isEqualTo(10_000);
        assertThat(Workers.waiting()).isLessThanOrEqualTo(many);
        release.countDown();
    }

    @Test
    void anExceptionOfATaskReachesTheCaller() {
        assertThatThrownBy(() -> Workers.of(3).run(100, i -> {
                    if (i == 63) {
                        throw new IllegalStateException("63");
                    }
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("63");
        assertThatThrownBy(() -> Workers.of(3).run(100, i -> {
                    throw new StackOverflowError("deep");
                }))
                .isInstanceOf(StackOverflowError.class);
    }

    /** Computations stop at an interrupt between their steps, so each step must be complete. */
    @Test
    void anInterruptedCallerStillRunsAllItsTasks() {
        AtomicIntegerArray times = new AtomicIntegerArray(100);
        Thread.currentThread().interrupt();
        try {
            Workers.of(3).run(100, times::incrementAndGet);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
        for (int i = 0; i < 100; i++) {
            assertThat(times.get(i)).isEqualTo(1);
        }
    }

    @Test
    void tasksOnOtherThreadsSeeTheInterruptOfTheirCaller() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(2);
        Set<Boolean> seen = ConcurrentHashMap.newKeySet();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller = new Thread(() -> Workers.of(2).run(2, i -> Workers.of(2).run(1, k -> {
            inside.countDown();
            long end = System.nanoTime() + SOON.toNanos();
            while (!Workers.isInterrupted() && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            seen.add(Workers.isInterrupted());
        })));
        caller.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        caller.start();
        inside.await(SOON.toSeconds(), TimeUnit.SECONDS);
        caller.interrupt();
        caller.join(SOON.toMillis());

        assertThat(failure.get()).isNull();
        assertThat(seen).containsExactly(true);
        assertThat(Workers.isInterrupted()).isFalse();
    }

    @Test
    void theNumberOfPooledBuffersIsBounded() {
        Scratch scratch = new Scratch();
        for (int size = 1; size <= 20_000; size++) {
            scratch.give(Scratch.allocate(1 + size % 50));
            scratch.give(new double[size % 70]);
        }

        assertThat(scratch.count()).isLessThanOrEqualTo(2 * Scratch.MAX_COUNT);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(SOON.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
