package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Optional;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * mu <= lambda_min(H), proven: on the sphere r'Hr = r'(H - mu I)r + mu, and H - mu I >= 0 makes f convex.
 *
 * <p>Free are 0 for a Gram matrix and -||H||_F for any other. Beyond that a decomposition proves it where H is small, and elsewhere a Cholesky factorisation of H - mu I, each less what
 * rounding can hide; never a Ritz value, which is no smaller than lambda_min.
 *
 * @param mu the bound
 * @param lowest a unit vector u with a small u'Hu; null where none has been looked for
 */
record Shift(double mu, double[] lowest) {
    /** Up to this order the spectrum of H is computed, as the certificate does. */
    private static final int EIGEN_ORDER = 400;

    /** Factorisations that the search may take. */
    private static final int ATTEMPTS = 30;

    /** Inverse iterations with each of them. */
    private static final int STEPS = 4;

    private static final Workers ONE = Workers.of(1);

    /** What is known without work. */
    static Shift free(SphereProblem problem) {
        double bound = problem.isGram() ? 0 : -problem.hessianNorm();
        return new Shift(problem.smallestEigenvalue().orElse(bound), null);
    }

    /**
     * The best bound that is to be had, and the eigenvector that belongs to it.
     *
     * @param allowed how far below lambda_min it may lie
     */
    static Shift of(SphereProblem problem, Factors factors, double allowed) {
        return problem.dimension() <= EIGEN_ORDER
                ? bySpectrum(problem, factors)
                : byFactorisation(problem, factors, Math.max(allowed, 4 * problem.hessianRounding()));
    }

    private static Shift bySpectrum(SphereProblem problem, Factors factors) {
        factors.read(1);
        SymmetricEigen eigen = SymmetricEigen.of(problem.hessian(), ONE);
        double proven = eigen.values()[0] - problem.hessianRounding();
        return new Shift(Math.max(free(problem).mu, proven), eigen.vectors().column(0));
    }

    /** Inverse iteration tells where lambda_min should be, and a factorisation just below whether it is there. */
    private static Shift byFactorisation(SphereProblem problem, Factors factors, double allowed) {
        double rounding = problem.hessianRounding();
        double proven = free(problem).mu;
        boolean singular = problem.isGram() && problem.structuralNullity() > 0;
        Ritz lowest = Ritz.start(problem);
        factors.read(1);
        double refused = Double.POSITIVE_INFINITY;
        double trial = proven - allowed;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<ShiftedSolve> solve = factors.at(-trial);
            if (solve.isPresent()) {
                proven = Math.max(proven, trial - rounding);
                for (int step = 0; step < STEPS; step++) {
                    lowest = lowest.towards(problem, solve.get());
                    factors.read(1);
                }
            } else {
                refused = Math.min(refused, trial);
            }
            if (solve.isPresent() && (singular || lowest.value - proven <= 2 * allowed)) {
                break;
            }
            double just = lowest.value - Math.max(lowest.residual, allowed);
            trial = just < refused && just > proven ? just : proven + (Math.min(refused, lowest.value) - proven) / 2;
        }
        return new Shift(proven, lowest.vector);
    }

    /** r + tau u of norm 1 for an r inside the ball, tau^2 <= 1 - r'r: f rises by tau^2 (u'Hu - mu) where r is stationary. */
    double[] completed(double[] r) {
        return completed(r, lowest);
    }

    /** r + tau u of norm 1; of the two such points the one closer to r. */
    static double[] completed(double[] r, double[] u) {
        double along = Vectors.dot(r, u);
        double missing = Math.max(0, 1 - Vectors.dot(r, r));
        double root = Math.sqrt(along * along + missing);
        double tau = along > 0 ? missing / (along + root) : missing / (along - root);
        double[] point = r.clone();
        if (missing > 0) {
            Vectors.axpy(tau, u, point);
        }
        Vectors.scale(1 / Vectors.norm(point), point);
        return point;
    }

    /** A direction that no symmetry of H favours. */
    static double[] anywhere(int d) {
        double[] u = new double[d];
        Arrays.setAll(u, j -> Math.sin(j + 1));
        return u;
    }

    /** u'Hu and ||Hu - (u'Hu)u|| of a unit vector. */
    private record Ritz(double[] vector, double value, double residual) {
        static Ritz start(SphereProblem problem) {
            return of(problem, anywhere(problem.dimension()));
        }

        static Ritz of(SphereProblem problem, double[] direction) {
            double[] u = direction.clone();
            Vectors.scale(1 / Vectors.norm(u), u);
            DenseMatrix product = DenseMatrix.zeros(u.length, 1);
            problem.hessianTimes(DenseMatrix.column(u), product);
            double[] rest = product.column(0);
            double value = Vectors.dot(u, rest);
            Vectors.axpy(-value, u, rest);
            return new Ritz(u, value, Vectors.norm(rest));
        }

        Ritz towards(SphereProblem problem, ShiftedSolve solve) {
            double[] next = vector.clone();
            solve.solve(next);
            return of(problem, next);
        }
    }
}
