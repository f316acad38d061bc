package stackelberg.solver.published.conic;

import java.io.IOException;
import java.io.Writer;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/** Solves a sphere problem as one of the conic programs of the literature, by an interior-point method that forms H and reports primal and dual values. */
public abstract sealed class ConicSolver implements SphereSolver permits SdpSolver, SocpSolver {
    final Workers workers;

    ConicSolver(Workers workers) {
        this.workers = workers;
    }

    /** Returns the solver of the second-order cone program, {@code socp}. */
    public static ConicSolver socp(Workers workers) {
        return new SocpSolver(workers);
    }

    /** Returns the solver of the semidefinite program, {@code sdp}. */
    public static ConicSolver sdp(Workers workers) {
        return new SdpSolver(workers);
    }

    /** Writes the semidefinite program of a problem in SDPA sparse format, for other solvers; its optimal value is -f*. */
    public static void export(SphereProblem problem, Writer writer) throws IOException {
        SdpaFile.write(problem, writer);
    }

    @Override
    public final boolean needsFactor() {
        return true;
    }

    @Override
    public final SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        return solveWithReport(problem, options, listener).result();
    }

    /** Returns the result of {@link #solve} together with primal and dual objective, gap and number of steps. */
    abstract Solution solveWithReport(SphereProblem problem, SolverOptions options, ProgressListener listener);

    /** A point, and the interior-point method's own report on it. */
    record Solution(SphereResult result, ConicReport report) {}
}
