package stackelberg.cli.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import stackelberg.cli.text.Trace;
import stackelberg.game.Loss;
import stackelberg.linalg.Workers;
import stackelberg.model.StackelbergRegression.FitOptions;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

/** Which solver, and how far it goes. */
final class SolverChoice {
    /** Whichever suits the problem. */
    private static final String AUTO = "auto";

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            converter = Words.OfSolver.class,
            completionCandidates = Words.OfSolver.class,
            description = "One of ${COMPLETION-CANDIDATES} (default: the first).")
    String name;

    @Option(
            names = "--tolerance",
            paramLabel = "GAP",
            description = "The relative gap to the optimum that counts as certified (default: ${DEFAULT-VALUE}).")
    double tolerance = SolverOptions.DEFAULT.tolerance();

    @Option(
            names = "--max-iterations",
            paramLabel = "N",
            description = "When an iterative solver gives up (default: ${DEFAULT-VALUE}).")
    int maxIterations = SolverOptions.DEFAULT.maxIterations();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "Of what is random around a fit, which itself is not: compare holds people out and draws them again by"
                            + " it; kept in the model (default: ${DEFAULT-VALUE}).")
    long seed;

    @Option(names = "--trace", paramLabel = "FILE", description = "Write one CSV row per iteration.")
    Path traceFile;

    @Mixin
    private AsPublished published;

    private Trace trace;

    /** @param loss another than the squared one has a solver of its own */
    FitOptions options(CommandLine command, Workers workers, Loss loss) {
        // a command line may be used again
        trace = new Trace();
        SphereSolver solver = published
                .solver(name, workers)
                .or(() -> Optional.ofNullable(name).map(named -> Solvers.named(named, workers)))
                .orElse(null);
        if (!loss.isSquared() && solver != null) {
            if (!AUTO.equals(name)) {
                throw new IllegalArgumentException("The solver " + name + " minimises squared loss, not the loss "
                        + loss + ".\nMaybe leave out solver(...).");
            }
            solver = null;
        }
        return FitOptions.defaults()
                .withSolver(solver == null ? null : new AskedSolver(solver, command))
                .withLimits(new SolverOptions(tolerance, maxIterations))
                .withThreads(workers.threads())
                .withSeed(seed);
    }

    /** A listener that keeps the iterations and passes them on. */
    ProgressListener traced(ProgressListener next) {
        return now -> {
            trace.onIteration(now);
            return next.onIteration(now);
        };
    }

    /** Of a solver that was traced. */
    List<ProgressListener.Progress> iterations() {
        return trace.iterations();
    }

    /** To be called when the solver is done, however it ended. */
    void saveTrace() {
        if (traceFile != null) {
            trace.save(traceFile);
        }
    }
}
