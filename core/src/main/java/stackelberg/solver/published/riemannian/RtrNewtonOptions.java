package stackelberg.solver.published.riemannian;

/**
 * How the Riemannian trust-region method starts and stops.
 *
 * @param plain as in the reference experiments: start at ones/sqrt(d), stop at a gradient below relativeGradient times the first one or below
 *     absoluteGradient, no certificate and no escape. Otherwise: start against g, stop by the gap, escape from what the certificate refutes
 * @param relativeGradient part of the first gradient norm at which the plain method stops
 * @param absoluteGradient gradient norm at which the plain method stops in any case
 */
public record RtrNewtonOptions(boolean plain, double relativeGradient, double absoluteGradient) {
    public static final RtrNewtonOptions DEFAULT = new RtrNewtonOptions(false, 1e-5, 1e-12);

    /** The reference experiments. */
    public static final RtrNewtonOptions PLAIN = new RtrNewtonOptions(true, 1e-5, 1e-12);

    public RtrNewtonOptions {
        if (!(relativeGradient >= 0) || relativeGradient >= 1) {
            throw new IllegalArgumentException(
                    "The relative gradient is " + relativeGradient + "; it must lie between 0 and 1.");
        }
        if (!(absoluteGradient >= 0) || Double.isInfinite(absoluteGradient)) {
            throw new IllegalArgumentException(
                    "The absolute gradient is " + absoluteGradient + "; it must be finite and not negative.");
        }
    }

    public RtrNewtonOptions withRelativeGradient(double newRelativeGradient) {
        return new RtrNewtonOptions(plain, newRelativeGradient, absoluteGradient);
    }

    public RtrNewtonOptions withAbsoluteGradient(double newAbsoluteGradient) {
        return new RtrNewtonOptions(plain, relativeGradient, newAbsoluteGradient);
    }
}
