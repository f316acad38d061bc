package stackelberg.model.tuning;

import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import stackelberg.data.DataException;
import stackelberg.linalg.AffineMatrix;
import stackelberg.linalg.CsrMatrix;
import stackelberg.linalg.Matrix;
import stackelberg.linalg.Workers;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;

/** Reads the data and chooses how the folds are computed: from formed sums where there are few columns and the sums are accurate, else in step. */
public final class CrossValidation {
    private final double[] gammas;
    private final SphereSolver solver;
    private final SolverOptions options;
    private final Workers workers;
    private final TuningListener listener;
    /** How far the first route came. */
    private double reached;

    /**
     * Reads nothing yet.
     *
     * @param gammas the model gammas to choose from
     * @param solver of the folds that are solved in step
     */
    public CrossValidation(
            double[] gammas, SphereSolver solver, SolverOptions options, Workers workers, TuningListener listener) {
        this.gammas = gammas.clone();
        this.solver = solver;
        this.options = options;
        this.workers = workers;
        this.listener = listener;
    }

    /** Whether sums of products will be formed of these columns, which had better be centred then. */
    public static boolean formsSums(Matrix columns, Folds folds) {
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
    public Tuning run(Supplier<FoldData> reading) {
        if (!listener.onProgress("reading the columns", 0)) {
            throw new CancellationException("The tuning was stopped by its listener before it began.");
        }
        FoldData data = reading.get();
        try {
            return fromSums(data).orElseGet(() -> inStep(data));
        } catch (IllegalArgumentException e) {
            // the choices were checked before, so what is refused are values of the data
            throw new DataException(e.getMessage(), e);
        }
    }

    private Optional<Tuning> fromSums(FoldData data) {
        if (!formsSums(data.columns(), data.folds())) {
            return Optional.empty();
        }
        TuningListener watched = (phase, fraction) -> {
            reached = fraction;
            return listener.onProgress(phase, fraction);
        };
        return new GramRoute(data, gammas, options.tolerance(), workers, watched).run();
    }

    Tuning inStep(FoldData data) {
        return new InStepRoute(data, gammas, solver, options, workers, this::goOn).run();
    }

    /** The second route has what the first left of the way. */
    private boolean goOn(String phase, double fraction) {
        return listener.onProgress(phase, reached + (1 - reached) * fraction);
    }
}
