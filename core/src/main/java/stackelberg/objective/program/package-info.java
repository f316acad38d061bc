/**
 * The one convex program behind hedges and balanced rules: minimise the loss after the move, and what a ridge adds to it, among the rules whose loss if nobody moves is at most a bound
 * (docs/theory.md, "The program").
 */
@NullMarked
package stackelberg.objective.program;

import org.jspecify.annotations.NullMarked;
