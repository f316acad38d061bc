/**
 * The convex program behind hedged and balanced rules: minimise the loss after the move, plus the penalty of a ridge,
 * over the rules whose loss before any move is at most a bound (docs/theory.md, "The program").
 */
@NullMarked
package stackelberg.objective.program;

import org.jspecify.annotations.NullMarked;
