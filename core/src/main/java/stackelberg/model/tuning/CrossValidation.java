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

/** Reads the data and chooses how the folds are computed: from formed sums where there are few columns and the sums are accurate, else in step; one by one where every rule is a search. */
final class CrossValidation {
    private final GameSpec spec;
    private final Tuning.Plan plan;
    private final Pipeline pipeline;
    private final Workers workers;
    private final Tuning.Listener listener;
    /** How far the first route came. */
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
     * Reads nothing yet.
     *
     * @param spec the game, whose own gamma plays no part
     * @param pipeline of the folds that are solved in step
     */
    static CrossValidation of(
            GameSpec spec, Tuning.Plan plan, Pipeline pipeline, Workers workers, Tuning.Listener listener) {
        requireTunable(spec);
        for (double ridge : plan.ridges()) {
            // what does not go together is refused before anything is read
            spec.toBuilder().ridge(ridge).build();
        }
        return new CrossValidation(spec, plan, pipeline, workers, listener);
    }

    /** Refuses games whose rules cross-validation cannot judge, by name. */
    static GameSpec requireTunable(GameSpec spec) {
        if (spec.rowGamma() != null) {
            throw Message.Refused.of(
                    "tuning-with-row-gamma",
                    "Cross-validation chooses a gamma, and everybody has its own in column '{}' ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    spec.rowGamma(),
                    Settings.ROW_GAMMA.any());
        }
        if (spec.between() != null) {
            throw Message.Refused.of(
                    "tuning-with-gamma-between",
                    "Cross-validation chooses a gamma, and it is declared to lie between two ({}).\n"
                            + "Maybe leave it out here, or fit the model as it is.",
                    Settings.GAMMA_BETWEEN.any());
        }
        if (!spec.limits().none()) {
            throw Message.Refused.of(
                    "tuning-with-limit",
                    "Cross-validation judges rules of a game without limits, not with limits ({}, {}).\n"
                            + "Maybe leave them out here, and fit with them at the gamma that is chosen.",
                    Settings.LIMIT.any(),
                    Settings.ONE_SIDED.any());
        }
        if (spec.isHedged() && (spec.hasEffects() || !spec.loss().isSquared())) {
            throw Message.Refused.of(
                    "tuning-with-hedge",
                    "Cross-validation finds hedged rules ({}) by squared loss without effects.\n"
                            + "Maybe leave the hedge out here, and fit with it at the gamma that is chosen.",
                    Settings.HEDGE.any());
        }
        return spec;
    }

    /** Whether sums of products will be formed of these columns, which had better be centred then. */
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

    /** Every gamma of every fold. */
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
            // the choices were checked before, so what is refused are values of the data
            throw DataException.because(e);
        }
    }

    /** Shares become the gammas that all rows give them; each fold stretches them by its own today's rule. */
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

    /** The second route has what the first left of the way. */
    private boolean goOn(String phase, double fraction) {
        return listener.onProgress(phase, reached + (1 - reached) * fraction);
    }
}
