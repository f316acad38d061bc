package stackelberg.objective.omega;

/**
 * Two points between which a function changes its sign, with the next point to evaluate: regula falsi with Illinois
 * halving (the value of an end that stays twice is halved). The middle is taken if that point lies outside, and after
 * every few steps, so that the bracket always shrinks.
 *
 * @param <P> what is known at a point
 */
final class Bracket<P> {
    /** One of this many steps goes to the middle. */
    private static final int MIDDLE = 8;

    /** If the ends are positive and their ratio exceeds this, the middle is the geometric mean. */
    private static final double FAR = 100;

    private P low;
    private P high;
    private double xLow;
    private double fLow;
    private double xHigh;
    private double fHigh;
    private int steps;
    /** The end that was replaced last: -1 the lower one, 1 the upper one, 0 none. */
    private int replaced;

    /**
     * Makes the first bracket.
     *
     * @param fLow the function at the lower end, or a value with its sign and of about its size
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

    /** Returns the distance between the ends. */
    double width() {
        return xHigh - xLow;
    }

    /** Returns the next point to evaluate, strictly inside; NaN if there is no number between the ends. */
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
     * @param isLow whether the zero lies above the point
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

    /** Replaces the end at which the function has the same sign. */
    void take(P at, double x, double f) {
        take(at, x, f, f < 0 == fLow < 0);
    }
}
