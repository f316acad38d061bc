package stackelberg.solver.admm;

import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.DenseSphereProblem;
import stackelberg.sphere.SphereProblem;

/**
 * The minimiser of f on the part of the sphere that lies in a small Krylov space of H from g: a start, and above all the size of lambda.
 *
 * @param point a unit vector
 * @param lambda its multiplier estimate
 * @param largest the largest Ritz value, an estimate of ||H||
 * @param smallest the smallest Ritz value, at or above the smallest eigenvalue, or 0 if there is none
 * @param passes products with H it took
 */
record KrylovGuess(double[] point, double lambda, double largest, double smallest, int passes) {
    private static final Workers ONE = Workers.of(1);

    /** Lanczos from g with full reorthogonalisation, then the small problem by the direct solver. */
    static KrylovGuess of(SphereProblem problem, int maxSteps) {
        double[] g = problem.g();
        double norm = Vectors.norm(g);
        int steps = Math.min(maxSteps, g.length);
        double[][] basis = new double[steps][];
        double[][] t = new double[steps][steps];
        double[] next = g.clone();
        Vectors.scale(1 / norm, next);
        DenseMatrix product = DenseMatrix.zeros(g.length, 1);
        int used = 0;
        while (used < steps) {
            basis[used] = next;
            problem.hessianTimes(DenseMatrix.column(next), product);
            next = product.column(0);
            double before = Vectors.norm(next);
            for (int round = 0; round < 2; round++) {
                for (int k = 0; k <= used; k++) {
                    double c = Vectors.dot(basis[k], next);
                    t[k][used] += c;
                    Vectors.axpy(-c, basis[k], next);
                }
            }
            used++;
            double beta = Vectors.norm(next);
            if (beta <= 1e-12 * before) {
                break;
            }
            Vectors.scale(1 / beta, next);
        }
        DenseMatrix small = DenseMatrix.zeros(used, used);
        for (int i = 0; i < used; i++) {
            for (int j = 0; j <= i; j++) {
                small.set(i, j, t[j][i]);
                small.set(j, i, t[j][i]);
            }
        }
        double[] smallG = new double[used];
        smallG[0] = norm;
        var projected = DenseSphereProblem.of(small, smallG, problem.p());
        double[] coordinates = new DirectSolver(ONE)
                .solve(projected, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
        double lambda =
                -Vectors.dot(coordinates, projected.evaluate(coordinates).halfGradient());
        double[] point = new double[g.length];
        for (int k = 0; k < used; k++) {
            Vectors.axpy(coordinates[k], basis[k], point);
        }
        Vectors.scale(1 / Vectors.norm(point), point);
        double[] ritz = SymmetricEigen.of(small, ONE).values();
        return new KrylovGuess(point, lambda, ritz[used - 1], ritz[0], used);
    }

    /** Without products: a given start, and ||H|| from its trace. */
    static KrylovGuess at(SphereProblem problem, double[] point) {
        double[] gradient = problem.evaluate(point).halfGradient();
        double size = problem.hessianNorm();
        return new KrylovGuess(point, -Vectors.dot(point, gradient), size, 0, 1);
    }
}
