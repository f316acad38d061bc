/**
 * Fits that ignore moves: least squares, ridge, and regression by other convex losses, for today's rule and what a game is compared with.
 */
@NullMarked
package stackelberg.estimate;

import org.jspecify.annotations.NullMarked;
