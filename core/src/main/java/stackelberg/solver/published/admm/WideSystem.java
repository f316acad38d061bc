package stackelberg.solver.published.admm;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Solves with Y'Y + sigma I for a Y with fewer rows than columns, through the smaller YY' + sigma I (Woodbury): (Y'Y + sigma I)^{-1} q = (q - Y'(YY' + sigma
 * I)^{-1} Y q)/sigma.
 *
 * @param y v -> Y v
 * @param yTransposed u -> Y'u
 * @param rows factorises YY' + sigma I
 * @param size an upper bound on ||Y||^2
 */
record WideSystem(UnaryOperator<double[]> y, UnaryOperator<double[]> yTransposed, ShiftedSystem rows, double size)
        implements ShiftedSystem {
    /** The ||Y||^2/sigma above which the difference in the formula cancels so much that one step of iterative refinement is worth its cost. */
    private static final double CANCELLING = 1e5;

    @Override
    public Optional<ShiftedSolve> factor(double sigma) {
        if (!(sigma > 0)) {
            // Y'Y is singular, so Y'Y + sigma I is not positive definite
            return Optional.empty();
        }
        boolean refine = size / sigma > CANCELLING;
        return rows.factor(sigma).map(inner -> q -> {
            if (!refine) {
                once(inner, sigma, q);
                return;
            }
            double[] residual = q.clone();
            once(inner, sigma, q);
            double[] product = yTransposed.apply(y.apply(q));
            for (int j = 0; j < q.length; j++) {
                residual[j] -= product[j] + sigma * q[j];
            }
            once(inner, sigma, residual);
            for (int j = 0; j < q.length; j++) {
                q[j] += residual[j];
            }
        });
    }

    /** Applies the formula once, in place. */
    private void once(ShiftedSolve inner, double sigma, double[] q) {
        double[] u = y.apply(q);
        inner.solve(u);
        double[] back = yTransposed.apply(u);
        for (int j = 0; j < q.length; j++) {
            q[j] = (q[j] - back[j]) / sigma;
        }
    }
}
