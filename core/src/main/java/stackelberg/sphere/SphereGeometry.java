package stackelberg.sphere;

import java.util.Arrays;
import stackelberg.linalg.Vectors;

/** The maps between rules on cost-scaled features and points r = (wTilde, alphaTilde) of the sphere, in forms that do not cancel. */
public final class SphereGeometry {
    private SphereGeometry() {}

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
