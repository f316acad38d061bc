package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.program.ConvexSearch;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;

/**
 * Cross-validation where the loss is not squared: for every fold and ridge a path of all gammas, each search beginning where the one before ended, and everybody held out is kept,
 * because no few sums say what they lose in any world.
 */
final class ConvexRoute {
    /** Reading the columns and predicting the held-out, in units of searching a fold. */
    private static final double PREPARED = 0.05;

    private static final double PREDICTED = 0.05;

    /** Predictions of people held out that are kept. */
    private static final long MOST_KEPT = 1L << 27;

    private final FoldData data;
    private final Candidates candidates;
    private final SolverOptions options;
    private final Workers workers;
    private final TuningProgress progress;
    private final TrainingGames games;
    private final Matrix shared;
    private final Workers alone = Workers.of(1);

    ConvexRoute(
            FoldData data, Candidates candidates, SolverOptions options, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.options = options;
        this.workers = workers;
        int count = data.folds().count();
        long kept = (long) data.y().length * candidates.count();
        if (kept > MOST_KEPT) {
            throw DataException.of(
                    "too-many-predictions",
                    "Cross-validation by the loss {} keeps a prediction of everybody by every rule, {} of them, and at most {}.\n"
                            + "Maybe try fewer gammas or ridges, or fewer rows.",
                    data.spec().loss(),
                    kept,
                    MOST_KEPT);
        }
        this.progress = new TuningProgress(listener, PREPARED * count, (1 + PREDICTED) * count);
        this.games = new TrainingGames(data);
        this.shared = new AffineMatrix(data.columns(), null, null, true);
    }

    Tuning run() {
        int count = data.folds().count();
        FoldRules[] rules = new FoldRules[count];
        workers.run(count, fold -> rules[fold] = rules(fold));
        HeldOut[][] heldOut = HeldOutPredictions.of(
                data,
                candidates,
                rules,
                workers,
                part -> progress.advance("predicting the held-out", PREDICTED * count * part));
        progress.finish();
        List<Message> warnings = new ArrayList<>(data.warnings());
        FoldRules.warn(List.of(rules), warnings);
        String method = "a path of all gammas by the loss " + data.spec().loss() + " for each of " + count + " folds";
        return new Tuning(candidates, heldOut, data, method, FoldRules.settled(List.of(rules)), warnings);
    }

    private FoldRules rules(int fold) {
        Candidates own = candidates.stretched(data.stretch()[fold]);
        FoldData.FoldGame columns = data.game(fold);
        int ones = data.columns().cols();
        ColumnMap map = columns.columns();
        List<FoldRules.Place> places = new ArrayList<>();
        DenseMatrix coefficients = DenseMatrix.zeros(ones + 1, own.count());
        int unsettled = 0;
        PredictionGame game = games.of(fold, shared);
        double weight = data.trainingWeight(fold);
        // told of every step, so that it can be stopped in the middle of one
        ProgressListener watched = step -> {
            progress.advance("searching the folds", 0);
            return ProgressListener.Decision.CONTINUE;
        };
        int end;
        for (int first = 0; first < own.count(); first = end) {
            end = first + 1;
            while (end < own.count() && own.ridges()[end] == own.ridges()[first]) {
                end++;
            }
            double[] gammas = Arrays.copyOfRange(own.gammas(), first, end);
            PredictionGame ridged = game.withRidge(own.ridges()[first] * weight);
            List<ConvexSearch.Found> path = ConvexSearch.path(ridged, gammas, options, watched, alone);
            for (int j = first; j < end; j++) {
                ConvexSearch.Found found = path.get(j - first);
                places.add(FoldRules.Place.of(found.result().r()));
                coefficients.setColumn(j, map.times(columns.inOrder(found.scaled())));
                unsettled += FoldRules.proven(found.certificate(), options.tolerance()) ? 0 : 1;
            }
            progress.advance("searching the folds", (double) gammas.length / own.count());
        }
        return new FoldRules(places, coefficients, unsettled);
    }
}
