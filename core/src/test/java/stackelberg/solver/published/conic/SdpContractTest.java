package stackelberg.solver.published.conic;

import stackelberg.linalg.Workers;
import stackelberg.solver.SolverContract;
import stackelberg.solver.SphereSolver;

class SdpContractTest extends SolverContract {
    @Override
    protected SphereSolver solver(Workers workers) {
        return new SdpSolver(workers);
    }

    @Override
    protected double objectiveTolerance() {
        return 1e-7;
    }
}
