package stackelberg.solver;

/**
 * What every solver understands.
 *
 * @param tolerance the relative gap to reach: gapBound / max(f(r), 1e-9 p0), p0 the loss of the best rule with w = 0
 * @param maxIterations iterations after which to give up
 */
public record SolverOptions(double tolerance, int maxIterations) {
    public static final SolverOptions DEFAULT = new SolverOptions(1e-9, 10_000);

    public SolverOptions {
        if (!(tolerance > 0) || tolerance >= 1) {
            throw new IllegalArgumentException("The tolerance is " + tolerance + "; it must lie between 0 and 1.");
        }
        if (maxIterations < 1) {
            throw new IllegalArgumentException("The iteration limit is " + maxIterations + "; it must be at least 1.");
        }
    }

    public SolverOptions withTolerance(double newTolerance) {
        return new SolverOptions(newTolerance, maxIterations);
    }

    public SolverOptions withMaxIterations(int newMaxIterations) {
        return new SolverOptions(tolerance, newMaxIterations);
    }
}
