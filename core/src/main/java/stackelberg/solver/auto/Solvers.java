package stackelberg.solver.auto;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.solver.published.conic.ConicSolver;
import stackelberg.solver.published.ltrsr.LtrsrSolver;
import stackelberg.solver.published.riemannian.RtrNewtonSolver;

/** The list of all sphere solvers, found by their names on the command line. Their other properties are methods of {@link SphereSolver}. */
public final class Solvers {
    /** One constructor for each solver, the default first; a new solver is added here. */
    private static final List<Function<Workers, SphereSolver>> ALL = List.of(
            AutoSolver::new,
            KrylovSolver::new,
            DirectSolver::new,
            workers -> AdmmSolver.cholesky(AdmmSolver.Options.DEFAULT, workers),
            workers -> AdmmSolver.explicitInverse(AdmmSolver.Options.DEFAULT, workers),
            workers -> new LtrsrSolver(LtrsrSolver.Options.DEFAULT, workers),
            workers -> new RtrNewtonSolver(RtrNewtonSolver.Options.DEFAULT),
            ConicSolver::socp,
            ConicSolver::sdp);

    /** The name of the default solver, which chooses by the problem. */
    public static final String DEFAULT = "auto";

    private Solvers() {}

    /** Returns the names of all solvers, the default first. */
    public static List<String> names() {
        return names(solver -> true);
    }

    /** Returns the names of the solvers with a property, such as {@code SphereSolver::sharesGammas}. */
    public static List<String> names(Predicate<SphereSolver> property) {
        return on(Workers.of(1)).filter(property).map(SphereSolver::name).toList();
    }

    /** Returns the default solver with a given direct solver inside, so that the two share a kept decomposition. */
    public static SphereSolver byDefault(DirectSolver direct, Workers workers) {
        return new AutoSolver(direct, new KrylovSolver(workers));
    }

    /**
     * Returns the solver of a name, with its default options.
     *
     * @throws IllegalArgumentException listing all names, if there is no such solver
     */
    public static SphereSolver named(String name, Workers workers) {
        return on(workers)
                .filter(solver -> solver.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no solver \"" + name + "\". Maybe one of " + String.join(", ", names()) + "."));
    }

    /** Returns all solvers, to run on these threads. */
    private static Stream<SphereSolver> on(Workers workers) {
        return ALL.stream().map(make -> make.apply(workers));
    }
}
