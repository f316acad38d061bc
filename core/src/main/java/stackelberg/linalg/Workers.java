package stackelberg.linalg;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** A fixed number of threads that take numbered tasks. What a task computes may not depend on which thread takes it. */
public final class Workers {
    private final int threads;
    private final ForkJoinPool pool;
    private final Scratch scratch;
    /** Whether there is no thread left for whoever asks. */
    private final BooleanSupplier crowded;

    private Workers(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("The number of threads must be at least 1, but is " + threads + ".");
        }
        this.threads = threads;
        this.pool = threads == 1 ? null : new ForkJoinPool(threads);
        this.scratch = new Scratch();
        this.crowded = () -> false;
    }

    private Workers(Workers same, BooleanSupplier crowded) {
        this.threads = same.threads;
        this.pool = same.pool;
        this.scratch = same.scratch;
        this.crowded = crowded;
    }

    public static Workers of(int threads) {
        return new Workers(threads);
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
        return new Workers(Runtime.getRuntime().availableProcessors());
    }

    /** The same threads for one of several who work side by side: while that is crowded, everybody's tasks stay on their own thread, since there is nobody to hand them to. */
    public Workers among(BooleanSupplier others) {
        return new Workers(this, others);
    }

    public int threads() {
        return threads;
    }

    /** Buffers that the kernels run by these workers use again and again. */
    Scratch scratch() {
        return scratch;
    }

    /**
     * A matrix that holds anything, in memory that was perhaps used before; for what is repeated, which new memory would cost its first touch every
     * time. {@link #giveBack} when nobody needs it any more.
     */
    public DenseMatrix borrow(int rows, int cols) {
        return DenseMatrix.borrowed(rows, cols, scratch);
    }

    /** Takes a matrix back that was borrowed, and that nobody may use from now on. */
    public void giveBack(DenseMatrix borrowed) {
        borrowed.giveTo(scratch);
    }

    /** The same as an array, of just this length. */
    public double[] borrowArray(int length) {
        return scratch.array(length);
    }

    public void giveBack(double[] borrowed) {
        scratch.give(borrowed);
    }

    /** Runs task(0) ... task(tasks - 1), in any order and on all threads, and returns when all are done. */
    public void run(int tasks, IntConsumer task) {
        if (pool == null || tasks <= 1 || crowded.getAsBoolean()) {
            for (int i = 0; i < tasks; i++) {
                task.accept(i);
            }
            return;
        }
        try {
            pool.submit(() -> IntStream.range(0, tasks).parallel().forEach(task))
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new CompletionException(e.getCause());
        }
    }
}
