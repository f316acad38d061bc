package stackelberg.solver.published.conic;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.SphereResult;
import stackelberg.sphere.SphereProblem;

/**
 * Solves the game's semidefinite program, which has two variables, by an interior-point method (SDP).
 *
 * <p><b>Problem.</b> Any sphere problem, all three cases.
 *
 * <p><b>Method.</b> {@link MatrixInequality}, solved by {@link BarrierMethod}. The point follows from the multiplier alone: r = -(H + lambda I)^{-1} g, in the hard
 * case brought to norm 1 by an eigenvector of the smallest eigenvalue, which inverse iteration finds.
 *
 * <p><b>Cost per iteration.</b> O((n + 2)^3), in some 10 to 40 iterations; three matrices of order n + 2.
 *
 * <p><b>When it fails.</b> If f* is far below y'y: the matrices hold numbers of the size of y'y, so mu has their rounding error, and near the optimum M is as
 * ill-conditioned as the gap is small. The point is more accurate than mu, because the error of f is of second order in that of lambda.
 *
 * <p><b>Reference.</b> Bishop, Tran-Thanh and Gerding, Optimal learning from verified training data, NeurIPS 2020; Wang, Chen, Jiang and Li, ICML
 * 2021, for the single program; Benson and Ye, DSDP, for dual scaling.
 */
final class SdpSolver extends ConicSolver {
    /** The number of inverse iterations; each reduces the error by the ratio of the smallest eigenvalue of H + lambda I to the next one. */
    private static final int INVERSE_ITERATIONS = 6;

    SdpSolver(Workers workers) {
        super(workers);
    }

    @Override
    public String name() {
        return "sdp";
    }

    @Override
    Solution solveWithReport(SphereProblem problem, SolverOptions options, ProgressListener listener) {
        long start = System.nanoTime();
        DenseMatrix h = problem.hessian();
        MatrixInequality lmi = MatrixInequality.of(problem, h);
        double gNorm = Vectors.norm(problem.g());
        double norm = problem.hessianNorm();
        double p = Math.abs(problem.p());
        // a strictly feasible start: H + lambda I >= margin I, so the Schur complement p - lambda - mu - g'(H + lambda
        // I)^{-1}g is at least margin + |p|/1000
        double margin = gNorm + norm / 1000 > 0 ? gNorm + norm / 1000 : 1;
        double lambda = (problem.isGram() ? 0 : norm) + margin;
        double mu = problem.p() - lambda - gNorm - margin - p / 1000;
        var barrier = new BarrierMethod(lmi, mu, 4 * lambda, gNorm + margin + p / 1000, workers);
        BarrierMethod.End end = barrier.solve(
                options.tolerance() / 100, 1e-9 * problem.zeroRuleLoss(), options.maxIterations(), now -> {
                    var progress = new ProgressListener.Progress(
                            now.iterations(), now.primalObjective(), now.gap(), Double.NaN, now.lambda());
                    return listener.onIteration(progress) == ProgressListener.Decision.CONTINUE;
                });
        double seconds = (System.nanoTime() - start) * 1e-9;
        ConicReport report = barrier.report();
        double[] r = recover(problem, h, report.lambda());
        SphereResult.Status status =
                switch (end) {
                    case REACHED -> SphereResult.Status.CONVERGED;
                    case STOPPED -> SphereResult.Status.STOPPED_BY_LISTENER;
                    case ITERATION_LIMIT -> SphereResult.Status.ITERATION_LIMIT;
                    // converged if the gap is at the level of the rounding of p and ||H||
                    case ROUNDING ->
                        report.gap() <= 1e-10 * (p + norm + gNorm)
                                ? SphereResult.Status.CONVERGED
                                : SphereResult.Status.STALLED;
                };
        var effort = new SphereResult.Effort(report.iterations(), 1, barrier.factorisations() + 1, seconds);
        return new Solution(new SphereResult(r, status, effort, report.toString()), report);
    }

    /** Returns the point of a multiplier: -(H + lambda I)^{-1}g normalised, or brought to norm 1 along the smallest eigenvector, whichever has the lower f. */
    private double[] recover(SphereProblem problem, DenseMatrix h, double lambda) {
        Optional<Cholesky> factor = Cholesky.of(h, lambda, workers);
        for (double lift = 1e-15 * problem.hessianNorm(); factor.isEmpty(); lift *= 10) {
            // lambda is on the boundary of the cone to rounding: raise it until there is a factorisation
            factor = Cholesky.of(h, lambda + lift, workers);
        }
        double[] r = problem.g();
        Vectors.scale(-1, r);
        factor.get().solve(r);
        double[] u = smallestEigenvector(factor.get(), r.length);
        double norm = Vectors.norm(r);
        List<double[]> candidates = new ArrayList<>();
        candidates.add(norm > 0 ? unit(r) : u);
        double ru = Vectors.dot(r, u);
        double root = Math.sqrt(ru * ru + 1 - norm * norm);
        if (root >= 0) {
            for (double tau : new double[] {-ru + root, -ru - root}) {
                double[] completed = r.clone();
                Vectors.axpy(tau, u, completed);
                candidates.add(unit(completed));
            }
        }
        return candidates.stream()
                .min(Comparator.comparingDouble(x -> problem.evaluate(x).objective()))
                .orElseThrow();
    }

    private static double[] unit(double[] v) {
        double[] result = v.clone();
        Vectors.scale(1 / Vectors.norm(v), result);
        return result;
    }

    private static double[] smallestEigenvector(Cholesky factor, int d) {
        double[] u = new double[d];
        for (int i = 0; i < d; i++) {
            // evenly spread values, unrelated to any eigenvector
            u[i] = (i + 1) * 0.6180339887498949 % 1 - 0.5;
        }
        for (int round = 0; round < INVERSE_ITERATIONS; round++) {
            Vectors.scale(1 / Vectors.norm(u), u);
            factor.solve(u);
        }
        Vectors.scale(1 / Vectors.norm(u), u);
        return u;
    }
}
