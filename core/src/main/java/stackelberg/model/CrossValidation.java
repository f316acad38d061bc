package stackelberg.model;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import stackelberg.data.DataException;
import stackelberg.linalg.Workers;

/** Reads the data and chooses how the folds are computed: from formed sums where there are few columns and the sums are accurate, else in step. */
final class CrossValidation {
    private final double[] gammas;
    private final Workers workers;
    private final TuningListener listener;
    /** How far the first route came. */
    private double reached;

    CrossValidation(double[] gammas, Workers workers, TuningListener listener) {
        this.gammas = gammas;
        this.workers = workers;
        this.listener = listener;
    }

    Tuning run(Supplier<FoldData> reading) {
        if (!listener.onProgress("reading the columns", 0)) {
            throw new CancellationException("The tuning was stopped by its listener before it began.");
        }
        FoldData data = reading.get();
        try {
            return fromSums(data).orElseGet(() -> new InStepRoute(data, gammas, workers, this::goOn).run());
        } catch (IllegalArgumentException e) {
            // the choices were checked before, so what is refused are values of the data
            throw new DataException(e.getMessage(), e);
        }
    }

    private Optional<Tuning> fromSums(FoldData data) {
        if (!GramRoute.suits(data)) {
            return Optional.empty();
        }
        TuningListener watched = (phase, fraction) -> {
            reached = fraction;
            return listener.onProgress(phase, fraction);
        };
        return new GramRoute(data, gammas, workers, watched).run();
    }

    /** The second route has what the first left of the way. */
    private boolean goOn(String phase, double fraction) {
        return listener.onProgress(phase, reached + (1 - reached) * fraction);
    }
}
