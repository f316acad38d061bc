/**
 * The search for the best rule if rows have different gammas or may be truthful, or if gamma is only known to lie in an
 * interval: branch and bound over omega = w'C^{-1}w, with bounds that are a proof.
 *
 * <p>{@link stackelberg.objective.omega.MixedSolution} is the answer for a mixed population, with one sphere problem at
 * every omega. {@link stackelberg.objective.omega.RangeSolution} is that for an interval of gammas.
 */
@NullMarked
package stackelberg.objective.omega;

import org.jspecify.annotations.NullMarked;
