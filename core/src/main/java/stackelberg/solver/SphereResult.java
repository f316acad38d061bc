package stackelberg.solver;

/**
 * Where a solver stopped and why; always a point, whatever happened.
 *
 * @param r a unit vector
 * @param status why the solver stopped
 * @param iterations in the solver's own unit
 * @param passes products with the data, not counting the one that set the problem up
 * @param note what the user should know about the way taken, or empty
 */
public record SphereResult(double[] r, Status status, int iterations, int passes, String note) {
    public SphereResult {
        r = r.clone();
    }

    @Override
    public double[] r() {
        return r.clone();
    }
}
