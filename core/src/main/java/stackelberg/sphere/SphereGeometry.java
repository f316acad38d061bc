package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/**
 * The maps between rules on cost-scaled features and points r = (wTilde, alphaTilde) of the sphere, in forms that do not cancel.
 *
 * <p>Where a unit of each feature really changes the target by beta, tau = (omega - beta'w)/(gamma + omega) of everybody's gap is gamed, and with u = (1 - tau) w
 *
 * <pre>||u - beta/2||^2 + gamma (tau - 1/2)^2 = (gamma + beta'beta)/4 = R^2</pre>
 *
 * is the sphere: r = ((u - beta/2)/R, (tau - 1/2) sqrt(gamma)/R). Without effects R = sqrt(gamma)/2, u = sqrt(gamma)/2 wTilde and tau = t = (1 + alphaTilde)/2. An
 * instance knows gamma and beta; the static maps are those without effects.
 */
public final class SphereGeometry {
    private static final double LAST_BITS = 0x1p-50;

    /** A sum that is a smaller part of its terms has lost half of its digits. */
    private static final double CANCELS = 1e-7;

    /** With a sum that is a smaller part of its terms a rule is lost: half of its digits are. */
    private static final double TELLS = 1e-7;

    private final double gamma;
    private final double root;
    /** Null where moves do nothing to the target. */
    private final double[] effects;

    private final double stretch;
    /** The top of the two points at which u = 0, -beta/(2R). */
    private final double[] pole;

    private SphereGeometry(double gamma, double[] effects) {
        this.gamma = gamma;
        this.root = Math.sqrt(gamma);
        this.effects = effects;
        this.stretch = effects == null ? 1 : Math.sqrt(1 + Vectors.dot(effects, effects) / gamma);
        this.pole = effects == null ? null : effects.clone();
        if (pole != null) {
            Vectors.scale(-1 / (stretch * root), pole);
        }
    }

    /**
     * The sphere at one gamma.
     *
     * @param effects beta on cost-scaled features; null where moves do nothing to the target
     */
    public static SphereGeometry of(double gamma, double[] effects) {
        return new SphereGeometry(gamma, effects);
    }

    /** Whether moves do anything to the target. */
    public boolean hasEffects() {
        return effects != null;
    }

    /** 2R/sqrt(gamma) = sqrt(1 + beta'beta/gamma): by how much effects make the sphere larger; 1 without. */
    public double stretch() {
        return stretch;
    }

    /**
     * What r says of a rule.
     *
     * @param u (1 - tau) w
     * @param tau the share of the gap that is gamed
     * @param kept 1 - tau
     */
    private record Place(double[] u, double tau, double kept) {}

    /** u = R (rTop - its value at u = 0) and tau, both moved onto the sphere to their own digits: to those of r they would be off by eps R^2. */
    private Place place(double[] r) {
        if (isNothing(r)) {
            return new Place(new double[pole.length], 0, 1);
        }
        int n = pole.length;
        double radius = stretch * root / 2;
        double[] u = Arrays.copyOf(r, n);
        Vectors.axpy(-1, pole, u);
        Vectors.scale(radius, u);
        double last = r[n];
        // stretch^2 (||rTop||^2 - ||pole||^2) = 1 - (stretch rLast)^2 = 4 tau (1 - tau), and how far rounding puts it
        // off
        double excess = 0;
        double terms = 0;
        for (int j = 0; j < n; j++) {
            double term = (r[j] - pole[j]) * (r[j] + pole[j]);
            excess += stretch * stretch * term;
            terms += stretch * stretch * Math.abs(r[j] - pole[j]) * (Math.abs(r[j]) + Math.abs(pole[j]));
        }
        double across = stretch * last;
        double tau = (1 + across) / 2;
        double kept = (1 - across) / 2;
        // next to where u = 0 the smaller of the two cancels, unless the sphere is so large that rTop knows less
        if (terms < 1) {
            tau = across >= 0 ? tau : excess / (4 * kept);
            kept = across <= 0 ? kept : excess / (4 * tau);
        }
        double off = Vectors.dot(u, u) - Vectors.dot(effects, u) - gamma * tau * kept;
        double share = -off / (2 * radius * root) * last;
        Vectors.axpy(-off / (2 * radius), Arrays.copyOf(r, n), u);
        return ofRule(new Place(u, tau + share, kept - share));
    }

    /** The place of the rule itself, w = u/(1 - tau) in its own digits, so that f is what it loses; the same place where 1 - tau cancels. */
    private Place ofRule(Place place) {
        double[] w = place.u.clone();
        double omega = 0;
        double earned = 0;
        double terms = gamma;
        for (int j = 0; j < w.length; j++) {
            w[j] /= place.kept;
            omega += w[j] * w[j];
            earned += effects[j] * w[j];
            terms += Math.abs(effects[j] * w[j]);
        }
        if (!(Math.abs(gamma + earned) > CANCELS * terms) || Double.isInfinite(omega)) {
            return place;
        }
        return placeOf(w, omega, earned);
    }

    /** @param w becomes u */
    private Place placeOf(double[] w, double omega, double earned) {
        double kept = (gamma + earned) / (gamma + omega);
        Vectors.scale(kept, w);
        return new Place(w, (omega - earned) / (gamma + omega), kept);
    }

    /**
     * Whether the rule of r can be told from its digits: next to beta'w = -gamma, where nothing is left of a prediction, 1 - tau of the rule itself is the
     * rounding of gamma + beta'w, and the rule may lose anything.
     */
    public boolean tells(double[] r) {
        if (effects == null) {
            return true;
        }
        double[] w = coefficients(r);
        double terms = gamma;
        for (int j = 0; j < w.length; j++) {
            terms += Math.abs(effects[j] * w[j]);
        }
        return Math.abs(gamma + Vectors.dot(effects, w)) > TELLS * terms;
    }

    /** Whether r is next to u = 0, tau = 1, where finite rules are too: all w with beta'w = -gamma, which earn people as much as they game. */
    boolean isCancelled(double[] r) {
        if (effects == null || !(Math.abs(r[pole.length] - 1 / stretch) <= CANCELS)) {
            return false;
        }
        for (int j = 0; j < pole.length; j++) {
            if (!(Math.abs(r[j] - pole[j]) <= CANCELS)) {
                return false;
            }
        }
        return true;
    }

    /** Of the rules with beta'w = -gamma the one with the smallest omega: -gamma beta/(beta'beta). */
    double[] cancelling() {
        double[] w = effects.clone();
        Vectors.scale(-gamma / Vectors.dot(effects, effects), w);
        return w;
    }

    /** Whether r is the point of w = 0, but for the last bits of its length. */
    boolean isNothing(double[] r) {
        if (effects == null) {
            return r[r.length - 1] == -1;
        }
        boolean nothing = Math.abs(r[pole.length] + 1 / stretch) <= LAST_BITS;
        for (int j = 0; j < pole.length && nothing; j++) {
            nothing = Math.abs(r[j] - pole[j]) <= LAST_BITS;
        }
        return nothing;
    }

    /** u = (1 - tau) w: finite for every r. */
    public double[] scaled(double[] r) {
        return effects == null ? scaledCoefficients(r, gamma) : place(r).u;
    }

    /** tau, the share of the gap that is gamed; not from 1 - tau, which near 0 has lost it. */
    public double gamed(double[] r) {
        return effects == null ? above(r) / 2 : place(r).tau;
    }

    /** 1 - tau, which may be negative; not from tau, which near 1 has lost it. */
    public double kept(double[] r) {
        return effects == null ? below(r) / 2 : place(r).kept;
    }

    /** w = u/(1 - tau); not finite where tau = 1. */
    public double[] coefficients(double[] r) {
        if (effects == null) {
            return coefficients(r, gamma);
        }
        Place place = place(r);
        double[] w = place.u;
        for (int j = 0; j < w.length; j++) {
            w[j] /= place.kept;
        }
        return w;
    }

    /** omega = w'w; infinite or not a number where tau = 1. */
    public double omega(double[] r) {
        double[] w = coefficients(r);
        return Vectors.dot(w, w);
    }

    /** beta'w; infinite or not a number where tau = 1, 0 without effects. */
    public double earned(double[] r) {
        return effects == null ? 0 : Vectors.dot(effects, coefficients(r));
    }

    /** The point of a rule. */
    public double[] point(double[] w) {
        if (effects == null) {
            return pointOf(w, gamma);
        }
        Place place = placeOf(w.clone(), Vectors.dot(w, w), Vectors.dot(effects, w));
        return point(place.u, place.tau);
    }

    /** The point of u and tau, which lie on the sphere but for rounding. */
    public double[] point(double[] u, double tau) {
        double[] r = Arrays.copyOf(u, u.length + 1);
        for (int j = 0; j < u.length; j++) {
            r[j] = (u[j] - (effects == null ? 0 : effects[j] / 2)) * 2 / (stretch * root);
        }
        r[u.length] = (2 * tau - 1) / stretch;
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    /**
     * w from (wTilde, alphaTilde): the inverse of the reduction, paper eq. (map_backward), in the form that does not cancel on either side
     * of alphaTilde = 0.
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

    /** w/(1 + alpha) = sqrt(gamma)/2 wTilde: finite for every r. */
    public static double[] scaledCoefficients(double[] r, double gamma) {
        double[] w = Arrays.copyOf(r, r.length - 1);
        Vectors.scale(Math.sqrt(gamma) / 2, w);
        return w;
    }

    /** The point of the sphere of a rule on cost-scaled features: the forward map, paper eq. (map_forward). */
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

    /** 1 + alphaTilde = 2 t, which near alphaTilde = -1 cannot be had from alphaTilde. */
    public static double above(double[] r) {
        double alphaTilde = r[r.length - 1];
        return alphaTilde >= 0 ? 1 + alphaTilde : square(r) / (1 - alphaTilde);
    }

    /** 1 - alphaTilde = 2/(1 + alpha), which near alphaTilde = 1 cannot be had from alphaTilde. */
    public static double below(double[] r) {
        double alphaTilde = r[r.length - 1];
        return alphaTilde <= 0 ? 1 - alphaTilde : square(r) / (1 + alphaTilde);
    }

    /** wTilde'wTilde. */
    private static double square(double[] r) {
        double square = 0;
        for (int j = 0; j < r.length - 1; j++) {
            square += r[j] * r[j];
        }
        return square;
    }
}
