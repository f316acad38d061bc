package stackelberg.solver.auto;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class AutoContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return Solvers.named("auto", workers);
    }
}
