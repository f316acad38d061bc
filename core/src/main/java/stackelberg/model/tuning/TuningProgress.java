package stackelberg.model.tuning;

import java.util.concurrent.CancellationException;
import stackelberg.linalg.Workers;

/** Adds up the work of the phases of a tuning and tells its listener; throws where the listener says stop or the thread is interrupted. */
final class TuningProgress {
    private final Tuning.Listener listener;
    private final double total;
    private double done;

    /**
     * @param prepared the work that was done before
     * @param total the work of all phases to come, in the same unit
     */
    TuningProgress(Tuning.Listener listener, double prepared, double total) {
        this.listener = listener;
        this.done = prepared;
        this.total = prepared + total;
    }

    /** So much work is done, of this phase. */
    synchronized void advance(String phase, double work) {
        Workers.throwIfInterrupted();
        done += work;
        if (!listener.onProgress(phase, Math.min(1, done / total))) {
            throw new CancellationException("The tuning was stopped by its listener (" + phase + ").");
        }
    }

    /** At least so much work is done, now that this phase begins. */
    synchronized void reach(String phase, double work) {
        advance(phase, Math.max(0, work - done));
    }

    /** Whatever is left is done. */
    synchronized void finish() {
        reach("done", total);
    }
}
