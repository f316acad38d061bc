package stackelberg.objective.omega;

import java.util.Arrays;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.Reduction;
import stackelberg.sphere.SphereFamily;

/**
 * The loss of those who never move: at least loss + curvature (sqrt(omega) - norm)^2 for every rule with w'C^{-1}w = omega >= norm^2.
 *
 * @param loss their least squares loss, 0 if there is nobody
 * @param norm of the least squares w on cost-scaled features
 * @param curvature a lower bound of the smallest eigenvalue of X'PX over their rows
 * @param residuals of their least squares rule, for every row
 */
record TruthfulPart(double loss, double norm, double curvature, double[] residuals) {
    static TruthfulPart of(MixedReduction mixed, double[] weights) {
        double[] y = mixed.rows().y();
        boolean nobody = Arrays.stream(weights).allMatch(weight -> weight == 0);
        if (nobody) {
            return new TruthfulPart(0, 0, 0, new double[y.length]);
        }
        Reduction reduction = mixed.reduce(y, weights);
        SphereFamily family = reduction.family();
        SymmetricEigen eigen = SymmetricEigen.of(family.gram(), family.workers());
        int n = family.features();
        double[] values = eigen.values();
        double rounding = (Math.sqrt(n) + 10) * 0x1p-52 * family.squaredNorm();
        double[] xy = family.xy();
        double[] w = new double[n];
        for (int k = 0; k < n; k++) {
            if (values[k] > n * rounding) {
                double[] vector = eigen.vectors().column(k);
                Vectors.axpy(Vectors.dot(vector, xy) / values[k], vector, w);
            }
        }
        return of(reduction, w, Math.max(0, values[0] - rounding));
    }

    private static TruthfulPart of(Reduction reduction, double[] w, double curvature) {
        SphereFamily family = reduction.family();
        double[] point = Arrays.copyOf(w, w.length + 1);
        // at gamma = 4 the family's X is as it is
        double loss = family.evaluate(new double[] {4}, new double[][] {point})[0].objective();
        double[] residuals = reduction.residuals(w).orElseThrow();
        double safe = Math.max(0, loss - 1e-12 * loss - 64 * 0x1p-52 * family.roundingGrowth() * family.yy());
        return new TruthfulPart(safe, Vectors.norm(w), curvature, residuals);
    }

    /** The least that they cost under any rule with w'C^{-1}w >= omega. */
    double atLeast(double omega) {
        double beyond = Math.max(0, Math.sqrt(omega) - norm);
        return loss + curvature * beyond * beyond;
    }
}
