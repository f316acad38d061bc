package stackelberg.solver.published.conic;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class SocpContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return new SocpSolver(workers);
    }
}
