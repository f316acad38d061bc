/**
 * The search for the best rule under limits: there is no sphere problem and no proof, but the exact loss of any rule,
 * its exact gradient, and descents from many starting points.
 */
package stackelberg.objective.limited;
