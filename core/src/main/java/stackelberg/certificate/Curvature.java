package stackelberg.certificate;

import java.util.Optional;
import stackelberg.linalg.Cholesky;
import stackelberg.linalg.DenseMatrix;
import stackelberg.linalg.SymmetricEigen;
import stackelberg.linalg.Workers;
import stackelberg.sphere.SphereProblem;

/**
 * What is known of the smallest eigenvalue of H + lambda I.
 *
 * @param lowerBound a rigorous lower bound
 * @param proven whether the bound says all there is to say; false where a factorisation would be needed that does not fit
 * @param second a rigorous lower bound of its second smallest eigenvalue; minus infinity where nothing is known of it
 * @param negativeDirection a unit vector u with u'(H + lambda I)u < 0 by more than rounding, if one was found
 */
record Curvature(double lowerBound, boolean proven, double second, Optional<double[]> negativeDirection) {
    private Curvature(double lowerBound, boolean proven, Optional<double[]> negativeDirection) {
        this(lowerBound, proven, Double.NEGATIVE_INFINITY, negativeDirection);
    }

    /** Up to this order the spectrum of H is computed; beyond, one Cholesky factorisation decides. */
    private static final int EIGEN_ORDER = 400;

    /** Up to this order H is formed at all: 800 MB. */
    private static final int FORMED_ORDER = 10_000;

    /**
     * The cheapest bound that is good enough.
     *
     * @param known what the smallest eigenvalue of H is already known to be at least: 0 for a Gram matrix, minus infinity for others
     * @param sufficient a lower bound at or above this certifies the point; no effort is made to know more
     * @param tolerated a negative lower bound at or above this certifies it as well, but does not tell whether it is the only one: no factorisation is made to know more
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
            // H has a null vector, so lambda is the smallest eigenvalue itself
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

    private static Curvature bySpectrum(SphereProblem problem, double lambda, double free, double rounding) {
        // one thread is enough for this order, and the same numbers come out whatever the problem was given
        SymmetricEigen eigen = SymmetricEigen.of(problem.hessian(), Workers.of(1));
        double smallest = eigen.values()[0] + lambda;
        Optional<double[]> direction =
                smallest < -rounding ? Optional.of(eigen.vectors().column(0)) : Optional.empty();
        double second = eigen.values().length == 1 ? Double.NEGATIVE_INFINITY : eigen.values()[1] + lambda - rounding;
        return new Curvature(Math.max(free, smallest - rounding), true, second, direction);
    }

    /** H + lambda I >= kappa I is proven by a Cholesky factorisation of H + (lambda - kappa) I; the largest of a few kappa that has one. */
    private static Curvature byFactorisation(
            SphereProblem problem, double lambda, double free, double rounding, double estimate, double sufficient) {
        DenseMatrix h = problem.hessian();
        // the last is for the hard case, where H + lambda I is singular
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
