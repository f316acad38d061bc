package stackelberg.solver;

/** Why a solver stopped. How good its point is, the certificate says. */
public enum Status {
    /** Its own stopping rule was met. */
    CONVERGED,
    /** It used up the iterations it was given. */
    ITERATION_LIMIT,
    /** It made no more progress. */
    STALLED,
    /** The listener asked it to stop. */
    STOPPED_BY_LISTENER
}
