package stackelberg.model.tuning;

/** Watches a cross-validation and may stop it. */
@FunctionalInterface
public interface TuningListener {
    /** Watches nothing and never stops anything. */
    TuningListener NONE = (phase, fraction) -> true;

    /**
     * Called now and then, never from two threads at once.
     *
     * @param phase what is being done, for people
     * @param fraction how much of the whole work is done, from 0 to 1 and never falling: after s seconds about s (1 - fraction)/fraction remain
     * @return false to stop; the tuning then ends with a {@link java.util.concurrent.CancellationException}
     */
    boolean onProgress(String phase, double fraction);
}
