/**
 * The direct solver: one eigendecomposition of the smaller side of the data, then a secular equation per gamma. For small data, ill-conditioned data
 * and whole paths.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.direct;
