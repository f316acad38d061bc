package stackelberg.model.tuning;

import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;

/**
 * One matrix read for many users at once: every user works on a thread of its own with a {@link Matrix} of its own, whose products wait until all
 * users want one, and are then computed together, side by side in one block of vectors.
 *
 * <p>So solvers that know nothing of each other share every pass. What is computed together depends on what the users ask for and not on who is
 * fast, so that results do not depend on the threads. Between products at most as many users run as there are workers.
 */
final class SharedPasses {
    /** Rows that are copied at once. */
    private static final int BLOCK = 256;

    /** Rows that a thread copies at a time. */
    private static final int STRIP = 16 * BLOCK;

    private final Matrix x;
    private final Workers workers;
    private final Request[] waiting;
    private final Semaphore running;
    private int active;
    private int passes;
    private RuntimeException aborted;

    /** @param users how many users there are; each must {@link #enter} and {@link #leave} */
    SharedPasses(Matrix x, int users, Workers workers) {
        this.x = x;
        this.workers = workers;
        this.waiting = new Request[users];
        this.active = users;
        this.running = new Semaphore(workers.threads());
    }

    /** Called by each user on its own thread before it does anything. */
    void enter() {
        running.acquireUninterruptibly();
    }

    /** Called by each user when it will ask for nothing more, whatever happened to it: the others no longer wait for it. */
    void leave() {
        running.release();
        synchronized (this) {
            active--;
            runIfComplete();
        }
    }

    /** Every product that is waited for or asked for from now on fails with this exception. */
    synchronized void abort(RuntimeException cause) {
        aborted = aborted == null ? cause : aborted;
        notifyAll();
    }

    /** How often the matrix was read. */
    synchronized int passes() {
        return passes;
    }

    /** For what users do between products: as many of them as there are threads need no others. */
    Workers ownWork() {
        return workers.aloneWhile(() -> running.availablePermits() == 0);
    }

    /** The matrix as one user sees it. */
    Matrix view(int user) {
        return new View(user);
    }

    /** One product that a user waits for. */
    private static final class Request {
        final Kind kind;
        final DenseMatrix in;
        final DenseMatrix out;
        final Matrix.RowStep[] step;
        final double[] rowSquares;
        boolean done;

        Request(Kind kind, DenseMatrix in, Matrix.RowStep[] step, DenseMatrix out, double[] rowSquares) {
            this.kind = kind;
            this.in = in;
            this.step = step;
            this.out = out;
            this.rowSquares = rowSquares;
        }
    }

    private enum Kind {
        TIMES,
        TRANSPOSE_TIMES,
        PASS
    }

    private void submit(int user, Request request) {
        running.release();
        try {
            synchronized (this) {
                waiting[user] = request;
                runIfComplete();
                while (!request.done && aborted == null) {
                    wait();
                }
                if (!request.done) {
                    waiting[user] = null;
                    throw aborted;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CompletionException(e);
        } finally {
            running.acquireUninterruptibly();
        }
    }

    /** If everybody who is left waits, computes what they wait for. Under the lock: nobody else has anything to do. */
    private void runIfComplete() {
        List<Request> requests = new ArrayList<>();
        for (Request request : waiting) {
            if (request != null) {
                requests.add(request);
            }
        }
        if (requests.isEmpty() || requests.size() < active || aborted != null) {
            return;
        }
        try {
            for (Kind kind : Kind.values()) {
                run(kind, requests.stream().filter(r -> r.kind == kind).toList());
            }
            for (int user = 0; user < waiting.length; user++) {
                if (waiting[user] != null) {
                    waiting[user].done = true;
                    waiting[user] = null;
                }
            }
        } catch (RuntimeException e) {
            aborted = e;
        } catch (Error e) {
            // whoever happened to come last has it on its thread, but it concerns all who wait
            aborted = new CompletionException(e);
        }
        notifyAll();
    }

    private void run(Kind kind, List<Request> requests) {
        int k = requests.stream().mapToInt(r -> r.in.cols()).sum();
        if (k == 0) {
            return;
        }
        Predicate<Request> tooFew = r -> r.step != null && r.step.length < x.parts(k);
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
            if (request.rowSquares != null) {
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

    /** Copies what everybody gave into a block of all vectors, or from it what everybody gets; by blocks of rows, since a row of one request is short. */
    private void copy(DenseMatrix all, List<Request> requests, boolean together) {
        int strips = (all.rows() + STRIP - 1) / STRIP;
        workers.run(strips, strip -> {
            int first = strip * STRIP;
            copy(all, requests, together, first, Math.min(all.rows(), first + STRIP));
        });
    }

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

    /** Every request's own step on its own columns of U. */
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

        /** As many as any number of vectors side by side may need, since nobody knows who else will want how many. */
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
            submit(user, new Request(Kind.TIMES, v, null, out, null));
        }

        @Override
        public void transposeTimes(DenseMatrix u, DenseMatrix out, double[] rowSquares, Workers ignored) {
            submit(user, new Request(Kind.TRANSPOSE_TIMES, u, null, out, rowSquares));
        }

        @Override
        public void pass(DenseMatrix v, RowStep[] step, DenseMatrix out, Workers ignored) {
            submit(user, new Request(Kind.PASS, v, step, out, null));
        }

        @Override
        public boolean rowSquares(double[] factors, double[] squares) {
            return x.rowSquares(factors, squares);
        }

        /** Not shared: tiles are small, and whoever asks for all of them forms a matrix of its own. */
        @Override
        public void tile(int firstRow, int rowCount, int firstCol, int colCount, DoubleBuffer target) {
            x.tile(firstRow, rowCount, firstCol, colCount, target);
        }
    }
}
