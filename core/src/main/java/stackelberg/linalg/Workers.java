package stackelberg.linalg;

import java.util.concurrent.CancellationException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Runs numbered tasks on at most a given number of threads. What a task computes may not depend on which thread takes it.
 *
 * <p>All instances share one pool of daemon threads, one per processor, which end after a minute without work: an instance is a number, holds no
 * threads, and needs no closing. The calling thread works on its own tasks too and waits only for tasks that another thread has begun, so tasks may run
 * tasks of their own, to any depth.
 */
public final class Workers {
    /** Work is cut into pieces by the number of threads, of which more than a machine has gain nothing. */
    private static final int MOST_THREADS = 1024;

    private static final long IDLE_SECONDS = 60;

    /** A thread takes so many parts of its share, so that those who are done early can help the others. */
    private static final int PARTS = 8;

    private static final ThreadPoolExecutor POOL = pool();

    private static final Scratch SCRATCH = new Scratch();

    /** Whose tasks a thread of the pool works on; null on all others. */
    private static final ThreadLocal<Batch> HELPED = new ThreadLocal<>();

    private final int threads;
    /** Whether there is no thread left for whoever asks. */
    private final BooleanSupplier crowded;

    private Workers(int threads, BooleanSupplier crowded) {
        if (threads < 1 || threads > MOST_THREADS) {
            throw new IllegalArgumentException(
                    "The number of threads must be between 1 and " + MOST_THREADS + ", but is " + threads + ".");
        }
        this.threads = threads;
        this.crowded = crowded;
    }

    private static ThreadPoolExecutor pool() {
        int size = Runtime.getRuntime().availableProcessors();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    // nothing of the thread that happens to need it first
                    Thread thread = new Thread(null, work, "stackelberg worker", 0, false);
                    thread.setContextClassLoader(Workers.class.getClassLoader());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    public static Workers of(int threads) {
        return new Workers(threads, () -> false);
    }

    /** Starts to load what large work will need, on a thread of its own, for whoever has something else to do until then. */
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

    /** The same threads for one of several who work side by side: while that is crowded, everybody's tasks stay on their own thread, since there is nobody to hand them to. */
    public Workers among(BooleanSupplier others) {
        return new Workers(threads, others);
    }

    public int threads() {
        return threads;
    }

    /** Whether this thread is interrupted, or the one whose tasks it works on. */
    public static boolean isInterrupted() {
        boolean interrupted = Thread.currentThread().isInterrupted();
        for (Batch batch = HELPED.get(); batch != null && !interrupted; batch = batch.outer) {
            interrupted = batch.interrupted || batch.caller.isInterrupted();
        }
        return interrupted;
    }

    /**
     * Ends work whose result would be incomplete, if this thread is interrupted or the one whose tasks it works on.
     *
     * @throws CancellationException in that case; the thread stays interrupted
     */
    public static void throwIfInterrupted() {
        if (isInterrupted()) {
            throw new CancellationException("Interrupted before there was a result.");
        }
    }

    /** Buffers that the kernels use again and again. */
    Scratch scratch() {
        return SCRATCH;
    }

    /**
     * A matrix that holds anything, in memory that was perhaps used before; for what is repeated, which new memory would cost its first touch every
     * time. {@link #giveBack} when nobody needs it any more.
     */
    public DenseMatrix borrow(int rows, int cols) {
        return DenseMatrix.borrowed(rows, cols, SCRATCH);
    }

    /** Takes a matrix back that was borrowed, and that nobody may use from now on. */
    public void giveBack(DenseMatrix borrowed) {
        borrowed.giveTo(SCRATCH);
    }

    /** The same as an array, of just this length. */
    public double[] borrowArray(int length) {
        return SCRATCH.array(length);
    }

    public void giveBack(double[] borrowed) {
        SCRATCH.give(borrowed);
    }

    /**
     * Runs task(0) ... task(tasks - 1), in any order, and returns when all are done, or throws what one of them threw. An interrupt does not end it and
     * stays set.
     */
    public void run(int tasks, IntConsumer task) {
        int helpers = Math.min(Math.min(threads, tasks) - 1, POOL.getMaximumPoolSize());
        if (helpers < 1 || crowded.getAsBoolean()) {
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
            // no thread can be started, where processes are limited for example: those that there are do the work
        }
        batch.work();
        batch.finish();
    }

    /** Requests for help that no thread has taken up yet. */
    static int waiting() {
        return POOL.getQueue().size();
    }

    /** The tasks of one run, for its caller and every thread of the pool that comes to help. */
    private static final class Batch implements Runnable {
        private final int tasks;
        private final int part;
        private final IntConsumer task;
        private final Thread caller = Thread.currentThread();
        /** What the caller itself is helping with. */
        private final Batch outer = HELPED.get();
        /** Since the caller waits for others, which clears the flag of its thread. */
        private volatile boolean interrupted;

        private int next;
        private int helping;
        private Throwable failure;

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

        private synchronized int take() {
            int first = next;
            // no overflow: the part is at most the number of tasks
            next = first >= tasks - part ? tasks : first + part;
            return first;
        }

        private synchronized void fail(Throwable e) {
            failure = failure == null ? e : failure;
            next = tasks;
        }

        /** Waits for tasks that others have begun, and takes back the requests for help that none has heard. */
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
                // one for each helper
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
