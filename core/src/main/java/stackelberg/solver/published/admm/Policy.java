package stackelberg.solver.published.admm;

import java.util.Optional;
import stackelberg.solver.ProgressListener.Progress;
import stackelberg.solver.SphereResult;

/** What surrounds the three steps of ADMM: nothing but a stopping rule in the paper, a good deal more by default. */
interface Policy {
    /** May replace state.x() after r is known and before it is projected. */
    void extrapolate(AdmmState state);

    /** Looks at a finished iteration: the end, or empty to go on. */
    Optional<Outcome> review(AdmmState state, Progress now);

    /** The end that is reached when something else (limit, listener) stops the iteration. */
    Outcome interrupted(AdmmState state, SphereResult.Status status);

    /**
     * How it ended.
     *
     * @param r a unit vector
     * @param note what the user should know, or empty
     */
    record Outcome(double[] r, SphereResult.Status status, String note) {}
}
