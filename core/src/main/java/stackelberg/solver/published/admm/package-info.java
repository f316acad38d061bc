/**
 * The paper's Algorithms 1 and 2, ADMM and CD-ADMM, as published and self-tuning, with the factorisations they need, dense and sparse.
 */
package stackelberg.solver.published.admm;
