package stackelberg.model;

import java.util.Optional;
import stackelberg.linalg.Workers;

/** Chooses how the folds are computed: from formed sums where there are few columns and the sums are accurate, else in step. */
final class CrossValidation {
    private CrossValidation() {}

    static Tuning run(FoldData data, double[] gammas, Workers workers, TuningListener listener) {
        Optional<Tuning> fromSums =
                GramRoute.suits(data) ? new GramRoute(data, gammas, workers, listener).run() : Optional.empty();
        return fromSums.orElseGet(() -> new InStepRoute(data, gammas, workers, listener).run());
    }
}
