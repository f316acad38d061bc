package stackelberg.solver.direct;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class DirectContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return new DirectSolver(workers);
    }
}
