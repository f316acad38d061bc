/**
 * The solver for large data: block Lanczos, which builds one basis for all gammas with one pass over the data per step (docs/theory.md, "Paths").
 *
 * <p>{@link stackelberg.solver.krylov.KrylovSolver} is the entry. A run holds the recurrence and its basis, the problems seen within the space, and the state
 * of each problem.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.krylov;
