package stackelberg.solver.krylov;

import java.util.Arrays;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.Vectors;
import stackelberg.solver.secular.ArrowSphere;
import stackelberg.sphere.Evaluation;
import stackelberg.sphere.SphereProblem;

/** One sphere problem without a family: A = H with start vector g. */
final class SingleProblem implements ProblemSet {
    private final SphereProblem problem;

    SingleProblem(SphereProblem problem) {
        this.problem = problem;
    }

    @Override
    public int count() {
        return 1;
    }

    @Override
    public int order() {
        return problem.dimension();
    }

    @Override
    public void times(DenseMatrix v, DenseMatrix out) {
        problem.hessianTimes(v, out);
    }

    @Override
    public double operatorNorm() {
        return problem.hessianNorm();
    }

    @Override
    public double[][] starts() {
        return new double[][] {problem.g()};
    }

    @Override
    public double[] startNorms() {
        return new double[] {Vectors.norm(problem.g())};
    }

    @Override
    public boolean isGram() {
        return problem.isGram();
    }

    @Override
    public boolean hasBorder() {
        return false;
    }

    @Override
    public Projected project(int index, Ritz ritz, double[] shift) {
        int last = ritz.order() - 1;
        double[] theta = ritz.theta();
        double[] g = ritz.starts()[0].clone();
        Vectors.axpy(1, shift, g);
        // a diagonal matrix is an arrow without couplings
        ArrowSphere.Solution solution = ArrowSphere.solve(
                Arrays.copyOf(theta, last), new double[last], theta[last], Arrays.copyOf(g, last), g[last], false);
        double[] r = solution.r();
        double objective = problem.p();
        for (int i = 0; i <= last; i++) {
            objective += r[i] * (theta[i] * r[i] + 2 * g[i]);
        }
        return new Projected(
                r,
                0,
                objective,
                solution.lambda(),
                ritz.outside(r),
                solution.smallestEigenvalue(),
                ritz.outside(solution.smallestEigenvector()));
    }

    @Override
    public double[] point(double[] top, double border) {
        double[] r = top.clone();
        Vectors.scale(1 / Vectors.norm(r), r);
        return r;
    }

    @Override
    public Evaluation[] evaluate(int[] indices, double[][] r) {
        return new Evaluation[] {problem.evaluate(r[0])};
    }

    @Override
    public Evaluation evaluateFromImage(int index, double[] r, double[] image) {
        double[] g = problem.g();
        double[] gradient = image.clone();
        Vectors.axpy(1, g, gradient);
        return new Evaluation(Vectors.dot(r, gradient) + Vectors.dot(g, r) + problem.p(), gradient);
    }

    @Override
    public double p() {
        return problem.p();
    }

    @Override
    public double roundingScale(int index) {
        return problem.roundingScale();
    }

    @Override
    public double objectiveRounding(int index, double[] r, double objective) {
        return problem.objectiveRounding(r, objective);
    }
}
