package stackelberg.sphere;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.Vectors;

/**
 * The maps between rules w on cost-scaled features and points r = (wTilde, alphaTilde) of the sphere, in forms that do not cancel.
 *
 * <p>The static methods are the maps without effects (docs/theory.md, "Reduction"). An instance has a gamma and effects beta ("Effects" there): a unit move of
 * feature j changes the target by beta_j. With omega = w'w, tau = (omega - beta'w)/(gamma + omega) (the share of the gap that is closed without changing the
 * target) and u = (1 - tau) w, the sphere is
 *
 * <pre>||u - beta/2||^2 + gamma (tau - 1/2)^2 = (gamma + beta'beta)/4 = R^2</pre>
 *
 * and r = ((u - beta/2)/R, (tau - 1/2) sqrt(gamma)/R). Without effects R = sqrt(gamma)/2, u = sqrt(gamma)/2 wTilde and tau = t = (1 + alphaTilde)/2, the
 * pull-through.
 */
public final class SphereGeometry {
    /** The largest difference that counts as rounding in the last bits: 4 units in the last place of 1. */
    private static final double LAST_BITS = 0x1p-50;

    /** A sum that is a smaller share of its terms has lost about half of its digits. */
    private static final double CANCELS = 1e-7;

    private final double gamma;
    private final double root;
    private final boolean hasEffects;
    /** beta; empty without effects. */
    private final double[] effects;

    private final double stretch;
    /** The first n coordinates of the two points with u = 0, -beta/(2R); empty without effects. */
    private final double[] pole;

    private SphereGeometry(double gamma, double @Nullable [] effects) {
        this.gamma = gamma;
        this.root = Math.sqrt(gamma);
        this.hasEffects = effects != null;
        this.effects = effects == null ? new double[0] : effects;
        this.stretch = hasEffects ? Math.sqrt(1 + Vectors.dot(this.effects, this.effects) / gamma) : 1;
        this.pole = this.effects.clone();
        Vectors.scale(-1 / (stretch * root), pole);
    }

    /**
     * Returns the geometry at one gamma.
     *
     * @param gamma positive
     * @param effects beta on cost-scaled features, not copied; null without effects
     */
    public static SphereGeometry of(double gamma, double @Nullable [] effects) {
        return new SphereGeometry(gamma, effects);
    }

    /** Returns whether moves change the target. */
    public boolean hasEffects() {
        return hasEffects;
    }

    /** Returns 2R/sqrt(gamma) = sqrt(1 + beta'beta/gamma), the factor by which effects enlarge the sphere; 1 without effects. */
    public double stretch() {
        return stretch;
    }

    /**
     * A point of the sphere in the coordinates of the game with effects.
     *
     * @param u (1 - tau) w
     * @param tau as in the class comment
     * @param oneMinusTau 1 - tau, to full relative accuracy
     */
    private record Place(double[] u, double tau, double oneMinusTau) {}

    /**
     * Returns u = R (rTop - pole) and tau of a point r, with effects.
     *
     * <p>r satisfies the equation of the sphere to eps, which leaves u and tau off their own sphere by eps R^2; a step along the gradient of the equation
     * moves them onto it.
     */
    private Place place(double[] r) {
        if (isZeroRule(r)) {
            return new Place(new double[pole.length], 0, 1);
        }
        int n = pole.length;
        double radius = stretch * root / 2;
        double[] u = Arrays.copyOf(r, n);
        Vectors.axpy(-1, pole, u);
        Vectors.scale(radius, u);
        double last = r[n];
        // excess = stretch^2 (||rTop||^2 - ||pole||^2), which equals 1 - (stretch rLast)^2 = 4 tau (1 - tau) up to
        // sign;
        // terms bounds its rounding
        double excess = 0;
        double terms = 0;
        for (int j = 0; j < n; j++) {
            double term = (r[j] - pole[j]) * (r[j] + pole[j]);
            excess += stretch * stretch * term;
            terms += stretch * stretch * Math.abs(r[j] - pole[j]) * (Math.abs(r[j]) + Math.abs(pole[j]));
        }
        double across = stretch * last;
        double tau = (1 + across) / 2;
        double oneMinusTau = (1 - across) / 2;
        // near u = 0 the smaller of the two cancels and is better computed from the excess, unless the sphere is so
        // large
        // that rTop has fewer digits of it than rLast
        if (terms < 1) {
            tau = across >= 0 ? tau : excess / (4 * oneMinusTau);
            oneMinusTau = across <= 0 ? oneMinusTau : excess / (4 * tau);
        }
        // one Newton step along r onto ||u||^2 - beta'u = gamma tau (1 - tau)
        double off = Vectors.dot(u, u) - Vectors.dot(effects, u) - gamma * tau * oneMinusTau;
        double share = -off / (2 * radius * root) * last;
        Vectors.axpy(-off / (2 * radius), Arrays.copyOf(r, n), u);
        return ofRule(new Place(u, tau + share, oneMinusTau - share));
    }

    /**
     * Returns the place recomputed from the rule w = u/(1 - tau) itself, so that f evaluated there is the loss of that very rule; the place unchanged if 1 - tau
     * cancels and w has too few digits.
     */
    private Place ofRule(Place place) {
        double[] w = place.u.clone();
        double omega = 0;
        double earned = 0;
        double terms = gamma;
        for (int j = 0; j < w.length; j++) {
            w[j] /= place.oneMinusTau;
            omega += w[j] * w[j];
            earned += effects[j] * w[j];
            terms += Math.abs(effects[j] * w[j]);
        }
        if (!(Math.abs(gamma + earned) > CANCELS * terms) || Double.isInfinite(omega)) {
            return place;
        }
        return placeOf(w, omega, earned);
    }

    /**
     * Returns the place of a rule.
     *
     * @param w overwritten with u
     * @param omega w'w
     * @param earned beta'w
     */
    private Place placeOf(double[] w, double omega, double earned) {
        double oneMinusTau = (gamma + earned) / (gamma + omega);
        Vectors.scale(oneMinusTau, w);
        return new Place(w, (omega - earned) / (gamma + omega), oneMinusTau);
    }

    /**
     * Returns whether w can be recovered reliably from r. It cannot near beta'w = -gamma: there 1 - tau = (gamma + beta'w)/(gamma + omega) consists of
     * rounding errors, so w = u/(1 - tau) has no correct digits and its loss may differ from f(r) by any amount. Always true without effects.
     */
    public boolean recoversReliably(double[] r) {
        if (!hasEffects) {
            return true;
        }
        double[] w = coefficients(r);
        double terms = gamma;
        for (int j = 0; j < w.length; j++) {
            terms += Math.abs(effects[j] * w[j]);
        }
        return Math.abs(gamma + Vectors.dot(effects, w)) > CANCELS * terms;
    }

    /**
     * Returns whether r is, to 1e-7, the point u = 0, tau = 1. With effects finite rules are mapped to it, namely all w with beta'w = -gamma, for which 1 -
     * tau = 0.
     */
    boolean isCancellingPole(double[] r) {
        if (!hasEffects || !(Math.abs(r[pole.length] - 1 / stretch) <= CANCELS)) {
            return false;
        }
        for (int j = 0; j < pole.length; j++) {
            if (!(Math.abs(r[j] - pole[j]) <= CANCELS)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the rule with beta'w = -gamma that has the smallest omega: w = -gamma beta/(beta'beta). */
    double[] leastCancellingRule() {
        double[] w = effects.clone();
        Vectors.scale(-gamma / Vectors.dot(effects, effects), w);
        return w;
    }

    /** Returns whether r is the point of w = 0: exactly alphaTilde = -1 without effects, to the last bits with effects. */
    boolean isZeroRule(double[] r) {
        if (!hasEffects) {
            return r[r.length - 1] == -1;
        }
        boolean zero = Math.abs(r[pole.length] + 1 / stretch) <= LAST_BITS;
        for (int j = 0; j < pole.length && zero; j++) {
            zero = Math.abs(r[j] - pole[j]) <= LAST_BITS;
        }
        return zero;
    }

    /** Returns u = (1 - tau) w, finite for every r. */
    public double[] scaledCoefficients(double[] r) {
        return hasEffects ? place(r).u : scaledCoefficients(r, gamma);
    }

    /** Returns tau to full relative accuracy. Subtracting {@link #oneMinusTau} from 1 would lose digits near tau = 0. */
    public double tau(double[] r) {
        return hasEffects ? place(r).tau : onePlusAlphaTilde(r) / 2;
    }

    /** Returns 1 - tau to full relative accuracy. Subtracting {@link #tau} from 1 would lose digits near tau = 1. Negative if tau > 1, which needs effects. */
    public double oneMinusTau(double[] r) {
        return hasEffects ? place(r).oneMinusTau : oneMinusAlphaTilde(r) / 2;
    }

    /** Returns w = u/(1 - tau); infinite or NaN where tau = 1. */
    public double[] coefficients(double[] r) {
        if (!hasEffects) {
            return coefficients(r, gamma);
        }
        Place place = place(r);
        double[] w = place.u;
        for (int j = 0; j < w.length; j++) {
            w[j] /= place.oneMinusTau;
        }
        return w;
    }

    /** Returns omega = w'w; infinite or NaN where tau = 1. */
    public double omega(double[] r) {
        double[] w = coefficients(r);
        return Vectors.dot(w, w);
    }

    /** Returns beta'w, 0 without effects; infinite or NaN where tau = 1. */
    public double earned(double[] r) {
        return hasEffects ? Vectors.dot(effects, coefficients(r)) : 0;
    }

    /** Returns the point r of a rule. */
    public double[] point(double[] w) {
        if (!hasEffects) {
            return pointOf(w, gamma);
        }
        Place place = placeOf(w.clone(), Vectors.dot(w, w), Vectors.dot(effects, w));
        return point(place.u, place.tau);
    }

    /** Returns the point r of u and tau, normalised to length 1; u and tau satisfy the equation of the sphere up to rounding. */
    public double[] point(double[] u, double tau) {
        double[] r = Arrays.copyOf(u, u.length + 1);
        for (int j = 0; j < u.length; j++) {
            r[j] = (u[j] - (hasEffects ? effects[j] / 2 : 0)) * 2 / (stretch * root);
        }
        r[u.length] = (2 * tau - 1) / stretch;
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    /**
     * Returns w of (wTilde, alphaTilde) without effects, the inverse of the reduction (paper eq. map_backward): w = sqrt(gamma) wTilde/(1 - alphaTilde) for
     * alphaTilde &lt;= 0, else sqrt(gamma)(1 + alphaTilde) wTilde/(wTilde'wTilde). Neither form cancels on its side.
     */
    public static double[] coefficients(double[] r, double gamma) {
        double alphaTilde = r[r.length - 1];
        double[] w = Arrays.copyOf(r, r.length - 1);
        // wTilde in units of its largest entry, so that wTilde'wTilde cannot underflow where t is next to 1
        double unit = alphaTilde <= 0 ? 1 : Vectors.maxAbs(w);
        for (int j = 0; j < w.length; j++) {
            w[j] /= unit;
        }
        double factor = alphaTilde <= 0
                ? Math.sqrt(gamma) / (1 - alphaTilde)
                : Math.sqrt(gamma) * (1 + alphaTilde) / Vectors.dot(w, w) / unit;
        Vectors.scale(factor, w);
        return w;
    }

    /** Returns u = w/(1 + alpha) = sqrt(gamma)/2 wTilde without effects, finite for every r. */
    public static double[] scaledCoefficients(double[] r, double gamma) {
        double[] w = Arrays.copyOf(r, r.length - 1);
        Vectors.scale(Math.sqrt(gamma) / 2, w);
        return w;
    }

    /** Returns the point of a rule without effects, the forward map (paper eq. map_forward). */
    public static double[] pointOf(double[] w, double gamma) {
        double alpha = 0;
        for (double value : w) {
            alpha += value * value / gamma;
        }
        double[] r = Arrays.copyOf(w, w.length + 1);
        for (int j = 0; j < w.length; j++) {
            r[j] *= 2 / (Math.sqrt(gamma) * (1 + alpha));
        }
        r[w.length] = (alpha - 1) / (alpha + 1);
        return r;
    }

    /** Returns 1 + alphaTilde = 2 t; near alphaTilde = -1 from wTilde'wTilde/(1 - alphaTilde), because the sum would cancel. */
    public static double onePlusAlphaTilde(double[] r) {
        double alphaTilde = r[r.length - 1];
        return alphaTilde >= 0 ? 1 + alphaTilde : square(r) / (1 - alphaTilde);
    }

    /** Returns 1 - alphaTilde = 2/(1 + alpha); near alphaTilde = 1 from wTilde'wTilde/(1 + alphaTilde), because the difference would cancel. */
    public static double oneMinusAlphaTilde(double[] r) {
        double alphaTilde = r[r.length - 1];
        return alphaTilde <= 0 ? 1 - alphaTilde : square(r) / (1 + alphaTilde);
    }

    /** Returns wTilde'wTilde. */
    private static double square(double[] r) {
        double square = 0;
        for (int j = 0; j < r.length - 1; j++) {
            square += r[j] * r[j];
        }
        return square;
    }
}
