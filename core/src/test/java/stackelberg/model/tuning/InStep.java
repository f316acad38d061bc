package stackelberg.model.tuning;

import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;

/** The route for many columns, for data that would not be sent along it. */
public final class InStep {
    private InStep() {}

    public static Tuning run(
            GameSpec spec,
            Table table,
            Tuning.Plan plan,
            Pipeline pipeline,
            Workers workers,
            Tuning.Listener listener) {
        return CrossValidation.of(spec, table, plan, pipeline, workers, listener, false);
    }

    public static boolean formsSums(Matrix columns, Folds folds) {
        return FoldSums.suit(columns, folds);
    }
}
