package stackelberg.certificate;

import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;

/**
 * Finds the lowest point of f on the great circle through r and a direction of negative curvature of H + lambda I. Where r is stationary such a point is
 * lower than r, which refutes it.
 */
final class Improvement {
    /** The number of angles that are tried. The point only has to be lower than r, not the lowest. */
    private static final int ANGLES = 4096;

    private Improvement() {}

    /**
     * Returns the lowest of the points tried on the circle; empty if r itself is the lowest.
     *
     * @param at the evaluation at r
     * @param direction a unit vector u with u'(H + lambda I)u < 0
     */
    static Optional<double[]> along(SphereProblem problem, double[] r, Evaluation at, double[] direction) {
        double[] u = direction.clone();
        Vectors.axpy(-Vectors.dot(u, r), r, u);
        double norm = Vectors.norm(u);
        if (norm < 1e-8) {
            // the direction is r itself, which spans no circle: the only other unit vector on its line is -r
            double[] opposite = r.clone();
            Vectors.scale(-1, opposite);
            return Optional.of(opposite);
        }
        Vectors.scale(1 / norm, u);
        DenseMatrix product = DenseMatrix.zeros(r.length, 1);
        problem.hessianTimes(DenseMatrix.column(u), product);
        double[] hu = product.column(0);
        double[] g = problem.g();
        double[] hr = at.halfGradient().clone();
        Vectors.axpy(-1, g, hr);
        // f(cos a r + sin a u) - p is a quadratic form in (cos a, sin a) with these coefficients
        double rr = Vectors.dot(r, hr);
        double ru = Vectors.dot(r, hu);
        double uu = Vectors.dot(u, hu);
        double gr = Vectors.dot(g, r);
        double gu = Vectors.dot(g, u);
        double bestAngle = 0;
        double bestValue = Double.POSITIVE_INFINITY;
        for (int k = 0; k < ANGLES; k++) {
            double angle = 2 * Math.PI * k / ANGLES;
            double cos = Math.cos(angle);
            double sin = Math.sin(angle);
            double value = cos * cos * rr + 2 * cos * sin * ru + sin * sin * uu + 2 * (cos * gr + sin * gu);
            if (value < bestValue) {
                bestValue = value;
                bestAngle = angle;
            }
        }
        double[] best = r.clone();
        Vectors.scale(Math.cos(bestAngle), best);
        Vectors.axpy(Math.sin(bestAngle), u, best);
        Vectors.scale(1 / Vectors.norm(best), best);
        return bestAngle == 0 ? Optional.empty() : Optional.of(best);
    }
}
