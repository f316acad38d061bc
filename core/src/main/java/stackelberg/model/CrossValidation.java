package stackelberg.model;

import java.util.Optional;
import stackelberg.linalg.Workers;

/** Chooses how the folds are computed. */
final class CrossValidation {
    private CrossValidation() {}

    static Tuning run(FoldData data, double[] gammas, Workers workers, TuningListener listener) {
        Optional<Tuning> fromSums =
                GramRoute.suits(data) ? new GramRoute(data, gammas, workers, listener).run() : Optional.empty();
        return fromSums.orElseThrow();
    }
}
