package stackelberg.solver;

/**
 * Where a solver stopped and why; always a point, whatever happened.
 *
 * @param r a unit vector, which is taken over: whoever computed it writes to it no more
 * @param status why the solver stopped
 * @param effort what it took
 * @param note what the user should know about the way taken, or empty
 */
public record SphereResult(double[] r, Status status, Effort effort, String note) {
    @Override
    public double[] r() {
        return r.clone();
    }

    /** The same with another note. */
    public SphereResult withNote(String other) {
        return new SphereResult(r, status, effort, other);
    }

    /**
     * What a solver spent.
     *
     * @param iterations in the solver's own unit
     * @param passes products with the data, or with H, that read all of it; setting the problem up and certifying not counted
     * @param factorisations decompositions of a matrix of the problem's order
     * @param factorSeconds the time they took, forming the matrix included; for reports only
     */
    public record Effort(int iterations, int passes, int factorisations, double factorSeconds) {}

    /** Why a solver stopped. How good its point is, the certificate says. */
    public enum Status {
        /** Its own stopping rule was met. */
        CONVERGED,
        /** It used up the iterations it was given. */
        ITERATION_LIMIT,
        /** A descent ended by itself, on a problem of which nothing is proven: rules far away may be better. */
        LOCAL,
        /** It made no more progress. */
        STALLED,
        /** The listener asked it to stop, or the thread was interrupted. */
        STOPPED_BY_LISTENER
    }
}
