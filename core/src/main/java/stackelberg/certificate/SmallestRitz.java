package stackelberg.certificate;

import stackelberg.linalg.Lanczos;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * The smallest Ritz pair of H after some Lanczos steps. Its value is an upper bound on the smallest eigenvalue, so it can refute a point but never prove one.
 *
 * @param value u'Hu
 * @param vector u, a unit vector
 */
record SmallestRitz(double value, double[] vector) {
    /** Lanczos steps, each one product with H: enough to find a clearly negative eigenvalue. */
    private static final int STEPS = 60;

    /** Computes the pair from a fixed start vector, with one thread, so that the result does not depend on the problem's number of threads. */
    static SmallestRitz of(SphereProblem problem) {
        Workers alone = Workers.of(1);
        Lanczos lanczos = Lanczos.of(problem::hessianTimes, start(problem.dimension()), STEPS, 1e-13, alone);
        SymmetricEigen eigen = SymmetricEigen.of(lanczos.t(), alone);
        return new SmallestRitz(eigen.values()[0], lanczos.unit(eigen.vectors().column(0)));
    }

    /** Returns a unit vector of the fractional parts of multiples of the golden ratio, centred at 0: evenly spread, and unrelated to any structure of H. */
    private static double[] start(int d) {
        double[] v = new double[d];
        for (int i = 0; i < d; i++) {
            double multiple = (i + 1) * 0.6180339887498949;
            v[i] = multiple - Math.floor(multiple) - 0.5;
        }
        if (Vectors.norm(v) == 0) {
            v[0] = 1;
        }
        Vectors.scale(1 / Vectors.norm(v), v);
        return v;
    }
}
