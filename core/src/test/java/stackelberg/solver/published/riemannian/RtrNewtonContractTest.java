package stackelberg.solver.published.riemannian;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class RtrNewtonContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return new RtrNewtonSolver(RtrNewtonSolver.Options.DEFAULT);
    }

    @Override
    protected double roundings() {
        return 4000;
    }
}
