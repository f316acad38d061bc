package stackelberg.cli.option;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import stackelberg.cli.terminal.Failures;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.sphere.SphereProblem;

/**
 * A solver that the user chose by name. If it refuses a problem, for example because a matrix does not fit into memory, the refusal is reported as wrong
 * usage.
 *
 * @param solver the solver that is called
 * @param command the command that it was chosen for
 */
record AskedSolver(SphereSolver solver, CommandLine command) implements SphereSolver {
    @Override
    public String name() {
        return solver.name();
    }

    @Override
    public boolean sharesGammas() {
        return solver.sharesGammas();
    }

    @Override
    public boolean needsFactor() {
        return solver.needsFactor();
    }

    @Override
    public boolean isPlain() {
        return solver.isPlain();
    }

    @Override
    public Optional<SphereSolver> asPublished() {
        return solver.asPublished();
    }

    @Override
    public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        return asUsage(() -> solver.solve(problem, options, listener));
    }

    @Override
    public List<SphereResult> solveAll(List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
        return asUsage(() -> solver.solveAll(problems, options, listener));
    }

    /** Reports a refusal as wrong usage; any other failure is a bug and stays as it is. */
    private <T> T asUsage(Supplier<T> work) {
        try {
            return work.get();
        } catch (Refusal refusal) {
            return Failures.asUsage(command, () -> {
                throw refusal;
            });
        }
    }
}
