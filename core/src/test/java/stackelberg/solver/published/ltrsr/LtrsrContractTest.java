package stackelberg.solver.published.ltrsr;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class LtrsrContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return new LtrsrSolver(LtrsrSolver.Options.DEFAULT, workers);
    }
}
