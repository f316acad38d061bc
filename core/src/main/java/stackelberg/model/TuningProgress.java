package stackelberg.model;

import java.util.concurrent.CancellationException;

/** Adds up the work of the phases of a tuning and tells its listener; throws where the listener says stop. */
final class TuningProgress {
    private final TuningListener listener;
    private final double total;
    private double done;

    /** @param total the work of all phases, in whatever unit they are announced */
    TuningProgress(TuningListener listener, double total) {
        this.listener = listener;
        this.total = total;
    }

    /** So much work is done, of this phase. */
    synchronized void advance(String phase, double work) {
        done += work;
        if (!listener.onProgress(phase, Math.min(1, done / total))) {
            throw new CancellationException("The tuning was stopped by its listener (" + phase + ").");
        }
    }

    /** Whatever is left is done. */
    void finish() {
        advance("done", Math.max(0, total - done));
    }
}
