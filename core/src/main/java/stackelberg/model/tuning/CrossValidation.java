package stackelberg.model.tuning;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import stackelberg.data.DataException;
import stackelberg.data.Message;
import stackelberg.data.Table;
import stackelberg.estimate.Resampling.Folds;
import stackelberg.game.GameSpec;
import stackelberg.game.Settings;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.objective.Pipeline;

/**
 * Reads the data and chooses how the folds are computed: from sums of products if there are few columns and the sums
 * are accurate ({@link GramRoute}), fold by fold if every rule takes a search ({@link SearchRoute}, {@link
 * ConvexRoute}), otherwise with shared passes ({@link InStepRoute}).
 */
final class CrossValidation {
    private final GameSpec spec;
    private final Tuning.Plan plan;
    private final Pipeline pipeline;
    private final Workers workers;
    private final Tuning.Listener listener;
    /** The progress at which the first route gave up. */
    private double reached;

    private CrossValidation(
            GameSpec spec, Tuning.Plan plan, Pipeline pipeline, Workers workers, Tuning.Listener listener) {
        this.spec = spec;
        this.plan = plan;
        this.pipeline = pipeline;
        this.workers = workers;
        this.listener = listener;
    }

    /**
     * Makes a cross-validation; it does not read data yet.
     *
     * @param spec the declared game, whose own gamma is not used
     * @param pipeline the pipeline for folds that are solved with shared passes
     */
    static CrossValidation of(
            GameSpec spec, Tuning.Plan plan, Pipeline pipeline, Workers workers, Tuning.Listener listener) {
        GameSpec tunable = requireTunable(spec);
        for (double ridge : plan.ridges()) {
            // refuses combinations that are not supported before anything is read
            tunable.toBuilder().ridge(ridge).build();
        }
        return new CrossValidation(tunable, plan, pipeline, workers, listener);
    }

    /**
     * Returns the game to tune, without the default hedge where that is not supported; throws, naming the setting, if
     * cross-validation does not support the game.
     */
    static GameSpec requireTunable(GameSpec spec) {
        if (spec.rowGamma() != null) {
            throw Message.Refused.of(
                    "tuning-with-row-gamma",
                    "Cross-validation chooses one gamma, but each row has its own in column '{}' ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    spec.rowGamma(),
                    Settings.ROW_GAMMA.any());
        }
        if (spec.between() != null) {
            throw Message.Refused.of(
                    "tuning-with-gamma-between",
                    "Cross-validation chooses one gamma, but a range of gammas is declared ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    Settings.GAMMA_BETWEEN.any());
        }
        if (!spec.limits().none()) {
            throw Message.Refused.of(
                    "tuning-with-limit",
                    "Cross-validation does not support limits ({}, {}).\n"
                            + "Maybe leave them out here, and fit with them at the gamma that is chosen.",
                    Settings.LIMIT.any(),
                    Settings.ONE_SIDED.any());
        }
        if (spec.isHedged() && (spec.hasEffects() || !spec.loss().isSquared())) {
            if (spec.isHedgeDefault()) {
                return spec.withoutDefaultHedge();
            }
            throw Message.Refused.of(
                    "tuning-with-hedge",
                    "Cross-validation supports a hedge ({}) only with squared loss and without effects.\n"
                            + "Maybe leave the hedge out here, and fit with it at the gamma that is chosen.",
                    Settings.HEDGE.any());
        }
        return spec;
    }

    /** Returns whether sums of products of these columns will be formed, so that they should be centred first. */
    static boolean formsSums(Matrix columns, Folds folds) {
        int order = columns.cols() + 4;
        Matrix inner = columns;
        while (inner instanceof AffineMatrix affine) {
            inner = affine.inner();
        }
        return inner instanceof CsrMatrix sparse
                ? GramRoute.suits(columns.rows(), order, folds.count(), sparse.nonzeros())
                : GramRoute.suits(columns.rows(), order, folds.count());
    }

    /** Cross-validates every gamma in every fold. */
    Tuning run(Table table) {
        if (!listener.onProgress("reading the columns", 0)) {
            throw new CancellationException("The tuning was stopped by its listener before it began.");
        }
        FoldData data = FoldAssembly.of(spec, table, plan, workers);
        try {
            if (!spec.loss().isSquared()) {
                return new ConvexRoute(data, candidates(data), pipeline.options(), workers, listener).run();
            }
            if (spec.mixed() || spec.isHedged()) {
                return new SearchRoute(data, candidates(data), pipeline.options(), workers, listener).run();
            }
            return fromSums(data).orElseGet(() -> inStep(data));
        } catch (IllegalArgumentException e) {
            // the settings have been checked, so what fails now is due to values in the data
            throw DataException.because(e);
        }
    }

    /**
     * Returns the candidates. Shares are converted to gammas by today's rule of all rows; each fold then scales them by
     * its own today's rule.
     */
    private Candidates candidates(FoldData data) {
        double[] gammas = plan.gammas();
        if (plan.shares()) {
            Arrays.setAll(gammas, j -> data.omega() * (1 - gammas[j]) / gammas[j]);
        }
        return Candidates.of(gammas, plan.ridges().length == 0 ? new double[] {spec.ridge()} : plan.ridges());
    }

    private Optional<Tuning> fromSums(FoldData data) {
        if (!formsSums(data.columns(), data.folds())) {
            return Optional.empty();
        }
        Tuning.Listener watched = (phase, fraction) -> {
            reached = fraction;
            return listener.onProgress(phase, fraction);
        };
        return new GramRoute(data, candidates(data), pipeline.options(), workers, watched).run();
    }

    Tuning inStep(FoldData data) {
        return new InStepRoute(data, candidates(data), pipeline, workers, this::goOn).run();
    }

    /** Reports progress of the second route, which has the part of the work that the first one left. */
    private boolean goOn(String phase, double fraction) {
        return listener.onProgress(phase, reached + (1 - reached) * fraction);
    }
}
