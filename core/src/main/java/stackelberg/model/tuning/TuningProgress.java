package stackelberg.model.tuning;

import java.util.concurrent.CancellationException;
import stackelberg.linalg.Workers;

/**
 * Adds up the work of the phases of a tuning and reports it to the listener; throws if the listener asks to stop or the
 * thread is interrupted.
 */
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

    /** Adds work that was done in this phase. */
    synchronized void advance(String phase, double work) {
        Workers.throwIfInterrupted();
        done += work;
        if (!listener.onProgress(phase, Math.min(1, done / total))) {
            throw new CancellationException("The tuning was stopped by its listener (" + phase + ").");
        }
    }

    /** Raises the work done to at least this value, at the start of a phase. */
    synchronized void reach(String phase, double work) {
        advance(phase, Math.max(0, work - done));
    }

    /** Reports that all work is done. */
    synchronized void finish() {
        reach("done", total);
    }
}
