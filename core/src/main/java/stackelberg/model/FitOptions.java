package stackelberg.model;

import stackelberg.linalg.Workers;
import stackelberg.pipeline.Pipeline;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;
import stackelberg.solver.direct.DirectSolver;

/**
 * How a rule is to be found, which the game does not depend on.
 *
 * @param solver who finds it; null for the default, {@code auto}
 * @param limits the tolerance and the iterations a solver is given
 * @param listener watches the solver and may stop it
 * @param threads how many work; the answer depends on it in its last digits at most
 * @param seed kept in the model's provenance, for whatever is random around the fit; the fit itself is not
 * @param standardErrors how they are found; null for the default, HC1 where that takes a moment
 */
public record FitOptions(
        SphereSolver solver,
        SolverOptions limits,
        ProgressListener listener,
        int threads,
        long seed,
        StandardErrors.Method standardErrors) {
    public FitOptions {
        if (threads < 1) {
            throw new IllegalArgumentException("The number of threads is " + threads + "; it must be at least 1.");
        }
    }

    /** {@code auto} on all processors, tolerance 1e-9. */
    public static FitOptions defaults() {
        return new FitOptions(
                null,
                SolverOptions.DEFAULT,
                ProgressListener.NONE,
                Runtime.getRuntime().availableProcessors(),
                0,
                null);
    }

    public FitOptions withSolver(SphereSolver other) {
        return new FitOptions(other, limits, listener, threads, seed, standardErrors);
    }

    public FitOptions withLimits(SolverOptions other) {
        return new FitOptions(solver, other, listener, threads, seed, standardErrors);
    }

    public FitOptions withListener(ProgressListener other) {
        return new FitOptions(solver, limits, other, threads, seed, standardErrors);
    }

    public FitOptions withThreads(int other) {
        return new FitOptions(solver, limits, listener, other, seed, standardErrors);
    }

    public FitOptions withSeed(long other) {
        return new FitOptions(solver, limits, listener, threads, other, standardErrors);
    }

    public FitOptions withStandardErrors(StandardErrors.Method other) {
        return new FitOptions(solver, limits, listener, threads, seed, other);
    }

    public double tolerance() {
        return limits.tolerance();
    }

    public Workers workers() {
        return Workers.of(threads);
    }

    /** Reduce, solve, certify, recover by these options. */
    Pipeline pipeline() {
        return pipeline(new DirectSolver(workers()));
    }

    /** The same, with a decomposition that others may use too. */
    Pipeline pipeline(DirectSolver direct) {
        return new Pipeline(solver == null ? Solvers.byDefault(direct, workers()) : solver, limits, listener);
    }

    /** The same for a mixed population, with the solver of the sphere problem at each omega. */
    Pipeline mixedPipeline() {
        return new Pipeline(solver == null ? new DirectSolver(workers()) : solver, limits, listener);
    }
}
