package stackelberg.solver;

/** What a residual says about f(r) - f*, by the rules of the certificate; here it decides when to stop, and proves nothing. */
public final class GapEstimate {
    /** The certificate raises ||e|| by this many roundings of the size of the problem. */
    private static final double ROUNDINGS = 4 * 0x1p-52;

    private GapEstimate() {}

    /**
     * ||e||^2/kappa where H + lambda I >= kappa I > 0, else 4||e|| + 4 delta with delta = -kappa.
     *
     * @param residual ||e||
     * @param curvature kappa
     * @param roundingScale the size of the problem, whose rounding ||e|| may hide
     */
    public static double of(double residual, double curvature, double roundingScale) {
        double raised = residual + ROUNDINGS * roundingScale;
        double gap = 4 * raised + 4 * Math.max(0, -curvature);
        return curvature > 0 ? Math.min(gap, raised * raised / curvature) : gap;
    }

    /** max(|f|, 1e-9 p): what gaps are relative to. */
    public static double scale(double objective, double p) {
        return Math.max(Math.abs(objective), 1e-9 * Math.abs(p));
    }
}
