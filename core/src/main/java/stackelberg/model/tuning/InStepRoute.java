package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import stackelberg.data.Message;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereGeometry;

/**
 * Cross-validation with shared passes, for data with many columns. Each fold is the game of all rows in which the
 * held-out rows have weight 0. Each is solved by the ordinary solver on its own thread, and every product that the
 * solvers need is computed for all folds in one pass over the data ({@link SharedPasses}).
 *
 * <p>A solver's own convergence test is trusted here ({@code krylov} evaluates the data first, unless its recurrence is
 * ten times better than required). Certifying each rule would cost more than finding it, and the rule that is chosen
 * will be fitted and certified anyway.
 *
 * <p>A solver that forms matrices ({@code direct}) reads the data once per fold for that; its products are shared.
 */
final class InStepRoute {
    /** The decline of the residual, as a power of e, at which a solver's progress counts as complete: 1e-10. */
    private static final double DECLINE = 23;

    /**
     * The work of reading the columns and predicting the held-out rows, relative to that of solving one fold, measured
     * with 20,000 rows and 4,000 columns.
     */
    private static final double PREPARED = 0.6;

    private static final double PREDICTED = 0.2;

    /**
     * The number of rules whose coefficients are written together: they fill a cache line of each row, of which a
     * single rule would write one number.
     */
    private static final int STRIP = 8;

    private final FoldData data;
    private final Candidates candidates;
    private final Workers workers;
    private final TuningProgress progress;
    private final Pipeline pipeline;
    private final SharedPasses shared;
    private final TrainingGames games;

    InStepRoute(FoldData data, Candidates candidates, Pipeline pipeline, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.workers = workers;
        int count = data.folds().count();
        this.progress = new TuningProgress(listener, PREPARED * count, (1 + PREDICTED) * count);
        this.pipeline = pipeline;
        this.shared = new SharedPasses(new AffineMatrix(data.columns(), null, null, true), count, workers);
        this.games = new TrainingGames(data);
    }

    /** Solves all folds in parallel with shared passes. */
    Tuning run() {
        int count = data.folds().count();
        FoldRules[] rules = new FoldRules[count];
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[count];
        for (int f = 0; f < count; f++) {
            int fold = f;
            threads[f] = new Thread(
                    () -> {
                        shared.enter();
                        try {
                            rules[fold] = rules(fold);
                        } catch (RuntimeException | Error e) {
                            failure.compareAndSet(null, e);
                            shared.abort(new CompletionException("Another fold failed.", e));
                        } finally {
                            shared.leave();
                        }
                    },
                    "fold " + (f + 1));
            threads[f].setDaemon(true);
            threads[f].start();
        }
        join(threads);
        rethrow(failure.get());
        progress.reach("predicting the held-out", (PREPARED + 1) * count);
        HeldOut[][] heldOut = HeldOutPredictions.of(
                data,
                candidates,
                rules,
                workers,
                part -> progress.advance("predicting the held-out", PREDICTED * count * part));
        progress.finish();
        List<Message> warnings = new ArrayList<>(data.warnings());
        FoldRules.warn(List.of(rules), warnings);
        boolean settled = FoldRules.settled(List.of(rules));
        String method = pipeline.solver().name() + " on all folds in step, " + shared.passes()
                + " passes over the data shared by " + count + " folds";
        return new Tuning(candidates, heldOut, data, method, settled, warnings);
    }

    private void join(Thread[] threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                CancellationException stopped = new CancellationException("The tuning was interrupted.");
                shared.abort(stopped);
                Thread.currentThread().interrupt();
                throw stopped;
            }
        }
    }

    private static void rethrow(Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() instanceof Error e) {
            throw e;
        }
        if (failure instanceof RuntimeException e) {
            throw e;
        }
        if (failure instanceof Error e) {
            throw e;
        }
    }

    /** Solves one fold on a thread of its own. */
    private FoldRules rules(int fold) {
        PredictionGame played = games.of(fold, shared.view(fold));
        Reduction reduction = Pipeline.reduce(played, shared.ownWork());
        double weight = Arrays.stream(played.weights()).sum();
        Candidates own = candidates.stretched(data.stretch()[fold]);
        List<SphereResult> results = new Pipeline(pipeline.solver(), pipeline.options(), new Watch())
                .solve(own.problems(reduction.family(), weight));
        int unsettled = (int) results.stream()
                .filter(result -> result.status() != SphereResult.Status.CONVERGED)
                .count();
        int ones = data.columns().cols();
        FoldData.FoldGame game = data.game(fold);
        ColumnMap map = game.columns();
        List<SphereGeometry> geometries = own.geometries(reduction.family());
        List<FoldRules.Place> places = new ArrayList<>();
        DenseMatrix coefficients = DenseMatrix.zeros(ones + 1, candidates.count());
        for (int first = 0; first < candidates.count(); first += STRIP) {
            double[][] some = new double[Math.min(STRIP, candidates.count() - first)][];
            for (int j = 0; j < some.length; j++) {
                double[] point = results.get(first + j).r();
                places.add(FoldRules.Place.of(point, geometries.get(first + j)));
                LinearRule rule = reduction.recoverScaled(point, own.gammas()[first + j]);
                some[j] = map.times(game.inOrder(rule));
            }
            coefficients.setColumns(first, some);
        }
        return new FoldRules(places, coefficients, unsettled);
    }

    /**
     * Converts the decline of a solver's residual into the progress of its fold, since the number of iterations is not
     * known in advance.
     */
    private final class Watch implements ProgressListener {
        private double first = Double.NaN;
        private double reported;

        @Override
        public Decision onIteration(Progress now) {
            double residual = now.primalResidual();
            if (Double.isNaN(first)) {
                first = residual;
            }
            double fraction = Math.log(first / residual) / DECLINE;
            double step = Math.max(0, Math.min(0.95, fraction) - reported);
            reported += Double.isNaN(step) ? 0 : step;
            progress.advance("solving the folds", Double.isNaN(step) ? 0 : step);
            return Decision.CONTINUE;
        }
    }
}
