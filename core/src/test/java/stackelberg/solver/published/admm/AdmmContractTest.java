package stackelberg.solver.published.admm;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

class AdmmContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return Solvers.named("admm", workers);
    }
}
