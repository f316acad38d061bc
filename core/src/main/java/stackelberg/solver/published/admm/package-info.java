/**
 * The paper's Algorithms 1 and 2, ADMM and CD-ADMM, as published and in a self-tuning form that always converges (docs/theory.md, "ADMM"), with the dense and
 * sparse factorisations that they need.
 */
@org.jspecify.annotations.NullMarked
package stackelberg.solver.published.admm;
