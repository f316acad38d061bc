package stackelberg.objective.omega;

/**
 * Two points between which a function changes its sign, and where to look next: regula falsi, halving the value of an end that stays twice (Illinois), and the middle where that leads outside and after
 * every few steps, so that the bracket always closes.
 *
 * @param <P> what is known at a point
 */
final class Bracket<P> {
    /** Of so many steps one is to the middle. */
    private static final int MIDDLE = 8;

    /** Over so many times the smaller end the middle of two positive numbers is that of their logarithms. */
    private static final double FAR = 100;

    private P low;
    private P high;
    private double xLow;
    private double fLow;
    private double xHigh;
    private double fHigh;
    private int steps;
    /** The side that was replaced last: -1 the lower one, 1 the upper one, 0 none. */
    private int replaced;

    /**
     * The first bracket.
     *
     * @param fLow the function at the lower end, or anything of its sign and about its size
     */
    Bracket(P low, double xLow, double fLow, P high, double xHigh, double fHigh) {
        this.low = low;
        this.xLow = xLow;
        this.fLow = fLow;
        this.high = high;
        this.xHigh = xHigh;
        this.fHigh = fHigh;
    }

    P low() {
        return low;
    }

    P high() {
        return high;
    }

    /** The distance of the two ends. */
    double width() {
        return xHigh - xLow;
    }

    /** Where to look next, strictly inside; not a number where no number is left between the ends. */
    double next() {
        double secant = xLow - fLow * (xHigh - xLow) / (fHigh - fLow);
        boolean inside = secant > xLow && secant < xHigh && steps % MIDDLE != MIDDLE - 1;
        double middle = xLow > 0 && xHigh > FAR * xLow ? Math.sqrt(xLow) * Math.sqrt(xHigh) : xLow + (xHigh - xLow) / 2;
        double next = inside ? secant : middle;
        return next > xLow && next < xHigh ? next : Double.NaN;
    }

    /**
     * Replaces an end by a point inside.
     *
     * @param isLow whether the zero lies above it
     */
    void take(P at, double x, double f, boolean isLow) {
        steps++;
        if (isLow) {
            low = at;
            xLow = x;
            fLow = f;
            fHigh /= replaced < 0 ? 2 : 1;
        } else {
            high = at;
            xHigh = x;
            fHigh = f;
            fLow /= replaced > 0 ? 2 : 1;
        }
        replaced = isLow ? -1 : 1;
    }

    /** The same by the sign of the function. */
    void take(P at, double x, double f) {
        take(at, x, f, f < 0 == fLow < 0);
    }
}
