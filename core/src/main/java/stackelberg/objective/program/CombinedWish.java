package stackelberg.objective.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;

/**
 * zHat = X a, but for what B explains: wishes that are a combination of the features, as today's score is. Then (u, tau) and (u + h a, tau - h) lead to the same scores, every
 * point of the ball has two of the sphere with its scores, of which the one with the smaller tau is wanted (docs/theory.md, "Ties").
 *
 * @param a the shortest of those
 * @param rows orthonormal vectors that span the features' rows, but for what B explains
 */
record CombinedWish(double[] a, List<double[]> rows) {
    /** What is left of wishes that are a combination, relative. */
    private static final double LEFT = 1e-9;

    /** An eigenvalue that is rounding, relative to the largest. */
    private static final double ROUNDING = 1e-13;

    /** Empty where wishes are no combination, or features are too many to look. */
    static Optional<CombinedWish> of(Scores scores) {
        if (scores.isCommon() || !scores.isFormed() || scores.features() == 0) {
            return Optional.empty();
        }
        int n = scores.features();
        DenseMatrix all =
                scores.sums(scores.weights(), new double[scores.people()]).gram();
        DenseMatrix gram = DenseMatrix.zeros(n, n);
        double[] right = new double[n];
        for (int i = 0; i < n; i++) {
            right[i] = all.get(n, i) - explained(all, n, n, i, scores);
            for (int j = 0; j <= i; j++) {
                double value = all.get(i, j) - explained(all, n, i, j, scores);
                gram.set(i, j, value);
                gram.set(j, i, value);
            }
        }
        SymmetricEigen eigen = SymmetricEigen.of(gram, scores.workers());
        double largest = eigen.values()[n - 1];
        double[] a = new double[n];
        List<double[]> rows = new ArrayList<>();
        for (int k = 0; k < n; k++) {
            double value = eigen.values()[k];
            if (value > n * ROUNDING * largest) {
                double[] direction = eigen.vectors().column(k);
                rows.add(direction);
                Vectors.axpy(Vectors.dot(direction, right) / value, direction, a);
            }
        }
        double[] off = scores.fixed()
                .remove(scores.moved(a, -1), new double[scores.fixed().size()]);
        return size(off, scores) <= LEFT * size(scores.zHat(), scores)
                ? Optional.of(new CombinedWish(a, rows))
                : Optional.empty();
    }

    /** What B explains of the product of two columns of [X, zHat]. */
    private static double explained(DenseMatrix all, int n, int i, int j, Scores scores) {
        double sum = 0;
        for (int b = n + 1; b < all.rows(); b++) {
            sum += all.get(b, i) * all.get(b, j);
        }
        return sum / scores.total();
    }

    private static double size(double[] values, Scores scores) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += scores.weights()[i] * values[i] * values[i];
        }
        return Math.sqrt(sum);
    }

    /** The point of the sphere with the scores of r, but for what B explains, whose tau is least. */
    double[] smaller(Ball ball, double[] r) {
        double[] whole = ball.u(r);
        Vectors.axpy(Ball.tau(r), a, whole);
        double[] u = new double[whole.length];
        rows.forEach(direction -> Vectors.axpy(Vectors.dot(direction, whole), direction, u));
        // ||u - tau a||^2 + gamma tau^2 = gamma tau
        double square = Vectors.dot(a, a) + ball.gamma();
        double linear = 2 * Vectors.dot(a, u) + ball.gamma();
        double constant = Vectors.dot(u, u);
        double root = Math.sqrt(Math.max(0, linear * linear - 4 * square * constant));
        double tau = linear > 0 ? 2 * constant / (linear + root) : (linear - root) / (2 * square);
        Vectors.axpy(-tau, a, u);
        double[] point = new double[r.length];
        for (int j = 0; j < u.length; j++) {
            point[j] = u[j] / ball.half();
        }
        point[u.length] = 2 * tau - 1;
        double norm = Vectors.norm(point);
        Vectors.scale(1 / norm, point);
        return point;
    }
}
