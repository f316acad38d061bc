package stackelberg.solver;

/**
 * The options that all solvers have.
 *
 * @param tolerance the relative gap to reach, gapBound / max(f(r), 1e-9 p0) with p0 the loss of the rule w = 0; above 0 and below 1
 * @param maxIterations the number of iterations after which a solver gives up; at least 1
 */
public record SolverOptions(double tolerance, int maxIterations) {
    /** Tolerance 1e-9, at most 10,000 iterations. */
    public static final SolverOptions DEFAULT = new SolverOptions(1e-9, 10_000);

    /** Checks the ranges. */
    public SolverOptions {
        if (!(tolerance > 0) || tolerance >= 1) {
            throw new IllegalArgumentException("The tolerance is " + tolerance + "; it must lie between 0 and 1.");
        }
        if (maxIterations < 1) {
            throw new IllegalArgumentException("The iteration limit is " + maxIterations + "; it must be at least 1.");
        }
    }

    /** Returns a copy with another tolerance. */
    public SolverOptions withTolerance(double newTolerance) {
        return new SolverOptions(newTolerance, maxIterations);
    }

    /** Returns a copy with another iteration limit. */
    public SolverOptions withMaxIterations(int newMaxIterations) {
        return new SolverOptions(tolerance, newMaxIterations);
    }
}
