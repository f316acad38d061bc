/**
 * The convex program behind other losses than the squared one, hedges and balanced rules: minimise the loss after the
 * move, plus the penalty of a ridge, over the ball of the sphere that the rules lie on, among the rules whose loss
 * before any move is at most a bound (docs/theory.md, "The program").
 *
 * <p>Newton's method finds the minimum over the ball, and Fenchel's dual bounds it; the game is solved if that minimum
 * lies on the sphere. For squared loss every weight of a hedge is one problem on the sphere.
 */
@NullMarked
package stackelberg.objective.program;

import org.jspecify.annotations.NullMarked;
