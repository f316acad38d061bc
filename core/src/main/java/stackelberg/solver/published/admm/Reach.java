package stackelberg.solver.published.admm;

import java.util.Locale;

/**
 * The range of rho within which double precision can reach the tolerance (docs/theory.md, "ADMM", the remark on double precision).
 *
 * <p>x = (1 + nu/sigma)s has an error of eps ||x||, so r - s = T(x) - x ends at eps (1 + nu/sigma), and the residual (H + lambda I)r + g = (nu - sigma)(r - s) at
 * about eps (sigma + nu^2/sigma). That is too much if sigma = rho/2 is far above or below nu = lambda + mu.
 *
 * @param least the smallest rho
 * @param most the largest rho
 */
record Reach(double least, double most) {
    private static final double EPS = 0x1p-53;
    /**
     * The factor beyond the range at which a rho is refused. eps is an order of magnitude, not a bound: of 60 small games with rho = 1e-13 of their scale, 25 were
     * outside the range, and yet all ended certified; with 1e-15, 48 did.
     */
    private static final double FAR = 1e3;
    /**
     * Returns the range for a nu between two bounds: outside it, rho is unsuitable for every such nu.
     *
     * @param low a lower bound on nu
     * @param high an upper bound on nu
     * @param allowed the gap to reach
     * @param floor the residual that rounding leaves for any rho
     */
    static Reach of(double low, double high, double allowed, double floor) {
        double least = low == 0 ? 0 : EPS * low * low / residual(low, allowed, floor);
        return new Reach(2 * least, 2 * residual(high, allowed, floor) / EPS);
    }

    /** Returns the largest ||e|| for which 4||e|| or ||e||^2/nu is within the allowed gap. */
    private static double residual(double nu, double allowed, double floor) {
        return Math.max(floor, Math.max(allowed / 4, Math.sqrt(allowed * nu)));
    }

    /** Returns the range without values below the given one. */
    Reach from(double smallest) {
        return new Reach(Math.max(least, smallest), most);
    }

    /** Returns whether rho is in the range. */
    boolean contains(double rho) {
        // most is 0 if H, g and p are 0; then any rho works
        return rho >= least && (rho <= most || most == 0);
    }

    /** Returns whether rho is outside the range by more than the factor {@link #FAR}, so that favourable rounding or a good start cannot help. */
    boolean isFarFrom(double rho) {
        return !new Reach(least / FAR, most * FAR).contains(rho);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "between %.2e and %.2e", least, most);
    }
}
