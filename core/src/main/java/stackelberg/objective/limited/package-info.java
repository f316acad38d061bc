/**
 * The search for the best rule under limits on moves. There is no sphere problem and no proof, but the exact loss of
 * every rule, its exact gradient, and descents from many starting points.
 */
@NullMarked
package stackelberg.objective.limited;

import org.jspecify.annotations.NullMarked;
