package stackelberg.solver.published.conic;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem;

/**
 * Solves the second-order cone program of the sphere problem by a spectral decomposition and an interior-point method (SOCP).
 *
 * <p><b>Problem.</b> Any sphere problem, all three cases.
 *
 * <p><b>Method.</b> H = Q diag(h) Q' of order n + 1, as in the paper, even if there are fewer rows than features; then {@link SeparableConeProgram}, and r = Q x.
 *
 * <p><b>Cost per iteration.</b> A few sweeps of O(n), in some 10 to 30 iterations; before them, O(m n^2) to form H and O(n^3) to decompose it, which are reported as
 * factorSeconds.
 *
 * <p><b>When it fails.</b> H must fit into memory twice. Eigenvalues below eps ||H|| are rounding, as in every method that forms H.
 *
 * <p><b>Reference.</b> Wang, Chen, Jiang and Li, Fast algorithms for Stackelberg prediction game with least squares loss, ICML 2021.
 */
final class SocpSolver extends ConicSolver {
    /** The interior-point gap is reduced to this share of the tolerance, which costs one or two more steps of O(n). */
    private static final double BELOW_TOLERANCE = 1e-3;

    SocpSolver(Workers workers) {
        super(workers);
    }

    @Override
    public String name() {
        return "socp";
    }

    @Override
    Solution solveWithReport(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        int d = problem.dimension();
        long start = System.nanoTime();
        SymmetricEigen eigen = SymmetricEigen.overwriting(problem.hessian(), workers);
        double seconds = (System.nanoTime() - start) * 1e-9;
        DenseMatrix gHat = DenseMatrix.zeros(d, 1);
        eigen.vectors().transposeTimes(DenseMatrix.column(problem.g()), gHat, null, workers);
        var program = new SeparableConeProgram(eigen.values(), gHat.column(0), problem.p());
        boolean[] stopped = new boolean[1];
        double floor = 1e-9 * problem.zeroRuleLoss();
        boolean reached = program.solve(BELOW_TOLERANCE * options.tolerance(), floor, options.maxIterations(), now -> {
            var progress = new ProgressListener.Progress(
                    now.iterations(), now.primalObjective(), now.gap(), Double.NaN, now.lambda());
            stopped[0] = listener.onIteration(progress) == ProgressListener.Decision.STOP;
            return !stopped[0];
        });
        DenseMatrix r = DenseMatrix.zeros(d, 1);
        eigen.vectors().times(DenseMatrix.column(program.recover()), r, workers);
        double[] point = r.column(0);
        Vectors.scale(1 / Vectors.norm(point), point);
        ConicReport report = program.report();
        SphereResult.Status status = reached
                ? SphereResult.Status.CONVERGED
                : stopped[0] ? SphereResult.Status.STOPPED_BY_LISTENER : SphereResult.Status.ITERATION_LIMIT;
        var effort = new SphereResult.Effort(report.iterations(), 1, 1, seconds);
        return new Solution(new SphereResult(point, status, effort, report.toString()), report);
    }
}
