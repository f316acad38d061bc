package stackelberg.linalg;

import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs numbered tasks on at most a given number of threads. The result of a task must not depend on the thread that
 * runs it.
 *
 * <p>All instances share one pool of daemon threads, one per processor, which end after a minute without work. So an
 * instance is just a number: it holds no threads and need not be closed. The calling thread runs tasks as well, and
 * waits only for tasks that another thread has begun. So a task may itself run tasks, to any depth, without a deadlock.
 */
public final class Workers {
    /** The largest number of threads that can be requested; more threads than processors bring no gain. */
    private static final int MOST_THREADS = 1024;

    /** The time in seconds after which an idle thread ends. */
    private static final long IDLE_SECONDS = 60;

    /**
     * A thread takes its share of the tasks in this many parts, so that threads that finish early can take parts of the
     * others.
     */
    private static final int PARTS = 8;

    private static final ThreadPoolExecutor POOL = pool();

    private static final Scratch SCRATCH = new Scratch();

    /** The batch that a thread of the pool is working on; null for other threads. */
    private static final ThreadLocal<@Nullable Batch> HELPED = new ThreadLocal<>();

    private final int threads;

    private Workers(int threads) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "The number of threads must be between 1 and " + MOST_THREADS + ", but is " + threads + ".");
        }
        this.threads = threads;
    }

    private static ThreadPoolExecutor pool() {
        int size = Runtime.getRuntime().availableProcessors();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    // Pool threads outlive their first user, so they must not inherit its thread locals or class
                    // loader.
                    Thread thread = new Thread(null, work, "stackelberg worker", 0, false);
                    thread.setContextClassLoader(Workers.class.getClassLoader());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** At most the given number of threads, 1 to 1024. */
    public static Workers of(int threads) {
        return new Workers(threads);
    }

    /**
     * Starts loading OpenBLAS on another thread, for callers that have something else to do before their first large
     * computation.
     */
    public static Thread expectLargeWork() {
        Thread loading = new Thread(Provider::expectLarge, "kernels");
        loading.setDaemon(true);
        loading.start();
        return loading;
    }

    /** One thread per processor of this machine. */
    public static Workers available() {
        return of(Runtime.getRuntime().availableProcessors());
    }

    /** The largest number of threads. */
    public int threads() {
        return threads;
    }

    /** Whether this thread is interrupted, or a thread whose tasks it is working on. */
    public static boolean isInterrupted() {
        boolean interrupted = Thread.currentThread().isInterrupted();
        for (Batch batch = HELPED.get(); batch != null && !interrupted; batch = batch.outer) {
            if (batch.caller.isInterrupted()) {
                // Kept here, because the caller's own flag is clear for a moment when the interrupt ends its wait.
                batch.interrupted = true;
            }
            interrupted = batch.interrupted;
        }
        return interrupted;
    }

    /**
     * Ends a computation if {@link #isInterrupted}.
     *
     * @throws CancellationException in that case; the thread stays interrupted
     */
    public static void throwIfInterrupted() {
        if (isInterrupted()) {
            throw new CancellationException("Interrupted before there was a result.");
        }
    }

    /** The pool of buffers for reuse. */
    Scratch scratch() {
        return SCRATCH;
    }

    /**
     * A matrix with undefined content, in memory that may have been used before. For repeated computations, in which
     * new memory would cost the first access to its pages each time. Return it with {@link #giveBack} when it is no
     * longer needed.
     */
    public DenseMatrix borrow(int rows, int cols) {
        return DenseMatrix.borrowed(rows, cols, SCRATCH);
    }

    /** Returns a borrowed matrix, which must not be used afterwards. */
    public void giveBack(DenseMatrix borrowed) {
        borrowed.giveTo(SCRATCH);
    }

    /** An array of exactly this length with undefined content, to be returned with {@link #giveBack(double[])}. */
    public double[] borrowArray(int length) {
        return SCRATCH.array(length);
    }

    /** Returns a borrowed array, which must not be used afterwards. */
    public void giveBack(double[] borrowed) {
        SCRATCH.give(borrowed);
    }

    /**
     * Runs task(0) ... task(tasks - 1) in any order and returns when all are done. If one throws an exception, no
     * further tasks are begun and the exception is rethrown here. An interrupt does not end the run; the flag stays
     * set.
     */
    public void run(int tasks, IntConsumer task) {
        int helpers = Math.min(Math.min(threads, tasks) - 1, POOL.getMaximumPoolSize());
        if (helpers < 1) {
            for (int i = 0; i < tasks; i++) {
                task.accept(i);
            }
            return;
        }
        Batch batch = new Batch(tasks, Math.max(1, tasks / (PARTS * (helpers + 1))), task);
        try {
            for (int h = 0; h < helpers; h++) {
                POOL.execute(batch);
            }
        } catch (OutOfMemoryError e) {
            // The system allows no further thread; those that exist do the work.
        }
        batch.work();
        batch.finish();
    }

    /** The number of requests for help that no thread of the pool has taken up yet. */
    static int waiting() {
        return POOL.getQueue().size();
    }

    /**
     * The tasks of one run. The caller and the helping threads of the pool take them in order, {@code part} at a time.
     */
    private static final class Batch implements Runnable {
        private final int tasks;
        private final int part;
        private final IntConsumer task;
        private final Thread caller = Thread.currentThread();
        /** The batch that the caller itself is helping with, absent if it is not a thread of the pool. */
        private final @Nullable Batch outer = HELPED.get();
        /**
         * Whether the caller has been interrupted since the batch began. Once true it stays true, which the caller's
         * own flag does not: waiting for helpers clears it.
         */
        private volatile boolean interrupted;

        /** The first task that no thread has taken. */
        private int next;
        /** The number of threads of the pool that are working on this batch. */
        private int helping;
        /** The first exception that a task has thrown. */
        private @Nullable Throwable failure;

        Batch(int tasks, int part, IntConsumer task) {
            this.tasks = tasks;
            this.part = part;
            this.task = task;
        }

        @Override
        public void run() {
            synchronized (this) {
                if (next >= tasks) {
                    return;
                }
                helping++;
            }
            HELPED.set(this);
            try {
                work();
            } finally {
                HELPED.remove();
                synchronized (this) {
                    helping--;
                    notifyAll();
                }
            }
        }

        /** Runs tasks until none is left. */
        void work() {
            for (int first = take(); first < tasks; first = take()) {
                int end = Math.min(tasks, first + part);
                try {
                    for (int i = first; i < end; i++) {
                        task.accept(i);
                    }
                } catch (RuntimeException | Error e) {
                    fail(e);
                }
            }
        }

        /** Takes the next part and returns its first task; the number of tasks if none is left. */
        private synchronized int take() {
            int first = next;
            // tasks - part cannot overflow, because a part has at most all tasks.
            next = first >= tasks - part ? tasks : first + part;
            return first;
        }

        /** Notes an exception and lets no further tasks begin. */
        private synchronized void fail(Throwable e) {
            failure = failure == null ? e : failure;
            next = tasks;
        }

        /**
         * Waits for the helpers, withdraws requests for help that no thread has taken up, and rethrows the exception of
         * a task.
         */
        void finish() {
            synchronized (this) {
                while (helping > 0) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            }
            while (POOL.getQueue().remove(this)) {
                // One request for each helper.
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
        }
    }
}
