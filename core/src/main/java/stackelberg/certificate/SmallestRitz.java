package stackelberg.certificate;

import stackelberg.linalg.Lanczos;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * The smallest Ritz pair of H after some Lanczos steps: its value bounds the smallest eigenvalue from above, so it can refute and never
 * prove.
 *
 * @param value u'Hu
 * @param vector u, a unit vector
 */
record SmallestRitz(double value, double[] vector) {
    private static final int STEPS = 60;

    /** From a fixed start that no structure of H favours. */
    static SmallestRitz of(SphereProblem problem) {
        Workers alone = Workers.of(1);
        Lanczos lanczos = Lanczos.of(problem::hessianTimes, start(problem.dimension()), STEPS, 1e-13, alone);
        SymmetricEigen eigen = SymmetricEigen.of(lanczos.t(), alone);
        return new SmallestRitz(eigen.values()[0], lanczos.unit(eigen.vectors().column(0)));
    }

    /** Fractional parts of multiples of the golden ratio, centred: spread evenly and without a seed. */
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
