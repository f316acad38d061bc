package stackelberg.model.tuning;

import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;

/** Folds solved from their rows, for data whose folds would be solved from sums. */
public final class FromRows {
    private FromRows() {}

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
