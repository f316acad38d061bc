/**
 * The one convex program behind other losses than the squared one, hedges and balanced rules: minimise the loss after the move, and what a ridge adds to it, over the ball of the sphere that
 * the rules lie on, among the rules whose loss if nobody moves is at most a bound (docs/theory.md, "The program").
 *
 * <p>Newton's method finds the minimum over the ball, Fenchel's dual bounds it, and the game is solved where that minimum lies on the sphere. By squared loss every weight of a hedge is one problem
 * on the sphere.
 */
@NullMarked
package stackelberg.objective.program;

import org.jspecify.annotations.NullMarked;
