/**
 * Nested Lanczos for the trust-region subproblem (LTRSR), as published.
 */
package stackelberg.solver.published.ltrsr;
