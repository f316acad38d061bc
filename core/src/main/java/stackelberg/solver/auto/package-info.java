/**
 * The default solver, which chooses between {@code direct} and {@code krylov} by size, and the list of all solvers by name. The only room that
 * knows every solver.
 */
package stackelberg.solver.auto;
