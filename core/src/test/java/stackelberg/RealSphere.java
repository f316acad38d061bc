package stackelberg;

import java.util.List;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The sphere problem of a real game, taken from the way of the estimator itself. */
public final class RealSphere {
    private RealSphere() {}

    public static SphereProblem of(RealGame real, double gamma) {
        Witness witness = new Witness();
        real.regression().gamma(gamma).solver(witness).build().fit(real.table());
        return witness.family.at(gamma);
    }

    /** Solves by direct and remembers what it was asked. */
    private static final class Witness implements SphereSolver {
        private SphereFamily family;

        @Override
        public String name() {
            return "direct";
        }

        @Override
        public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
            return new DirectSolver(Workers.of(2)).solve(problem, options, listener);
        }

        @Override
        public List<SphereResult> solveAll(
                List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
            family = problems.get(0).family();
            return new DirectSolver(Workers.of(2)).solveAll(problems, options, listener);
        }
    }
}
