package stackelberg.model.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import stackelberg.game.LinearRule;
import stackelberg.game.PredictionGame;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.Reduction;

/**
 * Cross-validation in step, for data with many columns: each fold is the game of all rows in which those held out have weight 0, each is solved by the
 * ordinary solver on a thread of its own, and every product that the solvers ask for is computed for all folds in one pass over the data.
 *
 * <p>That a solver has converged is taken on its word here ({@code krylov} asks the data first unless its recurrence is ten times better than needed): a certificate for
 * each of the rules would cost more than finding them, and the rule that is chosen will be fitted and certified anyway.
 *
 * <p>A solver that forms matrices ({@code direct}) reads the data once per fold for that; its products are shared all the same.
 */
final class InStepRoute {
    /** How far a residual has to fall, in powers of e, until a solver is taken to be done: 1e-10. */
    private static final double DECLINE = 23;

    /** Reading the columns and predicting the held-out, in units of solving a fold: as measured at 20,000 rows and 4,000 columns. */
    private static final double PREPARED = 0.6;

    private static final double PREDICTED = 0.2;

    private final FoldData data;
    private final Candidates candidates;
    private final Workers workers;
    private final TuningProgress progress;
    private final Pipeline pipeline;
    private final SharedPasses shared;
    private final TreeMap<Integer, double[]> immutable = new TreeMap<>();

    InStepRoute(FoldData data, Candidates candidates, Pipeline pipeline, Workers workers, Tuning.Listener listener) {
        this.data = data;
        this.candidates = candidates;
        this.workers = workers;
        int count = data.folds().count();
        this.progress = new TuningProgress(listener, PREPARED * count, (1 + PREDICTED) * count);
        this.pipeline = pipeline;
        this.shared = new SharedPasses(new AffineMatrix(data.columns(), null, null, true), count, workers);
        FoldData.FoldGame any = data.game(0);
        for (int k = 0; k < any.fixed(); k++) {
            for (int source : any.sources()[k]) {
                immutable.computeIfAbsent(source, this::column);
            }
        }
    }

    private double[] column(int source) {
        int m = data.columns().rows();
        double[] values = new double[m];
        if (source == data.columns().cols()) {
            Arrays.fill(values, 1);
        } else {
            data.columns().tile(0, m, source, 1, java.nio.DoubleBuffer.wrap(values));
        }
        return values;
    }

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
        List<String> warnings = new ArrayList<>(data.warnings());
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
                CompletionException stopped = new CompletionException("The tuning was interrupted.", e);
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

    private FoldRules rules(int fold) {
        PredictionGame played = game(fold);
        Reduction reduction = Pipeline.reduce(played, workers);
        double weight = Arrays.stream(played.weights()).sum();
        Candidates own = candidates.stretched(data.stretch()[fold]);
        List<SphereResult> results = new Pipeline(pipeline.solver(), pipeline.options(), new Watch())
                .solve(own.problems(reduction.family(), weight));
        double[][] points = results.stream().map(SphereResult::r).toArray(double[][]::new);
        int unsettled = (int) results.stream()
                .filter(result -> result.status() != SphereResult.Status.CONVERGED)
                .count();
        int ones = data.columns().cols();
        FoldData.FoldGame game = data.game(fold);
        ColumnMap map = game.map(ones + 1);
        DenseMatrix coefficients = DenseMatrix.zeros(ones + 1, candidates.count());
        for (int j = 0; j < candidates.count(); j++) {
            LinearRule rule = reduction.recoverScaled(points[j], own.gammas()[j]);
            coefficients.setColumn(j, map.times(game.inOrder(rule)));
        }
        return new FoldRules(points, coefficients, unsettled, own.geometries(reduction.family()));
    }

    /** All rows, those held out with weight 0. */
    private PredictionGame game(int fold) {
        FoldData.FoldGame own = data.game(fold);
        int count = own.sources().length;
        ColumnMap map = new ColumnMap(
                data.columns().cols() + 1,
                Arrays.copyOfRange(own.sources(), own.fixed(), count),
                Arrays.copyOfRange(own.factors(), own.fixed(), count));
        Matrix x = new CombinedColumns(shared.view(fold), map);
        double[] weights = data.weights().clone();
        for (int i = 0; i < weights.length; i++) {
            weights[i] = data.folds().of(i) == fold ? 0 : weights[i];
        }
        boolean intercept = data.intercept();
        int first = intercept ? 1 : 0;
        double[][] fixed = new double[own.fixed() - first][];
        for (int k = 0; k < fixed.length; k++) {
            fixed[k] = combination(own.sources()[first + k], own.factors()[first + k]);
        }
        PredictionGame game = PredictionGame.of(x, data.y(), data.z(fold), 1)
                .withImmutable(fixed)
                .withCosts(own.costs())
                .withWeights(weights)
                .withWishNoise(data.wishNoise());
        if (own.effects() != null) {
            game = game.withEffects(own.effects());
        }
        return intercept ? game.withIntercept() : game;
    }

    private double[] combination(int[] sources, double[] factors) {
        double[] sum = new double[data.columns().rows()];
        for (int k = 0; k < sources.length; k++) {
            double[] column = immutable.get(sources[k]);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += factors[k] * column[i];
            }
        }
        return sum;
    }

    /** Takes the decline of a solver's residual for the progress of its fold, since nobody knows how many steps there will be. */
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
