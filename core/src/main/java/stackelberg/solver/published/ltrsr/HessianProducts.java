package stackelberg.solver.published.ltrsr;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/** v -> H v for one solve, counted: through the data, or through H formed once. */
final class HessianProducts {
    private final SphereProblem problem;
    private final DenseMatrix h;
    private final Workers workers;
    private final double formingSeconds;
    private int count;

    private HessianProducts(SphereProblem problem, DenseMatrix h, Workers workers, double formingSeconds) {
        this.problem = problem;
        this.h = h;
        this.workers = workers;
        this.formingSeconds = formingSeconds;
    }

    /** Every product reads the data once. */
    static HessianProducts matrixFree(SphereProblem problem) {
        return new HessianProducts(problem, null, null, 0);
    }

    /** H is formed first, and every product reads H. */
    static HessianProducts formed(SphereProblem problem, Workers workers) {
        long start = System.nanoTime();
        DenseMatrix h = problem.hessian();
        return new HessianProducts(problem, h, workers, (System.nanoTime() - start) * 1e-9);
    }

    double[] times(double[] v) {
        DenseMatrix out = DenseMatrix.zeros(v.length, 1);
        if (h == null) {
            problem.hessianTimes(DenseMatrix.column(v), out);
        } else {
            h.times(DenseMatrix.column(v), out, workers);
        }
        count++;
        return out.column(0);
    }

    /** How many products so far. */
    int count() {
        return count;
    }

    /** What forming H took; for reports only. */
    double formingSeconds() {
        return formingSeconds;
    }
}
