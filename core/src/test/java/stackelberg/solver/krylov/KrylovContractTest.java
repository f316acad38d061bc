package stackelberg.solver.krylov;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.auto.Solvers;

class KrylovContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return Solvers.named("krylov", workers);
    }
}
