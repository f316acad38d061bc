/**
 * The Riemannian trust-region Newton method on the sphere (RTRNewton), as published and with an escape from points that are not global minima.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.published.riemannian;
