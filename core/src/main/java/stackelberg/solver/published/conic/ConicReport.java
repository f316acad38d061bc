package stackelberg.solver.published.conic;

import java.util.Locale;

/**
 * The state of an interior-point method.
 *
 * @param primalObjective the value of the relaxed sphere problem, an upper bound on f* once feasible
 * @param dualObjective mu, a lower bound on f*
 * @param gap the complementarity gap: primal minus dual, computed without subtracting them
 * @param lambda the multiplier, in the scaling of the sphere problem
 * @param iterations interior-point steps
 */
record ConicReport(double primalObjective, double dualObjective, double gap, double lambda, int iterations) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "primal %.12g, dual %.12g, gap %.2e, lambda %.12g, %d interior-point steps",
                primalObjective,
                dualObjective,
                gap,
                lambda,
                iterations);
    }
}
