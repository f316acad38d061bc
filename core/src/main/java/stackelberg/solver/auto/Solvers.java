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

/** The solvers by the names they have on the command line; whatever else is to be known of one it tells itself. */
public final class Solvers {
    /** The default first. */
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

    private Solvers() {}

    /** Every name, the default first. */
    public static List<String> names() {
        return names(solver -> true);
    }

    /** The names of those solvers that are so, such as {@code SphereSolver::sharesGammas}. */
    public static List<String> names(Predicate<SphereSolver> such) {
        return on(Workers.of(1)).filter(such).map(SphereSolver::name).toList();
    }

    /** The solver for whoever does not choose one, on decompositions by the given one. */
    public static SphereSolver byDefault(DirectSolver direct, Workers workers) {
        return new AutoSolver(direct, new KrylovSolver(workers));
    }

    /** The solver of that name with its default options. */
    public static SphereSolver named(String name, Workers workers) {
        return on(workers)
                .filter(solver -> solver.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "There is no solver \"" + name + "\". Maybe one of " + String.join(", ", names()) + "."));
    }

    private static Stream<SphereSolver> on(Workers workers) {
        return ALL.stream().map(make -> make.apply(workers));
    }
}
