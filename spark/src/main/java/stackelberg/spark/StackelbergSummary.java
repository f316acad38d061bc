package stackelberg.spark;

import java.io.Serializable;
import stackelberg.certificate.Certificate;
import stackelberg.solver.SphereResult;

/**
 * What is known about a fitted rule: how good it is, and how it was found. Saved with the model.
 *
 * @param gamma how hard the model thinks it is to move
 * @param pullThrough t, the fraction of the gap to their wish that everybody closes
 * @param objective the loss on the training rows after everybody has moved
 * @param multiplier lambda
 * @param gapBound a rigorous upper bound of how far the objective is above the global minimum
 * @param relativeGap the same against the objective
 * @param proof PROVEN, ESTIMATED or REFUTED
 * @param unique whether the optimum is proven to be the only one
 * @param finite false if believing everybody is as good, so that the best rule would be infinitely large
 * @param certified proven within the tolerance, and finite
 * @param solver the name of the core's solver
 * @param status why it stopped
 * @param iterations in the solver's own unit
 * @param passes products with the data during the solution, set-up and certificate not counted
 * @param note what the user should know about the way taken, or empty
 * @param rows how many were fitted
 */
public record StackelbergSummary(
        double gamma,
        double pullThrough,
        double objective,
        double multiplier,
        double gapBound,
        double relativeGap,
        String proof,
        boolean unique,
        boolean finite,
        boolean certified,
        String solver,
        String status,
        int iterations,
        int passes,
        String note,
        long rows)
        implements Serializable {
    static StackelbergSummary of(
            double gamma,
            double pullThrough,
            Certificate certificate,
            double tolerance,
            String solver,
            SphereResult result,
            long rows) {
        return new StackelbergSummary(
                gamma,
                pullThrough,
                certificate.objective(),
                certificate.multiplier(),
                certificate.gapBound(),
                certificate.relativeGap(),
                certificate.proof().name(),
                certificate.unique(),
                certificate.finite(),
                certificate.certified(tolerance),
                solver,
                result.status().name(),
                result.effort().iterations(),
                result.effort().passes(),
                result.note(),
                rows);
    }
}
