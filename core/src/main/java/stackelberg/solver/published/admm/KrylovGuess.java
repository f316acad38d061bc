package stackelberg.solver.published.admm;

import stackelberg.linalg.Lanczos;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.solver.ProgressListener;
import stackelberg.solver.SolverOptions;
import stackelberg.solver.direct.DirectSolver;
import stackelberg.sphere.SphereProblem;
import stackelberg.sphere.SphereProblem.Stationarity;

/**
 * A start for ADMM: the minimiser of f on the intersection of the sphere with a small Krylov space of H from g. Its main use is the size of lambda, which a good
 * rho is proportional to.
 *
 * @param point a unit vector
 * @param lambda its multiplier estimate
 * @param largest the largest Ritz value, an estimate of ||H||
 * @param passes products with H it took
 */
record KrylovGuess(double[] point, double lambda, double largest, int passes) {
    private static final Workers ONE = Workers.of(1);

    /** Runs Lanczos from g and solves the small problem with the direct solver. */
    static KrylovGuess of(SphereProblem problem, int maxSteps) {
        double[] start = problem.g();
        double norm = Vectors.norm(start);
        Vectors.scale(1 / norm, start);
        Lanczos lanczos = Lanczos.of(problem::hessianTimes, start, maxSteps, 1e-12, ONE);
        int used = lanczos.basis().length;
        double[] smallG = new double[used];
        smallG[0] = norm;
        var projected = SphereProblem.of(lanczos.t(), smallG, problem.p());
        double[] coordinates = new DirectSolver(ONE)
                .solve(projected, SolverOptions.DEFAULT, ProgressListener.NONE)
                .r();
        double lambda = Stationarity.of(projected, coordinates).multiplier();
        double[] ritz = SymmetricEigen.of(lanczos.t(), ONE).values();
        return new KrylovGuess(lanczos.unit(coordinates), lambda, ritz[used - 1], used);
    }

    /** Returns a given start, with the bound on ||H|| by its trace; costs one evaluation. */
    static KrylovGuess at(SphereProblem problem, double[] point) {
        double lambda = Stationarity.of(problem, point).multiplier();
        return new KrylovGuess(point, lambda, problem.hessianNorm(), 1);
    }
}
