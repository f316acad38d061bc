/**
 * The default solver, which chooses between {@code direct} and {@code krylov} by size, and the list of all solvers by name. The only package that depends on every
 * solver.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.auto;
