package stackelberg.solver.published.admm;

import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Y'Y + sigma I for a Y with fewer rows than columns, through the smaller YY' + sigma I: (Y'Y + sigma I)^{-1} q = (q - Y'(YY' + sigma I)^{-1} Y
 * q)/sigma.
 *
 * @param y v -> Y v
 * @param yTransposed u -> Y'u
 * @param rows factors YY' + sigma I
 * @param size an upper bound of ||Y||^2
 */
record WideSystem(UnaryOperator<double[]> y, UnaryOperator<double[]> yTransposed, ShiftedSystem rows, double size)
        implements ShiftedSystem {
    /** Where ||Y||^2/sigma exceeds this, the difference above cancels so much that one step of refinement pays. */
    private static final double CANCELLING = 1e5;

    @Override
    public Optional<ShiftedSolve> factor(double sigma) {
        if (!(sigma > 0)) {
            // Y'Y is singular
            return Optional.empty();
        }
        boolean refine = size / sigma > CANCELLING;
        return rows.factor(sigma).map(inner -> q -> {
            double[] right = refine ? q.clone() : null;
            once(inner, sigma, q);
            if (refine) {
                double[] product = yTransposed.apply(y.apply(q));
                for (int j = 0; j < q.length; j++) {
                    right[j] -= product[j] + sigma * q[j];
                }
                once(inner, sigma, right);
                for (int j = 0; j < q.length; j++) {
                    q[j] += right[j];
                }
            }
        });
    }

    private void once(ShiftedSolve inner, double sigma, double[] q) {
        double[] u = y.apply(q);
        inner.solve(u);
        double[] back = yTransposed.apply(u);
        for (int j = 0; j < q.length; j++) {
            q[j] = (q[j] - back[j]) / sigma;
        }
    }
}
