package stackelberg.solver.published.admm;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Vectors;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * A proven lower bound mu of lambda_min(H). On the sphere r'Hr = r'(H - mu I)r + mu, and H - mu I >= 0 makes f convex.
 *
 * <p>0 for a Gram matrix and -||H||_F for any other are bounds without work. Better ones are proven by the spectrum of a small H, or by a Cholesky factorisation
 * of H - mu I, each less its rounding error; never by a Ritz value, which is an upper bound.
 *
 * @param mu the bound
 * @param lowest a unit vector u with a small u'Hu, near an eigenvector of the smallest eigenvalue; absent if none has been computed
 */
record Shift(double mu, double @Nullable [] lowest) {
    /** The largest order at which the spectrum of H is computed, as in the certificate. */
    private static final int EIGEN_ORDER = 400;
    /** The largest number of factorisations of a search. */
    private static final int ATTEMPTS = 30;
    /** The number of inverse iterations with each factorisation. */
    private static final int STEPS = 4;

    private static final Workers ONE = Workers.of(1);

    /** Returns the bound that needs no work. */
    static Shift free(SphereProblem problem) {
        double bound = problem.isGram() ? 0 : -problem.hessianNorm();
        return new Shift(problem.smallestEigenvalue().orElse(bound), null);
    }

    /**
     * Computes a bound close to lambda_min, and its eigenvector.
     *
     * @param allowed how far below lambda_min the bound may be
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

    /** Estimates lambda_min by inverse iteration and proves a value just below the estimate by a factorisation; alternates until the two are close. */
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

    /**
     * Returns r + tau u of norm 1 for an r inside the ball, with tau^2 <= 1 - r'r. If r is stationary, f rises by tau^2 (u'Hu - mu), which is 0 up to the accuracy
     * of mu and u. Only after {@link #of}, which computes u.
     */
    double[] completed(double[] r) {
        return completed(r, Objects.requireNonNull(lowest));
    }
    /** Returns the point r + tau u of norm 1 that is closer to r, of the two. */
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

    /** Returns a vector unrelated to any structure of H. */
    static double[] anywhere(int d) {
        double[] u = new double[d];
        Arrays.setAll(u, j -> Math.sin(j + 1));
        return u;
    }

    /** A unit vector u, u'Hu and ||Hu - (u'Hu)u||. */
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
