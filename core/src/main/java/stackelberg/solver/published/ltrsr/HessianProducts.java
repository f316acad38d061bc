package stackelberg.solver.published.ltrsr;

import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/** Computes and counts the products H v of one run, through the data or with H formed once. */
final class HessianProducts {
    private final SphereProblem problem;
    /** H; absent if products go through the data. */
    private final @Nullable DenseMatrix h;

    private final Workers workers;
    private final double formingSeconds;
    private int count;

    private HessianProducts(SphereProblem problem, @Nullable DenseMatrix h, Workers workers, double formingSeconds) {
        this.problem = problem;
        this.h = h;
        this.workers = workers;
        this.formingSeconds = formingSeconds;
    }

    /** Returns products that read the data once each. */
    static HessianProducts matrixFree(SphereProblem problem) {
        return new HessianProducts(problem, null, problem.workers(), 0);
    }

    /** Forms H and returns products that read H. */
    static HessianProducts formed(SphereProblem problem, Workers workers) {
        long start = System.nanoTime();
        DenseMatrix h = problem.hessian();
        return new HessianProducts(problem, h, workers, (System.nanoTime() - start) * 1e-9);
    }

    /** Returns H v. */
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

    /** Returns the number of products so far. */
    int count() {
        return count;
    }

    /** Returns the seconds that forming H took; only reported, no decision depends on it. */
    double formingSeconds() {
        return formingSeconds;
    }
}
