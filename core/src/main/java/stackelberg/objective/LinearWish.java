package stackelberg.objective;

import java.util.stream.DoubleStream;
import stackelberg.estimate.LinearEstimator;
import stackelberg.linalg.Vectors;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereFamily;

/**
 * The least-squares fits of y and of z on the features, both of smallest norm. If the wish is linear in the features,
 * Pz = PXa. They do not depend on gamma.
 *
 * @param w (X'PX)^+ X'Py, the coefficients of least squares
 * @param a (X'PX)^+ X'Pz
 */
record LinearWish(double[] w, double[] a) {
    /**
     * If the smaller side of X is at most this, X'PX is decomposed; otherwise conjugate gradients share their passes
     * for both fits.
     */
    private static final int DECOMPOSED = 512;

    /**
     * Vectors that differ by less than this, relative to the larger one, count as equal: today's rule may have been
     * computed elsewhere.
     */
    private static final double SAME = 1e-6;

    static LinearWish of(SphereFamily family) {
        if (isDecomposed(family)) {
            DirectSolver direct = DirectSolver.remembering(family.workers());
            return new LinearWish(direct.leastSquares(family), direct.leastSquaresOfWishes(family));
        }
        double[][] both = LinearEstimator.ofProducts(family::gramTimes, family.xy(), family.xz());
        return new LinearWish(both[0], both[1]);
    }

    private static boolean isDecomposed(SphereFamily family) {
        return family.dual().map(dual -> dual.y().length).orElse(family.features()) <= DECOMPOSED;
    }

    /**
     * Returns the part of the effects in the null space of the data: u can change along it without changing any
     * prediction. Returns 0 if it would be too expensive to compute.
     */
    static double[] hidden(SphereFamily family, double[] effects) {
        double[] hidden = effects.clone();
        double[] shown =
                isDecomposed(family) ? new DirectSolver(family.workers()).effectsInRowSpace(family, effects) : effects;
        Vectors.axpy(-1, shown, hidden);
        return Vectors.norm(hidden) <= SAME * Vectors.norm(effects) ? new double[effects.length] : hidden;
    }

    /** Returns u = w - tau a, which cancels the wish. */
    double[] cancelling(double tau) {
        double[] u = w.clone();
        Vectors.axpy(-tau, a, u);
        return u;
    }

    /**
     * Returns the smaller t with ||w - t a||^2 = gamma t(1 - t): the rule with u = w - t a has the loss of least
     * squares before any move. Returns NaN if there is none, (2w'a + gamma)^2 &lt; 4(a'a + gamma)w'w.
     */
    double leastPull(double gamma) {
        double ww = Vectors.dot(w, w);
        double middle = 2 * Vectors.dot(w, a) + gamma;
        double first = Vectors.dot(a, a) + gamma;
        double square = middle * middle - 4 * first * ww;
        // for a double root, rounding decides the sign
        if (square < 0 && square > -0x1p-40 * middle * middle) {
            square = 0;
        }
        return middle > 0 ? 2 * ww / (middle + Math.sqrt(square)) : Double.NaN;
    }

    /**
     * With effects, returns the values of tau with ||u||^2 - beta'u = gamma tau(1 - tau) + more, where u = w - tau a:
     * at most two.
     *
     * @param effects beta
     */
    DoubleStream shares(double gamma, double[] effects, double more) {
        double first = Vectors.dot(a, a) + gamma;
        double middle = 2 * Vectors.dot(w, a) + gamma - Vectors.dot(effects, a);
        double constant = Vectors.dot(w, w) - Vectors.dot(effects, w) - more;
        double square = middle * middle - 4 * first * constant;
        double size = middle * middle + Math.abs(4 * first * constant);
        // for a double root, rounding decides the sign
        if (square < 0 && square > -0x1p-40 * size) {
            square = 0;
        }
        if (!(square >= 0)) {
            return DoubleStream.empty();
        }
        double larger = middle + Math.copySign(Math.sqrt(square), middle);
        return larger == 0 ? DoubleStream.of(0) : DoubleStream.of(larger / (2 * first), 2 * constant / larger);
    }

    /** Returns k if a = k w, otherwise NaN. */
    double multiple() {
        double ww = Vectors.dot(w, w);
        double k = ww == 0 ? 0 : Vectors.dot(w, a) / ww;
        double[] rest = a.clone();
        Vectors.axpy(-k, w, rest);
        double size = Math.max(Math.sqrt(ww), Vectors.norm(a));
        return Vectors.norm(rest) <= SAME * size ? k : Double.NaN;
    }
}
