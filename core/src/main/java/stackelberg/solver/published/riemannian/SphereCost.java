package stackelberg.solver.published.riemannian;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * f/2 on the sphere near one point r: Riemannian gradient P_r(H r + g) and Hessian eta -> P_r(H eta) - (r'(H r + g)) eta, P_r = I - rr'.
 */
final class SphereCost {
    private final SphereProblem problem;
    private final double[] r;
    private final Evaluation at;
    private final Stationarity here;

    private SphereCost(SphereProblem problem, double[] r, Evaluation at) {
        this.problem = problem;
        this.r = r;
        this.at = at;
        this.here = Stationarity.of(r, at);
    }

    /** One pass over the data. */
    static SphereCost at(SphereProblem problem, double[] r) {
        return new SphereCost(problem, r, problem.evaluate(r));
    }

    double[] point() {
        return r;
    }

    double objective() {
        return at.objective();
    }

    /** -r'(H r + g). */
    double multiplier() {
        return here.multiplier();
    }

    double[] gradient() {
        return here.e();
    }

    double gradientNorm() {
        return here.residual();
    }

    /** The Hessian of f/2 applied to a tangent vector: one product. */
    double[] hessianTimes(double[] eta) {
        DenseMatrix product = DenseMatrix.zeros(eta.length, 1);
        problem.hessianTimes(DenseMatrix.column(eta), product);
        double[] result = product.column(0);
        Vectors.axpy(-Vectors.dot(r, result), r, result);
        Vectors.axpy(here.multiplier(), eta, result);
        return result;
    }

    /** (r + eta)/||r + eta||: a retraction of second order. */
    double[] retract(double[] eta) {
        double[] x = r.clone();
        Vectors.axpy(1, eta, x);
        Vectors.scale(1 / Vectors.norm(x), x);
        return x;
    }

    /**
     * (f(r) - f(x))/2 = (r - x)'(H x + g + H r + g)/2, exact for a quadratic. With lambda (r + x) added, which is orthogonal to r - x, both
     * gradients are small near a stationary point, and that x has norm 1 only up to rounding no longer counts.
     */
    double reductionTo(SphereCost x) {
        double lambda = here.multiplier();
        double sum = 0;
        for (int i = 0; i < r.length; i++) {
            double gradients = at.halfGradient()[i] + lambda * r[i] + x.at.halfGradient()[i] + lambda * x.r[i];
            sum += (r[i] - x.r[i]) * gradients;
        }
        return sum / 2;
    }
}
