package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * Shares passes over one matrix among many solvers. Each user works on its own thread with its own {@link Matrix},
 * whose products wait until all users have asked for one; all are then computed together, as one block of vectors.
 *
 * <p>Which products are computed together depends only on what the users ask for, not on their speed, so the results do
 * not depend on the threads. Between products, at most as many users run as there are workers.
 */
final class SharedPasses {
    /** The number of rows copied at once. */
    private static final int BLOCK = 256;

    /** The number of rows that one thread copies at a time. */
    private static final int STRIP = 16 * BLOCK;

    private static final Matrix.RowStep[] NO_STEPS = {};

    private final Matrix x;
    private final Workers workers;
    /** The request of each user; null while it computes. */
    private final @Nullable Request[] waiting;

    private final Semaphore running;
    private int active;
    private int passes;
    private @Nullable RuntimeException aborted;

    /**
     * @param users the number of users; each must {@link #enter} and {@link #leave}
     */
    SharedPasses(Matrix x, int users, Workers workers) {
        this.x = x;
        this.workers = workers;
        this.waiting = new Request[users];
        this.active = users;
        this.running = new Semaphore(workers.threads());
    }

    /**
     * Runs a task for each user, on a thread of its own, until all have ended. If one fails, all end, and its exception
     * is thrown.
     */
    void run(IntConsumer task) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[waiting.length];
        for (int user = 0; user < threads.length; user++) {
            int number = user;
            threads[user] = new Thread(
                    () -> {
                        enter();
                        try {
                            task.accept(number);
                        } catch (RuntimeException | Error e) {
                            failure.compareAndSet(null, e);
                            abort(new CompletionException("Another user failed.", e));
                        } finally {
                            leave();
                        }
                    },
                    "shared passes " + (user + 1));
            threads[user].setDaemon(true);
            threads[user].start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                CancellationException stopped = new CancellationException("The work on shared passes was interrupted.");
                abort(stopped);
                Thread.currentThread().interrupt();
                throw stopped;
            }
        }
        Throwable failed = failure.get();
        if (failed instanceof CompletionException && failed.getCause() instanceof Error e) {
            throw e;
        }
        if (failed instanceof RuntimeException e) {
            throw e;
        }
        if (failed instanceof Error e) {
            throw e;
        }
    }

    /** Registers a user; it is called by each user on its own thread before anything else. */
    void enter() {
        running.acquireUninterruptibly();
    }

    /** Deregisters a user that needs no more products, for whatever reason, so that the others do not wait for it. */
    void leave() {
        running.release();
        synchronized (this) {
            active--;
            runIfComplete();
        }
    }

    /** Makes all products that are waiting or will be asked for fail with this exception. */
    synchronized void abort(RuntimeException cause) {
        aborted = aborted == null ? cause : aborted;
        notifyAll();
    }

    /** Returns the number of passes over the matrix. */
    synchronized int passes() {
        return passes;
    }

    /**
     * Returns the workers for work between products: a single thread if there are at least as many users as threads.
     */
    Workers ownWork() {
        return workers.aloneWhile(() -> running.availablePermits() == 0);
    }

    /** Returns the matrix for one user. */
    Matrix view(int user) {
        return new View(user);
    }

    /** A product that a user is waiting for. */
    private static final class Request {
        final Kind kind;
        final DenseMatrix in;
        final DenseMatrix out;
        /** The steps of a pass; empty for other products. */
        final Matrix.RowStep[] step;

        final double @Nullable [] rowSquares;
        boolean done;

        Request(Kind kind, DenseMatrix in, DenseMatrix out, Matrix.RowStep[] step, double @Nullable [] rowSquares) {
            this.kind = kind;
            this.in = in;
            this.out = out;
            this.step = step;
            this.rowSquares = rowSquares;
        }
    }

    /** The kinds of products that can be computed together. */
    private enum Kind {
        TIMES,
        TRANSPOSE_TIMES,
        PASS
    }

    /** Hands in a request and waits for its product. */
    private void submit(int user, Request request) {
        running.release();
        try {
            synchronized (this) {
                waiting[user] = request;
                runIfComplete();
                while (!request.done) {
                    RuntimeException failed = aborted;
                    if (failed != null) {
                        waiting[user] = null;
                        throw failed;
                    }
                    wait();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        } finally {
            running.acquireUninterruptibly();
        }
    }

    /**
     * Computes the waiting products if all remaining users are waiting. The lock may be held meanwhile, since no user
     * has anything else to do.
     */
    private void runIfComplete() {
        List<Request> requests =
                Arrays.stream(waiting).flatMap(Stream::ofNullable).toList();
        if (requests.isEmpty() || requests.size() < active || aborted != null) {
            return;
        }
        try {
            for (Kind kind : Kind.values()) {
                run(kind, requests.stream().filter(r -> r.kind == kind).toList());
            }
            requests.forEach(request -> request.done = true);
            Arrays.fill(waiting, null);
        } catch (RuntimeException e) {
            aborted = e;
        } catch (Error e) {
            // the last user to arrive runs the products on its thread, but an exception concerns all that wait
            aborted = new CompletionException(e);
        }
        notifyAll();
    }

    /** Computes the requests of one kind by one product. */
    private void run(Kind kind, List<Request> requests) {
        int k = requests.stream().mapToInt(r -> r.in.cols()).sum();
        if (k == 0) {
            return;
        }
        Predicate<Request> tooFew = r -> kind == Kind.PASS && r.step.length < x.parts(k);
        if (requests.size() > 1 && requests.stream().anyMatch(tooFew)) {
            requests.forEach(r -> run(kind, List.of(r)));
            return;
        }
        passes++;
        DenseMatrix in = sideBySide(requests, k);
        DenseMatrix out = workers.borrow(kind == Kind.TIMES ? x.rows() : x.cols(), k);
        boolean squares = requests.stream().anyMatch(r -> r.rowSquares != null);
        double[] rowSquares = squares ? new double[x.rows()] : null;
        switch (kind) {
            case TIMES -> x.times(in, out, workers);
            case TRANSPOSE_TIMES -> x.transposeTimes(in, out, rowSquares, workers);
            case PASS -> x.pass(in, steps(requests, k), out, workers);
        }
        if (requests.size() > 1) {
            workers.giveBack(in);
        }
        copy(out, requests, false);
        workers.giveBack(out);
        for (Request request : requests) {
            if (request.rowSquares != null && rowSquares != null) {
                System.arraycopy(rowSquares, 0, request.rowSquares, 0, rowSquares.length);
            }
        }
    }

    private DenseMatrix sideBySide(List<Request> requests, int k) {
        if (requests.size() == 1) {
            return requests.get(0).in;
        }
        DenseMatrix all = workers.borrow(requests.get(0).in.rows(), k);
        copy(all, requests, true);
        return all;
    }

    /** Copies the vectors of all requests into one block, or their results out of it, by blocks of rows. */
    private void copy(DenseMatrix all, List<Request> requests, boolean together) {
        int strips = (all.rows() + STRIP - 1) / STRIP;
        workers.run(strips, strip -> {
            int first = strip * STRIP;
            copy(all, requests, together, first, Math.min(all.rows(), first + STRIP));
        });
    }

    /** Copies the rows from, ..., end - 1 of the vectors. */
    private static void copy(DenseMatrix all, List<Request> requests, boolean together, int from, int end) {
        int k = all.cols();
        double[] block = new double[BLOCK * k];
        double[] own = new double[BLOCK * k];
        for (int row = from; row < end; row += BLOCK) {
            int height = Math.min(BLOCK, end - row);
            if (!together) {
                all.tile(row, height, 0, k, DoubleBuffer.wrap(block));
            }
            int first = 0;
            for (Request request : requests) {
                int width = request.in.cols();
                if (together) {
                    request.in.tile(row, height, 0, width, DoubleBuffer.wrap(own));
                }
                for (int i = 0; i < height; i++) {
                    for (int c = 0; c < width; c++) {
                        if (together) {
                            block[i * k + first + c] = own[i * width + c];
                        } else {
                            own[i * width + c] = block[i * k + first + c];
                        }
                    }
                }
                if (!together) {
                    request.out.setTile(row, height, 0, width, own);
                }
                first += width;
            }
            if (together) {
                all.setTile(row, height, 0, k, block);
            }
        }
    }

    /** Returns a step for each request that works on its own columns of U. */
    private Matrix.RowStep[] steps(List<Request> requests, int k) {
        Matrix.RowStep[] steps = new Matrix.RowStep[x.parts(k)];
        for (int part = 0; part < steps.length; part++) {
            int number = part;
            steps[part] = (firstRow, rowCount, u) -> {
                int first = 0;
                for (Request request : requests) {
                    applyTo(u, k, first, request.in.cols(), request.step[number], firstRow, rowCount);
                    first += request.in.cols();
                }
            };
        }
        return steps;
    }

    private static void applyTo(
            DoubleBuffer u, int k, int first, int width, Matrix.RowStep step, int firstRow, int rowCount) {
        double[] own = new double[rowCount * width];
        for (int i = 0; i < rowCount; i++) {
            u.get(i * k + first, own, i * width, width);
        }
        step.apply(firstRow, rowCount, DoubleBuffer.wrap(own));
        for (int i = 0; i < rowCount; i++) {
            u.put(i * k + first, own, i * width, width);
        }
    }

    /** The matrix as one user sees it: its products are requests. */
    private final class View implements Matrix {
        private final int user;

        View(int user) {
            this.user = user;
        }

        @Override
        public int rows() {
            return x.rows();
        }

        @Override
        public int cols() {
            return x.cols();
        }

        /**
         * Returns the number of parts for the widest block, since it is not known how many vectors the other users will
         * ask for.
         */
        @Override
        public int parts(int k) {
            int most = 1;
            for (int all = 1; all <= waiting.length * Math.max(4, k); all++) {
                most = Math.max(most, x.parts(all));
            }
            return most;
        }

        @Override
        public void times(DenseMatrix v, DenseMatrix out, Workers ignored) {
            submit(user, new Request(Kind.TIMES, v, out, NO_STEPS, null));
        }

        @Override
        public void transposeTimes(DenseMatrix u, DenseMatrix out, double @Nullable [] rowSquares, Workers ignored) {
            submit(user, new Request(Kind.TRANSPOSE_TIMES, u, out, NO_STEPS, rowSquares));
        }

        @Override
        public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers ignored) {
            submit(user, new Request(Kind.PASS, v, out, step, null));
        }

        @Override
        public boolean rowSquares(double[] factors, double[] squares) {
            return x.rowSquares(factors, squares);
        }

        /** Tiles are not shared: they are small, and a user who reads all of them forms its own matrix. */
        @Override
        public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
            x.tile(firstRow, rowCount, firstCol, colCount, target);
        }
    }
}
