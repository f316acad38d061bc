/**
 * Nested Lanczos for the trust-region subproblem (LTRSR), as published.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.published.ltrsr;
