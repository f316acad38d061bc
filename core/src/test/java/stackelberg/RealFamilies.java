package stackelberg;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.solver.SphereSolver;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereFamily;
import stackelberg.sphere.SphereProblem;

/** The sphere families of the real games, for tests that enter at the sphere; each is built once. */
public final class RealFamilies {
    private static final Map<String, SphereFamily> BUILT = new ConcurrentHashMap<>();

    private RealFamilies() {}

    public static SphereFamily named(String name) {
        RealGame game = RealGame.named(name);
        // outside of the map: a missing file skips the test by an exception
        SphereFamily built = BUILT.get(name);
        if (built == null) {
            Catcher catcher = new Catcher();
            game.regression().gamma(1).solver(catcher).build().fit(game.table());
            built = catcher.family;
            BUILT.put(name, built);
        }
        return built;
    }

    /** Solves directly and keeps the family it was given. */
    private static final class Catcher implements SphereSolver {
        private final SphereSolver direct = new DirectSolver(Workers.of(2));
        private SphereFamily family;

        @Override
        public String name() {
            return direct.name();
        }

        @Override
        public SphereResult solve(SphereProblem problem, SolverOptions options, ProgressListener listener) {
            throw new UnsupportedOperationException("A model is fitted through solveAll.");
        }

        @Override
        public List<SphereResult> solveAll(
                List<SphereProblem> problems, SolverOptions options, ProgressListener listener) {
            family = problems.get(0).family();
            return direct.solveAll(problems, options, listener);
        }
    }
}
