package stackelberg.solver.auto;

import java.util.List;
import stackelberg.linalg.Workers;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.solver.krylov.KrylovSolver;
import stackelberg.solver.published.admm.AdmmOptions;
import stackelberg.solver.published.admm.AdmmSolver;
import stackelberg.solver.published.conic.SdpSolver;
import stackelberg.solver.published.conic.SocpSolver;
import stackelberg.solver.published.ltrsr.LtrsrOptions;
import stackelberg.solver.published.ltrsr.LtrsrSolver;
import stackelberg.solver.published.riemannian.RtrNewtonOptions;
import stackelberg.solver.published.riemannian.RtrNewtonSolver;

/** The solvers by the names they have on the command line. */
public final class Solvers {
    private static final List<String> NAMES =
            List.of("auto", "krylov", "direct", "cd-admm", "admm", "ltrsr", "rtr-newton", "socp", "sdp");

    private Solvers() {}

    /** Every name, the default first. */
    public static List<String> names() {
        return NAMES;
    }

    /** The solver of that name with its default options. */
    public static SphereSolver named(String name, Workers workers) {
        return switch (name) {
            case "auto" -> new AutoSolver(workers);
            case "krylov" -> new KrylovSolver(workers);
            case "direct" -> new DirectSolver(workers);
            case "cd-admm" -> AdmmSolver.cholesky(AdmmOptions.DEFAULT, workers);
            case "admm" -> AdmmSolver.explicitInverse(AdmmOptions.DEFAULT, workers);
            case "ltrsr" -> new LtrsrSolver(LtrsrOptions.DEFAULT, workers);
            case "rtr-newton" -> new RtrNewtonSolver(RtrNewtonOptions.DEFAULT);
            case "socp" -> new SocpSolver(workers);
            case "sdp" -> new SdpSolver(workers);
            default ->
                throw new IllegalArgumentException(
                        "There is no solver \"" + name + "\". Maybe one of " + String.join(", ", NAMES) + ".");
        };
    }
}
