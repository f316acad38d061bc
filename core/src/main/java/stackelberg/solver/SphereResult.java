package stackelberg.solver;

/**
 * The last point of a solver and the reason why it stopped. There is always a point, whatever happened.
 *
 * @param r a unit vector; the constructor keeps the array without copying, so the solver must not write to it afterwards
 * @param status why the solver stopped
 * @param effort iterations, passes and factorisations
 * @param note a sentence about the route taken that users should see; empty if there is none
 */
public record SphereResult(double[] r, Status status, Effort effort, String note) {
    /** Returns a copy of the point. */
    @Override
    public double[] r() {
        return r.clone();
    }

    /** Returns a copy with another note. */
    public SphereResult withNote(String other) {
        return new SphereResult(r, status, effort, other);
    }

    /**
     * The work of a solver.
     *
     * @param iterations the number of iterations; what an iteration is differs between solvers
     * @param passes products with the data, or with H, that read all of it, without those for setting up the problem and for the certificate
     * @param factorisations decompositions of a matrix of the problem's order
     * @param factorSeconds the time these took, forming the matrix included; only reported, no decision depends on it
     */
    public record Effort(int iterations, int passes, int factorisations, double factorSeconds) {}

    /** Why a solver stopped. It does not say how good the point is: the certificate does. */
    public enum Status {
        /** The solver's own stopping rule was met. */
        CONVERGED,
        /** The iteration limit was reached. */
        ITERATION_LIMIT,
        /** A local descent converged on a problem that is not convex: rules far away may be better. */
        LOCAL,
        /** No further progress was possible, because of rounding or memory. */
        STALLED,
        /** The listener asked the solver to stop, or the thread was interrupted. */
        STOPPED_BY_LISTENER
    }
}
