package stackelberg.solver.admm;

import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/** Chooses how H + sigma I is factored. */
final class Systems {
    private Systems() {}

    /** Dense from H itself. */
    static ShiftedSystem of(SphereProblem problem, boolean explicitInverse, Workers workers) {
        return new DenseSystem(problem.hessian(), explicitInverse, workers);
    }
}
