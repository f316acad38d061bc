package stackelberg.solver.published.riemannian;

import stackelberg.linalg.Vectors;

/**
 * The step of Steihaug-Toint truncated conjugate gradients, which minimise the model grad'eta + eta'Hess eta/2 within ||eta|| <= radius.
 *
 * @param eta the step, a tangent vector
 * @param reduction by how much the step lowers the model
 * @param products the number of products with the Hessian
 * @param atBoundary whether the step ends at the radius, because it was truncated there or followed a direction of negative curvature
 */
record TruncatedCg(double[] eta, double reduction, int products, boolean atBoundary) {
    /** The largest relative residual at which the iteration stops, as in the reference experiments. */
    private static final double KAPPA = 0.1;
    /**
     * Computes a step; stops at ||residual|| <= ||grad|| min(0.1, ||grad||/unit), which makes the outer iteration converge quadratically.
     *
     * @param cost f/2 near the current point
     * @param radius the trust-region radius
     * @param unit the gradient norm that counts as 1
     */
    static TruncatedCg of(SphereCost cost, double radius, double unit) {
        double[] residual = cost.gradient().clone();
        int n = residual.length;
        double first = Vectors.norm(residual);
        double stop = first * Math.min(KAPPA, first / unit);
        double[] eta = new double[n];
        double[] hessianEta = new double[n];
        double[] direction = residual.clone();
        Vectors.scale(-1, direction);
        double square = first * first;
        int products = 0;
        for (int step = 0; step < n; step++) {
            products++;
            double[] product = cost.hessianTimes(direction);
            double curvature = Vectors.dot(direction, product);
            double alpha = square / curvature;
            double ee = Vectors.dot(eta, eta);
            double ed = Vectors.dot(eta, direction);
            double dd = Vectors.dot(direction, direction);
            if (curvature <= 0 || ee + 2 * alpha * ed + alpha * alpha * dd >= radius * radius) {
                double toBoundary = (-ed + Math.sqrt(ed * ed + dd * (radius * radius - ee))) / dd;
                Vectors.axpy(toBoundary, direction, eta);
                Vectors.axpy(toBoundary, product, hessianEta);
                return finish(cost, eta, hessianEta, products, true);
            }
            Vectors.axpy(alpha, direction, eta);
            Vectors.axpy(alpha, product, hessianEta);
            Vectors.axpy(alpha, product, residual);
            // projects back onto the tangent space, which rounding leaves
            Vectors.axpy(-Vectors.dot(cost.point(), residual), cost.point(), residual);
            double next = Vectors.dot(residual, residual);
            if (Math.sqrt(next) <= stop) {
                break;
            }
            Vectors.scale(next / square, direction);
            Vectors.axpy(-1, residual, direction);
            square = next;
        }
        return finish(cost, eta, hessianEta, products, false);
    }

    private static TruncatedCg finish(
            SphereCost cost, double[] eta, double[] hessianEta, int products, boolean atBoundary) {
        double reduction = -Vectors.dot(cost.gradient(), eta) - Vectors.dot(eta, hessianEta) / 2;
        return new TruncatedCg(eta, reduction, products, atBoundary);
    }
}
