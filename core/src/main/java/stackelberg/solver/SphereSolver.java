package stackelberg.solver;

import java.util.List;
import java.util.Optional;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/**
 * Minimises f over the unit sphere. A solver never judges its own point; {@code stackelberg.certificate} does.
 *
 * <p>Solvers are stateless, so that one instance can serve many threads.
 */
public interface SphereSolver {
    /**
     * Thrown if a solver cannot solve a problem at all, or not with its settings: a matrix too large for memory, a rho outside the range of double precision.
     */
    final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        /** Creates a refusal; the message names the value, the rule and what to do. */
        public Refusal(String message) {
            super(message);
        }
    }

    /** Returns the solver's name on the command line. */
    String name();

    /** Returns whether one basis or decomposition serves all gammas of a path; otherwise every gamma is solved from scratch. */
    default boolean sharesGammas() {
        return false;
    }

    /** Returns whether the solver forms and factorises a matrix of the order of the problem, or of the smaller side of its data, so that memory limits it. */
    default boolean needsFactor() {
        return false;
    }

    /**
     * Returns the algorithm as published: with its own start and stopping rule, without acceleration and without escape from local minima. Empty if this solver
     * is that already, or if the publication leaves a choice open.
     */
    default Optional<SphereSolver> asPublished() {
        return Optional.empty();
    }

    /** Returns whether this is an algorithm as published. Its last point is then reported as it is, and not replaced by an equally good one. */
    default boolean isPlain() {
        return false;
    }

    /**
     * Returns the best point found, with the reason why the solver stopped.
     *
     * @param listener asked after every iteration whether to go on
     * @throws Refusal if the solver cannot solve this problem
     */
    SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener);

    /** Returns one result per problem, all of the same data at different gammas and ridges. Solvers that can share work between problems override this. */
    default List<SphereResult> solveAll(
            List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
        return problems.stream()
                .map(problem -> solve(problem, options, listener))
                .toList();
    }

    /** Returns one result per gamma. */
    default List<SphereResult> solvePath(
            SphereFamily family, double[] gammas, SolverOptions options, ProgressListener listener) {
        return solveAll(family.at(gammas), options, listener);
    }
}
