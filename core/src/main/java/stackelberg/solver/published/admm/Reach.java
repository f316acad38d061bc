package stackelberg.solver.published.admm;

import java.util.Locale;

/**
 * The rho with which rounding hides no more than the certificate may overlook.
 *
 * <p>x = (1 + nu/sigma)s is known to eps ||x||, so r - s = T(x) - x ends at eps (1 + nu/sigma), and (H + lambda I)r + g = (nu - sigma)(r - s) at about eps (sigma + nu^2/sigma):
 * too much where sigma = rho/2 is far above or below nu = lambda + mu.
 *
 * @param least the smallest rho
 * @param most the largest
 */
record Reach(double least, double most) {
    private static final double EPS = 0x1p-53;

    /** Of 60 small games with rho 1e-13 of their scale 25 were beyond the range, and all ended certified all the same; with 1e-15 of it 48 did. */
    private static final double FAR = 1e3;

    /**
     * For a nu between two bounds: beyond the range no nu between them will do.
     *
     * @param allowed the gap that is tolerated
     * @param floor the residual that rounding leaves whatever rho is
     */
    static Reach of(double low, double high, double allowed, double floor) {
        double least = low == 0 ? 0 : EPS * low * low / residual(low, allowed, floor);
        return new Reach(2 * least, 2 * residual(high, allowed, floor) / EPS);
    }

    /** The largest ||e|| for which 4||e|| or ||e||^2/nu is tolerated. */
    private static double residual(double nu, double allowed, double floor) {
        return Math.max(floor, Math.max(allowed / 4, Math.sqrt(allowed * nu)));
    }

    /** The same where a smaller rho than this has no factorisation. */
    Reach from(double smallest) {
        return new Reach(Math.max(least, smallest), most);
    }

    boolean contains(double rho) {
        // all is 0 where H, g and p are, and every rho will do
        return rho >= least && (rho <= most || most == 0);
    }

    /** Whether that is out of reach by so much that no luck with rounding helps: eps is an order of magnitude, and a good start saves digits. */
    boolean isFarFrom(double rho) {
        return !new Reach(least / FAR, most * FAR).contains(rho);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "between %.2e and %.2e", least, most);
    }
}
