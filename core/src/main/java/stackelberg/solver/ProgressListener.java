package stackelberg.solver;

import stackelberg.linalg.Workers;

/** Watches a solver at work and may stop it. */
@FunctionalInterface
public interface ProgressListener {
    /** Watches nothing and never stops anything. */
    ProgressListener NONE = progress -> Decision.CONTINUE;

    /** Called once per iteration, on the solver's thread. */
    Decision onIteration(Progress progress);

    /** Called before {@link #onIteration} by solvers that go from point to point (ADMM: r): where it stands now, not to be changed and valid during the call. */
    default void onPoint(double[] point) {
        // most look at numbers only
    }

    /** The same listener, which also stops the solver when the calling thread is interrupted ({@link Thread#interrupt}); the thread stays interrupted. */
    default ProgressListener orInterrupt() {
        ProgressListener watched = this;
        return new ProgressListener() {
            @Override
            public Decision onIteration(Progress progress) {
                Decision decision = watched.onIteration(progress);
                return Workers.isInterrupted() ? Decision.STOP : decision;
            }

            @Override
            public void onPoint(double[] point) {
                watched.onPoint(point);
            }
        };
    }

    /** Whether to go on. */
    enum Decision {
        CONTINUE,
        STOP
    }

    /**
     * Where a solver stands. A value it does not know is NaN.
     *
     * @param iteration from 1
     * @param objective f(r) at the current point
     * @param primalResidual the solver's first residual
     * @param dualResidual the solver's second residual
     * @param multiplier its estimate of lambda
     */
    record Progress(int iteration, double objective, double primalResidual, double dualResidual, double multiplier) {}
}
