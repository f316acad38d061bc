package stackelberg.solver;

import java.util.List;
import java.util.Optional;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** Minimises f over the unit sphere. Stateless: one instance may serve many threads. */
public interface SphereSolver {
    /** A problem that a solver does not take, or not with its settings: a matrix that does not fit, a rho that rounding swallows. */
    final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        public Refusal(String message) {
            super(message);
        }
    }

    /** The name on the command line. */
    String name();

    /** Whether one basis or decomposition serves all gammas of a path; otherwise every gamma starts anew. */
    default boolean sharesGammas() {
        return false;
    }

    /** Whether it forms and factors a matrix of the order of the problem, or of its smaller side, so that memory is what limits it. */
    default boolean needsFactor() {
        return false;
    }

    /**
     * The algorithm as published: its own start and stopping rule, no acceleration, no escape. Empty where it is no other than this one, or where
     * something must be chosen that the publication leaves open.
     */
    default Optional<SphereSolver> asPublished() {
        return Optional.empty();
    }

    /** Whether this is an algorithm as published, whose own last point is the answer: it is certified, but not replaced by an equally good one. */
    default boolean isPlain() {
        return false;
    }

    /** The best point it finds, with the reason why it stopped. */
    SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener);

    /** One result per problem, all of the same data at different gammas and ridges. Solvers that can share work between them override this. */
    default List<SphereResult> solveAll(
            List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
        return problems.stream()
                .map(problem -> solve(problem, options, listener))
                .toList();
    }

    /** One result per gamma. */
    default List<SphereResult> solvePath(
            SphereFamily family, double[] gammas, SolverOptions options, ProgressListener listener) {
        return solveAll(family.at(gammas), options, listener);
    }
}
