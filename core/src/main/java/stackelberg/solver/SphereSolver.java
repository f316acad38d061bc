package stackelberg.solver;

import java.util.ArrayList;
import java.util.List;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** Minimises f over the unit sphere. Stateless: one instance may serve many threads. */
public interface SphereSolver {
    /** The name on the command line. */
    String name();

    /** The best point it finds, with the reason why it stopped. */
    SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener);

    /** One result per gamma. Solvers that can share work between gammas override this. */
    default List<SphereResult> solvePath(
            SphereFamily family, double[] gammas, SolverOptions options, ProgressListener listener) {
        List<SphereResult> results = new ArrayList<>();
        for (double gamma : gammas) {
            results.add(solve(family.at(gamma), options, listener));
        }
        return results;
    }
}
