package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/** The decisions around the three steps of ADMM: in the paper only a stopping rule, by default also acceleration, rho and restarts. */
interface Policy {
    /** Called between the r-step and the projection; may modify state.x(). */
    void extrapolate(AdmmState state);
    /** Called after every iteration; returns the outcome, or empty to continue. */
    Optional<Outcome> review(AdmmState state, Progress now);
    /** Returns the outcome if the iteration limit or the listener ends the run. */
    Outcome interrupted(AdmmState state, SphereResult.Status status);
    /**
     * The end of a run.
     *
     * @param r a unit vector
     * @param status why it ended
     * @param note a sentence for the user; empty if there is none
     */
    record Outcome(double[] r, SphereResult.Status status, String note) {}
}
