package stackelberg.solver;

import stackelberg.linalg.Workers;

/** Receives the progress of a solver after every iteration and can stop it. */
@FunctionalInterface
public interface ProgressListener {
    /** Ignores all progress and never stops the solver. */
    ProgressListener NONE = progress -> Decision.CONTINUE;

    /** Called by the solver once per iteration, on the thread that called the solver; the return value says whether to go on. */
    Decision onIteration(Progress progress);

    /**
     * Called before {@link #onIteration} by solvers whose iterates are points (r in ADMM).
     *
     * @param point the current point; the solver's own array, valid during the call only and not to be modified
     */
    default void onPoint(double[] point) {
        // most listeners use the numbers only
    }

    /** Returns this listener, extended to stop the solver when the calling thread is interrupted ({@link Thread#interrupt}); the interrupt flag stays set. */
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

    /** What the solver does after an iteration. */
    enum Decision {
        /** Goes on with the next iteration. */
        CONTINUE,
        /** Returns its current point with the status STOPPED_BY_LISTENER. */
        STOP
    }

    /**
     * The state of a solver after an iteration. Values that a solver does not compute are NaN.
     *
     * @param iteration the number of the iteration, from 1
     * @param objective f(r) at the current point
     * @param primalResidual the residual of the solver's own stopping rule: ||r - s|| in ADMM, ||e|| in krylov
     * @param dualResidual the second residual of that rule, if it has two
     * @param multiplier the current estimate of lambda
     */
    record Progress(int iteration, double objective, double primalResidual, double dualResidual, double multiplier) {}
}
