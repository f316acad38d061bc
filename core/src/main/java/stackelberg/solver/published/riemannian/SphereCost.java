package stackelberg.solver.published.riemannian;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Evaluation;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * The function f/2 on the sphere near one point r: its Riemannian gradient P_r(H r + g) and Hessian eta -> P_r(H eta) - (r'(H r + g)) eta, with P_r = I - rr'.
 * Since -r'(H r + g) = lambda, the gradient is e and the Hessian P_r(H + lambda I).
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

    /** Evaluates f at r; costs one pass over the data. */
    static SphereCost at(SphereProblem problem, double[] r) {
        return new SphereCost(problem, r, problem.evaluate(r));
    }

    double[] point() {
        return r;
    }

    double objective() {
        return at.objective();
    }

    /** Returns lambda = -r'(H r + g). */
    double multiplier() {
        return here.multiplier();
    }

    double[] gradient() {
        return here.e();
    }

    double gradientNorm() {
        return here.residual();
    }

    /** Returns the Hessian of f/2 times a tangent vector; costs one product with H. */
    double[] hessianTimes(double[] eta) {
        DenseMatrix product = DenseMatrix.zeros(eta.length, 1);
        problem.hessianTimes(DenseMatrix.column(eta), product);
        double[] result = product.column(0);
        Vectors.axpy(-Vectors.dot(r, result), r, result);
        Vectors.axpy(here.multiplier(), eta, result);
        return result;
    }

    /** Returns (r + eta)/||r + eta||, a retraction of second order. */
    double[] retract(double[] eta) {
        double[] x = r.clone();
        Vectors.axpy(1, eta, x);
        Vectors.scale(1 / Vectors.norm(x), x);
        return x;
    }

    /**
     * Returns (f(r) - f(x))/2 = (r - x)'(H x + g + H r + g)/2, exact for a quadratic, without the difference of two nearly equal values of f. The
     * term lambda (r + x) is orthogonal to r - x; adding it makes both gradients small near a stationary point, so that rounding of the norm of x has no effect.
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
