/**
 * The solver for large data: block Lanczos, one basis for every gamma, one pass over the data per step.
 */
package stackelberg.solver.krylov;
