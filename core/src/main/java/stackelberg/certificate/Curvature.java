package stackelberg.certificate;

import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * Bounds of the smallest eigenvalue of H + lambda I.
 *
 * @param lowerBound a rigorous lower bound
 * @param proven whether the bound is as good as the certificate needs; false if that takes a factorisation which failed or does not fit into memory
 * @param second a rigorous lower bound on the second smallest eigenvalue; minus infinity if no such bound is known
 * @param negativeDirection a unit vector u with u'(H + lambda I)u < 0 by more than rounding, if one was found; it leads to a lower f
 */
record Curvature(double lowerBound, boolean proven, double second, Optional<double[]> negativeDirection) {
    private Curvature(double lowerBound, boolean proven, Optional<double[]> negativeDirection) {
        this(lowerBound, proven, Double.NEGATIVE_INFINITY, negativeDirection);
    }

    /** The largest order at which the whole spectrum of H is computed; beyond it Cholesky factorisations decide. */
    private static final int EIGEN_ORDER = 400;

    /** The largest order at which H is formed, 800 MB. */
    private static final int FORMED_ORDER = 10_000;

    /**
     * Returns the cheapest bound that is good enough. In this order: what is known already, the spectrum of a small H, a Ritz pair that refutes, and Cholesky
     * factorisations.
     *
     * @param lambda the multiplier
     * @param known a lower bound on the smallest eigenvalue of H that is known already: 0 for a Gram matrix, minus infinity for others
     * @param sufficient a lower bound that certifies the point by ||e||^2/kappa; no better bound is sought
     * @param tolerated a negative lower bound that certifies the point by 4||e|| + 4 delta; it does not show uniqueness, for which the spectrum of a small H is
     *     computed, but no factorisation of a large one
     */
    static Curvature of(SphereProblem problem, double lambda, double known, double sufficient, double tolerated) {
        double free = known + lambda;
        if (free >= sufficient || problem.smallestEigenvalue().isPresent()) {
            return new Curvature(free, true, Optional.empty());
        }
        double rounding = problem.hessianRounding();
        if (problem.dimension() <= EIGEN_ORDER) {
            return bySpectrum(problem, lambda, free, rounding);
        }
        if (free >= tolerated) {
            return new Curvature(free, true, Optional.empty());
        }
        SmallestRitz ritz = SmallestRitz.of(problem);
        Optional<double[]> direction =
                ritz.value() + lambda < -rounding ? Optional.of(ritz.vector()) : Optional.empty();
        if (problem.isGram() && problem.structuralNullity() > 0) {
            // H >= 0 has a null vector, so the smallest eigenvalue of H + lambda I is exactly lambda
            return new Curvature(lambda, true, direction);
        }
        if (direction.isPresent()) {
            return new Curvature(free, true, direction);
        }
        if (problem.dimension() > FORMED_ORDER) {
            return new Curvature(free, false, Optional.empty());
        }
        return byFactorisation(problem, lambda, free, rounding, ritz.value() + lambda, sufficient);
    }

    /** Computes all eigenvalues of H: bounds to rounding, and the second one for Temple's bound. */
    private static Curvature bySpectrum(SphereProblem problem, double lambda, double free, double rounding) {
        // one thread is enough for this order, and makes the result independent of the problem's number of threads
        SymmetricEigen eigen = SymmetricEigen.of(problem.hessian(), Workers.of(1));
        double smallest = eigen.values()[0] + lambda;
        Optional<double[]> direction =
                smallest < -rounding ? Optional.of(eigen.vectors().column(0)) : Optional.empty();
        double second = eigen.values().length == 1 ? Double.NEGATIVE_INFINITY : eigen.values()[1] + lambda - rounding;
        return new Curvature(Math.max(free, smallest - rounding), true, second, direction);
    }

    /**
     * Proves H + lambda I >= kappa I by a Cholesky factorisation of H + (lambda - kappa) I, for the largest of five candidates kappa that has one.
     *
     * @param estimate an estimate of the smallest eigenvalue of H + lambda I, a Ritz value and so never below it
     */
    private static Curvature byFactorisation(
            SphereProblem problem, double lambda, double free, double rounding, double estimate, double sufficient) {
        DenseMatrix h = problem.hessian();
        // below the estimate, then what the certificate needs, then rounding; the last is for the hard case, where H +
        // lambda I is singular
        for (double kappa :
                new double[] {estimate / 2, estimate / 16, sufficient + 2 * rounding, rounding, -rounding}) {
            if (kappa <= Math.max(estimate, 0)
                    && Cholesky.of(h, lambda - kappa, problem.workers()).isPresent()) {
                return new Curvature(Math.max(free, kappa - rounding), true, Optional.empty());
            }
        }
        return new Curvature(free, false, Optional.empty());
    }
}
