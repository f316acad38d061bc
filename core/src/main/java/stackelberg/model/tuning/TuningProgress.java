package stackelberg.model.tuning;

import java.util.concurrent.CancellationException;
import stackelberg.linalg.Workers;

/**
 * Adds up the work of a tuning and reports it to the listener; throws if the listener asks to stop or the thread is
 * interrupted.
 */
final class TuningProgress {
    private final Tuning.Listener listener;
    private final double total;
    private double done;

    /**
     * The work of the phases of a tuning, in any unit.
     *
     * @param read that of reading the columns, which is done before
     * @param add that of adding up sums of products
     * @param solve that of solving one fold
     * @param predict that of predicting all held-out rows
     */
    record Work(double read, double add, double solve, double predict) {}

    TuningProgress(Tuning.Listener listener, Work work, int folds) {
        this.listener = listener;
        this.done = work.read;
        this.total = work.read + work.add + folds * work.solve + work.predict;
    }

    /** Adds work that was done in this phase. */
    synchronized void advance(String phase, double work) {
        Workers.throwIfInterrupted();
        done += work;
        if (!listener.onProgress(phase, Math.min(1, done / total))) {
            throw new CancellationException("The tuning was stopped by its listener (" + phase + ").");
        }
    }

    /** Reports that all work is done. */
    synchronized void finish() {
        advance("done", Math.max(0, total - done));
    }
}
